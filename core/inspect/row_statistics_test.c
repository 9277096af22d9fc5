/* row_statistics_test.c -- row statistics against a naive count. */
#include "core/base/random.h"
#include "core/matrix/random_matrix_test.h"

#include <criterion/criterion.h>
#include <math.h>

/* Returns the bin of a length, by halving. */
static int bin(int64_t length)
{
    int b = 0;
    for (; length > 0; length /= 2) b++;
    return b;
}

static spmv_row_stats naive(const spmv_csr *A)
{
    spmv_row_stats s = {.rows = A->rows, .cols = A->cols, .nnz = A->nnz};
    double squares = 0;
    if (A->rows == 0) return s;
    s.mean = (double)A->nnz / (double)A->rows;
    s.min = A->cols;
    for (int64_t r = 0; r < A->rows; r++) {
        int64_t length = A->row_ptr[r + 1] - A->row_ptr[r];
        if (length < s.min) s.min = length;
        if (length > s.max) s.max = length;
        s.empty += length == 0;
        s.histogram[bin(length)]++;
        s.entries[bin(length)] += length;
        squares += pow((double)length - s.mean, 2);
    }
    s.stddev = sqrt(squares / (double)A->rows);
    return s;
}

static void assert_same(const spmv_row_stats *a, const spmv_row_stats *b, const char *label)
{
    cr_assert(a->rows == b->rows && a->cols == b->cols && a->nnz == b->nnz, "%s", label);
    cr_assert(a->min == b->min && a->max == b->max && a->empty == b->empty, "%s", label);
    cr_assert_arr_eq(a->histogram, b->histogram, sizeof a->histogram, "%s", label);
    cr_assert_arr_eq(a->entries, b->entries, sizeof a->entries, "%s", label);
    cr_assert_float_eq(a->mean, b->mean, 1e-12 * b->mean + 1e-300, "%s", label);
    cr_assert_float_eq(a->stddev, b->stddev, 1e-9 * b->stddev + 1e-300, "%s", label);
}

Test(stats, equal_a_naive_count_in_every_format)
{
    for (int k = 0; k < TEST_CASES; k++) {
        test_sample s = test_sample_make(k, (spmv_type)(k % SPMV_TYPES), 0);
        spmv_row_stats expected = naive(&s.A.csr);
        for (int f = 0; f < SPMV_FORMATS; f++) {
            spmv_matrix A;
            spmv_row_stats stats;
            if (!test_convert(&A, &s.A, (spmv_format)f, s.label)) continue;
            cr_assert_eq(spmv_row_stats_compute(&A, &stats, NULL), SPMV_SUCCESS);
            assert_same(&stats, &expected, s.label);
            spmv_destroy(&A);
        }
        spmv_destroy(&s.A);
    }
}

Test(stats, scattered_entries_have_none_near_them_in_the_row_above)
{
    int64_t row_ptr[] = {0, 3, 6, 6, 8};
    int32_t col_idx[] = {10, 500, 800, 42, 467, 768, 42, 467};
    spmv_matrix A = {.format = SPMV_CSR,
                     .csr = {.type = SPMV_PATTERN,
                             .rows = 4,
                             .cols = 1000,
                             .nnz = 8,
                             .row_ptr = row_ptr,
                             .col_idx = col_idx}};
    spmv_row_stats stats;
    cr_assert_eq(spmv_row_stats_compute(&A, &stats, NULL), SPMV_SUCCESS);
    /* 42 is near 10 and 768 near 800, 467 is not near 500, and nothing is near the entries below an
     * empty row. */
    cr_assert_float_eq(stats.share_without_neighbour, 0.6, 1e-15);
}

