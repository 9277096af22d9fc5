/* transition.c -- from an adjacency matrix to the transition matrix of PageRank.
 *
 * Weights become shares of the out-weight of their row, so that nothing overflows later however
 * large or small they are.  When all weights are the same, the shares are 1 / out-degree and are
 * applied to the scores instead: the values need not be stored at all. */
#include "core/matrix/value.h"
#include "core/matrix/format.h"
#include "core/pagerank/ranking.h"

#include <math.h>
#include <stdlib.h>

/* A node with HUB times the mean out-degree is read so often on a CPU that it is worth a place far
 * from its neighbours. */
enum { HUB = 8 };

/* Facts about the stored weights. */
typedef struct weights {
    int64_t bad_row;   /* first row with a weight that cannot be, or INT64_MAX */
    bool zeros, equal; /* some are 0; all are the same and not 0 */
} weights;

static bool is_weight(double w)
{
    return w >= 0 && w < HUGE_VAL; /* false for NaN */
}

/* sum[r] = out-weight of row r, but for a pattern, where take_pattern has it. */
static weights add_up(const spmv_csr *A, bool unweighted, double *sum, int threads)
{
    if (A->type == SPMV_PATTERN) return (weights){INT64_MAX, false, true};
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
    char from[SPMV_LABEL_SIZE], to[SPMV_LABEL_SIZE];
    for (int64_t p = A->row_ptr[row]; p < A->row_ptr[row + 1]; p++) {
        double w = spmv__value(A->type, A->val, p);
        if (!is_weight(w))
            return spmv__fail(
                err, SPMV_ERROR_INVALID_FORMAT,
                "the edge from %s to %s has weight %g, but a weight must be finite and "
                "not negative",
                spmv__node_name(labels, row, from), spmv__node_name(labels, A->col_idx[p], to), w);
    }
    return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT,
                      "the weights that leave node %s add up to more than a double holds",
                      spmv__node_name(labels, row, from));
}

/* The edges by column, their sources by number. */
static spmv_status by_column(spmv__transition *t, const spmv_csr *A, spmv_matrix *out,
                             spmv_error *err)
{
    spmv_matrix numbered = {.format = SPMV_CSR};
    spmv_status st;
    SPMV__TRY(spmv__transition_rows(t, &numbered.csr, A, err));
    SPMV__TRY(spmv_convert(out, &numbered, SPMV_CSC, NULL, err));
done:
    spmv_destroy(&numbered);
    return st;
}

/* Values become shares of the out-weights; those of a row that adds up to 0 stay 0. */
static spmv_status to_shares(const spmv__transition *t, spmv_matrix *csc, int threads,
                             spmv_error *err)
{
    spmv_matrix other = {0};
    spmv_status st = SPMV_SUCCESS;
    if (csc->head.type == SPMV_F32) {
        SPMV__TRY(spmv_convert_values(&other, csc, SPMV_F64, err));
        spmv_destroy(csc);
        *csc = other;
    }
    double *val = csc->csc.val;
    (void)threads;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t p = 0; p < csc->head.nnz; p++) {
        const double out_weight = t->scale[t->node[csc->csc.row_idx[p]]];
        if (out_weight > 0) val[p] /= out_weight;
    }
    if (t->type == SPMV_F32) {
        SPMV__TRY(spmv_convert_values(&other, csc, t->type, err));
        spmv_destroy(csc);
        *csc = other;
    }
done:
    return st;
}

static spmv_status compress(spmv__transition *t, const spmv_csr *A, int threads, spmv_error *err)
{
    spmv_matrix csc = {0};
    spmv_status st;
    SPMV__TRY(by_column(t, A, &csc, err));
    if (t->type != SPMV_PATTERN) SPMV__TRY(to_shares(t, &csc, threads, err));
    t->edges = csc.csc;
    csc = (spmv_matrix){0};
done:
    spmv_destroy(&csc);
    return st;
}

