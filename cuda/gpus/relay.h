/* relay.h -- elements of x on their way from GPU to GPU through the memory of the hosts. */
#pragma once

#include "core/parts/halo.h"
#include "cuda/gpus/swap.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Copies have a stream of their own, so that they go on while the GPU multiplies. */
typedef struct spmv__relay {
    spmv__gpu *gpu, *copier; /* of the products, and owned: of the copies */
    spmv__halo *halo;        /* with memory on the host */
    const spmv__swap *swap;  /* of which own and give are used */
    char *x;                 /* of the partner, as the halo has it */
    void *packed;            /* owned, on the GPU: as the halo has it */
    bool whole;              /* somebody takes all own elements */
} spmv__relay;

/* The device is the current one.  Errors: OUT_OF_MEMORY, NO_DEVICE, CUDA_MALLOC. */
spmv_status spmv__relay_create(spmv__relay **out, spmv__gpu *gpu, int device, spmv__halo *halo,
                               const spmv__swap *swap, void *x, spmv_error *err);
void spmv__relay_destroy(spmv__relay *s);

/* In this order for each product: begin to bring what others need to the host, behind all that is
 * enqueued so far; and exchange it with that of the others, behind which the product goes on.  All
 * ranks exchange, also those for which something has failed: *st stays as it is then.
 * Errors, of this rank alone: KERNEL_LAUNCH, CUDA_MEMCPY. */
spmv_status spmv__relay_begin(spmv__relay *s, spmv_error *err);
void spmv__relay_exchange(spmv__relay *s, spmv_status *st, spmv_error *err);

#ifdef __cplusplus
}
#endif
