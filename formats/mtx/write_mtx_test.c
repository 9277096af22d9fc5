/* write_mtx_test.c -- matrices to Matrix Market and back, bit for bit. */
#include "core/base/random.h"
#include "formats/text/read_text_test.h"

#include <unistd.h>

static char path[64];

static void name_file(void)
{
    snprintf(path, sizeof path, "/tmp/spmv-write-%ld.mtx", (long)getpid());
}
static void remove_file(void)
{
    unlink(path);
}

TestSuite(mtx_write, .init = name_file, .fini = remove_file);

static const spmv_write_options replace = {.overwrite = true};

static void assert_written(const spmv_matrix *A, const char *expected)
{
    char text[1024] = "";
    spmv_error err;
    cr_assert_eq(spmv_write_mtx(A, path, &replace, &err), SPMV_SUCCESS, "%s", err.message);
    FILE *f = fopen(path, "r");
    cr_assert_leq(fread(text, 1, sizeof text - 1, f), sizeof text - 2);
    fclose(f);
    cr_assert_str_eq(text, expected);
}

static const double worked[] = {1, 0, 2, 0, 0, 3, 4, 0, 0, 0, 0, 5};

Test(mtx_write, every_format_gives_the_same_bytes)
{
    for (int f = 0; f < SPMV_FORMATS; f++) {
        spmv_matrix A;
        cr_assert_eq(spmv_from_dense(&A, (spmv_format)f, SPMV_F64, 3, 4, worked, NULL),
                     SPMV_SUCCESS);
        assert_written(&A, "%%MatrixMarket matrix coordinate real general\n3 4 5\n"
                           "1 1 1\n1 3 2\n2 2 3\n2 3 4\n3 4 5\n");
        spmv_destroy(&A);
        cr_assert_eq(spmv_from_dense(&A, (spmv_format)f, SPMV_PATTERN, 3, 4, worked, NULL),
                     SPMV_SUCCESS);
        assert_written(&A, "%%MatrixMarket matrix coordinate pattern general\n3 4 5\n"
                           "1 1\n1 3\n2 2\n2 3\n3 4\n");
        spmv_destroy(&A);
    }
}

Test(mtx_write, symmetry_is_kept)
{
    spmv_matrix A = {.format = SPMV_COO};
    cr_assert_eq(spmv_coo_create(&A.coo, SPMV_F32, 3, 3, 2, NULL), SPMV_SUCCESS);
    float *val = A.coo.val;
    A.coo.row_idx[0] = 1, A.coo.col_idx[0] = 0, val[0] = 0.1f;
    A.coo.row_idx[1] = 2, A.coo.col_idx[1] = 1, val[1] = -1e10f;
    A.head.symmetry = SPMV_SYMMETRIC;
    assert_written(&A, "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n"
                       "2 1 0.1\n3 2 -1e+10\n");
    A.head.symmetry = SPMV_SKEW;
    assert_written(&A, "%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 2\n"
                       "2 1 0.1\n3 2 -1e+10\n");
    spmv_error err;
    A.head.type = SPMV_PATTERN;
    cr_assert_eq(spmv_write_mtx(&A, path, &replace, &err), SPMV_ERROR_UNSUPPORTED);
    cr_assert_not_null(strstr(err.message, "skew-symmetric"));
    spmv_destroy(&A);
}

Test(mtx_write, complex_values_are_two_numbers)
{
    static const double dense[] = {1, 0, 0, -0.0, 0.1, -1e10, 1e-320, NAN};
    spmv_matrix A;
    spmv_error err;
    cr_assert_eq(spmv_from_dense(&A, SPMV_CSR, SPMV_C128, 2, 2, dense, NULL), SPMV_SUCCESS);
    assert_written(&A, "%%MatrixMarket matrix coordinate complex general\n2 2 3\n"
                       "1 1 1 0\n2 1 0.1 -1e+10\n2 2 1e-320 nan\n");
    spmv_destroy(&A);
    cr_assert_eq(spmv_from_dense(&A, SPMV_JDS, SPMV_C64, 2, 2, dense, NULL), SPMV_SUCCESS);
    assert_written(&A, "%%MatrixMarket matrix coordinate complex general\n2 2 3\n"
                       "1 1 1 0\n2 1 0.1 -1e+10\n2 2 0 nan\n");
    spmv_destroy(&A);

    A.format = SPMV_COO;
    cr_assert_eq(spmv_coo_create(&A.coo, SPMV_C64, 2, 2, 1, NULL), SPMV_SUCCESS);
    A.coo.row_idx[0] = 1;
    spmv__set_scalar(SPMV_C64, A.coo.val, 0, spmv__number(0.5, -0.0));
    A.head.symmetry = SPMV_HERMITIAN;
    assert_written(&A, "%%MatrixMarket matrix coordinate complex hermitian\n2 2 1\n2 1 0.5 -0\n");
    spmv_destroy(&A);

    spmv_dense x = {.type = SPMV_C64, .rows = 2, .cols = 1, .data = (float[]){1, 2.5f, 0.1f, 0}};
    char text[128] = "";
    cr_assert_eq(spmv_write_vector(&x, path, &replace, &err), SPMV_SUCCESS, "%s", err.message);
    FILE *f = fopen(path, "r");
    cr_assert_gt(fread(text, 1, sizeof text - 1, f), 0);
    fclose(f);
    cr_assert_str_eq(text, "%%MatrixMarket matrix array complex general\n2 1\n1 2.5\n0.1 0\n");
}

