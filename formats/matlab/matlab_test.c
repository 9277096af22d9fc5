/* matlab_test.c -- the files of testdata/mat, which SciPy and h5py made, come to what stands beside
 * them, whole and damaged; random matrices come back bit for bit; lack of memory leaves nothing
 * behind. */
#include "core/matrix/random_matrix_test.h"
#include "formats/file/corpus_test.h"
#include "formats/file/expected_status_test.h"
#include "formats/stream/failing_test.h"

#include <unistd.h>

enum { FILES = 22 };

static char path[64];

static void name_file(void)
{
    snprintf(path, sizeof path, "/tmp/spmv-matlab-%ld.mat", (long)getpid());
}

static void remove_file(void)
{
    unlink(path);
}

TestSuite(matlab, .init = name_file, .fini = remove_file, .timeout = 200);

static const spmv_read_options named = {.file_format = "mat"};

/* matio asks for what a damaged file says, and is content with less.  AddressSanitizer
 * would mark all of these gigabytes. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1:max_allocation_size_mb=64";
}

/* ---- What SciPy and h5py made --------------------------------------------------------------- */

static void check_refused(const char *file, char *expected)
{
    spmv_matrix A;
    spmv_error err;
    const int status = atoi(next_line(&expected));
    cr_assert_str_eq(next_line(&expected), "0:0", "%s", file);
    const char *phrase = next_line(&expected);
    const spmv_status st = spmv_read(&A, file, &named, NULL, &err);
    cr_assert_neq(st, SPMV_SUCCESS, "%s was read", file);
    cr_assert_eq(expected_status(st), status, "%s: %s", file, err.message);
    cr_assert_not_null(strstr(err.message, phrase), "%s: '%s'", file, err.message);
    cr_assert_str_eq(err.file, file);
}

static void check_file(const char *file)
{
    char *expected = load_expected(file);
    if (expected[0] == 'm') {
        outcome o = {0};
        const spmv_read_options options = {
            .file_format = "mat", .warn = take_remark, .user = &o.warnings};
        o.status = spmv_read(&o.A, file, &options, &o.info, &o.err);
        if (o.status == SPMV_SUCCESS) to_coordinates(&o.A);
        check_good(file, &o);
        spmv_destroy(&o.A);
    } else {
        check_refused(file, expected);
    }
    free(expected);
}

Test(matlab, every_file_comes_to_what_stands_beside_it)
{
    each_file("mat/*.mat", FILES, check_file);
}

/* The first entry of a file, read with these options. */
static double first_value(const char *name, const spmv_read_options *options)
{
    char file[256];
    spmv_error err;
    spmv_matrix A;
    snprintf(file, sizeof file, SPMV_TESTDATA "/mat/%s", name);
    cr_assert_eq(spmv_read(&A, file, options, NULL, &err), SPMV_SUCCESS, "%s: %s", name,
                 err.message);
    to_coordinates(&A);
    cr_assert_eq(A.head.nnz, 5);
    const double value = spmv__value(A.head.type, A.coo.val, 0);
    spmv_destroy(&A);
    return value;
}

Test(matlab, a_member_is_chosen_by_its_name)
{
    spmv_matrix A;
    spmv_error err;
    cr_assert_eq(first_value("two.mat", &(spmv_read_options){.file_format = "mat", .member = "B"}),
                 1);
    cr_assert_eq(first_value("two.mat", &(spmv_read_options){.file_format = "mat", .member = "A"}),
                 2);
    cr_assert_eq(
        first_value("two.mat", &(spmv_read_options){.file_format = "mat", .member = "S.A"}), 3);
    cr_assert_eq(
        first_value("plain.mat", &(spmv_read_options){.file_format = "mat", .member = "M"}), 1);
    static const char *const absent[] = {"x", "S", "C", "S.B", ""};
    for (size_t i = 0; i < sizeof absent / sizeof absent[0]; i++) {
        const spmv_read_options options = {.file_format = "mat", .member = absent[i]};
        cr_assert_eq(spmv_read(&A, SPMV_TESTDATA "/mat/two.mat", &options, NULL, &err),
                     SPMV_ERROR_INVALID_FORMAT);
        cr_assert_not_null(strstr(err.message, "it holds: B, A, S.A"), "%s", err.message);
    }
}

