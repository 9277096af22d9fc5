/* convert.h -- conversions for those who do more than convert. */
#pragma once

#include "core/base/base.h"

/* spmv_convert for those who do more than that: progress is told of `stage`. */
spmv_status spmv__convert(spmv_matrix *out, const spmv_matrix *A, spmv_format format,
                          const spmv_convert_options *build, const char *stage, spmv_error *err);

/* out = A in another format; A is left empty.  Its arrays move when the format is the same. */
spmv_status spmv__convert_move(spmv_matrix *out, spmv_matrix *A, spmv_format format,
                               const spmv_convert_options *build, spmv_error *err);

/* Bytes that converting A takes at one time, beside A, as far as its head tells: CSR on the way,
 * the result where its size follows from the head, and places of rows or columns.  INT64_MAX when
 * no int64_t holds them. */
int64_t spmv__convert_bytes(const spmv_matrix *A, spmv_format format,
                            const spmv_convert_options *build);

/* INVALID_ARGUMENT where a width, slice, window, block or limit is not possible. */
spmv_status spmv__check_layout(const spmv_convert_options *build, spmv_error *err);

/* Whether a conversion copies: the format is the same, and leaves no choice or `build` makes none.
 */
bool spmv__is_copy(const spmv_matrix *A, spmv_format format, const spmv_convert_options *build);

/* The part of a complex number that is asked for; not for SPMV_COMPLEX_KEEP. */
double spmv__complex_part(spmv_complex_part part, spmv_scalar value);
