/* multiply_rows.c -- all rows of C, by as many threads as there are.
 *
 * Threads take pieces, neighbouring rows of about as many products, in their order, and make each
 * in a buffer of their own.  Where a piece goes in C is known as soon as those before it are made,
 * which is soon, as they were begun before; until then it waits in its buffer.  So nothing is
 * counted before it is multiplied, C is written once, and beside it there are only the buffers.
 *
 * C is allocated for as many entries as there are products where the machine has that much memory,
 * of which the system gives only what is written; else for what an estimate says.  Where the
 * estimate was too low, all stop, C grows, and they go on from the first piece that is not in it.
 */
#include "core/matrix/format.h"
#include "core/spgemm/spgemm.h"

#include <sched.h>
#include <stdlib.h>

enum {
    ROOM = 1 << 11, /* entries of a piece, at first */
    WAITING = 8,    /* pieces that may wait for those before them, for each thread, */
    MANY = 1 << 18  /* but not more than one when they have so many entries */
};

/* A piece that is made and has no place yet. */
typedef struct buffer {
    int64_t piece;
    spmv__product_row rows;
} buffer;

typedef struct piece {
    int64_t n;  /* entries; -1: not made yet */
    int64_t at; /* its place in C, once all before it are made */
} piece;

typedef struct rows_job {
    const spmv__spgemm *job;
    spmv__row_cut cut;
    spmv_csr *C;
    int64_t room;    /* entries of C */
    piece *piece;    /* [cut.count] */
    int64_t next;    /* the first piece that no thread has taken */
    int64_t placed;  /* pieces that have a place */
    int64_t entries; /* in these */
    bool full;       /* the next piece has no place in C */
    spmv_status status;
    spmv_error error;
    spmv__meter *meter;
} rows_job;

static int64_t products_before(const spmv__row_cut *cut, int64_t k)
{
    return cut->before[spmv__cut_begin(cut, k)];
}

/* ---- Making a piece ------------------------------------------------------------------------- */

static spmv_status make_piece(rows_job *j, int64_t k, buffer *b, spmv__spgemm_worker *w,
                              spmv_error *err)
{
    const int64_t begin = spmv__cut_begin(&j->cut, k), end = spmv__cut_begin(&j->cut, k + 1);
    const int64_t products = products_before(&j->cut, k + 1) - products_before(&j->cut, k);
    spmv_status st;
    b->piece = k;
    w->row = b->rows;
    w->row.n = 0;
    st = spmv__product_row_reserve(&w->row, products < ROOM ? products + 1 : ROOM,
                                   spmv__parts(j->job->type), err);
    for (int64_t i = begin; i < end && st == SPMV_SUCCESS; i++) {
        const int64_t before = w->row.n;
        st = spmv__spgemm_add_row(w, j->job, i, err);
        j->C->row_ptr[i + 1] = w->row.n - before;
    }
    b->rows = w->row;
    w->row = (spmv__product_row){0};
    return st;
}

/* ---- Placing it ----------------------------------------------------------------------------- */

/* The next piece to make; -1 where there is none, or all are to stop. */
static int64_t take_piece(rows_job *j)
{
    int64_t k = -1;
#pragma omp critical(spmv__spgemm)
    if (j->status == SPMV_SUCCESS && !j->full && j->next < j->cut.count) k = j->next++;
    return k;
}

/* Tell that a piece is made, and give places to all that are made without a gap. */
static void place_piece(rows_job *j, const buffer *b)
{
    int64_t products;
#pragma omp critical(spmv__spgemm)
    {
        products = -products_before(&j->cut, j->placed);
        j->piece[b->piece].n = b->rows.n;
        while (!j->full && j->placed < j->cut.count && j->piece[j->placed].n >= 0) {
            piece *p = &j->piece[j->placed];
            j->full = j->room - j->entries < p->n;
            if (j->full) break;
            p->at = j->entries;
            j->entries += p->n;
            j->placed++;
        }
        products += products_before(&j->cut, j->placed);
    }
    if (products > 0) spmv__meter_advance(j->meter, products);
}

static void fail_job(rows_job *j, spmv_status st, const spmv_error *err)
{
#pragma omp critical(spmv__spgemm)
    if (j->status == SPMV_SUCCESS) {
        j->status = st;
        j->error = *err;
    }
}

/* Copies a piece to its place; returns whether it has one. */
static bool copy_piece(rows_job *j, const buffer *b)
{
    const spmv__product_row *rows = &b->rows;
    bool placed;
#pragma omp critical(spmv__spgemm)
    placed = b->piece < j->placed;
    if (!placed || rows->n == 0) return placed;
    const int64_t at = j->piece[b->piece].at;
    memcpy(j->C->col_idx + at, rows->col, (size_t)rows->n * sizeof *rows->col);
    spmv__put_sums(j->C->type, j->C->val, at, rows->sum, rows->n);
    return true;
}

static bool stopped(rows_job *j)
{
    bool stop;
#pragma omp critical(spmv__spgemm)
    stop = j->full || j->status != SPMV_SUCCESS;
    return stop;
}

