/* csell_check_test.c -- spmv_check notices every broken promise of CSELL. */
#include "core/csell/csell_twins_test.h"

#define BREAK(name, statement)              \
    static void break_##name(spmv_csell *A) \
    {                                       \
        statement;                          \
    }

BREAK(slice, A->slice = 48)
BREAK(large_slice, A->slice = 2048)
BREAK(no_slice, A->slice = 0)
BREAK(negative_slice, A->slice = -32)
BREAK(window, A->window = 16)
BREAK(slice_ptr, A->slice_ptr[1] = -32)
BREAK(code_ptr, A->code_ptr[0] = 8)
BREAK(encoding, A->encoding[0] = SPMV_CSELL_ENCODINGS)
BREAK(encoding_negative, A->encoding[0] = -1)
BREAK(uneven, A->slice_ptr[1]--)
BREAK(words, (A->code_ptr[1] -= 8))
BREAK(other_form, A->encoding[1] = SPMV_CSELL_DIAGONAL_MASKED)
BREAK(filler, A->code[3] = 1)
BREAK(descending, (A->code[0] = 0, A->code[1] = -1))
BREAK(twice, A->code[1] = A->code[0])
BREAK(unused_bit, A->code[8] |= 8)
BREAK(masked_value, A->code[8] &= ~2)
BREAK(outside_below, A->code[8] |= 1)
BREAK(outside_above, A->code[39] |= 4 << 24)
BREAK(shift, A->code[18] = INT32_MAX)
BREAK(count, A->nnz++)
BREAK(far_value, ((double *)A->val)[0] = 1)

BREAK(list_none, A->code[1] = 0)
BREAK(list_negative, A->code[1] = -1)
BREAK(list_many, A->code[1] = 33)
BREAK(list_run, A->code[2] = 4)
BREAK(list_no_run, A->code[2] = 0)
BREAK(list_other_run, A->code[2] = 2)
BREAK(list_filler, A->code[3] = 1)
BREAK(list_lost, A->code[8] &= ~8)
BREAK(list_first, A->code[8] ^= 3)
BREAK(list_bits, A->code[9] = 1)
BREAK(list_unused, A->code[19] = 0)
BREAK(list_base, A->code[0] = 80)
BREAK(list_steps, A->slice_ptr[1] += 3 * 32)
BREAK(list_order, A->code[16] = 9)
BREAK(list_gap, A->code[16] |= 0xffff)
BREAK(far_list_base, A->code[0] = 1)
BREAK(far_list_column, A->code[16] = -2)

BREAK(near_half, A->code[32] = 50)
BREAK(near_filler, A->code[71] = 1)
BREAK(near_base, A->code[64] = 60)
BREAK(near_base_negative, A->code[64] = -1)
BREAK(near_order, A->code[9] = 91 << 16 | 126)
BREAK(near_gap, A->code[9] |= 0xffff)

BREAK(byte_quarter, A->code[0] &= 0xffffff)
BREAK(byte_filler, A->code[33] = 1)
BREAK(byte_base, A->code[32] = 60)
BREAK(byte_base_below, A->code[32] = -26)
BREAK(byte_gap, A->code[9] |= 0xff)

