/* image.h -- a square matrix and its image across the diagonal. */
#pragma once

#include "core/base/meter.h"

/* Rows of a square matrix, and the same rows of its transpose: columns ascend in both. */
typedef struct spmv__mirrored_rows {
    const spmv_csr *A, *T;
    int64_t first; /* row of the whole matrix */
} spmv__mirrored_rows;

/* Returns whether they are those of a symmetric matrix; NaN equals NaN. */
bool spmv__rows_are_symmetric(const spmv__mirrored_rows *rows);

/* out = A, and off the diagonal T with the signs of `image`, added where both have an entry.  The
 * meter goes through a stage of "expanding".  Errors: OUT_OF_MEMORY.  Time O(nnz + rows). */
spmv_status spmv__add_rows(spmv_csr *out, const spmv__mirrored_rows *rows, spmv_symmetry image,
                           spmv__meter *meter, spmv_error *err);

/* out = A and its image, whole, in the format of A: of a triangle what that stands for, of a
 * general matrix the sum with its transpose but for the diagonal, or a copy where it is symmetric.
 * Errors: those of spmv_convert.  Time O(nnz + rows), COO with few entries O(nnz). */
spmv_status spmv__add_image(spmv_matrix *out, const spmv_matrix *A,
                            const spmv_convert_options *build, spmv_error *err);