/* Every edge like any other: the pattern is all, once zeros are gone.  `owned` is for that. */
static spmv_status take_pattern(spmv__transition *t, spmv_csr *A, spmv_matrix *owned, bool zeros,
                                spmv_error *err)
{
    spmv_matrix given = spmv__wrap_csr(A);
    spmv_status st = SPMV_SUCCESS;
    if (zeros) SPMV__TRY(spmv_drop_zeros(owned, &given, NULL, err));
    if (zeros) *A = owned->csr;
    A->type = SPMV_PATTERN;
    A->val = NULL;
    for (int64_t r = 0; r < A->rows; r++) t->scale[r] = (double)(A->row_ptr[r + 1] - A->row_ptr[r]);
done:
    return st;
}

/* From out-weights by node to what scores are scaled with, by number. */
static spmv_status make_scale(spmv__transition *t, spmv_error *err)
{
    double *out_weight = t->scale;
    const spmv_status st = spmv__alloc(&t->scale, t->nodes, sizeof *t->scale, "out-weights", err);
    for (int64_t i = 0; i < t->nodes && st == SPMV_SUCCESS; i++) {
        const double sum = out_weight[t->node[i]], one = t->type == SPMV_PATTERN ? sum : 1;
        t->scale[i] = sum > 0 ? 1 / one : 0;
        t->dangling += sum == 0;
    }
    free(out_weight);
    return st;
}

spmv_status spmv__outgoing(const spmv_csr **out, spmv_matrix *owned, const spmv_matrix *A,
                           spmv_error *err)
{
    memset(owned, 0, sizeof *owned);
    *out = &A->csr;
    if (A->head.symmetry != SPMV_GENERAL)
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                          "one triangle is not a graph: expand the matrix first");
    if (spmv_type_is_complex(A->head.type))
        return spmv__fail(
            err, SPMV_ERROR_UNSUPPORTED,
            "complex values cannot be weights; converting with `complex_part` abs makes "
            "them real");
    if (A->format == SPMV_CSR) return SPMV_SUCCESS;
    *out = &owned->csr;
    return spmv_convert(owned, A, SPMV_CSR, NULL, err);
}

spmv_status spmv__transition_create(spmv__transition *out, const spmv_matrix *A,
                                    const spmv_pagerank_options *options, spmv__reader reader,
                                    spmv_error *err)
{
    const int threads = spmv__threads(options->threads);
    spmv__transition t = {.nodes = A->head.rows, .type = options->precision};
    spmv_matrix owned = {0}, nonzero = {0};
    const spmv_csr *given;
    spmv_csr csr;
    spmv_status st;

    memset(out, 0, sizeof *out);
    if (A->head.rows != A->head.cols)
        return spmv__fail(err, SPMV_ERROR_INVALID_DIMENSION,
                          "a graph is a square matrix, this one is %lld x %lld",
                          (long long)A->head.rows, (long long)A->head.cols);
    SPMV__TRY(spmv__outgoing(&given, &owned, A, err));
    csr = *given;
    SPMV__TRY(spmv__alloc(&t.scale, csr.rows, sizeof *t.scale, "out-weights", err));
    weights found = add_up(&csr, options->unweighted, t.scale, threads);
    if (found.bad_row != INT64_MAX)
        SPMV__TRY(refuse_row(&csr, found.bad_row, options->labels, err));
    if (options->unweighted || found.equal) {
        t.type = SPMV_PATTERN;
        SPMV__TRY(take_pattern(&t, &csr, &nonzero, found.zeros, err));
    }
    if (reader == SPMV__READER_CPU) {
        const int64_t mean = csr.nnz / (csr.rows > 0 ? csr.rows : 1);
        SPMV__TRY(spmv__transition_number(&t, &csr, HUB * (mean + 1), err));
        SPMV__TRY(spmv__transition_slice(&t, &csr, threads, err));
    } else {
        SPMV__TRY(spmv__transition_number(&t, &csr, 0, err));
        SPMV__TRY(compress(&t, &csr, threads, err));
    }
    SPMV__TRY(make_scale(&t, err));
    *out = t;
    memset(&t, 0, sizeof t);
done:
    spmv_destroy(&owned);
    spmv_destroy(&nonzero);
    spmv__transition_destroy(&t);
    return st;
}

void spmv__transition_destroy(spmv__transition *t)
{
    free(t->columns.window);
    free(t->columns.steps);
    free(t->columns.source);
    free(t->columns.share);
    spmv_csc_destroy(&t->edges);
    free(t->node);
    free(t->scale);
    memset(t, 0, sizeof *t);
}