static const struct {
    pattern_of is_entry; /* in 96 x 96, or in 32 rows */
    const char *message;
    void (*break_it)(spmv_csell *A);
} broken[] = {
    {band, "slices of 48 rows are not a multiple of 32 up to 1024", break_slice},
    {band, "slices of 2048 rows", break_large_slice},
    {band, "slices of 0 rows", break_no_slice},
    {band, "may not be negative", break_negative_slice},
    {band, "windows of 16 rows are neither 1 nor 1..3 slices of 32", break_window},
    {band, "slice_ptr falls from 0 to -32", break_slice_ptr},
    {band, "code_ptr[0] is 8", break_code_ptr},
    {band, "slice 0 has no encoding 10", break_encoding},
    {band, "slice 0 has no encoding -1", break_encoding_negative},
    {band, "slice 0 has 95 slots, which 32 rows do not share evenly", break_uneven},
    {band, "slice 0 has 8 words, expected 16 for 3 steps of encoding 3", break_words},
    {band, "slice 1 has 8 words, expected 16", break_other_form},
    {band, "slice 0 has words of encoding 3 that are out of order", break_filler},
    {band, "slice 0 has words of encoding 3 that are out of order", break_descending},
    {band, "slice 0 has words of encoding 3 that are out of order", break_twice},
    {band, "slice 0 has words of encoding 3 that are out of order", break_unused_bit},
    {band, "step 1 of lane 0 in slice 0 is padding, but holds an entry", break_masked_value},
    {band, "entry 0 at row 0, column -2 is outside", break_outside_below},
    {band, "entry 287 at row 95, column 96 is outside", break_outside_above},
    {band, "entry 160 at row 32, column 2147483647 is outside", break_shift},
    {band, "CSELL holds 286 entries, expected 287", break_count},
    {band, "step 0 of lane 0 in slice 0 is padding, but holds an entry", break_far_value},
    {blocks, "slice 0 has 60 words, expected 16 for 6 steps of encoding 7", break_list_none},
    {blocks, "slice 0 has 60 words, expected 16 for 6 steps of encoding 7", break_list_negative},
    {blocks, "slice 0 has 60 words, expected 16 for 6 steps of encoding 7", break_list_many},
    {blocks, "slice 0 has 60 words, expected 16 for 6 steps of encoding 7", break_list_run},
    {blocks, "slice 0 has 60 words, expected 16 for 6 steps of encoding 7", break_list_no_run},
    {blocks, "step 4 of lane 0 in slice 0 is padding, but holds an entry", break_list_other_run},
    {blocks, "slice 0 has words of encoding 7 that are out of order", break_list_filler},
    {blocks, "slice 0 has words of encoding 7 that are out of order", break_list_lost},
    {blocks, "slice 0 has words of encoding 7 that are out of order", break_list_first},
    {blocks, "slice 0 has words of encoding 7 that are out of order", break_list_bits},
    {blocks, "slice 0 has words of encoding 7 that are out of order", break_list_unused},
    {blocks, "is outside 96 x 96", break_list_base},
    {blocks, "step 6 of lane 0 in slice 0 is padding, but holds an entry", break_list_steps},
    {blocks, "entry 96 at row 0, column 0 is out of order", break_list_order},
    {blocks, "step 0 of lane 0 in slice 0 is padding, but holds an entry", break_list_gap},
    {scattered, "slice 0 has words of encoding 1 that are out of order", break_near_half},
    {scattered, "slice 0 has words of encoding 1 that are out of order", break_near_filler},
    {scattered, "is outside 32 x 700", break_near_base},
    {scattered, "entry 0 at row 0, column -2 is outside", break_near_base_negative},
    {scattered, "entry 41 at row 9, column 91 is out of order", break_near_order},
    {scattered, "step 0 of lane 9 in slice 0 is padding, but holds an entry", break_near_gap},
    {close_by, "slice 0 has words of encoding 6 that are out of order", break_byte_quarter},
    {close_by, "slice 0 has words of encoding 6 that are out of order", break_byte_filler},
    {close_by, "is outside 32 x 100", break_byte_base},
    {close_by, "entry 0 at row 0, column -2 is outside", break_byte_base_below},
    {close_by, "step 0 of lane 9 in slice 0 is padding, but holds an entry", break_byte_gap},
    {far_blocks, "slice 0 has words of encoding 8 that are out of order", break_far_list_base},
    {far_blocks, "entry 0 at row 0, column -2 is outside", break_far_list_column},
};

