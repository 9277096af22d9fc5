/* rank_ways_test.c -- ranks with a GPU each exchange by every way that leads through a
 * communicator, and have the bits of GPUs that reach each other.
 *
 * Ranks are threads, and messages between emulated GPUs are copied by the host. */
#include "core/comm/team_test.h"
#include "core/matrix/value.h"
#include "core/matrix/random_matrix_test.h"

#include <criterion/criterion.h>
#include <math.h>

static const int sizes[] = {1, 3, 7};
static const spmv_route routes[] = {SPMV_ROUTE_HOST, SPMV_ROUTE_DEVICE};
enum { SIZES = sizeof sizes / sizeof *sizes, ROUTES = sizeof routes / sizeof *routes };

static spmv_dense make_x(int64_t n, double first)
{
    spmv_dense x;
    cr_assert_eq(spmv_dense_create(&x, SPMV_F64, n, 1, NULL), SPMV_SUCCESS);
    for (int64_t i = 0; i < n; i++) ((double *)x.data)[i] = first + 0.37 * (double)(i % 101);
    return x;
}

/* ---- Products ------------------------------------------------------------------------------- */

typedef struct way_product {
    const spmv_matrix *A; /* CSR */
    spmv_route route;
    spmv_kernel_options options;
    spmv_dense x, y; /* y is made by rank 0 */
} way_product;

/* The first x makes NaN of whatever is not exchanged again. */
static spmv_status apply_twice(spmv_gpus *gpus, spmv_dense *x, spmv_dense *y, spmv_error *err)
{
    const spmv_scalar one = spmv__number(1, 0), none = spmv__number(0, 0);
    spmv_dense nan = make_x(x->rows, NAN);
    spmv_status st;
    SPMV__TRY(spmv_gpus_set_x(gpus, &nan, err));
    SPMV__TRY(spmv_gpus_apply(gpus, one, none, 1, err));
    SPMV__TRY(spmv_gpus_set_x(gpus, x, err));
    SPMV__TRY(spmv_gpus_apply(gpus, one, none, 1, err));
    SPMV__TRY(spmv_gpus_get_y(gpus, y, err));
done:
    spmv_dense_destroy(&nan);
    return st;
}

static const char *multiply_together(spmv_comm *comm, void *user)
{
    way_product *p = user;
    const bool root = comm->rank == 0;
    spmv_gpus *gpus = NULL;
    spmv_part part = {0};
    spmv_dense x = {0}, y = {0};
    spmv_recording *recording;
    const char *complaint = "a failure";
    spmv_status st;
    SPMV__TRY(spmv_part_spread(&part, comm, root ? p->A : NULL, SPMV_PARTITION_NNZ, NULL));
    SPMV__TRY(spmv_part_scatter(&x, comm, part.col_begin, NULL, root ? &p->x : NULL, NULL));
    SPMV__TRY(spmv_comm_agree(comm, spmv_dense_create(&y, SPMV_F64, part.own.rows, 1, NULL), NULL));
    SPMV__TRY(spmv_gpus_create_on_rank(&gpus, comm, 0, &part, &p->options, p->route, NULL));
    SPMV__TRY(spmv_comm_agree(comm, apply_twice(gpus, &x, &y, NULL), NULL));
    SPMV__TRY(spmv_part_gather(root ? &p->y : NULL, comm, part.row_begin, NULL, &y, NULL));
    complaint = NULL;
    if (spmv_gpus_route(gpus) != p->route) complaint = "another route";
    if (spmv_gpus_record(&recording, gpus, spmv__number(1, 0), spmv__number(0, 0), 1, NULL) !=
        SPMV_ERROR_UNSUPPORTED)
        complaint = "a recording of what the host takes part in";
done:
    spmv_gpus_destroy(gpus);
    spmv_part_destroy(&part);
    spmv_dense_destroy(&x);
    spmv_dense_destroy(&y);
    return complaint;
}

