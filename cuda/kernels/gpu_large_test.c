/* gpu_large_test.c -- kernels in what small matrices do not reach. */
#include "core/base/random.h"
#include "core/matrix/value.h"
#include "cuda/kernels/gpu_test.h"

#include <math.h>
#include <stdlib.h>

TestSuite(gpu_large, .init = gpu_test_open, .fini = gpu_test_close);

/* Stops the test unless a kernel multiplies a generated matrix as the reference does, with a NaN
 * and an infinity in x. */
static void assert_multiplied(const char *kernel, const spmv_matrix *A, spmv_type vector,
                              const char *label)
{
    spmv_dense x = gpu_test_vector(vector, A->head.cols, 1, 9);
    spmv__set_scalar(vector, x.data, 0, spmv__number(NAN, 1));
    spmv__set_scalar(vector, x.data, A->head.cols / 2, spmv__number(INFINITY, 0));
    for (int adds = 0; adds < 2; adds++) {
        const gpu_test_case c = {{.kernel = kernel, .vector_type = vector},
                                 vector,
                                 1,
                                 {1, 0},
                                 {0.5 * adds, 0},
                                 false,
                                 label};
        spmv_dense y = gpu_test_multiply(A, &x, &c);
        cr_assert_not_null(y.data);
        spmv_dense_destroy(&y);
    }
    spmv_dense_destroy(&x);
}

static void assert_generated(const char *kernel, const char *kind, spmv_type vector,
                             spmv_generate_options options)
{
    spmv_matrix A = {.format = SPMV_CSR};
    cr_assert_eq(spmv_generate(&A.csr, kind, &options, NULL), SPMV_SUCCESS);
    assert_multiplied(kernel, &A, vector, kind);
    spmv_destroy(&A);
}

