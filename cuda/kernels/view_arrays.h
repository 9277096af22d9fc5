/* view_arrays.h -- arrays of indices on the GPU as others hold them. */
#pragma once

#include "cuda/gpu/gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Such an array: [n] integers of 32 or 64 bits that count from the base, 0 or 1. */
typedef struct spmv__gpu_indices {
    const void *data;
    int64_t n;
    int bits, base;
} spmv__gpu_indices;

/* Enqueue to = from, counting from 0, in integers of so many bits.  KERNEL_LAUNCH. */
spmv_status spmv__gpu_indices_copy(spmv__gpu *gpu, void *to, int bits,
                                   const spmv__gpu_indices *from, spmv_error *err);

/* *value = element i.  CUDA_MEMCPY. */
spmv_status spmv__gpu_indices_get(spmv__gpu *gpu, const spmv__gpu_indices *from, int64_t i,
                                  int64_t *value, spmv_error *err);

/* The first place where an array is less than before it, or is not in base .. base + count - 1; n
 * where there is none.  CUDA_*. */
spmv_status spmv__gpu_indices_find_fall(spmv__gpu *gpu, const spmv__gpu_indices *from,
                                        int64_t *place, spmv_error *err);
spmv_status spmv__gpu_indices_find_outside(spmv__gpu *gpu, const spmv__gpu_indices *from,
                                           int64_t count, int64_t *place, spmv_error *err);

/* The first entry whose column is not behind the one before it in its row, by row offsets that
 * count from 0; the number of entries where there is none.  CUDA_*. */
spmv_status spmv__gpu_indices_find_unordered(spmv__gpu *gpu, const spmv__gpu_indices *row_ptr,
                                             const int32_t *col_idx, int64_t nnz, int64_t *place,
                                             spmv_error *err);

/* Check that an array, where there is one, is in memory that CUDA knows.  INVALID_ARGUMENT. */
spmv_status spmv__gpu_array_check(const void *data, const char *name, spmv_error *err);

/* The most loads that a row takes by these row offsets, see spmv__row_loads.  CUDA_*. */
spmv_status spmv__gpu_indices_longest_loads(spmv__gpu *gpu, const spmv__gpu_indices *row_ptr,
                                            int64_t *loads, spmv_error *err);

#ifdef __cplusplus
}
#endif
