/* csell_twins_test.h -- matrices of which each asks for one form of CSELL. */
#pragma once

#include "core/matrix/value.h"
#include "core/matrix/random_matrix_test.h"

#include <criterion/criterion.h>
#include <math.h>

typedef bool (*pattern_of)(int64_t row, int64_t col);

/* Makes the entries that `is_entry` names, their values 1, 2, 3, ... */
static inline spmv_matrix from_pattern(spmv_type type, int64_t rows, int64_t cols,
                                       pattern_of is_entry)
{
    spmv_matrix A = {.format = SPMV_CSR};
    int64_t nnz = 0;
    for (int64_t i = 0; i < rows * cols; i++) nnz += is_entry(i / cols, i % cols);
    cr_assert_eq(spmv_csr_create(&A.csr, type, rows, cols, nnz, NULL), SPMV_SUCCESS);
    nnz = 0;
    for (int64_t i = 0; i < rows * cols; i++) {
        if (is_entry(i / cols, i % cols)) {
            A.csr.col_idx[nnz] = (int32_t)(i % cols);
            spmv__set_value(type, A.csr.val, nnz, (double)(nnz + 1));
            nnz++;
        }
        A.csr.row_ptr[i / cols + 1] = nnz;
    }
    return A;
}

static inline bool band(int64_t r, int64_t c)
{
    return c >= r - 1 && c <= r + 1;
}
static inline bool all(int64_t r, int64_t c)
{
    return r >= 0 && c >= 0;
}
static inline bool all_but_a_corner(int64_t r, int64_t c)
{
    return r >= 3 || c >= 2;
}
static inline bool scattered(int64_t r, int64_t c)
{
    return c == r * r % 97 || c == (r * 7 + 50) % 100 || c == (r * r * r + 1) % 89;
}
static inline bool far_apart(int64_t r, int64_t c)
{
    return c == r * r % 61 || c == 69999 - r * r * r % 1000;
}

/* Rows 0 1 2 | 3 4 5 | ... have blocks of three columns. */
static inline bool blocks(int64_t r, int64_t c)
{
    return c / 3 == (r / 3 * 5 + 3) % 32 || c / 3 == r / 3 * (r / 3) % 31;
}

/* Rows 0 1 | 2 3 | ... have pairs of columns. */
static inline bool pairs(int64_t r, int64_t c)
{
    return c / 2 == (r / 2 * 7 + 1) % 32 || c / 2 == r / 2 * (r / 2) % 29;
}

/* Converts to slices of 32 rows in their own order, checks them, and converts back. */
static inline spmv_matrix sliced(spmv_type type, int64_t rows, int64_t cols, pattern_of is_entry)
{
    const spmv_convert_options build = {.sell_slice = 32, .sell_window = 1, .max_fill = INFINITY};
    spmv_matrix A = from_pattern(type, rows, cols, is_entry), B, C;
    cr_assert_eq(spmv_convert(&B, &A, SPMV_CSELL, &build, NULL), SPMV_SUCCESS);
    test_assert_valid(&B, "built");
    cr_assert_eq(spmv_convert(&C, &B, SPMV_CSR, NULL, NULL), SPMV_SUCCESS);
    cr_assert(spmv_identical(&A, &C));
    spmv_destroy(&A);
    spmv_destroy(&C);
    return B;
}
