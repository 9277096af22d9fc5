/* weigh_kernels_test.c -- a set-up is chosen where it takes less time in all, and only there. */
#include "core/matrix/format.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

enum { SLOW = 1000000000 }; /* bytes per second, so that bytes are what counts */

/* Makes a matrix, and looks at its rows. */
typedef struct example {
    spmv_matrix A;
    spmv_row_stats stats;
} example;

static example make(const char *kind, spmv_type type, spmv_generate_options options)
{
    example e = {.A = {.format = SPMV_CSR}};
    options.type = type;
    cr_assert_eq(spmv_generate(&e.A.csr, kind, &options, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_row_stats_compute(&e.A, &e.stats, NULL), SPMV_SUCCESS);
    return e;
}

static spmv_weighing weigh(const example *e, spmv_type vectors, int64_t products)
{
    spmv_weighing w;
    cr_assert_eq(spmv_kernel_weigh(&w, &e->A, &e->stats, SLOW, vectors, products, NULL),
                 SPMV_SUCCESS);
    const spmv_kernel_options first = spmv_kernel_options_auto(&e->stats, true, NULL);
    cr_assert_str_eq(w.kernel[0].options.kernel, first.kernel);
    cr_assert_eq(w.kernel[0].options.block_size, first.block_size);
    cr_assert_eq(w.kernel[0].setup_s, 0);
    return w;
}

static const spmv_weighed *weighed(const spmv_weighing *w, const char *kernel)
{
    for (int i = 0; i < w->count; i++)
        if (strcmp(w->kernel[i].options.kernel, kernel) == 0) return &w->kernel[i];
    return NULL;
}

static double in_all(const spmv_weighed *k, int64_t products)
{
    return k->setup_s + (double)products * k->product_s;
}

Test(weigh_kernels, the_least_time_in_all_is_best)
{
    example e = make("stencil27", SPMV_F64, (spmv_generate_options){.grid = 12});
    for (int64_t products = 0; products < 1000000; products = 2 * products + 1) {
        const spmv_weighing w = weigh(&e, SPMV_F64, products);
        for (int i = 0; i < w.count; i++)
            cr_assert_leq(in_all(&w.kernel[w.best], products), in_all(&w.kernel[i], products));
    }
    spmv_destroy(&e.A);
}

Test(weigh_kernels, compressed_columns_pay_from_the_break_even_on)
{
    example e = make("stencil27", SPMV_F32, (spmv_generate_options){.grid = 12});
    spmv_weighing w = weigh(&e, SPMV_F32, 1000000);
    const spmv_weighed *csell = weighed(&w, "csell");
    cr_assert_not_null(csell);
    cr_assert_eq(csell, &w.kernel[w.best]);
    cr_assert_lt(csell->product_s, 0.8 * w.kernel[0].product_s);
    const int64_t pays = (int64_t)csell->break_even;
    cr_assert_gt(pays, 1);
    w = weigh(&e, SPMV_F32, pays - 1);
    cr_assert_eq(w.best, 0);
    w = weigh(&e, SPMV_F32, pays + 1);
    cr_assert_str_eq(w.kernel[w.best].options.kernel, "csell");
    spmv_destroy(&e.A);
}

/* Few of the many columns of a matrix, none of them twice in the entries that go together. */
Test(weigh_kernels, columns_that_come_again_and_again_are_in_the_cache)
{
    enum { ROWS = 65536, EACH = 16, AT_ONCE = 4096, APART = 64 };
    const spmv_generate_options options = {.rows = ROWS, .cols = 30000000, .per_row = EACH};
    example few = make("uniform", SPMV_F32, options), many = make("uniform", SPMV_F32, options);
    spmv_csr *A = &few.A.csr;
    cr_assert_eq(A->nnz, ROWS * EACH);
    for (int64_t p = 0; p < A->nnz; p++) A->col_idx[p] = (int32_t)(p % AT_ONCE * APART);
    cr_assert_eq(spmv_row_stats_compute(&few.A, &few.stats, NULL), SPMV_SUCCESS);
    const spmv_weighing again = weigh(&few, SPMV_F32, 1), anew = weigh(&many, SPMV_F32, 1);
    cr_assert_lt(again.kernel[0].product_s, 0.5 * anew.kernel[0].product_s);
    spmv_destroy(&few.A);
    spmv_destroy(&many.A);
}

/* A mapped file may change after its indices were checked. */
Test(weigh_kernels, columns_that_are_not_there_are_left_out)
{
    example e = make("uniform", SPMV_F64, (spmv_generate_options){.rows = 3000, .cols = 3000});
    for (int64_t p = 0; p < e.A.csr.nnz; p += 2) e.A.csr.col_idx[p] = INT32_MAX - (int32_t)(4 * p);
    weigh(&e, SPMV_F64, 1);
    spmv_destroy(&e.A);
}

/* As operators do. */
Test(weigh_kernels, one_triangle_is_refused)
{
    example e = make("stencil5", SPMV_F64, (spmv_generate_options){.grid = 30});
    spmv_weighing w;
    spmv_error err;
    e.A.head.symmetry = SPMV_SYMMETRIC;
    cr_assert_eq(spmv_kernel_weigh(&w, &e.A, &e.stats, SLOW, SPMV_F64, 1, &err),
                 SPMV_ERROR_UNSUPPORTED);
    cr_assert_str_eq(err.message, "only one triangle of the matrix is stored; expand it first");
    spmv_destroy(&e.A);
}

/* Where no column takes fewer bytes, nothing ever pays. */
Test(weigh_kernels, columns_that_cannot_be_compressed_never_pay)
{
    example e = make("uniform", SPMV_F32,
                     (spmv_generate_options){.rows = 1000, .cols = 1000000, .per_row = 8});
    const spmv_weighing w = weigh(&e, SPMV_F32, INT32_MAX);
    cr_assert_eq(w.best, 0);
    cr_assert(isinf(weighed(&w, "csell")->break_even));
    cr_assert_null(weighed(&w, "csr-sweep"), "there are too few entries to fill a GPU");
    spmv_destroy(&e.A);
}

/* A thread would go along the longest row for long. */
Test(weigh_kernels, rows_far_longer_than_the_mean_are_no_slices)
{
    example e = make("skew", SPMV_F32, (spmv_generate_options){.rows = 5000, .per_row = 8});
    const spmv_weighing w = weigh(&e, SPMV_F32, 1000000);
    cr_assert_null(weighed(&w, "csell"));
    spmv_destroy(&e.A);
}

/* Blocks would have less than a chunk of each page, and x is mostly columns that no row names. */
Test(weigh_kernels, few_entries_over_very_many_columns_are_left_as_they_are)
{
    example e = make("uniform", SPMV_F32,
                     (spmv_generate_options){.rows = 1000000, .cols = 200000000, .per_row = 3});
    spmv_weighing w = weigh(&e, SPMV_F32, INT32_MAX);
    cr_assert_null(weighed(&w, "csr-sweep"));
    cr_assert(isinf(weighed(&w, "csr-staged")->break_even));
    w = weigh(&e, SPMV_F64, INT32_MAX);
    cr_assert_null(weighed(&w, "csr-sweep"));
    cr_assert_null(weighed(&w, "csr-staged"), "parts of x would be as many as slots");
    spmv_destroy(&e.A);
}

/* Slices do for most rows, and not for the enormous ones. */
Test(weigh_kernels, enormous_rows_are_split_off_where_the_others_have_few_bytes)
{
    example e = make("skew", SPMV_F32,
                     (spmv_generate_options){.rows = 60000, .per_row = 16, .bandwidth = 50});
    example even = make("stencil5", SPMV_F32, (spmv_generate_options){.grid = 100});
    spmv_weighing w = weigh(&e, SPMV_F32, 1000000);
    const spmv_weighed *split = weighed(&w, "csr-split");
    cr_assert_not_null(split);
    cr_assert_null(weighed(&w, "csell"));
    cr_assert_eq(split, &w.kernel[w.best]);
    cr_assert_lt(split->product_s, 0.9 * w.kernel[0].product_s);
    cr_assert_gt(split->product_s, 0.5 * w.kernel[0].product_s);
    w = weigh(&e, SPMV_F32, 0);
    cr_assert_eq(w.best, 0);
    w = weigh(&even, SPMV_F32, 1000000);
    cr_assert_null(weighed(&w, "csr-split"));
    spmv_destroy(&e.A);
    spmv_destroy(&even.A);
}

/* Blocks bring a sector of x once for all of their entries, and in order, so that addresses do not
 * miss. */
Test(weigh_kernels, sweeping_is_for_many_entries_all_over_x)
{
    const spmv_generate_options size = {.rows = 200000, .cols = 3000000, .per_row = 24};
    const spmv_generate_options wide = {.rows = 200000, .cols = 30000000, .per_row = 24};
    example much = make("uniform", SPMV_F32, size), far = make("uniform", SPMV_F32, wide);
    example near = make("banded", SPMV_F32,
                        (spmv_generate_options){.rows = 300000, .bandwidth = 9, .per_row = 8});
    spmv_weighing w = weigh(&much, SPMV_F32, 1000000);
    const double saved = weighed(&w, "csr-sweep")->product_s / w.kernel[0].product_s;
    cr_assert_str_eq(w.kernel[w.best].options.kernel, "csr-sweep");
    w = weigh(&much, SPMV_C128, 1000000);
    cr_assert_null(weighed(&w, "csr-sweep"), "the sums are too large");
    w = weigh(&far, SPMV_F32, 1000000);
    cr_assert_lt(weighed(&w, "csr-sweep")->product_s / w.kernel[0].product_s, saved);
    w = weigh(&near, SPMV_F32, 1000000);
    cr_assert_null(weighed(&w, "csr-sweep"), "neighbouring rows share x");
    spmv_destroy(&much.A);
    spmv_destroy(&far.A);
    spmv_destroy(&near.A);
}

/* Of a large matrix some windows are looked at, which say what all of it would. */
Test(weigh_kernels, windows_stand_for_the_matrix)
{
    const spmv_generate_options some = {.rows = 2048, .bandwidth = 40, .per_row = 9};
    const spmv_generate_options many = {.rows = 70001, .bandwidth = 40, .per_row = 9};
    example few = make("banded", SPMV_F64, some), all = make("banded", SPMV_F64, many);
    const spmv_weighing a = weigh(&few, SPMV_F64, 1), b = weigh(&all, SPMV_F64, 1);
    const double ratio = weighed(&b, "csell")->product_s / weighed(&a, "csell")->product_s;
    cr_assert_float_eq(ratio, 70001.0 / 2048, 0.5);
    spmv_destroy(&few.A);
    spmv_destroy(&all.A);
}

/* With several rounds of blocks x comes once in each, by staging once in all. */
Test(weigh_kernels, short_rows_are_staged_and_long_ones_swept)
{
    const spmv_generate_options many = {.rows = 4000000, .cols = 30000000, .per_row = 2};
    const spmv_generate_options few = {.rows = 1000000, .cols = 30000000, .per_row = 8};
    example brief = make("uniform", SPMV_F32, many), large = make("uniform", SPMV_F32, few);
    spmv_weighing w = weigh(&brief, SPMV_F32, 1000000);
    cr_assert_eq(weighed(&w, "csr-staged"), &w.kernel[w.best]);
    cr_assert_lt(weighed(&w, "csr-sweep")->product_s, w.kernel[0].product_s);
    w = weigh(&large, SPMV_F32, 1000000);
    cr_assert_eq(weighed(&w, "csr-sweep"), &w.kernel[w.best]);
    cr_assert_lt(weighed(&w, "csr-staged")->product_s, w.kernel[0].product_s);
    brief.stats.cols = large.stats.cols = 3000000;
    w = weigh(&brief, SPMV_F32, 1000000);
    cr_assert_null(weighed(&w, "csr-staged"), "a cache holds x");
    spmv_destroy(&brief.A);
    spmv_destroy(&large.A);
}

/* Though no row has an entry beside those of the row above. */
Test(weigh_kernels, columns_side_by_side_bring_x_together)
{
    const spmv_generate_options size = {.rows = 20000, .cols = 3000000, .per_row = 16};
    example apart = make("uniform", SPMV_F32, size), beside = make("uniform", SPMV_F32, size);
    for (int64_t p = 0; p < beside.A.csr.nnz; p++)
        beside.A.csr.col_idx[p] = beside.A.csr.col_idx[p / 8 * 8] / 8 * 8 + (int32_t)(p % 8);
    const spmv_weighing a = weigh(&apart, SPMV_F32, 1), b = weigh(&beside, SPMV_F32, 1);
    const double bytes = 320000.0 * 8 / SLOW;
    cr_assert_gt(a.kernel[0].product_s, b.kernel[0].product_s + 2 * bytes);
    spmv_destroy(&apart.A);
    spmv_destroy(&beside.A);
}

/* The times of slices follow from rows that are looked at. */
Test(weigh_kernels, what_cannot_be_told_is_not_weighed)
{
    example none = make("banded", SPMV_F64, (spmv_generate_options){.rows = 10, .bandwidth = 2});
    example rows = make("uniform", SPMV_F64, (spmv_generate_options){.rows = 100, .per_row = 3});
    none.A.csr.nnz = none.stats.nnz = none.stats.max = 0;
    none.stats.mean = 0;
    memset(none.A.csr.row_ptr, 0, 11 * sizeof *none.A.csr.row_ptr);
    cr_assert_eq(weigh(&none, SPMV_F64, 1000).count, 1);
    rows.stats.max = rows.stats.rows = INT32_MAX;
    cr_assert_eq(weigh(&rows, SPMV_F64, 1000).count, 1, "more than plans can number");
    spmv_destroy(&none.A);
    spmv_destroy(&rows.A);
}

Test(weigh_kernels, arguments_are_checked)
{
    example e = make("banded", SPMV_F64, (spmv_generate_options){.rows = 10, .bandwidth = 2});
    spmv_weighing w;
    spmv_matrix B;
    cr_assert_eq(spmv_kernel_weigh(NULL, &e.A, &e.stats, SLOW, SPMV_F64, 1, NULL),
                 SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_kernel_weigh(&w, &e.A, &e.stats, 0, SPMV_F64, 1, NULL),
                 SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_kernel_weigh(&w, &e.A, &e.stats, SLOW, SPMV_F64, -1, NULL),
                 SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_kernel_weigh(&w, &e.A, &e.stats, SLOW, SPMV_PATTERN, 1, NULL),
                 SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_convert(&B, &e.A, SPMV_COO, NULL, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_kernel_weigh(&w, &B, &e.stats, SLOW, SPMV_F64, 1, NULL),
                 SPMV_ERROR_INVALID_ARGUMENT);
    spmv_destroy(&B);
    spmv_destroy(&e.A);
}
