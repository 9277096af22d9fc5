/* npz_property_test.c -- random matrices come back from SciPy's and NumPy's files bit for bit, and
 * lack of memory at any moment is reported and leaves nothing behind. */
#include "core/base/random.h"
#include "core/matrix/random_matrix_test.h"
#include "formats/stream/failing_test.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static char path[64];

static void name_file(void)
{
    snprintf(path, sizeof path, "/tmp/spmv-npz-%ld", (long)getpid());
}

static void remove_file(void)
{
    unlink(path);
}

TestSuite(npz_property, .init = name_file, .fini = remove_file);

static spmv_matrix read_back(const spmv_matrix *A, const char *file_format, const char *label)
{
    const spmv_write_options options = {.overwrite = true, .file_format = file_format};
    spmv_error err;
    spmv_matrix B;
    cr_assert_eq(spmv_write(A, path, &options, &err), SPMV_SUCCESS, "%s: %s", label, err.message);
    cr_assert_eq(spmv_read(&B, path, NULL, NULL, &err), SPMV_SUCCESS, "%s: %s", label, err.message);
    return B;
}

/* COO, CSR and CSC stay what they are, other formats become CSR. */
static void assert_round_trips(spmv_format format)
{
    const bool kept = format == SPMV_COO || format == SPMV_CSR || format == SPMV_CSC;
    for (spmv_type type = SPMV_PATTERN; type < SPMV_TYPES; type++)
        for (int k = 0; k < TEST_CASES; k++) {
            test_sample s = test_sample_make(k, type, 20000);
            spmv_matrix A;
            if (test_convert(&A, &s.A, format, s.label)) {
                spmv_matrix B = read_back(&A, "npz", s.label);
                cr_assert(spmv_identical(kept ? &A : &s.A, &B), "%s", s.label);
                spmv_destroy(&A);
                spmv_destroy(&B);
            }
            spmv_destroy(&s.A);
        }
}