/* matio is not what a file of unknown origin should meet by accident. */
Test(matlab, is_read_only_where_it_is_named)
{
    static const char *const names[] = {"plain", "version_73"};
    for (int i = 0; i < 2; i++) {
        char file[256];
        spmv_matrix A;
        spmv_error err;
        snprintf(file, sizeof file, SPMV_TESTDATA "/mat/%s.mat", names[i]);
        cr_assert_eq(spmv_read(&A, file, NULL, NULL, &err), SPMV_ERROR_UNSUPPORTED);
        cr_assert_not_null(strstr(err.message, "`file_format` mat reads"), "%s", err.message);
    }
}

/* HDF5 opens files by their names only. */
Test(matlab, version_73_is_read_where_it_lies)
{
    spmv_matrix A;
    spmv_error err;
    size_t size;
    char *bytes = load_file(SPMV_TESTDATA "/mat/version_73.mat", &size);
    outcome o = read_bytes_as(&spmv__matlab_file, bytes, size, NULL);
    cr_assert_eq(o.status, SPMV_ERROR_UNSUPPORTED, "%s", o.err.message);
    FILE *f = fopen(path, "wb");
    cr_assert_eq(fwrite(bytes, 1, size / 2, f), size / 2);
    fclose(f);
    cr_assert_eq(spmv_read(&A, path, &named, NULL, &err), SPMV_ERROR_INVALID_FORMAT);
    cr_assert_str_eq(err.file, path);
    free(bytes);
}

/* ---- Damaged -------------------------------------------------------------------------------- */

static void check_bytes(const char *name, const char *bytes, size_t size, size_t at)
{
    outcome o = read_bytes_as(&spmv__matlab_file, bytes, size, NULL);
    if (o.status == SPMV_SUCCESS)
        spmv_destroy(&o.A);
    else
        cr_assert_str_not_empty(o.err.message, "%s at %zu", name, at);
}

static void damage(const char *name)
{
    static const unsigned char values[] = {0, 1, 5, 15, 0x7f, 0x80, 0xff};
    char file[256];
    snprintf(file, sizeof file, SPMV_TESTDATA "/mat/%s", name);
    check_cut_anywhere(file, check_bytes);
    check_any_changed(file, 124, SIZE_MAX, values, sizeof values, check_bytes);
}

/* Of compressed files and structures matio itself makes more than there is. */
Test(matlab, a_damaged_matrix)
{
    damage("plain.mat");
    damage("complex.mat");
    damage("logical.mat");
}

/* What is cut off is missed, wherever that is. */
static void write_file(const unsigned char *data, size_t size)
{
    const spmv_write_options over = {.overwrite = true};
    spmv_error err;
    cr_assert_eq(spmv_write_bytes(data, size, path, &over, &err), SPMV_SUCCESS, "%s", err.message);
}

static unsigned char *load(const char *name, size_t *size)
{
    char file[256], *data;
    spmv_error err;
    snprintf(file, sizeof file, SPMV_TESTDATA "/mat/%s", name);
    cr_assert_eq(spmv_read_bytes(&data, size, NULL, file, &err), SPMV_SUCCESS, "%s", err.message);
    return (unsigned char *)data;
}

static void refuse_cut(const char *name)
{
    size_t size;
    unsigned char *data = load(name, &size);
    for (size_t n = 128; n < size; n++) {
        spmv_matrix A;
        spmv_error err;
        write_file(data, n);
        cr_assert_neq(spmv_read(&A, path, &named, NULL, &err), SPMV_SUCCESS, "%s: %zu", name, n);
    }
    free(data);
}

Test(matlab, a_file_that_breaks_off)
{
    refuse_cut("plain.mat");
    refuse_cut("complex.mat");
    refuse_cut("compressed.mat");
    refuse_cut("suitesparse.mat");
}

