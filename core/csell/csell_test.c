/* csell_test.c -- CSELL: what every form holds, and which form is chosen. */
#include "core/csell/csell_twins_test.h"

#include <stdio.h>

/* ---- What the forms hold -------------------------------------------------------------------- */

/* The first and the last row of a tridiagonal matrix lack an entry, and so their slices have bits:
 * all three steps, but not the first of lane 0, and not the third of lane 31. */
Test(csell, bands_are_distances_from_the_diagonal)
{
    spmv_matrix B = sliced(SPMV_F64, 96, 96, band);
    const spmv_csell *A = &B.csell;
    static const int32_t encoding[] = {SPMV_CSELL_DIAGONAL_MASKED, SPMV_CSELL_DIAGONAL,
                                       SPMV_CSELL_DIAGONAL_MASKED};
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

Test(csell, blocks_of_rows_are_columns)
{
    static const int32_t number[] = {0, 1, 2, 3, 4, 0, 0, 0};
    spmv_matrix B = sliced(SPMV_F32, 64, 5, all), C = sliced(SPMV_F32, 64, 5, all_but_a_corner);
    cr_assert_eq(B.csell.encoding[0], SPMV_CSELL_COLUMN);
    cr_assert_eq(B.csell.words, 16);
    cr_assert_arr_eq(B.csell.code, number, sizeof number);
    cr_assert_arr_eq(B.csell.code + 8, number, sizeof number);
    cr_assert_eq(C.csell.encoding[0], SPMV_CSELL_COLUMN_MASKED);
    cr_assert_eq(C.csell.encoding[1], SPMV_CSELL_COLUMN);
    cr_assert_arr_eq(C.csell.code, number, sizeof number);
    cr_assert_eq(C.csell.code[8], 0x1f1c1c1c);
    cr_assert_eq(C.csell.code[9], 0x1f1f1f1f);
    spmv_destroy(&B);
    spmv_destroy(&C);
}

/* Rows have three entries at most: two words of a lane, the second half full. */
Test(csell, anything_within_reach_takes_16_bits)
{
    spmv_matrix B = sliced(SPMV_F64, 32, 700, scattered);
    const spmv_csell *A = &B.csell;
    cr_assert_eq(A->encoding[0], SPMV_CSELL_NEAR);
    cr_assert_eq(A->slots, 96);
    cr_assert_eq(A->words, 64 + 8);
    cr_assert_eq(A->code[64], 0); /* the base: row 0 has columns 0, 7 and 350 */
    cr_assert_eq(A->code[0], 7 << 16);
    cr_assert_eq(A->code[32], (int32_t)0xffff0000 | 350);
    cr_assert_eq(A->code[9], 126 << 16 | 91); /* row 9 has 91, 126 and 567 */
    spmv_destroy(&B);
}

/* Row 25 has column 0, 25 to its left; none is farther. */
Test(csell, anything_near_the_diagonal_takes_8_bits)
{
    spmv_matrix B = sliced(SPMV_F32, 32, 100, close_by);
    const spmv_csell *A = &B.csell;
    cr_assert_eq(A->encoding[0], SPMV_CSELL_BYTE);
    cr_assert_eq(A->slots, 96);
    cr_assert_eq(A->words, 32 + 8);
    cr_assert_eq(A->code[32], -25);
    cr_assert_eq(A->code[0], (int32_t)0xff000000 | 75 << 16 | 26 << 8 | 25); /* 0, 1 and 50 */
    cr_assert_eq(A->code[9], (int32_t)0xff000000 | 97 << 16 | 34 << 8 | 29); /* 13, 18 and 81 */
    spmv_destroy(&B);
}

Test(csell, what_is_too_far_apart_takes_32_bits)
{
    spmv_matrix B = sliced(SPMV_PATTERN, 20, 70000, far_apart);
    const spmv_csell *A = &B.csell;
    cr_assert_eq(A->encoding[0], SPMV_CSELL_FAR);
    cr_assert_eq(A->words, 64);
    cr_assert(A->code[3] == 9 && A->code[32 + 3] == 69999 - 27 && A->code[20] == -1);
    spmv_destroy(&B);
}

/* Ten blocks of rows and two rows of the next are a slice, and then the rest of that block begins
 * another. */
Test(csell, rows_of_a_block_share_a_list)
{
    static const int32_t head[] = {0, 11, 3, 0, 0, 0, 0, 0};
    static const int32_t lists[] = {9 << 16, -1, -1, -1, 24 << 16 | 3, -1, -1, -1};
    spmv_matrix B = sliced(SPMV_F32, 96, 96, blocks);
    const spmv_csell *A = &B.csell;
    cr_assert_eq(A->encoding[0], SPMV_CSELL_LISTS);
    cr_assert_eq(A->slots, 6 * 32 * 3);
    cr_assert_eq(A->code_ptr[1], 16 + 11 * 4);
    cr_assert_arr_eq(A->code, head, sizeof head);
    cr_assert_eq(A->code[8], 0x49249249); /* lanes 0, 3, 6, ... begin one */
    cr_assert_arr_eq(A->code + 16, lists, sizeof lists);
    cr_assert_eq(A->encoding[1], SPMV_CSELL_LISTS);
    cr_assert_eq((uint32_t)A->code[60 + 8], 0x92492493); /* row 32 has what row 30 has */
    spmv_destroy(&B);
}

/* 16 entries in each of four lists, as far apart as 32 bits reach only. */
Test(csell, lists_reach_everywhere)
{
    spmv_matrix B = sliced(SPMV_F64, 32, 70000, far_blocks),
                C = sliced(SPMV_F64, 32, 70000, far_holes);
    const spmv_csell *A = &B.csell;
    cr_assert_eq(A->encoding[0], SPMV_CSELL_LISTS_FAR);
    static const int32_t far[] = {0, 69900, -1, -1, -1, -1, -1, -1, 10, 69891};
    cr_assert_eq(A->words, 16 + 4 * 8);
    cr_assert(A->code[0] == 0 && A->code[1] == 4 && A->code[2] == 8 && A->code[8] == 0x01010101);
    cr_assert_arr_eq(A->code + 16, far, sizeof far);
    A = &C.csell;
    cr_assert_eq(A->encoding[0], SPMV_CSELL_LISTS_MASKED);
    cr_assert_eq(A->slots, 16 * 32);
    cr_assert_eq(A->words, 16 + 4 * 16 + 2 * 8);
    cr_assert(A->code[0] == 0 && A->code[1] == 4 && A->code[2] == 1 && A->code[8] == 0x01010101);
    cr_assert(A->code[16] == 0 && A->code[23] == 7 && A->code[24] == 69900 && A->code[79] == 69880);
    /* Row 0 lacks columns 0, 7 and 69902, row 1 columns 6 and 69901 and 69908, ... */
    cr_assert_eq(A->code[80] & 0xff, 0x7e);
    cr_assert_eq(A->code[80] >> 8 & 0xff, 0xbf);
    spmv_destroy(&B);
    spmv_destroy(&C);
}

/* ---- Which form, which order ---------------------------------------------------------------- */

static spmv_matrix generated(const char *kind, spmv_generate_options options)
{
    spmv_matrix A = {.format = SPMV_CSR};
    spmv_error err;
    cr_assert_eq(spmv_generate(&A.csr, kind, &options, &err), SPMV_SUCCESS, "%s", err.message);
    return A;
}

/* The table has the bytes of a nonzero in single precision, and whether rows should be sorted. */
Test(csell, structure_takes_little_more_than_the_values)
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
        {"fem", {.grid = 24, .block = 3, .type = SPMV_F32}, 4.7, false},
        {"uniform", {.rows = 20000, .cols = 50000, .per_row = 16, .type = SPMV_F32}, 6.8, false},
        {"powerlaw", {.rows = 20000, .per_row = 20, .exponent = 4, .type = SPMV_F32}, 8.5, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        spmv_matrix A = generated(cases[i].kind, cases[i].options), B;
        cr_assert(test_convert(&B, &A, SPMV_CSELL, cases[i].kind));
        const double bytes = (double)spmv_memory_bytes(&B) / (double)A.head.nnz;
        cr_assert_leq(bytes, cases[i].most, "%s: %g bytes for a nonzero", cases[i].kind, bytes);
        cr_assert_eq(B.csell.window > 1, cases[i].sorted, "%s", cases[i].kind);
        cr_assert_eq(B.csell.slice, cases[i].sorted ? 32 : 128, "%s", cases[i].kind);
        spmv_destroy(&A);
        spmv_destroy(&B);
    }
}

