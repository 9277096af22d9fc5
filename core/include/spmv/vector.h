/* spmv/vector.h -- dense vectors; a chapter of spmv.h, which has the conventions. */
#ifndef SPMV_VECTOR_H
#define SPMV_VECTOR_H

#include "spmv/matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One or several dense vectors: [rows x cols].  Element (r, c) is number c * rows + r of data, or
 * number r * cols + c when they are stored by rows, the elements that one row of a matrix takes
 * side by side; a single vector is the same either way. */
typedef struct spmv_dense {
    spmv_type type; /* not SPMV_PATTERN */
    int64_t rows, cols;
    void *data;
    bool on_gpu;           /* data is device memory */
    bool by_rows;          /* of several vectors the elements of a row lie side by side */
    spmv_storage *storage; /* owns data; NULL: data was allocated with malloc */
} spmv_dense;

/* The number of element (r, c) in data. */
static inline int64_t spmv_dense_index(const spmv_dense *x, int64_t r, int64_t c)
{
    return x->by_rows ? r * x->cols + c : c * x->rows + r;
}

spmv_status spmv_dense_create(spmv_dense *out, spmv_type type, int64_t rows, int64_t cols,
                              spmv_error *err); /* on the host, all zero */
void spmv_dense_destroy(spmv_dense *x);         /* wherever it lives */

/* A copy of vectors on the host in the order that is asked for.  Errors: OUT_OF_MEMORY. */
spmv_status spmv_dense_reorder(spmv_dense *out, const spmv_dense *x, bool by_rows, spmv_error *err);

/* Numbers uniform in [-1, 1) into a vector on the host: number k of data follows from the seed
 * and k alone, the same on every machine.  Complex ones have the real parts that real ones
 * would be, and imaginary parts of their own.  Single precision rounds to nearest. */
void spmv_dense_fill_random(spmv_dense *x, uint64_t seed);

#ifdef __cplusplus
}
#endif
#endif
