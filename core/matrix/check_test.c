/* check_test.c -- spmv_check notices every broken promise, and never reads out of bounds. */
#include "core/base/random.h"
#include "core/matrix/format.h"
#include "core/matrix/random_matrix_test.h"

#include <criterion/criterion.h>
#include <stdio.h>

/* The 6 x 5 matrix
 *     . . . . .
 *     a b c . d
 *     . e . . .
 *     . f g h .
 *     i . . . j
 *     k . . . .   */
static spmv_matrix sound(spmv_format format)
{
    double dense[30] = {0};
    static const int places[] = {5, 6, 7, 9, 11, 16, 17, 18, 20, 24, 25};
    spmv_matrix A, B;
    spmv_convert_options build = {.hyb_width = 1, .sell_slice = 2, .sell_window = 4};
    for (int i = 0; i < 11; i++) dense[places[i]] = i + 1;
    cr_assert_eq(spmv_from_dense(&A, SPMV_CSR, SPMV_F64, 6, 5, dense, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_convert(&B, &A, format, &build, NULL), SPMV_SUCCESS);
    test_assert_valid(&B, "before it is broken");
    spmv_destroy(&A);
    return B;
}

/* Each function sets one thing wrong. */
#define BREAK(name, statement)               \
    static void break_##name(spmv_matrix *A) \
    {                                        \
        statement;                           \
    }

BREAK(type, A->head.type = SPMV_TYPES)
BREAK(symmetry, A->head.symmetry = (spmv_symmetry)-1)
BREAK(square, A->head.symmetry = SPMV_SYMMETRIC)
BREAK(rows, A->head.rows = -1)
BREAK(nnz, A->head.nnz = -1)
BREAK(nnz_short, A->head.nnz--)

BREAK(coo_row_outside, A->coo.row_idx[10] = 6)
BREAK(coo_row_negative, A->coo.row_idx[0] = INT64_MIN)
BREAK(coo_col_outside, A->coo.col_idx[10] = INT64_MAX)
BREAK(coo_row_order, A->coo.row_idx[4] = 4)
BREAK(coo_col_order, A->coo.col_idx[1] = 0)
BREAK(coo_twice, (A->coo.row_idx[5] = 2, A->coo.col_idx[5] = 1))

BREAK(csr_first, A->csr.row_ptr[0] = 1)
BREAK(csr_falls, A->csr.row_ptr[3] = 2)
BREAK(csr_far, A->csr.row_ptr[2] = INT64_MAX)
BREAK(csr_last, A->csr.row_ptr[6] = 12)
BREAK(csr_outside, A->csr.col_idx[3] = 5)
BREAK(csr_negative, A->csr.col_idx[0] = -1)
BREAK(csr_order, A->csr.col_idx[1] = 0)

BREAK(csc_first, A->csc.col_ptr[0] = -1)
BREAK(csc_falls, A->csc.col_ptr[3] = 2)
BREAK(csc_last, A->csc.col_ptr[5] = 0)
BREAK(csc_outside, A->csc.row_idx[2] = 6)
BREAK(csc_order, A->csc.row_idx[2] = 4)

BREAK(ell_width, A->ell.width = -1)
BREAK(ell_gap, A->ell.col_idx[1] = -1)
BREAK(ell_gap_empty, (A->ell.col_idx[1] = -1, ((double *)A->ell.val)[1] = 0))
BREAK(ell_padding_value, ((double *)A->ell.val)[0] = 1)
BREAK(ell_padding_col, A->ell.col_idx[0] = -2)
BREAK(ell_outside, A->ell.col_idx[19] = 5)
BREAK(ell_order, A->ell.col_idx[7] = 0)
BREAK(ell_count, A->ell.nnz = 12)

BREAK(hyb_share, A->hyb.ell.nnz--)
BREAK(hyb_overflow_size, A->hyb.coo.nnz = -1)
BREAK(hyb_ell_head, A->hyb.ell.rows = 7)
BREAK(hyb_coo_head, A->hyb.coo.type = SPMV_F32)
BREAK(hyb_coo_order, A->hyb.coo.row_idx[0] = 3)
BREAK(hyb_coo_outside, A->hyb.coo.col_idx[1] = 5)
BREAK(hyb_not_full, A->hyb.coo.row_idx[0] = 0)
BREAK(hyb_overlap, A->hyb.coo.col_idx[0] = 0)
BREAK(hyb_ell_outside, A->hyb.ell.col_idx[1] = 99)

BREAK(jds_diags, A->jds.diags = -1)
BREAK(jds_perm_twice, A->jds.perm[1] = 1)
BREAK(jds_perm_outside, A->jds.perm[5] = 6)
BREAK(jds_perm_negative, A->jds.perm[5] = -1)
BREAK(jds_perm_order, (A->jds.perm[3] = 5, A->jds.perm[4] = 2))
BREAK(jds_first, A->jds.diag_ptr[0] = 2)
BREAK(jds_grows, A->jds.diag_ptr[1] = 1)
BREAK(jds_empty_diag, A->jds.diag_ptr[4] = A->jds.diag_ptr[3])
BREAK(jds_nothing_left, (A->jds.diag_ptr[3] = 11, A->jds.col_idx[7] = 3)) /* all else is sound */
BREAK(jds_last, A->jds.diag_ptr[4] = 12)
BREAK(jds_outside, A->jds.col_idx[0] = 5)
BREAK(jds_order, A->jds.col_idx[5] = 0)

/* Slices of 2 and windows of 4 rows, that is 1 3 0 2 | 4 5: 8 + 2 + 4 slots. */
BREAK(sell_slice, A->sell.slice = -1)
BREAK(sell_no_slice, A->sell.slice = 0)
BREAK(sell_large_slice, A->sell.slice = SPMV_SELL_SLICE + 1)
BREAK(sell_window, A->sell.window = 3)
BREAK(sell_no_window, A->sell.window = 0)
BREAK(sell_large_window, A->sell.window = 8)
BREAK(sell_first, A->sell.slice_ptr[0] = 2)
BREAK(sell_falls, A->sell.slice_ptr[2] = 6)
BREAK(sell_odd, A->sell.slice_ptr[1] = 7)
BREAK(sell_perm_twice, A->sell.perm[1] = 1)
BREAK(sell_perm_window, (A->sell.perm[3] = 4, A->sell.perm[4] = 2))
BREAK(sell_perm_negative, A->sell.perm[5] = -1)
BREAK(sell_padding_value, ((double *)A->sell.val)[7] = 1)
BREAK(sell_gap, A->sell.col_idx[1] = -1)
BREAK(sell_gap_empty, (A->sell.col_idx[1] = -1, ((double *)A->sell.val)[1] = 0))
BREAK(sell_outside, A->sell.col_idx[0] = 5)
BREAK(sell_order, A->sell.col_idx[2] = 0)
BREAK(sell_count, A->sell.nnz = 12)

static const struct {
    spmv_format format; /* SPMV_FORMATS: in every one */
    const char *message;
    void (*break_it)(spmv_matrix *A);
} broken[] = {
    {SPMV_FORMATS, "no value type 5", break_type},
    {SPMV_FORMATS, "no symmetry -1", break_symmetry},
    {SPMV_FORMATS, "6 x 5 is not square", break_square},
    {SPMV_FORMATS, "negative", break_rows},
    {SPMV_FORMATS, "negative", break_nnz},
    {SPMV_COO, "entry 10 at row 6, column 0 is outside 6 x 5", break_coo_row_outside},
    {SPMV_COO, "entry 0 at row -9223372036854775808", break_coo_row_negative},
    {SPMV_COO, "outside 6 x 5", break_coo_col_outside},
    {SPMV_COO, "entry 5 at row 3, column 1 is out of order", break_coo_row_order},
    {SPMV_COO, "entry 1 at row 1, column 0 is out of order", break_coo_col_order},
    {SPMV_COO, "entry 5 at row 2, column 1 is out of order", break_coo_twice},
    {SPMV_CSR, "row_ptr[0] is 1", break_csr_first},
    {SPMV_CSR, "row_ptr falls from 4 to 2 at 3", break_csr_falls},
    {SPMV_CSR, "row_ptr falls from 9223372036854775807 to 5", break_csr_far},
    {SPMV_CSR, "row_ptr ends at 12, expected 11", break_csr_last},
    {SPMV_CSR, "row_ptr ends at 11, expected 10", break_nnz_short},
    {SPMV_CSR, "entry 3 at row 1, column 5 is outside", break_csr_outside},
    {SPMV_CSR, "entry 0 at row 1, column -1 is outside", break_csr_negative},
    {SPMV_CSR, "entry 1 at row 1, column 0 is out of order", break_csr_order},
    {SPMV_CSC, "col_ptr[0] is -1", break_csc_first},
    {SPMV_CSC, "col_ptr falls from 6 to 2 at 3", break_csc_falls},
    {SPMV_CSC, "col_ptr falls", break_csc_last},
    {SPMV_CSC, "col_ptr ends at 11, expected 10", break_nnz_short},
    {SPMV_CSC, "entry 2 at row 6, column 0 is outside", break_csc_outside},
    {SPMV_CSC, "entry 2 at row 4, column 0 is out of order", break_csc_order},
    {SPMV_ELL, "may not be negative", break_ell_width},
    {SPMV_ELL, "padding 0 of row 1 holds a value", break_ell_gap},
    {SPMV_ELL, "entry 1 of row 1 comes after padding", break_ell_gap_empty},
    {SPMV_ELL, "padding 0 of row 0 holds a value", break_ell_padding_value},
    {SPMV_ELL, "entry 0 at row 0, column -2 is outside", break_ell_padding_col},
    {SPMV_ELL, "entry 19 at row 1, column 5 is outside", break_ell_outside},
    {SPMV_ELL, "entry 7 at row 1, column 0 is out of order", break_ell_order},
    {SPMV_ELL, "ELL holds 11 entries, expected 12", break_ell_count},
    {SPMV_HYB, "parts of 4 and 6", break_hyb_share},
    {SPMV_HYB, "may not be negative", break_hyb_overflow_size},
    {SPMV_HYB, "the ELL part differs", break_hyb_ell_head},
    {SPMV_HYB, "the COO part differs", break_hyb_coo_head},
    {SPMV_HYB, "out of order", break_hyb_coo_order},
    {SPMV_HYB, "outside", break_hyb_coo_outside},
    {SPMV_HYB, "row 0 overflows though its ELL part is not full", break_hyb_not_full},
    {SPMV_HYB, "entry 0 at row 1, column 0 is out of order", break_hyb_overlap},
    {SPMV_HYB, "outside", break_hyb_ell_outside},
    {SPMV_JDS, "may not be negative", break_jds_diags},
    {SPMV_JDS, "perm[1] is 1", break_jds_perm_twice},
    {SPMV_JDS, "perm[5] is 6", break_jds_perm_outside},
    {SPMV_JDS, "perm[5] is -1", break_jds_perm_negative},
    {SPMV_JDS, "perm[4] is 2, but rows of one length must keep their order", break_jds_perm_order},
    {SPMV_JDS, "diag_ptr[0] is 2", break_jds_first},
    {SPMV_JDS, "diagonal 1 has 7 entries, expected 1..1", break_jds_grows},
    {SPMV_JDS, "diag_ptr ends at 10", break_jds_empty_diag},
    {SPMV_JDS, "diagonal 3 has 0 entries, expected 1..3", break_jds_nothing_left},
    {SPMV_JDS, "diag_ptr ends at 12", break_jds_last},
    {SPMV_JDS, "diag_ptr ends at 11", break_nnz_short},
    {SPMV_JDS, "entry 0 at row 1, column 5 is outside", break_jds_outside},
    {SPMV_JDS, "entry 5 at row 1, column 0 is out of order", break_jds_order},
    {SPMV_SELL, "may not be negative", break_sell_slice},
    {SPMV_SELL, "slices of 0 rows: there must be 1 to 1048576", break_sell_no_slice},
    {SPMV_SELL, "slices of 1048577 rows: there must be 1 to 1048576", break_sell_large_slice},
    {SPMV_SELL, "windows of 3 rows are neither 1 nor 1..3 slices of 2", break_sell_window},
    {SPMV_SELL, "windows of 0 rows", break_sell_no_window},
    {SPMV_SELL, "windows of 8 rows", break_sell_large_window},
    {SPMV_SELL, "slice_ptr[0] is 2", break_sell_first},
    {SPMV_SELL, "slice_ptr falls from 8 to 6 at 2", break_sell_falls},
    {SPMV_SELL, "slice 0 has 7 slots, which 2 rows do not share evenly", break_sell_odd},
    {SPMV_SELL, "perm[1] is 1", break_sell_perm_twice},
    {SPMV_SELL, "perm[3] is 4, expected each row of its window once", break_sell_perm_window},
    {SPMV_SELL, "perm[5] is -1", break_sell_perm_negative},
    {SPMV_SELL, "slot 7 of slice 0 is padding, but holds an entry", break_sell_padding_value},
    {SPMV_SELL, "slot 1 of slice 0 is padding, but holds an entry", break_sell_gap},
    {SPMV_SELL, "slot 3 of slice 0 is padding, but holds an entry", break_sell_gap_empty},
    {SPMV_SELL, "entry 0 at row 1, column 5 is outside", break_sell_outside},
    {SPMV_SELL, "entry 2 at row 1, column 0 is out of order", break_sell_order},
    {SPMV_SELL, "SELL holds 11 entries, expected 12", break_sell_count},
};

Test(check, every_broken_promise_is_noticed_with_its_place)
{
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        for (int f = 0; f < SPMV_FORMATS; f++) {
            if (broken[i].format != SPMV_FORMATS && (int)broken[i].format != f) continue;
            spmv_error err = {.message = ""};
            spmv_matrix A = sound((spmv_format)f), B = A;
            broken[i].break_it(&B);
            cr_assert_neq(spmv_check(&B, &err), SPMV_SUCCESS, "%s: %s",
                          spmv_format_name((spmv_format)f), broken[i].message);
            cr_assert_not_null(strstr(err.message, broken[i].message), "expected '%s', got '%s'",
                               broken[i].message, err.message);
            spmv_destroy(&A);
        }
    }
}

