/* random_columns_test.c -- shapes, row lengths and column counts against theory. */
#include "core/generate/generated_matrix_test.h"

#include <math.h>

Test(generate_uniform, whole_and_fractional_row_lengths)
{
    static const double per_row[] = {1, 16, 2.25, 0.5, 300.75};
    for (int i = 0; i < 5; i++) {
        spmv_generate_options options = {.rows = 4000, .cols = 500, .per_row = per_row[i]};
        spmv_csr A = generate("uniform", options);
        double fraction = per_row[i] - floor(per_row[i]);
        for (int64_t r = 0; r < A.rows; r++)
            cr_assert((double)row_length(&A, r) == floor(per_row[i]) ||
                      (double)row_length(&A, r) == ceil(per_row[i]));
        cr_assert(six_sigma((double)A.nnz, 4000 * per_row[i], 4000 * fraction * (1 - fraction)));
        spmv_csr_destroy(&A);
    }
}

Test(generate_uniform, density_counts_the_entries)
{
    spmv_csr A = generate("uniform", (spmv_generate_options){.rows = 300, .density = 0.75});
    cr_assert_eq(A.nnz, 300 * 225);
    spmv_csr_destroy(&A);
    A = generate("uniform", (spmv_generate_options){.rows = 30, .cols = 70, .density = 1});
    cr_assert_eq(A.nnz, 30 * 70);
    spmv_csr_destroy(&A);
    A = generate("uniform", (spmv_generate_options){.rows = 1});
    cr_assert_eq(A.nnz, 1, "the default of 16 per row is cut to what fits");
    spmv_csr_destroy(&A);
}

/* Each column of m rows with k of n entries is hit Binomial(m, k / n) times. */
Test(generate_uniform, columns_are_hit_alike)
{
    enum { ROWS = 20000, COLS = 1000 };
    static const int per_row[] = {5, 700}; /* the second draws what it leaves out */
    for (int i = 0; i < 2; i++) {
        spmv_generate_options options = {.rows = ROWS, .cols = COLS, .per_row = per_row[i]};
        spmv_csr A = generate("uniform", options);
        double share = (double)per_row[i] / COLS, variance = ROWS * share * (1 - share), chi2 = 0;
        int count[COLS] = {0};
        for (int64_t p = 0; p < A.nnz; p++) count[A.col_idx[p]]++;
        for (int c = 0; c < COLS; c++) chi2 += pow(count[c] - ROWS * share, 2) / variance;
        /* As the counts add up to ROWS * per_row, chi2 (COLS - 1) / COLS has COLS - 1 degrees. */
        cr_assert(six_sigma(chi2, COLS, 2 * COLS), "chi2 %g", chi2);
        spmv_csr_destroy(&A);
    }
}

Test(generate_hypersparse, most_rows_are_empty)
{
    spmv_generate_options options = {.rows = 50000, .cols = 900, .per_row = 7, .nonempty = 0.02};
    spmv_csr A = generate("hypersparse", options);
    int64_t nonempty = 0;
    for (int64_t r = 0; r < A.rows; r++) {
        cr_assert(row_length(&A, r) == 0 || row_length(&A, r) == 7);
        nonempty += row_length(&A, r) > 0;
    }
    cr_assert(six_sigma((double)nonempty, 1000, 50000 * 0.02 * 0.98));
    spmv_csr_destroy(&A);
}

Test(generate_banded, whole_band)
{
    spmv_csr A = generate("banded", (spmv_generate_options){.rows = 4, .bandwidth = 2});
    static const int64_t row_ptr[] = {0, 2, 5, 8, 10};
    static const int32_t col_idx[] = {0, 1, 0, 1, 2, 1, 2, 3, 2, 3};
    cr_assert_arr_eq(A.row_ptr, row_ptr, sizeof row_ptr);
    cr_assert_arr_eq(A.col_idx, col_idx, sizeof col_idx);
    spmv_csr_destroy(&A);

    A = generate("banded", (spmv_generate_options){.rows = 50, .bandwidth = 1});
    cr_assert_eq(A.nnz, 50);
    for (int r = 0; r < 50; r++) cr_assert_eq(A.col_idx[r], r);
    spmv_csr_destroy(&A);
}