static void try_product(const test_sample *s)
{
    const spmv_csr *A = &s->A.csr;
    const int device = 0;
    way_product p = {.A = &s->A, .options = {.kernel = "csr-scalar", .vector_type = SPMV_F64}};
    spmv_dense expected = make_x(A->rows, 0);
    spmv_gpus *one;
    p.x = make_x(A->cols, 1);
    cr_assert_eq(spmv_gpus_create(&one, &device, 1, A, SPMV_PARTITION_NNZ, &p.options, NULL),
                 SPMV_SUCCESS);
    cr_assert_eq(apply_twice(one, &p.x, &expected, NULL), SPMV_SUCCESS);
    spmv_gpus_destroy(one);
    for (int i = 0; i < SIZES * ROUTES; i++) {
        p.route = routes[i % ROUTES];
        const char *complaint = team_run(sizes[i / ROUTES], multiply_together, &p);
        cr_assert_null(complaint, "%s, %d ranks: %s", s->label, sizes[i / ROUTES], complaint);
        cr_assert_arr_eq(p.y.data, expected.data, (size_t)A->rows * sizeof(double),
                         "%s, %d ranks by route %d: other bits", s->label, sizes[i / ROUTES],
                         (int)p.route);
        spmv_dense_destroy(&p.y);
    }
    spmv_dense_destroy(&p.x);
    spmv_dense_destroy(&expected);
}

/* Also with fewer rows than ranks, without any, and not square. */
Test(rank_ways, products_have_the_bits_of_one_gpu)
{
    for (int k = 0; k < 4; k++) {
        test_sample s = test_sample_make(k, SPMV_F64, TEST_SMALL_CELLS / 16);
        try_product(&s);
        spmv_destroy(&s.A);
    }
}

/* ---- What MPI says and does ----------------------------------------------------------------- */

/* How messages are prepared that get lost when they are long. */
static spmv_status (*prepare_well)(spmv__exchange *e, const spmv__message *receive, int receives,
                                   const spmv__message *send, int sends, spmv_error *err);

static spmv_status prepare_badly(spmv__exchange *e, const spmv__message *receive, int receives,
                                 const spmv__message *send, int sends, spmv_error *err)
{
    enum { LONG = 1 << 20 };
    static _Thread_local char elsewhere[LONG];
    spmv__message lost[TEAM_MOST];
    if (receives > TEAM_MOST) return spmv__fail(err, SPMV_ERROR_UNSUPPORTED, "too many messages");
    for (int i = 0; i < receives; i++) {
        lost[i] = receive[i];
        if (lost[i].bytes == LONG) lost[i].data = elsewhere;
    }
    return prepare_well(e, lost, receives, send, sends, err);
}

/* Whether the route is refused with these words. */
static const char *refuse(spmv_comm *comm, const spmv__transport *transport, const char *words)
{
    const spmv_kernel_options options = {.kernel = "csr-scalar", .vector_type = SPMV_F64};
    test_sample s = {.label = ""};
    spmv_gpus *gpus = NULL;
    spmv_part part = {0};
    spmv_error err = {0};
    spmv_status st;
    const spmv__transport *before = comm->transport;
    comm->transport = transport;
    if (comm->rank == 0) s = test_sample_make(3, SPMV_F64, 1000);
    st = spmv_part_spread(&part, comm, comm->rank == 0 ? &s.A : NULL, SPMV_PARTITION_NNZ, NULL);
    if (st == SPMV_SUCCESS)
        st = spmv_gpus_create_on_rank(&gpus, comm, 0, &part, &options, SPMV_ROUTE_DEVICE, &err);
    spmv_gpus_destroy(gpus);
    spmv_part_destroy(&part);
    spmv_destroy(&s.A);
    comm->transport = before;
    if (st != SPMV_ERROR_NO_DEVICE) return "another status";
    return strstr(err.message, words) != NULL ? NULL : "another sentence";
}

static const char *deny(spmv_comm *comm, void *user)
{
    spmv__transport honest = *comm->transport;
    (void)user;
    honest.takes_gpu_memory = NULL;
    return refuse(comm, &honest, "does not say that it takes memory of GPUs");
}

static const char *lie(spmv_comm *comm, void *user)
{
    spmv__transport liar = *comm->transport;
    (void)user;
    liar.prepare = prepare_badly;
    return refuse(comm, &liar, "but byte 64 of a message was not what process");
}

static const char *note_transport(spmv_comm *comm, void *user)
{
    (void)user;
    prepare_well = comm->transport->prepare;
    return NULL;
}

