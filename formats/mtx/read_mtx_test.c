/* read_mtx_test.c -- the options of reading, and inputs that are too long for a file of their own.
 */
#include "core/base/random.h"
#include "formats/text/read_text_test.h"

#define GENERAL "%%MatrixMarket matrix coordinate real general\n"
#define SYMMETRIC "%%MatrixMarket matrix coordinate real symmetric\n"
#define SKEW "%%MatrixMarket matrix coordinate real skew-symmetric\n"
#define COMPLEX "%%MatrixMarket matrix coordinate complex "

/* ---- Symmetry ------------------------------------------------------------------------------- */

Test(mtx_read, keep_symmetry_keeps_the_lower_triangle)
{
    spmv_read_options keep = {.keep_symmetry = true};
    outcome o = read_text(SYMMETRIC "3 3 3\n1 2 5\n3 3 7\n3 1 4\n", &keep);
    cr_assert_eq(o.status, SPMV_SUCCESS);
    cr_assert_eq(o.A.head.symmetry, SPMV_SYMMETRIC);
    cr_assert_eq(o.info.symmetry, SPMV_SYMMETRIC);
    assert_entries(&o.A, "2 1 5; 3 1 4; 3 3 7");
    spmv_destroy(&o.A);

    o = read_text(SKEW "3 3 3\n1 2 5\n3 3 0\n3 1 4\n", &keep);
    cr_assert_eq(o.status, SPMV_SUCCESS);
    cr_assert_eq(o.A.head.symmetry, SPMV_SKEW);
    assert_entries(&o.A, "2 1 -5; 3 1 4");
    spmv_destroy(&o.A);
}

Test(mtx_read, mirror_images_that_disagree_in_sign_only_are_right_for_skew)
{
    assert_reads(SKEW "2 2 2\n1 2 5\n2 1 -5\n", NULL, "1 2 5; 2 1 -5");
    assert_refuses(SKEW "2 2 2\n2 1 5\n1 2 5\n", NULL, SPMV_ERROR_INVALID_FORMAT, 4, 1, "differ");
}

Test(mtx_read, duplicates_within_each_triangle_come_before_the_comparison_of_the_two)
{
    const char *text = SYMMETRIC "3 3 5\n1 2 5\n2 1 8\n1 2 3\n3 1 1\n3 1 1\n";
    outcome o = read_text(text, NULL);
    cr_assert_eq(o.status, SPMV_SUCCESS, "%s", o.err.message);
    assert_entries(&o.A, "1 2 8; 1 3 2; 2 1 8; 3 1 2");
    cr_assert_eq(o.info.duplicates, 2);
    cr_assert_eq(o.info.entries, 5);
    spmv_destroy(&o.A);
}

/* Lines that are read the quick way, some of them images of others. */
Test(mtx_read, mirror_images_of_many_lines_are_taken_once)
{
    enum { N = 3000, BELOW = 400 };
    char *text = malloc(200 + 40 * (size_t)(N + BELOW)), *p = text;
    p += sprintf(p, SYMMETRIC "%d %d %d\n", N, N, N - 1 + BELOW);
    for (int i = 1; i < N; i++) {
        p += sprintf(p, "%d %d %d\n", i, i + 1, i);
        for (int k = 1; i == N / 6 && k <= BELOW; k++) p += sprintf(p, "%d %d %d\n", k + 1, k, k);
    }
    outcome o = read_text(text, NULL);
    cr_assert_eq(o.status, SPMV_SUCCESS, "%s", o.err.message);
    cr_assert_eq(o.A.head.nnz, 2 * (N - 1));
    cr_assert_eq(o.info.duplicates, 0);
    for (int64_t k = 0; k < o.A.head.nnz; k++)
        cr_assert_eq(((double *)o.A.coo.val)[k], (double)(k / 2 + 1), "entry %lld", (long long)k);
    spmv_destroy(&o.A);
    free(text);
}

/* ---- Complex values ------------------------------------------------------------------------- */

