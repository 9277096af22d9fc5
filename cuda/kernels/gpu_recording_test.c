/* gpu_recording_test.c -- multiplications recorded and replayed: nothing that a call does may wait
 * or allocate, or it cannot be recorded. */
#include "cuda/kernels/gpu_test.h"

#include <string.h>

TestSuite(gpu_recording, .init = gpu_test_open, .fini = gpu_test_close);

enum { VECTORS = 3, RECORDED = 4, REPLAYS = 3 };

/* Enqueues y += A x and y = -2 A x + 0.5 y in turn. */
static void apply(spmv_operator *op, const spmv_dense *x, spmv_dense *y, int times)
{
    spmv_error err;
    for (int i = 0; i < times; i++)
        cr_assert_eq(spmv_apply(op, i % 2 ? -2 : 1, x, i % 2 ? 0.5 : 1, y, NULL, &err),
                     SPMV_SUCCESS, "%s: %s", spmv_operator_options(op)->kernel, err.message);
}

static spmv_dense on_gpu(const spmv_dense *x)
{
    spmv_dense y;
    cr_assert_eq(spmv_dense_to_gpu(&y, gpu_context, x, NULL), SPMV_SUCCESS);
    return y;
}

/* What replays leave in y is what the same calls leave, one by one. */
static void check(const test_sample *s, const spmv_kernel *kernel, bool by_rows)
{
    const spmv_kernel_options options = {.kernel = kernel->name};
    spmv_dense x = gpu_test_vector(SPMV_F64, s->A.head.cols, VECTORS, 1), expected, got;
    spmv_dense y = gpu_test_vector(SPMV_F64, s->A.head.rows, VECTORS, 2);
    spmv_recording *recording;
    spmv_operator *op;
    spmv_matrix A;
    spmv_error err;
    if (!test_convert(&A, &s->A, kernel->format, s->label)) return;
    x.by_rows = y.by_rows = by_rows;
    spmv_dense gpu_x = on_gpu(&x), direct = on_gpu(&y), replayed = on_gpu(&y);
    cr_assert_eq(spmv_operator_create(&op, gpu_context, &A, &options, NULL), SPMV_SUCCESS);
    apply(op, &gpu_x, &direct, RECORDED); /* the first call may allocate */

    cr_assert_eq(spmv_context_record(gpu_context, NULL), SPMV_SUCCESS);
    apply(op, &gpu_x, &replayed, RECORDED);
    cr_assert_eq(spmv_context_record_end(gpu_context, &recording, &err), SPMV_SUCCESS, "%s: %s",
                 kernel->name, err.message);
    for (int i = 0; i < REPLAYS; i++)
        cr_assert_eq(spmv_context_replay(gpu_context, recording, NULL), SPMV_SUCCESS);
    for (int i = 1; i < REPLAYS; i++) apply(op, &gpu_x, &direct, RECORDED);

    cr_assert_eq(spmv_dense_from_gpu(&expected, gpu_context, &direct, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_dense_from_gpu(&got, gpu_context, &replayed, NULL), SPMV_SUCCESS);
    if (kernel->deterministic)
        cr_assert_arr_eq(got.data, expected.data, (size_t)(y.rows * y.cols) * sizeof(double), "%s",
                         kernel->name);
    spmv_recording_destroy(recording);
    spmv_operator_destroy(op);
    spmv_destroy(&A);
    spmv_dense *const all[] = {&x, &y, &gpu_x, &direct, &replayed, &expected, &got};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) spmv_dense_destroy(all[i]);
}

Test(gpu_recording, replays_do_what_the_calls_did)
{
    for (int k = 0; k < 8; k++) {
        test_sample s = test_sample_make(k, SPMV_F64, TEST_SMALL_CELLS / 10);
        for (int i = 0; i < spmv_kernel_count(); i++) {
            const spmv_kernel *kernel = spmv_kernel_at(i);
            if (!kernel->gpu || !kernel->available) continue;
            for (int by_rows = 0; by_rows <= kernel->spmm; by_rows++) check(&s, kernel, by_rows);
        }
        spmv_destroy(&s.A);
    }
}

static int64_t mixed(int64_t r)
{
    return r % 100 == 7 ? 400 : r % 9;
}

/* x and y change places each time; waiting in between changes nothing. */
static spmv_dense iterate(const spmv_matrix *A, const spmv_kernel_options *options, bool wait)
{
    spmv_dense x = gpu_test_vector(A->head.type, A->head.cols, 1, 5), result;
    spmv_dense vectors[] = {on_gpu(&x), on_gpu(&x)};
    spmv_operator *op;
    cr_assert_eq(spmv_operator_create(&op, gpu_context, A, options, NULL), SPMV_SUCCESS);
    for (int i = 0; i < 60 / GPU_TEST_SHARE + 2; i++) {
        cr_assert_eq(spmv_apply(op, 0.1, &vectors[i % 2], 0, &vectors[1 - i % 2], NULL, NULL),
                     SPMV_SUCCESS);
        if (wait) cr_assert_eq(spmv_context_synchronize(gpu_context, NULL), SPMV_SUCCESS);
    }
    cr_assert_eq(spmv_dense_from_gpu(&result, gpu_context, &vectors[0], NULL), SPMV_SUCCESS);
    spmv_operator_destroy(op);
    spmv_dense_destroy(&vectors[0]);
    spmv_dense_destroy(&vectors[1]);
    spmv_dense_destroy(&x);
    return result;
}

