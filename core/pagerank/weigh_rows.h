/* weigh_rows.h -- the weights of the edges that leave each node. */
#pragma once

#include "spmv.h"

/* Facts about the weights of some rows. */
typedef struct spmv__weights {
    int64_t bad_row;   /* first row with a weight that cannot be, or INT64_MAX */
    bool zeros, equal; /* some are 0; all are the same and not 0, namely ... */
    double first;      /* ... that of the first edge; 1 where there is none */
} spmv__weights;

/* out_weight [A->rows] becomes the sum of each row, but for a pattern, where spmv__take_pattern has
 * it.  Where all edges are taken alike, no row is bad. */
spmv__weights spmv__weigh_rows(const spmv_csr *A, bool unweighted, double *out_weight, int threads);

/* A weight that cannot be. */
typedef struct spmv__bad_weight {
    int64_t row, col; /* col -1: each weight can be, but not their sum */
    double weight;
} spmv__bad_weight;

/* Find it in a bad row, and say what is wrong: INVALID_FORMAT. */
spmv__bad_weight spmv__find_bad_weight(const spmv_csr *A, int64_t row);
spmv_status spmv__refuse_weight(const spmv__bad_weight *bad, const spmv_labels *labels,
                                spmv_error *err);

/* Take every edge like any other: the pattern of A is all, once zeros are gone, where there are
 * some.  out_weight [A->rows] becomes the out-degrees; `owned`, which the caller destroys, is for
 * what is left of A then.  Errors: OUT_OF_MEMORY. */
spmv_status spmv__take_pattern(spmv_csr *A, spmv_matrix *owned, double *out_weight, bool zeros,
                               spmv_error *err);