Test(check, every_array_must_be_there_and_a_pattern_has_no_values)
{
    for (int f = 0; f < SPMV_FORMATS; f++) {
        const spmv__format *format = spmv__format_of((spmv_format)f);
        for (int i = 0; i < format->array_count; i++) {
            spmv_error err = {.message = ""};
            spmv_matrix A = sound((spmv_format)f), B = A;
            *spmv__array_pointer(&B, &format->arrays[i]) = NULL;
            cr_assert_eq(spmv_check(&B, &err), SPMV_ERROR_INVALID_FORMAT);
            cr_assert_not_null(strstr(err.message, format->arrays[i].name), "%s", err.message);
            spmv_destroy(&A);
        }
        spmv_error err = {.message = ""};
        spmv_matrix A = sound((spmv_format)f), B = A;
        B.head.type = SPMV_PATTERN;
        cr_assert_eq(spmv_check(&B, &err), SPMV_ERROR_INVALID_FORMAT);
        cr_assert_not_null(strstr(err.message, "pattern has a"), "%s", err.message);
        spmv_destroy(&A);
    }
}

Test(check, only_the_stored_triangle_is_allowed)
{
    const double upper[] = {0, 1, 0, 0}, diagonal[] = {1, 0, 0, 0};
    for (int f = 0; f < SPMV_FORMATS; f++) {
        spmv_error err = {.message = ""};
        spmv_matrix A, B;
        cr_assert_eq(spmv_from_dense(&A, SPMV_CSR, SPMV_F64, 2, 2, upper, NULL), SPMV_SUCCESS);
        A.head.symmetry = SPMV_SYMMETRIC;
        cr_assert_eq(spmv_convert(&B, &A, (spmv_format)f, NULL, NULL), SPMV_SUCCESS);
        cr_assert_eq(spmv_check(&B, &err), SPMV_ERROR_INVALID_FORMAT);
        cr_assert_not_null(strstr(err.message, "not in the lower triangle"), "%s", err.message);
        spmv_destroy(&A);
        spmv_destroy(&B);

        cr_assert_eq(spmv_from_dense(&A, SPMV_CSR, SPMV_F64, 2, 2, diagonal, NULL), SPMV_SUCCESS);
        A.head.symmetry = SPMV_SYMMETRIC;
        cr_assert_eq(spmv_convert(&B, &A, (spmv_format)f, NULL, NULL), SPMV_SUCCESS);
        test_assert_valid(&B, "symmetric");
        spmv_destroy(&B);
        A.head.symmetry = SPMV_SKEW;
        cr_assert_eq(spmv_convert(&B, &A, (spmv_format)f, NULL, NULL), SPMV_SUCCESS);
        cr_assert_eq(spmv_check(&B, &err), SPMV_ERROR_INVALID_FORMAT);
        cr_assert_not_null(strstr(err.message, "strictly lower triangle"), "%s", err.message);
        spmv_destroy(&A);
        spmv_destroy(&B);
    }
    spmv_matrix A = spmv__blank(SPMV_COO, SPMV_PATTERN, SPMV_SKEW, 2, 2, 0);
    cr_assert_eq(spmv_check(&A, NULL), SPMV_ERROR_INVALID_FORMAT);
}

