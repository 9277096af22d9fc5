/* binary_property_test.c -- random matrices come back from binary files bit for bit, and lack of
 * memory at any moment is reported and leaves nothing behind. */
#include "core/base/random.h"
#include "formats/binary/binary_image_test.h"
#include "core/matrix/random_matrix_test.h"

#include <dirent.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

/* A folder of this test, which runs in a process of its own, and a file in it. */
static char folder[64], file[80];

static void make_folder(void)
{
    strcpy(folder, "/tmp/spmv-binary-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/matrix", folder);
}

static void remove_folder(void)
{
    unlink(file);
    rmdir(folder);
}

TestSuite(binary_property, .init = make_folder, .fini = remove_folder);

/* A in another format, however much an ELL has to be padded. */
static spmv_matrix converted(const spmv_matrix *A, spmv_format format, const char *label)
{
    const spmv_convert_options any_fill = {.max_fill = INFINITY};
    spmv_error err;
    spmv_matrix B;
    cr_assert_eq(spmv_convert(&B, A, format, &any_fill, &err), SPMV_SUCCESS, "%s to %s: %s", label,
                 spmv_format_name(format), err.message);
    return B;
}

static void assert_round_trip(const spmv_matrix *A, const char *label)
{
    const spmv_write_options overwrite = {.overwrite = true};
    spmv_error err;
    spmv_matrix B;
    cr_assert_eq(spmv_write_binary(A, file, &overwrite, &err), SPMV_SUCCESS, "%s: %s", label,
                 err.message);
    cr_assert_eq(spmv_read(&B, file, NULL, NULL, &err), SPMV_SUCCESS, "%s: %s", label, err.message);
    cr_assert(spmv_identical(A, &B), "%s as %s", label, spmv_format_name(A->format));
    spmv_destroy(&B);
}

/* max_cells bounds rows * cols, and so the padding of ELL. */
static void assert_round_trips(spmv_format format, int64_t max_cells)
{
    for (spmv_type type = SPMV_PATTERN; type < SPMV_TYPES; type++) {
        for (int k = 0; k < TEST_CASES; k++) {
            test_sample s = test_sample_make(k, type, max_cells);
            spmv_matrix A = converted(&s.A, format, s.label);
            assert_round_trip(&A, s.label);
            spmv_destroy(&A);
            spmv_destroy(&s.A);
        }
    }
}

/* A CSR file round trip is exact. */
Test(binary_property, csr_round_trip)
{
    assert_round_trips(SPMV_CSR, 1000000);
}

/* An ELL file round trip is exact. */
Test(binary_property, ell_round_trip)
{
    assert_round_trips(SPMV_ELL, 200000);
}

Test(binary_property, round_trip_of_every_format)
{
    for (spmv_format f = 0; f < SPMV_FORMATS; f++) assert_round_trips(f, 20000);
}

/* NaN with any payload, infinities, -0, subnormal numbers. */
Test(binary_property, values_of_any_bits_round_trip)
{
    static const uint64_t bits[] = {0x7ff8000000000001, 0xfff0deadbeef0000, 0x7ff0000000000000,
                                    0x8000000000000000, 0x0000000000000001};
    for (spmv_type type = SPMV_F32; type < SPMV_TYPES; type++) {
        spmv_matrix A = {.format = SPMV_CSR};
        cr_assert_eq(spmv_csr_create(&A.csr, type, 1, 1000, 1000, NULL), SPMV_SUCCESS);
        A.csr.row_ptr[1] = 1000;
        const size_t size = type == SPMV_F32 || type == SPMV_C64 ? 4 : 8; /* of a real number */
        for (size_t k = 0; k < 1000 * spmv_type_size(type) / size; k++) {
            uint64_t value = k < 5 ? bits[k] : spmv__mix(k);
            memcpy((char *)A.csr.val + k * size, (char *)&value + 8 - size, size);
        }
        for (int32_t p = 0; p < 1000; p++) A.csr.col_idx[p] = p;
        assert_round_trip(&A, "any bits");
        spmv_destroy(&A);
    }
}

Test(binary_property, matrices_without_rows_or_columns_or_entries)
{
    static const int64_t shapes[][2] = {{0, 0}, {0, 5}, {5, 0}, {5, 5}};
    for (spmv_format format = 0; format < SPMV_FORMATS; format++) {
        for (int i = 0; i < 4; i++) {
            spmv_matrix A = {.format = SPMV_CSR}, B;
            cr_assert_eq(spmv_csr_create(&A.csr, SPMV_F64, shapes[i][0], shapes[i][1], 0, NULL),
                         SPMV_SUCCESS);
            B = converted(&A, format, "empty");
            assert_round_trip(&B, "empty");
            spmv_destroy(&A);
            spmv_destroy(&B);
        }
    }
}

/* ---- Lack of memory ------------------------------------------------------------------------- */

/* The linker sends every calloc of the library here; number allocations_left + 1 fails. */
static int allocations_left = -1;
void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);

void *__wrap_calloc(size_t count, size_t size)
{
    if (allocations_left == 0) return NULL;
    if (allocations_left > 0) allocations_left--;
    return __real_calloc(count, size);
}

static int files_in_folder(void)
{
    int count = 0;
    DIR *dir = opendir(folder);
    cr_assert_not_null(dir);
    for (const struct dirent *e = readdir(dir); e != NULL; e = readdir(dir))
        count += e->d_name[0] != '.' || strlen(e->d_name) > 2;
    closedir(dir);
    return count;
}

/* Write A with ever more memory until it succeeds; returns how often it did not. */
static int write_failures(const spmv_matrix *A)
{
    spmv_error err;
    spmv_status st = SPMV_ERROR_OUT_OF_MEMORY;
    int failures = -1;
    while (st != SPMV_SUCCESS) {
        cr_assert_eq(files_in_folder(), 0);
        allocations_left = ++failures;
        st = spmv_write_binary(A, file, NULL, &err);
        allocations_left = -1;
        cr_assert(st == SPMV_SUCCESS || st == SPMV_ERROR_OUT_OF_MEMORY, "%s", err.message);
    }
    return failures;
}

static int read_failures(void)
{
    const spmv_read_options drop = {.drop_zeros = true};
    spmv_error err;
    spmv_matrix A;
    spmv_status st = SPMV_ERROR_OUT_OF_MEMORY;
    int failures = -1;
    while (st != SPMV_SUCCESS) {
        allocations_left = ++failures;
        st = spmv_read(&A, file, &drop, NULL, &err);
        allocations_left = -1;
        cr_assert(st == SPMV_SUCCESS || st == SPMV_ERROR_OUT_OF_MEMORY, "%s", err.message);
        cr_assert(st == SPMV_SUCCESS || A.head.storage == NULL);
    }
    spmv_destroy(&A);
    return failures;
}

Test(binary_property, every_allocation_may_fail)
{
    for (spmv_format format = 0; format < SPMV_FORMATS; format++) {
        test_sample s = test_sample_make(3, SPMV_F64, 1000);
        spmv_matrix A = converted(&s.A, format, s.label);
        cr_assert_geq(write_failures(&A), 2, "%s", s.label);
        cr_assert_geq(read_failures(), 4, "%s", s.label);
        unlink(file);
        spmv_destroy(&A);
        spmv_destroy(&s.A);
    }
}
