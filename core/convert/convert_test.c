/* convert_test.c -- every way from one format to another gives the same bits. */
#include "core/convert/convert.h"
#include "core/matrix/format.h"
#include "core/matrix/random_matrix_test.h"

#include <criterion/criterion.h>
#include <math.h>
#ifdef _OPENMP
#include <omp.h>
#endif

static void every_pair(const test_sample *s)
{
    spmv_matrix direct[SPMV_FORMATS];
    bool made[SPMV_FORMATS];
    for (int f = 0; f < SPMV_FORMATS; f++)
        made[f] = test_convert(&direct[f], &s->A, (spmv_format)f, s->label);
    for (int f = 0; f < SPMV_FORMATS; f++) {
        for (int g = 0; made[f] && g < SPMV_FORMATS; g++) {
            spmv_matrix B;
            cr_assert_eq(test_convert(&B, &direct[f], (spmv_format)g, s->label), made[g]);
            if (!made[g]) continue;
            cr_assert(spmv_identical(&B, &direct[g]), "%s: %s to %s", s->label,
                      spmv_format_name((spmv_format)f), spmv_format_name((spmv_format)g));
            spmv_destroy(&B);
        }
    }
    for (int f = 0; f < SPMV_FORMATS; f++) {
        if (made[f]) spmv_destroy(&direct[f]);
    }
}

/* A third of the samples, others than for the next type. */
static void samples_of(spmv_type type)
{
    for (int k = (int)type % 3; k < TEST_CASES; k += 3) {
        test_sample s = test_sample_make(k, type, 0);
        every_pair(&s);
        spmv_destroy(&s.A);
    }
}

Test(convert, every_pair_of_formats_pattern)
{
    samples_of(SPMV_PATTERN);
}
Test(convert, every_pair_of_formats_f32)
{
    samples_of(SPMV_F32);
}
Test(convert, every_pair_of_formats_f64)
{
    samples_of(SPMV_F64);
}
Test(convert, every_pair_of_formats_c64)
{
    samples_of(SPMV_C64);
}
Test(convert, every_pair_of_formats_c128)
{
    samples_of(SPMV_C128);
}

#ifdef _OPENMP
Test(convert, the_result_does_not_depend_on_the_number_of_threads)
{
    test_sample s = test_sample_make(1, SPMV_F64, 0);
    cr_assert_gt(s.A.head.nnz, SPMV__PARALLEL_NNZ);
    for (int f = 0; f < SPMV_FORMATS; f++) {
        spmv_matrix one, seven;
        omp_set_num_threads(1);
        if (!test_convert(&one, &s.A, (spmv_format)f, s.label)) continue;
        omp_set_num_threads(7);
        cr_assert(test_convert(&seven, &s.A, (spmv_format)f, s.label));
        cr_assert(spmv_identical(&one, &seven), "%s", spmv_format_name((spmv_format)f));
        spmv_destroy(&one);
        spmv_destroy(&seven);
    }
    spmv_destroy(&s.A);
}
#endif

Test(convert, values_keep_their_bits_and_explicit_zeros_stay)
{
    static const uint64_t bits[] = {0x7ff0000000000001u /* a signalling NaN */,
                                    0xfff8dead00000000u,
                                    0x8000000000000000u /* -0 */,
                                    0,
                                    1 /* denormal */,
                                    0x7ff0000000000000u};
    spmv_matrix A = {.format = SPMV_CSR};
    cr_assert_eq(spmv_csr_create(&A.csr, SPMV_F64, 2, 6, 6, NULL), SPMV_SUCCESS);
    memcpy(A.csr.val, bits, sizeof bits);
    A.csr.row_ptr[1] = 2;
    A.csr.row_ptr[2] = 6;
    for (int32_t p = 0; p < 6; p++) A.csr.col_idx[p] = p;
    for (int f = 0; f < SPMV_FORMATS; f++) {
        spmv_matrix B, C;
        cr_assert(test_convert(&B, &A, (spmv_format)f, "odd values"));
        cr_assert_eq(B.head.nnz, 6);
        cr_assert(test_convert(&C, &B, SPMV_CSR, "odd values"));
        cr_assert(spmv_identical(&A, &C), "%s", spmv_format_name((spmv_format)f));
        spmv_destroy(&B);
        spmv_destroy(&C);
    }
    spmv_destroy(&A);
}

