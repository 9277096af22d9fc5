/* transition_number.c -- sources of edges numbered by falling out-degree.
 *
 * What the nodes hand on then lies in the order in which it is wanted most: a few thousand nodes
 * stand for half of the edges of many graphs, and are neighbours in memory. */
#include "pagerank.h"
#include "windows.h"

static void copy_row(const spmv_csr *from, int64_t r, spmv_csr *to, int64_t at)
{
    const int64_t begin = from->row_ptr[r], n = from->row_ptr[r + 1] - begin;
    const int64_t q = to->row_ptr[at];
    const size_t size = spmv_type_size(from->type);
    if (n == 0) return;
    memcpy(to->col_idx + q, from->col_idx + begin, (size_t)n * sizeof *to->col_idx);
    if (size > 0)
        memcpy((char *)to->val + (size_t)q * size, (const char *)from->val + (size_t)begin * size,
               (size_t)n * size);
}

spmv_status spmv__transition_number(spmv__transition *t, spmv_csr *out, const spmv_csr *A,
                                    spmv_error *err)
{
    spmv_status st;
    SPMV__TRY(spmv__alloc(&t->source, A->rows, sizeof *t->source, "an order of nodes", err));
    SPMV__TRY(spmv__sort_rows(t->source, spmv__longest_row(A), NULL, A, err));
    SPMV__TRY(spmv_csr_create(out, A->type, A->rows, A->cols, A->nnz, err));
    for (int64_t i = 0; i < A->rows; i++)
        out->row_ptr[i + 1] =
            out->row_ptr[i] + A->row_ptr[t->source[i] + 1] - A->row_ptr[t->source[i]];
#pragma omp parallel for schedule(dynamic, 1024) num_threads(spmv__threads(0))
    for (int64_t i = 0; i < A->rows; i++) copy_row(A, t->source[i], out, i);
done:
    return st;
}