Test(csell, every_broken_promise_is_noticed_with_its_place)
{
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        spmv_error err = {.message = ""};
        const pattern_of of = broken[i].is_entry;
        const int64_t cols = of == scattered    ? 700
                             : of == close_by   ? 100
                             : of == far_blocks ? 70000
                                                : 96;
        spmv_matrix A = sliced(SPMV_F64, cols == 96 ? 96 : 32, cols, of);
        spmv_matrix B = A;
        broken[i].break_it(&B.csell);
        cr_assert_neq(spmv_check(&B, &err), SPMV_SUCCESS, "%s", broken[i].message);
        cr_assert_not_null(strstr(err.message, broken[i].message), "expected '%s', got '%s'",
                           broken[i].message, err.message);
        spmv_destroy(&A);
    }
}

/* Lanes behind the last row hold nothing, in any form. */
Test(csell, no_entry_behind_the_last_row)
{
    static const pattern_of patterns[] = {all_but_a_corner, scattered, far_apart};
    static const int64_t cols[] = {5, 700, 70000};
    for (int i = 0; i < 3; i++) {
        spmv_error err = {.message = ""};
        spmv_matrix A = sliced(SPMV_PATTERN, 20, cols[i], patterns[i]);
        A.csell.rows = 19;
        cr_assert_eq(spmv_check(&A, &err), SPMV_ERROR_INVALID_FORMAT);
        cr_assert_not_null(strstr(err.message, "lane 19 in slice 0 is padding"), "%s", err.message);
        spmv_destroy(&A);
    }
}

/* Turns a matrix whose rows are in their own order into one that has sorted them, but for two. */
static void assert_order(pattern_of is_entry, int64_t window, int64_t swapped, const char *message)
{
    int32_t perm[96];
    spmv_error err = {.message = ""};
    spmv_matrix A = sliced(SPMV_F64, 96, 96, is_entry), B = A;
    for (int32_t r = 0; r < 96; r++) perm[r] = r;
    B.csell.perm = perm;
    B.csell.window = window;
    if (is_entry == all) cr_assert_eq(spmv_check(&B, &err), SPMV_SUCCESS, "%s", err.message);
    perm[swapped] = (int32_t)swapped + 1;
    perm[swapped + 1] = (int32_t)swapped;
    cr_assert_eq(spmv_check(&B, &err), SPMV_ERROR_INVALID_FORMAT);
    cr_assert_str_eq(err.message, message);
    spmv_destroy(&A);
}

Test(csell, rows_out_of_order_in_a_window_are_no_csell)
{
    assert_order(all, 32, 1, "row 1 of 96 entries comes after row 2 of 96");
    assert_order(all, 96, 31, "row 31 of 96 entries comes after row 32 of 96");
    assert_order(band, 32, 93, "row 1 of 3 entries comes after row 0 of 2");
}

Test(csell, impossible_sizes_are_refused)
{
    spmv_csell A;
    cr_assert_eq(spmv_csell_create(&A, SPMV_F64, 2, 2, 32, 1, INT64_MAX, 0, NULL),
                 SPMV_ERROR_OUT_OF_MEMORY);
    static const int64_t slices[] = {-32, -1, 0, 31, 33, SPMV_CSELL_SLICE + 32};
    for (size_t i = 0; i < sizeof slices / sizeof slices[0]; i++)
        cr_assert_eq(spmv_csell_create(&A, SPMV_F64, 2, 2, slices[i], 1, 0, 0, NULL),
                     SPMV_ERROR_INVALID_FORMAT, "slices of %lld", (long long)slices[i]);
    for (int64_t window = -32; window <= 64; window += 16)
        if (window != 32)
            cr_assert_eq(spmv_csell_create(&A, SPMV_F64, 2, 2, 32, window, 0, 0, NULL),
                         SPMV_ERROR_INVALID_FORMAT, "windows of %lld", (long long)window);
    cr_assert_eq(spmv_csell_create(&A, SPMV_F64, 2, 2, 32, 1, -1, 0, NULL),
                 SPMV_ERROR_INVALID_DIMENSION);
    cr_assert_eq(spmv_csell_create(NULL, SPMV_F64, 2, 2, 32, 1, 64, 8, NULL),
                 SPMV_ERROR_INVALID_ARGUMENT);
}
