/* coo_sort.h -- sorting that tells its progress. */
#pragma once

#include "core/base/meter.h"

/* spmv_coo_sort of a matrix that is in order itself; the meter goes through a stage of "sorting".
 */
spmv_status spmv__coo_sort(spmv_coo *A, spmv_duplicates duplicates, int64_t *merged,
                           spmv__meter *meter, spmv_error *err);

/* Settle the duplicates of sorted coordinates as spmv_coo_sort does.  Errors: INVALID_FORMAT (there
 * are some under SPMV_DUPLICATES_ERROR), OUT_OF_MEMORY. */
spmv_status spmv__coo_merge(spmv_coo *A, spmv_duplicates duplicates, spmv_error *err);
