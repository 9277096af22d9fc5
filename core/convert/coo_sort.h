/* coo_sort.h -- sorting that tells its progress. */
#pragma once

#include "core/base/meter.h"

/* spmv_coo_sort of a matrix that is in order itself; the meter goes through a stage of "sorting".
 */
spmv_status spmv__coo_sort(spmv_coo *A, spmv_duplicates duplicates, int64_t *merged,
                           spmv__meter *meter, spmv_error *err);
