/* pagerank_options_test.c -- what the configuration of PageRank may ask for, against the solution
 * of the linear equations.
 *
 * With W the shares of the edges (column i of a dangling node all 0), p the personalization and q
 * where dangling nodes go, the scores solve (I - d (W + q m^T)) r = (1 - d) p, m = 1 for dangling
 * nodes and 0 for others. */
#include "spmv.h"
#include "core/base/random.h"

#include <criterion/criterion.h>
#include <math.h>

typedef struct problem {
    int n;
    double *weight;          /* [n x n] row-major, entry (i, j) is the edge i -> j */
    double *personalization; /* [n], sum not 1 */
    double damping;
} problem;

/* Makes a random graph; some nodes are dangling, some have loops, and some weights are 0. */
static problem make_problem(uint64_t seed)
{
    const int n = 2 + (int)(spmv__uniform(seed, 0) * 50);
    problem p = {n, calloc((size_t)(n * n), sizeof(double)), calloc((size_t)n, sizeof(double)),
                 0.3 + 0.65 * spmv__uniform(seed, 1)};
    const double density = 0.02 + 0.5 * spmv__uniform(seed, 2);
    for (int i = 0; i < n * n; i++)
        if (spmv__uniform(seed, 100 + 2 * (uint64_t)i) < density && i / n % 5 != (int)(seed % 7))
            p.weight[i] = seed % 2 ? 1 : spmv__uniform(seed, 101 + 2 * (uint64_t)i);
    for (int i = 0; i < n; i++)
        p.personalization[i] = i % 3 == 0 ? 10 * spmv__uniform(seed, 50000 + (uint64_t)i) : 0;
    p.personalization[0] += 1;
    return p;
}

static void free_problem(problem *p)
{
    free(p->weight);
    free(p->personalization);
}

static double sum_of(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i];
    return sum;
}

/* Solves by Gaussian elimination with pivoting; M is [n x n]. */
static void eliminate(int n, double *M, double *r)
{
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(M[i * n + k]) > fabs(M[pivot * n + k])) pivot = i;
        for (int j = 0; j < n; j++) {
            const double swap = M[k * n + j];
            M[k * n + j] = M[pivot * n + j];
            M[pivot * n + j] = swap;
        }
        const double swap = r[k];
        r[k] = r[pivot];
        r[pivot] = swap;
        for (int i = k + 1; i < n; i++) {
            const double factor = M[i * n + k] / M[k * n + k];
            for (int j = k; j < n; j++) M[i * n + j] -= factor * M[k * n + j];
            r[i] -= factor * r[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) r[k] -= M[k * n + j] * r[j];
        r[k] /= M[k * n + k];
    }
}

static void solve(const problem *p, const double *personalization, spmv_dangling mode, double *r)
{
    const int n = p->n;
    double *M = calloc((size_t)(n * n), sizeof *M);
    const double all = personalization != NULL ? sum_of(personalization, n) : n;
    for (int i = 0; i < n; i++) {
        const double sum = sum_of(p->weight + i * n, n);
        for (int j = 0; j < n; j++) {
            const double anew = (personalization != NULL ? personalization[j] : 1) / all;
            double share = sum > 0 ? p->weight[i * n + j] / sum : 0;
            if (sum == 0 && mode == SPMV_DANGLING_UNIFORM) share = 1. / n;
            if (sum == 0 && mode == SPMV_DANGLING_PERSONALIZED) share = anew;
            if (sum == 0 && mode == SPMV_DANGLING_SELF) share = i == j;
            M[j * n + i] = (i == j) - p->damping * share;
            if (i == 0) r[j] = (1 - p->damping) * anew;
        }
    }
    eliminate(n, M, r);
    free(M);
}

static spmv_matrix matrix_of(const problem *p)
{
    spmv_matrix A;
    cr_assert_eq(spmv_from_dense(&A, SPMV_CSR, SPMV_F64, p->n, p->n, p->weight, NULL),
                 SPMV_SUCCESS);
    return A;
}

static spmv_pagerank_result rank(const problem *p, spmv_pagerank_options options)
{
    spmv_matrix A = matrix_of(p);
    spmv_pagerank_result result;
    spmv_error err = {0};
    options.damping = p->damping;
    if (options.tolerance == 0) options.tolerance = 1e-15;
    if (options.max_iterations == 0) options.max_iterations = 1000;
    cr_assert_eq(spmv_pagerank(&result, &A, &options, &err), SPMV_SUCCESS, "%s", err.message);
    spmv_destroy(&A);
    return result;
}

