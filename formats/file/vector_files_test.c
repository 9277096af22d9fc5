/* vector_files_test.c -- vectors from Matrix Market and plain text, and to them. */
#include "core/base/random.h"
#include "formats/text/read_text_test.h"

#include <unistd.h>

static char path[64];

static void name_file(void)
{
    snprintf(path, sizeof path, "/tmp/spmv-vector-%ld", (long)getpid());
}
static void remove_file(void)
{
    unlink(path);
}

TestSuite(vector, .init = name_file, .fini = remove_file);

static void write_file(const char *text)
{
    FILE *f = fopen(path, "w");
    fputs(text, f);
    fclose(f);
}

static void assert_vector(const char *text, const spmv_read_options *options, int64_t n,
                          const double *expected)
{
    spmv_dense x;
    spmv_error err;
    write_file(text);
    cr_assert_eq(spmv_read_vector(&x, path, options, &err), SPMV_SUCCESS, "%s in\n%s", err.message,
                 text);
    cr_assert_eq(x.type, SPMV_F64);
    cr_assert_eq(x.rows, n);
    cr_assert_eq(x.cols, 1);
    for (int64_t i = 0; i < n; i++) {
        double value = ((double *)x.data)[i];
        cr_assert(same_value(value, expected[i]), "%lld: %g in\n%s", (long long)i, value, text);
    }
    spmv_dense_destroy(&x);
}

static void assert_refused(const char *text, spmv_status status, int64_t line, int64_t column,
                           const char *phrase)
{
    spmv_dense x;
    spmv_error err;
    write_file(text);
    cr_assert_eq(spmv_read_vector(&x, path, NULL, &err), status, "%s in\n%s", err.message, text);
    cr_assert_not_null(strstr(err.message, phrase), "'%s' lacks '%s'", err.message, phrase);
    cr_assert(err.line == line && err.column == column, "%lld:%lld", (long long)err.line,
              (long long)err.column);
    cr_assert_null(x.data);
}

Test(vector, from_matrix_market)
{
    const double dense[] = {1, -0.0, 3}, sparse[] = {0, 2.5, 0, -1};
    assert_vector("%%MatrixMarket matrix array real general\n3 1\n1\n-0.0\n3\n", NULL, 3, dense);
    assert_vector("%%MatrixMarket vector array integer general\n3\n1\n-0.0\n3\n", NULL, 3, dense);
    assert_vector("%%MatrixMarket matrix coordinate real general\n4 1 2\n4 1 -1\n2 1 2.5\n", NULL,
                  4, sparse);
    assert_vector("%%MatrixMarket vector coordinate real general\n4 3\n4 -1\n2 2\n2 0.5\n", NULL, 4,
                  sparse);
    assert_vector("%%MatrixMarket matrix array real general\n0 1\n", NULL, 0, NULL);
    assert_vector("%%MatrixMarket matrix array real symmetric\n1 1\n1\n", NULL, 1, dense);
    assert_vector("%%MatrixMarket matrix array real skew-symmetric\n1 1\n", NULL, 1, sparse);
}

Test(vector, options_count_here_too)
{
    const double sparse[] = {0, 2.5, 0, -1}, imag[] = {4, -2};
    spmv_read_options zero_based = {.index_base = SPMV_BASE_0};
    spmv_read_options complex_imag = {.complex_values = SPMV_COMPLEX_IMAG};
    assert_vector("%%MatrixMarket vector coordinate real general\n4 2\n3 -1\n1 2.5\n", &zero_based,
                  4, sparse);
    assert_vector("%%MatrixMarket matrix array complex general\n2 1\n3 4\n1 -2\n", &complex_imag, 2,
                  imag);
}

Test(vector, of_complex_numbers)
{
    static const char *const texts[] = {
        "%%MatrixMarket vector array complex general\n2\n3 4\n-0.0 -2\n",
        "%%MatrixMarket vector coordinate complex general\n2 3\n1 2 1\n2 -0.0 -2\n1 1 3\n"};
    for (int i = 0; i < 2; i++) {
        spmv_dense x;
        spmv_error err;
        write_file(texts[i]);
        cr_assert_eq(spmv_read_vector(&x, path, NULL, &err), SPMV_SUCCESS, "%s", err.message);
        cr_assert(x.type == SPMV_C128 && x.rows == 2 && x.cols == 1);
        const spmv_scalar *val = x.data;
        cr_assert(val[0].re == 3 && val[0].im == 4);
        cr_assert(same_value(val[1].re, -0.0) && val[1].im == -2);
        spmv_dense_destroy(&x);
    }
}