Test(gpu_recording, each_multiplication_sees_what_the_one_before_has_written)
{
    static const int64_t sides[] = {500, 30000 / GPU_TEST_SHARE};
    for (int k = 0; k < 4 * spmv_kernel_count(); k++) {
        const spmv_kernel *kernel = spmv_kernel_at(k / 4);
        const spmv_kernel_options options = {.kernel = kernel->name, .x_readonly = k % 2 == 1};
        if (!kernel->gpu || !kernel->available || !kernel->deterministic) continue;
        const int64_t side = sides[k / 2 % 2];
        spmv_matrix csr = gpu_test_rows(SPMV_F64, side, side, mixed), A;
        if (test_convert(&A, &csr, kernel->format, kernel->name)) {
            spmv_dense expected = iterate(&A, &options, true), got = iterate(&A, &options, false);
            cr_assert_arr_eq(got.data, expected.data, (size_t)side * sizeof(double), "%s",
                             kernel->name);
            spmv_dense_destroy(&expected);
            spmv_dense_destroy(&got);
            spmv_destroy(&A);
        }
        spmv_destroy(&csr);
    }
}

Test(gpu_recording, what_cannot_be_recorded)
{
    test_sample s = test_sample_make(5, SPMV_F64, 0);
    spmv_dense x = gpu_test_vector(SPMV_F64, s.A.head.cols, 1, 1);
    spmv_dense y = gpu_test_vector(SPMV_F64, s.A.head.rows, 1, 2);
    spmv_dense gpu_x = on_gpu(&x), gpu_y = on_gpu(&y);
    spmv_recording *recording;
    spmv_operator *op;
    spmv_result result;
    spmv_context *cpu;
    spmv_error err;
    cr_assert_eq(spmv_operator_create(&op, gpu_context, &s.A, NULL, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_context_record_end(gpu_context, &recording, &err),
                 SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_context_replay(gpu_context, NULL, &err), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_context_record(gpu_context, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_context_record(gpu_context, &err), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_apply(op, 1, &x, 0, &y, NULL, &err), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_apply(op, 1, &gpu_x, 0, &gpu_y, &result, &err), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_not_null(strstr(err.message, "what is recorded takes vectors on the GPU"));
    cr_assert_eq(spmv_context_synchronize(gpu_context, &err), SPMV_ERROR_KERNEL_LAUNCH);
    cr_assert_eq(spmv_context_record_end(gpu_context, &recording, &err), SPMV_ERROR_KERNEL_LAUNCH);
    cr_assert_null(recording);
    cr_assert_eq(spmv_apply(op, 1, &gpu_x, 0, &gpu_y, &result, &err), SPMV_SUCCESS); /* as ever */

    cr_assert_eq(spmv_context_create(&cpu, SPMV_DEVICE_CPU, 1, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_context_record(cpu, &err), SPMV_ERROR_NO_DEVICE);
    cr_assert_null(spmv_context_stream(cpu));
    spmv_context_destroy(cpu);
    spmv_operator_destroy(op);
    spmv_dense_destroy(&x);
    spmv_dense_destroy(&y);
    spmv_dense_destroy(&gpu_x);
    spmv_dense_destroy(&gpu_y);
    spmv_destroy(&s.A);
}

/* The first multiplication with so many vectors takes memory, which nothing that is recorded may.
 */
Test(gpu_recording, several_vectors_come_before_they_are_recorded)
{
    enum { K = 3 };
    const spmv_kernel_options options = {.kernel = "csr-merge"};
    spmv_matrix A = gpu_test_rows(SPMV_F64, 1000, 1000, mixed);
    spmv_dense x = gpu_test_vector(SPMV_F64, 1000, K, 1);
    spmv_recording *recording;
    spmv_operator *op;
    spmv_error err;
    x.by_rows = true;
    spmv_dense gpu_x = on_gpu(&x), gpu_y = on_gpu(&x);
    cr_assert_eq(spmv_operator_create(&op, gpu_context, &A, &options, NULL), SPMV_SUCCESS);
    for (int first = 1; first >= 0; first--) {
        cr_assert_eq(spmv_context_record(gpu_context, NULL), SPMV_SUCCESS);
        cr_assert_eq(spmv_apply(op, 1, &gpu_x, 0, &gpu_y, NULL, &err),
                     first ? SPMV_ERROR_INVALID_ARGUMENT : SPMV_SUCCESS, "%s", err.message);
        if (first) cr_assert_not_null(strstr(err.message, "before it is recorded"));
        cr_assert_eq(spmv_context_record_end(gpu_context, &recording, &err), SPMV_SUCCESS, "%s",
                     err.message);
        spmv_recording_destroy(recording);
        cr_assert_eq(spmv_apply(op, 1, &gpu_x, 0, &gpu_y, NULL, &err), SPMV_SUCCESS);
    }
    spmv_operator_destroy(op);
    spmv_dense_destroy(&x);
    spmv_dense_destroy(&gpu_x);
    spmv_dense_destroy(&gpu_y);
    spmv_destroy(&A);
}

Test(gpu_recording, a_context_may_go_while_it_records)
{
    spmv_recording *recording = NULL;
    spmv_context *ctx;
    spmv_error err;
    cr_assert_eq(spmv_context_create(&ctx, 0, 0, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_context_record(ctx, NULL), SPMV_SUCCESS);
    spmv_context_destroy(ctx);
    cr_assert_eq(spmv_context_record(gpu_context, &err), SPMV_SUCCESS, "%s", err.message);
    cr_assert_eq(spmv_context_record_end(gpu_context, &recording, &err), SPMV_SUCCESS, "%s",
                 err.message);
    cr_assert_not_null(recording);
    spmv_recording_destroy(recording);
}
