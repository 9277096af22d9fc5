/* csell_build.h -- CSELL made on the GPU of a matrix in CSR that is there: as spmv_convert makes it
 * without options, bit for bit. */
#pragma once

#include "cuda/gpu/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct spmv__csell_build spmv__csell_build;

/* Choose how A, which is borrowed, is cut into slices and what form each has; the slice, window,
 * slots and words of the shape say what there is to allocate.  Where rows end before the next
 * begins, row_end [rows] says where, in numbers of the size of those in row_ptr; else it is NULL.
 * Errors: OUT_OF_MEMORY, CUDA_*. */
spmv_status spmv__csell_build_choose(spmv__csell_build **out, spmv__gpu *gpu,
                                     const spmv_gpu_matrix *A, const void *row_end,
                                     spmv_csell *shape, spmv_error *err);

/* Fill a matrix of that shape, whose arrays are there.  Errors: CUDA_*. */
spmv_status spmv__csell_build_fill(const spmv__csell_build *build, spmv_gpu_matrix *to,
                                   spmv_error *err);
void spmv__csell_build_destroy(spmv__csell_build *build); /* NULL is fine */

#ifdef __cplusplus
}
#endif
