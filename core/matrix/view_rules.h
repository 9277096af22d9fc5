/* view_rules.h -- what arrays of the caller have to be, on the host and on a GPU. */
#pragma once

#include "core/base/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Check all but what the arrays hold: see spmv_csr_view_check. */
spmv_status spmv__view_head_check(const spmv_csr_view *A, spmv_error *err);

/* INVALID_FORMAT, unless row_ptr begins and ends with what was found there. */
spmv_status spmv__view_ends_check(const spmv_csr_view *A, int64_t first, int64_t last,
                                  spmv_error *err);

/* INVALID_FORMAT: row_ptr falls from row_ptr[r - 1] to row_ptr[r]; col_idx[p] is outside. */
spmv_status spmv__view_falls(int64_t r, int64_t before, int64_t found, spmv_error *err);
spmv_status spmv__view_outside(const spmv_csr_view *A, int64_t p, int64_t found, spmv_error *err);

#ifdef __cplusplus
}
#endif
