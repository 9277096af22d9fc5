/* matlab.h -- sparse matrices in MATLAB's files, by the library matio.
 *
 * Version 5 of the files is one of its own, and version 7.3 is HDF5.  matio opens files by their
 * names, so that what is read comes to it as a file in memory, and what is written goes there.
 * Nothing that it tells of a file is believed before it was checked.
 *
 * matio 1.5.23, which Debian 12 has, itself takes memory without end for some damaged files, and
 * reads where it has none; so a file is handed to it only when the user says what it is, and never
 * because of its content. */
#pragma once

#include "formats/stream/input.h"
#include "formats/stream/sink.h"

/* ---- matio ---------------------------------------------------------------------------------- */

/* The variables of a file. */
typedef struct spmv__matlab spmv__matlab;
spmv_status spmv__matlab_open(spmv__matlab **out, const spmv__source *src, spmv_error *err);
void spmv__matlab_close(spmv__matlab *file); /* NULL is allowed */

enum { SPMV__MATLAB_NAME = 136 }; /* bytes of NAME.FIELD with its terminator; names have 63 */

/* Each variable, and each field of a structure that is one element, as NAME.FIELD. */
typedef void spmv__matlab_visit(void *user, const char *name, bool sparse);
void spmv__matlab_each(const spmv__matlab *file, spmv__matlab_visit *visit, void *user);

/* The arrays of a sparse variable, which live until the file is closed.  Dimensions are those of
 * the file; counts are the lengths of the arrays, and nothing else is known of what they hold. */
typedef struct spmv__matlab_sparse {
    uint64_t rows, cols;
    int64_t row_count, col_count, value_count;
    const uint32_t *row_idx, *col_ptr; /* from 0 */
    const void *re, *im;               /* im is NULL where the values are real */
    char kind;                         /* f real, i integer, u unsigned */
    int size;                          /* bytes of a number */
    bool logical;
} spmv__matlab_sparse;

/* Whether the elements of a file of version 5, which has a header, are all there.  Errors:
 * INVALID_FORMAT, OUT_OF_MEMORY. */
spmv_status spmv__matlab_check(const spmv__source *src, spmv_error *err);

/* Read a sparse variable by a name that spmv__matlab_each has given.  Errors: INVALID_FORMAT,
 * UNSUPPORTED (type of values). */
spmv_status spmv__matlab_get(spmv__matlab *file, const char *name, spmv__matlab_sparse *out,
                             spmv_error *err);

/* Write a file of version 5 that holds one sparse variable; its arrays are only read.  A logical
 * one has bytes for values. */
spmv_status spmv__matlab_put(const char *name, const spmv__matlab_sparse *A, spmv__sink *sink,
                             spmv_error *err);

/* ---- The file format ------------------------------------------------------------------------ */

spmv_status spmv__matlab_write(const spmv_matrix *A, const char *path,
                               const spmv_write_options *options, spmv_error *err);
