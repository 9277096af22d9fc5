/* binsparse_test.c -- random matrices come back from HDF5 bit for bit; descriptors and arrays that
 * are not in order are refused; nothing is read unless it is asked for.
 *
 * scripts/test-binsparse does the same with a library of others. */
#include "formats/binsparse/binsparse.h"

#include "core/matrix/random_matrix_test.h"
#include "formats/stream/failing_test.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <unistd.h>

static const spmv_read_options named = {.file_format = "binsparse", .keep_symmetry = true};
static char path[64];

static void name_file(void)
{
    snprintf(path, sizeof path, "/tmp/spmv-binsparse-%ld.h5", (long)getpid());
}

static void remove_file(void)
{
    unlink(path);
}

TestSuite(binsparse, .init = name_file, .fini = remove_file);

/* ---- There and back ------------------------------------------------------------------------- */

static void assert_round_trip(const spmv_matrix *A, const char *label)
{
    const spmv_write_options options = {.overwrite = true};
    spmv_error err;
    spmv_matrix B;
    cr_assert_eq(spmv_write(A, path, &options, &err), SPMV_SUCCESS, "%s: %s", label, err.message);
    cr_assert_eq(spmv_read(&B, path, &named, NULL, &err), SPMV_SUCCESS, "%s: %s", label,
                 err.message);
    cr_assert(spmv_identical(A, &B), "%s", label);
    spmv_destroy(&B);
}

Test(binsparse, every_format_and_type_comes_back)
{
    static const spmv_format formats[] = {SPMV_COO, SPMV_CSR, SPMV_CSC};
    for (int f = 0; f < 3; f++)
        for (spmv_type type = SPMV_PATTERN; type < SPMV_TYPES; type++)
            for (int k = 0; k < TEST_CASES; k++) {
                test_sample s = test_sample_make(k, type, 2000);
                spmv_matrix A;
                cr_assert(test_convert(&A, &s.A, formats[f], s.label));
                assert_round_trip(&A, s.label);
                spmv_destroy(&A);
                spmv_destroy(&s.A);
            }
}

Test(binsparse, triangles_stay_triangles)
{
    for (spmv_symmetry symmetry = SPMV_SYMMETRIC; symmetry < SPMV_SYMMETRIES; symmetry++) {
        spmv_matrix A = {.format = SPMV_CSR};
        cr_assert_eq(spmv_csr_create(&A.csr, SPMV_C128, 2, 2, 1, NULL), SPMV_SUCCESS);
        A.csr.row_ptr[2] = 1;
        spmv__set_scalar(SPMV_C128, A.csr.val, 0, spmv__number(7, 2));
        A.head.symmetry = symmetry;
        assert_round_trip(&A, "a triangle");
        spmv_destroy(&A);
    }
}

Test(binsparse, indices_beyond_32_bits_come_back)
{
    const int64_t far = INT64_C(1) << 40;
    spmv_matrix A = {.format = SPMV_COO};
    cr_assert_eq(spmv_coo_create(&A.coo, SPMV_F32, far, 2 * far, 1, NULL), SPMV_SUCCESS);
    A.coo.row_idx[0] = far - 1;
    A.coo.col_idx[0] = 2 * far - 1;
    assert_round_trip(&A, "far");
    spmv_destroy(&A);
}

/* ---- Files made by hand --------------------------------------------------------------------- */

/* The worked example as a descriptor: format, rows, columns, entries, further members, types of
 * pointers, indices and values. */
#define TEXT(format, shape, entries, more, pointers, indices, values)                           \
    "{\"note\": [\"}\\\"\", {\"binsparse\": 1}], \"binsparse\": {\"version\": \"0.1\", "        \
    "\"format\": \"" format "\", \"shape\": " shape ", \"number_of_stored_values\": " entries   \
    ", " more "\"data_types\": {\"pointers_to_1\": \"" pointers "\", \"indices_1\": \"" indices \
    "\", \"values\": \"" values "\"}}}"
#define GOOD TEXT("CSR", "[ 3, 4 ]", "5", "", "int64", "int64", "int64")

