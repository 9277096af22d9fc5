/* bsr_test.c -- the worked example in blocks, the choice of the block, and what is no BSR. */
#include "core/base/random.h"
#include "core/matrix/random_matrix_test.h"
#include "core/matrix/value.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

static spmv_bsr built(const double *dense, int64_t rows, int64_t cols, int64_t block)
{
    const spmv_convert_options build = {.bsr_block = block};
    spmv_matrix A, B;
    cr_assert_eq(spmv_from_dense(&A, SPMV_CSR, SPMV_F64, rows, cols, dense, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_convert(&B, &A, SPMV_BSR, &build, NULL), SPMV_SUCCESS);
    test_assert_valid(&B, "built");
    spmv_destroy(&A);
    return B.bsr;
}

/* [1 0 0 7; 2 3 4 0; 0 0 5 6] in blocks of 2: the last group of rows has one row. */
static const double example[] = {1, 0, 0, 7, 2, 3, 4, 0, 0, 0, 5, 6};

Test(bsr, worked_example)
{
    static const int64_t row_ptr[] = {0, 2, 3};
    static const int32_t col_idx[] = {0, 1, 1}, mask[] = {1 | 2 | 8, 2 | 4, 1 | 4};
    static const double val[] = {1, 2, 0, 3, 0, 4, 7, 0, 5, 0, 6, 0};
    spmv_bsr A = built(example, 3, 4, 2);

    cr_assert(A.block == 2 && A.blocks == 3 && A.nnz == 7);
    cr_assert_arr_eq(A.row_ptr, row_ptr, sizeof row_ptr);
    cr_assert_arr_eq(A.col_idx, col_idx, sizeof col_idx);
    cr_assert_arr_eq(A.mask, mask, sizeof mask);
    cr_assert_arr_eq(A.val, val, sizeof val);
    spmv_bsr_destroy(&A);
}

/* Blocks of `size` full rows and columns on the diagonal are found, whatever the size. */
Test(bsr, dense_blocks_are_found)
{
    for (int64_t size = 2; size <= SPMV_BSR_BLOCK; size++) {
        const int64_t n = 3 * size;
        double *dense = calloc((size_t)(n * n), sizeof *dense);
        for (int64_t r = 0; r < n; r++)
            for (int64_t c = 0; c < n; c++)
                if (r / size == c / size) dense[r * n + c] = 1 + (double)(r + c);
        spmv_bsr A = built(dense, n, n, 0);
        cr_assert(A.block == size && A.blocks == 3, "%lld: %lld blocks of %lld", (long long)size,
                  (long long)A.blocks, (long long)A.block);
        spmv_bsr_destroy(&A);
        free(dense);
    }
}

/* An entry of value 0 stays one, and no other place becomes one: an infinite x meets entries only.
 */
Test(bsr, what_is_no_entry_multiplies_nothing)
{
    for (int64_t block = 2; block <= SPMV_BSR_BLOCK; block++) {
        double x[] = {1, INFINITY, NAN, 1}, y[3] = {0};
        const spmv_convert_options build = {.bsr_block = block};
        spmv_matrix A = {.format = SPMV_COO}, B, C;
        cr_assert_eq(spmv_coo_create(&A.coo, SPMV_F64, 3, 4, 3, NULL), SPMV_SUCCESS);
        memcpy(A.coo.row_idx, (int64_t[]){0, 1, 2}, 3 * sizeof(int64_t));
        memcpy(A.coo.col_idx, (int64_t[]){0, 0, 3}, 3 * sizeof(int64_t));
        memcpy(A.coo.val, (double[]){2, 0, 5}, 3 * sizeof(double));
        cr_assert_eq(spmv_convert(&B, &A, SPMV_BSR, &build, NULL), SPMV_SUCCESS);
        cr_assert_eq(spmv_convert(&C, &B, SPMV_COO, NULL, NULL), SPMV_SUCCESS);
        cr_assert(spmv_identical(&A, &C));
        const spmv_dense X = {.type = SPMV_F64, .rows = 4, .cols = 1, .data = x};
        spmv_dense Y = {.type = SPMV_F64, .rows = 3, .cols = 1, .data = y};
        cr_assert_eq(spmv_multiply(&B, 1, &X, 0, &Y, NULL, NULL, NULL, NULL), SPMV_SUCCESS);
        cr_assert(y[0] == 2 && y[1] == 0 && y[2] == 5, "%g %g %g", y[0], y[1], y[2]);
        spmv_destroy(&A);
        spmv_destroy(&B);
        spmv_destroy(&C);
    }
}

static double element(int c, int infinite)
{
    return c == infinite ? (double)INFINITY : c % 7 - 3;
}

/* Products of small numbers, which are exact in every order: rows and columns that fill no last
 * group, half of all places taken, and an element of x that is infinite. */
static void check_products(int64_t block, spmv_type type, spmv_type x_type)
{
    enum { ROWS = 5 * SPMV_BSR_BLOCK + 1, COLS = 4 * SPMV_BSR_BLOCK + 3 };
    static double dense[ROWS * COLS];
    double x[COLS], y[ROWS];
    for (int i = 0; i < ROWS * COLS; i++) {
        const int k = (int)(spmv__mix((uint64_t)(block * ROWS * COLS + i)) >> 60);
        dense[i] = k < 8 ? 0 : type == SPMV_PATTERN ? 1 : k - 12.5;
    }
    const spmv_convert_options build = {.bsr_block = block};
    const spmv_dense X = {.type = x_type, .rows = COLS, .cols = 1, .data = x};
    spmv_dense Y = {.type = x_type, .rows = ROWS, .cols = 1, .data = y};
    spmv_matrix A, B;
    cr_assert_eq(spmv_from_dense(&A, SPMV_CSR, type, ROWS, COLS, dense, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_convert(&B, &A, SPMV_BSR, &build, NULL), SPMV_SUCCESS);
    for (int infinite = -1; infinite < COLS; infinite += 11) {
        for (int c = 0; c < COLS; c++) spmv__set_value(x_type, x, c, element(c, infinite));
        cr_assert_eq(spmv_multiply(&B, 1, &X, 0, &Y, NULL, NULL, NULL, NULL), SPMV_SUCCESS);
        for (int r = 0; r < ROWS; r++) {
            double expected = 0;
            for (int c = 0; c < COLS; c++)
                if (dense[r * COLS + c] != 0)
                    expected += dense[r * COLS + c] * element(c, infinite);
            cr_assert_eq(spmv__value(x_type, y, r), expected, "block %d, row %d, x[%d] infinite",
                         (int)block, r, infinite);
        }
    }
    spmv_destroy(&A);
    spmv_destroy(&B);
}

Test(bsr, products_of_blocks_that_are_not_full)
{
    static const spmv_type types[][2] = {
        {SPMV_F64, SPMV_F64}, {SPMV_F32, SPMV_F32}, {SPMV_F32, SPMV_F64}, {SPMV_PATTERN, SPMV_F64}};
    for (int64_t block = 2; block <= SPMV_BSR_BLOCK; block++)
        for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
            check_products(block, types[i][0], types[i][1]);
}

static void assert_refused(spmv_bsr *A, const char *message)
{
    spmv_matrix M = {.format = SPMV_BSR};
    spmv_error err;
    M.bsr = *A;
    cr_assert_eq(spmv_check(&M, &err), SPMV_ERROR_INVALID_FORMAT);
    cr_assert_str_eq(err.message, message);
    spmv_bsr_destroy(A);
}

Test(bsr, what_is_no_bsr)
{
    spmv_bsr A = built(example, 3, 4, 2);
    A.col_idx[1] = 0;
    assert_refused(&A, "block 1 of group 0 is at 0: out of order, or not one of 2");
    A = built(example, 3, 4, 2);
    A.col_idx[2] = 2;
    assert_refused(&A, "block 2 of group 1 is at 2: out of order, or not one of 2");
    A = built(example, 3, 4, 2);
    A.mask[1] = 0;
    ((double *)A.val)[5] = ((double *)A.val)[6] = 0;
    assert_refused(&A, "block 1 has no entry");
    A = built(example, 3, 4, 2);
    ((double *)A.val)[2] = 8;
    assert_refused(&A, "place 2 of block 0 is padding, but holds a value");
    A = built(example, 3, 4, 2);
    A.mask[2] |= 8; /* row 3 of 3 */
    assert_refused(&A, "entry 11 at row 3, column 3 is outside 3 x 4");
    A = built(example, 3, 4, 2);
    A.mask[0] |= 16; /* a place that no block has */
    assert_refused(&A, "bit 4 of the mask of block 0 stands for no place");
    A = built(example, 3, 4, 2);
    A.nnz = 6;
    assert_refused(&A, "BSR holds 7 entries, expected 6");
    A = built(example, 3, 4, 2);
    A.row_ptr[1] = 4;
    assert_refused(&A, "row_ptr falls from 4 to 3 at 2");
}

Test(bsr, blocks_that_cannot_be)
{
    spmv_error err;
    spmv_bsr A;
    static const int64_t sizes[] = {0, 1, SPMV_BSR_BLOCK + 1, INT64_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        cr_assert_eq(spmv_bsr_create(&A, SPMV_F64, 4, 4, sizes[i], 1, &err),
                     SPMV_ERROR_INVALID_FORMAT);
    cr_assert_str_eq(err.message, "blocks of 9223372036854775807 rows: there must be 2 to 16");
    cr_assert_neq(spmv_bsr_create(&A, SPMV_F64, 4, 4, 2, INT64_MAX / 2, &err), SPMV_SUCCESS);

    spmv_matrix M, B;
    cr_assert_eq(spmv_from_dense(&M, SPMV_CSR, SPMV_F64, 3, 4, example, NULL), SPMV_SUCCESS);
    for (size_t i = 1; i < sizeof sizes / sizeof sizes[0]; i++) {
        const spmv_convert_options build = {.bsr_block = sizes[i]};
        cr_assert_eq(spmv_convert(&B, &M, SPMV_BSR, &build, &err), SPMV_ERROR_INVALID_ARGUMENT);
    }
    spmv_destroy(&M);
}
