/* coo_sort.h -- sorting for those whom somebody waits for. */
#ifndef SPMV_COO_SORT_H
#define SPMV_COO_SORT_H

#include "internal.h"

/* spmv_coo_sort of a matrix that is in order itself; progress, where it is not NULL, is told of
 * "sorting" in bytes moved. */
spmv_status spmv__coo_sort(spmv_coo *A, spmv_duplicates duplicates, int64_t *merged,
                           spmv_progress_callback *progress, void *user, spmv_error *err);

#endif
