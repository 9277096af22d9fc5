/* gpu_lender_test.c -- contexts on a stream of the caller's: everything happens there, memory comes
 * from the caller's allocator and goes back, and each of its allocations may fail. */
#include "core/base/base.h"
#include "core/matrix/random_matrix_test.h"
#include "cuda/emulated/emulated_memory.h"
#include "cuda/emulated/emulated_places.h"
#include "cuda/host/view_cases_test.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A pool that notes what it gave: the n-th allocation from now on fails where that is asked for. */
typedef struct pool {
    void *stream; /* that it expects */
    long live, given, until_failure;
    int64_t bytes;
} pool;

static void *allocate(int64_t bytes, void *stream, void *user)
{
    pool *p = user;
    void *data = NULL;
    cr_assert_gt(bytes, 0);
    cr_assert_eq(stream, p->stream);
    if (p->until_failure >= 0 && p->until_failure-- == 0) return NULL;
    cr_assert_eq(posix_memalign(&data, 256, (size_t)bytes), 0);
    memset(data, 0xff, (size_t)bytes);
    p->live++;
    p->given++;
    p->bytes += bytes;
    return data;
}

static void release(void *data, int64_t bytes, void *stream, void *user)
{
    pool *p = user;
    cr_assert_eq(stream, p->stream);
    p->live--;
    p->bytes -= bytes;
    free(data);
}

static int place; /* stands for a stream: its address is enough */

static spmv_context *open_context(pool *p)
{
    spmv_context *ctx;
    spmv_error err;
    *p = (pool){.stream = &place, .until_failure = -1};
    const spmv_gpu_allocator from = {allocate, release, p};
    cr_assert_eq(spmv_context_create_on_stream(&ctx, 0, &place, &from, &err), SPMV_SUCCESS, "%s",
                 err.message);
    cr_assert_eq(spmv_context_stream(ctx), (void *)&place);
    cr_assert_eq(spmv_context_device(ctx), 0);
    return ctx;
}

/* Everything that an operator of this kernel does: it is made, multiplies from the host and on the
 * GPU, one vector and, where the kernel has that, three by rows. */
static spmv_status use(spmv_context *ctx, const spmv_matrix *A, const char *kernel, spmv_error *err)
{
    const spmv_kernel_options options = {.kernel = kernel};
    const int64_t vectors = spmv_kernel_find(kernel)->spmm ? 3 : 1;
    spmv_operator *op = NULL;
    spmv_dense x = {0}, y = {0}, on_gpu[2] = {{0}, {0}};
    spmv_status st;
    SPMV__TRY(spmv_operator_create(&op, ctx, A, &options, err));
    SPMV__TRY(spmv_dense_create(&x, SPMV_F64, A->head.cols, vectors, err));
    SPMV__TRY(spmv_dense_create(&y, SPMV_F64, A->head.rows, vectors, err));
    x.by_rows = y.by_rows = vectors > 1;
    SPMV__TRY(spmv_apply(op, 1, &x, 0, &y, NULL, err));
    SPMV__TRY(spmv_dense_to_gpu(&on_gpu[0], ctx, &x, err));
    SPMV__TRY(spmv_dense_to_gpu(&on_gpu[1], ctx, &y, err));
    SPMV__TRY(spmv_apply(op, 1, &on_gpu[0], 1, &on_gpu[1], NULL, err));
done:
    spmv_dense_destroy(&on_gpu[0]);
    spmv_dense_destroy(&on_gpu[1]);
    spmv_dense_destroy(&x);
    spmv_dense_destroy(&y);
    spmv_operator_destroy(op);
    return st;
}

/* Of every GPU kernel, with a matrix in its format. */
typedef void for_kernel(const spmv_kernel *kernel, const spmv_matrix *A);
static void for_kernels(for_kernel *run)
{
    for (int i = 0; i < spmv_kernel_count(); i++) {
        const spmv_kernel *kernel = spmv_kernel_at(i);
        test_sample s = test_sample_make(21, SPMV_F64, 4000);
        spmv_matrix A;
        if (kernel->gpu && test_convert(&A, &s.A, kernel->format, kernel->name)) {
            run(kernel, &A);
            spmv_destroy(&A);
        }
        spmv_destroy(&s.A);
    }
}

