/* pagerank_test.c -- scores worked out by hand, and against the solution of the linear equations.
 *
 * With d for the damping and b = (1 - d) / n + d * dangling / n, the scores solve
 * r_j = b + d * sum of (share of edge i -> j) r_i, and add up to 1. */
#include "core/base/random.h"
#include "core/base/free_memory.h"

#include <criterion/criterion.h>
#include <math.h>

/* Ranks a dense adjacency matrix to the last digit, or fail the test. */
static spmv_pagerank_result rank_dense(int n, const double *dense, spmv_pagerank_options config)
{
    spmv_matrix A;
    spmv_pagerank_result result;
    spmv_error err = {0};
    if (config.tolerance == 0) config.tolerance = 1e-15;
    if (config.max_iterations == 0) config.max_iterations = 5000;
    cr_assert_eq(spmv_from_dense(&A, SPMV_CSR, SPMV_F64, n, n, dense, &err), SPMV_SUCCESS);
    cr_assert_eq(spmv_pagerank(&result, &A, &config, &err), SPMV_SUCCESS, "%s", err.message);
    cr_assert_eq(result.nodes, n);
    spmv_destroy(&A);
    return result;
}

static void expect_ranks(int n, const double *dense, spmv_pagerank_options config, int dangling,
                         const double *expected)
{
    spmv_pagerank_result result = rank_dense(n, dense, config);
    cr_expect(result.converged);
    cr_expect_eq(result.dangling, dangling);
    for (int i = 0; i < n; i++)
        cr_expect_float_eq(result.ranks[i], expected[i], 1e-14, "node %d: %.17g, expected %.17g", i,
                           result.ranks[i], expected[i]);
    spmv_pagerank_destroy(&result);
    cr_expect_null(result.ranks);
}

static const spmv_pagerank_options defaults = {0};
static const double d = 0.85;

Test(pagerank, a_cycle_shares_evenly)
{
    static const double cycle[] = {0, 1, 0, 0, 0, 1, 1, 0, 0};
    expect_ranks(3, cycle, defaults, 0, (double[]){1. / 3, 1. / 3, 1. / 3});
}

/* 0 -> 1 -> 2 and no further: r0 = b, r1 = b (1 + d), r2 = b (1 + d + d^2). */
Test(pagerank, a_chain_ends_in_a_dangling_node)
{
    static const double chain[] = {0, 1, 0, 0, 0, 1, 0, 0, 0};
    double b = 1 / (3 + 2 * d + d * d);
    expect_ranks(3, chain, defaults, 1, (double[]){b, b * (1 + d), b * (1 + d + d * d)});
}

/* Edges of weight 3 and 1 leave node 0, each of the others leads back: r0 = b + 2 d b + d^2 r0. */
Test(pagerank, weights_are_shares)
{
    static const double star[] = {0, 3, 1, 5, 0, 0, 1e-3, 0, 0};
    double b = (1 - d) / 3, r0 = b * (1 + 2 * d) / (1 - d * d);
    expect_ranks(3, star, defaults, 0, (double[]){r0, b + d * 0.75 * r0, b + d * 0.25 * r0});
    spmv_pagerank_options unweighted = {.unweighted = true};
    expect_ranks(3, star, unweighted, 0, (double[]){r0, b + d * r0 / 2, b + d * r0 / 2});
}

/* 0 -> 0, 0 -> 1, 1 -> 0: r0 = b + d (r0 / 2 + r1), r1 = b + d r0 / 2. */
Test(pagerank, loops_count)
{
    static const double loop[] = {1, 1, 1, 0};
    double b = (1 - d) / 2, r0 = b * (1 + d) / (1 - d / 2 - d * d / 2);
    expect_ranks(2, loop, defaults, 0, (double[]){r0, b + d * r0 / 2});
}

