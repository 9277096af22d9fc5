/* rank_on_ranks_test.c -- several ranks find the scores that one process finds, bit for bit. */
#include "core/comm/team_test.h"

#include <criterion/criterion.h>
#include <math.h>

static const int sizes[] = {1, 2, 3, 4, 7};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* A ranking, and what becomes of it. */
typedef struct joint_ranking {
    const spmv_matrix *A;
    const spmv_matrix *changed; /* for rank_changed: what it makes A of */
    spmv_pagerank_options options;
    spmv_status st;
    spmv_error err;
    spmv_pagerank_result expected;
} joint_ranking;

static const char *compare(const spmv_pagerank_result *a, const spmv_pagerank_result *b)
{
    if (a->nodes != b->nodes || a->rankings != b->rankings || a->dangling != b->dangling)
        return "another graph";
    if (a->iterations != b->iterations || a->converged != b->converged) return "another end";
    if (a->residual != b->residual || a->error_bound != b->error_bound) return "another residual";
    if (memcmp(a->ranks, b->ranks, (size_t)a->nodes * sizeof *a->ranks) != 0) return "other scores";
    for (int i = 0; i < a->iterations; i++)
        if (a->history[i] != b->history[i]) return "another history";
    return NULL;
}

/* Returns what is wrong with the outcome of a rank. */
static const char *judge(const joint_ranking *r, const spmv_comm *comm, spmv_status st,
                         const spmv_pagerank_result *result, const spmv_error *err)
{
    if (st != r->st) return "another status";
    if (st != SPMV_SUCCESS && strcmp(err->message, r->err.message) != 0) return "another sentence";
    return st == SPMV_SUCCESS && comm->rank == 0 ? compare(result, &r->expected) : NULL;
}

static const char *rank_together(spmv_comm *comm, void *user)
{
    const joint_ranking *r = user;
    const bool root = comm->rank == 0;
    spmv_pagerank_result result = {0};
    if (root) memset(&result, 0xff, sizeof result); /* a failure leaves nothing in it */
    spmv_error err = {0};
    const spmv_status st = spmv_pagerank_on_ranks(root ? &result : NULL, comm, root ? r->A : NULL,
                                                  root ? &r->options : NULL, &err);
    const char *complaint = judge(r, comm, st, &result, &err);
    spmv_pagerank_destroy(&result);
    return complaint;
}

/* The same of equal numbers of rows, which are with their ranks before. */
static const char *rank_rows(spmv_comm *comm, void *user)
{
    const joint_ranking *r = user;
    const bool root = comm->rank == 0;
    spmv_pagerank_result result = {0};
    if (root) memset(&result, 0xff, sizeof result); /* a failure leaves nothing in it */
    spmv_error err = {0};
    spmv_part part;
    if (spmv_part_spread(&part, comm, root ? r->A : NULL, SPMV_PARTITION_ROWS, NULL) !=
        SPMV_SUCCESS)
        return "no rows";
    const spmv_status st =
        spmv_pagerank_part(root ? &result : NULL, comm, &part, root ? &r->options : NULL, &err);
    const char *complaint = judge(r, comm, st, &result, &err);
    spmv_pagerank_destroy(&result);
    spmv_part_destroy(&part);
    return complaint;
}

static void assert_work(team_work *work, joint_ranking *r, const char *label)
{
    r->st = spmv_pagerank(&r->expected, r->A, &r->options, &r->err);
    for (int i = 0; i < SIZES; i++) {
        const char *complaint = team_run(sizes[i], work, r);
        cr_assert_null(complaint, "%s, %d ranks: %s", label, sizes[i], complaint);
    }
    spmv_pagerank_destroy(&r->expected);
}

static void assert_ranking(joint_ranking *r, const char *label)
{
    assert_work(rank_together, r, label);
}

static spmv_matrix make_graph(int64_t scale, spmv_type type)
{
    const spmv_generate_options options = {
        .scale = scale, .per_row = 6, .seed = 3, .type = type, .values = SPMV_VALUES_RANDOM};
    spmv_matrix A = {.format = SPMV_CSR};
    cr_assert_eq(spmv_generate(&A.csr, "rmat", &options, NULL), SPMV_SUCCESS);
    for (int64_t p = 0; type == SPMV_F64 && p < A.csr.nnz; p++)
        ((double *)A.csr.val)[p] = fabs(((double *)A.csr.val)[p]);
    return A;
}

