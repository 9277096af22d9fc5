/* twin.c -- a twin of a given matrix: the same rows, other columns.
 *
 * A row is a sequence of runs of adjacent columns.  Each run moves on its own by at most half the
 * gap on either side, so that runs neither meet nor change their order, whatever the others do. */
#include "core/base/base.h"
#include "core/generate/generator.h"
#include "core/matrix/format.h"

#include <stdlib.h>
#include <string.h>

/* A column is heavy above HEAVY times the mean of the columns in use; GROUP successive rows move
 * alike. */
enum { HEAVY = 8, GROUP = 32 };

/* heavy[c] = column c is a hub. */
static spmv_status find_heavy(bool *heavy, const spmv_csr *A, spmv_error *err)
{
    int64_t *count = NULL, used = 0;
    spmv_status st;
    SPMV__TRY(spmv__alloc(&count, A->cols, sizeof *count, "column counts", err));
    for (int64_t p = 0; p < A->nnz; p++) used += count[A->col_idx[p]]++ == 0;
    for (int64_t c = 0; c < A->cols; c++)
        heavy[c] = (double)count[c] * (double)used > HEAVY * (double)A->nnz;
done:
    free(count);
    return st;
}

/* One past the last entry of the run that starts at k. */
static int64_t run_end(const int32_t *col, int64_t n, int64_t k)
{
    do k++;
    while (k < n && col[k] == col[k - 1] + 1);
    return k;
}

static bool touches_heavy(const int32_t *col, int64_t n, const bool *heavy)
{
    for (int64_t k = 0; k < n; k++)
        if (heavy[col[k]]) return true;
    return false;
}

/* The distance that runs with `gap` free columns between them may move towards each other: one
 * column stays free. */
static int64_t half(int64_t gap)
{
    return (gap - 1) / 2;
}

/* Move the runs of one row of n columns, out of cols.  The first run may go as far left as right
 * (but not out of the matrix), and the last one as far right as left. */
static void move_runs(int32_t *out, const int32_t *col, int64_t n, int64_t cols, const bool *heavy,
                      uint64_t stream)
{
    int64_t left = -1; /* -1: of the first run */
    for (int64_t k = 0, end, run = 0; k < n; k = end, run++) {
        end = run_end(col, n, k);
        int64_t right = end < n ? half(col[end] - col[end - 1] - 1) : left, lo = left, shift;
        if (left < 0) lo = right;
        if (lo > col[k]) lo = col[k];
        if (right > cols - 1 - col[end - 1]) right = cols - 1 - col[end - 1];
        if (right < 0) lo = right = 0; /* the only run */

        shift = (int64_t)(spmv__uniform(stream, (uint64_t)run) * (double)(lo + right + 1)) - lo;
        if (touches_heavy(col + k, end - k, heavy)) shift = 0;
        for (int64_t i = k; i < end; i++) out[i] = (int32_t)(col[i] + shift);
        if (end < n) left = half(col[end] - col[end - 1] - 1);
    }
}

static spmv_status twin_of(spmv_csr *out, const spmv_csr *A, const spmv_generate_options *options,
                           spmv_error *err)
{
    static const spmv__generator kind = {.info = {.name = "like"}};
    spmv__plan plan = {.generator = &kind, .options = *options};
    int threads = spmv__threads(options->threads);
    spmv_csr twin = {0};
    bool *heavy = NULL;
    spmv_status st;

    SPMV__TRY(spmv__alloc(&heavy, A->cols, sizeof *heavy, "heavy columns", err));
    SPMV__TRY(find_heavy(heavy, A, err));
    SPMV__TRY(spmv_csr_create(&twin, SPMV_PATTERN, A->rows, A->cols, A->nnz, err));
    memcpy(twin.row_ptr, A->row_ptr, (size_t)(A->rows + 1) * sizeof *A->row_ptr);
    (void)threads; /* without OpenMP */
#pragma omp parallel for schedule(dynamic, 256) num_threads(threads)
    for (int64_t r = 0; r < A->rows; r++) {
        int64_t start = A->row_ptr[r];
        move_runs(twin.col_idx + start, A->col_idx + start, A->row_ptr[r + 1] - start, A->cols,
                  heavy, spmv__row_stream(options->seed, SPMV__ROW_COLUMNS, r / GROUP));
    }
    SPMV__TRY(spmv__fill_values(&twin, &plan, err));
    *out = twin;
    twin = (spmv_csr){0};
done:
    free(heavy);
    spmv_csr_destroy(&twin);
    return st;
}

spmv_status spmv_generate_like(spmv_csr *out, const spmv_matrix *A,
                               const spmv_generate_options *options, spmv_error *err)
{
    SPMV__REQUIRE(out != NULL && (A == NULL || out != &A->csr), err);
    memset(out, 0, sizeof *out);
    SPMV__REQUIRE_MATRIX(A, err);
    static const spmv_generate_options none;
    spmv_matrix csr = {0};
    spmv_status st;

    if (options == NULL) options = &none;
    SPMV__TRY(spmv__check_values(options, err));
    SPMV__TRY(spmv__check_whole(A->head.symmetry, err));
    if (A->format != SPMV_CSR) {
        SPMV__TRY(spmv_convert(&csr, A, SPMV_CSR, NULL, err));
        A = &csr;
    }
    SPMV__TRY(twin_of(out, &A->csr, options, err));
done:
    spmv_destroy(&csr);
    return st;
}