/* Of two pairs and a node alone, which is dangling, it has b, and each of a pair b / (1 - d). */
Test(pagerank, parts_that_are_not_connected)
{
    static const double parts[25] = {[1] = 1, [5] = 1, [13] = 1, [17] = 1};
    double b = 1 / (1 + 4 / (1 - d)), pair = b / (1 - d);
    expect_ranks(5, parts, defaults, 1, (double[]){pair, pair, pair, pair, b});
}

Test(pagerank, one_node_or_no_edges)
{
    expect_ranks(1, (double[]){0}, defaults, 1, (double[]){1});
    expect_ranks(1, (double[]){7}, defaults, 0, (double[]){1});
    expect_ranks(4, (double[16]){0}, defaults, 4, (double[]){.25, .25, .25, .25});
}

Test(pagerank, no_nodes)
{
    spmv_pagerank_result result = rank_dense(0, NULL, defaults);
    cr_expect(result.converged);
    cr_expect_eq(result.iterations, 0);
    spmv_pagerank_destroy(&result);
}

/* Weights are at both ends of the range of numbers: only their shares matter. */
Test(pagerank, tiny_and_huge_weights)
{
    static const double odd[] = {0, 5e-324, 5e-324, 1e308, 0, 5e307, 0, 1e-310, 0};
    double b = (1 - d) / 3;
    /* r0 = b + 2/3 d r1, r1 = b + d (r0 / 2 + r2), r2 = b + d (r0 / 2 + r1 / 3), by elimination: */
    double c1 = 2 * d / 3, p = b + d * b / 2, q = d * c1 / 2;
    double r1 = (p + d * p) / (1 - q - d * (q + d / 3)), r0 = b + c1 * r1;
    expect_ranks(3, odd, defaults, 0, (double[]){r0, r1, p + (q + d / 3) * r1});
}

/* A pattern, equal weights, and unweighted give the same bits, in every format. */
Test(pagerank, equal_weights_are_no_weights)
{
    static const double equal[16] = {[1] = 2.5, [2] = 2.5, [7] = 2.5, [8] = 2.5, [9] = 2.5};
    spmv_pagerank_result first = rank_dense(4, equal, defaults);
    cr_expect_not(first.weighted);
    for (spmv_format format = 0; format < SPMV_FORMATS; format++)
        for (spmv_type type = SPMV_PATTERN; type <= SPMV_F64; type++) {
            spmv_matrix A;
            spmv_pagerank_result result;
            spmv_pagerank_options config = {.tolerance = 1e-15, .max_iterations = 5000};
            cr_assert_eq(spmv_from_dense(&A, format, type, 4, 4, equal, NULL), SPMV_SUCCESS);
            cr_assert_eq(spmv_pagerank(&result, &A, &config, NULL), SPMV_SUCCESS);
            cr_expect_arr_eq(result.ranks, first.ranks, 4 * sizeof(double));
            spmv_pagerank_destroy(&result);
            spmv_destroy(&A);
        }
    spmv_pagerank_destroy(&first);
}