#define X(id, name, meaning)              \
    Test(npz_property, name##_round_trip) \
    {                                     \
        assert_round_trips(id);           \
    }
SPMV_FORMAT_TABLE(X)
#undef X

Test(npz_property, dense_round_trip)
{
    for (spmv_type type = SPMV_PATTERN; type < SPMV_TYPES; type++)
        for (int k = 0; k < TEST_CASES; k++) {
            test_sample s = test_sample_make(k, type, 20000);
            spmv_matrix B = read_back(&s.A, "npy", s.label);
            cr_assert(spmv_identical(&s.A, &B), "%s", s.label);
            spmv_destroy(&B);
            spmv_destroy(&s.A);
        }
}

/* NaN with any payload, infinities, -0, subnormal numbers. */
Test(npz_property, values_of_any_bits_round_trip)
{
    static const uint64_t bits[] = {0x7ff8000000000001, 0xfff0deadbeef0000, 0x7ff0000000000000,
                                    0x8000000000000000, 0x0000000000000001};
    for (spmv_type type = SPMV_F32; type < SPMV_TYPES; type++) {
        spmv_matrix A = {.format = SPMV_CSR}, B;
        cr_assert_eq(spmv_csr_create(&A.csr, type, 1, 1000, 1000, NULL), SPMV_SUCCESS);
        A.csr.row_ptr[1] = 1000;
        const size_t size = type == SPMV_F32 || type == SPMV_C64 ? 4 : 8; /* of a real number */
        for (size_t k = 0; k < 1000 * spmv_type_size(type) / size; k++) {
            uint64_t value = k < 5 ? bits[k] : spmv__mix(k);
            memcpy((char *)A.csr.val + k * size, (char *)&value + 8 - size, size);
        }
        for (int32_t p = 0; p < 1000; p++) A.csr.col_idx[p] = p;
        B = read_back(&A, "npz", "any bits");
        cr_assert(spmv_identical(&A, &B));
        spmv_destroy(&A);
        spmv_destroy(&B);
    }
}

Test(npz_property, indices_beyond_32_bits_round_trip)
{
    const int64_t far = INT64_C(1) << 40;
    spmv_matrix A = {.format = SPMV_COO}, B;
    cr_assert_eq(spmv_coo_create(&A.coo, SPMV_F32, far, 2 * far, 2, NULL), SPMV_SUCCESS);
    A.coo.row_idx[1] = far - 1;
    A.coo.col_idx[1] = 2 * far - 1;
    B = read_back(&A, "npz", "far");
    cr_assert(spmv_identical(&A, &B));
    spmv_destroy(&A);
    spmv_destroy(&B);
}

/* SciPy has no triangles: they are completed. */
Test(npz_property, triangles_are_completed)
{
    static const char *const formats[] = {"npz", "npy"};
    static const spmv_scalar mirrored[SPMV_SYMMETRIES] = {
        [SPMV_SYMMETRIC] = {7, 2}, [SPMV_SKEW] = {-7, -2}, [SPMV_HERMITIAN] = {7, -2}};
    for (spmv_symmetry symmetry = SPMV_SYMMETRIC; symmetry < SPMV_SYMMETRIES; symmetry++)
        for (int i = 0; i < 2; i++) {
            spmv_matrix A = {.format = SPMV_CSR}, B;
            spmv_scalar value;
            cr_assert_eq(spmv_csr_create(&A.csr, SPMV_C128, 2, 2, 1, NULL), SPMV_SUCCESS);
            A.csr.row_ptr[2] = 1;
            spmv__set_scalar(SPMV_C128, A.csr.val, 0, spmv__number(7, 2));
            A.head.symmetry = symmetry;
            B = read_back(&A, formats[i], formats[i]);
            cr_assert_eq(B.head.symmetry, SPMV_GENERAL);
            cr_assert_eq(B.head.nnz, 2);
            cr_assert_eq(spmv_get_element(&B, 0, 1, &value, NULL), SPMV_SUCCESS);
            cr_assert_eq(value.re, mirrored[symmetry].re);
            cr_assert_eq(value.im, mirrored[symmetry].im);
            spmv_destroy(&A);
            spmv_destroy(&B);
        }
}

static int64_t load(unsigned char *bytes, int64_t room)
{
    FILE *f = fopen(path, "rb");
    cr_assert_not_null(f);
    const int64_t size = (int64_t)fread(bytes, 1, (size_t)room, f);
    cr_assert_lt(size, room);
    fclose(f);
    return size;
}

Test(npz_property, equal_matrices_give_equal_files_at_any_time_and_place)
{
    static unsigned char first[1 << 16], second[1 << 16];
    test_sample s = test_sample_make(5, SPMV_F64, 1000);
    spmv_matrix B = read_back(&s.A, "npz", s.label);
    const int64_t size = load(first, sizeof first);
    spmv_destroy(&B);
    setenv("TZ", "Asia/Tokyo", 1);
    tzset();
    sleep(1);
    B = read_back(&s.A, "npz", s.label);
    cr_assert_eq(load(second, sizeof second), size);
    cr_assert_eq(memcmp(first, second, (size_t)size), 0);
    spmv_destroy(&B);
    spmv_destroy(&s.A);
}

/* ---- Vectors -------------------------------------------------------------------------------- */

Test(npz_property, vectors_round_trip)
{
    const spmv_write_options options = {.overwrite = true, .file_format = "npy"};
    for (spmv_type type = SPMV_F32; type < SPMV_TYPES; type++)
        for (int64_t n = 0; n < 300; n += 7) {
            spmv_dense x, y;
            spmv_error err;
            cr_assert_eq(spmv_dense_create(&x, type, n, 1, NULL), SPMV_SUCCESS);
            spmv_dense_fill_random(&x, (uint64_t)n);
            cr_assert_eq(spmv_write_vector(&x, path, &options, &err), SPMV_SUCCESS);
            cr_assert_eq(spmv_read_vector(&y, path, NULL, &err), SPMV_SUCCESS, "%s", err.message);
            cr_assert_eq(y.rows, n);
            cr_assert_eq(y.type, spmv_type_is_complex(type) ? SPMV_C128 : SPMV_F64);
            for (int64_t k = 0; k < n; k++) {
                const spmv_scalar wrote = spmv__scalar(type, x.data, k);
                const spmv_scalar read = spmv__scalar(y.type, y.data, k);
                cr_assert(read.re == wrote.re && read.im == wrote.im);
            }
            spmv_dense_destroy(&x);
            spmv_dense_destroy(&y);
        }
}

/* ---- What cannot be written ----------------------------------------------------------------- */

Test(npz_property, a_dense_array_that_no_memory_holds_is_not_begun)
{
    const spmv_write_options options = {.overwrite = true, .file_format = "npy"};
    const int64_t rows[] = {INT64_C(1) << 31, INT64_C(1) << 62};
    for (int i = 0; i < 2; i++) {
        spmv_matrix A = {.format = SPMV_COO};
        spmv_error err;
        cr_assert_eq(spmv_coo_create(&A.coo, SPMV_F64, rows[i], INT32_MAX, 0, NULL), SPMV_SUCCESS);
        cr_assert_eq(spmv_write(&A, path, &options, &err), SPMV_ERROR_OUT_OF_MEMORY);
        cr_assert_not_null(strstr(err.message, "a dense array"), "%s", err.message);
        cr_assert_eq(access(path, F_OK), -1);
        spmv_destroy(&A);
    }
}

/* ---- Lack of memory ------------------------------------------------------------------------- */

static spmv_status write_it(const char *file, spmv_error *err)
{
    const spmv_write_options options = {.file_format = file};
    static const double dense[] = {1, 0, 2, 3};
    spmv_matrix A;
    spmv_status st = spmv_from_dense(&A, SPMV_ELL, SPMV_F64, 2, 2, dense, err);
    if (st != SPMV_SUCCESS) return st;
    st = spmv_write(&A, path, &options, err);
    cr_assert_eq(access(path, F_OK) == 0, st == SPMV_SUCCESS);
    cr_assert(st == SPMV_SUCCESS || err->message[0] != '\0');
    unlink(path);
    spmv_destroy(&A);
    return st;
}

static spmv_status read_it(const char *file, spmv_error *err)
{
    static const spmv_matrix empty;
    const spmv_read_options drop = {.drop_zeros = true};
    char name[512];
    spmv_matrix A;
    snprintf(name, sizeof name, SPMV_TESTDATA "/npz/%s", file);
    const spmv_status st = spmv_read(&A, name, &drop, NULL, err);
    if (st != SPMV_SUCCESS) cr_assert_arr_eq(&A, &empty, sizeof A);
    if (st == SPMV_SUCCESS) spmv_destroy(&A);
    return st;
}

Test(npz_property, every_allocation_may_fail)
{
    static const char *const files[] = {"csr.npz",           "unsorted_csc.npz", "coo.npz",
                                        "logical.npz",       "duplicates.npz",   "dense.npy",
                                        "dense_fortran.npy", "column.npy"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        cr_assert_gt(fail_each(read_it, files[i]), 5, "%s", files[i]);
    cr_assert_gt(fail_each(write_it, "npz"), 5);
    cr_assert_gt(fail_each(write_it, "npy"), 5);
}
