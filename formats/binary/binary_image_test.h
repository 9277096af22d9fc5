/* binary_image_test.h -- for tests: binary files in memory, to be damaged and read. */
#pragma once

#include "formats/common/file_format.h"
#include "formats/binary/reseal_test.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* The worked example in the format of the same name, as spmv-formats(5) has it. */
static const char *const golden[SPMV_FORMATS] = {
#define X(id, name, meaning) [id] = SPMV_TESTDATA "/good/worked." #name,
    SPMV_FORMAT_TABLE(X)
#undef X
};

/* A file; the allocation has exactly its size, so that a sanitizer sees a read beyond it. */
typedef struct image {
    unsigned char *data;
    int64_t size;
    char name[128]; /* for messages */
} image;

static inline image image_new(int64_t size)
{
    image im = {.size = size};
    cr_assert_eq(posix_memalign((void **)(void *)&im.data, 64, size > 0 ? (size_t)size : 1), 0);
    return im;
}

/* The first `size` bytes of another. */
static inline image image_head(const image *from, int64_t size)
{
    image im = image_new(size);
    memcpy(im.data, from->data, (size_t)size);
    memcpy(im.name, from->name, sizeof im.name);
    return im;
}

static inline image image_load(const char *path)
{
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file, "%s cannot be read", path);
    cr_assert_eq(fseek(file, 0, SEEK_END), 0);
    image im = image_new(ftell(file));
    snprintf(im.name, sizeof im.name, "%s", path);
    rewind(file);
    cr_assert_eq(fread(im.data, 1, (size_t)im.size, file), (size_t)im.size);
    fclose(file);
    return im;
}

static inline uint64_t image_get(const image *im, int64_t offset, int width)
{
    uint64_t value = 0;
    memcpy(&value, im->data + offset, (size_t)width);
    return value;
}

static inline void image_put(image *im, int64_t offset, int width, uint64_t value)
{
    memcpy(im->data + offset, &value, (size_t)width);
}

/* Read the image, which stays the caller's and must outlive the matrix. */
static inline spmv_status image_read(const image *im, bool trust, spmv_matrix *out, spmv_error *err)
{
    const spmv_read_options options = {.trust = trust, .keep_symmetry = true};
    spmv__source src = {.data = im->data, .size = im->size, .storage = SPMV_BORROWED};
    spmv_file_info info = {0};
    memcpy(src.name, im->name, sizeof im->name);
    memset(out, 0, sizeof *out);
    memset(err, 0, sizeof *err);
    return spmv__binary_file.read(out, &src, &options, &info, err);
}

/* Which checksums to make right after a change. */
typedef enum refresh { AS_IS, SEAL, ALL } refresh;

static inline void refresh_sums(image *im, refresh what)
{
    if (what == ALL) reseal_sections(im->data, im->size);
    if (what >= SEAL) reseal_header(im->data, im->size);
}

/* Every byte that an array of a matrix claims lies inside the file. */
static inline void assert_inside(const spmv_matrix *A, const image *im)
{
    const spmv__format *format = spmv__format_of(A->format);
    for (int i = 0; i < format->array_count; i++) {
        const unsigned char *begin = spmv__array_data(A, &format->arrays[i]);
        int64_t bytes = spmv__array_bytes(A, &format->arrays[i]);
        if (begin == NULL) continue;
        cr_assert(begin >= im->data && bytes >= 0 && bytes <= im->data + im->size - begin, "%s",
                  im->name);
    }
}

/* Read, look at what came, and let it go.  No damage may cost memory. */
static inline spmv_status try_read(const image *im, bool trust, spmv_error *err)
{
    spmv_matrix A;
    spmv_status st = image_read(im, trust, &A, err);
    if (st == SPMV_SUCCESS) {
        assert_inside(&A, im);
        cr_assert(trust || spmv_check(&A, NULL) == SPMV_SUCCESS, "%s", im->name);
    } else {
        cr_assert_str_neq(err->message, "", "%s", im->name);
        cr_assert_str_eq(err->file, im->name);
        cr_assert_null(A.head.storage, "%s", im->name);
    }
    spmv_destroy(&A);
    return st;
}

/* Sanitizers reserve terabytes of addresses; elsewhere 1 GB is far more than these files need. */
static inline void limit_memory(void)
{
#ifndef __SANITIZE_ADDRESS__
    const struct rlimit limit = {1 << 30, 1 << 30};
    cr_assert_eq(setrlimit(RLIMIT_AS, &limit), 0);
#endif
}
