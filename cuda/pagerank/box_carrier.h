/* box_carrier.h -- what GPUs of one process would write into each other's boxes, by its memory,
 * where they do not reach each other's.
 *
 * In a round a GPU writes into its own box only.  The numbers then go to all others, and so does
 * what nodes hand on.  This comes before the kernel that looks for it, in the order of the streams,
 * so that nobody has to tell. */
#pragma once

#include "cuda/pagerank/gpu_pagerank.h"

/* One GPU. */
typedef struct spmv__box_owner {
    spmv__gpu *gpu;
    spmv__pagerank_box box;
} spmv__box_owner;

typedef struct spmv__box_carrier {
    const spmv__node_parts *nodes;
    spmv__box_owner *owner; /* [nodes->gpus] */
    int64_t bytes;          /* of what is handed on, by the sources that somebody reads */
    int64_t block;          /* bytes of a block of these */
    char *whole, *part;     /* [bytes] of all, and as one GPU has it */
    double *mail;           /* [nodes->gpus][SPMV__PAGERANK_MAIL] */
    uint32_t round;         /* the last one */
} spmv__box_carrier;

/* For the rankings of one job, of which each GPU has a part.  owner is filled in by the caller.
 * Errors: OUT_OF_MEMORY. */
spmv_status spmv__box_carrier_create(spmv__box_carrier **out, const spmv__node_parts *nodes,
                                     const spmv__pagerank_job *job, spmv_error *err);
void spmv__box_carrier_destroy(spmv__box_carrier *c);

/* A round, after the kernels of all GPUs that write in it: numbers, and with `over` what nodes hand
 * on, which lies in `odd` ? x : next of a box.  KERNEL_LAUNCH, CUDA_MEMCPY. */
spmv_status spmv__box_carry(spmv__box_carrier *c, bool over, bool odd, spmv_error *err);
