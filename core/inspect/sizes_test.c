/* sizes_test.c -- the arithmetic says what conversions build, and which of them are refused. */
#include "core/matrix/format.h"
#include "core/convert/convert.h"
#include "core/matrix/random_matrix_test.h"

#include <criterion/criterion.h>
#include <math.h>

static void assert_size(const spmv_matrix *A, spmv_format format, const spmv_convert_options *build,
                        const char *label)
{
    spmv_matrix B;
    spmv_size size;
    spmv_error err = {.message = ""};
    const spmv_status st = spmv_convert(&B, A, format, build, &err);
    cr_assert_eq(spmv_size_of(A, format, build, &size, &err), SPMV_SUCCESS, "%s: %s: %s", label,
                 spmv_format_name(format), err.message);
    cr_assert_eq(size.refused, st == SPMV_ERROR_UNSUPPORTED, "%s: %s", label,
                 spmv_format_name(format));
    if (st == SPMV_SUCCESS)
        cr_assert_eq(size.bytes, (double)spmv_memory_bytes(&B), "%s: %s has %g bytes, not %g",
                     label, spmv_format_name(format), (double)spmv_memory_bytes(&B), size.bytes);
    spmv_destroy(&B);
}

static void assert_sizes(const test_sample *s, int k)
{
    const spmv_convert_options builds[] = {{0},
                                           {.max_fill = 1.5, .ell_width = 3},
                                           {.max_fill = 1e9, .hyb_width = 2, .sell_slice = 4},
                                           {.hyb_width = -1, .sell_slice = 7, .sell_window = 64}};
    for (spmv_format format = 0; format < SPMV_FORMATS; format++)
        assert_size(&s->A, format, k % 5 == 0 ? NULL : &builds[k % 4], s->label);
}

Test(size, is_what_a_conversion_builds)
{
    for (spmv_type type = SPMV_PATTERN; type < SPMV_TYPES; type++)
        for (int k = 0; k < 5 * TEST_CASES; k++) {
            test_sample s = test_sample_make(k, type, 20000);
            assert_sizes(&s, k);
            spmv_destroy(&s.A);
        }
}

/* One entry is in the last of so many rows that no array of rows could be made for. */
static spmv_matrix far_entry(int64_t rows)
{
    spmv_matrix A = {.format = SPMV_COO};
    cr_assert_eq(spmv_coo_create(&A.coo, SPMV_F64, rows, 5, 1, NULL), SPMV_SUCCESS);
    A.coo.row_idx[0] = rows - 1;
    return A;
}

Test(size, of_far_more_rows_than_entries_takes_no_memory_for_rows)
{
    const int64_t rows = INT64_C(1) << 46;
    const double bytes[] = {[SPMV_COO] = 24,
                            [SPMV_CSR] = (0x1p46 + 1) * 8 + 12,
                            [SPMV_ELL] = 0x1p46 * 12,
                            [SPMV_HYB] = 24};
    spmv_matrix A = far_entry(rows);
    spmv_size size;
    for (int f = 0; f < (int)(sizeof bytes / sizeof bytes[0]); f++) {
        if (bytes[f] == 0) continue;
        cr_assert_eq(spmv_size_of(&A, (spmv_format)f, NULL, &size, NULL), SPMV_SUCCESS);
        cr_assert_eq(size.bytes, bytes[f], "%s: %g", spmv_format_name((spmv_format)f), size.bytes);
        cr_assert_eq(size.refused, f == SPMV_ELL);
    }
    cr_assert_eq(spmv_size_of(&A, SPMV_CSC, NULL, &size, NULL), SPMV_ERROR_INVALID_DIMENSION);
    spmv_destroy(&A);
}

