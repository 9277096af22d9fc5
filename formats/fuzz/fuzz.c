/* fuzz.c -- bytes in the place of a file, and what must hold of whatever was read from them.
 *
 * The linker replaces spmv__source_open by ours (--wrap), so that everything else is the library as
 * it is. */
#include "core/matrix/value.h"
#include "fuzz.h"
#include "formats/mtx/mtx.h"

#include <stdlib.h>

enum { SMALL = 1 << 12 };                     /* sizes that every format is tried with */
enum { LONG = 1 << 20 };                      /* rows of a vector that is too long to try */
static const int64_t HELD = INT64_C(1) << 62; /* sizes that a binary file holds */

/* ---- Bytes as a file ------------------------------------------------------------------------ */

static const uint8_t *file_data;
static size_t file_size;

void fuzz_file(const uint8_t *data, size_t size)
{
    file_data = data;
    file_size = size;
}

typedef struct copy {
    spmv_storage base;
    void *data;
} copy;

static void release_copy(spmv_storage *self)
{
    copy *held = (copy *)self;
    free(held->data);
    free(held);
}

spmv_status __real_spmv__source_open(spmv__source *src, const char *path,
                                     const spmv_read_options *options, spmv_error *err);
spmv_status __wrap_spmv__source_open(spmv__source *src, const char *path,
                                     const spmv_read_options *options, spmv_error *err);

spmv_status __wrap_spmv__source_open(spmv__source *src, const char *path,
                                     const spmv_read_options *options, spmv_error *err)
{
    if (strcmp(path, FUZZ_PATH) != 0) return __real_spmv__source_open(src, path, options, err);
    copy *held = malloc(sizeof *held);
    held->base.release = release_copy;
    FUZZ_PROMISE(posix_memalign(&held->data, 64, file_size > 0 ? file_size : 1) == 0);
    if (file_size > 0) memcpy(held->data, file_data, file_size);
    *src = (spmv__source){.name = FUZZ_PATH, .data = held->data, .storage = &held->base};
    src->size = (int64_t)file_size;
    return SPMV_SUCCESS;
}

spmv_read_options fuzz_options(size_t size)
{
    return (spmv_read_options){.keep_symmetry = size & 1,
                               .drop_zeros = size & 2,
                               .skip_invalid = size & 4,
                               .duplicates = (spmv_duplicates)(size >> 3 & 3),
                               .complex_values = (spmv_complex_part)(size >> 5 & 3)};
}

bool fuzz_is_long_vector(const uint8_t *data, size_t size)
{
    static const spmv_read_options options;
    const spmv__source src = {.name = FUZZ_PATH, .data = data, .size = (int64_t)size};
    spmv__mtx_reader reader;
    return spmv__mtx_open(&reader, &src, &options, NULL) == SPMV_SUCCESS &&
           reader.header.rows >= LONG;
}

/* ---- Promises ------------------------------------------------------------------------------- */

static void expect(spmv_status st)
{
    FUZZ_PROMISE(st == SPMV_SUCCESS);
}

/* A itself in another format; the caller destroys it. */
static spmv_matrix converted(const spmv_matrix *A, spmv_format format)
{
    spmv_matrix B;
    expect(spmv_convert(&B, A, format, NULL, NULL));
    expect(spmv_check(&B, NULL));
    return B;
}

/* From CSR to every format and back; ELL alone may be refused. */
static void try_formats(const spmv_matrix *A)
{
    spmv_matrix csr = converted(A, SPMV_CSR);
    for (spmv_format format = 0; format < SPMV_FORMATS; format++) {
        spmv_matrix B;
        spmv_status st = spmv_convert(&B, &csr, format, NULL, NULL);
        if (st == SPMV_ERROR_UNSUPPORTED && format == SPMV_ELL) continue;
        expect(st);
        expect(spmv_check(&B, NULL));
        spmv_matrix back = converted(&B, SPMV_CSR);
        FUZZ_PROMISE(spmv_identical(&csr, &back));
        spmv_destroy(&back);
        spmv_destroy(&B);
    }
    spmv_destroy(&csr);
}

/* Written to a file and read from it, A is what it was. */
static void try_file(const spmv_matrix *A, const char *path)
{
    const spmv_write_options write = {.overwrite = true};
    const spmv_read_options read = {.keep_symmetry = true};
    spmv_matrix B;
    expect(spmv_write(A, path, &write, NULL));
    expect(spmv_read(&B, path, &read, NULL, NULL));
    spmv_matrix back = converted(&B, A->format); /* text may come in another one */
    FUZZ_PROMISE(spmv_identical(A, &back));
    spmv_destroy(&back);
    spmv_destroy(&B);
}

static bool holds_nan(const spmv_matrix *A)
{
    for (int64_t p = 0; p < A->head.nnz; p++) {
        const spmv_scalar value = spmv__scalar(A->head.type, A->coo.val, p);
        if (value.re != value.re || value.im != value.im) return true;
    }
    return false;
}

/* Text holds coordinates in double precision, and of a NaN no more than that it is one. */
static void try_text(const spmv_matrix *A)
{
    spmv_matrix coo = converted(A, SPMV_COO), wide = {0};
    spmv_type type = A->head.type;
    if (type != SPMV_PATTERN) type = spmv__double_type(type);
    expect(spmv_convert_values(&wide, &coo, type, NULL));
    if (!holds_nan(&wide)) try_file(&wide, "text.mtx");
    spmv_destroy(&wide);
    spmv_destroy(&coo);
}

void fuzz_matrix(const uint8_t *data, size_t size, const spmv_read_options *options)
{
    spmv_matrix A;
    spmv_error err = {0};
    fuzz_file(data, size);
    spmv_status st = spmv_read(&A, FUZZ_PATH, options, NULL, &err);
    if (st != SPMV_SUCCESS) {
        FUZZ_PROMISE(err.message[0] != '\0' && A.head.storage == NULL);
        return;
    }
    expect(spmv_check(&A, NULL));
    if (A.head.rows <= HELD && A.head.cols <= HELD) try_file(&A, "binary.csr");
    if (A.format == SPMV_COO || A.head.rows < SMALL) try_text(&A);
    if (A.head.rows < SMALL && A.head.cols < SMALL && A.head.nnz < SMALL) try_formats(&A);
    spmv_destroy(&A);
}
