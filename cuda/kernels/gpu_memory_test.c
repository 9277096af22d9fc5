/* gpu_memory_test.c -- matrices and vectors on the GPU: there and back, and what is refused. */
#include "core/matrix/value.h"
#include "cuda/gpu/gpu.h"
#include "cuda/kernels/gpu_test.h"

#include <string.h>

TestSuite(gpu_memory, .init = gpu_test_open, .fini = gpu_test_close);

Test(gpu_memory, every_format_and_type_comes_back_bit_by_bit)
{
    spmv_error err;
    for (int k = 0; k < TEST_CASES / GPU_TEST_SHARE; k++) {
        test_sample s = test_sample_make(k, (spmv_type)(k % SPMV_TYPES), 0);
        for (int f = 0; f < SPMV_FORMATS; f++) {
            spmv_matrix A, back;
            spmv_gpu_matrix *on_gpu;
            if (!test_convert(&A, &s.A, (spmv_format)f, s.label)) continue;
            cr_assert_eq(spmv_to_gpu(&on_gpu, gpu_context, &A, &err), SPMV_SUCCESS, "%s: %s",
                         s.label, err.message);
            cr_assert_eq(spmv_from_gpu(&back, gpu_context, on_gpu, &err), SPMV_SUCCESS, "%s: %s",
                         s.label, err.message);
            test_assert_valid(&back, s.label);
            cr_assert(spmv_identical(&A, &back), "%s as %s", s.label,
                      spmv_format_name((spmv_format)f));
            spmv_destroy(&A);
            spmv_destroy(&back);
            spmv_gpu_matrix_destroy(on_gpu);
        }
        spmv_destroy(&s.A);
    }
}

/* Values of every format are overwritten by others in the same places, and by nothing else. */
Test(gpu_memory, values_are_overwritten)
{
    spmv_error err;
    for (int k = 2; k < 2 + TEST_CASES / GPU_TEST_SHARE; k++) {
        test_sample s = test_sample_make(k, (spmv_type)(k % SPMV_TYPES), 0);
        spmv_matrix twice, wrong = {.format = SPMV_CSR};
        cr_assert_eq(spmv_convert(&twice, &s.A, SPMV_COO, NULL, NULL), SPMV_SUCCESS);
        for (int64_t p = 0; p < twice.head.nnz; p++)
            spmv__set_scalar(twice.head.type, twice.coo.val, p, spmv__number((double)p, 1));
        for (int f = 0; f < SPMV_FORMATS; f++) {
            spmv_matrix A, B, back;
            spmv_gpu_matrix *on_gpu;
            if (!test_convert(&A, &s.A, (spmv_format)f, s.label)) continue;
            cr_assert(test_convert(&B, &twice, (spmv_format)f, s.label));
            cr_assert_eq(spmv_to_gpu(&on_gpu, gpu_context, &A, NULL), SPMV_SUCCESS);
            cr_assert_eq(spmv_gpu_matrix_set(on_gpu, gpu_context, &B, &err), SPMV_SUCCESS, "%s: %s",
                         s.label, err.message);
            wrong.head = B.head;
            wrong.head.nnz++;
            cr_assert_eq(spmv_gpu_matrix_set(on_gpu, gpu_context, &wrong, &err),
                         SPMV_ERROR_INVALID_DIMENSION);
            wrong.head.nnz--;
            wrong.head.type = (spmv_type)((wrong.head.type + 1) % SPMV_TYPES);
            cr_assert_eq(spmv_gpu_matrix_set(on_gpu, gpu_context, &wrong, &err),
                         SPMV_ERROR_INVALID_ARGUMENT);
            cr_assert_eq(spmv_from_gpu(&back, gpu_context, on_gpu, NULL), SPMV_SUCCESS);
            cr_assert(spmv_identical(&B, &back), "%s as %s", s.label,
                      spmv_format_name((spmv_format)f));
            spmv_destroy(&A);
            spmv_destroy(&B);
            spmv_destroy(&back);
            spmv_gpu_matrix_destroy(on_gpu);
        }
        spmv_destroy(&twice);
        spmv_destroy(&s.A);
    }
}

