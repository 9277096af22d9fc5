/* process_memory.h -- memory that several processes of a machine use. */
#pragma once

#include "cuda/gpu/gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a process tells another one, so that it finds open memory; and what a GPU is called in all
 * processes. */
typedef struct spmv__gpu_handle {
    char bytes[64];
} spmv__gpu_handle;
typedef struct spmv__gpu_address {
    char text[32];
} spmv__gpu_address;

/* Errors: NO_DEVICE (CUDA cannot do that here). */
spmv_status spmv__gpu_name_address(spmv__gpu_address *out, int device, spmv_error *err);
spmv_status spmv__gpu_export(spmv__gpu_handle *out, void *open, spmv_error *err);

/* Let kernels of the current device reach open memory of another process, until that is closed;
 * NULL is fine. */
spmv_status spmv__gpu_import(void **out, const spmv__gpu_handle *handle, spmv_error *err);
void spmv__gpu_close_import(void *imported);

/* Keep memory of the host where it is, so that copies from and to there take less time; it may be
 * that CUDA does not want to.  No bytes are fine. */
void spmv__gpu_pin(void *data, int64_t bytes);
void spmv__gpu_unpin(void *data, int64_t bytes);

#ifdef __cplusplus
}
#endif