static void stays_there(const spmv_kernel *kernel, const spmv_matrix *A)
{
    const long others = emulated_live;
    pool p;
    spmv_error err;
    spmv_context *ctx = open_context(&p);
    emulated_only_stream = &place;
    emulated_strays = 0;
    cr_assert_eq(use(ctx, A, kernel->name, &err), SPMV_SUCCESS, "%s: %s", kernel->name,
                 err.message);
    cr_assert_geq(p.given, 6, "%s took %ld", kernel->name, p.given);
    spmv_context_destroy(ctx);
    emulated_only_stream = NULL;
    cr_assert_eq(emulated_strays, 0, "%s: %ld elsewhere", kernel->name, emulated_strays);
    cr_assert_eq(emulated_live, others, "%s took memory of its own", kernel->name);
    cr_assert_eq(p.live, 0, "%s kept %ld", kernel->name, p.live);
    cr_assert_eq(p.bytes, 0, "%s gave back %lld bytes less", kernel->name, (long long)p.bytes);
}

Test(gpu_lender, all_happens_on_the_stream_with_memory_of_the_callers)
{
    for_kernels(stays_there);
}

/* An allocation that fails is an error that names what it was for, and leaves nothing behind. */
static void may_fail(const spmv_kernel *kernel, const spmv_matrix *A)
{
    spmv_status st = SPMV_ERROR_CUDA_MALLOC;
    for (long k = 0; st != SPMV_SUCCESS; k++) {
        pool p;
        spmv_error err = {.message = ""};
        spmv_context *ctx = open_context(&p);
        p.until_failure = k;
        st = use(ctx, A, kernel->name, &err);
        if (p.until_failure < 0) {
            cr_assert_eq(st, SPMV_ERROR_CUDA_MALLOC, "%s, allocation %ld", kernel->name, k);
            cr_assert_not_null(strstr(err.message, "on the GPU for"), "%s", err.message);
            cr_assert_eq(p.live, 0, "%s, allocation %ld: kept %ld", kernel->name, k, p.live);
            cr_assert_eq(use(ctx, A, kernel->name, &err), SPMV_SUCCESS, "%s", err.message);
        }
        spmv_context_destroy(ctx);
        cr_assert_eq(p.live, 0);
    }
}

Test(gpu_lender, every_allocation_may_fail)
{
    for_kernels(may_fail);
}

/* What a lender has left it alone knows: a product that comes in pieces does not ask the GPU, which
 * says here that nothing is free. */
Test(gpu_lender, products_of_matrices_do_not_ask_what_is_free)
{
    pool p;
    spmv_error err;
    spmv_matrix C, expected;
    test_sample s = test_sample_make(30, SPMV_F64, 40000);
    const spmv_spgemm_options options = {.transpose_b = true};
    spmv_context *ctx = open_context(&p);
    cr_assert_gt(s.A.head.nnz, 100);
    cr_assert_eq(spmv_spgemm(&expected, &s.A, &s.A, &options, NULL, &err), SPMV_SUCCESS);
    setenv("EMULATED_MEMORY", "1", 1);
    cr_assert_eq(spmv_spgemm_gpu(&C, &s.A, &s.A, &options, ctx, NULL, &err), SPMV_SUCCESS, "%s",
                 err.message);
    unsetenv("EMULATED_MEMORY");
    cr_assert_eq(C.head.nnz, expected.head.nnz);
    cr_assert_arr_eq(C.csr.val, expected.csr.val, (size_t)C.head.nnz * sizeof(double));
    spmv_context_destroy(ctx);
    cr_assert_eq(p.live, 0);
    spmv_destroy(&C);
    spmv_destroy(&expected);
    spmv_destroy(&s.A);
}

/* ---- Views ------------------------------------------------------------------------------------
 */

/* A view of somebody's arrays with vectors there. */
typedef struct view_and_vectors {
    view_case of;
    spmv_dense x, y;
} view_and_vectors;