/* There are all forms, one, two and four rows in a thread, and several warps for a slice. */
Test(gpu_large, csell_in_every_form)
{
    const int64_t many = GPU_TEST_SHARE > 1 ? 25 : 85;
    const struct {
        const char *kind;
        spmv_type vector;
        spmv_generate_options options;
    } cases[] = {
        {"stencil5", SPMV_F64, {.grid = 40, .type = SPMV_F64}},
        {"stencil5", SPMV_F32, {.grid = 520, .type = SPMV_F32}},
        {"stencil5", SPMV_F64, {.grid = 520, .type = SPMV_F32}},
        {"stencil27", SPMV_C64, {.grid = 9, .type = SPMV_C64}},
        {"stencil27", SPMV_F32, {.grid = many, .type = SPMV_F32}},
        {"stencil27", SPMV_F64, {.grid = many, .type = SPMV_F32}},
        {"stencil27", SPMV_F64, {.grid = many, .type = SPMV_F64}},
        {"fem", SPMV_F32, {.grid = 6, .block = 3, .type = SPMV_F32}},
        {"dense", SPMV_F32, {.rows = 300, .cols = 500, .type = SPMV_F32}},
        {"uniform", SPMV_F64, {.rows = 1000, .cols = 200000, .per_row = 9, .type = SPMV_F64}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_generated("csell", cases[i].kind, cases[i].vector, cases[i].options);
}

static const test_types planned[] = {{SPMV_F32, SPMV_F32},
                                     {SPMV_F32, SPMV_F64},
                                     {SPMV_F64, SPMV_F64},
                                     {SPMV_C64, SPMV_C64},
                                     {SPMV_C128, SPMV_C128}};
enum { PLANNED = sizeof planned / sizeof planned[0] };

/* With all types that a plan is made for. */
static void assert_planned(const char *kernel, const char *kind, spmv_generate_options options)
{
    for (int t = 0; t < PLANNED; t++) {
        options.type = planned[t].type;
        assert_generated(kernel, kind, planned[t].x_type, options);
    }
}

static int64_t now_and_then(int64_t r)
{
    return r % 997 == 0 ? 300 + r % 7 : r % 31 == 0;
}

/* More strips of rows than threads add up what is in them, with long rows everywhere. */
Test(gpu_large, csr_merge_of_many_strips)
{
    spmv_matrix A = gpu_test_rows(SPMV_F32, 700000, 5000, now_and_then);
    assert_multiplied("csr-merge", &A, SPMV_F32, "many strips");
    spmv_destroy(&A);
}

/* There are several blocks, windows and pages, rows in several blocks, and rows that have several
 * slots. */
Test(gpu_large, csr_sweep_over_blocks_and_pages)
{
    assert_planned("csr-sweep", "uniform",
                   (spmv_generate_options){.rows = 9000 / GPU_TEST_SHARE + 3000,
                                           .cols = 400000 / GPU_TEST_SHARE,
                                           .per_row = 27});
    assert_planned("csr-sweep", "skew", (spmv_generate_options){.rows = 5000, .huge_rows = 2});
    assert_planned("csr-sweep", "rmat", (spmv_generate_options){.scale = 12, .per_row = 24});
    assert_planned(
        "csr-sweep", "hypersparse",
        (spmv_generate_options){.rows = 200000 / GPU_TEST_SHARE, .per_row = 20, .nonempty = 0.05});
}

static int64_t all_in_two(int64_t r)
{
    return r == 3 || r == 40 ? 60000 : 0;
}

static int64_t all_alike(int64_t r)
{
    (void)r;
    return 60000;
}

/* Rows lie in many blocks, and a batch has nothing else; or blocks begin where a long row ends. */
Test(gpu_large, csr_sweep_of_two_rows)
{
    for (int t = 0; t < PLANNED; t++) {
        spmv_matrix A = gpu_test_rows(planned[t].type, 70, 90000, all_in_two);
        spmv_matrix B = gpu_test_rows(planned[t].type, 2, 90000, all_alike);
        assert_multiplied("csr-sweep", &A, planned[t].x_type, "two rows");
        assert_multiplied("csr-sweep", &B, planned[t].x_type, "two rows of one length");
        spmv_destroy(&A);
        spmv_destroy(&B);
    }
}

static int64_t far_longer(int64_t r)
{
    return r % 9000 == 40 ? 30000 - r : r % 700 == 3 ? 9000 : 4 + r % 5;
}

/* Long rows have one piece or several, and lie in all slices or in some; others are all alike. */
Test(gpu_large, csr_split_with_long_rows_and_without)
{
    for (int t = 0; t < PLANNED; t++) {
        spmv_matrix A = gpu_test_rows(planned[t].type, 20000, 40000, far_longer);
        assert_multiplied("csr-split", &A, planned[t].x_type, "long rows");
        spmv_destroy(&A);
    }
    assert_planned("csr-split", "skew", (spmv_generate_options){.rows = 40000, .huge_rows = 33});
    assert_planned("csr-split", "stencil5", (spmv_generate_options){.grid = 100});
    assert_planned("csr-split", "fem", (spmv_generate_options){.grid = 8});
}

/* All rows are in panels, with parts of one piece and of several, and only the hubs among short
 * rows. */
Test(gpu_large, csr_panels_of_all_rows_and_of_hubs)
{
    static const struct {
        int64_t rows;
        double per_row;
    } sizes[] = {{70, 1000}, {3, 9000}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        assert_planned("csr-panels", "uniform",
                       (spmv_generate_options){.rows = sizes[i].rows,
                                               .cols = 400000 / GPU_TEST_SHARE,
                                               .per_row = sizes[i].per_row});
    assert_planned("csr-panels", "skew",
                   (spmv_generate_options){.rows = 200000 / GPU_TEST_SHARE, .huge_rows = 3});
}

static int64_t some_long(int64_t r)
{
    return r % 40 == 0 ? 20 + r * 7 % 600 : r % 4;
}

/* The rows have no pieces in csr-merge, and are long enough for panels. */
Test(gpu_large, csr_panels_beside_rows_of_every_length)
{
    for (int t = 0; t < PLANNED; t++) {
        spmv_matrix A = gpu_test_rows(planned[t].type, 3000, 50000, some_long);
        assert_multiplied("csr-panels", &A, planned[t].x_type, "some long rows");
        spmv_destroy(&A);
    }
}

/* Two rows of no or eight entries, and one that csr-merge can cut into pieces or leave whole,
 * depending on where it begins and what comes before it. */
static int64_t whole_or_in_pieces(int64_t r)
{
    return r % 3 == 2 ? 248 + r % 10 : r * 7919 % 5 / 3 * 8;
}

/* Every kernel that builds on the tiles of csr-merge must agree with it about such rows. */
Test(gpu_large, rows_that_may_be_whole_or_in_pieces)
{
    static const char *kernels[] = {"csr-merge", "csr-panels", "csr-split", "csr-sweep"};
    for (int t = 0; t < PLANNED; t++) {
        spmv_matrix A =
            gpu_test_rows(planned[t].type, 30000 / GPU_TEST_SHARE, 60000, whole_or_in_pieces);
        for (int k = 0; k < 4; k++)
            assert_multiplied(kernels[k], &A, planned[t].x_type, "whole or in pieces");
        spmv_destroy(&A);
    }
}