Test(size, of_all_that_a_conversion_holds_at_one_time)
{
    const int64_t rows = 300000000, pointers = (rows + 1) * 8;
    spmv_matrix A = spmv__blank(SPMV_ELL, SPMV_PATTERN, SPMV_GENERAL, rows, 1, 0);
    cr_assert_eq(spmv__convert_bytes(&A, SPMV_COO, NULL), 0);
    cr_assert_eq(spmv__convert_bytes(&A, SPMV_CSR, NULL), pointers + rows * 8);
    cr_assert_eq(spmv__convert_bytes(&A, SPMV_SELL, NULL), pointers + rows * 8);
    cr_assert_eq(spmv__convert_bytes(&A, SPMV_ELL, NULL), 0);
    cr_assert_eq(spmv__convert_bytes(&A, SPMV_ELL, &(spmv_convert_options){.ell_width = 1}),
                 pointers + rows * 8);
    A = spmv__blank(SPMV_CSR, SPMV_PATTERN, SPMV_GENERAL, 1, rows, 0);
    cr_assert_eq(spmv__convert_bytes(&A, SPMV_CSC, NULL), pointers + rows * 8);
    A = spmv__blank(SPMV_ELL, SPMV_F64, SPMV_GENERAL, INT64_MAX - 1, 1, 1);
    cr_assert_eq(spmv__convert_bytes(&A, SPMV_CSR, NULL), INT64_MAX);
}

/* ELL without slots, HYB without either part, and CSC of few columns: rows that cost no bytes. */
Test(size, coordinates_are_made_in_the_space_of_the_entries)
{
    const spmv_format formats[] = {SPMV_ELL, SPMV_HYB, SPMV_CSC};
    for (int i = 0; i < 3; i++) {
        const int64_t rows = formats[i] == SPMV_CSC ? INT32_MAX : INT64_C(1) << 50;
        spmv_matrix A = spmv__blank(formats[i], SPMV_PATTERN, SPMV_GENERAL, rows, 1, 0), B;
        spmv_row_stats stats;
        spmv_error err = {.message = ""};
        cr_assert_eq(spmv__allocate(&A, &err), SPMV_SUCCESS, "%s", err.message);
        cr_assert_eq(spmv_convert(&B, &A, SPMV_COO, NULL, &err), SPMV_SUCCESS, "%s", err.message);
        cr_assert(B.head.rows == rows && B.head.nnz == 0);
        cr_assert_eq(spmv_row_stats_compute(&A, &stats, &err), SPMV_SUCCESS, "%s", err.message);
        cr_assert_eq(stats.empty, rows);
        spmv_destroy(&A);
        spmv_destroy(&B);
    }
}

/* As many row offsets as can be counted, though their bytes cannot. */
Test(size, bytes_beyond_64_bits_are_told)
{
    const int64_t many = INT64_C(1) << 60;
    spmv_matrix A = spmv__blank(SPMV_COO, SPMV_PATTERN, SPMV_GENERAL, many, 1, 0);
    spmv_size size;
    cr_assert_eq(spmv_size_of(&A, SPMV_CSR, NULL, &size, NULL), SPMV_SUCCESS);
    cr_assert_float_eq(size.bytes, 8.0 * (double)many, 1e6);
}

/* The same as spmv_convert refuses. */
Test(size, impossible_layouts_are_refused)
{
    static const struct {
        spmv_format format;
        spmv_convert_options layout;
    } cases[] = {{SPMV_ELL, {.ell_width = -1}},
                 {SPMV_HYB, {.hyb_width = -2}},
                 {SPMV_SELL, {.sell_slice = -1}},
                 {SPMV_SELL, {.sell_slice = SPMV_SELL_SLICE + 1}},
                 {SPMV_SELL, {.sell_window = INT64_MAX}},
                 {SPMV_CSELL, {.sell_slice = -100}},
                 {SPMV_BSR, {.bsr_block = 1}},
                 {SPMV_BSR, {.bsr_block = SPMV_BSR_BLOCK + 1}},
                 {SPMV_BSR, {.bsr_block = 100000}},
                 {SPMV_ELL, {.max_fill = -1}},
                 {SPMV_ELL, {.max_fill = NAN}}};
    test_sample s = test_sample_make(5, SPMV_F64, TEST_SMALL_CELLS);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        spmv_matrix B;
        spmv_size size;
        cr_assert_eq(spmv_convert(&B, &s.A, cases[i].format, &cases[i].layout, NULL),
                     SPMV_ERROR_INVALID_ARGUMENT, "%zu", i);
        cr_assert_eq(spmv_size_of(&s.A, cases[i].format, &cases[i].layout, &size, NULL),
                     SPMV_ERROR_INVALID_ARGUMENT, "%zu", i);
    }
    spmv_destroy(&s.A);
}
