/* gpu_spgemm_rows.c -- C = A B on a GPU for whoever takes it in pieces of rows.
 *
 * A thread drives the GPU, and fills two buffers by turns; all others cut what is in a buffer into
 * smaller pieces and give these to the consumer.  Where some entries are selected, which the host
 * does, the product is made once before to count them. */
#include "core/base/meter.h"
#include "core/matrix/format.h"
#include "core/spgemm/pieces_in_order.h"
#include "cuda/host/gpu_pieces.h"

#include <pthread.h>
#include <stdlib.h>

enum {
    BUFFERS = 2,
    MOST = 1 << 21,  /* entries of a buffer, but at least a row */
    PIECE = 1 << 15, /* entries of a piece for the consumer, likewise */
};

/* Rows begin .. end - 1 of C on the host. */
typedef struct rows_buffer {
    int64_t begin, end;
    int32_t *col; /* [room] */
    void *val;    /* [room] */
    bool full;    /* made, and not yet taken */
} rows_buffer;

typedef struct hand_over {
    spmv__gpu_pieces *pieces;
    const spmv_row_consumer *to;
    spmv_csr C; /* without its entries */
    int threads;
    spmv__meter *meter;
    rows_buffer buffer[BUFFERS];
    int64_t *counts; /* [rows] scratch for entries of the rows of a piece */

    pthread_mutex_t lock; /* of what follows, and of `full` */
    pthread_cond_t changed;
    bool stop; /* the thread is to end */
    spmv_status status;
    spmv_error error;
} hand_over;

/* ---- The thread that drives the GPU ---------------------------------------------------------- */

static bool wait_until(hand_over *j, const rows_buffer *b, bool full)
{
    pthread_mutex_lock(&j->lock);
    while (b->full != full && !j->stop) pthread_cond_wait(&j->changed, &j->lock);
    const bool stopped = b->full != full;
    pthread_mutex_unlock(&j->lock);
    return !stopped;
}

static void set_full(hand_over *j, rows_buffer *b, bool full)
{
    pthread_mutex_lock(&j->lock);
    b->full = full;
    pthread_cond_broadcast(&j->changed);
    pthread_mutex_unlock(&j->lock);
}

/* All are to stop; the first failure is kept. */
static void stop(hand_over *j, spmv_status st, const spmv_error *err)
{
    pthread_mutex_lock(&j->lock);
    if (j->status == SPMV_SUCCESS && st != SPMV_SUCCESS) {
        j->status = st;
        j->error = *err;
    }
    j->stop = true;
    pthread_cond_broadcast(&j->changed);
    pthread_mutex_unlock(&j->lock);
}

static spmv_status fill_buffers(hand_over *j, spmv_error *err)
{
    spmv__gpu_pieces *p = j->pieces;
    spmv_status st;
    SPMV__TRY(spmv__gpu_select(p->gpu, err));
    for (int64_t k = 0, begin = 0; begin < j->C.rows; k++) {
        rows_buffer *b = &j->buffer[k % BUFFERS];
        if (!wait_until(j, b, false)) break;
        b->begin = begin;
        b->end = spmv__gpu_pieces_end(p, begin);
        SPMV__TRY(spmv__gpu_pieces_make(p, begin, b->end, j->counts, b->col, b->val, err));
        spmv__meter_advance(j->meter, p->row_ptr[b->end] - p->row_ptr[begin]);
        begin = b->end;
        set_full(j, b, true);
    }
done:
    return st;
}

static void *drive(void *argument)
{
    hand_over *j = argument;
    spmv_error err = {0};
    const spmv_status st = fill_buffers(j, &err);
    if (st != SPMV_SUCCESS) stop(j, st, &err);
    return NULL;
}

/* ---- Giving away ----------------------------------------------------------------------------- */

/* A buffer that is cut into pieces. */
typedef struct cut_buffer {
    const spmv_csr *C;
    const rows_buffer *buffer;
    int64_t count;
} cut_buffer;

/* The first row before which the buffer has k pieces. */
static int64_t begin_of(const cut_buffer *cut, int64_t k)
{
    const int64_t begin = cut->buffer->begin, end = cut->buffer->end;
    const int64_t *row_ptr = cut->C->row_ptr + begin;
    if (k == cut->count) return end;
    return begin + spmv__find_offset(row_ptr, end - begin, row_ptr[0] + k * PIECE);
}

static spmv_status view_piece(void *user, int64_t k, int thread, spmv__piece_slot *slot,
                              spmv_error *err)
{
    const cut_buffer *cut = user;
    const spmv_csr *C = cut->C;
    const int64_t begin = begin_of(cut, k), end = begin_of(cut, k + 1);
    const int64_t at = C->row_ptr[begin] - C->row_ptr[cut->buffer->begin];
    const size_t size = spmv_type_size(C->type);
    (void)thread, (void)err;
    slot->piece =
        (spmv_row_piece){begin, end, C->row_ptr[end] - C->row_ptr[begin], cut->buffer->col + at,
                         size > 0 ? (const char *)cut->buffer->val + (size_t)at * size : NULL};
    return SPMV_SUCCESS;
}

static spmv_status give_buffers(hand_over *j, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    for (int64_t k = 0, begin = 0; begin < j->C.rows; k++) {
        rows_buffer *b = &j->buffer[k % BUFFERS];
        if (!wait_until(j, b, true)) break;
        begin = b->end;
        cut_buffer cut = {&j->C, b, 1};
        cut.count += (j->C.row_ptr[b->end] - j->C.row_ptr[b->begin]) / PIECE;
        const int threads = cut.count < j->threads ? (int)cut.count : j->threads;
        SPMV__TRY(spmv__pieces_in_order(view_piece, &cut, cut.count, threads, j->to, err));
        set_full(j, b, false);
    }
done:
    return st;
}

