/* operator_test.c -- the list of kernels, and contexts and operators on the CPU. */
#include "cuda/host/kernels.h"
#include "core/matrix/random_matrix_test.h"

#include <criterion/criterion.h>
#include <string.h>

/* [1 0 2 0; 0 3 4 0; 0 0 0 5] */
static int64_t row_ptr[] = {0, 2, 4, 5};
static int32_t col_idx[] = {0, 2, 1, 2, 3};
static double val[] = {1, 2, 3, 4, 5};
static const spmv_matrix example = {.format = SPMV_CSR,
                                    .csr = {.type = SPMV_F64,
                                            .rows = 3,
                                            .cols = 4,
                                            .nnz = 5,
                                            .row_ptr = row_ptr,
                                            .col_idx = col_idx,
                                            .val = val}};

static spmv_dense vector(double *data, int64_t rows, int64_t cols)
{
    return (spmv_dense){.type = SPMV_F64, .rows = rows, .cols = cols, .data = data};
}

Test(kernels, the_list_is_the_same_in_every_build)
{
    static const char *published[] = {"coo-atomic", "csr-scalar", "csr-vector", "csr-merge",
                                      "csr-panels", "csr-groups", "csr-staged", "csr-split",
                                      "csr-sweep",  "ell",        "hyb",        "jds",
                                      "sell",       "csell",      "bsr"};
    for (size_t i = 0; i < sizeof published / sizeof published[0]; i++) {
        const spmv_kernel *kernel = spmv_kernel_find(published[i]);
        cr_assert_not_null(kernel, "%s", published[i]);
        cr_assert(kernel->gpu);
        cr_assert_eq(kernel->deterministic, strcmp(published[i], "coo-atomic") != 0);
        cr_assert_eq(kernel->available, spmv__gpu_kernel_of(kernel) != NULL);
    }
    size_t on_gpu = 0;
    for (int i = 0; i < spmv_kernel_count(); i++) on_gpu += spmv_kernel_at(i)->gpu;
    cr_assert_eq(on_gpu, sizeof published / sizeof published[0]);
    for (int f = 0; f < SPMV_FORMATS; f++) {
        const spmv_kernel *kernel = spmv__kernel_for((spmv_format)f, false);
        cr_assert_not_null(kernel);
        cr_assert(kernel->available && kernel->deterministic && !kernel->gpu);
    }
    for (int i = 0; i < spmv_kernel_count(); i++)
        cr_assert_eq(spmv_kernel_find(spmv_kernel_at(i)->name), spmv_kernel_at(i), "%d", i);
    cr_assert_null(spmv_kernel_at(-1));
    cr_assert_null(spmv_kernel_at(spmv_kernel_count()));
    cr_assert_null(spmv_kernel_find("csr"));
    cr_assert_null(spmv_kernel_find(NULL));
}

Test(context, devices)
{
    spmv_context *ctx;
    spmv_error err;
    cr_assert_eq(spmv_context_create(&ctx, SPMV_DEVICE_CPU, 2, &err), SPMV_SUCCESS);
    cr_assert_eq(spmv_context_device(ctx), SPMV_DEVICE_CPU);
    cr_assert_eq(spmv_context_synchronize(ctx, &err), SPMV_SUCCESS);
    spmv_context_destroy(ctx);
    cr_assert_eq(spmv_context_create(&ctx, spmv_gpu_count(), 0, &err), SPMV_ERROR_NO_DEVICE);
    cr_assert_null(ctx);
    cr_assert_str_not_empty(err.message);
    cr_assert_eq(spmv_context_create(&ctx, SPMV_DEVICE_CPU, -1, &err), SPMV_ERROR_INVALID_ARGUMENT);
    spmv_context_destroy(NULL);
}

