/* stats.c -- how long are the rows?  Row lengths are read off the row pointers of CSR and the runs
 * of COO (which may have more rows than there is memory), and counted in every other format. */
#include "internal.h"

#include <math.h>
#include <stdlib.h>

/* `count` rows have this many entries. */
static void add(spmv_row_stats *s, int64_t length, int64_t count)
{
    int bin = length > 0 ? 64 - __builtin_clzll((unsigned long long)length) : 0;
    if (count == 0) return;
    if (length < s->min) s->min = length;
    if (length > s->max) s->max = length;
    s->histogram[bin] += count;
    s->entries[bin] += count * length;
    s->stddev += (double)count * ((double)length - s->mean) * ((double)length - s->mean);
}

static void add_runs(spmv_row_stats *s, const spmv_coo *A)
{
    int64_t empty = A->rows, end;
    for (int64_t p = 0; p < A->nnz; p = end) {
        for (end = p + 1; end < A->nnz && A->row_idx[end] == A->row_idx[p];) end++;
        add(s, end - p, 1);
        empty--;
    }
    add(s, 0, empty);
}

static void count_row(void *user, int64_t row, int64_t col, const void *val)
{
    (void)col, (void)val;
    ((int64_t *)user)[row]++;
}

static spmv_status add_counted(spmv_row_stats *s, const spmv_matrix *A, spmv_error *err)
{
    int64_t *length = NULL; /* [rows] */
    spmv_status st = spmv__alloc(&length, A->head.rows, sizeof *length, "row lengths", err);
    if (st != SPMV_SUCCESS) return st;
    spmv__format_of(A->format)->each(A, count_row, length);
    for (int64_t r = 0; r < A->head.rows; r++) add(s, length[r], 1);
    free(length);
    return SPMV_SUCCESS;
}

/* Of some entries of some rows, those near which the row above has none. */
static double scattered(const spmv_csr *A)
{
    enum { ROWS = 512, ENTRIES = 16, NEAR = 32 };
    int64_t seen = 0, alone = 0;
    for (int64_t r = 1; r < A->rows; r += A->rows / ROWS + 1) {
        const int64_t begin = A->row_ptr[r];
        for (int64_t p = begin, q = A->row_ptr[r - 1]; p < A->row_ptr[r + 1] && p < begin + ENTRIES;
             p++) {
            const int64_t col = A->col_idx[p];
            while (q < begin && A->col_idx[q] < col - NEAR) q++;
            alone += q == begin || A->col_idx[q] > col + NEAR;
            seen++;
        }
    }
    return seen > 0 ? (double)alone / (double)seen : 0;
}

spmv_status spmv_row_statistics(const spmv_matrix *A, spmv_row_stats *out, spmv_error *err)
{
    SPMV__REQUIRE(out != NULL, err);
    memset(out, 0, sizeof *out);
    SPMV__REQUIRE(A != NULL && spmv__format_of(A->format) != NULL, err);
    spmv_status st = SPMV_SUCCESS;
    spmv_row_stats s = {.rows = A->head.rows, .cols = A->head.cols, .nnz = A->head.nnz};

    if (s.rows > 0) {
        s.min = INT64_MAX;
        s.mean = (double)s.nnz / (double)s.rows;
    }
    if (A->format == SPMV_COO) {
        add_runs(&s, &A->coo);
    } else if (A->format == SPMV_CSR) {
        for (int64_t r = 0; r < s.rows; r++) add(&s, A->csr.row_ptr[r + 1] - A->csr.row_ptr[r], 1);
        s.scattered = scattered(&A->csr);
    } else {
        SPMV__TRY(add_counted(&s, A, err));
    }
    s.empty = s.histogram[0];
    s.stddev = s.rows > 0 ? sqrt(s.stddev / (double)s.rows) : 0;
    *out = s;
done:
    return st;
}
