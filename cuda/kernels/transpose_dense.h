/* transpose_dense.h -- dense arrays on the GPU, rows made columns. */
#pragma once

#include "cuda/gpu/gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Elements lie row by row, from the beginning of one row to that of the next `ld` elements. */
typedef struct spmv__dense_rows {
    void *data;
    int64_t ld;
} spmv__dense_rows;

/* Enqueues to(c, r) = from(r, c) for rows x cols elements of `size` bytes (4, 8 or 16), each at a
 * multiple of its size.  The two may not overlap.  KERNEL_LAUNCH.  It moves each element twice. */
spmv_status spmv__gpu_transpose(spmv__gpu *gpu, spmv__dense_rows to, spmv__dense_rows from,
                                int64_t rows, int64_t cols, int64_t size, spmv_error *err);

#ifdef __cplusplus
}
#endif