/* Outputs that held something else are empty after every failure, also the first one. */
Test(context, a_refusal_leaves_nothing_to_release)
{
    spmv_comm *comm;
    spmv_error err;
    spmv_matrix A;
    spmv_dense x;
    spmv_part part;
    spmv_pagerank_result ranking;
    spmv_gpu_matrix *shared = (spmv_gpu_matrix *)&A;
    spmv_recording *recording = (spmv_recording *)&A;
    memset(&A, 0x55, sizeof A);
    memset(&x, 0x55, sizeof x);
    memset(&part, 0x55, sizeof part);
    memset(&ranking, 0x55, sizeof ranking);
    cr_assert_eq(spmv_comm_alone(&comm, NULL), SPMV_SUCCESS);
    cr_assert_neq(spmv_from_gpu(&A, NULL, NULL, NULL), SPMV_SUCCESS);
    cr_expect(A.head.storage == NULL && A.csr.row_ptr == NULL);
    cr_assert_neq(spmv_dense_to_gpu(&x, NULL, NULL, NULL), SPMV_SUCCESS);
    cr_expect(x.data == NULL && x.storage == NULL);
    cr_assert_neq(
        spmv_spgemm_gpu_on_ranks(&part, comm, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
        SPMV_SUCCESS);
    cr_expect(part.row_begin == NULL && part.own.row_ptr == NULL);
    cr_assert_neq(spmv_pagerank_gpu_part(&ranking, comm, NULL, NULL, NULL, SPMV_ROUTE_AUTO, NULL),
                  SPMV_SUCCESS);
    cr_expect_null(ranking.ranks);
    cr_assert_neq(spmv_csr_to_gpu(&shared, NULL, NULL, NULL), SPMV_SUCCESS);
    cr_expect_null(shared);
    cr_assert_neq(
        spmv_gpus_record(&recording, NULL, (spmv_scalar){1, 0}, (spmv_scalar){0, 0}, 1, NULL),
        SPMV_SUCCESS);
    cr_expect_null(recording);
    cr_assert_eq(spmv_context_memory_start(NULL, &err), SPMV_ERROR_INVALID_ARGUMENT);
    cr_expect_str_eq(err.message, "there is no context");
    spmv_comm_close(comm);
}

Test(operator, several_columns_with_alpha_and_beta)
{
    double x_data[] = {1, 2, 3, 4, 0, 1, 0, -1}, y_data[] = {1, 1, 1, 2, 2, 2};
    const double expected[] = {2 * 7 + 1, 2 * 18 + 1, 2 * 20 + 1, 0 + 2, 2 * 3 + 2, 2 * -5 + 2};
    spmv_dense x = vector(x_data, 4, 2), y = vector(y_data, 3, 2);
    spmv_result result;
    cr_assert_eq(spmv_csr_multiply(&example.csr, 2, &x, 1, &y, NULL, NULL, &result, NULL),
                 SPMV_SUCCESS);
    for (int i = 0; i < 6; i++) cr_assert_float_eq(y_data[i], expected[i], 0, "%d", i);
    cr_assert_eq(result.status, SPMV_SUCCESS);
    cr_assert_str_eq(result.kernel, "cpu-csr");
    cr_assert_gt(result.seconds, 0);
    cr_assert_float_eq(result.flops_per_second * result.seconds, 2 * 5 * 2, 1e-9,
                       "an addition and a product per entry and column");
}

/* [1 0 2 0; 0 3 4 0; 0 0 0 5] [1; i; 2; -i] = [5; 8+3i; -5i], and i times that less i times 1. */
Test(operator, a_real_matrix_times_complex_vectors_with_complex_factors)
{
    double x_data[] = {1, 0, 0, 1, 2, 0, 0, -1}, y_data[] = {1, 0, 1, 0, 1, 0};
    const double product[] = {5, 0, 8, 3, 0, -5}, expected[] = {0, 4, -3, 7, 5, -1};
    spmv_dense x = {.type = SPMV_C128, .rows = 4, .cols = 1, .data = x_data};
    spmv_dense y = {.type = SPMV_C128, .rows = 3, .cols = 1, .data = y_data};
    const spmv_scalar i = {0, 1}, minus_i = {0, -1};
    spmv_context *ctx;
    spmv_operator *op;
    spmv_result result;
    spmv_error err;
    cr_assert_eq(spmv_context_create(&ctx, SPMV_DEVICE_CPU, 1, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_operator_create(&op, ctx, &example, NULL, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_apply_complex(op, i, &x, minus_i, &y, &result, NULL), SPMV_SUCCESS);
    for (int k = 0; k < 6; k++) cr_assert_eq(y_data[k], expected[k], "%d", k);
    cr_assert_eq(spmv_apply(op, 1, &x, 0, &y, NULL, NULL), SPMV_SUCCESS);
    for (int k = 0; k < 6; k++) cr_assert_eq(y_data[k], product[k], "%d", k);

    spmv_dense real_x = vector(x_data, 4, 1), real_y = vector(y_data, 3, 1);
    cr_assert_eq(spmv_apply_complex(op, i, &real_x, minus_i, &real_y, &result, &err),
                 SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_not_null(strstr(err.message, "alpha or beta is complex"), "%s", err.message);
    cr_assert_eq(spmv_apply(op, 1, &x, 0, &real_y, NULL, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    x.type = y.type = SPMV_C64;
    cr_assert_eq(spmv_apply(op, 1, &x, 0, &y, NULL, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    for (int k = 0; k < 6; k++) cr_assert_eq(y_data[k], product[k], "%d", k);
    spmv_operator_destroy(op);
    spmv_context_destroy(ctx);
}

/* Tries every way to hand over vectors that do not fit, and checks what is said. */
Test(operator, vectors_that_do_not_fit_are_refused)
{
    double x_data[8] = {0}, y_data[8] = {9, 9, 9, 9, 9, 9, 9, 9};
    static const struct {
        int64_t x_rows, x_cols, y_rows, y_cols;
    } sizes[] = {{3, 1, 3, 1}, {5, 1, 3, 1},   {4, 1, 4, 1}, {4, 1, 2, 1},
                 {4, 2, 3, 1}, {4, -1, 3, -1}, {3, 1, 4, 1}};
    spmv_context *ctx;
    spmv_operator *op;
    spmv_result result;
    spmv_error err;
    cr_assert_eq(spmv_context_create(&ctx, SPMV_DEVICE_CPU, 1, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_operator_create(&op, ctx, &example, NULL, NULL), SPMV_SUCCESS);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        spmv_dense x = vector(x_data, sizes[i].x_rows, sizes[i].x_cols);
        spmv_dense y = vector(y_data, sizes[i].y_rows, sizes[i].y_cols);
        cr_assert_eq(spmv_apply(op, 1, &x, 0, &y, &result, &err), SPMV_ERROR_INVALID_DIMENSION);
        cr_assert_eq(result.status, SPMV_ERROR_INVALID_DIMENSION);
        cr_assert_not_null(strstr(err.message, "A is 3 x 4"));
    }

    spmv_dense wide_x = vector(x_data, 4, INT64_MAX / 2), wide_y = vector(y_data, 3, INT64_MAX / 2);
    cr_assert_eq(spmv_apply(op, 1, &wide_x, 0, &wide_y, NULL, &err), SPMV_ERROR_INVALID_DIMENSION);
    cr_assert_not_null(strstr(err.message, "more than can be addressed"));

    spmv_dense x = vector(x_data, 4, 1), y = vector(y_data, 3, 1), odd;
    odd = (spmv_dense){.type = SPMV_F32, .rows = 4, .cols = 1, .data = x_data};
    cr_assert_eq(spmv_apply(op, 1, &odd, 0, &y, NULL, &err), SPMV_ERROR_INVALID_ARGUMENT);
    odd = x, odd.on_gpu = true;
    cr_assert_eq(spmv_apply(op, 1, &odd, 0, &y, NULL, &err), SPMV_ERROR_INVALID_ARGUMENT);
    odd = x, odd.data = NULL;
    cr_assert_eq(spmv_apply(op, 1, &odd, 0, &y, NULL, &err), SPMV_ERROR_INVALID_ARGUMENT);
    odd = vector(x_data + 3, 3, 1);
    cr_assert_eq(spmv_apply(op, 1, &x, 0, &odd, NULL, &err), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_str_eq(err.message, "x and y overlap");
    cr_assert_eq(spmv_apply(op, 1, NULL, 0, &y, &result, &err), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(result.status, SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_str_eq(err.message, "spmv_apply requires op != NULL && x != NULL && y != NULL");
    for (int i = 0; i < 8; i++) cr_assert_eq(y_data[i], 9);
    spmv_operator_destroy(op);
    spmv_context_destroy(ctx);
}

Test(operator, configurations_that_do_not_fit_are_refused)
{
    spmv_context *ctx;
    spmv_operator *op;
    spmv_error err;
    spmv_matrix triangle = example;
    static const spmv_kernel_options bad[] = {{.kernel = "no-such-kernel"},
                                              {.kernel = NULL},
                                              {.kernel = "csr-merge"},
                                              {.kernel = "cpu-ell"},
                                              {.kernel = "cpu-csr", .block_size = 48},
                                              {.kernel = "cpu-csr", .block_size = 2048},
                                              {.kernel = "cpu-csr", .block_size = 16},
                                              {.kernel = "cpu-csr", .block_size = -32},
                                              {.kernel = "cpu-csr", .vector_type = (spmv_type)77}};
    cr_assert_eq(spmv_context_create(&ctx, SPMV_DEVICE_CPU, 1, NULL), SPMV_SUCCESS);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        cr_assert_eq(spmv_operator_create(&op, ctx, &example, &bad[i], &err),
                     SPMV_ERROR_INVALID_ARGUMENT, "%zu", i);
        cr_assert_null(op);
        cr_assert_str_not_empty(err.message);
    }
    triangle.head.symmetry = SPMV_SYMMETRIC;
    cr_assert_eq(spmv_operator_create(&op, ctx, &triangle, NULL, &err), SPMV_ERROR_UNSUPPORTED);
    triangle.head.type = (spmv_type)9;
    cr_assert_eq(spmv_operator_create(&op, ctx, &triangle, NULL, &err),
                 SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_str_eq(err.message, "there is no type of values 9");
    cr_assert_eq(spmv_operator_create(&op, NULL, &example, NULL, &err),
                 SPMV_ERROR_INVALID_ARGUMENT);
    spmv_context_destroy(ctx);
}

/* Checks property 10 on the CPU, by 100 random matrices and lengths off by a little or a lot. */
Test(operator, wrong_lengths_compute_nothing)
{
    for (int k = 0; k < TEST_CASES; k++) {
        test_sample s = test_sample_make(k, SPMV_F64, 0);
        const int64_t off = 1 + k * k, rows = s.A.head.rows, cols = s.A.head.cols;
        spmv_dense x, y;
        spmv_error err;
        cr_assert_eq(spmv_dense_create(&x, SPMV_F64, k % 2 ? cols : cols + off, 1, NULL),
                     SPMV_SUCCESS);
        cr_assert_eq(spmv_dense_create(&y, SPMV_F64, k % 2 ? rows + off : rows, 1, NULL),
                     SPMV_SUCCESS);
        for (int64_t r = 0; r < y.rows; r++) ((double *)y.data)[r] = 4.5;
        cr_assert_eq(spmv_multiply(&s.A, 1, &x, 0, &y, NULL, NULL, NULL, &err),
                     SPMV_ERROR_INVALID_DIMENSION, "%s", s.label);
        for (int64_t r = 0; r < y.rows; r++)
            cr_assert_eq(((double *)y.data)[r], 4.5, "%s", s.label);
        spmv_dense_destroy(&x);
        spmv_dense_destroy(&y);
        spmv_destroy(&s.A);
    }
}
