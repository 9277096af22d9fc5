/* gpu_threads_test.c -- several threads on one GPU, and streams that other work of it uses.  Only a
 * GPU has streams and limits of kernels that threads share. */
#include "cuda/kernels/gpu_test.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

TestSuite(gpu_threads, .init = gpu_test_open, .fini = gpu_test_close);

enum { RECORDINGS = 300, APPLIED = 20, THREADS = 4, PRODUCTS = 60 };

/* What went wrong in a thread, "" where nothing did: assertions are for the first one. */
typedef struct thread_outcome {
    int failures;
    spmv_error err;
} thread_outcome;

static void note(thread_outcome *o, spmv_status st, const spmv_error *err)
{
    if (st != SPMV_SUCCESS && o->failures++ == 0) o->err = *err;
}

/* ---- Recordings ------------------------------------------------------------------------------ */

typedef struct uploads {
    atomic_bool stop;
    int count;
    thread_outcome of;
} uploads;

/* Takes memory, copies, and gives it back, until it is told to stop. */
static void *upload(void *user)
{
    uploads *u = user;
    spmv_context *ctx = NULL;
    spmv_error err = {0};
    spmv_dense x = {0};
    spmv_status st = spmv_context_create(&ctx, 0, 0, &err);
    if (st == SPMV_SUCCESS) st = spmv_dense_create(&x, SPMV_F64, 1000, 1, &err);
    note(&u->of, st, &err);
    for (; st == SPMV_SUCCESS && !u->stop; u->count++) {
        spmv_dense there = {0};
        note(&u->of, spmv_dense_to_gpu(&there, ctx, &x, &err), &err);
        spmv_dense_destroy(&there);
    }
    spmv_dense_destroy(&x);
    spmv_context_destroy(ctx);
    return NULL;
}

static int64_t ten(int64_t r)
{
    (void)r;
    return 10;
}

Test(gpu_threads, recordings_are_not_spoilt_and_spoil_nothing)
{
    const spmv_kernel_options options = {.kernel = "csr-merge"};
    spmv_matrix A = gpu_test_rows(SPMV_F64, 3000, 3000, ten);
    spmv_dense x = gpu_test_vector(SPMV_F64, 3000, 1, 1), y = gpu_test_vector(SPMV_F64, 3000, 1, 2);
    spmv_dense gpu_x, gpu_y;
    uploads other = {0};
    thread_outcome own = {0};
    pthread_t thread;
    spmv_operator *op;
    spmv_error err;

    cr_assert_eq(spmv_operator_create(&op, gpu_context, &A, &options, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_dense_to_gpu(&gpu_x, gpu_context, &x, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_dense_to_gpu(&gpu_y, gpu_context, &y, NULL), SPMV_SUCCESS);
    cr_assert_eq(pthread_create(&thread, NULL, upload, &other), 0);
    for (int i = 0; i < RECORDINGS; i++) {
        spmv_recording *recording = NULL;
        note(&own, spmv_context_record(gpu_context, &err), &err);
        for (int k = 0; k < APPLIED; k++)
            note(&own, spmv_apply(op, 1, &gpu_x, 0, &gpu_y, NULL, &err), &err);
        note(&own, spmv_context_record_end(gpu_context, &recording, &err), &err);
        if (recording != NULL) note(&own, spmv_context_replay(gpu_context, recording, &err), &err);
        spmv_recording_destroy(recording);
    }
    other.stop = true;
    pthread_join(thread, NULL);
    cr_assert_eq(own.failures, 0, "%s", own.err.message);
    cr_assert_eq(other.of.failures, 0, "%s", other.of.err.message);
    cr_assert_gt(other.count, 0);
    spmv_operator_destroy(op);
    spmv_destroy(&A);
    spmv_dense *const all[] = {&x, &y, &gpu_x, &gpu_y};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) spmv_dense_destroy(all[i]);
}

/* ---- The default stream ---------------------------------------------------------------------- */

Test(gpu_threads, graphs_are_ranked_on_the_default_stream)
{
    const spmv_generate_options graph = {.scale = 12, .per_row = 8};
    const spmv_pagerank_options options = {.unweighted = true};
    spmv_pagerank_result expected, got;
    spmv_matrix A = {.format = SPMV_CSR};
    spmv_context *ctx;
    spmv_error err;
    cr_assert_eq(spmv_generate(&A.csr, "rmat", &graph, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_pagerank_gpu(&expected, &A, &options, gpu_context, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_context_create_on_stream(&ctx, 0, NULL, NULL, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_pagerank_gpu(&got, &A, &options, ctx, &err), SPMV_SUCCESS, "%s", err.message);
    cr_assert_arr_eq(got.ranks, expected.ranks, (size_t)got.nodes * sizeof *got.ranks);
    spmv_pagerank_destroy(&expected);
    spmv_pagerank_destroy(&got);
    spmv_context_destroy(ctx);
    spmv_destroy(&A);
}

/* ---- Products -------------------------------------------------------------------------------- */

static int64_t mixed(int64_t r)
{
    return r % 1000 == 7 ? 1600 : r % 333 == 5 ? 300 : 10;
}

typedef struct products {
    int64_t rows;
    int wrong; /* products that are not the first one */
    thread_outcome of;
} products;

static void multiply(products *p, spmv_context *ctx, const spmv_gpu_matrix *A, spmv_matrix *first)
{
    spmv_gpu_matrix *C = NULL;
    spmv_matrix got = {.format = SPMV_CSR};
    spmv_error err;
    spmv_status st = spmv_spgemm_on_gpu(&C, ctx, A, A, NULL, NULL, &err);
    if (st == SPMV_SUCCESS) st = spmv_from_gpu(&got, ctx, C, &err);
    note(&p->of, st, &err);
    spmv_gpu_matrix_destroy(C);
    if (st == SPMV_SUCCESS && first->csr.row_ptr == NULL) {
        *first = got;
        return;
    }
    p->wrong += st == SPMV_SUCCESS && !spmv_identical(first, &got);
    spmv_destroy(&got);
}

static void *multiply_often(void *user)
{
    products *p = user;
    spmv_matrix A = gpu_test_rows(SPMV_F64, p->rows, p->rows, mixed), first = {.format = SPMV_CSR};
    spmv_gpu_matrix *there = NULL;
    spmv_context *ctx = NULL;
    spmv_error err;
    spmv_status st = spmv_context_create(&ctx, 0, 0, &err);
    if (st == SPMV_SUCCESS) st = spmv_to_gpu(&there, ctx, &A, &err);
    note(&p->of, st, &err);
    for (int i = 0; i < PRODUCTS && st == SPMV_SUCCESS; i++) multiply(p, ctx, there, &first);
    spmv_gpu_matrix_destroy(there);
    spmv_context_destroy(ctx);
    spmv_destroy(&first);
    spmv_destroy(&A);
    return NULL;
}

Test(gpu_threads, products_of_different_sizes_run_side_by_side)
{
    products p[THREADS] = {{.rows = 0}};
    pthread_t thread[THREADS];
    for (int k = 0; k < THREADS; k++) {
        p[k].rows = k % 2 == 0 ? 20000 : 6000;
        cr_assert_eq(pthread_create(&thread[k], NULL, multiply_often, &p[k]), 0);
    }
    for (int k = 0; k < THREADS; k++) pthread_join(thread[k], NULL);
    for (int k = 0; k < THREADS; k++) {
        cr_assert_eq(p[k].of.failures, 0, "%d: %s", k, p[k].of.err.message);
        cr_assert_eq(p[k].wrong, 0, "%d", k);
    }
}
