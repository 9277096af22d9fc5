/* ell.h -- ELL, also as a part of HYB; and the limit of padding, for all formats that pad. */
#pragma once

#include "core/matrix/format.h"
#include "core/base/meter.h"

void spmv__ell_clear(spmv_ell *A); /* make everything padding */
/* Set the values of n slots to 0 where the column is -1. */
void spmv__clear_padding(spmv_type type, const int32_t *col_idx, void *val, int64_t n);
/* The first out->width entries of each row. */
void spmv__ell_fill(spmv_ell *out, const spmv_csr *A, spmv__meter *meter);
void spmv__ell_each(const spmv_ell *A, spmv__visit visit, void *user);
bool spmv__ell_find(const spmv_ell *A, int64_t row, int64_t col, spmv_scalar *value);
spmv_status spmv__ell_check(const spmv_matrix *whole, const spmv_ell *A, spmv_error *err);

/* Slots per nonzero at most, unless there are few slots and none were asked for. */
double spmv__fill_limit(const spmv_convert_options *build);

/* UNSUPPORTED when `slots` slots for nnz entries exceed the fill limit; `what` has them. */
spmv_status spmv__check_fill(int64_t nnz, double slots, const char *what,
                             const spmv_convert_options *build, spmv_error *err);

/* spmv__check_fill of HYB whose ELL part has that width. */
spmv_status spmv__hyb_check_fill(const spmv_csr *A, int64_t width,
                                 const spmv_convert_options *build, spmv_error *err);