/* ---- The whole ------------------------------------------------------------------------------- */

/* C gets its row_ptr: what the GPU has counted, or what is left where some entries are selected. */
static spmv_status count_rows(hand_over *j, spmv_error *err)
{
    spmv__gpu_pieces *p = j->pieces;
    int64_t *row_ptr = j->C.row_ptr;
    spmv_status st = SPMV_SUCCESS;
    spmv__meter_begin(j->meter, "counting", p->product.nnz, sizeof(int32_t), SPMV_PATTERN);
    if (!spmv__selects(p->job)) {
        memcpy(row_ptr, p->row_ptr, (size_t)(j->C.rows + 1) * sizeof *row_ptr);
    } else {
        for (int64_t begin = 0, end; begin < j->C.rows; begin = end) {
            end = spmv__gpu_pieces_end(p, begin);
            SPMV__TRY(spmv__gpu_pieces_make(p, begin, end, row_ptr + begin + 1, NULL, NULL, err));
            spmv__meter_advance(j->meter, p->row_ptr[end] - p->row_ptr[begin]);
        }
        spmv__counts_to_offsets(row_ptr, j->C.rows);
    }
    j->C.nnz = row_ptr[j->C.rows];
done:
    return st;
}

static spmv_status allocate(hand_over *j, spmv_error *err)
{
    const int64_t rows = j->C.rows, room = j->pieces->room;
    const size_t size = spmv_type_size(j->C.type);
    spmv_status st;
    SPMV__TRY(
        spmv__alloc(&j->C.row_ptr, rows + 1, sizeof *j->C.row_ptr, "rows of the product", err));
    SPMV__TRY(spmv__alloc(&j->counts, rows, sizeof *j->counts, "rows of the product", err));
    for (int k = 0; k < BUFFERS; k++) {
        rows_buffer *b = &j->buffer[k];
        SPMV__TRY(spmv__alloc(&b->col, room, sizeof *b->col, "a piece of the product", err));
        if (size > 0) SPMV__TRY(spmv__alloc(&b->val, room, size, "a piece of the product", err));
    }
done:
    return st;
}

static spmv_status run(hand_over *j, spmv_error *err)
{
    pthread_t thread;
    spmv_error own = {0};
    if (pthread_create(&thread, NULL, drive, j) != 0)
        return spmv__fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot start a thread for the GPU");
    const spmv_status st = give_buffers(j, &own);
    stop(j, st, &own);
    pthread_join(thread, NULL);
    if (j->status != SPMV_SUCCESS && err != NULL) *err = j->error;
    return j->status;
}

static spmv_status multiply(hand_over *j, spmv_error *err)
{
    spmv_status st;
    SPMV__TRY(spmv__gpu_pieces_allocate(j->pieces, MOST, err));
    SPMV__TRY(allocate(j, err));
    SPMV__TRY(count_rows(j, err));
    SPMV__TRY(j->to->begin(j->to->user, &j->C, err));
    spmv__meter_begin(j->meter, "multiplying", j->pieces->product.nnz, sizeof(int32_t), j->C.type);
    st = run(j, err);
done:
    for (int k = 0; k < BUFFERS; k++) {
        free(j->buffer[k].col);
        free(j->buffer[k].val);
    }
    free(j->counts);
    free(j->C.row_ptr);
    return st;
}

spmv_status spmv_spgemm_rows_gpu(const spmv_matrix *A, const spmv_matrix *B,
                                 const spmv_spgemm_options *options, const spmv_row_consumer *to,
                                 spmv_context *ctx, spmv_spgemm_result *result, spmv_error *err)
{
    const spmv_spgemm_options o = options != NULL ? *options : (spmv_spgemm_options){0};
    spmv__prepared_product prepared = {0};
    spmv__gpu_pieces pieces = {0};
    spmv__meter meter = {.progress = o.progress, .user = o.user};
    spmv__gpu *gpu;
    spmv_status st;
    if (result != NULL) *result = (spmv_spgemm_result){0};
    SPMV__REQUIRE(to != NULL && to->begin != NULL && to->take != NULL, err);
    SPMV__TRY(spmv__context_gpu(&gpu, ctx, err));
    if (o.serial)
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED, "the serial way is one of the CPU");
    SPMV__TRY(spmv__product_operands(&prepared, A, B, &o, err));
    SPMV__TRY(spmv__gpu_pieces_open(&pieces, &prepared.job, ctx, err));
    hand_over j = {.pieces = &pieces,
                   .to = to,
                   .threads = prepared.threads,
                   .meter = &meter,
                   .lock = PTHREAD_MUTEX_INITIALIZER,
                   .changed = PTHREAD_COND_INITIALIZER};
    j.C = spmv__blank(SPMV_CSR, prepared.job.type, SPMV_GENERAL, prepared.job.A.rows,
                      prepared.job.B.cols, 0)
              .csr;
    SPMV__TRY(multiply(&j, err));
    if (result != NULL) *result = (spmv_spgemm_result){pieces.product.all_products, pieces.seconds};
done:
    spmv__gpu_pieces_close(&pieces);
    spmv__prepared_product_destroy(&prepared);
    return st;
}