/* There are more columns than 32 bits hold: indices must not be narrowed on the way. */
Test(gpu_memory, wide_coordinates_are_kept)
{
    spmv_matrix A = {.format = SPMV_COO}, back;
    spmv_gpu_matrix *on_gpu;
    cr_assert_eq(spmv_coo_create(&A.coo, SPMV_F64, 3, (int64_t)1 << 40, 2, NULL), SPMV_SUCCESS);
    A.coo.row_idx[1] = 2;
    A.coo.col_idx[0] = 5;
    A.coo.col_idx[1] = ((int64_t)1 << 40) - 1;
    cr_assert_eq(spmv_to_gpu(&on_gpu, gpu_context, &A, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_from_gpu(&back, gpu_context, on_gpu, NULL), SPMV_SUCCESS);
    cr_assert(spmv_identical(&A, &back));
    spmv_gpu_matrix_destroy(on_gpu);
    spmv_destroy(&A);
    spmv_destroy(&back);
}

Test(gpu_memory, a_matrix_comes_back_only_as_what_it_is)
{
    test_sample s = test_sample_make(5, SPMV_F32, 0);
    spmv_gpu_matrix *on_gpu;
    spmv_ell ell;
    spmv_csr csr;
    spmv_error err;
    cr_assert_eq(spmv_csr_to_gpu(&on_gpu, gpu_context, &s.A.csr, &err), SPMV_SUCCESS);
    cr_assert_eq(spmv_ell_from_gpu(&ell, gpu_context, on_gpu, &err), SPMV_ERROR_INVALID_FORMAT);
    cr_assert_null(ell.col_idx);
    cr_assert_eq(spmv_csr_from_gpu(&csr, gpu_context, on_gpu, &err), SPMV_SUCCESS);
    cr_assert_arr_eq(csr.col_idx, s.A.csr.col_idx, (size_t)csr.nnz * sizeof *csr.col_idx);
    spmv_csr_destroy(&csr);
    spmv_gpu_matrix_destroy(on_gpu);
    spmv_destroy(&s.A);
}

/* This tries twice 100 vectors of a wrong length, on the host and on the GPU. */
Test(gpu_memory, wrong_lengths_compute_nothing)
{
    test_sample s = test_sample_make(6, SPMV_F64, 0);
    spmv_operator *op;
    spmv_error err;
    cr_assert_eq(spmv_operator_create(&op, gpu_context, &s.A, NULL, &err), SPMV_SUCCESS);
    for (int k = 0; k < 2 * TEST_CASES; k++) {
        const int64_t off = 1 + k / 4, rows = s.A.head.rows, cols = s.A.head.cols;
        spmv_dense x = gpu_test_vector(SPMV_F64, k % 2 ? cols : cols + off, 1, 1);
        spmv_dense y = gpu_test_vector(SPMV_F64, k % 2 ? rows + off : rows, 1, 2), on_gpu[2], back;
        spmv_dense before = gpu_test_copy(&y);
        cr_assert_eq(spmv_dense_to_gpu(&on_gpu[0], gpu_context, &x, NULL), SPMV_SUCCESS);
        cr_assert_eq(spmv_dense_to_gpu(&on_gpu[1], gpu_context, &y, NULL), SPMV_SUCCESS);
        cr_assert_eq(spmv_apply(op, 1, &x, 0, &y, NULL, &err), SPMV_ERROR_INVALID_DIMENSION);
        cr_assert_eq(spmv_apply(op, 1, &on_gpu[0], 0, &on_gpu[1], NULL, &err),
                     SPMV_ERROR_INVALID_DIMENSION);
        cr_assert_eq(spmv_dense_from_gpu(&back, gpu_context, &on_gpu[1], NULL), SPMV_SUCCESS);
        const size_t bytes = (size_t)y.rows * sizeof(double);
        cr_assert_arr_eq(y.data, before.data, bytes, "off by %lld", (long long)off);
        cr_assert_arr_eq(back.data, before.data, bytes, "off by %lld", (long long)off);
        spmv_dense_destroy(&x);
        spmv_dense_destroy(&y);
        spmv_dense_destroy(&back);
        spmv_dense_destroy(&before);
        spmv_dense_destroy(&on_gpu[0]);
        spmv_dense_destroy(&on_gpu[1]);
    }
    spmv_operator_destroy(op);
    spmv_destroy(&s.A);
}

Test(gpu_memory, misuse_is_named)
{
    test_sample s = test_sample_make(7, SPMV_F32, 0);
    spmv_matrix csc;
    spmv_operator *op;
    spmv_error err;
    const spmv_kernel_options cpu = {.kernel = "cpu-csr"},
                              block = {.kernel = "csr-merge", .block_size = 96};
    cr_assert(test_convert(&csc, &s.A, SPMV_CSC, s.label));
    cr_assert_eq(spmv_operator_create(&op, gpu_context, &csc, NULL, &err),
                 SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_not_null(strstr(err.message, "convert it to csr"));
    cr_assert_eq(spmv_operator_create(&op, gpu_context, &s.A, &cpu, &err),
                 SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_operator_create(&op, gpu_context, &s.A, &block, &err),
                 SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_null(op);
    spmv_destroy(&csc);
    spmv_destroy(&s.A);
}

/* Operators over one copy give what those with copies of their own give, and leave it as it was. */
Test(gpu_memory, operators_share_a_matrix_on_the_gpu)
{
    static const char *const kernels[] = {"csr-merge",  "csr-vector", "csr-panels",
                                          "csr-staged", "csr-split",  "csr-sweep"};
    enum { KERNELS = sizeof kernels / sizeof kernels[0] };
    test_sample s = test_sample_make(8, SPMV_F64, 0);
    spmv_dense x = gpu_test_vector(SPMV_F64, s.A.head.cols, 1, 1);
    spmv_gpu_matrix *shared;
    spmv_operator *op[KERNELS], *own;
    spmv_matrix back;
    spmv_error err;
    cr_assert_eq(spmv_to_gpu(&shared, gpu_context, &s.A, &err), SPMV_SUCCESS);
    for (int k = 0; k < KERNELS; k++) {
        const spmv_kernel_options options = {.kernel = kernels[k]};
        cr_assert_eq(spmv_operator_create_on_gpu(&op[k], gpu_context, shared, &options, &err),
                     SPMV_SUCCESS, "%s: %s", kernels[k], err.message);
    }
    for (int k = 0; k < KERNELS; k++) {
        const spmv_kernel_options options = {.kernel = kernels[k]};
        spmv_dense y[2] = {gpu_test_vector(SPMV_F64, s.A.head.rows, 1, 2),
                           gpu_test_vector(SPMV_F64, s.A.head.rows, 1, 3)};
        cr_assert_eq(spmv_operator_create(&own, gpu_context, &s.A, &options, &err), SPMV_SUCCESS);
        cr_assert_eq(spmv_apply(own, 1, &x, 0, &y[0], NULL, &err), SPMV_SUCCESS);
        cr_assert_eq(spmv_apply(op[k], 1, &x, 0, &y[1], NULL, &err), SPMV_SUCCESS);
        cr_assert_arr_eq(y[0].data, y[1].data, (size_t)y[0].rows * sizeof(double), "%s",
                         kernels[k]);
        spmv_operator_destroy(own);
        spmv_operator_destroy(op[k]);
        spmv_dense_destroy(&y[0]);
        spmv_dense_destroy(&y[1]);
    }
    cr_assert_eq(spmv_from_gpu(&back, gpu_context, shared, &err), SPMV_SUCCESS);
    cr_assert(spmv_identical(&s.A, &back));
    spmv_destroy(&back);
    spmv_gpu_matrix_destroy(shared);
    spmv_dense_destroy(&x);
    spmv_destroy(&s.A);
}

Test(gpu_memory, a_shared_matrix_wants_a_kernel_and_its_own_gpu)
{
    test_sample s = test_sample_make(7, SPMV_F32, 0);
    const spmv_kernel_options merge = {.kernel = "csr-merge"}, ell = {.kernel = "ell"},
                              cpu_csr = {.kernel = "cpu-csr"};
    spmv_context *cpu;
    spmv_gpu_matrix *shared;
    spmv_operator *op;
    spmv_error err;
    cr_assert_eq(spmv_context_create(&cpu, SPMV_DEVICE_CPU, 1, &err), SPMV_SUCCESS);
    cr_assert_eq(spmv_to_gpu(&shared, gpu_context, &s.A, &err), SPMV_SUCCESS);
    const struct {
        spmv_context *ctx;
        const spmv_gpu_matrix *A;
        const spmv_kernel_options *options;
        const char *says;
    } wrong[] = {
        {gpu_context, shared, NULL, "requires options"}, {gpu_context, shared, &ell, "takes ell"},
        {gpu_context, NULL, &merge, "requires A"},       {NULL, shared, &merge, "requires ctx"},
        {cpu, shared, &cpu_csr, "is on GPU 0"},          {cpu, shared, &merge, "is on GPU 0"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        cr_assert_eq(
            spmv_operator_create_on_gpu(&op, wrong[i].ctx, wrong[i].A, wrong[i].options, &err),
            SPMV_ERROR_INVALID_ARGUMENT, "%zu", i);
        cr_assert_null(op);
        cr_assert_not_null(strstr(err.message, wrong[i].says), "%s", err.message);
    }
    spmv_gpu_matrix_destroy(shared);
    spmv_context_destroy(cpu);
    spmv_destroy(&s.A);
}

/* A refused allocation says why, and does not make the next call fail. */
Test(gpu_memory, running_out_is_reported_once_with_the_numbers)
{
    spmv_device_info info;
    spmv_error err;
    void *data = &err;
    cr_assert_eq(spmv_device_describe(0, &info, &err), SPMV_SUCCESS);
    cr_assert_gt(info.bandwidth, 0);
    cr_assert_gt(info.memory, 0);
    cr_assert_eq(spmv__gpu_fits(info.memory + 1, "the matrix", &err), SPMV_ERROR_OUT_OF_MEMORY);
    cr_assert_not_null(strstr(err.message, " free of "));
    cr_assert_eq(spmv__gpu_alloc(&data, info.memory + 1, "x", &err), SPMV_ERROR_CUDA_MALLOC);
    cr_assert_null(data);

    test_sample s = test_sample_make(8, SPMV_F32, 0);
    spmv_dense x = gpu_test_vector(SPMV_F32, s.A.head.cols, 1, 1);
    const gpu_test_case c = {{.kernel = "csr-scalar"}, SPMV_F32, 1, {1, 0}, {0, 0}, false, s.label};
    spmv_dense y = gpu_test_multiply(&s.A, &x, &c);
    spmv_dense_destroy(&x);
    spmv_dense_destroy(&y);
    spmv_destroy(&s.A);
    cr_assert_eq(spmv_device_describe(spmv_gpu_count(), &info, &err), SPMV_ERROR_NO_DEVICE);
}

/* The most memory is told, not what is left of it at the end; a real GPU takes 2 MiB at a time. */
Test(gpu_memory, the_most_memory_is_told)
{
    const int64_t large = 64 << 20, small = 8 << 20, granularity = 2 << 20;
    int64_t bytes = -1;
    void *first, *second;
    spmv_error err;
    setenv("EMULATED_TAKES", "1", 1);
    cr_assert_eq(spmv_context_memory_start(gpu_context, &err), SPMV_SUCCESS, "%s", err.message);
    cr_assert_eq(spmv__gpu_alloc(&first, large, "a test", &err), SPMV_SUCCESS, "%s", err.message);
    cr_assert_eq(spmv__gpu_alloc(&second, small, "a test", &err), SPMV_SUCCESS, "%s", err.message);
    spmv__gpu_free(first);
    cr_assert_eq(spmv_context_memory_stop(gpu_context, &bytes, &err), SPMV_SUCCESS);
    cr_assert_geq(bytes, large + small);
    cr_assert_lt(bytes, large + small + 2 * granularity);
    cr_assert_eq(spmv_context_memory_start(gpu_context, &err), SPMV_SUCCESS);
    spmv__gpu_free(second);
    cr_assert_eq(spmv_context_memory_stop(gpu_context, &bytes, &err), SPMV_SUCCESS);
    cr_assert_eq(bytes, 0);
}

/* A context answers all that a benchmark asks of it, on the GPU. */
Test(gpu_memory, timer_flush_and_ceilings)
{
    static const spmv_type types[] = {SPMV_F32, SPMV_C128};
    spmv_peak_rates c;
    spmv_error err;
    double seconds = 0;
    cr_assert_eq(spmv_context_timer_start(gpu_context, &err), SPMV_SUCCESS, "%s", err.message);
    cr_assert_eq(spmv_context_flush_cache(gpu_context, &err), SPMV_SUCCESS, "%s", err.message);
    cr_assert_eq(spmv_context_timer_stop(gpu_context, &seconds, &err), SPMV_SUCCESS);
    cr_assert_gt(seconds, 0);
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++)
        for (int64_t rows = 0; rows < 2000; rows += 1999) {
            cr_assert_eq(spmv_context_ceilings(gpu_context, types[t], rows, &c, &err), SPMV_SUCCESS,
                         "%s", err.message);
            cr_assert_gt(c.stream, 0);
            cr_assert_gt(c.gather, 0);
        }
}