/* A checksum ends what is packed: a bit that may change there changes nothing. */
Test(matlab, a_compressed_file_with_another_bit)
{
    size_t size;
    unsigned char *data = load("compressed.mat", &size);
    spmv_matrix whole, A;
    spmv_error err;
    int read = 0;
    cr_assert_eq(spmv_read(&whole, SPMV_TESTDATA "/mat/compressed.mat", &named, NULL, &err),
                 SPMV_SUCCESS, "%s", err.message);
    for (size_t at = 128; at < size; at++) {
        data[at] ^= 4;
        write_file(data, size);
        data[at] ^= 4;
        if (spmv_read(&A, path, &named, NULL, &err) != SPMV_SUCCESS) continue;
        cr_assert(spmv_identical(&A, &whole), "byte %zu", at);
        spmv_destroy(&A);
        read++;
    }
    cr_assert_lt(read, 4);
    spmv_destroy(&whole);
    free(data);
}

/* ---- There and back ------------------------------------------------------------------------- */

static void assert_round_trip(const spmv_matrix *A, const char *label)
{
    const spmv_write_options write = {.overwrite = true};
    const spmv_type type = A->head.type;
    spmv_error err;
    spmv_matrix B, C;
    cr_assert_eq(spmv_write(A, path, &write, &err), SPMV_SUCCESS, "%s: %s", label, err.message);
    cr_assert_eq(spmv_read(&B, path, &named, NULL, &err), SPMV_SUCCESS, "%s: %s", label,
                 err.message);
    cr_assert_eq(B.head.type, type == SPMV_PATTERN ? type : spmv__double_type(type), "%s", label);
    C = test_csr_of(&B, type);
    cr_assert(spmv_identical(A, &C), "%s", label);
    spmv_destroy(&B);
    spmv_destroy(&C);
}

Test(matlab, round_trip)
{
    for (spmv_type type = SPMV_PATTERN; type < SPMV_TYPES; type++)
        for (int k = 0; k < TEST_CASES; k++) {
            test_sample s = test_sample_make(k, type, 20000);
            assert_round_trip(&s.A, s.label);
            spmv_destroy(&s.A);
        }
}

/* ---- Lack of memory ------------------------------------------------------------------------- */

static spmv_status read_one(const char *file, spmv_error *err)
{
    static const spmv_matrix empty;
    spmv_matrix A;
    const spmv_status st = spmv_read(&A, file, &named, NULL, err);
    if (st != SPMV_SUCCESS) cr_assert_arr_eq(&A, &empty, sizeof A);
    spmv_destroy(&A);
    return st;
}

static spmv_status write_one(const char *file, spmv_error *err)
{
    static const double dense[] = {1, 0, 2, 3};
    spmv_matrix A, Z;
    spmv_status st = spmv_from_dense(&A, SPMV_ELL, SPMV_F64, 2, 2, dense, err);
    if (st != SPMV_SUCCESS) return st;
    st = spmv_convert_values(&Z, &A, SPMV_C64, err);
    spmv_destroy(&A);
    if (st != SPMV_SUCCESS) return st;
    st = spmv_write(&Z, file, NULL, err);
    cr_assert_eq(access(file, F_OK) == 0, st == SPMV_SUCCESS);
    unlink(file);
    spmv_destroy(&Z);
    return st;
}

/* Of such a matrix nothing but its sizes is looked at. */
Test(matlab, what_needs_more_than_32_bits_is_refused)
{
    int64_t col_ptr[] = {0, INT32_MAX / 12 + 1};
    int32_t row_idx;
    double val;
    spmv_matrix A = {.csc = {SPMV_F64, SPMV_GENERAL, INT32_MAX, 1, col_ptr[1], SPMV_BORROWED,
                             col_ptr, &row_idx, &val},
                     .format = SPMV_CSC};
    spmv_error err;
    cr_assert_eq(spmv_write(&A, path, NULL, &err), SPMV_ERROR_UNSUPPORTED);
    cr_assert_str_eq(err.message, "a variable in MATLAB files of version 5 has less than 2 GiB: "
                                  "178956971 entries in 1 columns take more");
    A.csc.type = SPMV_C128;
    A.csc.nnz = col_ptr[1] = INT32_MAX / 20 + 1;
    cr_assert_eq(spmv_write(&A, path, NULL, &err), SPMV_ERROR_UNSUPPORTED);
    cr_assert_neq(access(path, F_OK), 0);
}

Test(matlab, every_allocation_may_fail)
{
    cr_assert_gt(fail_each(read_one, SPMV_TESTDATA "/mat/suitesparse.mat"), 3);
    cr_assert_gt(fail_each(write_one, path), 6);
}
