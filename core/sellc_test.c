/* sellc_test.c -- SELLC: what every form holds, which form is chosen, what a file may not claim. */
#include "test_support.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

/* ---- Matrices that ask for one form --------------------------------------------------------- */

typedef bool (*pattern_of)(int64_t row, int64_t col);

/* The entries that `is_entry` names, their values 1, 2, 3, ... */
static spmv_matrix from_pattern(spmv_type type, int64_t rows, int64_t cols, pattern_of is_entry)
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

static bool band(int64_t r, int64_t c)
{
    return c >= r - 1 && c <= r + 1;
}
static bool all(int64_t r, int64_t c)
{
    return r >= 0 && c >= 0;
}
static bool all_but_a_corner(int64_t r, int64_t c)
{
    return r >= 3 || c >= 2;
}
static bool scattered(int64_t r, int64_t c)
{
    return c == r * r % 97 || c == (r * 7 + 50) % 100 || c == (r * r * r + 1) % 89;
}
static bool far_apart(int64_t r, int64_t c)
{
    return c == r * r % 61 || c == 69999 - r * r * r % 1000;
}

static spmv_matrix sliced(spmv_type type, int64_t rows, int64_t cols, pattern_of is_entry)
{
    const spmv_build build = {.sell_slice = 32, .sell_window = 1, .max_fill = INFINITY};
    spmv_matrix A = from_pattern(type, rows, cols, is_entry), B, C;
    cr_assert_eq(spmv_convert(&B, &A, SPMV_SELLC, &build, NULL), SPMV_SUCCESS);
    test_assert_valid(&B, "built");
    cr_assert_eq(spmv_convert(&C, &B, SPMV_CSR, NULL, NULL), SPMV_SUCCESS);
    cr_assert(spmv_identical(&A, &C));
    spmv_destroy(&A);
    spmv_destroy(&C);
    return B;
}

/* ---- What the forms hold -------------------------------------------------------------------- */

/* The first and the last row of a tridiagonal matrix lack an entry, and so their slices have bits:
 * all three steps, but not the first of lane 0, and not the third of lane 31. */
Test(sellc, bands_are_distances_from_the_diagonal)
{
    spmv_matrix B = sliced(SPMV_F64, 96, 96, band);
    const spmv_sellc *A = &B.sellc;
    static const int32_t encoding[] = {SPMV_SELLC_DIAGONAL_MASKED, SPMV_SELLC_DIAGONAL,
                                       SPMV_SELLC_DIAGONAL_MASKED};
    static const int32_t number[] = {-1, 0, 1, 0, 0, 0, 0, 0};
    static const int64_t code_ptr[] = {0, 16, 24, 40}, slice_ptr[] = {0, 96, 192, 288};

    cr_assert_eq(A->slots, 288);
    cr_assert_eq(A->words, 40);
    cr_assert_arr_eq(A->encoding, encoding, sizeof encoding);
    cr_assert_arr_eq(A->code_ptr, code_ptr, sizeof code_ptr);
    cr_assert_arr_eq(A->slice_ptr, slice_ptr, sizeof slice_ptr);
    for (int s = 0; s < 3; s++) cr_assert_arr_eq(A->code + code_ptr[s], number, sizeof number);
    for (int w = 0; w < 8; w++) {
        cr_assert_eq(A->code[8 + w], w == 0 ? 0x07070706 : 0x07070707);
        cr_assert_eq(A->code[32 + w], w == 7 ? 0x03070707 : 0x07070707);
    }
    const double *val = A->val;
    cr_assert(val[0] == 0 && val[32] == 1 && val[64] == 2 && val[1] == 3 && val[33] == 4);
    cr_assert(val[256 + 31] == 0 && val[224 + 31] == 286);
    spmv_destroy(&B);
}

Test(sellc, blocks_of_rows_are_columns)
{
    static const int32_t number[] = {0, 1, 2, 3, 4, 0, 0, 0};
    spmv_matrix B = sliced(SPMV_F32, 64, 5, all), C = sliced(SPMV_F32, 64, 5, all_but_a_corner);
    cr_assert_eq(B.sellc.encoding[0], SPMV_SELLC_COLUMN);
    cr_assert_eq(B.sellc.words, 16);
    cr_assert_arr_eq(B.sellc.code, number, sizeof number);
    cr_assert_arr_eq(B.sellc.code + 8, number, sizeof number);
    cr_assert_eq(C.sellc.encoding[0], SPMV_SELLC_COLUMN_MASKED);
    cr_assert_eq(C.sellc.encoding[1], SPMV_SELLC_COLUMN);
    cr_assert_arr_eq(C.sellc.code, number, sizeof number);
    cr_assert_eq(C.sellc.code[8], 0x1f1c1c1c);
    cr_assert_eq(C.sellc.code[9], 0x1f1f1f1f);
    spmv_destroy(&B);
    spmv_destroy(&C);
}

