/* io.h -- bytes in and out, and the record of a file format. */
#ifndef SPMV_FORMATS_IO_H
#define SPMV_FORMATS_IO_H

#include "../core/internal.h"

/* ---- Bytes in ------------------------------------------------------------------------------- */

/* The whole input as one read-only piece of memory: a mapped file, or what a pipe delivered.
 * Released when the last of the source and the matrices that live in it is gone. */
typedef struct spmv__source {
    char name[256];            /* as the user wrote it; "<stdin>" for "-" */
    const unsigned char *data; /* [size]; not NUL-terminated; aligned as malloc aligns, or better */
    int64_t size;
    spmv_storage *storage; /* owns data; hand it to a matrix by setting it to NULL here */
} spmv__source;

spmv_status spmv__source_open(spmv__source *src, const char *path, spmv_error *err);
void spmv__source_close(spmv__source *src);

/* Fill *err with a place in the source; returns status. */
spmv_status spmv__source_fail(const spmv__source *src, spmv_error *err, spmv_status status,
                              int64_t line, int64_t column, const char *format, ...)
    SPMV__PRINTF(6, 7);

/* ---- Bytes out ------------------------------------------------------------------------------ */

/* Buffered output that appears under its name whole or not at all: a temporary file beside it
 * until spmv__sink_commit syncs and renames it.  "-" is standard output.  The first failure is
 * kept and reported by commit, so that writes need not be checked one by one. */
typedef struct spmv__sink spmv__sink;

spmv_status spmv__sink_open(spmv__sink **out, const char *path, bool overwrite, spmv_error *err);
void spmv__sink_write(spmv__sink *sink, const void *data, size_t size);
void spmv__sink_printf(spmv__sink *sink, const char *format, ...) SPMV__PRINTF(2, 3);
spmv_status spmv__sink_commit(spmv__sink *sink, spmv_error *err); /* releases it in any case */
void spmv__sink_discard(spmv__sink *sink);                        /* NULL is allowed */

/* ---- Numbers -------------------------------------------------------------------------------- */

enum { SPMV__NUMBER_SIZE = 40 }; /* bytes that spmv__format_number needs at most */

/* Read a decimal number at the start of [p, end): sign, digits, fraction, exponent (E or Fortran
 * D), inf, nan, hexadecimal.  Correctly rounded, independent of the locale.
 * Returns the end of what was read, or NULL when there is no number. */
const char *spmv__parse_number(const char *p, const char *end, double *value);

/* Shortest text that reads back to the same bits as a value of the given type (no terminator);
 * returns its length. */
int spmv__format_number(char *out, double value, spmv_type type);

/* ---- The record of a file format ------------------------------------------------------------ */

/* One record a file, one line in the table of formats/formats.c. */
typedef struct spmv__file_format {
    spmv_file_format info;
    bool (*recognise)(const unsigned char *data, int64_t size); /* by content */
    /* NULL: the format is not read.  May take src->storage for the matrix. */
    spmv_status (*read)(spmv_matrix *out, spmv__source *src, const spmv_read_options *options,
                        spmv_file_info *info, spmv_error *err);
} spmv__file_format;

extern const spmv__file_format spmv__mtx_file, spmv__binary_file;

/* Report a remark on the input: calls options->warn, or fails when options->strict is set. */
spmv_status spmv__warn(const spmv__source *src, const spmv_read_options *options, int64_t line,
                       int64_t column, spmv_error *err, const char *format, ...) SPMV__PRINTF(6, 7);

#endif