Test(check, the_diagonal_of_a_hermitian_matrix_is_real)
{
    const double real[] = {2, -0.0, 0, 0, 3, 4, 5, 0}, other[] = {2, 0, 0, 0, 3, 4, 5, 0.5};
    for (int f = 0; f < SPMV_FORMATS; f++) {
        spmv_error err = {.message = ""};
        spmv_matrix A, B;
        cr_assert_eq(spmv_from_dense(&A, SPMV_CSR, SPMV_C128, 2, 2, real, NULL), SPMV_SUCCESS);
        A.head.symmetry = SPMV_HERMITIAN;
        cr_assert_eq(spmv_convert(&B, &A, (spmv_format)f, NULL, NULL), SPMV_SUCCESS);
        test_assert_valid(&B, "hermitian");
        spmv_destroy(&A);
        spmv_destroy(&B);
        cr_assert_eq(spmv_from_dense(&A, SPMV_CSR, SPMV_C128, 2, 2, other, NULL), SPMV_SUCCESS);
        A.head.symmetry = SPMV_HERMITIAN;
        cr_assert_eq(spmv_convert(&B, &A, (spmv_format)f, NULL, NULL), SPMV_SUCCESS);
        cr_assert_eq(spmv_check(&B, &err), SPMV_ERROR_INVALID_FORMAT);
        cr_assert_not_null(strstr(err.message, "row 1 has the imaginary part 0.5"), "%s",
                           err.message);
        spmv_destroy(&A);
        spmv_destroy(&B);
    }
    spmv_matrix A = spmv__blank(SPMV_COO, SPMV_F64, SPMV_HERMITIAN, 2, 2, 0);
    cr_assert_eq(spmv_check(&A, NULL), SPMV_ERROR_INVALID_FORMAT);
    A = spmv__blank(SPMV_COO, SPMV_PATTERN, SPMV_HERMITIAN, 2, 2, 0);
    cr_assert_eq(spmv_check(&A, NULL), SPMV_ERROR_INVALID_FORMAT);
}

