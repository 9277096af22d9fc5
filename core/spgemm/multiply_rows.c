/* multiply_rows.c -- all rows of C, by as many threads as there are.
 *
 * Rows are taken in pieces of about as many products.  A thread stores its pieces one behind
 * the other in chunks, since nobody knows before how many entries they have; when all are there, C
 * is allocated as large as it is, and each chunk is released as soon as it has been copied. */
#include "core/base/pages.h"
#include "core/matrix/format.h"
#include "core/spgemm/spgemm.h"

#include <stdlib.h>

enum {
    PIECE = 1 << 17, /* products and rows of a piece, at most but for its last row */
    PIECES = 32,     /* for each thread, at least */
    LEAST_PIECE = 1 << 8,
    CHUNK = 1 << 22, /* entries */
    LEAST_CHUNK = 1 << 10
};

typedef struct chunk {
    struct chunk *before; /* of the same thread */
    int32_t *col;
    void *val;
    int64_t used, room;
    int64_t pieces; /* that are not copied yet */
} chunk;

typedef struct piece {
    chunk *chunk;
    int64_t at, n; /* its entries in the chunk */
} piece;

typedef struct rows_job {
    const spmv__spgemm *job;
    const int64_t *before;
    spmv_csr *C;
    int64_t weight; /* of a piece */
    piece *pieces;  /* [count] */
    int64_t count;
    int64_t chunk;  /* entries of a chunk */
    chunk **chunks; /* [threads] the last one of each */
    spmv__meter *meter;
} rows_job;

/* The first row before which there are so many products and rows. */
static int64_t row_at(const rows_job *j, int64_t weight)
{
    int64_t low = 0, high = j->job->A.rows;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (j->before[middle] + middle < weight)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- Chunks ---------------------------------------------------------------------------------- */

static void release_chunk(chunk *s, size_t value)
{
    struct iovec part[] = {{s->col, (size_t)s->room * sizeof *s->col},
                           {s->val, (size_t)s->room * value}};
    if (s->col != NULL && s->val != NULL) spmv__pages_release(part, 2);
    free(s->col);
    free(s->val);
    s->col = NULL;
    s->val = NULL;
}

static spmv_status add_chunk(rows_job *j, chunk **last, int64_t n, spmv_error *err)
{
    chunk *s;
    spmv_status st = spmv__alloc(&s, 1, sizeof *s, "the product", err);
    if (st != SPMV_SUCCESS) return st;
    s->before = *last;
    *last = s;
    s->room = n > j->chunk ? n : j->chunk;
    const size_t size = spmv_type_size(j->job->type);
    SPMV__TRY(spmv__alloc(&s->col, s->room, sizeof *s->col, "the product", err));
    if (size > 0) SPMV__TRY(spmv__alloc(&s->val, s->room, size, "the product", err));
done:
    return st;
}

/* val[at ..] = sums, rounded to the type. */
static void put_sums(spmv_type type, void *val, int64_t at, const double *sum, int64_t n)
{
    const int64_t parts = spmv__parts(type);
    if (type == SPMV_F64 || type == SPMV_C128)
        memcpy((double *)val + parts * at, sum, (size_t)(parts * n) * sizeof *sum);
    if (type != SPMV_F32 && type != SPMV_C64) return;
    float *to = (float *)val + parts * at;
    for (int64_t k = 0; k < parts * n; k++) to[k] = (float)sum[k];
}

/* ---- Pieces --------------------------------------------------------------------------------- */

/* Adds the row that was made to a piece, which moves to a new chunk where it has no more room. */
static spmv_status store_row(rows_job *j, chunk **last, piece *p, const spmv__product_row *row,
                             spmv_error *err)
{
    const spmv_type type = j->job->type;
    if (*last == NULL || (*last)->room - (*last)->used < row->n) {
        const spmv_status st = add_chunk(j, last, p->n + row->n, err);
        if (st != SPMV_SUCCESS) return st;
        if (p->n > 0) {
            const size_t size = spmv_type_size(type);
            chunk *from = p->chunk, *to = *last;
            memcpy(to->col, from->col + p->at, (size_t)p->n * sizeof *to->col);
            if (size > 0)
                memcpy(to->val, (char *)from->val + (size_t)p->at * size, (size_t)p->n * size);
            from->used -= p->n;
            to->used = p->n;
        }
        p->at = 0;
    }
    chunk *s = *last;
    p->chunk = s;
    if (p->n == 0) p->at = s->used;
    memcpy(s->col + s->used, row->col, (size_t)row->n * sizeof *row->col);
    put_sums(type, s->val, s->used, row->sum, row->n);
    s->used += row->n;
    p->n += row->n;
    return SPMV_SUCCESS;
}

static spmv_status multiply_piece(rows_job *j, int64_t k, chunk **last, spmv__spgemm_worker *w,
                                  spmv_error *err)
{
    const int64_t begin = row_at(j, k * j->weight), end = row_at(j, (k + 1) * j->weight);
    piece *p = &j->pieces[k];
    for (int64_t i = begin; i < end; i++) {
        spmv_status st = spmv__spgemm_sum_row(w, j->job, i, err);
        if (st == SPMV_SUCCESS && w->row.n > 0) st = store_row(j, last, p, &w->row, err);
        if (st != SPMV_SUCCESS) return st;
        j->C->row_ptr[i + 1] = w->row.n;
    }
    if (p->chunk != NULL) p->chunk->pieces++;
    spmv__meter_advance(j->meter, j->before[end] - j->before[begin]);
    return SPMV_SUCCESS;
}

static spmv_status multiply_pieces(rows_job *j, int threads, spmv_error *err)
{
    spmv_status failed = SPMV_SUCCESS;
    if (threads > 1) spmv__threads_start();
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
        spmv__spgemm_worker w = {0};
        chunk **last = &j->chunks[spmv__thread()];
#pragma omp for schedule(dynamic, 1)
        for (int64_t k = 0; k < j->count; k++) {
            spmv_error own = {0};
            spmv_status st;
#pragma omp atomic read
            st = failed;
            if (st != SPMV_SUCCESS) continue;
            st = multiply_piece(j, k, last, &w, &own);
            if (st == SPMV_SUCCESS) continue;
#pragma omp critical(spmv__spgemm_failed)
            if (failed == SPMV_SUCCESS) {
#pragma omp atomic write
                failed = st;
                if (err != NULL) *err = own;
            }
        }
        spmv__spgemm_worker_close(&w);
    }
    return failed;
}

