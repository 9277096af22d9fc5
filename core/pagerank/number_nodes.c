/* number_nodes.c -- nodes numbered by falling out-degree.
 *
 * A few thousand nodes stand for half of the edges of many graphs: now they are neighbours in
 * memory.  Those of less than the least degree keep their order, so that what was near stays near;
 * nodes that no edge leaves, whose scores are never read, come last. */
#include "core/matrix/value.h"
#include "core/matrix/format.h"
#include "core/pagerank/ranking.h"
#include "core/matrix/row_windows.h"

/* A node with HUB times the mean out-degree is read so often on a CPU that it is worth a place far
 * from its neighbours. */
enum { HUB = 8 };

int64_t spmv__hub_degree(const spmv_csr *A)
{
    const int64_t mean = A->nnz / (A->rows > 0 ? A->rows : 1);
    return HUB * (mean + 1);
}

spmv_status spmv__transition_number(spmv__transition *t, const spmv_csr *A, int64_t least,
                                    spmv_error *err)
{
    int64_t next = 0;
    spmv_status st;
    SPMV__TRY(spmv__alloc(&t->node, A->rows, sizeof *t->node, "an order of nodes", err));
    SPMV__TRY(spmv__sort_rows(t->node, spmv__longest_row(A), NULL, A, err));
    for (int64_t r = 0; r < A->rows; r++) next += A->row_ptr[r + 1] - A->row_ptr[r] >= least;
    for (int64_t r = 0; r < A->rows; r++) {
        const int64_t degree = A->row_ptr[r + 1] - A->row_ptr[r];
        if (degree > 0 && degree < least) t->node[next++] = (int32_t)r;
    }
done:
    return st;
}

static void copy_row(const spmv_csr *from, int64_t r, spmv_csr *to, int64_t at)
{
    const int64_t begin = from->row_ptr[r], n = from->row_ptr[r + 1] - begin;
    const int64_t q = to->row_ptr[at];
    if (n == 0) return;
    memcpy(to->col_idx + q, from->col_idx + begin, (size_t)n * sizeof *to->col_idx);
    spmv__copy_values(from->type, to->val, q, from->val, begin, n);
}

spmv_status spmv__rows_in_order(spmv_csr *out, const spmv_csr *A, const int32_t *order,
                                spmv_error *err)
{
    const spmv_status st = spmv_csr_create(out, A->type, A->rows, A->cols, A->nnz, err);
    if (st != SPMV_SUCCESS) return st;
    for (int64_t i = 0; i < A->rows; i++)
        out->row_ptr[i + 1] = out->row_ptr[i] + A->row_ptr[order[i] + 1] - A->row_ptr[order[i]];
#pragma omp parallel for schedule(dynamic, 1024) num_threads(spmv__threads(0))
    for (int64_t i = 0; i < A->rows; i++) copy_row(A, order[i], out, i);
    return st;
}
