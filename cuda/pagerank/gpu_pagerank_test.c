/* gpu_pagerank_test.c -- PageRank on the GPU beside the CPU, which has tests of its own. */
#include "core/base/random.h"
#include "core/matrix/value.h"
#include "cuda/kernels/gpu_test.h"
#include "cuda/pagerank/gpu_pagerank.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(gpu_pagerank, .init = gpu_test_open, .fini = gpu_test_close);

/* ---- Graphs and configurations -------------------------------------------------------------- */

/* A graph and what is asked about it, fixed by its number. */
typedef struct gpu_problem {
    spmv_matrix A;
    spmv_dense personalization, start;
    spmv_pagerank_options options;
    char label[120];
} gpu_problem;

/* Draws random numbers for each node and ranking; every third is 0. */
static spmv_dense make_vector(int64_t nodes, int64_t rankings, uint64_t seed)
{
    spmv_dense x;
    cr_assert_eq(spmv_dense_create(&x, SPMV_F64, nodes, rankings, NULL), SPMV_SUCCESS);
    for (int64_t i = 0; i < nodes * rankings; i++)
        ((double *)x.data)[i] = i % 3 == 1 ? 0 : spmv__uniform(seed, (uint64_t)i) + 1e-3;
    return x;
}

/* Edges with loops and repeated ones; the longest row and column hold a fifth of them, some nodes
 * have none that leave them, and some weights are 0. */
