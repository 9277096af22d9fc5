/* carry.h -- elements of x that GPUs of one process give each other by its memory, where they do
 * not reach each other's. */
#pragma once

#include "cuda/gpus/partners.h"

/* Make room for what a partner gives, when it has its lists; `peer` [peers] becomes its own,
 * also after an error.  OUT_OF_MEMORY, CUDA_MALLOC. */
spmv_status spmv__carried_create(spmv__partner *m, spmv__swap_peer *peer, spmv_error *err);
void spmv__carried_destroy(spmv__partner *m);

/* Bring what all give to where it is read, behind all that is enqueued so far.  KERNEL_LAUNCH,
 * CUDA_MEMCPY. */
spmv_status spmv__carry(const spmv_gpus *gpus, spmv_error *err);
