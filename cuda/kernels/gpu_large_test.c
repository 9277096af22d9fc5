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

/* There are several blocks and panels, near and far groups, and pieces of rows. */
Test(gpu_large, csr_staged_in_panels)
{
    assert_planned("csr-staged", "uniform",
                   (spmv_generate_options){.rows = 9000 / GPU_TEST_SHARE + 3000,
                                           .cols = 400000 / GPU_TEST_SHARE,
                                           .per_row = 7});
    assert_planned("csr-staged", "skew", (spmv_generate_options){.rows = 5000, .huge_rows = 2});
    assert_planned("csr-staged", "stencil5", (spmv_generate_options){.grid = 100});
}

static int64_t now_and_then(int64_t r)
{
    return r % 997 == 0 ? 300 + r % 7 : r % 31 == 0;
}

/* More strips of rows than threads add up what is in them, with long rows everywhere. */
Test(gpu_large, csr_merge_and_csr_staged_of_many_strips)
{
    spmv_matrix A = gpu_test_rows(SPMV_F32, 700000, 5000, now_and_then);
    assert_multiplied("csr-merge", &A, SPMV_F32, "many strips");
    assert_multiplied("csr-staged", &A, SPMV_F32, "many strips");
    spmv_destroy(&A);
}

/* There are more columns than are marked at once. */
Test(gpu_large, csr_staged_of_many_columns)
{
    for (int t = 0; t < 2; t++)
        assert_generated("csr-staged", "uniform", planned[t].x_type,
                         (spmv_generate_options){.rows = 4000,
                                                 .cols = GPU_TEST_SHARE > 1 ? 600000 : 4000000,
                                                 .per_row = 7,
                                                 .type = planned[t].type});
}

static int64_t eight(int64_t r)
{
    (void)r;
    return 8;
}

/* Entry k of a row is in the k-th eighth of the columns; in all rows but the last ones it is one of
 * few hubs there, which lie far apart.  The last rows want so few of these that they are no
 * neighbours even by number. */
Test(gpu_large, csr_staged_with_hubs)
{
    enum {
        ROWS = 6000,
        LAST = 1000,
        PER_ROW = 8,
        HUBS = 50,
        COLS = GPU_TEST_SHARE > 1 ? 60000 : 400000
    };
    const int32_t part = COLS / PER_ROW;
    for (int t = 0; t < PLANNED; t++) {
        spmv_matrix A = gpu_test_rows(planned[t].type, ROWS, COLS, eight);
        for (int64_t p = 0; p < A.csr.nnz; p++) {
            const int64_t r = p / PER_ROW, k = p % PER_ROW;
            const bool hub = r < ROWS - LAST || (r % 100 == 0 && k == r / 100 % PER_ROW);
            const int32_t n = hub ? HUBS : part;
            A.csr.col_idx[p] =
                (int32_t)k * part + (int32_t)(spmv__uniform(7, (uint64_t)p) * n) * (part / n);
        }
        assert_multiplied("csr-staged", &A, planned[t].x_type, "hubs");
        spmv_destroy(&A);
    }
}

/* Blocks are joined by what a sample of the columns says: here there is nothing in it, so that all
 * but too many are joined at first. */
Test(gpu_large, csr_staged_with_columns_outside_of_the_sample)
{
    enum { BITS = 17, COLS = (1 << BITS) - 1, OUTSIDE = COLS / 4 * 3 };
    spmv_generate_options options = {
        .rows = 1200000 / GPU_TEST_SHARE, .cols = OUTSIDE, .per_row = 7, .type = SPMV_F64};
    int32_t *outside = malloc(OUTSIDE * sizeof *outside);
    spmv_matrix A = {.format = SPMV_CSR};
    cr_assert_not_null(outside);
    cr_assert_eq(spmv_generate(&A.csr, "uniform", &options, NULL), SPMV_SUCCESS);
    for (int32_t c = 0, i = 0; i < OUTSIDE; c++)
        if (((uint32_t)c * 0x9e3779b1u & COLS) >> (BITS - 2) != 0) outside[i++] = c;
    for (int64_t p = 0; p < A.csr.nnz; p++) A.csr.col_idx[p] = outside[A.csr.col_idx[p]];
    A.csr.cols = COLS;
    assert_multiplied("csr-staged", &A, SPMV_F64, "outside of the sample");
    spmv_destroy(&A);
    free(outside);
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
    static const char *kernels[] = {"csr-merge", "csr-panels", "csr-staged", "csr-split",
                                    "csr-sweep"};
    for (int t = 0; t < PLANNED; t++) {
        spmv_matrix A =
            gpu_test_rows(planned[t].type, 30000 / GPU_TEST_SHARE, 60000, whole_or_in_pieces);
        for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++)
            assert_multiplied(kernels[k], &A, planned[t].x_type, "whole or in pieces");
        spmv_destroy(&A);
    }
}