static void expect_close(const double *scores, const double *exact, int n, double bound,
                         const char *what, uint64_t seed)
{
    for (int i = 0; i < n; i++) {
        cr_assert_geq(scores[i], 0, "%s, seed %d", what, (int)seed);
        cr_assert_float_eq(scores[i], exact[i], bound, "%s, seed %d, node %d of %d: off by %g",
                           what, (int)seed, i, n, scores[i] - exact[i]);
    }
}

Test(pagerank_options, dangling_and_personalization_solve_their_equations)
{
    for (uint64_t seed = 0; seed < 100; seed++) {
        problem p = make_problem(seed);
        double exact[64];
        const spmv_dense anew = {SPMV_F64, p.n, 1, p.personalization, false, false, NULL, 0};
        for (spmv_dangling mode = 0; mode <= SPMV_DANGLING_SELF; mode++)
            for (int personal = 0; personal < 2; personal++)
                for (int guess = 0; guess < 2; guess++) {
                    solve(&p, personal ? p.personalization : NULL, mode, exact);
                    spmv_pagerank_result result = rank(
                        &p, (spmv_pagerank_options){.dangling = mode,
                                                    .extrapolate = guess,
                                                    .personalization = personal ? &anew : NULL});
                    expect_close(result.ranks, exact, p.n, 1e-13, guess ? "guess" : "plain", seed);
                    if (mode != SPMV_DANGLING_DROP)
                        cr_assert_float_eq(sum_of(result.ranks, p.n), 1, 1e-13);
                    spmv_pagerank_destroy(&result);
                }
        free_problem(&p);
    }
}

/* In single precision changes may stay at 2^-23 / (1 - d), however long one waits. */
static double single_tolerance(double damping)
{
    return 2e-7 / (1 - damping);
}

/* The sum is right to the digits of single precision, and so are the scores, but for the bound. */
Test(pagerank_options, scores_solve_the_equations_in_single_precision)
{
    for (uint64_t seed = 0; seed < 100; seed++) {
        problem p = make_problem(seed);
        double exact[64];
        solve(&p, NULL, SPMV_DANGLING_UNIFORM, exact);
        spmv_pagerank_result result =
            rank(&p, (spmv_pagerank_options){.precision = SPMV_F32,
                                             .tolerance = single_tolerance(p.damping)});
        cr_assert(result.converged, "seed %d: %g after %d, damping %g", (int)seed, result.residual,
                  result.iterations, p.damping);
        cr_assert_float_eq(sum_of(result.ranks, p.n), 1, 1e-6, "seed %d", (int)seed);
        expect_close(result.ranks, exact, p.n, result.error_bound, "f32", seed);
        spmv_pagerank_destroy(&result);
        free_problem(&p);
    }
}

/* Up to 20 rankings at once are those of runs of their own, wherever their elements lie. */
Test(pagerank_options, several_rankings_at_once)
{
    static const int counts[] = {1, 2, 3, 5, 8, 9, 20};
    for (uint64_t seed = 0; seed < 28; seed++) {
        problem p = make_problem(seed);
        const int k = counts[seed % 7], n = p.n;
        const spmv_type precision = seed % 4 < 3 ? SPMV_F64 : SPMV_F32;
        double *anew = calloc((size_t)(n * k), sizeof *anew), exact[64];
        double *apart = calloc((size_t)((n + 2) * (k + 2)), sizeof *apart);
        const bool by_rows = seed % 2 == 0;
        const spmv_dense columns = {.type = SPMV_F64,
                                    .rows = n,
                                    .cols = k,
                                    .data = apart,
                                    .by_rows = by_rows,
                                    .ld = by_rows ? k + 2 : n + 1};
        for (int v = 0; v < k; v++)
            anew[v * n + v % n] = apart[spmv_dense_index(&columns, v % n, v)] = v + 1;
        spmv_pagerank_result result =
            rank(&p, (spmv_pagerank_options){
                         .personalization = &columns,
                         .precision = precision,
                         .tolerance = precision == SPMV_F64 ? 1e-15 : single_tolerance(p.damping),
                         .extrapolate = seed % 3 == 0,
                         .dangling = SPMV_DANGLING_PERSONALIZED});
        cr_assert_eq(result.rankings, k);
        for (int v = 0; v < k; v++) {
            solve(&p, anew + v * n, SPMV_DANGLING_PERSONALIZED, exact);
            expect_close(result.ranks + v * n, exact, n,
                         precision == SPMV_F64 ? 1e-13
                                               : result.error_bound + single_tolerance(p.damping),
                         "one of several", seed);
        }
        spmv_pagerank_destroy(&result);
        free(anew);
        free(apart);
        free_problem(&p);
    }
}