/* 0 -> 1 is given twice, 0 -> 2 once; the zeros are no edges, neither weighted nor unweighted. */
Test(pagerank, duplicates_add_up_and_zeros_are_no_edges)
{
    static const int64_t row[] = {0, 0, 0, 1, 1, 2}, col[] = {2, 1, 1, 0, 2, 1};
    static const double val[] = {1, 1, 1, 4, 0, 0};
    spmv_matrix A = {.format = SPMV_COO};
    spmv_pagerank_result result;
    spmv_pagerank_options config = {.tolerance = 1e-15, .max_iterations = 5000};
    cr_assert_eq(spmv_coo_create(&A.coo, SPMV_F64, 3, 3, 6, NULL), SPMV_SUCCESS);
    memcpy(A.coo.row_idx, row, sizeof row);
    memcpy(A.coo.col_idx, col, sizeof col);
    memcpy(A.coo.val, val, sizeof val);
    cr_assert_eq(spmv_coo_sort(&A.coo, SPMV_DUPLICATES_SUM, NULL, NULL), SPMV_SUCCESS);

    for (int unweighted = 0; unweighted < 2; unweighted++) {
        double share = unweighted ? 0.5 : 2. / 3; /* of edge 0 -> 1 */
        /* r0 = b + d r1, r1 = b + d share r0, r2 = b + d (1 - share) r0. */
        double r0 = (1 + d) / (1 - d * d * share), r1 = 1 + d * share * r0;
        double r2 = 1 + d * (1 - share) * r0;
        double b = 1 / (r0 + r1 + r2);
        config.unweighted = unweighted;
        cr_assert_eq(spmv_pagerank(&result, &A, &config, NULL), SPMV_SUCCESS);
        cr_expect_eq(result.dangling, 1);
        cr_expect_float_eq(result.ranks[0], b * r0, 1e-14);
        cr_expect_float_eq(result.ranks[1], b * r1, 1e-14);
        cr_expect_float_eq(result.ranks[2], b * r2, 1e-14);
        spmv_pagerank_destroy(&result);
    }
    bool mask[3];
    cr_assert_eq(spmv_dangling_mask(&A, mask, NULL), SPMV_SUCCESS);
    cr_expect(!mask[0] && !mask[1] && mask[2]);
    spmv_destroy(&A);
}

/* 0 -> 1 <-> 2 with d = 1/2, in fractions of 6: (2 2 2), (1 3 2), (1 2.5 2.5), ... */
Test(pagerank, stopping_early_is_said_and_the_scores_are_those_reached)
{
    static const double graph[] = {0, 1, 0, 0, 0, 1, 0, 1, 0};
    spmv_pagerank_options config = {.damping = 0.5, .max_iterations = 2, .tolerance = 1. / 6};
    spmv_pagerank_result result = rank_dense(3, graph, config);
    cr_expect_eq(result.iterations, 2);
    cr_expect_not(result.converged, "a residual of the tolerance is not below it");
    cr_expect_float_eq(result.residual, 1. / 6, 1e-15);
    cr_expect_float_eq(result.ranks[0], 1. / 6, 1e-15);
    cr_expect_float_eq(result.ranks[1], 2.5 / 6, 1e-15);
    cr_expect_float_eq(result.ranks[2], 2.5 / 6, 1e-15);
    spmv_pagerank_destroy(&result);

    config.tolerance = 1. / 6 + 1e-9; /* reached in the very last iteration allowed */
    result = rank_dense(3, graph, config);
    cr_expect_eq(result.iterations, 2);
    cr_expect(result.converged);
    spmv_pagerank_destroy(&result);
}

