/* kernel_selector_test.c -- every matrix gets a kernel that exists. */
#include "core/matrix/random_matrix_test.h"

#include <criterion/criterion.h>
#include <math.h>

Test(selector, rule_of_row_lengths_at_its_boundaries)
{
    static const struct {
        double mean;
        int64_t min, max, cols;
        const char *kernel;
        bool x_readonly;
    } cases[] = {
        {3.99, 3, 4, 10000, "csr-scalar", false}, {3.99, 0, 9999, 10001, "csr-scalar", true},
        {4, 0, 9, 10000, "csr-vector", false},    {4, 0, 10, 10000, "csr-merge", false},
        {50, 9, 99, 10001, "csr-vector", true},   {50, 9, 100, 10001, "csr-merge", true},
        {0, 0, 0, 0, "csr-scalar", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const spmv_row_stats stats = {.rows = 100,
                                      .cols = cases[i].cols,
                                      .min = cases[i].min,
                                      .max = cases[i].max,
                                      .mean = cases[i].mean};
        const spmv_kernel_options options = spmv_kernel_options_rule(&stats);
        cr_assert_str_eq(options.kernel, cases[i].kernel, "case %zu", i);
        cr_assert_eq(options.block_size, 256);
        cr_assert_eq(options.x_readonly, cases[i].x_readonly, "case %zu", i);
    }
}

static spmv_kernel_options automatic(int64_t rows, int64_t empty, double mean, int64_t max,
                                     bool gpu)
{
    const spmv_row_stats stats = {.rows = rows,
                                  .cols = rows,
                                  .nnz = (int64_t)((double)rows * mean),
                                  .empty = empty,
                                  .mean = mean,
                                  .max = max};
    const char *reason = NULL;
    const spmv_kernel_options options = spmv_kernel_options_auto(&stats, gpu, &reason);
    cr_assert_not_null(reason);
    return options;
}

/* CSR, and what is made of it, counts columns in 32 bits. */
Test(selector, more_columns_than_csr_holds)
{
    const spmv_row_stats wide = {.rows = 3, .cols = (int64_t)INT32_MAX + 1, .nnz = 2};
    const spmv_row_stats most = {.rows = 3, .cols = INT32_MAX, .nnz = 2};
    cr_assert_str_eq(spmv_kernel_options_auto(&wide, false, NULL).kernel, "cpu-coo");
    cr_assert_str_eq(spmv_kernel_options_auto(&most, false, NULL).kernel, "cpu-csr");
}

Test(selector, automatic_choice_by_shape)
{
    cr_assert_str_eq(automatic(1000000, 0, 4, 4, true).kernel, "csr-scalar");
    cr_assert_str_eq(automatic(1000000, 0, 5, 8, true).kernel, "csr-scalar");
    cr_assert_str_eq(automatic(1000000, 0, 5.01, 8, true).kernel, "csr-vector");
    cr_assert_str_eq(automatic(1000, 0, 4, 4, true).kernel, "csr-vector");
    cr_assert_str_eq(automatic(1000000, 0, 27, 27, true).kernel, "csr-vector");
    cr_assert_str_eq(automatic(1000, 0, 16, 5000, true).kernel, "csr-merge");
    cr_assert_str_eq(automatic(36, 0, 17700, 20000, true).kernel, "csr-merge");
    cr_assert_str_eq(automatic(4300, 0, 2700, 9800, true).kernel, "csr-merge");
    cr_assert_str_eq(automatic(8192, 0, 8192, 8192, true).kernel, "csr-vector");
    cr_assert_str_eq(automatic(10000000, 9000000, 0.4, 4, true).kernel, "csr-merge");
    cr_assert_str_eq(automatic(1000, 0, 8, 512, true).kernel, "csr-vector");
    cr_assert_str_eq(automatic(1000, 0, 8, 513, true).kernel, "csr-merge");
    cr_assert_str_eq(automatic(131072, 0, 8, 32, true).kernel, "csr-vector");
    cr_assert_str_eq(automatic(131072, 0, 8, 48, true).kernel, "csr-vector");
    cr_assert_str_eq(automatic(131072, 0, 8, 65, true).kernel, "csr-merge");
    cr_assert_str_eq(automatic(200000, 0, 8, 28, true).kernel, "csr-vector");
    cr_assert_str_eq(automatic(200000, 0, 8, 29, true).kernel, "csr-merge");
    cr_assert_str_eq(automatic(1000, 0, 1000, 1200, true).kernel, "csr-vector");
    cr_assert_str_eq(automatic(1000000, 0, 8, 29, true).kernel, "csr-vector");
    cr_assert_str_eq(automatic(1000, 0, 2, 3, true).kernel, "csr-vector");
    cr_assert_str_eq(automatic(1000, 900, 0.4, 3, true).kernel, "csr-vector");
    cr_assert_str_eq(automatic(0, 0, 0, 0, true).kernel, "csr-vector");
    cr_assert_str_eq(automatic(1000, 0, 16, 5000, false).kernel, "cpu-csr");
    cr_assert_str_eq(automatic(0, 0, 0, 0, false).kernel, "cpu-csr");
}

Test(selector, scattered_columns_of_a_long_vector)
{
    static const struct {
        int64_t cols;
        double mean, share_without_neighbour;
        const char *kernel;
    } cases[] = {{8000000, 8, 1, "csr-merge"},     {8000000, 8, 0.1, "csr-vector"},
                 {100000, 8, 1, "csr-vector"},     {3000000, 8, 0.95, "csr-vector"},
                 {1000000, 16, 0.95, "csr-merge"}, {1000000, 16, 0.5, "csr-vector"},
                 {8000000, 4, 1, "csr-merge"},     {8000000, 4, 0.1, "csr-scalar"},
                 {8000000, 2, 1, "csr-scalar"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        spmv_row_stats stats = {.rows = 8000000, .cols = cases[i].cols, .mean = cases[i].mean};
        stats.max = (int64_t)ceil(stats.mean);
        stats.nnz = (int64_t)(stats.mean * 8e6);
        stats.share_without_neighbour = cases[i].share_without_neighbour;
        cr_assert_str_eq(spmv_kernel_options_auto(&stats, true, NULL).kernel, cases[i].kernel,
                         "case %zu", i);
    }
}

/* 2^11 and more entries are many for a million columns, 2^12 for four; 2^17 are nearly all. */
Test(selector, long_rows_over_many_columns)
{
    static const struct {
        int64_t cols, nnz;
        int bin;
        int64_t entries;
        double share_without_neighbour;
        const char *kernel;
    } cases[] = {{1100000, 11000000, 12, 11000000, 0.5, "csr-panels"},
                 {1100000, 11000000, 18, 11000000, 0.5, "csr-merge"},
                 {4200000, 65000000, 13, 11000000, 1, "csr-panels"},
                 {4200000, 65000000, 13, 11000000, 0.8, "csr-merge"},
                 {4200000, 65000000, 13, 33000000, 0.8, "csr-panels"},
                 {4200000, 65000000, 11, 65000000, 1, "csr-merge"},
                 {4200000, 65000000, 13, 7000000, 1, "csr-merge"},
                 {100000, 11000000, 12, 11000000, 1, "csr-merge"},
                 {1100000, 1000000, 12, 1000000, 1, "csr-merge"},
                 {1100000, 7000000, 12, 7000000, 1, "csr-merge"},
                 {1100000, 11000000, 12, 11000000, 0.1, "csr-merge"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        spmv_row_stats stats = {
            .rows = 4200, .cols = cases[i].cols, .nnz = cases[i].nnz, .mean = 2600, .max = 99000};
        stats.share_without_neighbour = cases[i].share_without_neighbour;
        stats.entries[cases[i].bin] = cases[i].entries;
        cr_assert_str_eq(spmv_kernel_options_auto(&stats, true, NULL).kernel, cases[i].kernel,
                         "case %zu", i);
    }
}

static void check_options(spmv_kernel_options options, bool gpu, const char *label)
{
    const spmv_kernel *kernel = spmv_kernel_find(options.kernel);
    const int block = options.block_size;
    cr_assert_not_null(kernel, "%s: %s", label, options.kernel);
    cr_assert_eq(kernel->gpu, gpu, "%s: %s", label, options.kernel);
    cr_assert_eq(kernel->format, SPMV_CSR, "%s: %s", label, options.kernel);
    cr_assert(gpu ? block >= 32 && block <= 1024 && (block & (block - 1)) == 0 : block == 0,
              "%s: block size %d", label, block);
}

Test(selector, kernel_and_block_size_for_every_matrix)
{
    for (int k = 0; k < TEST_CASES; k++) {
        test_sample s = test_sample_make(k, SPMV_F32, 0);
        spmv_row_stats stats;
        cr_assert_eq(spmv_row_stats_compute(&s.A, &stats, NULL), SPMV_SUCCESS);
        check_options(spmv_kernel_options_rule(&stats), true, s.label);
        check_options(spmv_kernel_options_auto(&stats, true, NULL), true, s.label);
        check_options(spmv_kernel_options_auto(&stats, false, NULL), false, s.label);
        spmv_destroy(&s.A);
    }
}