Test(mtx_read, complex_values_become_a_part_or_their_absolute_value)
{
    static const struct {
        const char *symmetry, *body, *real, *imag, *abs;
    } cases[] = {
        {"general", "2 2 2\n1 1 3 -4\n2 1 0 2\n", "1 1 3; 2 1 0", "1 1 -4; 2 1 2", "1 1 5; 2 1 2"},
        {"symmetric", "2 2 2\n1 1 3 -4\n2 1 6 8\n", "1 1 3; 1 2 6; 2 1 6", "1 1 -4; 1 2 8; 2 1 8",
         "1 1 5; 1 2 10; 2 1 10"},
        {"skew-symmetric", "2 2 2\n1 1 0 -0.0\n2 1 6 8\n", "1 2 -6; 2 1 6", "1 2 -8; 2 1 8",
         "1 2 10; 2 1 10"},
        {"hermitian", "2 2 2\n1 1 3 0\n2 1 6 8\n", "1 1 3; 1 2 6; 2 1 6", "1 1 0; 1 2 -8; 2 1 8",
         "1 1 3; 1 2 10; 2 1 10"},
        {"hermitian", "2 2 2\n1 1 3 0\n1 2 6 8\n", "1 1 3; 1 2 6; 2 1 6", "1 1 0; 1 2 8; 2 1 -8",
         "1 1 3; 1 2 10; 2 1 10"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *expected[] = {cases[i].real, cases[i].imag, cases[i].abs};
        char text[200];
        snprintf(text, sizeof text, COMPLEX "%s\n%s", cases[i].symmetry, cases[i].body);
        for (int part = 0; part < 3; part++) {
            spmv_read_options options = {.complex_values = SPMV_COMPLEX_REAL + (unsigned)part};
            assert_reads(text, &options, expected[part]);
        }
    }
}

/* Duplicates make one value before a part of it is taken. */
Test(mtx_read, a_part_is_that_of_the_sum)
{
    const spmv_read_options abs = {.complex_values = SPMV_COMPLEX_ABS};
    assert_reads(COMPLEX "general\n1 1 2\n1 1 3 0\n1 1 0 4\n", &abs, "1 1 5");
}

Test(mtx_read, a_hermitian_triangle_is_kept)
{
    const spmv_read_options keep = {.keep_symmetry = true};
    const spmv_read_options part = {.keep_symmetry = true, .complex_values = SPMV_COMPLEX_IMAG};
    const char *text = COMPLEX "hermitian\n2 2 2\n1 1 3 0\n1 2 6 8\n";
    outcome o = read_text(text, &keep);
    cr_assert_eq(o.A.head.symmetry, SPMV_HERMITIAN);
    cr_assert_eq(o.info.symmetry, SPMV_HERMITIAN);
    assert_entries(&o.A, "1 1 3 0; 2 1 6 -8");
    spmv_destroy(&o.A);
    o = read_text(text, &part);
    cr_assert_eq(o.A.head.symmetry, SPMV_SKEW);
    cr_assert_eq(o.info.symmetry, SPMV_HERMITIAN);
    assert_entries(&o.A, "2 1 -8");
    spmv_destroy(&o.A);
}

Test(mtx_read, complex_arrays)
{
    spmv_read_options imag = {.complex_values = SPMV_COMPLEX_IMAG};
    spmv_read_options real = {.complex_values = SPMV_COMPLEX_REAL};
    const char *text = "%%MatrixMarket matrix array complex hermitian\n"
                       "3 3\n1 0\n2 3\n4 5\n6 0\n7 8\n9 0\n";
    assert_reads(text, &imag, "1 1 0; 1 2 -3; 1 3 -5; 2 1 3; 2 2 0; 2 3 -8; 3 1 5; 3 2 8; 3 3 0");
    assert_reads(text, &real, "1 1 1; 1 2 2; 1 3 4; 2 1 2; 2 2 6; 2 3 7; 3 1 4; 3 2 7; 3 3 9");
    assert_refuses("%%MatrixMarket matrix array complex hermitian\n"
                   "3 3\n1 0\n2 3\n4 5\n6 -1\n7 8\n9 0\n",
                   &real, SPMV_ERROR_INVALID_FORMAT, 6, 1, "imaginary part is -1");
}

Test(mtx_read, complex_faults_once_complex_values_are_asked_for)
{
    spmv_read_options options = {.complex_values = SPMV_COMPLEX_ABS};
    assert_refuses(COMPLEX "hermitian\n2 2 2\n2 1 3 4\n1 1 1 -2\n", &options,
                   SPMV_ERROR_INVALID_FORMAT, 4, 5, "imaginary part is -2");
    assert_refuses(COMPLEX "general\n2 2 1\n2 1 4\n", &options, SPMV_ERROR_INVALID_FORMAT, 3, 6,
                   "the imaginary part is expected");
    assert_refuses(COMPLEX "general\n2 2 1\n2 1 (5,6)\n", &options, SPMV_ERROR_INVALID_FORMAT, 3, 5,
                   "without parentheses");
    assert_refuses(COMPLEX "skew-symmetric\n2 2 1\n1 1 0 1\n", &options, SPMV_ERROR_INVALID_FORMAT,
                   3, 5, "skew-symmetric matrix is 0, but this value is 1");
}

Test(mtx_read, the_complex_option_is_harmless_without_complex_values)
{
    spmv_read_options options = {.complex_values = SPMV_COMPLEX_ABS};
    assert_reads(GENERAL "2 2 1\n2 1 -4\n", &options, "2 1 -4");
    options.complex_values = SPMV_COMPLEX_IMAG;
    assert_reads(SKEW "2 2 1\n2 1 -4\n", &options, "1 2 4; 2 1 -4");
    assert_reads("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n2 1\n", &options,
                 "2 1 1");
}

/* ---- Base, outsiders, duplicates, zeros ----------------------------------------------------- */

Test(mtx_read, zero_based_indices_and_skipping)
{
    spmv_read_options old = {.index_base = SPMV_BASE_0, .skip_invalid = true};
    const char *text = GENERAL "2 3 8\n0 0 1\n-1 2 9\n1 2 2\n2 0 9\n0 3 9\n0 -1 9\n"
                               "18446744073709551616 0 9\n-9223372036854775809 1 9\n";
    outcome o = read_text(text, &old);
    cr_assert_eq(o.status, SPMV_SUCCESS, "%s", o.err.message);
    assert_entries(&o.A, "1 1 1; 2 3 2");
    cr_assert_eq(o.info.skipped, 6);
    cr_assert_eq(o.info.entries, 8);
    spmv_destroy(&o.A);

    old.skip_invalid = false;
    assert_refuses(text, &old, SPMV_ERROR_INVALID_FORMAT, 4, 1, "row -1 is outside 0..1");
    assert_refuses(GENERAL "2 3 1\n1 3 1\n", &old, SPMV_ERROR_INVALID_FORMAT, 3, 3,
                   "column 3 is outside 0..2");
    spmv_read_options skip = {.skip_invalid = true};
    assert_refuses(GENERAL "2 3 1\n1 4 x\n", &skip, SPMV_ERROR_INVALID_FORMAT, 3, 5, "'x'");
    assert_refuses(GENERAL "2 3 2\n1 4 1\n", &skip, SPMV_ERROR_INVALID_FORMAT, 4, 1,
                   "after 1 of 2");
}

Test(mtx_read, duplicates_follow_the_policy)
{
    const char *text = GENERAL "2 2 4\n2 1 1\n1 1 8\n2 1 2\n2 1 4\n";
    static const struct {
        spmv_duplicates policy;
        const char *entries, *words;
    } cases[] = {
        {SPMV_DUPLICATES_SUM, "1 1 8; 2 1 7", "its values are added (2 times"},
        {SPMV_DUPLICATES_FIRST, "1 1 8; 2 1 1", "its first value counts (2 times"},
        {SPMV_DUPLICATES_LAST, "1 1 8; 2 1 4", "its last value counts (2 times"},
    };
    for (int i = 0; i < 3; i++) {
        spmv_read_options options = {.duplicates = cases[i].policy};
        outcome o = read_text(text, &options);
        cr_assert_eq(o.status, SPMV_SUCCESS);
        assert_entries(&o.A, cases[i].entries);
        cr_assert_eq(o.info.duplicates, 2);
        cr_assert_eq(o.warnings.n, 1);
        cr_assert_eq(o.warnings.list[0].line, 5);
        cr_assert_not_null(strstr(o.warnings.list[0].message, cases[i].words));
        spmv_destroy(&o.A);
    }
    spmv_read_options refuse = {.duplicates = SPMV_DUPLICATES_ERROR};
    assert_refuses(text, &refuse, SPMV_ERROR_INVALID_FORMAT, 5, 1, "row 2, column 1 is repeated");
    assert_refuses(SYMMETRIC "3 3 3\n1 3 1\n2 2 1\n  1 3 1\n", &refuse, SPMV_ERROR_INVALID_FORMAT,
                   5, 3, "row 1, column 3 is repeated");
    assert_refuses("%%MatrixMarket matrix coordinate pattern general\n2 2 2\n2 1\n2 1\n", &refuse,
                   SPMV_ERROR_INVALID_FORMAT, 4, 1, "row 2, column 1 is repeated");
}

Test(mtx_read, zeros_are_dropped_once_duplicates_are_summed)
{
    spmv_read_options drop = {.drop_zeros = true};
    assert_reads(GENERAL "2 2 5\n1 1 3\n1 2 0\n1 1 -3\n2 2 -0.0\n2 1 4\n", &drop, "2 1 4");
}

Test(mtx_read, warnings_need_no_listener)
{
    spmv_matrix A;
    spmv_file_info info = {0};
    const char *text = "%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 inf\n";
    spmv__source src = {
        .name = "text", .data = (const unsigned char *)text, .size = (int64_t)strlen(text)};
    spmv_read_options silent = {0};
    cr_assert_eq(spmv__mtx_file.read(&A, &src, &silent, &info, NULL), SPMV_SUCCESS);
    to_coordinates(&A);
    assert_entries(&A, "1 1 inf");
    spmv_destroy(&A);
    silent.strict = true;
    cr_assert_eq(spmv__mtx_file.read(&A, &src, &silent, &info, NULL), SPMV_ERROR_INVALID_FORMAT);
}

/* ---- Long and many -------------------------------------------------------------------------- */

/* text, with a byte repeated n times where the @ stands */
static char *stretched(const char *text, char byte, size_t n)
{
    const char *at = strchr(text, '@');
    size_t head = (size_t)(at - text), size = strlen(text) + n;
    char *out = calloc(size + 1, 1);
    memcpy(out, text, head);
    memset(out + head, byte, n);
    strcpy(out + head + n, at + 1);
    return out;
}

Test(mtx_read, lines_and_numbers_of_any_length)
{
    static const struct {
        const char *text, *entries;
        char byte;
        size_t n;
    } cases[] = {
        {GENERAL "%@\n2 3 2\n1 3 0.5\n2 1 -4\n", "1 3 0.5; 2 1 -4", 'x', 200000},
        {GENERAL "2 3 2\n1 3 @0.5\n2 1 -4\n", "1 3 0.5; 2 1 -4", ' ', 5000},
        {GENERAL "2 3 2\n1 3 0.5@\n2 1 -4\n", "1 3 0.5; 2 1 -4", '\t', 5000},
        {GENERAL "2 3 2\n@1 3 0.5\n2 1 -4\n", "1 3 0.5; 2 1 -4", ' ', 5000},
        {GENERAL "2 3 2\n@1 3 0.5\n2 1 -4\n", "1 3 0.5; 2 1 -4", '0', 5000},
        {GENERAL "2 3 2\n1 3 0.@5e3000\n2 1 -4\n", "1 3 0.5; 2 1 -4", '0', 3000},
        {GENERAL "2 3 2\n1 3 5@e-5001\n2 1 -4\n", "1 3 0.5; 2 1 -4", '0', 5000},
        {GENERAL "2 3 2\n1 3 0.@\n2 1 -4\n", "1 3 0x1.5555555555555p-2; 2 1 -4", '3', 3000},
        {GENERAL "2 3 2\n1 3 @d-400\n2 1 -4\n", "1 3 0x1.c71c71c71c71cp-4; 2 1 -4", '1', 400},
        {GENERAL "@2 3 2\n1 3 0.5\n2 1 -4\n", "1 3 0.5; 2 1 -4", '\n', 100000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *text = stretched(cases[i].text, cases[i].byte, cases[i].n);
        assert_reads(text, NULL, cases[i].entries);
        free(text);
    }
}

/* Entry i lies in row i; leading zeros make its numbers as long as wanted. */
Test(mtx_read, lines_of_a_pattern_have_any_length)
{
    enum { ROWS = 997 };
    for (int widest = 1; widest < 70; widest++) {
        char *text = malloc((size_t)(ROWS + 1) * 200), *p = text;
        p += sprintf(p, "%%%%MatrixMarket matrix coordinate pattern general\n%d %d %d\n", ROWS,
                     ROWS, ROWS);
        for (int i = 0; i < ROWS; i++)
            p += sprintf(p, "%0*d %0*d%s\n", 1 + i * 5 % 8, i + 1, 1 + i * 31 % widest,
                         i * 37 % ROWS + 1, i % 11 == 0 ? "\r" : "");
        outcome o = read_text(text, NULL);
        cr_assert_eq(o.status, SPMV_SUCCESS, "up to %d: %s", widest, o.err.message);
        cr_assert_eq(o.A.head.nnz, ROWS);
        for (int i = 0; i < ROWS; i++)
            cr_assert(o.A.coo.row_idx[i] == i && o.A.coo.col_idx[i] == i * 37 % ROWS,
                      "up to %d: entry %d", widest, i);
        spmv_destroy(&o.A);
        free(text);
    }
}

/* Entry i lies in row i: so many digits before the point and behind it, and a sign or none. */
Test(mtx_read, decimals_of_every_length_become_the_nearest_double)
{
    enum { MOST = 22, ROWS = MOST * MOST * 20 };
    char *text = malloc((size_t)(ROWS + 1) * 80), *p = text;
    double *expected = malloc(ROWS * sizeof *expected);
    p += sprintf(p, GENERAL "%d 1 %d\n", ROWS, ROWS);
    for (uint64_t i = 0; i < ROWS; i++) {
        const uint64_t whole = i % MOST, behind = i / MOST % MOST + (whole == 0);
        p += sprintf(p, "%llu 1 %s", (unsigned long long)i + 1, i / MOST / MOST % 2 ? "-" : "");
        char *number = p[-1] == '-' ? p - 1 : p;
        for (uint64_t j = 0; j <= whole + behind; j++)
            *p++ = "0123456789."[j == whole ? 10 : spmv__mix(100 * i + j) % (i % 3 ? 10 : 2)];
        p += sprintf(p, "%s\n", i % 7 == 0 ? "e-2" : i % 11 == 0 ? "\r" : "");
        expected[i] = strtod(number, NULL);
    }
    outcome o = read_text(text, NULL);
    cr_assert_eq(o.status, SPMV_SUCCESS, "%s", o.err.message);
    for (int i = 0; i < ROWS; i++)
        cr_assert(same_value(((double *)o.A.coo.val)[i], expected[i]), "entry %d: %.17g, not %.17g",
                  i, ((double *)o.A.coo.val)[i], expected[i]);
    spmv_destroy(&o.A);
    free(expected);
    free(text);
}

Test(mtx_read, the_quick_way_ends_safely_at_every_distance_from_the_end)
{
    for (size_t n = 0; n < 200; n++) {
        char *text =
            stretched(GENERAL "2 3 3\n1 3 0.5\n2 1 -4\n1 1 123456.789\n@", n % 2 ? ' ' : '\n', n);
        assert_reads(text, NULL, "1 1 123456.789; 1 3 0.5; 2 1 -4");
        free(text);
        text = stretched(GENERAL "2 3 2\n1 3 0.5\n2 1 @4\n", '0', n);
        assert_reads(text, NULL, "1 3 0.5; 2 1 4");
        free(text);
    }
}

Test(mtx_read, arrays_with_a_symmetry_of_every_size)
{
    static const char *const kinds[] = {"symmetric", "skew-symmetric"};
    spmv_error err;
    for (int kind = 0; kind < 2; kind++)
        for (int n = 0; n < 20; n++) {
            char text[2000];
            int size = snprintf(text, sizeof text, "%%%%MatrixMarket matrix array real %s\n%d %d\n",
                                kinds[kind], n, n);
            for (int c = 0; c < n; c++)
                for (int r = c + kind; r < n; r++)
                    size +=
                        snprintf(text + size, sizeof text - (size_t)size, "%d\n", 100 * r + c + 1);
            outcome o = read_text(text, NULL);
            cr_assert_eq(o.status, SPMV_SUCCESS, "%s, %d: %s", kinds[kind], n, o.err.message);
            cr_assert_eq(spmv_check(&o.A, &err), SPMV_SUCCESS, "%s", err.message);
            cr_assert_eq(o.A.head.nnz, n * n - kind * n);
            for (int64_t p = 0; p < o.A.head.nnz; p++) {
                int64_t r = o.A.coo.row_idx[p], c = o.A.coo.col_idx[p];
                int64_t expected = r >= c ? 100 * r + c + 1 : 100 * c + r + 1;
                cr_assert_eq(spmv__value(SPMV_F64, o.A.coo.val, p),
                             (double)(r < c && kind == 1 ? -expected : expected));
            }
            spmv_destroy(&o.A);
        }
    assert_refuses("%%MatrixMarket matrix array real symmetric\n6000000000 6000000000\n1\n", NULL,
                   SPMV_ERROR_INVALID_FORMAT, 2, 1, "is too large");
}

Test(mtx_read, size_of_the_file_and_counts_are_told)
{
    const char *path = SPMV_TESTDATA "/good/symmetric.mtx";
    spmv_matrix A;
    spmv_file_info info;
    cr_assert_eq(spmv_read(&A, path, NULL, &info, NULL), SPMV_SUCCESS);
    cr_assert_str_eq(info.file_format, "mtx");
    cr_assert_eq(info.entries, 4);
    cr_assert_eq(info.duplicates, 0);
    cr_assert_eq(info.skipped, 0);
    cr_assert_eq(info.bytes, 80);
    cr_assert_eq(info.symmetry, SPMV_SYMMETRIC);
    spmv_destroy(&A);
}