Test(convert, symmetry_is_kept)
{
    const double dense[] = {0, 0, 7, 0};
    spmv_matrix A;
    cr_assert_eq(spmv_from_dense(&A, SPMV_COO, SPMV_F32, 2, 2, dense, NULL), SPMV_SUCCESS);
    A.head.symmetry = SPMV_SKEW;
    for (int f = 0; f < SPMV_FORMATS; f++) {
        spmv_matrix B, C;
        cr_assert(test_convert(&B, &A, (spmv_format)f, "skew"));
        cr_assert_eq(B.head.symmetry, SPMV_SKEW);
        cr_assert(test_convert(&C, &B, SPMV_COO, "skew"));
        cr_assert(spmv_identical(&A, &C));
        spmv_destroy(&B);
        spmv_destroy(&C);
    }
    spmv_destroy(&A);
}

/* Two entries are in the corners of a matrix that is too large for 32-bit indices. */
static spmv_matrix corners(int64_t rows, int64_t cols)
{
    spmv_matrix A = {.format = SPMV_COO};
    cr_assert_eq(spmv_coo_create(&A.coo, SPMV_F64, rows, cols, 2, NULL), SPMV_SUCCESS);
    A.coo.row_idx[1] = rows - 1;
    A.coo.col_idx[1] = cols - 1;
    return A;
}

static void ignore_progress(void *user, const spmv_progress *progress)
{
    (void)user;
    (void)progress;
}

/* What a matrix is like is not given up because somebody watches. */
Test(convert, a_copy_has_the_layout_of_the_matrix)
{
    static const struct {
        spmv_format format;
        spmv_convert_options layout; /* other than the default */
    } cases[] = {{SPMV_ELL, {.ell_width = 90}},
                 {SPMV_HYB, {.hyb_width = 1}},
                 {SPMV_SELL, {.sell_slice = 2}},
                 {SPMV_CSELL, {.sell_slice = 64, .sell_window = 1}},
                 {SPMV_BSR, {.bsr_block = 3}}};
    const spmv_convert_options none = {0}, watched = {.progress = ignore_progress};
    const spmv_convert_options *const builds[] = {NULL, &none, &watched};
    test_sample s = test_sample_make(5, SPMV_F64, TEST_SMALL_CELLS);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const spmv_format format = cases[i].format;
        const char *name = spmv_format_name(format);
        spmv_matrix A, B;
        spmv_size size;
        spmv_error err = {.message = ""};
        cr_assert_eq(spmv_convert(&A, &s.A, format, &cases[i].layout, &err), SPMV_SUCCESS, "%s: %s",
                     name, err.message);
        for (int k = 0; k < 3; k++) {
            cr_assert_eq(spmv_convert(&B, &A, format, builds[k], NULL), SPMV_SUCCESS);
            cr_assert(spmv_identical(&A, &B), "%s, %d", name, k);
            spmv_destroy(&B);
            cr_assert_eq(spmv_size_of(&A, format, builds[k], &size, NULL), SPMV_SUCCESS);
            cr_assert_eq(size.bytes, (double)spmv_memory_bytes(&A), "%s, %d", name, k);
        }
        cr_assert_eq(spmv_convert(&B, &s.A, format, NULL, NULL), SPMV_SUCCESS);
        cr_assert_not(spmv_identical(&A, &B), "%s: the layout is the default", name);
        spmv_destroy(&A);
        spmv_destroy(&B);
    }
    spmv_destroy(&s.A);
}