Test(pagerank, what_cannot_be_ranked_is_refused_with_its_place)
{
    static const struct {
        double weight;
        const char *message;
    } bad[] = {{-1, "edge from 2 to 3 has weight -1"},
               {NAN, "edge from 2 to 3 has weight nan"},
               {HUGE_VAL, "edge from 2 to 3 has weight inf"},
               {1.7e308, "leave node 2 add up to more"}};
    spmv_pagerank_result result;
    spmv_matrix A;
    spmv_error err;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        double dense[9] = {0, 1, 0, 1.7e308, 0, bad[i].weight, 1, 0, 0};
        cr_assert_eq(spmv_from_dense(&A, SPMV_CSC, SPMV_F64, 3, 3, dense, NULL), SPMV_SUCCESS);
        cr_expect_eq(spmv_pagerank(&result, &A, NULL, &err), SPMV_ERROR_INVALID_FORMAT);
        cr_expect_not_null(strstr(err.message, bad[i].message), "%s", err.message);
        cr_expect_null(result.ranks);
        spmv_pagerank_options unweighted = {.unweighted = true};
        cr_expect_eq(spmv_pagerank(&result, &A, &unweighted, &err), SPMV_SUCCESS);
        spmv_pagerank_destroy(&result);
        spmv_destroy(&A);
    }

    cr_assert_eq(spmv_from_dense(&A, SPMV_CSR, SPMV_F64, 1, 2, (double[]){1, 1}, NULL),
                 SPMV_SUCCESS);
    cr_expect_eq(spmv_pagerank(&result, &A, NULL, &err), SPMV_ERROR_INVALID_DIMENSION);
    cr_expect_not_null(strstr(err.message, "1 x 2"), "%s", err.message);
    spmv_destroy(&A);

    cr_assert_eq(spmv_from_dense(&A, SPMV_CSR, SPMV_F64, 1, 1, (double[]){1}, NULL), SPMV_SUCCESS);
    static const spmv_pagerank_options configs[] = {
        {.damping = 1},     {.damping = -.1},       {.damping = NAN},       {.tolerance = -1},
        {.tolerance = NAN}, {.max_iterations = -1}, {.tolerance = INFINITY}};
    for (size_t i = 0; i < sizeof configs / sizeof configs[0]; i++)
        cr_expect_eq(spmv_pagerank(&result, &A, &configs[i], &err), SPMV_ERROR_INVALID_ARGUMENT,
                     "config %zu", i);
    cr_expect_eq(spmv_pagerank(NULL, &A, NULL, &err), SPMV_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(spmv_pagerank(&result, NULL, NULL, &err), SPMV_ERROR_INVALID_ARGUMENT);
    A.head.symmetry = SPMV_SYMMETRIC;
    cr_expect_eq(spmv_pagerank(&result, &A, NULL, &err), SPMV_ERROR_UNSUPPORTED);
    cr_expect_eq(spmv_dangling_mask(&A, (bool[1]){0}, &err), SPMV_ERROR_UNSUPPORTED);
    spmv_destroy(&A);
}

/* Solves (I - d S) r = (1 - d) / n by elimination, S[j][i] = share of i -> j, 1 / n when dangling.
 */
static void solve(int n, const double *weight, double damping, double *r)
{
    double *M = calloc((size_t)(n * n), sizeof *M);
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++) sum += weight[i * n + j];
        for (int j = 0; j < n; j++)
            M[j * n + i] = (i == j) - damping * (sum > 0 ? weight[i * n + j] / sum : 1. / n);
        r[i] = (1 - damping) / n;
    }
    for (int k = 0; k < n; k++) /* columns are diagonally dominant: no pivoting is needed */
        for (int i = k + 1; i < n; i++) {
            double factor = M[i * n + k] / M[k * n + k];
            for (int j = k; j < n; j++) M[i * n + j] -= factor * M[k * n + j];
            r[i] -= factor * r[k];
        }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) r[k] -= M[k * n + j] * r[j];
        r[k] /= M[k * n + k];
    }
    free(M);
}

Test(pagerank, scores_are_a_distribution_and_solve_the_equations)
{
    for (uint64_t seed = 0; seed < 150; seed++) {
        int n = 1 + (int)(spmv__uniform(seed, 0) * 60);
        double density = pow(spmv__uniform(seed, 1), 2),
               damping = 0.3 + 0.69 * spmv__uniform(seed, 2);
        double *weight = calloc((size_t)(n * n), sizeof *weight);
        double *exact = calloc((size_t)n, sizeof *exact), sum = 0;
        for (int i = 0; i < n * n; i++)
            if (spmv__uniform(seed, 10 + 2 * (uint64_t)i) < density &&
                (i / n) % 5 != (int)(seed % 7)) /* some nodes are dangling */
                weight[i] = seed % 2 ? 1 : spmv__uniform(seed, 11 + 2 * (uint64_t)i);
        solve(n, weight, damping, exact);

        spmv_pagerank_options config = {.damping = damping, .tolerance = 1e-15};
        spmv_pagerank_result result = rank_dense(n, weight, config);
        for (int i = 0; i < n; i++) {
            cr_assert_geq(result.ranks[i], 0, "seed %d", (int)seed);
            cr_assert_float_eq(result.ranks[i], exact[i], 1e-13, "seed %d, node %d of %d: %g",
                               (int)seed, i, n, result.ranks[i] - exact[i]);
            sum += result.ranks[i];
        }
        cr_assert_float_eq(sum, 1, 1e-13, "seed %d", (int)seed);
        cr_assert(result.residual < 1e-15 || result.iterations == 5000, "seed %d", (int)seed);
        cr_assert_eq(result.converged, result.residual < 1e-15, "seed %d", (int)seed);
        spmv_pagerank_destroy(&result);
        free(weight);
        free(exact);
    }
}

