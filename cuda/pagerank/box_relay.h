/* box_relay.h -- what GPUs that rank together would write into each other's boxes, by a relay.
 *
 * In a round a GPU writes into its own box only.  The numbers then go to all others, and what nodes
 * hand on to those that read it.  This comes before the kernel that looks for it, in the order of
 * the stream, so that nobody has to tell. */
#pragma once

#include "cuda/comm/relay.h"
#include "cuda/pagerank/gpu_pagerank.h"

typedef struct spmv__box_relay {
    spmv__gpu *gpu;
    spmv__pagerank_box box; /* of this rank, on the GPU */
    spmv__halo halo;        /* of sources, which are numbered by rank, block and place in that */
    void *x;                /* owned, on the GPU: what they hand on, as the halo has it */
    int32_t *list;          /* owned, on the GPU: of what is moved */
    spmv__element_moves own, take; /* from what nodes hand on to x, and back */
    spmv__relay *relay;
    uint32_t round; /* the last one */
} spmv__box_relay;

/* Who ranks with whom. */
typedef struct spmv__box_ranks {
    spmv_comm *comm;
    spmv_route route; /* not IPC */
    spmv__gpu *gpu;
    int device;
    const spmv__node_parts *nodes;
    const spmv__pull_graph *graph; /* of this rank, on the host */
} spmv__box_ranks;

/* For the rankings of one job; all ranks together.  Errors, which all have together: those of
 * spmv__relay_create. */
spmv_status spmv__box_relay_create(spmv__box_relay **out, const spmv__box_ranks *ranks,
                                   const spmv__pagerank_job *job, const spmv__pagerank_box *box,
                                   spmv_error *err);
void spmv__box_relay_destroy(spmv__box_relay *s);

/* A round, after the kernel that writes in it.  All ranks exchange, also those for which something
 * has failed: *st stays as it is then.  Errors, of this rank alone: KERNEL_LAUNCH, CUDA_MEMCPY. */
void spmv__box_relay_exchange(spmv__box_relay *s, const spmv__pagerank_job *job, spmv_status *st,
                              spmv_error *err);
