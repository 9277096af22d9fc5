/* csell_twins_test.h -- matrices of which each asks for one form of CSELL. */
#pragma once

#include "core/base/random.h"
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
static inline bool close_by(int64_t r, int64_t c)
{
    return c == r * r % 97 || c == (r * 7 + 50) % 100 || c == (r * r * r + 1) % 89;
}
static inline bool scattered(int64_t r, int64_t c)
{
    return c % 7 == 0 && close_by(r, c / 7);
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

/* Rows 0 ... 7 | 8 ... 15 | ... have eight columns at the left and eight far to the right. */
static inline bool far_blocks(int64_t r, int64_t c)
{
    const int64_t g = r / 8;
    return (c >= 10 * g && c < 10 * g + 8) || (c >= 69900 - 9 * g && c < 69908 - 9 * g);
}

/* The same, but no row has all of them. */
static inline bool far_holes(int64_t r, int64_t c)
{
    return far_blocks(r, c) && (r + c) % 7 != 0;
}

/* Random numbers below a limit, one after the other. */
typedef struct draws {
    uint64_t seed, n;
} draws;
static inline int64_t draw(draws *d, int64_t below)
{
    return (int64_t)(spmv__uniform(d->seed, d->n++) * (double)below);
}

enum { ALIKE_ROWS = 200, ALIKE_RUNS = 6, ALIKE_RUN = 9, ALIKE_MOST = ALIKE_RUNS * ALIKE_RUN };

/* Draws the columns of some runs, ascending, and returns how many. */
static inline int64_t draw_columns(draws *d, int64_t cols, int32_t col[ALIKE_MOST])
{
    int64_t n = 0;
    for (int64_t runs = draw(d, ALIKE_RUNS + 1); runs > 0; runs--) {
        const int64_t from = draw(d, cols), end = from + 1 + draw(d, ALIKE_RUN);
        for (int64_t c = from; c < end && c < cols; c++) {
            int64_t i = n;
            while (i > 0 && col[i - 1] > c) i--;
            if (i > 0 && col[i - 1] == c) continue;
            memmove(col + i + 1, col + i, (size_t)(n++ - i) * sizeof *col);
            col[i] = (int32_t)c;
        }
    }
    return n;
}

/* Makes CSR of its columns, with drawn values. */
static inline spmv_matrix from_columns(spmv_type type, int64_t rows, int64_t cols,
                                       const int64_t *row_ptr, const int32_t *col, draws *d)
{
    const int64_t nnz = row_ptr[rows];
    spmv_matrix A = {.format = SPMV_CSR};
    cr_assert_eq(spmv_csr_create(&A.csr, type, rows, cols, nnz, NULL), SPMV_SUCCESS);
    memcpy(A.csr.row_ptr, row_ptr, (size_t)(rows + 1) * sizeof *row_ptr);
    if (nnz > 0) memcpy(A.csr.col_idx, col, (size_t)nnz * sizeof *col);
    for (int64_t p = 0; p < nnz; p++)
        spmv__set_value(type, A.csr.val, p, spmv__uniform(d->seed, d->n++) + 0.5);
    return A;
}

/* Makes 1 to 200 rows, up to 16 neighbours of which have the same columns, or most of the same. */
static inline spmv_matrix alike(spmv_type type, uint64_t seed)
{
    draws d = {seed, 0};
    const int64_t rows = 1 + draw(&d, ALIKE_ROWS), cols = draw(&d, 2) != 0 ? 300 : 300000;
    const bool holes = draw(&d, 2) != 0;
    static int32_t col[ALIKE_ROWS * ALIKE_MOST];
    int64_t row_ptr[ALIKE_ROWS + 1] = {0}, n = 0, nnz = 0, same = 0;
    int32_t list[ALIKE_MOST];
    for (int64_t r = 0; r < rows; r++) {
        if (same-- == 0 || r % 32 == 31) { /* also between the rows of a warp and the next */
            same = draw(&d, 16);
            n = draw_columns(&d, cols, list);
        }
        for (int64_t i = 0; i < n; i++)
            if (!holes || draw(&d, 10) != 0) col[nnz++] = list[i];
        row_ptr[r + 1] = nnz;
    }
    return from_columns(type, rows, cols, row_ptr, col, &d);
}

/* Makes 200 rows, of which up to 24 neighbours have most of 36 to 69 columns, or of a half of them.
 */
static inline spmv_matrix long_alike(spmv_type type, uint64_t seed)
{
    enum { MOST = 69, APART = 90 };
    static int32_t col[ALIKE_ROWS * MOST];
    int64_t row_ptr[ALIKE_ROWS + 1] = {0}, list[MOST], nnz = 0, n = 0, same = 0;
    draws d = {seed, 0};
    for (int64_t r = 0; r < ALIKE_ROWS; r++) {
        if (same-- == 0) {
            same = draw(&d, 24);
            n = MOST - draw(&d, 34);
            for (int64_t k = 0; k < n; k++) list[k] = k * APART + draw(&d, APART);
        }
        const int64_t half = draw(&d, 8);
        for (int64_t k = half == 0 ? n / 2 : 0; k < (half == 1 ? n / 2 : n); k++)
            if (draw(&d, 20) != 0) col[nnz++] = (int32_t)list[k];
        row_ptr[r + 1] = nnz;
    }
    return from_columns(type, ALIKE_ROWS, MOST * APART, row_ptr, col, &d);
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
