/* rankings_test.c -- PageRank on a GPU beside the CPU: weights, several sources, all rules for
 * nodes that no edge leaves, with and without extrapolation. */
#include "core/base/base.h"
#include "core/base/random.h"
#include "sweep_test.h"

#include <float.h>

static spmv_pagerank_options draw_options(dice *d, int64_t nodes, spmv_dense *sources)
{
    spmv_pagerank_options c = {.damping = 0.3 + 0.6 * dice_uniform(d),
                               .tolerance = dice_chance(d, 50) ? 1e-10 : 1e-4,
                               .max_iterations = 1 + (int)dice_below(d, 60),
                               .norm = (spmv_norm)dice_below(d, 2),
                               .dangling = (spmv_dangling)dice_below(d, 4),
                               .unweighted = dice_chance(d, 30),
                               .extrapolate = dice_chance(d, 30),
                               .precision = SPMV_F64,
                               .threads = 1};
    if (!dice_chance(d, 40) || nodes == 0) return c;
    if (spmv_dense_create(sources, SPMV_F64, nodes, 1 + dice_below(d, 12), NULL) != SPMV_SUCCESS)
        return c;
    for (int64_t i = 0; i < nodes * sources->cols; i++)
        ((double *)sources->data)[i] =
            i % nodes != 0 && dice_chance(d, 50) ? 0 : dice_uniform(d) + 0.1;
    c.personalization = sources;
    return c;
}

/* Makes a square graph with the entries of A, or of its transpose, and weights that are not
 * negative. */
static spmv_status make_graph(dice *d, spmv_matrix *out, const spmv_matrix *A, spmv_error *err)
{
    const int64_t n = A->head.rows > A->head.cols ? A->head.rows : A->head.cols;
    const spmv_type type = dice_chance(d, 40) ? SPMV_PATTERN : SPMV_F64;
    const uint64_t seed = d->drawn++ ^ d->stream;
    spmv_matrix turned = {0};
    spmv_status st;
    *out = (spmv_matrix){.format = SPMV_CSR};
    if (dice_chance(d, 50)) {
        SPMV__TRY(spmv_transpose(&turned, A, NULL, err));
        A = &turned;
    }
    SPMV__TRY(spmv_csr_create(&out->csr, type, n, n, A->head.nnz, err));
    for (int64_t r = 0; r <= n; r++)
        out->csr.row_ptr[r] = A->csr.row_ptr[r < A->head.rows ? r : A->head.rows];
    memcpy(out->csr.col_idx, A->csr.col_idx, (size_t)A->head.nnz * sizeof *out->csr.col_idx);
    for (int64_t p = 0; p < A->head.nnz && type == SPMV_F64; p++) {
        const double u = spmv__uniform(seed, (uint64_t)p);
        ((double *)out->csr.val)[p] = u < 0.1 ? 0 : u;
    }
done:
    spmv_destroy(&turned);
    return st;
}

/* Counts are equal and scores close; where the limit is guessed, only the limits are. */
static sweep_outcome compare(const spmv_pagerank_result *cpu, const spmv_pagerank_result *gpu,
                             bool guessed, char why[256])
{
    /* Sums of n terms in any order; a score may have one edge from each node. */
    const double summed = 1e-12 + (double)cpu->nodes * DBL_EPSILON;
    const double within = summed + (guessed ? cpu->error_bound + gpu->error_bound : 0);
    if (gpu->nodes != cpu->nodes || gpu->rankings != cpu->rankings ||
        gpu->dangling != cpu->dangling || gpu->weighted != cpu->weighted ||
        (!guessed && (gpu->iterations != cpu->iterations || gpu->converged != cpu->converged))) {
        snprintf(why, 256, "ranking: %d iterations and %lld dangling nodes, on the CPU %d and %lld",
                 gpu->iterations, (long long)gpu->dangling, cpu->iterations,
                 (long long)cpu->dangling);
        return SWEEP_WRONG;
    }
    for (int64_t i = 0; i < cpu->nodes * cpu->rankings; i++) {
        if (fabs(gpu->ranks[i] - cpu->ranks[i]) <= within) continue;
        snprintf(why, 256, "ranking: score %lld is %.17g, on the CPU %.17g", (long long)i,
                 gpu->ranks[i], cpu->ranks[i]);
        return SWEEP_WRONG;
    }
    return SWEEP_RIGHT;
}

sweep_outcome sweep_rank(dice *d, spmv_context *ctx, const spmv_matrix *A, char why[256])
{
    spmv_matrix graph = {0};
    spmv_dense sources = {0};
    spmv_pagerank_result cpu = {0}, gpu = {0};
    spmv_error err = {0};
    sweep_outcome outcome = SWEEP_REFUSED;
    spmv_status st;
    SPMV__TRY(make_graph(d, &graph, A, &err));
    const spmv_pagerank_options c = draw_options(d, graph.head.rows, &sources);
    SPMV__TRY(spmv_pagerank(&cpu, &graph, &c, &err));
    outcome = SWEEP_WRONG;
    SPMV__TRY(spmv_pagerank_gpu(&gpu, &graph, &c, ctx, &err));
    outcome = compare(&cpu, &gpu, c.extrapolate, why);
done:
    if (st != SPMV_SUCCESS) snprintf(why, 256, "ranking: %.200s", err.message);
    spmv_pagerank_destroy(&cpu);
    spmv_pagerank_destroy(&gpu);
    spmv_dense_destroy(&sources);
    spmv_destroy(&graph);
    return outcome;
}