static spmv_matrix make_graph(int64_t nodes, int64_t edges, spmv_type type, uint64_t seed)
{
    spmv_matrix coo = {.format = SPMV_COO}, A;
    cr_assert_eq(spmv_coo_create(&coo.coo, type, nodes, nodes, edges, NULL), SPMV_SUCCESS);
    for (int64_t p = 0; p < edges; p++) {
        const uint64_t k = 8 * (uint64_t)p;
        const double u = spmv__uniform(seed, k), w = spmv__uniform(seed, k + 1);
        int64_t from = (int64_t)(u * u * u * (double)nodes), to = (int64_t)(w * (double)nodes);
        if (p % 5 == 0) {
            from = (int64_t)(u * (double)nodes);
            to = nodes / 2;
        }
        if (p % 5 == 1) from = nodes / 3;
        if (from % 7 == 5) from--;
        coo.coo.row_idx[p] = from;
        coo.coo.col_idx[p] = p % 11 == 0 ? from : to;
        spmv__set_value(type, coo.coo.val, p, p % 13 == 0 ? 0 : spmv__uniform(seed, k + 2));
    }
    cr_assert_eq(spmv_coo_sort(&coo.coo, SPMV_DUPLICATES_SUM, NULL, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_convert(&A, &coo, SPMV_CSR, NULL, NULL), SPMV_SUCCESS);
    spmv_destroy(&coo);
    return A;
}

static gpu_problem make_problem(int k)
{
    const uint64_t seed = 1000 + (uint64_t)k;
    /* Where the GPU is emulated, 256 of the sources are hubs; rows of the large ones are cut into
     * pieces. */
    const bool large = k % 20 == 19;
    const double size = spmv__uniform(seed, 1), dense = large ? 0.7 : spmv__uniform(seed, 2);
    const int64_t nodes = large ? 9000 : 1 + (int64_t)(size * size * 600);
    const int64_t edges = k % 16 == 3 ? 0 : (int64_t)(dense * (double)nodes * 12);
    /* There are all widths, some with rankings that nobody wants, and one group after another. */
    static const int64_t several[] = {3, 5, 8, 11, 2};
    const int64_t rankings = k % 4 == 1 ? 1 : k % 4 == 3 ? several[k % 5] : 0;
    gpu_problem p = {
        .A = make_graph(nodes, edges, (spmv_type)(k % 3), seed),
        .options = {.damping = 0.5 + 0.35 * spmv__uniform(seed, 3),
                    .tolerance = k % 6 == 4   ? 1e-300
                                 : k % 6 == 0 ? 1e-9
                                              : 1e-4,
                    .max_iterations = k % 6 == 4 ? 1 + k % 25 : 100,
                    .norm = (spmv_norm)(k / 2 % 2),
                    .dangling = (spmv_dangling)(k / 3 % 4),
                    .unweighted = k % 9 == 8,
                    .precision = SPMV_F64},
    };
    if (rankings > 0) p.personalization = make_vector(nodes, rankings, seed + 1);
    if (k % 5 == 0) p.start = make_vector(nodes, rankings > 0 ? rankings : 1, seed + 2);
    snprintf(p.label, sizeof p.label, "graph %d (seed %d): %lld nodes, %lld edges, %lld rankings",
             k, (int)seed, (long long)nodes, (long long)edges, (long long)rankings);
    return p;
}

static void complete(gpu_problem *p)
{
    if (p->personalization.data != NULL) p->options.personalization = &p->personalization;
    if (p->start.data != NULL) p->options.start = &p->start;
}

static void free_problem(gpu_problem *p)
{
    spmv_destroy(&p->A);
    spmv_dense_destroy(&p->personalization);
    spmv_dense_destroy(&p->start);
}

/* ---- Against the CPU ------------------------------------------------------------------------ */

static spmv_pagerank_result rank_on_gpu(const gpu_problem *p)
{
    spmv_pagerank_result result;
    spmv_error err = {0};
    cr_assert_eq(spmv_pagerank_gpu(&result, &p->A, &p->options, gpu_context, &err), SPMV_SUCCESS,
                 "%s: %s", p->label, err.message);
    return result;
}

/* Ranks on so many parts; where there are fewer GPUs, they have several each. */
static spmv_pagerank_result rank_on_gpus(const gpu_problem *p, int count)
{
    enum { MOST = 7 };
    spmv_context *ctx[MOST];
    spmv_pagerank_result result;
    spmv_error err = {0};
    for (int k = 0; k < count; k++)
        cr_assert_eq(spmv_context_create(&ctx[k], k % spmv_gpu_count(), 0, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_pagerank_gpus(&result, &p->A, &p->options, ctx, count, &err), SPMV_SUCCESS,
                 "%s: %d GPUs: %s", p->label, count, err.message);
    for (int k = 0; k < count; k++) spmv_context_destroy(ctx[k]);
    return result;
}

/* Checks that all that is counted is equal, and all that is computed is close. */
static void expect_close(const gpu_problem *p, const spmv_pagerank_result *cpu,
                         const spmv_pagerank_result *gpu, double within)
{
    cr_assert_eq(gpu->nodes, cpu->nodes, "%s", p->label);
    cr_assert_eq(gpu->rankings, cpu->rankings, "%s", p->label);
    cr_expect_eq(gpu->dangling, cpu->dangling, "%s", p->label);
    cr_expect_eq(gpu->weighted, cpu->weighted, "%s", p->label);
    cr_expect_eq(gpu->converged, cpu->converged, "%s", p->label);
    cr_assert_eq(gpu->iterations, cpu->iterations, "%s: %d iterations, not %d", p->label,
                 gpu->iterations, cpu->iterations);
    for (int i = 0; i < cpu->iterations; i++)
        cr_expect_float_eq(gpu->history[i], cpu->history[i], within, "%s: iteration %d: %g, not %g",
                           p->label, i, gpu->history[i], cpu->history[i]);
    cr_expect_float_eq(gpu->residual, cpu->residual, within, "%s", p->label);
    cr_expect_float_eq(gpu->error_bound, cpu->error_bound, 20 * within, "%s", p->label);
    for (int64_t i = 0; i < cpu->nodes * cpu->rankings; i++)
        cr_assert_float_eq(gpu->ranks[i], cpu->ranks[i], within, "%s: score %lld: %.17g, not %.17g",
                           p->label, (long long)i, gpu->ranks[i], cpu->ranks[i]);
}

Test(gpu_pagerank, scores_are_those_of_the_cpu)
{
    for (int k = 0; k < TEST_CASES; k++) {
        gpu_problem p = make_problem(k);
        spmv_pagerank_result cpu, gpu, again;
        complete(&p);
        cr_assert_eq(spmv_pagerank(&cpu, &p.A, &p.options, NULL), SPMV_SUCCESS, "%s", p.label);
        gpu = rank_on_gpu(&p);
        expect_close(&p, &cpu, &gpu, 1e-13);
        again = k % 10 == 9 ? rank_on_gpu(&p) : (spmv_pagerank_result){0};
        if (again.ranks != NULL)
            cr_expect_arr_eq(again.ranks, gpu.ranks,
                             (size_t)(gpu.nodes * gpu.rankings) * sizeof(double), "%s", p.label);
        spmv_pagerank_destroy(&cpu);
        spmv_pagerank_destroy(&gpu);
        spmv_pagerank_destroy(&again);
        free_problem(&p);
    }
}

/* Also where some GPUs have no nodes, and where the nodes of others are nobody's sources. */
Test(gpu_pagerank, several_gpus_rank_as_one_does)
{
    static const int counts[] = {2, 3, 7};
    for (int k = 0; k < TEST_CASES; k++) {
        gpu_problem p = make_problem(k);
        complete(&p);
        spmv_pagerank_result one = rank_on_gpu(&p), some = rank_on_gpus(&p, counts[k % 3]);
        expect_close(&p, &one, &some, 1e-13);
        spmv_pagerank_destroy(&one);
        spmv_pagerank_destroy(&some);
        free_problem(&p);
    }
}

/* ---- Extrapolation -------------------------------------------------------------------------- */

/* The limit is that of plain iterations on the CPU, whatever was guessed on the way. */
Test(gpu_pagerank, guesses_lead_to_the_same_limit)
{
    for (int k = 0; k<TEST_CASES; k += GPU_TEST_SHARE> 1 ? 7 : 1) {
        gpu_problem p = make_problem(k);
        spmv_pagerank_result cpu, gpu;
        complete(&p);
        p.options.damping = 0.8 + 0.001 * k;
        p.options.tolerance = k % 20 == 19 ? 1e-6 : 1e-14;
        p.options.max_iterations = 1000;
        cr_assert_eq(spmv_pagerank(&cpu, &p.A, &p.options, NULL), SPMV_SUCCESS, "%s", p.label);
        p.options.extrapolate = true;
        gpu = k % 3 == 2 ? rank_on_gpus(&p, 2 + k % 2) : rank_on_gpu(&p);
        cr_expect(gpu.converged, "%s", p.label);
        for (int64_t i = 0; i < cpu.nodes * cpu.rankings; i++)
            cr_assert_float_eq(gpu.ranks[i], cpu.ranks[i],
                               fmax(1e-12, cpu.error_bound + gpu.error_bound),
                               "%s: score %lld: %.17g, not %.17g", p.label, (long long)i,
                               gpu.ranks[i], cpu.ranks[i]);
        spmv_pagerank_destroy(&cpu);
        spmv_pagerank_destroy(&gpu);
        free_problem(&p);
    }
}

/* Makes cliques of 10 nodes that hang together by one edge each: walks are slow. */
static spmv_matrix make_cliques(void)
{
    enum { N = 60, CLIQUE = 10 };
    static double dense[N * N];
    spmv_matrix A;
    for (int i = 0; i < N; i++)
        for (int j = i - i % CLIQUE; j < i - i % CLIQUE + CLIQUE; j++) dense[i * N + j] = i != j;
    for (int i = 0; i + CLIQUE < N; i += CLIQUE) dense[i * N + i + CLIQUE] = 1;
    cr_assert_eq(spmv_from_dense(&A, SPMV_CSR, SPMV_F64, N, N, dense, NULL), SPMV_SUCCESS);
    return A;
}

/* Guesses save more than half of the iterations, and about as many as on the CPU. */
Test(gpu_pagerank, guesses_are_worth_it)
{
    gpu_problem p = {.A = make_cliques(),
                     .options = {.damping = 0.99, .max_iterations = 5000},
                     .label = "cliques"};
    for (int k = 0; k < 2; k++) {
        p.options.precision = k == 0 ? SPMV_F64 : SPMV_F32;
        p.options.tolerance = k == 0 ? 1e-7 : 1e-4;
        p.options.extrapolate = false;
        spmv_pagerank_result cpu, gpu, plain = rank_on_gpu(&p);
        p.options.extrapolate = true;
        gpu = rank_on_gpu(&p);
        cr_assert_eq(spmv_pagerank(&cpu, &p.A, &p.options, NULL), SPMV_SUCCESS);
        cr_expect(plain.converged && gpu.converged && cpu.converged);
        cr_expect_lt(2 * gpu.iterations, plain.iterations, "%d for %d", gpu.iterations,
                     plain.iterations);
        cr_expect_leq(abs(gpu.iterations - cpu.iterations), SPMV__PERIOD, "%d, on the CPU %d",
                      gpu.iterations, cpu.iterations);
        spmv_pagerank_destroy(&plain);
        spmv_pagerank_destroy(&gpu);
        spmv_pagerank_destroy(&cpu);
    }
    spmv_destroy(&p.A);
}

/* The residual is that of the scores: no guess takes their place after the last iteration. */
Test(gpu_pagerank, the_last_iteration_is_a_plain_one)
{
    gpu_problem p = {.A = make_cliques(),
                     .options = {.tolerance = 1e-300, .max_iterations = SPMV__PERIOD},
                     .label = "cliques"};
    spmv_pagerank_result plain = rank_on_gpu(&p), guessed;
    p.options.extrapolate = true;
    guessed = rank_on_gpu(&p);
    cr_expect_arr_eq(guessed.ranks, plain.ranks, (size_t)plain.nodes * sizeof(double));
    spmv_pagerank_destroy(&plain);
    spmv_pagerank_destroy(&guessed);
    spmv_destroy(&p.A);
}

/* ---- Single precision ----------------------------------------------------------------------- */

/* Scores of single precision differ by what rounds off, and still add up to 1. */
Test(gpu_pagerank, single_precision_adds_up_to_one)
{
    for (int k = 0; k < TEST_CASES; k += 5) {
        gpu_problem p = make_problem(k);
        spmv_pagerank_result cpu, gpu;
        complete(&p);
        p.options.tolerance = 1e-5;
        cr_assert_eq(spmv_pagerank(&cpu, &p.A, &p.options, NULL), SPMV_SUCCESS, "%s", p.label);
        p.options.precision = SPMV_F32;
        gpu = rank_on_gpu(&p);
        for (int64_t v = 0; v < gpu.rankings; v++) {
            double sum = 0;
            for (int64_t i = v * gpu.nodes; i < (v + 1) * gpu.nodes; i++) {
                cr_assert_float_eq(gpu.ranks[i], cpu.ranks[i], 2e-5, "%s: score %lld: %g, not %g",
                                   p.label, (long long)i, gpu.ranks[i], cpu.ranks[i]);
                sum += gpu.ranks[i];
            }
            if (p.options.dangling != SPMV_DANGLING_DROP)
                cr_expect_float_eq(sum, 1, 1e-6, "%s: the sum is 1 + %g", p.label, sum - 1);
        }
        spmv_pagerank_destroy(&cpu);
        spmv_pagerank_destroy(&gpu);
        free_problem(&p);
    }
}

/* The values that hubs hand on fill shared memory, of which a block has 48 KB before it asks for
 * more: graphs about as large as that, for every number of rankings that are pulled together. */
Test(gpu_pagerank, hubs_that_fill_shared_memory)
{
    for (int k = 1; k <= 8; k *= 2)
        for (int64_t bytes = 40 << 10; bytes <= 52 << 10; bytes += 512) {
            const int64_t nodes = bytes / (k * (int64_t)sizeof(double));
            gpu_problem p = {.A = make_graph(nodes, 4 * nodes, SPMV_PATTERN, (uint64_t)bytes),
                             .personalization = make_vector(nodes, k, 7),
                             .options = {.max_iterations = 3},
                             .label = "hubs that fill shared memory"};
            spmv_pagerank_result cpu, gpu;
            complete(&p);
            cr_assert_eq(spmv_pagerank(&cpu, &p.A, &p.options, NULL), SPMV_SUCCESS);
            gpu = rank_on_gpu(&p);
            expect_close(&p, &cpu, &gpu, 1e-13);
            spmv_pagerank_destroy(&cpu);
            spmv_pagerank_destroy(&gpu);
            free_problem(&p);
            if (GPU_TEST_SHARE > 1) break;
        }
}

/* ---- Small and refused ---------------------------------------------------------------------- */

static spmv_status rank_dense(int n, const double *dense, const spmv_pagerank_options *options,
                              spmv_context *ctx, spmv_pagerank_result *result, spmv_error *err)
{
    spmv_matrix A;
    cr_assert_eq(spmv_from_dense(&A, SPMV_CSR, SPMV_F64, n, n, dense, NULL), SPMV_SUCCESS);
    const spmv_status st = spmv_pagerank_gpu(result, &A, options, ctx, err);
    spmv_destroy(&A);
    return st;
}

/* 0 -> 1 -> 2 and no further, by hand; a node alone; no nodes at all. */
Test(gpu_pagerank, smallest_graphs)
{
    static const double chain[] = {0, 1, 0, 0, 0, 1, 0, 0, 0}, none[1] = {0}, d = 0.85;
    const spmv_pagerank_options exact = {.tolerance = 1e-15};
    const double b = 1 / (3 + 2 * d + d * d);
    spmv_pagerank_result result;
    spmv_error err = {0};
    cr_assert_eq(rank_dense(3, chain, &exact, gpu_context, &result, &err), SPMV_SUCCESS, "%s",
                 err.message);
    cr_expect(result.converged);
    cr_expect_float_eq(result.ranks[0], b, 1e-14);
    cr_expect_float_eq(result.ranks[1], b * (1 + d), 1e-14);
    cr_expect_float_eq(result.ranks[2], b * (1 + d + d * d), 1e-14);
    spmv_pagerank_destroy(&result);

    cr_assert_eq(rank_dense(1, none, NULL, gpu_context, &result, &err), SPMV_SUCCESS);
    cr_expect_eq(result.dangling, 1);
    cr_expect_eq(result.ranks[0], 1);
    spmv_pagerank_destroy(&result);

    cr_assert_eq(rank_dense(0, none, NULL, gpu_context, &result, &err), SPMV_SUCCESS);
    cr_expect(result.converged);
    cr_expect_eq(result.iterations, 0);
    spmv_pagerank_destroy(&result);
}

Test(gpu_pagerank, what_it_cannot_do_is_named)
{
    static const double pair[] = {0, 1, -1, 0};
    const spmv_pagerank_options odd = {.damping = 2};
    spmv_pagerank_result result;
    spmv_context *cpu;
    spmv_error err;
    cr_expect_eq(rank_dense(2, pair, NULL, gpu_context, &result, &err), SPMV_ERROR_INVALID_FORMAT);
    cr_expect_null(result.ranks);
    cr_expect_not_null(strstr(err.message, "from 2 to 1"), "%s", err.message);
    cr_expect_eq(rank_dense(2, pair, &odd, gpu_context, &result, &err),
                 SPMV_ERROR_INVALID_ARGUMENT);
    spmv_matrix empty = {.csr = {.rows = 3, .cols = 3, .nnz = 2, .type = SPMV_F64}};
    empty.format = SPMV_CSR;
    cr_expect_eq(spmv_pagerank_gpu(&result, &empty, NULL, gpu_context, &err),
                 spmv_pagerank(&result, &empty, NULL, NULL));
    cr_expect_not_null(strstr(err.message, "has no row_ptr"), "%s", err.message);
    cr_assert_eq(spmv_context_create(&cpu, SPMV_DEVICE_CPU, 0, NULL), SPMV_SUCCESS);
    cr_expect_eq(rank_dense(2, pair, NULL, cpu, &result, &err), SPMV_ERROR_NO_DEVICE);
    cr_expect_null(result.ranks);
    spmv_context_destroy(cpu);
}

/* A rank without others finds the bits of one GPU; what only one process can do is refused. */
Test(gpu_pagerank, a_rank_alone)
{
    spmv_comm *comm;
    spmv_error err = {0};
    gpu_problem p = make_problem(2);
    cr_assert_eq(spmv_comm_alone(&comm, NULL), SPMV_SUCCESS);
    spmv_pagerank_result one = rank_on_gpu(&p), alone;
    cr_assert_eq(spmv_pagerank_gpu_on_ranks(&alone, comm, &p.A, &p.options, gpu_context,
                                            SPMV_ROUTE_AUTO, &err),
                 SPMV_SUCCESS, "%s", err.message);
    cr_assert_eq(alone.iterations, one.iterations);
    cr_assert_eq(alone.converged, one.converged);
    cr_assert_eq(alone.residual, one.residual);
    cr_assert_arr_eq(alone.ranks, one.ranks, (size_t)one.nodes * sizeof(double));
    spmv_pagerank_destroy(&alone);
    spmv_pagerank_destroy(&one);
    p.options.extrapolate = true;
    cr_assert_eq(spmv_pagerank_gpu_on_ranks(&alone, comm, &p.A, &p.options, gpu_context,
                                            SPMV_ROUTE_HOST, NULL),
                 SPMV_ERROR_UNSUPPORTED);
    cr_assert_null(alone.ranks);
    spmv_comm_close(comm);
    free_problem(&p);
}