/* The pieces of one thread that wait for a place, in a ring, which begins anew when none does. */
typedef struct piece_queue {
    buffer ring[WAITING];
    int first, waiting;
    int64_t entries; /* of those that wait */
} piece_queue;

/* The first one waits no longer.  Long rows leave one large buffer. */
static void leave_queue(piece_queue *q)
{
    buffer *b = &q->ring[q->first];
    q->entries -= b->rows.n;
    if (q->first > 0 && b->rows.room > MANY) {
        spmv__product_row_free(&b->rows);
        b->rows = (spmv__product_row){0};
    }
    q->waiting--;
    q->first = q->waiting > 0 ? (q->first + 1) % WAITING : 0;
}

/* Copies pieces in their order as soon as they have places, until at most `most` wait.  Whether all
 * are to stop is asked first: what has got a place until then is copied. */
static void copy_pieces(rows_job *j, piece_queue *q, int most)
{
    bool stop;
    do {
        stop = stopped(j);
        while (q->waiting > 0 && copy_piece(j, &q->ring[q->first])) leave_queue(q);
        if (q->waiting > most) sched_yield();
    } while (q->waiting > most && !stop);
}

/* What one thread does. */
static void make_pieces(rows_job *j)
{
    spmv__spgemm_worker w = {0};
    piece_queue q = {.first = 0};
    int64_t k;
    while (q.waiting < WAITING && (k = take_piece(j)) >= 0) {
        buffer *b = &q.ring[(q.first + q.waiting++) % WAITING];
        spmv_error err = {0};
        const spmv_status st = make_piece(j, k, b, &w, &err);
        if (st != SPMV_SUCCESS)
            fail_job(j, st, &err);
        else
            place_piece(j, b);
        q.entries += b->rows.n;
        if (b->rows.n == 0) q.waiting--; /* it needs no place */
        copy_pieces(j, &q, q.entries < MANY ? WAITING - 1 : 0);
    }
    copy_pieces(j, &q, 0);
    for (int i = 0; i < WAITING; i++) spmv__product_row_free(&q.ring[i].rows);
    spmv__spgemm_worker_close(&w);
}

/* ---- C -------------------------------------------------------------------------------------- */

/* Give C room for `entries` entries, or take away what it has not used. */
static spmv_status resize(spmv_csr *C, int64_t entries, spmv_error *err)
{
    const size_t size = spmv_type_size(C->type), n = entries > 0 ? (size_t)entries : 1;
    int32_t *col = realloc(C->col_idx, n * sizeof *col);
    if (col != NULL) C->col_idx = col;
    void *val = size > 0 ? realloc(C->val, n * size) : NULL;
    if (val != NULL) C->val = val;
    if (col != NULL && (val != NULL || size == 0)) return SPMV_SUCCESS;
    char text[SPMV__BYTES_TEXT];
    return spmv__fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot allocate %s for the product",
                      spmv__bytes_text((double)n * (double)(sizeof *col + size), text));
}

static spmv_status grow(rows_job *j, spmv_error *err)
{
    const double more = (double)j->room / 4;
    const double entry = (double)(sizeof(int32_t) + spmv_type_size(j->C->type));
    j->room += (int64_t)more + j->piece[j->placed].n;
    spmv_status st = spmv_check_memory(more * entry, "the rest of the product", err);
    if (st == SPMV_SUCCESS) st = resize(j->C, j->room, err);
    for (int64_t k = j->placed; k < j->cut.count; k++) j->piece[k].n = -1;
    j->next = j->placed;
    j->full = false;
    return st;
}

spmv_status spmv__spgemm_all_rows(spmv_csr *C, const spmv__prepared_product *p, int64_t room,
                                  spmv__meter *meter, spmv_error *err)
{
    const int threads = p->threads;
    const int64_t rows = p->job.A.rows;
    const size_t size = spmv_type_size(C->type);
    rows_job j = {.job = &p->job, .cut = spmv__cut_rows(p), .C = C, .room = room, .meter = meter};
    spmv_status st;
    SPMV__TRY(spmv__alloc(&C->row_ptr, rows + 1, sizeof *C->row_ptr, "rows of the product", err));
    SPMV__TRY(spmv__alloc_unset(&C->col_idx, room, sizeof *C->col_idx, "the product", err));
    if (size > 0) SPMV__TRY(spmv__alloc_unset(&C->val, room, size, "the product", err));
    SPMV__TRY(spmv__alloc(&j.piece, j.cut.count, sizeof *j.piece, "the product", err));
    for (int64_t k = 0; k < j.cut.count; k++) j.piece[k].n = -1;
    if (threads > 1) spmv__threads_start();
    do {
        if (j.full) SPMV__TRY(grow(&j, err));
#pragma omp parallel num_threads(threads) if (threads > 1)
        make_pieces(&j);
    } while (j.status == SPMV_SUCCESS && j.full);
    st = j.status;
    if (st != SPMV_SUCCESS) {
        if (err != NULL) *err = j.error;
        goto done;
    }
    spmv__counts_to_offsets(C->row_ptr, rows);
    C->nnz = j.entries;
    resize(C, C->nnz, NULL); /* what it cannot give back stays unused */
done:
    free(j.piece);
    return st;
}