Test(generate_banded, rectangular_bands_are_cut_at_the_border)
{
    static const int64_t shape[][3] = {{7, 3, 2},         {3, 7, 2}, {9, 4, 100},
                                       {4, 9, INT64_MAX}, {1, 1, 1}, {30, 5, 8}};
    for (size_t i = 0; i < sizeof shape / sizeof shape[0]; i++) {
        spmv_csr A = generate("banded", (spmv_generate_options){.rows = shape[i][0],
                                                                .cols = shape[i][1],
                                                                .bandwidth = shape[i][2]});
        int64_t inside = 0;
        for (int64_t r = 0; r < A.rows; r++)
            for (int64_t c = 0; c < A.cols; c++) inside += llabs(r - c) < shape[i][2];
        for (int64_t r = 0; r < A.rows; r++)
            for (int64_t p = A.row_ptr[r]; p < A.row_ptr[r + 1]; p++)
                cr_assert_lt(llabs(r - A.col_idx[p]), shape[i][2]);
        cr_assert_eq(A.nnz, inside, "case %zu", i);
        spmv_csr_destroy(&A);
    }
}

Test(generate_banded, random_entries_of_the_band)
{
    spmv_generate_options options = {.rows = 2000, .bandwidth = 20, .per_row = 5};
    spmv_csr A = generate("banded", options);
    double sum = 0;
    cr_assert_eq(A.nnz, 10000);
    for (int64_t r = 0; r < A.rows; r++)
        for (int64_t p = A.row_ptr[r]; p < A.row_ptr[r + 1]; p++) {
            cr_assert_lt(llabs(r - A.col_idx[p]), 20);
            sum += (double)(A.col_idx[p] - r);
        }
    /* Offsets are uniform in -19 .. 19, of variance (39^2 - 1) / 12, but near the two borders. */
    cr_assert(six_sigma(sum, 0, 10000 * (39.0 * 39 - 1) / 12));
    spmv_csr_destroy(&A);
}

Test(generate_block, blocks_are_dense_and_aligned)
{
    spmv_generate_options options = {.rows = 1002, .cols = 403, .block = 4, .per_row = 10};
    spmv_csr A = generate("block", options);
    for (int64_t r = 0; r < A.rows; r++) {
        int64_t first = r / 4 * 4;
        cr_assert(row_length(&A, r) == 8 || row_length(&A, r) == 12);
        cr_assert_eq(row_length(&A, r), row_length(&A, first));
        cr_assert_arr_eq(A.col_idx + A.row_ptr[r], A.col_idx + A.row_ptr[first],
                         (size_t)row_length(&A, r) * sizeof(int32_t));
        for (int64_t k = 0; k < row_length(&A, r); k++) {
            int64_t start = A.col_idx[A.row_ptr[r] + k / 4 * 4];
            cr_assert_eq(start % 4, 0);
            cr_assert_eq(A.col_idx[A.row_ptr[r] + k], start + k % 4);
        }
    }
    /* 251 rows of blocks, each with 2 or 3 blocks, equally likely; a block holds 16 entries. */
    cr_assert(six_sigma((double)A.nnz, 1002 * 10.0, 251 * 16 * 16 / 4.0));
    spmv_csr_destroy(&A);
}

Test(generate_dense, holds_everything)
{
    spmv_csr A = generate("dense", (spmv_generate_options){.rows = 20, .cols = 33});
    cr_assert_eq(A.nnz, 20 * 33);
    for (int64_t p = 0; p < A.nnz; p++) cr_assert_eq(A.col_idx[p], p % 33);
    spmv_csr_destroy(&A);
}