/* Rows of three entries at most: two words of a lane, the second half full. */
Test(sellc, anything_within_reach_takes_16_bits)
{
    spmv_matrix B = sliced(SPMV_F64, 32, 100, scattered);
    const spmv_sellc *A = &B.sellc;
    cr_assert_eq(A->encoding[0], SPMV_SELLC_NEAR);
    cr_assert_eq(A->slots, 96);
    cr_assert_eq(A->words, 64 + 8);
    cr_assert_eq(A->code[64], 0); /* the base: row 0 has columns 0, 1 and 50 */
    cr_assert_eq(A->code[0], 1 << 16);
    cr_assert_eq(A->code[32], (int32_t)0xffff0032);
    cr_assert_eq(A->code[9], 18 << 16 | 13); /* row 9 has 13, 18 and 81 */
    spmv_destroy(&B);
}

Test(sellc, what_is_too_far_apart_takes_32_bits)
{
    spmv_matrix B = sliced(SPMV_PATTERN, 20, 70000, far_apart);
    const spmv_sellc *A = &B.sellc;
    cr_assert_eq(A->encoding[0], SPMV_SELLC_FAR);
    cr_assert_eq(A->words, 64);
    cr_assert(A->code[3] == 9 && A->code[32 + 3] == 69999 - 27 && A->code[20] == -1);
    spmv_destroy(&B);
}

/* ---- Which form, which order ---------------------------------------------------------------- */

static spmv_matrix generated(const char *kind, spmv_generate_options options)
{
    spmv_matrix A = {.format = SPMV_CSR};
    spmv_error err;
    cr_assert_eq(spmv_generate(&A.csr, kind, &options, &err), SPMV_SUCCESS, "%s", err.message);
    return A;
}

