/* gpu_convert_test.c -- what a GPU makes of a matrix is what the host makes of it, bit for bit. */
#include "core/csell/csell_twins_test.h"
#include "cuda/kernels/gpu_test.h"

#include <stdio.h>
#include <string.h>

TestSuite(gpu_convert, .init = gpu_test_open, .fini = gpu_test_close);

/* Destroys A.  What the host refuses for its padding, the GPU refuses with the same words. */
static void check(spmv_matrix A, const char *label)
{
    spmv_matrix expected, found;
    spmv_gpu_matrix *csr, *csell;
    spmv_error why, err;
    const spmv_status host = spmv_convert(&expected, &A, SPMV_CSELL, NULL, &why);
    cr_assert(host == SPMV_SUCCESS || host == SPMV_ERROR_UNSUPPORTED, "%s", why.message);
    cr_assert_eq(spmv_to_gpu(&csr, gpu_context, &A, NULL), SPMV_SUCCESS);
    const spmv_status gpu = spmv_gpu_convert(&csell, gpu_context, csr, SPMV_CSELL, &err);
    cr_assert_eq(gpu, host, "%s: %s", label, gpu != SPMV_SUCCESS ? err.message : "converted");
    if (gpu == SPMV_SUCCESS) {
        cr_assert_eq(spmv_from_gpu(&found, gpu_context, csell, NULL), SPMV_SUCCESS);
        cr_assert_eq(spmv_check(&found, &err), SPMV_SUCCESS, "%s: %s", label, err.message);
        for (int64_t s = 0; s * found.csell.slice < found.head.rows; s++)
            cr_assert_eq(found.csell.encoding[s], expected.csell.encoding[s],
                         "%s: slice %lld has encoding %d, on the host %d", label, (long long)s,
                         found.csell.encoding[s], expected.csell.encoding[s]);
        cr_assert(spmv_identical(&found, &expected), "%s", label);
        spmv_destroy(&found);
    } else {
        cr_assert_null(csell);
        cr_assert_str_eq(err.message, why.message);
    }
    spmv_gpu_matrix_destroy(csell);
    spmv_gpu_matrix_destroy(csr);
    spmv_destroy(&expected);
    spmv_destroy(&A);
}

/* Each form of a slice, and edges of matrices that are no whole slices. */
Test(gpu_convert, every_form)
{
    static const struct {
        const char *label;
        pattern_of is_entry;
        int64_t rows, cols;
    } patterns[] = {
        {"a band", band, 300, 300},
        {"all", all, 256, 40},
        {"all of few rows", all, 5, 700},
        {"all but a corner", all_but_a_corner, 256, 40},
        {"close by", close_by, 200, 100},
        {"scattered", scattered, 200, 700},
        {"far apart", far_apart, 130, 70000},
        {"blocks", blocks, 256, 96},
        {"pairs", pairs, 256, 64},
        {"far blocks", far_blocks, 128, 70000},
        {"far blocks with holes", far_holes, 128, 70000},
    };
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++)
        for (spmv_type type = SPMV_PATTERN; type<SPMV_TYPES; type += GPU_TEST_SHARE> 1 ? 2 : 1)
            check(from_pattern(type, patterns[i].rows, patterns[i].cols, patterns[i].is_entry),
                  patterns[i].label);
}

/* Rows that are alike, in lists and unions of them. */
Test(gpu_convert, rows_that_are_alike)
{
    char label[64];
    for (int k = 0; k < TEST_CASES / (1 + GPU_TEST_SHARE / 10); k++) {
        snprintf(label, sizeof label, "rows that are alike, seed %d", k);
        check(alike((spmv_type)(k % SPMV_TYPES), (uint64_t)k), label);
    }
}

Test(gpu_convert, long_rows_that_are_alike)
{
    char label[64];
    for (int k = 0; k < TEST_CASES / (1 + GPU_TEST_SHARE / 10); k++) {
        snprintf(label, sizeof label, "long rows that are alike, seed %d", k);
        check(long_alike((spmv_type)(k % SPMV_TYPES), (uint64_t)k), label);
    }
}

/* All row lengths, from empty rows to enormous ones. */
Test(gpu_convert, random_matrices)
{
    for (int k = 0; k < TEST_CASES / (1 + GPU_TEST_SHARE / 2); k++) {
        test_sample s = test_sample_make(k, (spmv_type)(k % SPMV_TYPES), 0);
        check(s.A, s.label);
    }
}

