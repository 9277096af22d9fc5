/* own_indices.h -- indices out of a mapped file. */
#pragma once

#include "spmv.h"

/* Copy the indices of A that lie in a mapped file to memory of their own: those that lead to where
 * a product writes, or all.  They are not checked.  A->head.storage, not NULL, is replaced by one
 * that owns it.  Errors: OUT_OF_MEMORY (A is as before). */
spmv_status spmv__own_indices(spmv_matrix *A, bool all, spmv_error *err);
