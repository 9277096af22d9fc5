/* plain_row.c -- a row of C as one would write it down, for comparison.
 *
 * An array has a place for each column, and a list the columns that were met, which is sorted. */
#include "core/spgemm/product.h"
#include "core/spgemm/spgemm.h"

#include <stdlib.h>

static spmv_status reserve(spmv__spgemm_worker *w, int64_t columns, int parts, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    SPMV__TRY(spmv__product_row_reserve(&w->row, columns, parts, err));
    if (w->sum != NULL) return st;
    SPMV__TRY(spmv__alloc(&w->sum, columns * parts, sizeof *w->sum, "sums", err));
    SPMV__TRY(spmv__alloc(&w->marks, columns, sizeof *w->marks, "sums", err));
done:
    return st;
}

static int by_column(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

spmv_status spmv__spgemm_plain_row(spmv__spgemm_worker *w, const spmv__spgemm *job, int64_t i,
                                   spmv_error *err)
{
    const spmv_csr *A = &job->A, *B = &job->B;
    const int parts = spmv__parts(job->type);
    spmv__product_row *row = &w->row;
    const spmv_status st = reserve(w, B->cols, parts, err);
    if (st != SPMV_SUCCESS) return st;

    const int64_t first = row->n;
    for (int64_t p = A->row_ptr[i]; p < A->row_ptr[i + 1]; p++) {
        const spmv__factor a = spmv__factor_of(A, p);
        for (int64_t q = B->row_ptr[A->col_idx[p]]; q < B->row_ptr[A->col_idx[p] + 1]; q++) {
            const int32_t c = B->col_idx[q];
            if (w->marks[c] == 0) row->col[row->n++] = c;
            w->marks[c] = 1;
            spmv__add_to_sum(w->sum, c, parts == 2, spmv__product_of(a, B->type, B->val, q));
        }
    }
    if (row->n > first)
        qsort(row->col + first, (size_t)(row->n - first), sizeof *row->col, by_column);
    for (int64_t k = first; k < row->n; k++) {
        const int32_t c = row->col[k];
        for (int part = 0; part < parts; part++) {
            row->sum[parts * k + part] = w->sum[parts * c + part];
            w->sum[parts * c + part] = 0;
        }
        w->marks[c] = 0;
    }
    return st;
}
