/* weigh_rows.c -- see weigh_rows.h. */
#include "core/pagerank/weigh_rows.h"
#include "core/matrix/format.h"
#include "core/matrix/value.h"
#include "core/pagerank/ranking.h"

#include <math.h>

static bool is_weight(double w)
{
    return w >= 0 && w < HUGE_VAL; /* false for NaN */
}

spmv__weights spmv__weigh_rows(const spmv_csr *A, bool unweighted, double *out_weight, int threads)
{
    if (A->type == SPMV_PATTERN) return (spmv__weights){INT64_MAX, false, true, 1};
    double first = A->nnz > 0 ? spmv__value(A->type, A->val, 0) : 1;
    int64_t bad_row = INT64_MAX;
    bool zeros = false, equal = first != 0;
    (void)threads; /* without OpenMP */
#pragma omp parallel for schedule(dynamic, 1024) num_threads(threads) \
    reduction(min : bad_row) reduction(|| : zeros) reduction(&& : equal)
    for (int64_t r = 0; r < A->rows; r++) {
        double total = 0;
        bool bad = false;
        for (int64_t p = A->row_ptr[r]; p < A->row_ptr[r + 1]; p++) {
            double w = spmv__value(A->type, A->val, p);
            bad = bad || !is_weight(w);
            zeros = zeros || w == 0;
            equal = equal && w == first;
            total += w;
        }
        out_weight[r] = total;
        if ((bad || !is_weight(total)) && !unweighted && r < bad_row) bad_row = r;
    }
    return (spmv__weights){bad_row, zeros, equal, first};
}

spmv__bad_weight spmv__find_bad_weight(const spmv_csr *A, int64_t row)
{
    for (int64_t p = A->row_ptr[row]; p < A->row_ptr[row + 1]; p++) {
        const double w = spmv__value(A->type, A->val, p);
        if (!is_weight(w)) return (spmv__bad_weight){row, A->col_idx[p], w};
    }
    return (spmv__bad_weight){row, -1, 0};
}

spmv_status spmv__refuse_weight(const spmv__bad_weight *bad, const spmv_labels *labels,
                                spmv_error *err)
{
    char from[SPMV_LABEL_SIZE], to[SPMV_LABEL_SIZE];
    if (bad->col >= 0)
        return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT,
                          "the edge from %s to %s has weight %g, but a weight must be finite and "
                          "not negative; `unweighted` ignores weights",
                          spmv__node_name(labels, bad->row, from),
                          spmv__node_name(labels, bad->col, to), bad->weight);
    return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT,
                      "the weights that leave node %s add up to more than a double holds",
                      spmv__node_name(labels, bad->row, from));
}

spmv_status spmv__take_pattern(spmv_csr *A, spmv_matrix *owned, double *out_weight, bool zeros,
                               spmv_error *err)
{
    spmv_matrix given = spmv__wrap_csr(A);
    spmv_status st = SPMV_SUCCESS;
    if (zeros) SPMV__TRY(spmv_drop_zeros(owned, &given, NULL, err));
    if (zeros) *A = owned->csr;
    A->type = SPMV_PATTERN;
    A->val = NULL;
    for (int64_t r = 0; r < A->rows; r++)
        out_weight[r] = (double)(A->row_ptr[r + 1] - A->row_ptr[r]);
done:
    return st;
}