Test(csell, slices_and_windows_as_asked_for)
{
    spmv_matrix A = generated("uniform", (spmv_generate_options){.rows = 3000, .per_row = 5}), B;
    const spmv_convert_options builds[] = {{.sell_slice = 33, .sell_window = 1},
                                           {.sell_slice = 5000, .sell_window = 3},
                                           {.sell_slice = 64, .sell_window = 65},
                                           {.sell_window = 40}};
    static const int64_t expected[][2] = {{64, 1}, {1024, 1024}, {64, 128}, {32, 64}};
    for (int i = 0; i < 4; i++) {
        cr_assert_eq(spmv_convert(&B, &A, SPMV_CSELL, &builds[i], NULL), SPMV_SUCCESS);
        test_assert_valid(&B, "as asked for");
        cr_assert_eq(B.csell.slice, expected[i][0], "%d", i);
        cr_assert_eq(B.csell.window, expected[i][1], "%d", i);
        spmv_destroy(&B);
    }
    spmv_destroy(&A);
}

/* ---- Round trips ---------------------------------------------------------------------------- */

/* Samples have no structure; two thirds of them others take their place. */
static test_sample sample(int k)
{
    test_sample s = test_sample_make(k, (spmv_type)(k % SPMV_TYPES), 0);
    if (k / 5 % 3 == 0) return s;
    if (k / 5 % 3 == 1) {
        const spmv_type type = s.A.head.type;
        spmv_destroy(&s.A);
        s.A = alike(type, (uint64_t)k);
        snprintf(s.label, sizeof s.label, "rows that are alike %d", k);
        return s;
    }
    static const char *const kinds[] = {"stencil27", "dense", "stencil5", "fem"};
    const int kind = k / 10 % 4;
    const spmv_generate_options options = {.grid = kind % 3 == 0 ? 3 + k / 10 : 2 + k,
                                           .rows = 2 + k,
                                           .block = 2 + k % 2,
                                           .type = s.A.head.type,
                                           .values = SPMV_VALUES_RANDOM};
    spmv_destroy(&s.A);
    s.A = generated(kinds[kind], options);
    snprintf(s.label, sizeof s.label, "%s %d", kinds[kind], k);
    return s;
}