Test(rank_ways, memory_of_gpus_goes_to_an_mpi_that_takes_it)
{
    const char *complaint;
    team_run(1, note_transport, NULL);
    complaint = team_run(2, deny, NULL);
    cr_assert_null(complaint, "%s", complaint);
    complaint = team_run(3, lie, NULL);
    cr_assert_null(complaint, "%s", complaint);
}

/* ---- Rankings ------------------------------------------------------------------------------- */

typedef struct way_ranking {
    const spmv_matrix *A;
    spmv_pagerank_options options;
    spmv_route route;
    const spmv_pagerank_result *expected;
} way_ranking;

static const char *compare(const spmv_pagerank_result *a, const spmv_pagerank_result *b)
{
    if (a->iterations != b->iterations || a->converged != b->converged) return "another end";
    if (a->residual != b->residual) return "another residual";
    return memcmp(a->ranks, b->ranks, (size_t)b->nodes * sizeof *b->ranks) == 0 ? NULL
                                                                                : "other scores";
}

static const char *rank_together(spmv_comm *comm, void *user)
{
    const way_ranking *r = user;
    const bool root = comm->rank == 0;
    spmv_pagerank_result result = {0};
    spmv_context *ctx = NULL;
    const char *complaint = NULL;
    if (spmv_context_create(&ctx, 0, 0, NULL) != SPMV_SUCCESS) return "no GPU";
    if (spmv_pagerank_gpu_on_ranks(root ? &result : NULL, comm, root ? r->A : NULL,
                                   root ? &r->options : NULL, ctx, r->route, NULL) != SPMV_SUCCESS)
        complaint = "a failure";
    else if (root)
        complaint = compare(&result, r->expected);
    spmv_pagerank_destroy(&result);
    spmv_context_destroy(ctx);
    return complaint;
}

