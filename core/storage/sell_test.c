/* sell_test.c -- the worked example in SELL, the order of its rows and the place of every entry. */
#include "core/matrix/value.h"
#include "core/matrix/format.h"
#include "core/matrix/random_matrix_test.h"

#include <criterion/criterion.h>
#include <math.h>

static const double example[] = {1, 0, 0, 2, 3, 4, 0, 0, 0, 0, 5, 6};

static spmv_sell built(const double *dense, int64_t rows, int64_t cols, spmv_convert_options build)
{
    spmv_matrix A, B;
    cr_assert_eq(spmv_from_dense(&A, SPMV_CSR, SPMV_F64, rows, cols, dense, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_convert(&B, &A, SPMV_SELL, &build, NULL), SPMV_SUCCESS);
    test_assert_valid(&B, "built");
    spmv_destroy(&A);
    return B.sell;
}

/* [1 0 0; 2 3 4; 0 0 0; 0 5 6] */
Test(sell, worked_example)
{
    static const int32_t perm[] = {1, 3, 0, 2}, col_idx[] = {0, 1, 1, 2, 2, -1, 0, -1};
    static const int64_t slice_ptr[] = {0, 6, 8};
    static const double val[] = {2, 5, 3, 6, 4, 0, 1, 0};
    spmv_sell A = built(example, 4, 3, (spmv_convert_options){.sell_slice = 2, .sell_window = 4});

    cr_assert_eq(A.slots, 8);
    cr_assert_arr_eq(A.perm, perm, sizeof perm);
    cr_assert_arr_eq(A.slice_ptr, slice_ptr, sizeof slice_ptr);
    cr_assert_arr_eq(A.col_idx, col_idx, sizeof col_idx);
    cr_assert_arr_eq(A.val, val, sizeof val);
    spmv_sell_destroy(&A);
}

static void assert_refused(spmv_sell *A, const char *message)
{
    spmv_matrix M = {.format = SPMV_SELL};
    spmv_error err;
    M.sell = *A;
    cr_assert_eq(spmv_check(&M, &err), SPMV_ERROR_INVALID_FORMAT);
    cr_assert_str_eq(err.message, message);
}

Test(sell, rows_out_of_order_in_a_window_are_no_sell)
{
    spmv_sell A = built(example, 4, 3, (spmv_convert_options){.sell_slice = 2, .sell_window = 4});
    A.col_idx[4] = -1; /* the third entry of row 1 moves to row 3, which gets more */
    ((double *)A.val)[4] = 0;
    A.col_idx[1] = 0;
    A.col_idx[3] = 1;
    A.col_idx[5] = 2;
    assert_refused(&A, "row 3 of 3 entries comes after row 1 of 2");
    spmv_sell_destroy(&A);

    A = built(example, 4, 3, (spmv_convert_options){.sell_slice = 2, .sell_window = 4});
    A.perm[0] = 3; /* rows 1 and 3 exchanged, the longer one is not the first of its length */
    A.perm[1] = 1;
    A.col_idx[4] = -1;
    ((double *)A.val)[4] = 0;
    A.nnz = 5;
    assert_refused(&A, "row 1 of 2 entries comes after row 3 of 2");
    spmv_sell_destroy(&A);
}

Test(sell, without_a_window_rows_keep_their_order)
{
    static const int32_t col_idx[] = {0, 0, -1, -1, 1, -1, -1, 2, -1, 1, -1, -1, 2, -1, -1};
    static const int64_t slice_ptr[] = {0, 9, 15};
    spmv_sell A = built(example, 4, 3, (spmv_convert_options){.sell_slice = 3, .sell_window = 1});

    cr_assert_eq(A.window, 1);
    cr_assert_eq(A.slots, 15);
    cr_assert_arr_eq(A.slice_ptr, slice_ptr, sizeof slice_ptr);
    cr_assert_arr_eq(A.col_idx, col_idx, sizeof col_idx);
    spmv_sell_destroy(&A);
}

Test(sell, a_window_is_rounded_up_to_whole_slices)
{
    spmv_sell A = built(example, 4, 3, (spmv_convert_options){.sell_slice = 2, .sell_window = 3});
    cr_assert_eq(A.window, 4);
    spmv_sell_destroy(&A);
}

/* Nine slices of 32 rows with two entries each, but for `missing` rows with one: so many of the 576
 * slots are padding. */
static int64_t window_chosen(int64_t missing)
{
    static double dense[288 * 2];
    for (int64_t r = 0; r < 288; r++) {
        dense[2 * r] = 1;
        dense[2 * r + 1] = r % 5 == 0 && r / 5 < missing ? 0 : 1;
    }
    spmv_sell A = built(dense, 288, 2, (spmv_convert_options){0});
    const int64_t window = A.window;
    cr_assert_eq(A.slice, 32);
    cr_assert_eq(A.nnz, 576 - missing);
    spmv_sell_destroy(&A);
    return window;
}

Test(sell, rows_are_sorted_where_more_than_a_tenth_would_be_padding)
{
    cr_assert_eq(window_chosen(0), 1);
    cr_assert_eq(window_chosen(57), 1);
    cr_assert_eq(window_chosen(58), 288);
}

static int64_t row_length(const spmv_csr *A, int64_t r)
{
    return A->row_ptr[r + 1] - A->row_ptr[r];
}

static int64_t row_at(const spmv_sell *A, int64_t i)
{
    return A->window > 1 ? A->perm[i] : i;
}

/* Within a window row i must be at least as long as the next, and before it when equal. */
static void check_order(const spmv_sell *A, const spmv_csr *known, const char *label)
{
    for (int64_t i = 0; A->window > 1 && i + 1 < known->rows; i++) {
        if ((i + 1) % A->window == 0) continue;
        const int64_t length = row_length(known, A->perm[i]);
        const int64_t next = row_length(known, A->perm[i + 1]);
        cr_assert(length > next || (length == next && A->perm[i] < A->perm[i + 1]),
                  "%s: sorted rows %lld and %lld", label, (long long)i, (long long)i + 1);
    }
}

static void check_places(const spmv_sell *A, const spmv_csr *known, const char *label)
{
    for (int64_t i = 0; i < known->rows; i++) {
        const int64_t begin = known->row_ptr[row_at(A, i)],
                      length = row_length(known, row_at(A, i));
        const int64_t s = i / A->slice;
        for (int64_t k = 0; k < length; k++) {
            const int64_t q = A->slice_ptr[s] + k * A->slice + i % A->slice;
            cr_assert_lt(q, A->slice_ptr[s + 1], "%s", label);
            cr_assert_eq(A->col_idx[q], known->col_idx[begin + k], "%s", label);
            cr_assert(test_equal(spmv__scalar(A->type, A->val, q),
                                 spmv__scalar(known->type, known->val, begin + k)),
                      "%s", label);
        }
    }
}

Test(sell, rows_by_falling_length_in_windows_and_entries_in_slices)
{
    static const int64_t slices[] = {0, 1, 2, 3, 8, 1000}, windows[] = {0, 1, 4, 100, 100000};
    for (int k = 0; k < TEST_CASES; k++) {
        test_sample s = test_sample_make(k, (spmv_type)(k % SPMV_TYPES), 0);
        const spmv_convert_options build = {
            .sell_slice = slices[k % 6], .sell_window = windows[k % 5], .max_fill = INFINITY};
        spmv_matrix A, B;
        cr_assert_eq(spmv_convert(&A, &s.A, SPMV_SELL, &build, NULL), SPMV_SUCCESS, "%s", s.label);
        test_assert_valid(&A, s.label);
        check_order(&A.sell, &s.A.csr, s.label);
        check_places(&A.sell, &s.A.csr, s.label);
        cr_assert_eq(spmv_convert(&B, &A, SPMV_CSR, NULL, NULL), SPMV_SUCCESS, "%s", s.label);
        cr_assert(spmv_identical(&B, &s.A), "%s", s.label);
        spmv_destroy(&A);
        spmv_destroy(&B);
        spmv_destroy(&s.A);
    }
}

/* Each slice of 32 rows has one row of 40,000 entries. */
Test(sell, too_much_padding_is_refused_with_the_numbers)
{
    spmv_error err;
    spmv_matrix A = {.format = SPMV_CSR}, B;
    const spmv_convert_options build = {.sell_window = 1},
                               any_fill = {.sell_window = 1, .max_fill = 33};
    cr_assert_eq(spmv_csr_create(&A.csr, SPMV_PATTERN, 64, 40000, 80000, NULL), SPMV_SUCCESS);
    for (int64_t r = 0; r < 64; r++) A.csr.row_ptr[r + 1] = 40000 * (r / 32 + 1);
    for (int32_t p = 0; p < 80000; p++) A.csr.col_idx[p] = p % 40000;

    cr_assert_eq(spmv_convert(&B, &A, SPMV_SELL, &build, &err), SPMV_ERROR_UNSUPPORTED);
    cr_assert_not_null(strstr(err.message, "SELL of slices of 32 needs 2560000 slots for 80000"),
                       "%s", err.message);
    cr_assert_eq(spmv_convert(&B, &A, SPMV_SELL, &any_fill, &err), SPMV_SUCCESS);
    cr_assert_eq(B.sell.slots, 2560000);
    spmv_destroy(&B);
    spmv_destroy(&A);
}

/* The head is nearly all that there is of this matrix. */
Test(sell, too_many_rows_are_refused_before_they_are_looked_at)
{
    const int64_t rows = (int64_t)INT32_MAX + 1;
    int64_t one_of_them = 0;
    spmv_matrix A = spmv__blank(SPMV_CSR, SPMV_F64, SPMV_GENERAL, rows, 1, 0);
    A.csr.row_ptr = &one_of_them;
    spmv_matrix B;
    spmv_error err;
    cr_assert_eq(spmv_convert(&B, &A, SPMV_SELL, NULL, &err), SPMV_ERROR_INVALID_DIMENSION);
    cr_assert_not_null(strstr(err.message, "2147483648 x 1 is too large for sell"), "%s",
                       err.message);
}

Test(sell, impossible_sizes_are_refused)
{
    spmv_sell A;
    cr_assert_eq(spmv_sell_create(&A, SPMV_F64, 2, 2, 2, 1, INT64_MAX, NULL),
                 SPMV_ERROR_OUT_OF_MEMORY);
    cr_assert_eq(spmv_sell_create(&A, SPMV_F64, 2, 2, 0, 1, 0, NULL), SPMV_ERROR_INVALID_FORMAT);
    cr_assert_eq(spmv_sell_create(&A, SPMV_F64, 2, 2, -1, 1, 0, NULL), SPMV_ERROR_INVALID_FORMAT);
    cr_assert_eq(spmv_sell_create(&A, SPMV_F64, 2, 2, 2, 0, 0, NULL), SPMV_ERROR_INVALID_FORMAT);
    cr_assert_eq(spmv_sell_create(&A, SPMV_F64, 2, 2, 2, 4, 0, NULL), SPMV_ERROR_INVALID_FORMAT);
    cr_assert_eq(spmv_sell_create(&A, SPMV_F64, 2, 2, 2, 1, -1, NULL),
                 SPMV_ERROR_INVALID_DIMENSION);
    cr_assert_eq(spmv_sell_create(NULL, SPMV_F64, 2, 2, 2, 1, 2, NULL),
                 SPMV_ERROR_INVALID_ARGUMENT);
}
