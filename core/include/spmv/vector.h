/* spmv/vector.h -- dense vectors; a chapter of spmv.h, which has the conventions. */
#ifndef SPMV_VECTOR_H
#define SPMV_VECTOR_H

#include "spmv/matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One or several dense vectors: [rows x cols].  Element (r, c) is number c * ld + r of data, or
 * number r * ld + c when they are stored by rows, the elements that one row of a matrix takes side
 * by side.
 *
 * The leading dimension ld is 0 where nothing lies between them: it then counts as `rows`, or by
 * rows as `cols`, and a single vector is the same either way.  More than that leaves gaps, which
 * are neither read nor written.  So a vector stored by rows with ld = 3 is every third number of
 * data. */
typedef struct spmv_dense {
    spmv_type type; /* not SPMV_PATTERN */
    int64_t rows, cols;
    void *data;
    bool on_gpu;           /* data is device memory */
    bool by_rows;          /* of several vectors the elements of a row lie side by side */
    spmv_storage *storage; /* owns data; NULL: data was allocated with malloc */
    int64_t ld;            /* from one vector to the next, or by rows from row to row; 0: packed */
} spmv_dense;

/* The number of element (r, c) in data.  In the library, too, for callers who do not compile C. */
inline int64_t spmv_dense_index(const spmv_dense *x, int64_t r, int64_t c)
{
    if (x->by_rows) return r * (x->ld != 0 ? x->ld : x->cols) + c;
    return c * (x->ld != 0 ? x->ld : x->rows) + r;
}

/* Vectors on the host, all zero.  Errors: INVALID_ARGUMENT (a pattern), INVALID_DIMENSION,
 * OUT_OF_MEMORY. */
spmv_status spmv_dense_create(spmv_dense *out, spmv_type type, int64_t rows, int64_t cols,
                              spmv_error *err);
void spmv_dense_destroy(spmv_dense *x); /* wherever it lives */

/* A packed copy of vectors on the host in the order that is asked for.  Errors: INVALID_DIMENSION
 * (a leading dimension that is too small), OUT_OF_MEMORY. */
spmv_status spmv_dense_reorder(spmv_dense *out, const spmv_dense *x, bool by_rows, spmv_error *err);

/* Numbers uniform in [-1, 1) into a vector on the host: number k of packed data follows from the
 * seed and k alone, the same on every machine.  Complex ones have the real parts that real ones
 * would be, and imaginary parts of their own.  Single precision rounds to nearest. */
void spmv_dense_fill_random(spmv_dense *x, uint64_t seed);

#ifdef __cplusplus
}
#endif
#endif
