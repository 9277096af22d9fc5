/* transition.c -- from an adjacency matrix to the transition matrix of PageRank.
 *
 * Weights become shares of the out-weight of their row, so that nothing overflows later however
 * large or small they are.  When all weights are the same, the shares are 1 / out-degree and are
 * applied to the scores instead: the values need not be stored at all. */
#include "core/matrix/format.h"
#include "core/pagerank/ranking.h"
#include "core/pagerank/weigh_rows.h"

#include <stdlib.h>

/* The edges by column, their sources by number. */
static spmv_status by_column(spmv__transition *t, const spmv_csr *A, spmv_matrix *out,
                             spmv_error *err)
{
    spmv_matrix numbered = {.format = SPMV_CSR};
    spmv_status st;
    SPMV__TRY(spmv__rows_in_order(&numbered.csr, A, t->node, err));
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
    (void)threads; /* without OpenMP */
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

spmv_status spmv__transition_scale(spmv__transition *t, spmv_error *err)
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
    const spmv_status st = spmv__check_whole(A->head.symmetry, err);
    if (st != SPMV_SUCCESS) return st;
    if (spmv_type_is_complex(A->head.type))
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                          "complex values cannot be weights; `complex_values` abs makes them real");
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
    SPMV__TRY(spmv__check_square(A->head.rows, A->head.cols, err));
    SPMV__TRY(spmv__outgoing(&given, &owned, A, err));
    csr = *given;
    SPMV__TRY(spmv__alloc(&t.scale, csr.rows, sizeof *t.scale, "out-weights", err));
    const spmv__weights found = spmv__weigh_rows(&csr, options->unweighted, t.scale, threads);
    if (found.bad_row != INT64_MAX) {
        const spmv__bad_weight bad = spmv__find_bad_weight(&csr, found.bad_row);
        SPMV__TRY(spmv__refuse_weight(&bad, options->labels, err));
    }
    if (options->unweighted || found.equal) {
        t.type = SPMV_PATTERN;
        SPMV__TRY(spmv__take_pattern(&csr, &nonzero, t.scale, found.zeros, err));
    }
    if (reader == SPMV__READER_CPU) {
        SPMV__TRY(spmv__transition_number(&t, &csr, spmv__hub_degree(&csr), err));
        SPMV__TRY(spmv__transition_slice(&t, &csr, threads, err));
    } else {
        SPMV__TRY(spmv__transition_number(&t, &csr, 0, err));
        SPMV__TRY(compress(&t, &csr, threads, err));
    }
    SPMV__TRY(spmv__transition_scale(&t, err));
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
    free(t->column);
    free(t->node);
    free(t->scale);
    memset(t, 0, sizeof *t);
}