/* 0 -> 1 -> ... -> 7 -> 0 and 8 -> all of these, for which all start alike.  For source 8 they stay
 * so from the first iteration on; for source 0 that made 3 / 20 in node 0 out of as much of all
 * eight, and what wanders on changes by 0.85 (7 / 8 + 7 / 8) 3 / 20 in the second iteration and by
 * 0.85 of that in the third.  More rankings than one batch are as far as the worst of them all. */
Test(pagerank_options, the_residual_is_that_of_the_worst_ranking)
{
    enum { N = 9 };
    double graph[N * N] = {0}, sources[N * N] = {0};
    const problem p = {N, graph, NULL, 0.85};
    const spmv_dense anew = {SPMV_F64, N, N, sources, false, false, NULL, 0};
    for (int i = 0; i < 8; i++) graph[i * N + (i + 1) % 8] = graph[8 * N + i] = 1;
    for (int i = 0; i < N; i++) sources[i * N + i] = 1;
    spmv_pagerank_result result =
        rank(&p, (spmv_pagerank_options){.personalization = &anew, .max_iterations = 3});
    cr_expect_float_eq(result.residual, 0.85 * 0.85 * 1.75 * 0.15, 1e-15);
    cr_expect_float_eq(result.history[2], result.residual, 1e-15);
    cr_expect_float_eq(result.error_bound, 0.85 * result.residual / 0.15, 1e-14);
    cr_expect_not(result.converged);
    spmv_pagerank_destroy(&result);
}

Test(pagerank_options, the_bound_holds_and_the_history_is_complete)
{
    for (uint64_t seed = 0; seed < 100; seed++) {
        problem p = make_problem(seed);
        double exact[64], distance = 0;
        solve(&p, NULL, SPMV_DANGLING_UNIFORM, exact);
        spmv_pagerank_result result =
            rank(&p, (spmv_pagerank_options){.max_iterations = 7, .norm = SPMV_NORM_LINF});
        for (int i = 0; i < p.n; i++) distance += fabs(result.ranks[i] - exact[i]);
        cr_assert_leq(distance, result.error_bound + 1e-15, "seed %d", (int)seed);
        cr_assert_leq(result.iterations, 7);
        cr_assert_eq(result.history[result.iterations - 1], result.residual);
        for (int i = 0; i < result.iterations; i++)
            cr_assert_eq(result.history[i] < 1e-15, i + 1 == result.iterations && result.converged);
        spmv_pagerank_destroy(&result);
        free_problem(&p);
    }
}

/* 0 -> 1 <-> 2 with d = 1/2, in fractions of 6: (2 2 2), (1 3 2), (1 2.5 2.5): changes of 2 and 1
 * in sum, 1 and 0.5 at most. */
Test(pagerank_options, norms)
{
    double graph[] = {0, 1, 0, 0, 0, 1, 0, 1, 0};
    const problem p = {3, graph, NULL, 0.5};
    spmv_pagerank_result sum = rank(&p, (spmv_pagerank_options){.max_iterations = 2});
    spmv_pagerank_result most =
        rank(&p, (spmv_pagerank_options){.max_iterations = 2, .norm = SPMV_NORM_LINF});
    const double of_sum[] = {2. / 6, 1. / 6}, of_most[] = {1. / 6, 0.5 / 6};
    for (int i = 0; i < 2; i++) {
        cr_expect_float_eq(sum.history[i], of_sum[i], 1e-15);
        cr_expect_float_eq(most.history[i], of_most[i], 1e-15);
    }
    cr_expect_float_eq(sum.error_bound, 1. / 6, 1e-15);
    cr_expect_float_eq(most.error_bound, 1. / 6, 1e-15);
    spmv_pagerank_destroy(&sum);
    spmv_pagerank_destroy(&most);
}

/* What is rounded in an iteration adds up though nothing changes any more, and no scores are
 * further apart than 2. */
Test(pagerank_options, bounds_of_the_error)
{
    double cycle[] = {0, 1, 1, 0}, star[] = {0, 1, 1, 1, 0, 0, 1, 0, 0};
    const problem still = {2, cycle, NULL, 0.9999}, moving = {3, star, NULL, 0.999999};
    spmv_pagerank_result at_once = rank(&still, (spmv_pagerank_options){0});
    spmv_pagerank_result begun = rank(&moving, (spmv_pagerank_options){.max_iterations = 2});
    cr_expect_eq(at_once.residual, 0);
    cr_expect_geq(at_once.error_bound, 0x1p-53 / 1e-4);
    cr_expect_leq(at_once.error_bound, 1e-11);
    cr_expect_gt(begun.residual, 0.1);
    cr_expect_eq(begun.error_bound, 2);
    spmv_pagerank_destroy(&at_once);
    spmv_pagerank_destroy(&begun);
}

