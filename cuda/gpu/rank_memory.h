/* rank_memory.h -- memory of GPUs that the ranks of one machine open to each other. */
#pragma once

#include "core/comm/transport.h"
#include "cuda/gpu/gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Check that each rank has a GPU of its own.  Errors, which all ranks have together: NO_DEVICE. */
spmv_status spmv__rank_gpus_differ(spmv_comm *comm, int device, spmv_error *err);

/* *there [ranks] = the open memory of each rank as `device`, which is the current one, reaches it.
 * All ranks are of one machine, each with a GPU of its own: only then can kernels of different
 * ranks wait for each other.  All ranks together; errors, which all have together, with *there
 * NULL: NO_DEVICE, OUT_OF_MEMORY. */
spmv_status spmv__rank_memory_open(void ***there, spmv_comm *comm, int device, void *mine,
                                   spmv_error *err);

/* Waits until nobody reaches the memory of others any more: then each may release its own.  All
 * ranks together, with nothing under way on their GPUs. */
void spmv__rank_memory_close(void **there, spmv_comm *comm);

/* Whether a relay goes where the memory of others could not be opened, with `st`: without a route
 * of the caller's choice, not to reach each other is no failure. */
static inline bool spmv__rank_memory_gives_way(spmv_route route, spmv_status st)
{
    return route == SPMV_ROUTE_AUTO && st == SPMV_ERROR_NO_DEVICE;
}

#ifdef __cplusplus
}
#endif
