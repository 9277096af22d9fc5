/* move_elements.h -- elements of vectors to where they are wanted, on one GPU. */
#pragma once

#include "cuda/gpu/gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Elements that are moved together; all pointers are on the GPU. */
typedef struct spmv__element_moves {
    int64_t n;
    int64_t size;         /* of an element: 4, 8 or 16 bytes */
    const int32_t *from;  /* [n] which element each one is, */
    const int32_t *place; /* [n] and which one it becomes; NULL: number i is number i */
} spmv__element_moves;

/* Enqueue to[place[i]] = x[from[i]]; the two overlap nowhere.  KERNEL_LAUNCH. */
spmv_status spmv__move_elements(spmv__gpu *gpu, const spmv__element_moves *moves, const void *x,
                                void *to, spmv_error *err);

/* Enqueue nothing that takes time, but a kernel: one that may begin before those ahead of it have
 * ended has to have one of its own device ahead.  KERNEL_LAUNCH. */
spmv_status spmv__pass(spmv__gpu *gpu, spmv_error *err);

#ifdef __cplusplus
}
#endif
