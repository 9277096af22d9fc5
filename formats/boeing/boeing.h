/* boeing.h -- Rutherford-Boeing files, and those of Harwell-Boeing from which they come.
 *
 * Specifications: I. S. Duff, R. G. Grimes, J. G. Lewis, "The Rutherford-Boeing Sparse Matrix
 * Collection", RAL-TR-97-031, 1997; "Users' Guide for the Harwell-Boeing Sparse Matrix Collection
 * (Release I)", 1992.  A header of four lines (five where right-hand sides follow) says type, sizes
 * and the formats in Fortran of three arrays: where the columns begin, rows, values.  Indices count
 * from 1; of a matrix with a symmetry the lower triangle is there. */
#pragma once

#include "formats/boeing/fortran.h"
#include "formats/stream/sink.h"

typedef enum spmv__boeing_part {
    SPMV__BOEING_POINTERS,
    SPMV__BOEING_ROWS,
    SPMV__BOEING_VALUES,
    SPMV__BOEING_PARTS
} spmv__boeing_part;

typedef struct spmv__boeing_header {
    char field; /* r real, c complex, i integer, p pattern */
    spmv_symmetry symmetry;
    int64_t rows, cols, nnz;
    spmv__fortran_format formats[SPMV__BOEING_PARTS]; /* the last is not there for a pattern */
    bool vectors;                                     /* right-hand sides follow the matrix */
} spmv__boeing_header;

/* Read the lines of the header. */
bool spmv__boeing_read_header(spmv__text *text, spmv__boeing_header *header);

/* Whether a content begins with such a header, whether or not such a matrix is supported. */
bool spmv__boeing_recognise(const unsigned char *data, int64_t size);

spmv_status spmv__boeing_write(const spmv_matrix *A, const char *path,
                               const spmv_write_options *options, spmv_error *err);
