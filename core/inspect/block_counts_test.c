/* block_counts_test.c -- entries per block against a count over coordinates. */
#include "core/matrix/random_matrix_test.h"

#include <criterion/criterion.h>
#include <stdlib.h>

Test(block_counts, equal_a_naive_count_in_every_format)
{
    for (int k = 0; k < TEST_CASES; k++) {
        test_sample s = test_sample_make(k, (spmv_type)(k % 3), 20000);
        const spmv_csr *A = &s.A.csr;
        const int64_t rows = 1 + k % 7, cols = 1 + k % 11; /* of a block */
        const int64_t height = (A->rows + rows - 1) / rows, width = (A->cols + cols - 1) / cols;
        int64_t *expected = calloc((size_t)(height * width + 1), sizeof *expected);
        for (int64_t r = 0; r < A->rows; r++)
            for (int64_t p = A->row_ptr[r]; p < A->row_ptr[r + 1]; p++)
                expected[(r / rows) * width + A->col_idx[p] / cols]++;
        for (int f = 0; f < SPMV_FORMATS; f++) {
            spmv_matrix B;
            int64_t *count = calloc((size_t)(height * width + 1), sizeof *count);
            if (test_convert(&B, &s.A, (spmv_format)f, s.label)) {
                cr_assert_eq(spmv_block_counts(&B, rows, cols, count, NULL), SPMV_SUCCESS);
                cr_assert_arr_eq(count, expected, (size_t)(height * width) * sizeof *count, "%s",
                                 s.label);
                spmv_destroy(&B);
            }
            free(count);
        }
        free(expected);
        spmv_destroy(&s.A);
    }
}

/* A mapped file may change after its indices were checked. */
Test(block_counts, entries_outside_are_left_out)
{
    int64_t row_idx[] = {0, 5, -3, 2, 1}, col_idx[] = {0, 0, 0, 9, -5}, count[5] = {0};
    double val[] = {1, 1, 1, 1, 1};
    const spmv_matrix A = {.coo = {.type = SPMV_F64,
                                   .rows = 4,
                                   .cols = 4,
                                   .nnz = 5,
                                   .row_idx = row_idx,
                                   .col_idx = col_idx,
                                   .val = val},
                           .format = SPMV_COO};
    cr_assert_eq(spmv_block_counts(&A, 2, 2, count, NULL), SPMV_SUCCESS);
    cr_assert_arr_eq(count, ((int64_t[]){1, 0, 0, 0, 0}), sizeof count);
}

Test(block_counts, impossible_arguments_are_refused)
{
    spmv_matrix A = {.format = SPMV_COO};
    int64_t count[1];
    cr_assert_eq(spmv_block_counts(&A, 0, 1, count, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_block_counts(&A, 1, -1, count, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_block_counts(NULL, 1, 1, count, NULL), SPMV_ERROR_INVALID_ARGUMENT);
}