/* Overwrites one element of one array by a number from everywhere. */
static void poison(spmv_matrix *A, const spmv__format *f, uint64_t seed)
{
    static const int64_t odd[] = {0,         -1,        1,         2,        -2, INT32_MAX,
                                  INT32_MIN, INT64_MAX, INT64_MIN, 1L << 32, 5,  7};
    const spmv__array *array = &f->arrays[spmv__mix(seed) % (uint64_t)f->array_count];
    int64_t n = array->count(A);
    if (n <= 0 || array->element == SPMV__VALUE) return;
    uint64_t p = spmv__mix(seed + 1) % (uint64_t)n;
    int64_t value = odd[spmv__mix(seed + 2) % (sizeof odd / sizeof odd[0])];
    if (array->element == SPMV__I64)
        ((int64_t *)*spmv__array_pointer(A, array))[p] = value;
    else
        ((int32_t *)*spmv__array_pointer(A, array))[p] = (int32_t)value;
}

Test(check, arbitrary_arrays_are_safe_to_check_and_what_passes_is_safe_to_use)
{
    enum { ROUNDS = 1000 };
    for (int f = 0; f < SPMV_FORMATS; f++) {
        int passed = 0;
        for (uint64_t seed = 0; seed < ROUNDS; seed++) {
            double dense[30];
            spmv_matrix A = sound((spmv_format)f);
            for (uint64_t i = 0; i <= seed % 3; i++)
                poison(&A, spmv__format_of((spmv_format)f), 7 * seed + 1000 * i);
            if (spmv_check(&A, NULL) == SPMV_SUCCESS) {
                spmv_to_dense(&A, dense); /* the sanitizer watches */
                passed++;
            }
            spmv_destroy(&A);
        }
        cr_assert(passed > 0 && passed < ROUNDS, "%d of %d pass", passed, ROUNDS);
    }
}

Test(check, huge_width_without_rows_takes_no_time)
{
    spmv_matrix A = {.format = SPMV_ELL};
    cr_assert_eq(spmv_ell_create(&A.ell, SPMV_F64, 0, 5, INT64_MAX, NULL), SPMV_SUCCESS);
    test_assert_valid(&A, "no rows");
    spmv_to_dense(&A, &(double){0});
    spmv_destroy(&A);
}

Test(check, null_and_unknown_formats_are_refused)
{
    spmv_matrix A = {.format = SPMV_FORMATS};
    cr_assert_eq(spmv_check(NULL, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_check(&A, NULL), SPMV_ERROR_INVALID_FORMAT);
}