/* The memory is of another context, so that all that a pool gives is for the library. */
static view_and_vectors make_view(spmv_context *other, const spmv_csr *A, int kind)
{
    view_and_vectors v = {.of = view_test_make(other, A, kind)};
    spmv_dense x, y;
    cr_assert_eq(spmv_dense_create(&x, SPMV_F64, A->cols, 1, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_dense_create(&y, SPMV_F64, A->rows, 1, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_dense_to_gpu(&v.x, other, &x, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_dense_to_gpu(&v.y, other, &y, NULL), SPMV_SUCCESS);
    spmv_dense_destroy(&x);
    spmv_dense_destroy(&y);
    return v;
}

static void free_view(view_and_vectors *v)
{
    view_test_free(&v->of);
    spmv_dense_destroy(&v->x);
    spmv_dense_destroy(&v->y);
}

/* It is checked, made a matrix and multiplied.  *apart: how often the host waited or took memory
 * for the product. */
static spmv_status use_view(spmv_context *ctx, const pool *p, view_and_vectors *v,
                            const char *kernel, long *apart, spmv_error *err)
{
    const spmv_kernel_options options = {.kernel = kernel};
    spmv_gpu_matrix *A = NULL;
    spmv_operator *op = NULL;
    spmv_status st;
    SPMV__TRY(spmv_gpu_view_check(ctx, &v->of.view, err));
    SPMV__TRY(spmv_gpu_matrix_from_view(&A, ctx, &v->of.view, err));
    SPMV__TRY(spmv_operator_create_on_gpu(&op, ctx, A, &options, err));
    *apart = emulated_waits + p->given;
    SPMV__TRY(spmv_apply(op, 1, &v->x, 0, &v->y, NULL, err));
    *apart = emulated_waits + p->given - *apart;
done:
    spmv_operator_destroy(op);
    spmv_gpu_matrix_destroy(A);
    return st;
}

static const char *const kernels[] = {"csr-merge", "csr-vector", "csr-scalar"};
enum { KERNELS = 3 };

/* A product is enqueued on the stream of the context, waits for nothing and takes no memory. */
Test(gpu_lender, the_product_of_a_view_is_only_enqueued)
{
    test_sample s = test_sample_make(21, SPMV_F64, 4000);
    spmv_context *own;
    cr_assert_eq(spmv_context_create(&own, 0, 0, NULL), SPMV_SUCCESS);
    for (int k = 0; k < 8 * KERNELS; k++) {
        view_and_vectors v = make_view(own, &s.A.csr, k / KERNELS);
        pool p;
        spmv_error err;
        spmv_context *ctx = open_context(&p);
        long apart = -1;
        emulated_only_stream = &place;
        emulated_strays = 0;
        cr_assert_eq(use_view(ctx, &p, &v, kernels[k % KERNELS], &apart, &err), SPMV_SUCCESS, "%s",
                     err.message);
        spmv_context_destroy(ctx);
        emulated_only_stream = NULL;
        cr_assert_eq(emulated_strays, 0, "%d: %ld elsewhere", k, emulated_strays);
        cr_assert_eq(apart, 0, "%d: %ld waits and allocations", k, apart);
        cr_assert_gt(p.given, 0);
        cr_assert_eq(p.live, 0);
        free_view(&v);
    }
    spmv_context_destroy(own);
    spmv_destroy(&s.A);
}

Test(gpu_lender, every_allocation_for_a_view_may_fail)
{
    test_sample s = test_sample_make(21, SPMV_F64, 4000);
    spmv_context *own;
    cr_assert_neq(s.A.head.nnz % 8, 0, "csr-merge is to copy the last columns");
    cr_assert_eq(spmv_context_create(&own, 0, 0, NULL), SPMV_SUCCESS);
    for (int kind = 0; kind < 8; kind++) {
        view_and_vectors v = make_view(own, &s.A.csr, kind);
        spmv_status st = SPMV_ERROR_CUDA_MALLOC;
        long k = 0;
        for (; st != SPMV_SUCCESS; k++) {
            pool p;
            spmv_error err = {.message = ""};
            long apart;
            spmv_context *ctx = open_context(&p);
            p.until_failure = k;
            st = use_view(ctx, &p, &v, "csr-merge", &apart, &err);
            if (p.until_failure < 0) cr_assert_eq(st, SPMV_ERROR_CUDA_MALLOC);
            if (st != SPMV_SUCCESS)
                cr_assert_not_null(strstr(err.message, "on the GPU for"), "%s", err.message);
            spmv_context_destroy(ctx);
            cr_assert_eq(p.live, 0, "kind %d, allocation %ld: kept %ld", kind, k, p.live);
        }
        cr_assert_geq(k, 7, "%ld allocations", k);
        free_view(&v);
    }
    spmv_context_destroy(own);
    spmv_destroy(&s.A);
}

/* An array of the host's is refused before a kernel reads it. */
Test(gpu_lender, arrays_of_the_host_are_named)
{
    static const char *const names[] = {"row_ptr", "col_idx", "val"};
    test_sample s = test_sample_make(21, SPMV_F64, 4000);
    pool p;
    spmv_context *ctx = open_context(&p), *own;
    cr_assert_eq(spmv_context_create(&own, 0, 0, NULL), SPMV_SUCCESS);
    view_and_vectors v = make_view(own, &s.A.csr, 0);
    const void *const arrays[] = {v.of.view.row_ptr, v.of.view.col_idx, v.of.view.val};
    for (int i = 0; i < 3; i++) {
        spmv_gpu_matrix *A;
        spmv_error err = {.message = ""};
        char expected[64];
        snprintf(expected, sizeof expected, "%s is not in memory of a GPU", names[i]);
        emulated_of_host = arrays[i];
        cr_assert_eq(spmv_gpu_matrix_from_view(&A, ctx, &v.of.view, &err),
                     SPMV_ERROR_INVALID_ARGUMENT);
        cr_assert_null(A);
        cr_assert_str_eq(err.message, expected);
        cr_assert_eq(spmv_gpu_view_check(ctx, &v.of.view, &err), SPMV_ERROR_INVALID_ARGUMENT);
        cr_assert_str_eq(err.message, expected);
    }
    emulated_of_host = NULL;
    free_view(&v);
    spmv_context_destroy(ctx);
    spmv_context_destroy(own);
    cr_assert_eq(p.given, 0);
    spmv_destroy(&s.A);
}

/* ---- Where memory belongs ---------------------------------------------------------------------
 */

/* Without an allocator the pool of the device serves, in the order of the stream. */
Test(gpu_lender, the_pool_serves_in_the_order_of_the_stream)
{
    test_sample s = test_sample_make(21, SPMV_F64, 4000);
    const long before = emulated_live;
    spmv_context *ctx;
    spmv_error err;
    cr_assert_eq(spmv_context_create_on_stream(&ctx, 0, &place, NULL, &err), SPMV_SUCCESS);
    emulated_only_stream = &place;
    emulated_strays = 0;
    cr_assert_eq(use(ctx, &s.A, "csr-merge", &err), SPMV_SUCCESS, "%s", err.message);
    emulated_until_failure = 0;
    cr_assert_eq(use(ctx, &s.A, "csr-merge", &err), SPMV_ERROR_CUDA_MALLOC);
    spmv_context_destroy(ctx);
    emulated_only_stream = NULL;
    cr_assert_eq(emulated_strays, 0);
    cr_assert_eq(emulated_live, before);
    spmv_destroy(&s.A);
}

/* Memory goes back where it came from, whichever context was used last and though its own has gone
 * before. */
Test(gpu_lender, memory_goes_back_where_it_came_from)
{
    const long before = emulated_live;
    pool p, q;
    spmv_context *first = open_context(&p), *second = open_context(&q), *own;
    spmv_dense x, on_first, on_second, on_own;
    cr_assert_eq(spmv_context_create(&own, 0, 0, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_dense_create(&x, SPMV_F32, 100, 1, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_dense_to_gpu(&on_first, first, &x, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_dense_to_gpu(&on_own, own, &x, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_dense_to_gpu(&on_second, second, &x, NULL), SPMV_SUCCESS);
    cr_assert_eq(p.live, 1);
    cr_assert_eq(q.live, 1);
    cr_assert_eq(emulated_live, before + 1);
    spmv_context_destroy(first);
    spmv_dense_destroy(&on_first);
    cr_assert_eq(p.live, 0);
    cr_assert_eq(q.live, 1);
    spmv_dense_destroy(&on_own);
    cr_assert_eq(emulated_live, before);
    spmv_dense_destroy(&on_second);
    cr_assert_eq(q.live, 0);
    spmv_context_destroy(second);
    spmv_context_destroy(own);
    spmv_dense_destroy(&x);
}

Test(gpu_lender, misuse_is_named)
{
    const spmv_gpu_allocator halves[] = {{allocate, NULL, NULL}, {NULL, release, NULL}};
    spmv_context *ctx;
    spmv_error err;
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(spmv_context_create_on_stream(&ctx, 0, NULL, &halves[i], &err),
                     SPMV_ERROR_INVALID_ARGUMENT);
        cr_assert_null(ctx);
        cr_assert_not_null(strstr(err.message, "allocator->"), "%s", err.message);
    }
    const int devices[] = {SPMV_DEVICE_CPU, SPMV_DEVICE_AUTO, 1000};
    for (int i = 0; i < 3; i++) {
        cr_assert_eq(spmv_context_create_on_stream(&ctx, devices[i], NULL, NULL, &err),
                     SPMV_ERROR_NO_DEVICE);
        cr_assert_null(ctx);
    }
    cr_assert_eq(spmv_context_create_on_stream(NULL, 0, NULL, NULL, &err),
                 SPMV_ERROR_INVALID_ARGUMENT);
}
