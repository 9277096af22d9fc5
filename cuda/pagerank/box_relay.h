/* box_relay.h -- what GPUs that rank together write into each other's boxes, carried by the
 * hosts.
 *
 * In a round a GPU writes into its own box only.  The hosts then hand the numbers, and what nodes
 * hand on, to all others, and write them into their boxes together with the words that are waited
 * for. */
#pragma once

#include "core/comm/transport.h"
#include "cuda/pagerank/gpu_pagerank.h"

typedef struct spmv__box_relay {
    spmv__gpu *gpu;
    spmv_comm *comm;
    spmv__pagerank_box box; /* of this rank, on the GPU */
    int64_t bytes;          /* of what the nodes of a block hand on, */
    int64_t handed;         /* and of what all nodes do that are read */
    int64_t *begin;         /* [ranks + 1] where the blocks of each rank are in ... */
    int32_t *block;         /* ... the list of all of them */
    char *next;             /* on the host: what nodes hand on, by node, */
    char *packed;           /* and by rank and block */
    double *mail;           /* [ranks][SPMV__PAGERANK_MAIL] */
    uint32_t *told;         /* [ranks] */
    uint32_t round;         /* the last one */
    spmv__exchange exchange;
} spmv__box_relay;

/* For the rankings of one job; of this rank alone.  Errors: OUT_OF_MEMORY. */
spmv_status spmv__box_relay_create(spmv__box_relay **out, spmv_comm *comm, spmv__gpu *gpu,
                                   const spmv__node_parts *nodes, const spmv__pagerank_job *job,
                                   const spmv__pagerank_box *box, spmv_error *err);
void spmv__box_relay_destroy(spmv__box_relay *s);

/* A round, after the kernel that writes in it.  All ranks exchange, also those for which something
 * has failed: *st stays as it is then.  Errors, of this rank alone: CUDA_MEMCPY. */
void spmv__box_relay_exchange(spmv__box_relay *s, const spmv__pagerank_job *job, spmv_status *st,
                              spmv_error *err);
