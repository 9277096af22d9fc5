/* device_memory.h -- where memory of a GPU comes from. */
#pragma once

#include "cuda/gpu/lender.h"

/* Let the pool of the current device keep what is released, or give that back. */
void spmv__gpu_keep_released(void);
void spmv__gpu_give_back_released(void);

/* Completes a lender whose allocator is empty: the pool of the current device, in the order of its
 * stream. */
void spmv__gpu_lend_from_pool(spmv__lender *lender);

/* Memory that comes from no pool, so that other GPUs can reach it; bytes > 0.  CUDA_MALLOC. */
spmv_status spmv__gpu_alloc_apart(void **out, int64_t bytes, const char *what, spmv_error *err);