/* Something that is not the same everywhere. */
static spmv_dense make_vector(int64_t n, int64_t period)
{
    spmv_dense v;
    cr_assert_eq(spmv_dense_create(&v, SPMV_F64, n, 1, NULL), SPMV_SUCCESS);
    for (int64_t i = 0; i < n; i++) ((double *)v.data)[i] = 1 + (double)(i % period);
    return v;
}

Test(rank_on_ranks, all_ways_to_rank_have_the_scores_of_one_process)
{
    spmv_matrix alike = make_graph(14, SPMV_PATTERN);
    spmv_matrix weighted = make_graph(13, SPMV_F64);
    spmv_dense restart = make_vector(alike.head.rows, 7), start = make_vector(alike.head.rows, 5);
    const struct {
        const char *label;
        const spmv_matrix *A;
        spmv_pagerank_options options;
    } ways[] = {
        {"plain", &alike, {.tolerance = 0}},
        {"to the limit", &alike, {.tolerance = 1e-12, .damping = 0.9, .max_iterations = 500}},
        {"weighted", &weighted, {.tolerance = 1e-9}},
        {"single", &alike, {.precision = SPMV_F32, .tolerance = 1e-5}},
        {"single and weighted", &weighted, {.precision = SPMV_F32, .tolerance = 1e-5}},
        {"by the largest", &alike, {.norm = SPMV_NORM_LINF}},
        {"dropped", &alike, {.dangling = SPMV_DANGLING_DROP}},
        {"to itself", &alike, {.dangling = SPMV_DANGLING_SELF}},
        {"personalized",
         &alike,
         {.personalization = &restart, .dangling = SPMV_DANGLING_PERSONALIZED}},
        {"from other scores", &alike, {.start = &start, .personalization = &restart}},
        {"stopped", &alike, {.max_iterations = 3}},
        {"history that grows", &alike, {.tolerance = 1e-300, .max_iterations = 150}},
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        joint_ranking r = {.A = ways[i].A, .options = ways[i].options};
        assert_ranking(&r, ways[i].label);
        cr_assert_eq(r.st, SPMV_SUCCESS, "%s: %s", ways[i].label, r.err.message);
    }
    spmv_dense_destroy(&restart);
    spmv_dense_destroy(&start);
    spmv_destroy(&alike);
    spmv_destroy(&weighted);
}

/* More ranks than nodes, and none. */
Test(rank_on_ranks, small_graphs)
{
    static const double two[] = {0, 1, 0, 0};
    for (int n = 0; n <= 2; n++) {
        spmv_matrix A = {.format = SPMV_CSR};
        cr_assert_eq(spmv_csr_from_dense(&A.csr, SPMV_F64, n, n, two, NULL), SPMV_SUCCESS);
        joint_ranking r = {.A = &A};
        assert_ranking(&r, "a small graph");
        cr_assert_eq(r.st, SPMV_SUCCESS);
        spmv_destroy(&A);
    }
}

Test(rank_on_ranks, all_ranks_hear_what_is_wrong)
{
    static const double negative[] = {0, -1, 1, 0};
    spmv_matrix A = {.format = SPMV_CSR};
    cr_assert_eq(spmv_csr_from_dense(&A.csr, SPMV_F64, 2, 2, negative, NULL), SPMV_SUCCESS);
    joint_ranking r = {.A = &A};
    assert_ranking(&r, "a negative weight");
    cr_assert_eq(r.st, SPMV_ERROR_INVALID_FORMAT);
    spmv_destroy(&A);
}

Test(rank_on_ranks, what_one_process_must_do_is_refused)
{
    spmv_matrix A = make_graph(5, SPMV_PATTERN);
    spmv_dense both;
    cr_assert_eq(spmv_dense_create(&both, SPMV_F64, A.head.rows, 2, NULL), SPMV_SUCCESS);
    for (int64_t i = 0; i < 2 * A.head.rows; i++) ((double *)both.data)[i] = 1;
    joint_ranking r = {.A = &A,
                       .st = SPMV_ERROR_UNSUPPORTED,
                       .err = {.message = "several ranks compute one ranking, without "
                                          "extrapolation"}};
    r.options = (spmv_pagerank_options){.extrapolate = true};
    cr_assert_null(team_run(3, rank_together, &r));
    r.options = (spmv_pagerank_options){.personalization = &both};
    cr_assert_null(team_run(3, rank_together, &r));
    spmv_dense_destroy(&both);
    spmv_destroy(&A);
}