Test(pagerank, complex_values_are_refused)
{
    const double dense[] = {0, 0, 1, 0, 1, 0, 0, 0};
    spmv_matrix A;
    spmv_pagerank_result result;
    spmv_error err;
    bool mask[2];
    cr_assert_eq(spmv_from_dense(&A, SPMV_CSR, SPMV_C128, 2, 2, dense, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_pagerank(&result, &A, NULL, &err), SPMV_ERROR_UNSUPPORTED);
    cr_assert_not_null(strstr(err.message, "complex"), "%s", err.message);
    cr_assert_eq(spmv_dangling_mask(&A, mask, NULL), SPMV_ERROR_UNSUPPORTED);
    spmv_destroy(&A);
}

/* The graph has more than one window of nodes, columns with a slice of their own, and both kinds of
 * values: the same bits for any number of threads, and still a sum of 1 after many iterations. */
Test(pagerank, threads_change_nothing_and_no_mass_is_lost)
{
    for (spmv_type type = SPMV_PATTERN; type <= SPMV_F64; type += 2) {
        spmv_generate_options options = {.rows = 3000, .per_row = 20, .type = type, .seed = 8};
        spmv_matrix A = {.format = SPMV_CSR};
        cr_assert_eq(spmv_generate(&A.csr, "powerlaw", &options, NULL), SPMV_SUCCESS);
        for (int64_t p = 0; type == SPMV_F64 && p < A.csr.nnz; p++)
            ((double *)A.csr.val)[p] = fabs(((double *)A.csr.val)[p]);

        spmv_pagerank_options config = {
            .damping = 0.999, .tolerance = 1e-15, .max_iterations = 300, .threads = 1};
        spmv_pagerank_result one, many;
        cr_assert_eq(spmv_pagerank(&one, &A, &config, NULL), SPMV_SUCCESS);
        cr_expect_eq(one.weighted, type == SPMV_F64);
        long double sum = 0;
        for (int64_t i = 0; i < one.nodes; i++) sum += one.ranks[i];
        cr_expect_float_eq((double)(sum - 1), 0, 1e-13, "%Lg", sum - 1);
        for (int threads = 2; threads <= 7; threads += threads == 3 ? 4 : 1) {
            config.threads = threads;
            cr_assert_eq(spmv_pagerank(&many, &A, &config, NULL), SPMV_SUCCESS);
            cr_expect_arr_eq(many.ranks, one.ranks, (size_t)one.nodes * sizeof(double));
            cr_expect_eq(many.residual, one.residual);
            cr_expect_eq(many.iterations, one.iterations);
            spmv_pagerank_destroy(&many);
        }
        spmv_pagerank_destroy(&one);
        spmv_destroy(&A);
    }
}

/* There are as many nodes as there can be, and one edge: this is refused by the sum of what a
 * ranking takes. */
Test(pagerank, memory_for_all_nodes_is_counted_first)
{
    const spmv_pagerank_options config = {.extrapolate = true};
    spmv_matrix A = {.format = SPMV_COO};
    spmv_pagerank_result result;
    spmv_error err;
    if (spmv__free_memory("") > (int64_t)150e9) cr_skip_test("there is memory for it");
    cr_assert_eq(spmv_coo_create(&A.coo, SPMV_PATTERN, INT32_MAX, INT32_MAX, 1, NULL), 0);
    cr_assert_eq(spmv_pagerank(&result, &A, &config, &err), SPMV_ERROR_OUT_OF_MEMORY);
    cr_assert_not_null(strstr(err.message, "ranking needs 1"), "%s", err.message);
    spmv_destroy(&A);
}