Test(gpu_convert, generated_matrices)
{
    static const struct {
        const char *kind;
        spmv_generate_options options;
    } specs[] = {
        {"stencil5", {.grid = 40}},
        {"stencil27", {.grid = 8}},
        {"fem", {.grid = 6, .block = 3}},
        {"banded", {.rows = 1000, .bandwidth = 50, .per_row = 12}},
        {"block", {.rows = 800, .block = 8, .per_row = 16}},
        {"uniform", {.rows = 1000, .cols = 200000, .per_row = 7}},
        {"powerlaw", {.rows = 1500, .per_row = 5, .max_row = 300}},
        {"hypersparse", {.rows = 20000, .per_row = 3, .nonempty = 0.03}},
        {"rmat", {.scale = 9, .per_row = 8}},
        {"dense", {.rows = 150}},
    };
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        spmv_generate_options options = specs[i].options;
        spmv_matrix A = {.format = SPMV_CSR};
        spmv_error err;
        options.type = (spmv_type)(i % SPMV_TYPES);
        cr_assert_eq(spmv_generate(&A.csr, specs[i].kind, &options, &err), SPMV_SUCCESS, "%s: %s",
                     specs[i].kind, err.message);
        check(A, specs[i].kind);
    }
}

/* Products of an operator that was given CSR, from the host or on the GPU, have the bits of one
 * that was given CSELL. */
Test(gpu_convert, an_operator_makes_what_it_needs)
{
    const spmv_kernel_options csell = {.kernel = "csell", .vector_type = SPMV_F64};
    spmv_matrix A = from_pattern(SPMV_F64, 200, 100, close_by), B;
    spmv_gpu_matrix *csr;
    spmv_operator *op[3];
    spmv_dense x = gpu_test_vector(SPMV_F64, 100, 1, 7), y[3];
    cr_assert_eq(spmv_convert(&B, &A, SPMV_CSELL, NULL, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_to_gpu(&csr, gpu_context, &A, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_operator_create(&op[0], gpu_context, &B, &csell, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_operator_create(&op[1], gpu_context, &A, &csell, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_operator_create_on_gpu(&op[2], gpu_context, csr, &csell, NULL), SPMV_SUCCESS);
    for (int i = 0; i < 3; i++) {
        y[i] = gpu_test_vector(SPMV_F64, 200, 1, (uint64_t)i);
        cr_assert_eq(spmv_operator_bytes(op[i]), (int64_t)spmv_memory_bytes(&B));
        cr_assert_eq(spmv_apply(op[i], 1, &x, 0, &y[i], NULL, NULL), SPMV_SUCCESS);
        cr_assert_arr_eq(y[i].data, y[0].data, 200 * sizeof(double));
    }
    for (int i = 0; i < 3; i++) spmv_operator_destroy(op[i]), spmv_dense_destroy(&y[i]);
    spmv_gpu_matrix_destroy(csr);
    spmv_dense_destroy(&x);
    spmv_destroy(&A);
    spmv_destroy(&B);
}

Test(gpu_convert, refuses_what_it_cannot_convert)
{
    spmv_matrix A = from_pattern(SPMV_F64, 40, 40, band), B;
    spmv_gpu_matrix *gpu, *out;
    spmv_error err;
    cr_assert_not(spmv_gpu_converts(SPMV_CSC, SPMV_CSELL));
    cr_assert_not(spmv_gpu_converts(SPMV_CSR, SPMV_ELL));
    cr_assert(spmv_gpu_converts(SPMV_CSR, SPMV_CSELL));
    cr_assert_eq(spmv_convert(&B, &A, SPMV_CSC, NULL, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_to_gpu(&gpu, gpu_context, &B, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_gpu_convert(&out, gpu_context, gpu, SPMV_CSELL, &err),
                 SPMV_ERROR_UNSUPPORTED);
    cr_assert_str_eq(err.message, "a GPU makes csell of csr that was uploaded, not csell of csc");
    cr_assert_null(out);
    cr_assert_eq(spmv_gpu_convert(NULL, gpu_context, gpu, SPMV_CSELL, &err),
                 SPMV_ERROR_INVALID_ARGUMENT);
    spmv_gpu_matrix_destroy(gpu);
    spmv_destroy(&A);
    spmv_destroy(&B);
}
