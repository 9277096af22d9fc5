/* npy.h -- NumPy's arrays: a header, which is a Python dictionary, and the elements.
 *
 * Specification: NumPy, "numpy.lib.format", versions 1.0 to 3.0, which differ in the size and the
 * character set of the header only. */
#pragma once

#include "formats/stream/input.h"

/* ---- The header ----------------------------------------------------------------------------- */

#define SPMV__NPY_MAGIC "\x93NUMPY"

enum {
    SPMV__NPY_DIMS = 8,         /* at most */
    SPMV__NPY_HEADER = 1 << 16, /* bytes of a header at most; those of plain arrays have 128 */
    SPMV__NPY_ALIGN = 64,       /* the elements begin at a multiple of this */
    SPMV__NPY_FORMATTED = 512   /* bytes that spmv__npy_format needs at most */
};

typedef struct spmv__npy {
    char kind;       /* b bool, i integer, u unsigned, f real, c complex, S bytes, U characters */
    int size;        /* bytes of an element */
    bool big_endian; /* its byte order */
    bool fortran;    /* the first index runs fastest, else the last */
    int dims;
    int64_t shape[SPMV__NPY_DIMS];
    int64_t count; /* of elements: the product of the shape */
} spmv__npy;

/* Read the dictionary text[size].  *message is set to what is wrong with it, a phrase that can
 * follow "the array".  Errors: INVALID_FORMAT, UNSUPPORTED (a type of elements that is none of the
 * above; pickled objects). */
spmv_status spmv__npy_parse(spmv__npy *out, const char *text, int64_t size, char message[128]);

/* The file up to the elements, as NumPy itself writes it; returns its length. */
int64_t spmv__npy_format(char out[SPMV__NPY_FORMATTED], const spmv__npy *head);

/* The header of an array of values of that type (bool for a pattern). */
spmv__npy spmv__npy_of_type(spmv_type type);

/* ---- The elements --------------------------------------------------------------------------- */

/* Convert n elements from[n * head->size], in the byte order of this machine.  Each returns how
 * many could be converted before the first that could not; NULL: the kind is another. */
typedef int64_t spmv__npy_to_i64(const void *from, int64_t n, int64_t *out);
typedef int64_t spmv__npy_to_f64(const void *from, int64_t n, double *out);
spmv__npy_to_i64 *spmv__npy_integers(const spmv__npy *head); /* b, i and u */
spmv__npy_to_f64 *spmv__npy_reals(const spmv__npy *head);    /* b, i, u and f */

/* Exchange the bytes of n elements when they are in the other order. */
void spmv__npy_to_native(const spmv__npy *head, void *elements, int64_t n);

/* ---- Reading -------------------------------------------------------------------------------- */

/* An array that is read from its first byte to its last. */
typedef struct spmv__npy_reader {
    const spmv__source *src; /* for messages */
    const char *name;        /* of the array, for messages: "data.npy" */
    int64_t left;            /* bytes that can still be taken */
    /* The next `size` bytes, at most `left`. */
    spmv_status (*take)(struct spmv__npy_reader *reader, void *out, int64_t size, spmv_error *err);
    void *from; /* what take needs */
    spmv__npy head;
} spmv__npy_reader;

/* Say what is wrong with the array: "NAME sentence". */
spmv_status spmv__npy_fail(const spmv__npy_reader *reader, spmv_error *err, spmv_status status,
                           const char *format, ...) SPMV__PRINTF(4, 5);

/* Read the header; what is left is exactly the elements.
 * Errors: INVALID_FORMAT (also: more or fewer bytes than the shape asks for), UNSUPPORTED. */
spmv_status spmv__npy_begin(spmv__npy_reader *reader, spmv_error *err);

/* Read all elements as integers into out [head.count].  Errors: INVALID_FORMAT (no integers),
 * INVALID_DIMENSION (one is outside the type). */
spmv_status spmv__npy_take_i64(spmv__npy_reader *reader, int64_t *out, spmv_error *err);
spmv_status spmv__npy_take_i32(spmv__npy_reader *reader, int32_t *out, spmv_error *err);

/* The type of values that holds all elements of the array: f32 or c64 for single precision, else
 * f64 or c128.  Errors: UNSUPPORTED (text). */
spmv_status spmv__npy_value_type(const spmv__npy_reader *reader, spmv_type *out, spmv_error *err);

/* Read all elements into out [head.count] of that type, or of the same in double precision.
 * Errors: UNSUPPORTED (an integer that f64 cannot hold, with its place). */
spmv_status spmv__npy_take_values(spmv__npy_reader *reader, spmv_type type, void *out,
                                  spmv_error *err);
