/* npz_damage_test.c -- archives and arrays that are cut off or changed at any byte give an error,
 * or what was in them. */
#include "formats/common/file_format.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct npz_image {
    unsigned char *data; /* of exactly that size, so that a sanitizer sees a read beyond it */
    int64_t size;
} npz_image;

static npz_image copy(const npz_image *from, int64_t size)
{
    npz_image im = {malloc(size > 0 ? (size_t)size : 1), size};
    cr_assert_not_null(im.data);
    if (size > 0) memcpy(im.data, from->data, (size_t)size);
    return im;
}

static npz_image load(const char *name)
{
    static unsigned char bytes[1 << 14];
    char path[512];
    snprintf(path, sizeof path, SPMV_TESTDATA "/npz/%s", name);
    FILE *f = fopen(path, "rb");
    cr_assert_not_null(f, "%s", path);
    const npz_image im = {bytes, (int64_t)fread(bytes, 1, sizeof bytes, f)};
    fclose(f);
    return copy(&im, im.size);
}

static spmv_status read_image(const npz_image *im, const spmv__file_format *format, spmv_matrix *A,
                              spmv_error *err)
{
    static const spmv_read_options defaults = {0};
    spmv_file_info info = {0};
    spmv__source src = {.name = "image", .data = im->data, .size = im->size};
    memset(A, 0, sizeof *A);
    memset(err, 0, sizeof *err);
    return format->read(A, &src, &defaults, &info, err);
}

/* Whatever the bytes are: a message, or a matrix without a fault. */
static spmv_status try_read(const npz_image *im, const spmv__file_format *format, spmv_matrix *A)
{
    spmv_error err;
    const spmv_status st = read_image(im, format, A, &err);
    if (st == SPMV_SUCCESS)
        cr_assert_eq(spmv_check(A, &err), SPMV_SUCCESS, "%s", err.message);
    else
        cr_assert_str_not_empty(err.message);
    return st;
}

static const char *const archives[] = {"csr.npz", "csr_stored.npz", "coo.npz", "single.npz"};
static const char *const arrays[] = {"dense.npy", "dense_fortran.npy", "dense_integer.npy",
                                     "version_2.npy"};

static void cut(const char *name, const spmv__file_format *format)
{
    npz_image whole = load(name);
    for (int64_t size = 0; size < whole.size; size++) {
        npz_image im = copy(&whole, size);
        spmv_matrix A;
        cr_assert_neq(try_read(&im, format, &A), SPMV_SUCCESS, "%s cut to %lld bytes", name,
                      (long long)size);
        free(im.data);
    }
    free(whole.data);
}

Test(npz_damage, cut_off)
{
    for (int i = 0; i < 4; i++) cut(archives[i], &spmv__npz_file);
    for (int i = 0; i < 4; i++) cut(arrays[i], &spmv__npy_file);
}

/* Every byte in several ways; `sealed`: a checksum watches over the contents. */
static void change(const char *name, const spmv__file_format *format, bool sealed)
{
    static const unsigned char masks[] = {0x01, 0x80, 0xff, 0x10};
    npz_image im = load(name);
    spmv_matrix expected, A;
    cr_assert_eq(try_read(&im, format, &expected), SPMV_SUCCESS, "%s", name);
    for (int64_t at = 0; at < im.size; at++)
        for (size_t m = 0; m < sizeof masks; m++) {
            im.data[at] ^= masks[m];
            if (try_read(&im, format, &A) == SPMV_SUCCESS) {
                cr_assert(!sealed || spmv_identical(&A, &expected), "%s, byte %lld ^ %02x", name,
                          (long long)at, masks[m]);
                spmv_destroy(&A);
            }
            im.data[at] ^= masks[m];
        }
    spmv_destroy(&expected);
    free(im.data);
}

Test(npz_damage, changed_bytes)
{
    for (int i = 0; i < 4; i++) change(archives[i], &spmv__npz_file, true);
    for (int i = 0; i < 4; i++) change(arrays[i], &spmv__npy_file, false);
}

/* Any four bytes as any number of 32 bits, of which the extreme ones do the most harm. */
Test(npz_damage, changed_words)
{
    static const uint32_t words[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff};
    for (int i = 0; i < 4; i++) {
        npz_image im = load(archives[i]);
        for (int64_t at = 0; at + 4 <= im.size; at++)
            for (size_t w = 0; w < sizeof words / sizeof words[0]; w++) {
                unsigned char kept[4];
                spmv_matrix A;
                memcpy(kept, im.data + at, 4);
                memcpy(im.data + at, &words[w], 4);
                if (try_read(&im, &spmv__npz_file, &A) == SPMV_SUCCESS) spmv_destroy(&A);
                memcpy(im.data + at, kept, 4);
            }
        free(im.data);
    }
}