/* Bytes for a nonzero in single precision, and whether the rows should be sorted. */
Test(sellc, structure_takes_little_more_than_the_values)
{
    static const struct {
        const char *kind;
        spmv_generate_options options;
        double most;
        bool sorted;
    } cases[] = {
        {"stencil5", {.grid = 256, .type = SPMV_F32}, 4.3, false},
        {"stencil27", {.grid = 32, .type = SPMV_F32}, 5.0, false},
        {"dense", {.rows = 500, .cols = 700, .type = SPMV_F32}, 4.2, false},
        {"fem", {.grid = 24, .block = 3, .type = SPMV_F32}, 6.2, false},
        {"uniform", {.rows = 20000, .cols = 50000, .per_row = 16, .type = SPMV_F32}, 6.8, false},
        {"powerlaw", {.rows = 20000, .per_row = 20, .exponent = 4, .type = SPMV_F32}, 8.5, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        spmv_matrix A = generated(cases[i].kind, cases[i].options), B;
        cr_assert(test_convert(&B, &A, SPMV_SELLC, cases[i].kind));
        const double bytes = (double)spmv_bytes(&B) / (double)A.head.nnz;
        cr_assert_leq(bytes, cases[i].most, "%s: %g bytes for a nonzero", cases[i].kind, bytes);
        cr_assert_eq(B.sellc.window > 1, cases[i].sorted, "%s", cases[i].kind);
        cr_assert_eq(B.sellc.slice, cases[i].sorted ? 32 : 128, "%s", cases[i].kind);
        spmv_destroy(&A);
        spmv_destroy(&B);
    }
}

Test(sellc, slices_and_windows_as_asked_for)
{
    spmv_matrix A = generated("uniform", (spmv_generate_options){.rows = 3000, .per_row = 5}), B;
    const spmv_build builds[] = {{.sell_slice = 33, .sell_window = 1},
                                 {.sell_slice = 5000, .sell_window = 3},
                                 {.sell_slice = 64, .sell_window = 65},
                                 {.sell_window = 40}};
    static const int64_t expected[][2] = {{64, 1}, {1024, 1024}, {64, 128}, {32, 64}};
    for (int i = 0; i < 4; i++) {
        cr_assert_eq(spmv_convert(&B, &A, SPMV_SELLC, &builds[i], NULL), SPMV_SUCCESS);
        test_assert_valid(&B, "as asked for");
        cr_assert_eq(B.sellc.slice, expected[i][0], "%d", i);
        cr_assert_eq(B.sellc.window, expected[i][1], "%d", i);
        spmv_destroy(&B);
    }
    spmv_destroy(&A);
}

/* ---- Round trips ---------------------------------------------------------------------------- */

/* Samples have no structure; every second five others take their place. */
static test_sample sample(int k)
{
    test_sample s = test_sample_make(k, (spmv_type)(k % SPMV_TYPES), 0);
    if (k / 5 % 2 == 0) return s;
    static const char *const kinds[] = {"stencil27", "dense", "stencil5", "stencil7"};
    const spmv_generate_options options = {.grid = k % 4 % 3 == 0 ? 3 + k / 5 : 2 + k,
                                           .rows = 2 + k,
                                           .type = s.A.head.type,
                                           .values = SPMV_VALUES_RANDOM};
    spmv_destroy(&s.A);
    s.A = generated(kinds[k % 4], options);
    snprintf(s.label, sizeof s.label, "%s %d", kinds[k % 4], k);
    return s;
}

Test(sellc, there_and_back_in_every_slice_and_window)
{
    static const int64_t slices[] = {0, 32, 64, 96, 1024}, windows[] = {0, 1, 50, 1000};
    int64_t forms[SPMV_SELLC_ENCODINGS] = {0};
    for (int k = 0; k < TEST_CASES; k++) {
        test_sample s = sample(k);
        const spmv_build build = {
            .sell_slice = slices[k % 5], .sell_window = windows[k % 4], .max_fill = INFINITY};
        spmv_matrix A, B;
        cr_assert_eq(spmv_convert(&A, &s.A, SPMV_SELLC, &build, NULL), SPMV_SUCCESS, "%s", s.label);
        test_assert_valid(&A, s.label);
        for (int64_t i = 0; i < (A.head.rows + A.sellc.slice - 1) / A.sellc.slice; i++)
            forms[A.sellc.encoding[i]]++;
        cr_assert_eq(spmv_convert(&B, &A, SPMV_CSR, NULL, NULL), SPMV_SUCCESS, "%s", s.label);
        cr_assert(spmv_identical(&B, &s.A), "%s", s.label);
        spmv_destroy(&A);
        spmv_destroy(&B);
        spmv_destroy(&s.A);
    }
    for (int e = 0; e < SPMV_SELLC_ENCODINGS; e++) cr_assert_gt(forms[e], 0, "encoding %d", e);
}

/* Slots without an entry must not meet what x holds there: only rows that have a NaN or an
 * infinity in reach may show one. */
Test(sellc, padding_is_never_multiplied)
{
    static const pattern_of patterns[] = {band, all_but_a_corner, scattered, all};
    static const int64_t odd[] = {0, 31, 40, 64, 99};
    for (int i = 0; i < 4; i++) {
        spmv_matrix A = from_pattern(SPMV_F64, 100, 100, patterns[i]);
        spmv_matrix B = sliced(SPMV_F64, 100, 100, patterns[i]);
        spmv_dense x, y, z;
        cr_assert_eq(spmv_dense_create(&x, SPMV_F64, 100, 1, NULL), SPMV_SUCCESS);
        cr_assert_eq(spmv_dense_create(&y, SPMV_F64, 100, 1, NULL), SPMV_SUCCESS);
        cr_assert_eq(spmv_dense_create(&z, SPMV_F64, 100, 1, NULL), SPMV_SUCCESS);
        spmv_dense_fill_random(&x, 3);
        for (int k = 0; k < 5; k++) ((double *)x.data)[odd[k]] = k % 2 ? NAN : INFINITY;
        cr_assert_eq(spmv_multiply(&A, 2, &x, 0, &y, NULL, NULL, NULL, NULL), SPMV_SUCCESS);
        cr_assert_eq(spmv_multiply(&B, 2, &x, 0, &z, NULL, NULL, NULL, NULL), SPMV_SUCCESS);
        for (int r = 0; r < 100; r++) {
            const double a = ((double *)y.data)[r], b = ((double *)z.data)[r];
            cr_assert(isfinite(a) ? fabs(a - b) <= 1e-9 * fabs(a)
                      : isnan(a)  ? isnan(b)
                                  : a == b,
                      "pattern %d, row %d: %g and %g", i, r, a, b);
        }
        spmv_dense_destroy(&x);
        spmv_dense_destroy(&y);
        spmv_dense_destroy(&z);
        spmv_destroy(&A);
        spmv_destroy(&B);
    }
}

/* ---- What may not be claimed ---------------------------------------------------------------- */

#define BREAK(name, statement)              \
    static void break_##name(spmv_sellc *A) \
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
BREAK(encoding, A->encoding[0] = SPMV_SELLC_ENCODINGS)
BREAK(encoding_negative, A->encoding[0] = -1)
BREAK(uneven, A->slice_ptr[1]--)
BREAK(words, (A->code_ptr[1] -= 8))
BREAK(other_form, A->encoding[1] = SPMV_SELLC_DIAGONAL_MASKED)
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

BREAK(near_half, A->code[32] = 50)
BREAK(near_filler, A->code[71] = 1)
BREAK(near_base, A->code[64] = 60)
BREAK(near_base_negative, A->code[64] = -1)
BREAK(near_order, A->code[9] = 13 << 16 | 18)
BREAK(near_gap, A->code[9] |= 0xffff)

static const struct {
    pattern_of is_entry; /* in 96 x 96, or 32 x 100 */
    const char *message;
    void (*break_it)(spmv_sellc *A);
} broken[] = {
    {band, "slices of 48 rows are no multiple of 32 up to 1024", break_slice},
    {band, "slices of 2048 rows", break_large_slice},
    {band, "slices of 0 rows", break_no_slice},
    {band, "may not be negative", break_negative_slice},
    {band, "windows of 16 rows are neither 1 nor 1..3 slices of 32", break_window},
    {band, "slice_ptr falls from 0 to -32", break_slice_ptr},
    {band, "code_ptr[0] is 8", break_code_ptr},
    {band, "slice 0 has no encoding 6", break_encoding},
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
    {band, "SELLC holds 286 entries, expected 287", break_count},
    {band, "step 0 of lane 0 in slice 0 is padding, but holds an entry", break_far_value},
    {scattered, "slice 0 has words of encoding 1 that are out of order", break_near_half},
    {scattered, "slice 0 has words of encoding 1 that are out of order", break_near_filler},
    {scattered, "is outside 32 x 100", break_near_base},
    {scattered, "entry 0 at row 0, column -2 is outside", break_near_base_negative},
    {scattered, "entry 41 at row 9, column 13 is out of order", break_near_order},
    {scattered, "step 0 of lane 9 in slice 0 is padding, but holds an entry", break_near_gap},
};

Test(sellc, every_broken_promise_is_noticed_with_its_place)
{
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        spmv_error err = {.message = ""};
        const bool near = broken[i].is_entry == scattered;
        spmv_matrix A = sliced(SPMV_F64, near ? 32 : 96, near ? 100 : 96, broken[i].is_entry);
        spmv_matrix B = A;
        broken[i].break_it(&B.sellc);
        cr_assert_neq(spmv_check(&B, &err), SPMV_SUCCESS, "%s", broken[i].message);
        cr_assert_not_null(strstr(err.message, broken[i].message), "expected '%s', got '%s'",
                           broken[i].message, err.message);
        spmv_destroy(&A);
    }
}

