/* boeing_test.c -- the files of testdata/boeing do what stands beside them, whole and damaged. */
#include "formats/file/corpus_test.h"

enum { FILES = 16 };

static void check_file(const char *path)
{
    outcome o = {0};
    spmv_read_options options = {.warn = take_remark, .user = &o.warnings};
    o.status = spmv_read(&o.A, path, &options, &o.info, &o.err);
    if (o.status == SPMV_SUCCESS) to_coordinates(&o.A);
    check_good(path, &o);
    cr_assert_str_eq(o.info.file_format, "rb", "%s", path);
    spmv_destroy(&o.A);
}

Test(boeing, read_as_expected)
{
    each_file("boeing/*", FILES, check_file);
}

Test(boeing, strict_refuses_what_would_warn)
{
    each_file("boeing/*", FILES, check_strict);
}

/* ---- Damaged -------------------------------------------------------------------------------- */

static void check_bytes(const char *path, const char *text, size_t size, size_t at)
{
    outcome o = read_bytes_as(&spmv__boeing_file, text, size, NULL);
    cr_assert(o.status == SPMV_SUCCESS || o.status == SPMV_ERROR_INVALID_FORMAT ||
                  o.status == SPMV_ERROR_UNSUPPORTED,
              "%s at %zu: %s", path, at, o.err.message);
    if (o.status == SPMV_SUCCESS)
        spmv_destroy(&o.A);
    else
        cr_assert(o.err.line > 0 && o.err.column > 0, "%s at %zu: %s", path, at, o.err.message);
}

static void check_cut(const char *path)
{
    check_cut_anywhere(path, check_bytes);
}

Test(boeing, may_be_cut_anywhere)
{
    each_file("boeing/*", FILES, check_cut);
}

static void check_changed(const char *path)
{
    static const unsigned char bytes[] = {0, '\n', '\r', ' ', '(', '.', '-', '9', 'e', 0xff};
    check_any_changed(path, 80, SIZE_MAX, bytes, sizeof bytes, check_bytes);
}

Test(boeing, any_byte_may_be_another)
{
    each_file("boeing/*", FILES, check_changed);
}

/* ---- Repeated ------------------------------------------------------------------------------- */

/* Rows 1, 1 and 2 in the first column: it is the second number of line 6. */
Test(boeing, a_repeated_entry_is_told_with_its_place)
{
    static const char text[] = "title\n4 1 1 1\nrua 3 2 4 0\n(3I4) (4I4) (4F4.0)\n"
                               "   1   4   5\n   1   1   2   3\n  1.  2.  3.  4.\n";
    const spmv_read_options refuse = {.duplicates = SPMV_DUPLICATES_ERROR};
    outcome o = read_bytes_as(&spmv__boeing_file, text, strlen(text), &refuse);
    cr_assert_eq(o.status, SPMV_ERROR_INVALID_FORMAT);
    cr_assert_str_eq(o.err.message, "row 1, column 1 is repeated");
    cr_assert(o.err.line == 6 && o.err.column == 8, "%lld:%lld", (long long)o.err.line,
              (long long)o.err.column);
}

/* ---- Recognition ---------------------------------------------------------------------------- */

static bool recognised(const char *text)
{
    return spmv__boeing_file.recognise((const unsigned char *)text, (int64_t)strlen(text));
}

Test(boeing, is_told_from_other_text)
{
    cr_assert(recognised("title\n 1 1 0 0\nrua 1 1 0 0\n(1I2) (1I2)\n"));
    cr_assert(recognised("\n 1 1 0 0 0\r\n RSE 1 1 0 0\n  (1I2)\n"));
    cr_assert_not(recognised("1 2\n 1 1 0 0\n1 2\n3 4\n"));
    cr_assert_not(recognised("title\n 1 1 0 0\nruax 1 1 0 0\n(1I2) (1I2)\n"));
    cr_assert_not(recognised("title\n 1 1 0\nrua 1 1 0 0\n(1I2) (1I2)\n"));
    cr_assert_not(recognised("title\n 1 1 0 0\nrua 1 1\n(1I2) (1I2)\n"));
    cr_assert_not(recognised("title\n 1 1 0 0\nrua 1 1 0 0\nI2 I2\n"));
    cr_assert_not(recognised("title\n 1 1 0 0\nrua 1 1 0 0\n"));
    cr_assert_not(recognised("title"));
    cr_assert_not(recognised(""));
}

/* ---- Formats in Fortran --------------------------------------------------------------------- */

/* One value under that format. */
static void assert_value(const char *format, const char *field, double expected)
{
    char text[512];
    snprintf(text, sizeof text, "\n3 1 1 1\nrua 1 1 1 0\n(2I2) (I2) %s\n 1 2\n 1\n%s\n", format,
             field);
    outcome o = read_bytes_as(&spmv__boeing_file, text, strlen(text), NULL);
    cr_assert_eq(o.status, SPMV_SUCCESS, "%s of %s: %s", field, format, o.err.message);
    const double value = spmv__value(o.A.head.type, o.A.coo.val, 0);
    cr_assert(same_value(value, expected), "%s of %s: %.17g", field, format, value);
    spmv_destroy(&o.A);
}

Test(boeing, values_of_every_kind)
{
    assert_value("(3E26.18)", "  1.000000000000000056E-01", 0.1);
    assert_value("(E8.3E3)", "1.5E-300", 1.5e-300);
    assert_value("(1p,1g12.4)", "1.5+2", 150);
    assert_value("(d10.0)", "-12", -12);
    assert_value("(D10.2)", "-12", -0.12);
    assert_value("(F10.2)", "12E1", 1.2);
    assert_value("(-2P F10.2)", "1.5", 150);
    assert_value("(+3P,F10.2)", "1.5", 0.0015);
    assert_value("(3P,F10.2)", "1.5E0", 1.5);
    assert_value("(1P,F10.1)", "15", 0.15);
    assert_value("(I5)", "-42", -42);
    assert_value("(F10.2)", "inf", INFINITY);
    assert_value("(F10.2)", "-Infinity", -INFINITY);
    assert_value("(F10.2)", "NaN", NAN);
    assert_value("(F10.2)", "1.E999999999", INFINITY);
    assert_value("(F10.2)", "-1.-9999999", -0.0);
    /* Half way between two doubles but for the last digit. */
    assert_value("(F80.0)", "9007199254740993.00000000000000000000000000000000000000000000000001",
                 9007199254740994);
}

static void assert_format_refused(const char *format)
{
    char text[512];
    snprintf(text, sizeof text, "\n3 1 1 1\nrua 1 1 1 0\n(2I2) (I2) %s\n 1 2\n 1\n1.\n", format);
    outcome o = read_bytes_as(&spmv__boeing_file, text, strlen(text), NULL);
    cr_assert_eq(o.status, SPMV_ERROR_UNSUPPORTED, "%s", format);
    cr_assert(o.err.line == 4 && o.err.column == 12, "%s", format);
}

Test(boeing, formats_that_are_refused)
{
    static const char *const formats[] = {
        "()",      "(E)",      "(E8)",    "(8.3)",     "(3X,E8.3)", "(E8.)",       "(E8.3,E8.3)",
        "(0E8.3)", "(1E0.0)",  "(E8.3E)", "(256E8.3)", "(E256.3)",  "(1P1P1E8.3)", "(E8.3",
        "(E-8.3)", "(-1E8.3)", "(*)",     "((E8.3))",  "(L1)",      "(1000E8.3)"};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        assert_format_refused(formats[i]);
}