static void try_ranking(way_ranking *r, int size, const char *label)
{
    spmv_context *ctx[TEAM_MOST];
    spmv_pagerank_result expected;
    for (int k = 0; k < size; k++)
        cr_assert_eq(spmv_context_create(&ctx[k], 0, 0, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_pagerank_gpus(&expected, r->A, &r->options, ctx, size, NULL), SPMV_SUCCESS);
    cr_assert_gt(expected.iterations, 5, "%s: a test of hardly any iteration", label);
    for (int k = 0; k < size; k++) spmv_context_destroy(ctx[k]);
    r->expected = &expected;
    for (int i = 0; i < ROUTES; i++) {
        r->route = routes[i];
        const char *complaint = team_run(size, rank_together, r);
        cr_assert_null(complaint, "%s, %d ranks by route %d: %s", label, size, (int)r->route,
                       complaint);
    }
    spmv_pagerank_destroy(&expected);
}

/* An R-MAT graph has nodes that all read, nodes without edges, and more ranks than blocks of nodes
 * where it is small; of a stencil each rank reads little. */
Test(rank_ways, scores_have_the_bits_of_gpus_of_one_process)
{
    static const struct {
        const char *kind;
        spmv_generate_options options;
        int ranks;
    } graphs[] = {
        {"rmat", {.scale = 4, .per_row = 3, .seed = 1, .type = SPMV_PATTERN}, 7},
        {"rmat", {.scale = 9, .per_row = 6, .seed = 3, .type = SPMV_PATTERN}, 3},
        {"stencil5", {.grid = 40, .type = SPMV_F64}, 7},
    };
    for (size_t i = 0; i < sizeof graphs / sizeof *graphs; i++) {
        spmv_matrix A = {.format = SPMV_CSR};
        cr_assert_eq(spmv_generate(&A.csr, graphs[i].kind, &graphs[i].options, NULL), SPMV_SUCCESS);
        for (int64_t p = 0; A.csr.val != NULL && p < A.csr.nnz; p++)
            ((double *)A.csr.val)[p] = 1 + (double)(p % 5);
        way_ranking r = {.A = &A, .options = {.tolerance = 1e-7}};
        r.options.precision = i % 2 == 0 ? SPMV_F32 : SPMV_F64;
        try_ranking(&r, graphs[i].ranks, graphs[i].kind);
        spmv_destroy(&A);
    }
}

/* ---- Rows that are with their ranks ---------------------------------------------------------- */

static const char *rank_rows(spmv_comm *comm, void *user)
{
    const way_ranking *r = user;
    const bool root = comm->rank == 0;
    spmv_pagerank_result result = {0};
    spmv_context *ctx = NULL;
    spmv_part part = {0};
    const char *complaint = NULL;
    spmv_status st;
    SPMV__TRY(spmv_context_create(&ctx, 0, 0, NULL));
    SPMV__TRY(spmv_part_spread(&part, comm, root ? r->A : NULL, SPMV_PARTITION_ROWS, NULL));
    SPMV__TRY(spmv_pagerank_gpu_part(root ? &result : NULL, comm, &part, root ? &r->options : NULL,
                                     ctx, r->route, NULL));
    if (root && result.dangling != r->expected->dangling) complaint = "other dangling nodes";
    if (root && complaint == NULL) complaint = compare(&result, r->expected);
done:
    spmv_pagerank_destroy(&result);
    spmv_part_destroy(&part);
    spmv_context_destroy(ctx);
    return st == SPMV_SUCCESS ? complaint : "a failure";
}

/* As many ranks as GPUs of one process, also more than there are nodes. */
static void assert_rows(way_ranking *r, const char *label)
{
    static const int teams[] = {1, 2, 3, 4, 7};
    for (size_t i = 0; i < sizeof teams / sizeof *teams; i++) {
        spmv_context *ctx[TEAM_MOST];
        spmv_pagerank_result expected;
        for (int k = 0; k < teams[i]; k++)
            cr_assert_eq(spmv_context_create(&ctx[k], 0, 0, NULL), SPMV_SUCCESS);
        cr_assert_eq(spmv_pagerank_gpus(&expected, r->A, &r->options, ctx, teams[i], NULL),
                     SPMV_SUCCESS);
        for (int k = 0; k < teams[i]; k++) spmv_context_destroy(ctx[k]);
        r->expected = &expected;
        const char *complaint = team_run(teams[i], rank_rows, r);
        cr_assert_null(complaint, "%s, %d ranks: %s", label, teams[i], complaint);
        spmv_pagerank_destroy(&expected);
    }
}

enum { SIDE = 45 };

/* Nodes that no edge leaves or reaches, loops, hubs, and entries that are 0. */
static void fill_graph(double *dense, bool weighted)
{
    for (int64_t r = 0; r < SIDE; r++)
        for (int64_t c = 0; c < SIDE; c++) {
            const int64_t odd = (7 * r * r + 5 * r * c + 3 * c) % 11;
            const bool edge = r % 5 != 2 && c % 7 != 3 && (odd == 0 || c == 4 || r == 9);
            dense[r * SIDE + c] = !edge ? 0 : weighted ? 1 + (double)odd / 7 : 2;
        }
}

Test(rank_ways, rows_of_any_graph_have_the_bits_of_gpus_of_one_process)
{
    static const double two[] = {0, 1, 0, 0}, loop[] = {3};
    double alike[SIDE * SIDE], weighted[SIDE * SIDE], none[9] = {0};
    fill_graph(alike, false);
    fill_graph(weighted, true);
    const struct {
        const char *label;
        const double *dense;
        int nodes;
        spmv_pagerank_options options;
    } graphs[] = {
        {"no node", none, 0, {.tolerance = 0}},
        {"no edge", none, 3, {.tolerance = 0}},
        {"a loop", loop, 1, {.tolerance = 0}},
        {"an edge", two, 2, {.dangling = SPMV_DANGLING_DROP}},
        {"edges that are alike", alike, SIDE, {.tolerance = 1e-9}},
        {"weights", weighted, SIDE, {.precision = SPMV_F32, .norm = SPMV_NORM_LINF}},
        {"weights that do not count", weighted, SIDE, {.unweighted = true, .max_iterations = 3}},
    };
    for (size_t i = 0; i < sizeof graphs / sizeof *graphs; i++) {
        const int n = graphs[i].nodes;
        spmv_matrix A = {.format = SPMV_CSR};
        way_ranking r = {.A = &A, .options = graphs[i].options, .route = SPMV_ROUTE_HOST};
        cr_assert_eq(spmv_csr_from_dense(&A.csr, SPMV_F64, n, n, graphs[i].dense, NULL),
                     SPMV_SUCCESS);
        if (n == SIDE) ((double *)A.csr.val)[A.csr.row_ptr[9]] = 0;
        assert_rows(&r, graphs[i].label);
        spmv_destroy(&A);
    }
}
