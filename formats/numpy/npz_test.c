/* npz_test.c -- the files of testdata/npz, which NumPy and SciPy made, come to what stands beside
 * them; how they were made is in make.py there. */
#include "core/matrix/value.h"
#include "formats/file/expected_status_test.h"

#include <criterion/criterion.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

/* The next line of an expectation, without its newline; false at the end. */
static bool next_line(FILE *f, char line[256])
{
    if (fgets(line, 256, f) == NULL) return false;
    line[strcspn(line, "\n")] = '\0';
    return true;
}

static bool same_value(double a, double b)
{
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

static void assert_entry(const char *path, const char *line, const spmv_coo *A, int64_t p)
{
    long long row, col;
    char re[64], im[64] = "0";
    cr_assert_geq(sscanf(line, "entry %lld %lld %63s %63s", &row, &col, re, im), 3, "%s: %s", path,
                  line);
    cr_assert_lt(p, A->nnz, "%s: too few entries", path);
    const spmv_scalar stored = spmv__scalar(A->type, A->val, p);
    cr_assert_eq(A->row_idx[p] + 1, row, "%s: %s", path, line);
    cr_assert_eq(A->col_idx[p] + 1, col, "%s: %s", path, line);
    cr_assert(same_value(strtod(re, NULL), stored.re) && same_value(strtod(im, NULL), stored.im),
              "%s: %s, not %a %a", path, line, stored.re, stored.im);
}

static void assert_reads(const char *path, FILE *expected, char line[256])
{
    long long rows, cols, entries;
    char type[16], format[16];
    spmv_error err = {.message = ""};
    spmv_matrix A, B;
    int64_t p = 0;

    cr_assert_eq(spmv_read(&A, path, NULL, NULL, &err), SPMV_SUCCESS, "%s: %s", path, err.message);
    cr_assert_eq(spmv_check(&A, &err), SPMV_SUCCESS, "%s: %s", path, err.message);
    cr_assert_eq(
        sscanf(line, "matrix %lld %lld %lld %15s %15s", &rows, &cols, &entries, type, format), 5);
    cr_assert_eq(A.head.rows, rows, "%s", path);
    cr_assert_eq(A.head.cols, cols, "%s", path);
    cr_assert_eq(A.head.nnz, entries, "%s", path);
    cr_assert_str_eq(spmv_type_name(A.head.type), type, "%s", path);
    cr_assert_str_eq(spmv_format_name(A.format), format, "%s", path);
    cr_assert_eq(spmv_convert(&B, &A, SPMV_COO, NULL, NULL), SPMV_SUCCESS);
    while (next_line(expected, line)) assert_entry(path, line, &B.coo, p++);
    cr_assert_eq(p, entries, "%s", path);
    spmv_destroy(&A);
    spmv_destroy(&B);
}

static void assert_refuses(const char *path, FILE *expected, const char *status)
{
    static const spmv_matrix empty;
    char phrase[256];
    spmv_error err = {.message = ""};
    spmv_matrix A;
    const spmv_status st = spmv_read(&A, path, NULL, NULL, &err);
    cr_assert(next_line(expected, phrase));
    cr_assert_neq(st, SPMV_SUCCESS, "%s", path);
    cr_assert_eq(expected_status(st), atoi(status), "%s: %s", path, err.message);
    cr_assert_not_null(strstr(err.message, phrase), "%s: '%s' lacks '%s'", path, err.message,
                       phrase);
    cr_assert_str_eq(err.file, path);
    cr_assert_eq(err.line, 0, "%s: %s", path, err.message);
    cr_assert_arr_eq(&A, &empty, sizeof A);
}

Test(npz, every_file_comes_to_what_stands_beside_it)
{
    glob_t found;
    int good = 0, bad = 0;
    cr_assert_eq(glob(SPMV_TESTDATA "/npz/*.np[yz]", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *path = found.gl_pathv[i];
        char name[512], line[256];
        snprintf(name, sizeof name, "%s.expect", path);
        FILE *f = fopen(name, "r");
        cr_assert_not_null(f, "%s", name);
        cr_assert(next_line(f, line), "%s", name);
        const bool readable = strncmp(line, "matrix", 6) == 0;
        if (readable)
            assert_reads(path, f, line);
        else
            assert_refuses(path, f, line);
        good += readable;
        bad += !readable;
        fclose(f);
    }
    globfree(&found);
    cr_assert_geq(good, 42);
    cr_assert_geq(bad, 48);
}

/* ---- Options -------------------------------------------------------------------------------- */

static spmv_matrix read_with(const char *name, const spmv_read_options *options,
                             spmv_file_info *info)
{
    char path[512];
    spmv_error err;
    spmv_matrix A;
    snprintf(path, sizeof path, SPMV_TESTDATA "/npz/%s", name);
    cr_assert_eq(spmv_read(&A, path, options, info, &err), SPMV_SUCCESS, "%s", err.message);
    return A;
}

/* Indices out of order in 2^31 - 1 rows, of which the file holds no offsets: neither does sorting.
 */
static void read_many_rows(const spmv_read_options *options)
{
    static const struct {
        int64_t row, col;
        double value;
    } entries[] = {{0, 0, 2}, {1, 1, 4}, {2, 0, 1}, {2, 1, 3}, {3, 2, 5}, {INT32_MAX - 1, 2, 0}};
    struct rusage usage;
    spmv_matrix A = read_with("many_rows.zip", options, NULL);
    cr_assert_eq(getrusage(RUSAGE_SELF, &usage), 0);
    cr_assert_lt(usage.ru_maxrss, 1 << 20, "%ld kB", usage.ru_maxrss);
    cr_assert_eq(A.format, SPMV_CSC);
    cr_assert_eq(A.head.rows, INT32_MAX);
    cr_assert_eq(A.head.nnz, 5);
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        spmv_scalar value;
        cr_assert_eq(spmv_get_element(&A, entries[i].row, entries[i].col, &value, NULL),
                     SPMV_SUCCESS);
        cr_assert_eq(value.re, entries[i].value, "%d", (int)i);
    }
    spmv_destroy(&A);
}

Test(npz, many_rows_cost_nothing)
{
    read_many_rows(NULL);
    read_many_rows(&(spmv_read_options){.drop_zeros = true});
}

/* duplicates.npz gives row 2, column 1 first as 1.5, then as 3. */
Test(npz, duplicates)
{
    static const struct {
        spmv_duplicates policy;
        double value;
    } cases[] = {
        {SPMV_DUPLICATES_FIRST, 1.5}, {SPMV_DUPLICATES_LAST, 3}, {SPMV_DUPLICATES_SUM, 4.5}};
    for (int i = 0; i < 3; i++) {
        const spmv_read_options options = {.duplicates = cases[i].policy};
        spmv_file_info info;
        spmv_scalar value;
        spmv_matrix A = read_with("duplicates.npz", &options, &info);
        cr_assert_eq(spmv_get_element(&A, 2, 1, &value, NULL), SPMV_SUCCESS);
        cr_assert_eq(value.re, cases[i].value, "%d", i);
        cr_assert_eq(info.entries, 4);
        cr_assert_eq(info.duplicates, 1);
        cr_assert_str_eq(info.file_format, "npz");
        spmv_destroy(&A);
    }

    const spmv_read_options none = {.duplicates = SPMV_DUPLICATES_ERROR};
    spmv_error err;
    spmv_matrix A;
    cr_assert_eq(spmv_read(&A, SPMV_TESTDATA "/npz/duplicates_csr.npz", &none, NULL, &err),
                 SPMV_ERROR_INVALID_FORMAT);
    cr_assert_not_null(strstr(err.message, "is given 2 times"), "%s", err.message);
}

Test(npz, zeros_go_when_they_are_not_wanted)
{
    const spmv_read_options drop = {.drop_zeros = true};
    spmv_matrix A = read_with("odd_values.npz", &drop, NULL);
    cr_assert_eq(A.head.nnz, 4);
    spmv_destroy(&A);
}

/* The values are i, 2i, ... 5i. */
Test(npz, complex_values_become_real_on_demand)
{
    static const double second[] = {
        [SPMV_COMPLEX_REAL] = 0, [SPMV_COMPLEX_IMAG] = 2, [SPMV_COMPLEX_ABS] = 2};
    for (spmv_complex_part part = SPMV_COMPLEX_REAL; part <= SPMV_COMPLEX_ABS; part++) {
        const spmv_read_options options = {.complex_values = part};
        spmv_matrix A = read_with("complex.npz", &options, NULL);
        cr_assert_eq(A.head.type, SPMV_F64);
        cr_assert_eq(((const double *)A.csr.val)[1], second[part], "%d", (int)part);
        spmv_destroy(&A);
        A = read_with("csr.npz", &options, NULL);
        cr_assert_eq(((const double *)A.csr.val)[1], 2, "no complex values, no effect");
        spmv_destroy(&A);
    }
}

/* ---- Vectors -------------------------------------------------------------------------------- */

static spmv_status read_vector(const char *name, spmv_dense *x, spmv_error *err)
{
    char path[512];
    snprintf(path, sizeof path, SPMV_TESTDATA "/npz/%s", name);
    return spmv_read_vector(x, path, NULL, err);
}

Test(npz, vectors)
{
    spmv_dense x;
    spmv_error err;
    cr_assert_eq(read_vector("column.npy", &x, &err), SPMV_SUCCESS, "%s", err.message);
    const double *val = x.data;
    cr_assert(x.type == SPMV_F64 && x.rows == 3 && x.cols == 1);
    cr_assert(val[0] == 1 && val[1] == 0 && val[2] == 3);
    spmv_dense_destroy(&x);

    for (int k = 0; k < 2; k++) { /* the same numbers in either order */
        static const char *const names[] = {"dense.npy", "dense_fortran.npy"};
        static const double columns[] = {1, 0, 0, 0, 3, 0, 2, 4, 0, 0, 0, 5};
        cr_assert_eq(read_vector(names[k], &x, &err), SPMV_SUCCESS, "%s", err.message);
        cr_assert(x.type == SPMV_F64 && x.rows == 3 && x.cols == 4 && !x.by_rows);
        cr_assert_arr_eq(x.data, columns, sizeof columns);
        spmv_dense_destroy(&x);
    }
    cr_assert_eq(read_vector("complex_column.npy", &x, &err), SPMV_SUCCESS, "%s", err.message);
    const spmv_scalar last = spmv__scalar(SPMV_C128, x.data, 2);
    cr_assert(x.type == SPMV_C128 && x.rows == 3 && last.re == 3 && last.im == -4);
    spmv_dense_destroy(&x);
    cr_assert_eq(read_vector("pickled_dense.npy", &x, &err), SPMV_ERROR_UNSUPPORTED);
    cr_assert_eq(read_vector("too_short.npy", &x, &err), SPMV_ERROR_INVALID_FORMAT);
    cr_assert_null(x.data);
}
