/* ell.h -- ELL, also as a part of HYB. */
#ifndef SPMV_CORE_MATRIX_ELL_H
#define SPMV_CORE_MATRIX_ELL_H

#include "core/matrix/format.h"
#include "core/base/meter.h"
#include "core/matrix/sizes.h"

void spmv__ell_clear(spmv_ell *A); /* make everything padding */
/* The first out->width entries of each row. */
void spmv__ell_fill(spmv_ell *out, const spmv_csr *A, spmv__meter *meter);
void spmv__ell_each(const spmv_ell *A, spmv__visit visit, void *user);
spmv_scalar spmv__ell_get(const spmv_ell *A, int64_t row, int64_t col);
spmv_status spmv__ell_check(const spmv_matrix *whole, const spmv_ell *A, spmv_error *err);

/* spmv__check_fill of that width. */
spmv_status spmv__ell_check_fill(const spmv_csr *A, int64_t width,
                                 const spmv_convert_options *build, spmv_error *err);

#endif