/* A times random vectors is what the entries of B, one by one, give. */
static void expect_product(const spmv_matrix *A, const spmv_matrix *B, int k, const char *label)
{
    const spmv_type pattern[] = {SPMV_F64, SPMV_F32, SPMV_C64}, type = A->head.type;
    spmv_dense x, y;
    spmv_verification v;
    spmv_error err;
    const spmv_type vector = type == SPMV_PATTERN ? pattern[k / 5 % 3] : type;
    cr_assert_eq(spmv_dense_create(&x, vector, A->head.cols, 1, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_dense_create(&y, vector, A->head.rows, 1, NULL), SPMV_SUCCESS);
    spmv_dense_fill_random(&x, (uint64_t)k);
    cr_assert_eq(spmv_multiply(A, -2, &x, 0, &y, NULL, NULL, NULL, &err), SPMV_SUCCESS, "%s: %s",
                 label, err.message);
    cr_assert_eq(spmv_verify(B, -2, &x, 0, NULL, &y, &v, NULL), SPMV_SUCCESS, "%s", label);
    cr_assert(v.pass, "%s: scaled error %g in row %lld", label, v.scaled_error,
              (long long)v.worst_row);
    spmv_dense_destroy(&x);
    spmv_dense_destroy(&y);
}

Test(csell, there_and_back_in_every_slice_and_window)
{
    static const int64_t slices[] = {0, 32, 64, 96, 1024}, windows[] = {0, 1, 50, 1000};
    int64_t forms[SPMV_CSELL_ENCODINGS] = {0};
    for (int k = 0; k < TEST_CASES; k++) {
        test_sample s = sample(k);
        const spmv_convert_options build = {
            .sell_slice = slices[k % 5], .sell_window = windows[k % 4], .max_fill = INFINITY};
        spmv_matrix A, B;
        cr_assert_eq(spmv_convert(&A, &s.A, SPMV_CSELL, &build, NULL), SPMV_SUCCESS, "%s", s.label);
        test_assert_valid(&A, s.label);
        for (int64_t i = 0; i < (A.head.rows + A.csell.slice - 1) / A.csell.slice; i++)
            forms[A.csell.encoding[i]]++;
        cr_assert_eq(spmv_convert(&B, &A, SPMV_CSR, NULL, NULL), SPMV_SUCCESS, "%s", s.label);
        cr_assert(spmv_identical(&B, &s.A), "%s", s.label);
        expect_product(&A, &s.A, k, s.label);
        spmv_destroy(&A);
        spmv_destroy(&B);
        spmv_destroy(&s.A);
    }
    for (int e = 0; e < SPMV_CSELL_ENCODINGS; e++) cr_assert_gt(forms[e], 0, "encoding %d", e);
}

/* Slots without an entry must not meet what x holds there: only rows that have a NaN or an
 * infinity in reach may show one. */
Test(csell, padding_is_never_multiplied)
{
    static const pattern_of patterns[] = {band, all_but_a_corner, scattered, close_by,
                                          all,  blocks,           pairs};
    enum { PATTERNS = sizeof patterns / sizeof patterns[0] };
    static const int64_t odd[] = {0, 31, 40, 64, 99};
    for (int i = 0; i < PATTERNS; i++) {
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