/* ---- Graphs whose rows are with the ranks --------------------------------------------------- */

/* Twelve nodes of which node 5 has an edge to all, node 0 one from all, the last five none but
 * that; more ranks than that have rows without an entry. */
static spmv_matrix make_star(double (*weight)(int64_t row))
{
    enum { N = 12 };
    double dense[N * N] = {0};
    spmv_matrix A = {.format = SPMV_CSR};
    for (int i = 0; i < N; i++) {
        dense[5 * N + i] = weight(5);
        if (i < 7) dense[i * N] = weight(i);
    }
    cr_assert_eq(spmv_csr_from_dense(&A.csr, SPMV_F64, N, N, dense, NULL), SPMV_SUCCESS);
    return A;
}

static double all_alike(int64_t row)
{
    return (void)row, 3;
}

/* Each row is alike, but not all of them. */
static double by_row(int64_t row)
{
    return 1 + (double)(row / 4);
}

static double too_much(int64_t row)
{
    return row == 5 ? 1e308 : 1;
}

Test(rank_on_ranks, whether_edges_are_alike_is_for_all_ranks_to_say)
{
    const struct {
        double (*weight)(int64_t row);
        bool weighted;
    } cases[] = {{all_alike, false}, {by_row, true}};
    for (int i = 0; i < 2; i++) {
        spmv_matrix A = make_star(cases[i].weight);
        spmv_pagerank_result alone;
        joint_ranking r = {.A = &A};
        cr_assert_eq(spmv_pagerank(&alone, &A, NULL, NULL), SPMV_SUCCESS);
        cr_assert_eq(alone.weighted, cases[i].weighted);
        spmv_pagerank_destroy(&alone);
        assert_work(rank_rows, &r, "a star");
        spmv_destroy(&A);
    }
}

/* Loops, hubs, nodes without edges, and entries that are 0, which are edges of no rank. */
Test(rank_on_ranks, rows_of_any_kind_have_the_scores_of_one_process)
{
    spmv_matrix A = make_graph(10, SPMV_F64), large = make_graph(12, SPMV_PATTERN);
    spmv_dense restart = make_vector(A.head.rows, 7), start = make_vector(A.head.rows, 5);
    for (int64_t p = 0; p < A.csr.nnz; p += 3) ((double *)A.csr.val)[p] = 0;
    const struct {
        const char *label;
        const spmv_matrix *A;
        spmv_pagerank_options options;
    } ways[] = {
        {"zeros", &A, {.tolerance = 1e-9}},
        {"without weights", &A, {.unweighted = true}},
        {"single", &A, {.precision = SPMV_F32, .dangling = SPMV_DANGLING_SELF}},
        {"personalized", &A, {.personalization = &restart, .start = &start}},
        {"three threads", &large, {.threads = 3}},
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        joint_ranking r = {.A = ways[i].A, .options = ways[i].options};
        assert_work(rank_rows, &r, ways[i].label);
        cr_assert_eq(r.st, SPMV_SUCCESS, "%s: %s", ways[i].label, r.err.message);
    }
    spmv_dense_destroy(&restart);
    spmv_dense_destroy(&start);
    spmv_destroy(&A);
    spmv_destroy(&large);
}