/* From the scores themselves, one iteration is enough. */
Test(pagerank_options, the_start_is_taken)
{
    problem p = make_problem(3);
    double exact[64];
    solve(&p, NULL, SPMV_DANGLING_UNIFORM, exact);
    for (int i = 0; i < p.n; i++) exact[i] *= 17;
    const spmv_dense start = {SPMV_F64, p.n, 1, exact, false, false, NULL, 0};
    spmv_pagerank_result result =
        rank(&p, (spmv_pagerank_options){.start = &start, .tolerance = 1e-13});
    cr_expect_eq(result.iterations, 1);
    cr_expect(result.converged);
    spmv_pagerank_destroy(&result);
    free_problem(&p);
}

/* Cliques hang together by one edge: a guess saves more than half of the iterations. */
Test(pagerank_options, extrapolation_is_faster_where_the_walk_is_slow)
{
    enum { N = 120, CLIQUE = 10 };
    double *weight = calloc(N * N, sizeof *weight);
    for (int i = 0; i < N; i++)
        for (int j = i - i % CLIQUE; j < i - i % CLIQUE + CLIQUE; j++) weight[i * N + j] = i != j;
    for (int i = 0; i + CLIQUE < N; i += CLIQUE) weight[i * N + i + CLIQUE] = 1;
    const problem p = {N, weight, NULL, 0.99};
    spmv_pagerank_result plain =
        rank(&p, (spmv_pagerank_options){.tolerance = 1e-10, .max_iterations = 5000});
    spmv_pagerank_result guessed = rank(
        &p,
        (spmv_pagerank_options){.tolerance = 1e-10, .max_iterations = 5000, .extrapolate = true});
    cr_expect(plain.converged && guessed.converged);
    cr_expect_lt(2 * guessed.iterations, plain.iterations, "%d for %d", guessed.iterations,
                 plain.iterations);
    spmv_pagerank_destroy(&plain);
    spmv_pagerank_destroy(&guessed);
    free(weight);
}

/* The residual and the bound are those of the scores: no guess takes their place at the end. */
Test(pagerank_options, the_last_iteration_is_a_plain_one)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        problem p = make_problem(seed);
        const spmv_pagerank_options eight = {.max_iterations = 8, .tolerance = 1e-300};
        spmv_pagerank_options guess = eight;
        guess.extrapolate = true;
        spmv_pagerank_result plain = rank(&p, eight), guessed = rank(&p, guess);
        cr_assert_arr_eq(guessed.ranks, plain.ranks, (size_t)p.n * sizeof(double), "seed %d",
                         (int)seed);
        spmv_pagerank_destroy(&plain);
        spmv_pagerank_destroy(&guessed);
        free_problem(&p);
    }
}

