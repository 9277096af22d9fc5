/* rank_memory.h -- memory of GPUs that the ranks of one machine open to each other. */
#pragma once

#include "core/comm/transport.h"
#include "cuda/gpu/gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Check that each rank has a GPU of its own.  Errors, which all ranks have together: NO_DEVICE. */
spmv_status spmv__rank_gpus_differ(spmv_comm *comm, int device, spmv_error *err);

/* Check that all ranks are of one machine, each with a GPU of its own: only then can kernels of
 * different ranks wait for each other.  Errors, which all ranks have together: NO_DEVICE. */
spmv_status spmv__rank_memory_check(spmv_comm *comm, int device, spmv_error *err);

/* there [size] = the open memory of each rank as the current device reaches it.  All ranks
 * together. Errors, which all have together: NO_DEVICE, OUT_OF_MEMORY; nothing is open then. */
spmv_status spmv__rank_memory_open(void **there, spmv_comm *comm, void *mine, spmv_error *err);

/* Waits until nobody reaches the memory of others any more: then each may release its own.  All
 * ranks together, with nothing under way on their GPUs. */
void spmv__rank_memory_close(void **there, spmv_comm *comm);

#ifdef __cplusplus
}
#endif