/* ---- C -------------------------------------------------------------------------------------- */

static spmv_status allocate_entries(spmv_csr *C, spmv_error *err)
{
    const int64_t bytes = C->nnz * (int64_t)(sizeof *C->col_idx + spmv_type_size(C->type));
    const size_t size = spmv_type_size(C->type);
    spmv_status st;
    SPMV__TRY(
        spmv__alloc_instead(&C->col_idx, C->nnz, sizeof *C->col_idx, bytes, "the product", err));
    if (size > 0) SPMV__TRY(spmv__alloc_instead(&C->val, C->nnz, size, bytes, "the product", err));
done:
    return st;
}

static void copy_piece(rows_job *j, int64_t k)
{
    const piece *p = &j->pieces[k];
    const int64_t to = j->C->row_ptr[row_at(j, k * j->weight)];
    const size_t size = spmv_type_size(j->C->type);
    int64_t left;
    if (p->n == 0) return;
    memcpy(j->C->col_idx + to, p->chunk->col + p->at, (size_t)p->n * sizeof *j->C->col_idx);
    if (size > 0)
        memcpy((char *)j->C->val + (size_t)to * size, (char *)p->chunk->val + (size_t)p->at * size,
               (size_t)p->n * size);
#pragma omp atomic capture
    left = --p->chunk->pieces;
    if (left == 0) release_chunk(p->chunk, size);
}

static void close_job(rows_job *j, int threads)
{
    for (int t = 0; j->chunks != NULL && t < threads; t++) {
        for (chunk *s = j->chunks[t]; s != NULL;) {
            chunk *before = s->before;
            release_chunk(s, spmv_type_size(j->job->type));
            free(s);
            s = before;
        }
    }
    free(j->chunks);
    free(j->pieces);
}

spmv_status spmv__spgemm_all_rows(spmv_csr *C, const spmv__spgemm *job, const int64_t *before,
                                  int threads, spmv__meter *meter, spmv_error *err)
{
    const int64_t rows = job->A.rows, products = before[rows], weight = products + rows;
    rows_job j = {.job = job, .before = before, .C = C, .meter = meter};
    spmv_status st;
    j.weight = weight / (PIECES * threads);
    if (j.weight < LEAST_PIECE) j.weight = LEAST_PIECE;
    if (j.weight > PIECE) j.weight = PIECE;
    j.count = weight / j.weight + 1;
    j.chunk = products / (PIECES * threads);
    if (j.chunk < LEAST_CHUNK) j.chunk = LEAST_CHUNK;
    if (j.chunk > CHUNK) j.chunk = CHUNK;

    SPMV__TRY(spmv__alloc(&C->row_ptr, rows + 1, sizeof *C->row_ptr, "rows of the product", err));
    SPMV__TRY(spmv__alloc(&j.pieces, j.count, sizeof *j.pieces, "the product", err));
    SPMV__TRY(spmv__alloc(&j.chunks, threads, sizeof *j.chunks, "the product", err));
    SPMV__TRY(multiply_pieces(&j, threads, err));
    spmv__counts_to_offsets(C->row_ptr, rows);
    C->nnz = C->row_ptr[rows];
    SPMV__TRY(allocate_entries(C, err));
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) if (threads > 1)
    for (int64_t k = 0; k < j.count; k++) copy_piece(&j, k);
done:
    close_job(&j, threads);
    return st;
}