static int64_t pointers[] = {0, 2, 4, 5}, indices[] = {0, 2, 1, 2, 3}, values[] = {1, 2, 3, 4, 5},
               rows[] = {0, 0, 1, 1, 2}, row_count = 5, value_count = 5;
static spmv__binsparse_type value_type = {.kind = 'i', .size = 8};

static void make_file(const char *text)
{
    const spmv_write_options options = {.overwrite = true};
    const spmv__binsparse_type i64 = {.kind = 'i', .size = 8};
    spmv__hdf5 *file;
    spmv__sink *sink;
    cr_assert_eq(spmv__hdf5_create(&file, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv__hdf5_put_text(file, "binsparse", text, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv__hdf5_put(file, "pointers_to_1", i64, 4, pointers, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv__hdf5_put(file, "indices_0", i64, row_count, rows, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv__hdf5_put(file, "indices_1", i64, 5, indices, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv__hdf5_put(file, "values", value_type, value_count, values, NULL),
                 SPMV_SUCCESS);
    cr_assert_eq(spmv__sink_open(&sink, path, &options, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv__hdf5_write(file, sink, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv__sink_commit(&sink, NULL), SPMV_SUCCESS);
    spmv__hdf5_close(file);
}

static void assert_refused(const char *text, const char *phrase)
{
    static const spmv_matrix empty;
    spmv_error err = {.message = ""};
    spmv_matrix A;
    make_file(text);
    cr_assert_neq(spmv_read(&A, path, &named, NULL, &err), SPMV_SUCCESS, "%s", text);
    cr_expect_not_null(strstr(err.message, phrase), "'%s' lacks '%s'", err.message, phrase);
    cr_expect_str_eq(err.file, path);
    cr_expect_arr_eq(&A, &empty, sizeof A);
}

Test(binsparse, integers_become_doubles)
{
    spmv_error err;
    spmv_matrix A;
    make_file(GOOD);
    cr_assert_eq(spmv_read(&A, path, &named, NULL, &err), SPMV_SUCCESS, "%s", err.message);
    cr_assert(A.format == SPMV_CSR && A.head.type == SPMV_F64);
    cr_assert(A.head.rows == 3 && A.head.cols == 4 && A.head.nnz == 5);
    for (int p = 0; p < 5; p++) {
        cr_assert_eq(A.csr.col_idx[p], indices[p]);
        cr_assert_eq(((double *)A.csr.val)[p], p + 1);
    }
    spmv_destroy(&A);
}

#define SAME(type) TEXT("CSR", "[3,4]", "5", "", "int64", "int64", "iso[" type "]")

Test(binsparse, the_same_value_everywhere)
{
    static const struct {
        const char *text;
        char kind;
        int64_t bits;
        spmv_type type;
        double value; /* in memory, unless there are none */
    } cases[] = {
        {SAME("int64"), 'i', 1, SPMV_PATTERN, 0},
        {SAME("int64"), 'i', 2, SPMV_F64, 2},
        {SAME("float64"), 'f', 0x3ff0000000000000, SPMV_F64, 1},
    };
    value_count = 1;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        spmv_error err;
        spmv_matrix A;
        value_type.kind = cases[i].kind;
        values[0] = cases[i].bits;
        make_file(cases[i].text);
        cr_assert_eq(spmv_read(&A, path, &named, NULL, &err), SPMV_SUCCESS, "%s", err.message);
        cr_assert_eq(A.head.type, cases[i].type, "case %zu", i);
        for (int p = 0; p < 5 && A.head.type == SPMV_F64; p++)
            cr_assert_eq(((double *)A.csr.val)[p], cases[i].value, "case %zu", i);
        spmv_destroy(&A);
    }
}

#define BY_COLUMN TEXT("COOC", "[3,4]", "5", "", "-\", \"indices_0\": \"int64", "int64", "int64")

Test(binsparse, coordinates_by_column_are_sorted)
{
    static const int64_t by_row[] = {0, 0, 1, 1, 2}, col[] = {0, 2, 1, 2, 3};
    spmv_error err;
    spmv_matrix A;
    memcpy(rows, (int64_t[]){0, 1, 2, 2, 3}, sizeof rows); /* columns: they come first */
    memcpy(indices, (int64_t[]){0, 1, 0, 1, 2}, sizeof indices);
    memcpy(values, (int64_t[]){1, 3, 2, 4, 5}, sizeof values);
    make_file(BY_COLUMN);
    cr_assert_eq(spmv_read(&A, path, &named, NULL, &err), SPMV_SUCCESS, "%s", err.message);
    cr_assert(A.format == SPMV_COO && A.head.nnz == 5);
    for (int p = 0; p < 5; p++) {
        cr_assert(A.coo.row_idx[p] == by_row[p] && A.coo.col_idx[p] == col[p]);
        cr_assert_eq(((double *)A.coo.val)[p], p + 1);
    }
    spmv_destroy(&A);
    rows[1] = indices[1] = 0;
    assert_refused(BY_COLUMN, "row 0, column 0 is given 2 times");
    indices[1] = 3;
    assert_refused(BY_COLUMN, "outside 3 x 4");
}

/* Shape, pointers, types of groups and pointers. */
#define GROUPS(format, shape, groups, pointers) \
    TEXT(format, shape, "5", "", pointers "\", \"indices_0\": \"" groups, "int64", "int64")
#define FAR "9000000000000000000"
#define DCSR GROUPS("DCSR", "[" FAR ", 4]", "int64", "int64")
#define DCSC GROUPS("DCSC", "[4, " FAR "]", "int64", "int64")

/* The worked example with its last two rows, or columns, far away. */
static void make_groups(void)
{
    row_count = 3;
    memcpy(rows, (int64_t[]){0, 1L << 40, 1L << 62}, 3 * sizeof *rows);
}

Test(binsparse, only_groups_with_entries_are_stored)
{
    static const struct {
        const char *text;
        bool by_column;
        int64_t order[5]; /* the entries by row, as they are in the file */
    } files[] = {{DCSR, false, {0, 1, 2, 3, 4}}, {DCSC, true, {0, 2, 1, 3, 4}}};
    make_groups();
    for (int i = 0; i < 2; i++) {
        const int64_t group[] = {rows[0], rows[0], rows[1], rows[1], rows[2]};
        spmv_error err;
        spmv_matrix A;
        make_file(files[i].text);
        cr_assert_eq(spmv_read(&A, path, &named, NULL, &err), SPMV_SUCCESS, "%s", err.message);
        cr_assert(A.format == SPMV_COO && A.head.nnz == 5);
        for (int p = 0; p < 5; p++) {
            const int64_t q = files[i].order[p];
            cr_assert_eq((files[i].by_column ? A.coo.col_idx : A.coo.row_idx)[p], group[q]);
            cr_assert_eq((files[i].by_column ? A.coo.row_idx : A.coo.col_idx)[p], indices[q]);
            cr_assert_eq(((double *)A.coo.val)[p], (double)values[q]);
        }
        spmv_destroy(&A);
    }
}

Test(binsparse, groups_that_are_not_in_order)
{
    static const struct {
        int64_t *place, value;
        const char *phrase;
    } bad[] = {
        {&rows[0], -1, "indices_0[0] is -1, expected ascending"},
        {&rows[1], 0, "indices_0[1] is 0, expected ascending"},
        {&rows[2], 5, "indices_0[2] is 5, expected ascending"},
        {&rows[2], INT64_MAX, "expected ascending numbers below " FAR},
        {&row_count, 2, "pointers_to_1 does not have one dimension of the length"},
        {&row_count, 4, "pointers_to_1 does not have one dimension of the length"},
        {&pointers[0], 1, "pointers_to_1[0] is 1"},
        {&pointers[1], 5, "pointers_to_1 falls from 5 to 4"},
        {&pointers[2], INT64_MIN, "pointers_to_1 falls"},
        {&pointers[3], 4, "pointers_to_1 ends at 4"},
        {&pointers[3], INT64_MAX, "pointers_to_1 ends at"},
        {&indices[4], 4, "outside"},
        {&indices[4], -1, "outside"},
        {&indices[1], 0, ""},
    };
    make_groups();
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const int64_t before = *bad[i].place;
        *bad[i].place = bad[i].value;
        assert_refused(DCSR, bad[i].phrase);
        assert_refused(DCSC, bad[i].phrase);
        *bad[i].place = before;
    }
    assert_refused(GROUPS("DCSR", "[3,4]", "int64", "int64"), "expected ascending numbers below 3");
    assert_refused(GROUPS("DCSR", "[3,4]", "int32", "int64"), "indices_0 is not of the type");
    assert_refused(GROUPS("DCSC", "[4,3]", "int64", "int32"), "pointers_to_1 is not of the type");
    assert_refused(GROUPS("DCSC", "[4,3]", "float64", "int64"), "type 'float64'");
}

Test(binsparse, descriptors_that_are_not_in_order)
{
    static const struct {
        const char *text, *phrase;
    } bad[] = {
        {"", "no valid 'binsparse'"},
        {"{\"binsparse\"", "no valid 'binsparse'"},
        {"{\"binsparse\": {}}", "no valid 'version'"},
        {"{\"binsparse\": {\"version\": \"2.0\"}}", "version '2.0'"},
        {"{\"binsparse\": {\"version\": \"0.1\", \"format\": \"CS", "no valid 'format'"},
        {"{\"binsparse\": {\"version\": \"1.0\", \"format\": \"CSR\"}}", "no valid 'shape'"},
        {TEXT("DCSR", "[3,4]", "5", "", "int64", "int64", "int64"), "no valid 'indices_0'"},
        {TEXT("DMATR", "[3,4]", "5", "", "int64", "int64", "int64"), "format 'DMATR'"},
        {TEXT("CVEC", "[3]", "3", "", "int64", "int64", "int64"), "format 'CVEC'"},
        {TEXT("COO", "[3,4]", "5", "", "int64", "int64", "int64"), "no valid 'indices_0'"},
        {TEXT("DVEC", "[3]", "3", "", "int64", "int64", "int64"), "format 'DVEC'"},
        {TEXT("CSR", "[3]", "5", "", "int64", "int64", "int64"), "no valid 'shape'"},
        {TEXT("CSR", "[3,4,1]", "5", "", "int64", "int64", "int64"), "no valid 'shape'"},
        {TEXT("CSR", "[-3,4]", "5", "", "int64", "int64", "int64"), "no valid 'shape'"},
        {TEXT("CSR", "[3.0,4]", "5", "", "int64", "int64", "int64"), "no valid 'shape'"},
        {TEXT("CSR", "[3,99999999999999999999]", "5", "", "int64", "int64", "int64"), "'shape'"},
        {TEXT("CSR", "[3,4]", "-5", "", "int64", "int64", "int64"), "'number_of_stored_values'"},
        {TEXT("CSR", "[3,4]", "5", "\"structure\":\"symmetric_upper\",", "int64", "int64", "int64"),
         "structure 'symmetric_upper'"},
        {TEXT("CSR", "[3,4]", "5", "\"fill\":true,", "int64", "int64", "int64"), "'fill'"},
        {TEXT("CSR", "[3,4]", "5", "\"index_base\":1,", "int64", "int64", "int64"), "'index_base'"},
        {TEXT("CSR", "[3,4]", "5", "", "float64", "int64", "int64"), "type 'float64'"},
        {TEXT("CSR", "[3,4]", "5", "", "int64", "iso[int64]", "int64"), "type 'iso[int64]'"},
        {TEXT("CSR", "[3,4]", "5", "", "int64", "int64", "complex[int64]"), "'complex[int64]'"},
        {TEXT("CSR", "[3,4]", "5", "", "int64", "int64", "float16"), "type 'float16'"},
        {TEXT("CSR", "[3,4]", "5", "", "uint64", "int64", "int64"), "pointers_to_1 is not of"},
        {TEXT("CSR", "[3,4]", "5", "", "int64", "int32", "int64"), "indices_1 is not of"},
        {TEXT("CSR", "[3,4]", "5", "", "int64", "int64", "float64"), "values is not of"},
        {TEXT("CSR", "[3,4]", "5", "", "int64", "int64", "iso[int64]"), "values does not have one"},
        {TEXT("CSR", "[3,4]", "4", "", "int64", "int64", "int64"), "indices_1 does not have one"},
        {TEXT("CSR", "[4000000000000000000,4]", "5", "", "int64", "int64", "int64"), "pointers"},
        {TEXT("CSC", "[4,4]", "5", "", "int64", "int64", "int64"),
         "pointers_to_1 does not have one"},
        {TEXT("CSR", "[3,3]", "5", "", "int64", "int64", "int64"), "outside"},
        {TEXT("CSR", "[3,4]", "5", "\"structure\":\"symmetric_lower\",", "int64", "int64", "int64"),
         "square"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_refused(bad[i].text, bad[i].phrase);
}

Test(binsparse, elements_that_are_not_in_order)
{
    static const struct {
        int64_t *place, value;
    } bad[] = {
        {&pointers[0], 1},       {&pointers[1], 5},         {&pointers[3], 6},
        {&pointers[3], 4},       {&pointers[2], INT64_MIN}, {&indices[0], -1},
        {&indices[0], 2},        {&indices[1], 0},          {&indices[4], 4},
        {&indices[4], 1L << 32}, {&indices[4], INT64_MAX},  {&values[2], (1L << 53) + 1},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const int64_t before = *bad[i].place;
        *bad[i].place = bad[i].value;
        assert_refused(GOOD, "");
        *bad[i].place = before;
    }
}

/* ---- Manners -------------------------------------------------------------------------------- */

Test(binsparse, nothing_is_read_unless_it_is_asked_for)
{
    spmv_error err;
    spmv_matrix A;
    make_file(GOOD);
    cr_assert_eq(spmv_read(&A, path, NULL, NULL, &err), SPMV_ERROR_UNSUPPORTED);
    cr_assert_not_null(strstr(err.message, "`file_format` binsparse"), "%s", err.message);
    FILE *f = fopen(path, "w");
    fputs("1 2\n", f);
    fclose(f);
    cr_assert_eq(spmv_read(&A, path, NULL, NULL, &err), SPMV_SUCCESS, "%s", err.message);
    spmv_destroy(&A);
    cr_assert_eq(spmv_read(&A, path, &named, NULL, &err), SPMV_ERROR_INVALID_FORMAT);
    cr_assert_not_null(strstr(err.message, "not an HDF5 file"), "%s", err.message);
}

static spmv_status write_and_read(const char *format, spmv_error *err)
{
    static const double dense[] = {1, 0, 2, 3};
    const spmv_write_options options = {.overwrite = true, .file_format = format};
    spmv_read_options drop = named;
    spmv_matrix A, B;
    spmv_status st = spmv_from_dense(&A, SPMV_ELL, SPMV_F64, 2, 2, dense, err);
    if (st != SPMV_SUCCESS) return st;
    unlink(path);
    st = spmv_write(&A, path, &options, err);
    cr_assert_eq(access(path, F_OK) == 0, st == SPMV_SUCCESS);
    spmv_destroy(&A);
    drop.drop_zeros = true;
    if (st == SPMV_SUCCESS) st = spmv_read(&B, path, &drop, NULL, err);
    if (st == SPMV_SUCCESS) spmv_destroy(&B);
    return st;
}

Test(binsparse, every_allocation_may_fail)
{
    cr_assert_gt(fail_each(write_and_read, "binsparse"), 8);
}

static spmv_status read_only(const char *format, spmv_error *err)
{
    spmv_matrix A;
    spmv_read_options of_format = named;
    of_format.file_format = format;
    const spmv_status st = spmv_read(&A, path, &of_format, NULL, err);
    if (st == SPMV_SUCCESS) spmv_destroy(&A);
    return st;
}

Test(binsparse, every_allocation_for_groups_may_fail)
{
    make_groups();
    make_file(DCSC);
    cr_assert_gt(fail_each(read_only, "binsparse"), 8);
}