Test(vector, several_in_an_array)
{
    static const double numbers[] = {1, 2, 3, 4, 5, 6};
    spmv_dense x;
    write_file("%%MatrixMarket matrix array real general\n3 2\n1\n2\n3\n4\n5\n6\n");
    cr_assert_eq(spmv_read_vector(&x, path, NULL, NULL), SPMV_SUCCESS);
    cr_assert(x.rows == 3 && x.cols == 2 && !x.by_rows);
    cr_assert_arr_eq(x.data, numbers, sizeof numbers);
    spmv_dense_destroy(&x);
}

Test(vector, from_plain_text)
{
    const double numbers[] = {1, -2.5e10, 3, HUGE_VAL, 0x1p-1074};
    assert_vector("1\n-2.5e10\n3\ninf\n4.9e-324\n", NULL, 5, numbers);
    assert_vector("# x\n\n  1 \r\n% y\n   # z\n-2.5D10 % here\n\n3.\ninf\n4.9e-324", NULL, 5,
                  numbers);
    assert_vector("# nothing\n", NULL, 0, NULL);
    assert_vector("\xef\xbb\xbf"
                  "1\n-2.5e10\n3\ninf\n4.9e-324\n",
                  NULL, 5, numbers);
    assert_vector("1\n", &(spmv_read_options){.file_format = "text"}, 1, numbers);
}