Test(mtx_write, a_row_is_sorted_and_indices_have_64_bits)
{
    outcome o = read_text("%%MatrixMarket matrix coordinate real general\n"
                          "9223372036854775806 9223372036854775806 2\n"
                          "9223372036854775806 1 2\n9223372036854775805 9223372036854775806 1\n",
                          NULL);
    cr_assert_eq(o.status, SPMV_SUCCESS, "%s", o.err.message);
    assert_written(&o.A, "%%MatrixMarket matrix coordinate real general\n"
                         "9223372036854775806 9223372036854775806 2\n"
                         "9223372036854775805 9223372036854775806 1\n9223372036854775806 1 2\n");
    spmv_destroy(&o.A);
}

Test(mtx_write, what_cannot_be_written)
{
    spmv_matrix A;
    spmv_error err;
    cr_assert_eq(spmv_from_dense(&A, SPMV_CSR, SPMV_F64, 3, 4, worked, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_write_mtx(&A, "/dev/full", NULL, &err), SPMV_ERROR_FILE_IO);
    cr_assert_str_eq(err.file, "/dev/full");
    cr_assert_eq(spmv_write_mtx(&A, "/no/such/folder/a.mtx", NULL, &err), SPMV_ERROR_FILE_IO);
    cr_assert_eq(spmv_write_mtx(NULL, path, NULL, &err), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_write_mtx(&A, NULL, NULL, &err), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_write_mtx(&A, path, NULL, &err), SPMV_SUCCESS);
    cr_assert_eq(spmv_write_mtx(&A, path, NULL, &err), SPMV_ERROR_FILE_IO);
    spmv_destroy(&A);
}

/* ---- There and back ------------------------------------------------------------------------- */

/* Any bits but those of a nan, of which text keeps the sign only. */
static double any_value(uint64_t k)
{
    uint64_t bits = spmv__mix(k);
    double value;
    if (k % 5 == 0) bits &= 0x800fffffffffffffu; /* denormal or zero */
    if (k % 31 == 0) bits &= 0x8000000000000000u;
    if (k % 37 == 0) bits = (bits & 0x8000000000000000u) | 0x7ff0000000000000u;
    memcpy(&value, &bits, sizeof value);
    if (k % 41 == 0 || isnan(value)) value = copysign((double)NAN, value);
    return value;
}

/* One entry in each row, at a random place, in any of the sizes of numbers. */
static spmv_matrix sample(spmv_type type, uint64_t seed)
{
    int64_t rows = 1 + (int64_t)(spmv__mix(seed) % 300),
            cols = 1 + (int64_t)(spmv__mix(~seed) >> 34);
    spmv_matrix A = {.format = SPMV_COO};
    cr_assert_eq(spmv_coo_create(&A.coo, type, rows, cols, rows, NULL), SPMV_SUCCESS);
    for (int64_t p = 0; p < rows; p++) {
        uint64_t k = seed * 1000 + (uint64_t)p;
        A.coo.row_idx[p] = p;
        A.coo.col_idx[p] = (int64_t)(spmv__uniform(seed, (uint64_t)p) * (double)cols);
        spmv_scalar value = {any_value(k), any_value(k + 500000)};
        if (type == SPMV_F32 || type == SPMV_C64) {
            value = spmv__number((double)(float)value.re, (double)(float)value.im);
            if (k % 3 == 0) value.re = (double)((float)value.re * 0x1p-140f);
        }
        spmv__set_scalar(type, A.coo.val, p, value);
    }
    return A;
}

static void assert_returns(spmv_type type, uint64_t seed)
{
    spmv_matrix A = sample(type, seed), text, B;
    spmv_error err;
    cr_assert_eq(spmv_write_mtx(&A, path, &replace, &err), SPMV_SUCCESS, "%s", err.message);
    cr_assert_eq(spmv_read(&text, path, NULL, NULL, &err), SPMV_SUCCESS, "seed %llu: %s",
                 (unsigned long long)seed, err.message);
    to_coordinates(&text);
    cr_assert_eq(spmv_convert_values(&B, &text, type, &err), SPMV_SUCCESS);
    cr_assert(spmv_identical(&A, &B), "%s, seed %llu", spmv_type_name(type),
              (unsigned long long)seed);
    spmv_destroy(&A);
    spmv_destroy(&B);
    spmv_destroy(&text);
}

Test(mtx_write, random_matrices_come_back_bit_for_bit)
{
    for (uint64_t seed = 0; seed < 100; seed++) {
        for (spmv_type type = 0; type < SPMV_TYPES; type++) assert_returns(type, seed);
    }
}

Test(mtx_write, a_triangle_comes_back_as_one)
{
    static const spmv_read_options keep = {.keep_symmetry = true};
    for (int symmetry = SPMV_SYMMETRIC; symmetry <= SPMV_HERMITIAN; symmetry++) {
        spmv_matrix A = {.format = SPMV_COO}, B;
        cr_assert_eq(spmv_coo_create(&A.coo, SPMV_C128, 50, 50, 49, NULL), SPMV_SUCCESS);
        for (int64_t p = 0; p < 49; p++) {
            A.coo.row_idx[p] = p + 1;
            A.coo.col_idx[p] = p / 2;
            spmv__set_scalar(SPMV_C128, A.coo.val, p,
                             spmv__number(any_value((uint64_t)p), any_value(~(uint64_t)p)));
        }
        A.head.symmetry = (spmv_symmetry)symmetry;
        cr_assert_eq(spmv_write_mtx(&A, path, &replace, NULL), SPMV_SUCCESS);
        cr_assert_eq(spmv_read(&B, path, &keep, NULL, NULL), SPMV_SUCCESS);
        to_coordinates(&B);
        cr_assert(spmv_identical(&A, &B));
        spmv_destroy(&A);
        spmv_destroy(&B);
    }
}