/* The numbers that a kernel is chosen by must not depend on how the matrix is stored. */
Test(stats, and_the_automatic_kernel_are_the_same_in_every_format)
{
    for (int64_t rows = 3; rows < 3000; rows += 701) {
        spmv_matrix A = {.format = SPMV_COO};
        const int64_t nnz = rows * 4;
        cr_assert_eq(spmv_coo_create(&A.coo, SPMV_PATTERN, rows, 5000000, nnz, NULL), SPMV_SUCCESS);
        for (int64_t p = 0; p < nnz; p++) {
            A.coo.row_idx[p] = p / 4;
            A.coo.col_idx[p] = (int64_t)(spmv__mix((uint64_t)p) % 5000000);
        }
        cr_assert_eq(spmv_coo_sort(&A.coo, SPMV_DUPLICATES_FIRST, NULL, NULL), SPMV_SUCCESS);
        for (int f = 0; f < SPMV_FORMATS; f++) {
            spmv_matrix B;
            spmv_row_stats stats;
            cr_assert_eq(spmv_convert(&B, &A, (spmv_format)f, NULL, NULL), SPMV_SUCCESS);
            cr_assert_eq(spmv_row_stats_compute(&B, &stats, NULL), SPMV_SUCCESS);
            cr_expect_gt(stats.share_without_neighbour, 0.9, "%s",
                         spmv_format_name((spmv_format)f));
            spmv_row_stats of_csr;
            spmv_matrix C;
            cr_assert_eq(spmv_convert(&C, &A, SPMV_CSR, NULL, NULL), SPMV_SUCCESS);
            cr_assert_eq(spmv_row_stats_compute(&C, &of_csr, NULL), SPMV_SUCCESS);
            cr_expect_eq(stats.share_without_neighbour, of_csr.share_without_neighbour, "%s",
                         spmv_format_name((spmv_format)f));
            const spmv_kernel_options a = spmv_kernel_options_auto(&stats, true, NULL),
                                      b = spmv_kernel_options_auto(&of_csr, true, NULL);
            cr_expect_str_eq(a.kernel, b.kernel, "%s", spmv_format_name((spmv_format)f));
            spmv_destroy(&B);
            spmv_destroy(&C);
        }
        spmv_destroy(&A);
    }
}

/* A mapped file may change after its indices were checked. */
Test(stats, entries_of_rows_that_are_not_there_are_left_out)
{
    int64_t col_ptr[] = {0, 2, 4, 5};
    int32_t row_idx[] = {0, 1, -7, 900, 1};
    const spmv_matrix A = {.csc = {.type = SPMV_PATTERN,
                                   .rows = 2,
                                   .cols = 3,
                                   .nnz = 5,
                                   .col_ptr = col_ptr,
                                   .row_idx = row_idx},
                           .format = SPMV_CSC};
    spmv_row_stats s;
    cr_assert_eq(spmv_row_stats_compute(&A, &s, NULL), SPMV_SUCCESS);
    cr_assert_eq(s.min, 1);
    cr_assert_eq(s.max, 2);
}

Test(stats, of_more_rows_than_there_is_memory)
{
    spmv_matrix A = {.format = SPMV_COO};
    spmv_row_stats stats;
    cr_assert_eq(spmv_coo_create(&A.coo, SPMV_F64, INT64_MAX, 3, 2, NULL), SPMV_SUCCESS);
    A.coo.col_idx[1] = 1;
    cr_assert_eq(spmv_row_stats_compute(&A, &stats, NULL), SPMV_SUCCESS);
    cr_assert(stats.min == 0 && stats.max == 2 && stats.empty == INT64_MAX - 1);
    cr_assert(stats.histogram[2] == 1 && stats.histogram[0] == INT64_MAX - 1);
    spmv_destroy(&A);
}

Test(stats, impossible_arguments_are_refused)
{
    spmv_matrix A = {.format = SPMV_FORMATS};
    spmv_row_stats stats;
    cr_assert_eq(spmv_row_stats_compute(&A, &stats, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_row_stats_compute(NULL, &stats, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_row_stats_compute(&A, NULL, NULL), SPMV_ERROR_INVALID_ARGUMENT);
}
