/* transition.c -- from an adjacency matrix to the transition matrix of PageRank.
 *
 * Weights become shares of the out-weight of their row, so that nothing overflows later however
 * large or small they are.  When all weights are the same, the shares are 1 / out-degree and are
 * applied to the scores instead: the values need not be stored at all. */
#include "pagerank.h"

#include <math.h>
#include <stdlib.h>

/* What the stored weights are like. */
typedef struct weights {
    int64_t bad_row;   /* first row with a weight that cannot be, or INT64_MAX */
    bool zeros, equal; /* some are 0; all are the same and not 0 */
} weights;

static bool is_weight(double w)
{
    return w >= 0 && w < HUGE_VAL; /* false for NaN */
}

/* sum[r] = out-weight of row r. */
static weights add_up(const spmv_csr *A, bool unweighted, double *sum, int threads)
{
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
        sum[r] = total;
        if ((bad || !is_weight(total)) && !unweighted && r < bad_row) bad_row = r;
    }
    return (weights){bad_row, zeros, equal};
}

static spmv_status refuse_row(const spmv_csr *A, int64_t row, const spmv_labels *labels,
                              spmv_error *err)
{
    for (int64_t p = A->row_ptr[row]; p < A->row_ptr[row + 1]; p++) {
        double w = spmv__value(A->type, A->val, p);
        if (!is_weight(w))
            return spmv__fail(
                err, SPMV_ERROR_INVALID_FORMAT,
                "the edge from %lld to %lld has weight %g, but a weight is finite and "
                "not negative",
                spmv__node_name(labels, row), spmv__node_name(labels, A->col_idx[p]), w);
    }
    return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT,
                      "the weights that leave node %lld add up to more than a double holds",
                      spmv__node_name(labels, row));
}

/* The edges by column, their sources in the order that the reader wants. */
static spmv_status by_column(spmv__transition *t, const spmv_matrix *given, spmv__reader reader,
                             spmv_matrix *out, spmv_error *err)
{
    spmv_matrix numbered = {.format = SPMV_CSR};
    spmv_status st;
    if (reader == SPMV__READER_GPU) {
        SPMV__TRY(spmv__transition_number(t, &numbered.csr, &given->csr, err));
        given = &numbered;
    }
    st = spmv_convert(out, given, SPMV_CSC, NULL, err);
done:
    spmv_destroy(&numbered);
    return st;
}

/* Every edge like any other: the pattern is all, once zeros are gone. */
static spmv_status from_pattern(spmv__transition *t, const spmv_csr *A, bool zeros,
                                spmv__reader reader, spmv_error *err)
{
    spmv_matrix given = spmv__wrap_csr(A), nonzero = {0}, csc = {0};
    spmv_status st;
    if (zeros) {
        SPMV__TRY(spmv_drop_zeros(&nonzero, &given, err));
        given = nonzero;
    }
    given.head.type = SPMV_PATTERN;
    given.csr.val = NULL;
    SPMV__TRY(by_column(t, &given, reader, &csc, err));
    for (int64_t r = 0; r < A->rows; r++) {
        int64_t degree = given.csr.row_ptr[r + 1] - given.csr.row_ptr[r];
        t->scale[r] = degree > 0 ? 1 / (double)degree : 0;
    }
    t->edges = csc.csc;
done:
    spmv_destroy(&nonzero);
    return st;
}

/* scale holds the out-weights; the shares of a row that adds up to 0 are 0. */
static spmv_status from_weights(spmv__transition *t, const spmv_csr *A, spmv_type type, int threads,
                                spmv__reader reader, spmv_error *err)
{
    spmv_matrix given = spmv__wrap_csr(A), csc = {0}, other = {0};
    spmv_status st;
    SPMV__TRY(by_column(t, &given, reader, &csc, err));
    if (csc.head.type == SPMV_F32) {
        SPMV__TRY(spmv_convert_values(&other, &csc, SPMV_F64, err));
        spmv_destroy(&csc);
        csc = other;
    }
    double *val = csc.csc.val;
    (void)threads;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t p = 0; p < csc.head.nnz; p++) {
        const int32_t from = csc.csc.row_idx[p];
        const double out_weight = t->scale[t->source != NULL ? t->source[from] : from];
        if (out_weight > 0) val[p] /= out_weight;
    }
    for (int64_t r = 0; r < A->rows; r++) t->scale[r] = t->scale[r] > 0;
    if (type == SPMV_F32) {
        SPMV__TRY(spmv_convert_values(&other, &csc, type, err));
        spmv_destroy(&csc);
        csc = other;
    }
    t->edges = csc.csc;
    csc = (spmv_matrix){0};
done:
    spmv_destroy(&csc);
    return st;
}

spmv_status spmv__outgoing(const spmv_csr **out, spmv_matrix *owned, const spmv_matrix *A,
                           spmv_error *err)
{
    memset(owned, 0, sizeof *owned);
    *out = &A->csr;
    if (A->head.symmetry != SPMV_GENERAL)
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                          "one triangle is no graph: expand the matrix first");
    if (spmv_type_is_complex(A->head.type))
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                          "complex values weigh no edges; spmv-convert --complex abs makes them "
                          "real");
    if (A->format == SPMV_CSR) return SPMV_SUCCESS;
    *out = &owned->csr;
    return spmv_convert(owned, A, SPMV_CSR, NULL, err);
}

spmv_status spmv__transition_create(spmv__transition *out, const spmv_matrix *A,
                                    const spmv_pagerank_config *config, spmv__reader reader,
                                    spmv_error *err)
{
    const int threads = spmv__threads(config->threads);
    spmv__transition t = {0};
    spmv_matrix owned = {0};
    const spmv_csr *csr;
    spmv_status st;

    memset(out, 0, sizeof *out);
    if (A->head.rows != A->head.cols)
        return spmv__fail(err, SPMV_ERROR_INVALID_DIMENSION,
                          "a graph is a square matrix, this one is %lld x %lld",
                          (long long)A->head.rows, (long long)A->head.cols);
    SPMV__TRY(spmv__outgoing(&csr, &owned, A, err));
    SPMV__TRY(spmv__alloc(&t.scale, csr->rows, sizeof *t.scale, "out-weights", err));
    weights found = add_up(csr, config->unweighted, t.scale, threads);
    if (found.bad_row != INT64_MAX) SPMV__TRY(refuse_row(csr, found.bad_row, config->labels, err));
    if (config->unweighted || found.equal)
        SPMV__TRY(from_pattern(&t, csr, found.zeros, reader, err));
    else
        SPMV__TRY(from_weights(&t, csr, config->precision, threads, reader, err));
    if (reader == SPMV__READER_CPU) SPMV__TRY(spmv__transition_sort(&t, threads, err));
    for (int64_t r = 0; r < csr->rows; r++) t.dangling += t.scale[r] == 0;
    *out = t;
    memset(&t, 0, sizeof t);
done:
    spmv_destroy(&owned);
    spmv__transition_destroy(&t);
    return st;
}

void spmv__transition_destroy(spmv__transition *t)
{
    spmv_csc_destroy(&t->edges);
    free(t->place);
    free(t->source);
    free(t->scale);
    memset(t, 0, sizeof *t);
}
