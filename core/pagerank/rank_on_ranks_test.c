/* rank_on_ranks_test.c -- several ranks find the scores that one process finds, bit for bit. */
#include "core/comm/team_test.h"

#include <criterion/criterion.h>
#include <math.h>

static const int sizes[] = {1, 2, 3, 4, 7};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* A ranking, and what becomes of it. */
typedef struct joint_ranking {
    const spmv_matrix *A;
    spmv_pagerank_options config;
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

static const char *rank_together(spmv_comm *comm, void *user)
{
    const joint_ranking *r = user;
    const bool root = comm->rank == 0;
    spmv_pagerank_result result = {0};
    spmv_error err = {0};
    const char *complaint = NULL;
    const spmv_status st = spmv_pagerank_on_ranks(root ? &result : NULL, comm, root ? r->A : NULL,
                                                  root ? &r->options : NULL, &err);
    if (st != r->st)
        complaint = "another status";
    else if (st != SPMV_SUCCESS && strcmp(err.message, r->err.message) != 0)
        complaint = "another sentence";
    else if (st == SPMV_SUCCESS && root)
        complaint = compare(&result, &r->expected);
    spmv_pagerank_destroy(&result);
    return complaint;
}

static void assert_ranking(joint_ranking *r, const char *label)
{
    r->st = spmv_pagerank(&r->expected, r->A, &r->options, &r->err);
    for (int i = 0; i < SIZES; i++) {
        const char *complaint = team_run(sizes[i], rank_together, r);
        cr_assert_null(complaint, "%s, %d ranks: %s", label, sizes[i], complaint);
    }
    spmv_pagerank_destroy(&r->expected);
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
        spmv_pagerank_options config;
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