/* Lanes behind the last row hold nothing, in any form. */
Test(sellc, no_entry_behind_the_last_row)
{
    static const pattern_of patterns[] = {all_but_a_corner, scattered, far_apart};
    static const int64_t cols[] = {5, 100, 70000};
    for (int i = 0; i < 3; i++) {
        spmv_error err = {.message = ""};
        spmv_matrix A = sliced(SPMV_PATTERN, 20, cols[i], patterns[i]);
        A.sellc.rows = 19;
        cr_assert_eq(spmv_check(&A, &err), SPMV_ERROR_INVALID_FORMAT);
        cr_assert_not_null(strstr(err.message, "lane 19 in slice 0 is padding"), "%s", err.message);
        spmv_destroy(&A);
    }
}

Test(sellc, impossible_sizes_are_refused)
{
    spmv_sellc A;
    cr_assert_eq(spmv_sellc_create(&A, SPMV_F64, 2, 2, 32, 1, INT64_MAX, 0, NULL),
                 SPMV_ERROR_OUT_OF_MEMORY);
    cr_assert_eq(spmv_sellc_create(&A, SPMV_F64, 2, 2, 0, 1, 0, 0, NULL), SPMV_ERROR_OUT_OF_MEMORY);
    cr_assert_eq(spmv_sellc_create(&A, SPMV_F64, 2, 2, 32, 1, -1, 0, NULL),
                 SPMV_ERROR_INVALID_DIMENSION);
    cr_assert_eq(spmv_sellc_create(NULL, SPMV_F64, 2, 2, 32, 1, 64, 8, NULL),
                 SPMV_ERROR_INVALID_ARGUMENT);
}
