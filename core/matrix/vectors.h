/* vectors.h -- dense vectors: where their elements lie, and whether two may be multiplied. */
#pragma once

#include "core/base/base.h"

/* The leading dimension, also of packed vectors. */
static inline int64_t spmv__ld(const spmv_dense *x)
{
    return x->ld != 0 ? x->ld : x->by_rows ? x->cols : x->rows;
}

/* Do elements lie row by row?  A single vector that is packed is the same either way, and taken as
 * a column. */
static inline bool spmv__by_rows(const spmv_dense *x)
{
    return x->by_rows && (x->cols > 1 || (x->cols == 1 && x->ld > 1));
}

/* From an element to that of the next row, of vectors by rows and of single ones. */
static inline int64_t spmv__row_step(const spmv_dense *x)
{
    return spmv__by_rows(x) ? spmv__ld(x) : 1;
}

/* Is there nothing between the elements? */
static inline bool spmv__is_packed(const spmv_dense *x)
{
    if (spmv__by_rows(x)) return x->rows < 2 || spmv__ld(x) == x->cols;
    return x->cols < 2 || spmv__ld(x) == x->rows;
}

/* Column c, of vectors by columns. */
static inline void *spmv__column_of(const spmv_dense *x, int64_t c)
{
    return (char *)x->data + c * spmv__ld(x) * (int64_t)spmv_type_size(x->type);
}

/* Check shape, leading dimension and data, with x called `what`.
 * Errors: INVALID_DIMENSION, INVALID_ARGUMENT. */
spmv_status spmv__check_vectors(const spmv_dense *x, const char *what, spmv_error *err);

/* Check all that y = alpha A x + beta y asks of its arguments but for where they are.
 * Errors: INVALID_DIMENSION, INVALID_ARGUMENT. */
spmv_status spmv__check_product(spmv_type type, int64_t rows, int64_t cols, spmv_scalar alpha,
                                const spmv_dense *x, spmv_scalar beta, const spmv_dense *y,
                                spmv_error *err);