Test(vector, what_is_none)
{
    assert_refused("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1\n",
                   SPMV_ERROR_INVALID_DIMENSION, 0, 0, "one column; this is 2 x 2");
    assert_refused("%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n3\n",
                   SPMV_ERROR_INVALID_DIMENSION, 0, 0, "of 2 x 2, is not");
    assert_refused("%%MatrixMarket matrix array real general\n2 1\n1\nx\n",
                   SPMV_ERROR_INVALID_FORMAT, 4, 1, "'x'");
    assert_refused("%%MatrixMarket vector coordinate real general\n2 1\n3 1\n",
                   SPMV_ERROR_INVALID_FORMAT, 3, 1, "index 3 is outside 1..2");
    assert_refused("1\n2 3\n", SPMV_ERROR_INVALID_FORMAT, 2, 3, "holds one number");
    assert_refused("1\n\ntwo\n", SPMV_ERROR_INVALID_FORMAT, 3, 1, "'two' is not a number");
    assert_refused("", SPMV_ERROR_INVALID_FORMAT, 0, 0, "empty");
    spmv_dense x;
    spmv_error err;
    write_file("1 2\n");
    cr_assert_eq(spmv_read_vector(&x, path, &(spmv_read_options){.file_format = "metis"}, &err),
                 SPMV_ERROR_UNSUPPORTED);
    cr_assert_not_null(strstr(err.message, "metis hold no vectors"));
    cr_assert_eq(spmv_read_vector(&x, path, &(spmv_read_options){.file_format = "x"}, NULL),
                 SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_read_vector(&x, SPMV_TESTDATA "/npz/csr.npz", NULL, &err),
                 SPMV_ERROR_UNSUPPORTED);
    cr_assert_not_null(strstr(err.message, "hold no vectors"));
    cr_assert_eq(spmv_read_vector(&x, "/no/such/file", NULL, NULL), SPMV_ERROR_FILE_IO);
    cr_assert_eq(spmv_read_vector(NULL, path, NULL, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_read_vector(&x, NULL, NULL, NULL), SPMV_ERROR_INVALID_ARGUMENT);
}

Test(vector, strict_and_warnings)
{
    spmv_dense x;
    spmv_error err;
    remarks warnings = {0};
    spmv_read_options options = {.warn = take_remark, .user = &warnings};
    write_file("1\nnan\n0x1p3\n");
    cr_assert_eq(spmv_read_vector(&x, path, &options, &err), SPMV_SUCCESS);
    cr_assert_eq(warnings.n, 2);
    cr_assert_eq(warnings.list[1].line, 3);
    spmv_dense_destroy(&x);
    options.strict = true;
    cr_assert_eq(spmv_read_vector(&x, path, &options, &err), SPMV_ERROR_INVALID_FORMAT);
    cr_assert_eq(err.line, 2);
    write_file("%%MatrixMarket vector array real general\n1\nnan\n");
    cr_assert_eq(spmv_read_vector(&x, path, &options, &err), SPMV_ERROR_INVALID_FORMAT);
    cr_assert_eq(err.line, 3);
}

/* ---- Writing -------------------------------------------------------------------------------- */

static void assert_file(const char *expected)
{
    char text[512] = "";
    FILE *f = fopen(path, "r");
    cr_assert_leq(fread(text, 1, sizeof text - 1, f), sizeof text - 2);
    fclose(f);
    cr_assert_str_eq(text, expected);
}

Test(vector, written)
{
    const spmv_write_options replace = {.overwrite = true};
    const spmv_write_options replace_text = {.overwrite = true, .file_format = "text"};
    const spmv_write_options text = {.file_format = "text"};
    float values[] = {0.1f, -0.0f, 1e10f, NAN};
    spmv_dense x = {.type = SPMV_F32, .rows = 4, .cols = 1, .data = values};
    spmv_error err;
    cr_assert_eq(spmv_write_vector(&x, path, NULL, &err), SPMV_SUCCESS, "%s", err.message);
    assert_file("%%MatrixMarket matrix array real general\n4 1\n0.1\n-0\n1e+10\nnan\n");
    cr_assert_eq(spmv_write_vector(&x, path, &text, &err), SPMV_ERROR_FILE_IO);
    cr_assert_eq(spmv_write_vector(&x, path, &replace_text, &err), SPMV_SUCCESS);
    assert_file("0.1\n-0\n1e+10\nnan\n");

    x.rows = 2, x.cols = 2;
    cr_assert_eq(spmv_write_vector(&x, path, &replace, &err), SPMV_SUCCESS);
    assert_file("%%MatrixMarket matrix array real general\n2 2\n0.1\n-0\n1e+10\nnan\n");
    cr_assert_eq(spmv_write_vector(&x, path, &replace_text, &err), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_write_vector(NULL, path, &replace_text, &err), SPMV_ERROR_INVALID_ARGUMENT);
    x.on_gpu = true;
    cr_assert_eq(spmv_write_vector(&x, path, &replace, &err), SPMV_ERROR_INVALID_ARGUMENT);
}

Test(vector, comes_back_bit_for_bit)
{
    const spmv_write_options replace = {.overwrite = true};
    const spmv_write_options replace_text = {.overwrite = true, .file_format = "text"};
    enum { N = 2000 };
    spmv_dense x, y;
    cr_assert_eq(spmv_dense_create(&x, SPMV_F64, N, 1, NULL), SPMV_SUCCESS);
    for (uint64_t i = 0; i < N; i++) {
        uint64_t bits = spmv__mix(i);
        double value;
        if (i % 7 == 0) bits &= 0x800fffffffffffffu;
        if (i % 50 == 0) bits &= 0x8000000000000000u;
        memcpy(&value, &bits, sizeof value);
        ((double *)x.data)[i] = isnan(value) ? (double)NAN : value;
    }
    for (int plain = 0; plain < 2; plain++) {
        cr_assert_eq(spmv_write_vector(&x, path, plain ? &replace_text : &replace, NULL),
                     SPMV_SUCCESS);
        cr_assert_eq(spmv_read_vector(&y, path, NULL, NULL), SPMV_SUCCESS);
        cr_assert_eq(y.rows, N);
        cr_assert_eq(memcmp(x.data, y.data, N * sizeof(double)), 0, "plain: %d", plain);
        spmv_dense_destroy(&y);
    }
    spmv_dense_destroy(&x);
}

/* By rows or by columns, and with gaps: files hold the same. */
Test(vector, wherever_its_elements_lie)
{
    const spmv_write_options replace = {.overwrite = true};
    static const double expected[] = {1, 2, 3, 4, 5, 6};
    double numbers[] = {1, 4, -1, -1, 2, 5, -1, -1, 3, 6}, columns[] = {1, 2, 3, -1, 4, 5, 6};
    const spmv_dense places[] = {
        {.type = SPMV_F64, .rows = 3, .cols = 2, .data = numbers, .by_rows = true, .ld = 4},
        {.type = SPMV_F64, .rows = 3, .cols = 2, .data = columns, .ld = 4}};
    for (int i = 0; i < 2; i++) {
        spmv_dense y;
        spmv_error err;
        cr_assert_eq(spmv_write_vector(&places[i], path, &replace, &err), SPMV_SUCCESS, "%s",
                     err.message);
        cr_assert_eq(spmv_read_vector(&y, path, NULL, NULL), SPMV_SUCCESS);
        cr_assert(y.rows == 3 && y.cols == 2);
        cr_assert_arr_eq(y.data, expected, sizeof expected, "%d", i);
        spmv_dense_destroy(&y);
    }
    spmv_dense small = places[1];
    spmv_error err;
    small.ld = 2;
    for (; small.cols > 0; small.cols--) {
        cr_assert_eq(spmv_write_vector(&small, path, &replace, &err), SPMV_ERROR_INVALID_DIMENSION);
        cr_assert_str_eq(err.message, "the vector has the leading dimension 2, and 3 rows");
    }
}

/* What no type and no size describes is refused before a file is made of it. */
Test(vector, shapes_and_types_that_do_not_exist_are_not_written)
{
    double one[1] = {1};
    const spmv_dense wrong[] = {{.type = SPMV_F64, .rows = -1, .cols = 1, .data = one},
                                {.type = SPMV_F64, .rows = 1, .cols = -1, .data = one},
                                {.type = (spmv_type)99, .rows = 1, .cols = 1, .data = one},
                                {.type = SPMV_PATTERN, .rows = 1, .cols = 1, .data = one},
                                {.type = SPMV_F64, .rows = 1, .cols = 1, .data = NULL}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        spmv_error err;
        cr_expect_eq(spmv_write_vector(&wrong[i], path, NULL, &err), SPMV_ERROR_INVALID_ARGUMENT,
                     "%zu", i);
        cr_expect_neq(access(path, F_OK), 0, "%zu", i);
    }
}

/* An enumeration holds what it names, and a caller's slip is no default. */
Test(vector, options_that_no_enumeration_names_are_refused)
{
    const spmv_read_options wrong[] = {{.duplicates = (spmv_duplicates)77},
                                       {.complex_values = (spmv_complex_part)77},
                                       {.index_base = (spmv_index_base)77}};
    static const char *const says[] = {
        "the option duplicates has a value that its enumeration does not name",
        "the option complex_values has a value that its enumeration does not name",
        "the option index_base has a value that its enumeration does not name"};
    write_file("%%MatrixMarket matrix array real general\n1 1\n2\n");
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        spmv_error err;
        spmv_matrix A;
        spmv_dense x;
        cr_expect_eq(spmv_read(&A, path, &wrong[i], NULL, &err), SPMV_ERROR_INVALID_ARGUMENT, "%zu",
                     i);
        cr_expect_eq(spmv_read_vector(&x, path, &wrong[i], &err), SPMV_ERROR_INVALID_ARGUMENT,
                     "%zu", i);
        cr_expect_str_eq(err.message, says[i]);
    }
}

/* Vectors by rows are packed before it is known that the format holds none. */
Test(vector, formats_that_hold_none)
{
    double data[] = {1, 2, 3, 4, 5, 6};
    const spmv_dense x = {
        .rows = 3, .cols = 2, .ld = 2, .type = SPMV_F64, .by_rows = true, .data = data};
    const spmv_write_options options = {.file_format = "binary"};
    spmv_error err;
    cr_assert_eq(spmv_write_vector(&x, path, &options, &err), SPMV_ERROR_UNSUPPORTED);
    cr_assert_str_eq(err.message, "files of the format binary hold no vectors");
    cr_assert_neq(access(path, F_OK), 0);
}
