/* binsparse.h -- matrices of the Binary Sparse Format, in HDF5.
 *
 * Specification: "Binary Sparse Format Specification", version 0.1, binsparse.org.  An attribute
 * `binsparse` of the file holds a descriptor in JSON, which names format, shape and types; the
 * arrays are data sets beside it. */
#pragma once

#include "formats/stream/input.h"
#include "formats/stream/sink.h"

/* ---- The descriptor ------------------------------------------------------------------------- */

/* A format, and what it calls the arrays that ours has, in the order of its record. */
enum { SPMV__BINSPARSE_ARRAYS = 3, SPMV__BINSPARSE_LAYOUTS = 7 };
typedef struct spmv__binsparse_layout {
    const char *name; /* "CSR" */
    spmv_format format;
    const char *arrays[SPMV__BINSPARSE_ARRAYS];
    bool by_column; /* coordinates are sorted so */
    /* Where it is not NULL: one of the arrays has each number once for all entries of a group of
     * neighbours, and this one where the groups begin and the last ends. */
    const char *pointers;
    int grouped; /* which of the arrays */
} spmv__binsparse_layout;

extern const spmv__binsparse_layout spmv__binsparse_layouts[SPMV__BINSPARSE_LAYOUTS];

/* The type of an array: "iso[complex[float64]]". */
typedef struct spmv__binsparse_type {
    char kind;    /* i integer, u unsigned, b byte that is 0 or 1, f real */
    int size;     /* bytes of a number */
    bool iso;     /* one element stands for all */
    bool complex; /* an element is two numbers */
} spmv__binsparse_type;

typedef struct spmv__binsparse {
    const spmv__binsparse_layout *layout;
    spmv_symmetry symmetry;
    int64_t rows, cols, nnz;
    spmv__binsparse_type types[SPMV__BINSPARSE_ARRAYS];
    spmv__binsparse_type pointers; /* where the layout has them */
} spmv__binsparse;

/* Errors: INVALID_FORMAT, UNSUPPORTED (version, format, type, structure, fill value). */
spmv_status spmv__binsparse_parse(spmv__binsparse *out, const char *text, const spmv__source *src,
                                  spmv_error *err);

enum { SPMV__BINSPARSE_FORMATTED = 1 << 10 }; /* bytes that a descriptor needs at most */
void spmv__binsparse_format(char out[SPMV__BINSPARSE_FORMATTED], const spmv__binsparse *d);

/* ---- HDF5 ----------------------------------------------------------------------------------- */

/* A file in memory: one that is read, whose bytes stay in the source, or a new one. */
typedef struct spmv__hdf5 spmv__hdf5;
spmv_status spmv__hdf5_open(spmv__hdf5 **out, const spmv__source *src, spmv_error *err);
spmv_status spmv__hdf5_create(spmv__hdf5 **out, spmv_error *err);
void spmv__hdf5_close(spmv__hdf5 *file); /* NULL is allowed */

/* The attribute `name` of the file; *text is the caller's to free.  Errors: INVALID_FORMAT (not
 * there, no text, damaged), OUT_OF_MEMORY. */
spmv_status spmv__hdf5_get_text(spmv__hdf5 *file, const char *name, char **text, spmv_error *err);
spmv_status spmv__hdf5_put_text(spmv__hdf5 *file, const char *name, const char *text,
                                spmv_error *err);

/* The number of numbers in an array.  Errors: INVALID_FORMAT (not there, not of one dimension). */
spmv_status spmv__hdf5_count(spmv__hdf5 *file, const char *name, int64_t *count, spmv_error *err);

/* Is there an array of `count` numbers of that type, no more than the file can hold?
 * Errors: INVALID_FORMAT (also: stored in another file, or in a way of its own). */
spmv_status spmv__hdf5_find(spmv__hdf5 *file, const char *name, spmv__binsparse_type type,
                            int64_t count, spmv_error *err);

/* Copy an array that was found, or all `count` numbers of a new one; in memory they have the type
 * given.  An integer beyond the range of that type becomes the end of the range. */
spmv_status spmv__hdf5_get(spmv__hdf5 *file, const char *name, spmv__binsparse_type type, void *out,
                           spmv_error *err);
spmv_status spmv__hdf5_put(spmv__hdf5 *file, const char *name, spmv__binsparse_type type,
                           int64_t count, const void *data, spmv_error *err);

/* Write all bytes of a new file. */
spmv_status spmv__hdf5_write(spmv__hdf5 *file, spmv__sink *sink, spmv_error *err);

/* ---- The file format ------------------------------------------------------------------------ */

spmv_status spmv__binsparse_read(spmv_matrix *out, spmv__source *src,
                                 const spmv_read_options *options, spmv_file_info *info,
                                 spmv_error *err);
spmv_status spmv__binsparse_write(const spmv_matrix *A, const char *path,
                                  const spmv_write_options *options, spmv_error *err);