Test(convert, dimensions_beyond_the_indices_are_refused_with_the_numbers)
{
    const int64_t limit = INT32_MAX;
    static const struct {
        spmv_format format;
        bool rows, cols; /* limited to 32 bits */
    } limits[] = {{SPMV_CSR, false, true}, {SPMV_CSC, true, false}, {SPMV_ELL, false, true},
                  {SPMV_HYB, false, true}, {SPMV_JDS, true, true},  {SPMV_SELL, true, true}};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        spmv_error err;
        spmv_matrix B, wide = limits[i].cols ? corners(1, limit + 1) : corners(limit + 1, 1);
        spmv_matrix A = corners(limit + 1, limit + 1);
        spmv_status st = spmv_convert(&B, &wide, limits[i].format, NULL, &err);
        cr_assert_eq(st, SPMV_ERROR_INVALID_DIMENSION);
        cr_assert_not_null(strstr(err.message, "2147483648"), "%s", err.message);
        cr_assert_not_null(strstr(err.message, "2147483647"), "%s", err.message);
        cr_assert_not_null(strstr(err.message, spmv_format_name(limits[i].format)), "%s",
                           err.message);
        A.format = wide.format = SPMV_COO;
        spmv_destroy(&A);
        spmv_destroy(&wide);

        spmv_matrix tall = spmv__blank(limits[i].format, SPMV_F64, SPMV_GENERAL, limit + 1, 1, 0);
        cr_assert_eq(spmv__check_head(&tall, &err) == SPMV_ERROR_INVALID_DIMENSION, limits[i].rows);
        wide = spmv__blank(limits[i].format, SPMV_F64, SPMV_GENERAL, 1, limit + 1, 0);
        cr_assert_eq(spmv__check_head(&wide, &err) == SPMV_ERROR_INVALID_DIMENSION, limits[i].cols);
    }
}

/* The rows need no array, and are not limited by one that would be made on the way. */
Test(convert, few_entries_of_many_rows_become_columns)
{
    enum { ROWS = INT32_MAX, COLS = 3 };
    spmv_error err;
    spmv_matrix B, C, A = corners(ROWS, COLS);
    cr_assert_lt(spmv__convert_bytes(&A, SPMV_CSC, NULL), 1000);
    cr_assert_eq(spmv_convert(&B, &A, SPMV_CSC, NULL, &err), SPMV_SUCCESS, "%s", err.message);
    test_assert_valid(&B, "columns");
    cr_assert_eq(B.head.rows, ROWS);
    cr_assert_eq(B.csc.row_idx[0], 0);
    cr_assert_eq(B.csc.row_idx[1], ROWS - 1);
    cr_assert_eq(B.csc.col_ptr[1], 1);
    cr_assert_eq(B.csc.col_ptr[2], 1);
    cr_assert_eq(spmv_convert(&C, &B, SPMV_COO, NULL, &err), SPMV_SUCCESS, "%s", err.message);
    cr_assert(spmv_identical(&A, &C));
    spmv_destroy(&A);
    spmv_destroy(&B);
    spmv_destroy(&C);

    A = corners((int64_t)ROWS + 1, COLS);
    cr_assert_eq(spmv_convert(&B, &A, SPMV_JDS, NULL, &err), SPMV_ERROR_INVALID_DIMENSION);
    cr_assert_not_null(strstr(err.message, "too large for jds"), "%s", err.message);
    spmv_destroy(&A);
}

Test(convert, more_rows_than_memory_is_out_of_memory)
{
    spmv_error err;
    spmv_matrix B, A = corners(INT64_MAX - 1, 5);
    cr_assert_eq(spmv_convert(&B, &A, SPMV_CSR, NULL, &err), SPMV_ERROR_OUT_OF_MEMORY);
    cr_assert_eq(spmv_convert(&B, &A, SPMV_COO, NULL, &err), SPMV_SUCCESS);
    cr_assert(spmv_identical(&A, &B));
    spmv_destroy(&A);
    spmv_destroy(&B);
}

Test(convert, impossible_arguments_are_refused)
{
    spmv_matrix B, A = corners(3, 3);
    const spmv_convert_options bad[] = {
        {.ell_width = -1},   {.hyb_width = -2},
        {.max_fill = -1},    {.max_fill = NAN},
        {.sell_slice = -1},  {.sell_slice = SPMV_SELL_SLICE + 1},
        {.sell_window = -1}, {.sell_window = (int64_t)INT32_MAX + 1},
        {.bsr_block = 1},    {.bsr_block = SPMV_BSR_BLOCK + 1}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        cr_assert_eq(spmv_convert(&B, &A, SPMV_HYB, &bad[i], NULL), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_convert(&B, &A, SPMV_FORMATS, NULL, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_convert(&B, NULL, SPMV_CSR, NULL, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_convert(NULL, &A, SPMV_CSR, NULL, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_convert(&A, &A, SPMV_CSR, NULL, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    test_assert_valid(&A, "untouched");
    spmv_destroy(&A);
}
