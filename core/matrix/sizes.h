/* sizes.h -- what formats and conversions take, before they are made. */
#ifndef SPMV_CORE_MATRIX_SIZES_H
#define SPMV_CORE_MATRIX_SIZES_H

#include "spmv.h"

/* So many more rows than entries that a pointer for each row takes most of the memory: work is in
 * the space of the entries then. */
static inline bool spmv__is_hypersparse(int64_t rows, int64_t entries)
{
    return rows / 8 > entries;
}

/* Bytes that converting A takes at one time, beside A, as far as its head tells: CSR on the way,
 * the result where its size follows from the head, and places of rows or columns.  INT64_MAX when
 * no int64_t holds them. */
int64_t spmv__convert_bytes(const spmv_matrix *A, spmv_format format);

/* Slots per nonzero at most, unless there are few slots. */
double spmv__fill_limit(const spmv_convert_options *build);

/* UNSUPPORTED when so many slots for nnz entries exceed the fill limit; `what` has them. */
spmv_status spmv__check_fill(int64_t nnz, double slots, const char *what,
                             const spmv_convert_options *build, spmv_error *err);

#endif