Test(pagerank_options, vectors_that_cannot_be_are_refused)
{
    static const struct {
        double values[3];
        int64_t rows, cols;
        spmv_type type;
        spmv_status status;
        const char *message;
    } bad[] = {{{1, -1, 1}, 3, 1, SPMV_F64, SPMV_ERROR_INVALID_FORMAT, "of node 20 is -1"},
               {{1, 1, NAN}, 3, 1, SPMV_F64, SPMV_ERROR_INVALID_FORMAT, "of node 30 is nan"},
               {{HUGE_VAL, 1, 1}, 3, 1, SPMV_F64, SPMV_ERROR_INVALID_FORMAT, "of node 10 is inf"},
               {{0, 0, 0}, 3, 1, SPMV_F64, SPMV_ERROR_INVALID_FORMAT, "adds up to 0"},
               {{1.7e308, 1.7e308, 0}, 3, 1, SPMV_F64, SPMV_ERROR_INVALID_FORMAT, "adds up to inf"},
               {{1, 1, 1}, 2, 1, SPMV_F64, SPMV_ERROR_INVALID_DIMENSION, "2 x 1 for 3 nodes"},
               {{1, 1, 1}, 3, 0, SPMV_F64, SPMV_ERROR_INVALID_DIMENSION, "3 x 0 for 3 nodes"},
               {{1, 1, 1}, 3, 1, SPMV_F32, SPMV_ERROR_INVALID_ARGUMENT, "f64"}};
    double graph[9] = {0, 1, 0, 0, 0, 1, 1, 0, 0};
    int64_t ids[] = {10, 20, 30};
    const spmv_labels labels = {.n = 3, .id = ids};
    const problem p = {3, graph, NULL, 0.5};
    spmv_matrix A = matrix_of(&p);
    spmv_pagerank_result result;
    spmv_error err;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        double values[3];
        memcpy(values, bad[i].values, sizeof values);
        const spmv_dense x = {bad[i].type, bad[i].rows, bad[i].cols, values, false, false, NULL, 0};
        for (int start = 0; start < 2; start++) {
            const spmv_pagerank_options options = {.personalization = start ? NULL : &x,
                                                   .start = start ? &x : NULL,
                                                   .labels = &labels};
            cr_expect_eq(spmv_pagerank(&result, &A, &options, &err), bad[i].status);
            cr_expect_not_null(strstr(err.message, bad[i].message), "%s", err.message);
            cr_expect_not_null(strstr(err.message, start ? "start" : "personalization"));
            cr_expect_null(result.ranks);
        }
    }
    const spmv_pagerank_options complex = {.precision = SPMV_C64};
    cr_expect_eq(spmv_pagerank(&result, &A, &complex, &err), SPMV_ERROR_INVALID_ARGUMENT);
    spmv_pagerank_options other = {.norm = 9};
    cr_expect_eq(spmv_pagerank(&result, &A, &other, &err), SPMV_ERROR_INVALID_ARGUMENT);
    cr_expect_str_eq(err.message, "there is no norm 9");
    other = (spmv_pagerank_options){.dangling = 9};
    cr_expect_eq(spmv_pagerank(&result, &A, &other, &err), SPMV_ERROR_INVALID_ARGUMENT);
    cr_expect_str_eq(err.message, "there is no rule 9 for dangling nodes");
    ((double *)A.csr.val)[1] = -3;
    const spmv_pagerank_options named = {.labels = &labels};
    cr_expect_eq(spmv_pagerank(&result, &A, &named, &err), SPMV_ERROR_INVALID_FORMAT);
    cr_expect_not_null(strstr(err.message, "from 20 to 30 has weight -3"), "%s", err.message);
    spmv_destroy(&A);
}

/* ---- Graphs --------------------------------------------------------------------------------- */

Test(pagerank_options, loops_go_and_edges_are_taken_both_ways)
{
    static const double given[9] = {5, 1, 0, 3, 0, 0, 0, 2, 7};
    static const double simple[9] = {0, 1, 0, 3, 0, 0, 0, 2, 0};
    static const double both[9] = {5, 4, 0, 4, 0, 2, 0, 2, 7};
    static const double pattern[9] = {1, 1, 0, 1, 0, 1, 0, 1, 1};
    for (spmv_format format = 0; format < SPMV_FORMATS; format++)
        for (spmv_type type = SPMV_PATTERN; type <= SPMV_F64; type++) {
            spmv_matrix A, B;
            double dense[9];
            cr_assert_eq(spmv_from_dense(&A, format, type, 3, 3, given, NULL), SPMV_SUCCESS);
            cr_assert_eq(spmv_symmetrize(&B, &A, NULL, NULL), SPMV_SUCCESS);
            cr_expect_eq(B.format, format);
            spmv_to_dense(&B, dense);
            cr_expect_arr_eq(dense, type == SPMV_PATTERN ? pattern : both, sizeof dense);
            spmv_destroy(&B);
            cr_assert_eq(spmv_drop_diagonal(&B, &A, NULL, NULL), SPMV_SUCCESS);
            cr_expect_eq(B.format, format);
            cr_expect_eq(B.head.nnz, 3);
            spmv_to_dense(&B, dense);
            for (int i = 0; i < 9; i++)
                cr_expect_eq(dense[i], type == SPMV_PATTERN ? simple[i] != 0 : simple[i]);
            spmv_destroy(&B);
            spmv_destroy(&A);
        }
    spmv_matrix A, B;
    cr_assert_eq(spmv_from_dense(&A, SPMV_CSR, SPMV_F64, 1, 2, (double[]){1, 1}, NULL),
                 SPMV_SUCCESS);
    cr_expect_eq(spmv_symmetrize(&B, &A, NULL, NULL), SPMV_ERROR_INVALID_DIMENSION);
    spmv_destroy(&A);
    cr_assert_eq(spmv_from_dense(&A, SPMV_CSR, SPMV_F64, 2, 2, (double[]){1, 0, 1, 0}, NULL),
                 SPMV_SUCCESS);
    A.head.symmetry = SPMV_SYMMETRIC;
    cr_expect_eq(spmv_symmetrize(&B, &A, NULL, NULL), SPMV_ERROR_UNSUPPORTED);
    spmv_destroy(&A);
}