Test(rank_on_ranks, what_is_wrong_with_rows_is_told_by_their_names)
{
    spmv_matrix A = make_star(all_alike), B = make_star(too_much), wide = {.format = SPMV_CSR};
    const spmv_labels from_0 = {.n = A.head.rows, .first = 0};
    ((double *)A.csr.val)[A.csr.row_ptr[6] - 1] = NAN; /* of rank 2 of 5, but not of all */
    ((double *)A.csr.val)[A.csr.nnz - 1] = -1;
    joint_ranking r = {.A = &A, .options = {.labels = &from_0}};
    assert_work(rank_rows, &r, "a weight that is none");
    cr_assert_eq(r.st, SPMV_ERROR_INVALID_FORMAT);
    cr_assert(strstr(r.err.message, "from 5 to 11 "), "%s", r.err.message);
    r.A = &B;
    assert_work(rank_rows, &r, "too large a sum");
    cr_assert(strstr(r.err.message, "leave node 5 "), "%s", r.err.message);
    cr_assert_eq(spmv_csr_create(&wide.csr, SPMV_F64, 2, 3, 0, NULL), SPMV_SUCCESS);
    r.A = &wide;
    assert_work(rank_rows, &r, "no square");
    cr_assert_eq(r.st, SPMV_ERROR_INVALID_DIMENSION);
    spmv_destroy(&A);
    spmv_destroy(&B);
    spmv_destroy(&wide);
}

/* ---- Changed rows ---------------------------------------------------------------------------- */

/* The rows of the transpose, without loops. */
static const char *rank_changed(spmv_comm *comm, void *user)
{
    const joint_ranking *r = user;
    const bool root = comm->rank == 0;
    spmv_pagerank_result result = {0};
    spmv_error err = {0};
    spmv_part part, turned;
    spmv_status st =
        spmv_part_spread(&part, comm, root ? r->changed : NULL, SPMV_PARTITION_ROWS, NULL);
    if (st != SPMV_SUCCESS) return "no rows";
    st = spmv_part_transpose(&turned, comm, &part, NULL);
    spmv_part_destroy(&part);
    if (st != SPMV_SUCCESS) return "no transpose";
    if (spmv_part_drop_diagonal(&turned, comm, NULL) != SPMV_SUCCESS) return "no change";
    const char *complaint = turned.nnz != r->A->head.nnz ? "another number of entries" : NULL;
    st = spmv_pagerank_part(root ? &result : NULL, comm, &turned, root ? &r->options : NULL, &err);
    if (complaint == NULL) complaint = judge(r, comm, st, &result, &err);
    spmv_pagerank_destroy(&result);
    spmv_part_destroy(&turned);
    return complaint;
}

Test(rank_on_ranks, rows_that_ranks_change_are_those_that_one_process_changes)
{
    static const spmv_type types[] = {SPMV_PATTERN, SPMV_F64};
    for (int i = 0; i < 2; i++) {
        spmv_matrix A = make_graph(9, types[i]), turned, simple;
        cr_assert_eq(spmv_transpose(&turned, &A, NULL, NULL), SPMV_SUCCESS);
        cr_assert_eq(spmv_drop_diagonal(&simple, &turned, NULL, NULL), SPMV_SUCCESS);
        cr_assert_lt(simple.head.nnz, A.head.nnz, "no loops");
        joint_ranking r = {.A = &simple, .changed = &A};
        assert_work(rank_changed, &r, "a changed graph");
        spmv_destroy(&A);
        spmv_destroy(&turned);
        spmv_destroy(&simple);
    }
}

/* Rows that lie in another order than those of the matrix would be other nodes. */
static const char *rank_assigned(spmv_comm *comm, void *user)
{
    const joint_ranking *r = user;
    const bool root = comm->rank == 0;
    int32_t rank_of_row[12] = {1, 0};
    spmv_pagerank_result result = {0};
    spmv_part part, turned;
    spmv_status st = spmv_part_spread(&part, comm, root ? r->A : NULL, SPMV_PARTITION_NNZ, NULL);
    if (st == SPMV_SUCCESS) st = spmv_part_assign(&part, comm, rank_of_row, NULL);
    if (st != SPMV_SUCCESS) return "no rows";
    st = spmv_pagerank_part(root ? &result : NULL, comm, &part, NULL, NULL);
    const bool refused = st == SPMV_ERROR_INVALID_ARGUMENT &&
                         spmv_part_drop_diagonal(&part, comm, NULL) == st &&
                         spmv_part_transpose(&turned, comm, &part, NULL) == st;
    spmv_part_destroy(&part);
    return refused ? NULL : "it is taken";
}

Test(rank_on_ranks, rows_in_another_order_are_refused)
{
    spmv_matrix A = make_star(all_alike);
    joint_ranking r = {.A = &A};
    cr_assert_null(team_run(2, rank_assigned, &r));
    spmv_destroy(&A);
}
