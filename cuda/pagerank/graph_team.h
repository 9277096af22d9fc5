/* graph_team.h -- GPUs that rank the nodes of a graph together, of one process or of several. */
#pragma once

#include "cuda/pagerank/box_carrier.h"
#include "cuda/pagerank/box_relay.h"

/* One GPU, and its rows of the graph as the host laid them out, and there. */
typedef struct spmv__graph_partner {
    spmv__gpu *gpu;
    spmv__pull_graph host, gpu_arrays;
    void *memory;
} spmv__graph_partner;

/* All GPUs, and which of them has which nodes. */
typedef struct spmv__graph_team {
    int count;                    /* of this process, ... */
    bool apart;                   /* ... which do not all reach each other's memory */
    spmv__graph_partner *partner; /* [count] */
    spmv__node_parts nodes;
    spmv_comm *comm; /* the one partner is that of this rank; NULL: there are no other processes */
    int device;      /* of the partner, with comm */
    spmv_route route;
} spmv__graph_team;

/* What a GPU has of the rankings of one pass over the graph. */
typedef struct spmv__group_partner {
    spmv__pagerank_job job;
    spmv__pagerank_box box; /* of this one, in `open` */
    void *memory, *open;
} spmv__group_partner;

/* The rankings of one pass over the graph. */
typedef struct spmv__ranking_group {
    spmv__ranking start;
    spmv__group_partner *partner; /* [count] */
    void **there;                 /* [GPUs] the open memory of all ranks; NULL: not reached, ... */
    spmv__box_relay *relay;       /* ... and all goes another way */
    spmv__box_carrier *carrier;   /* of GPUs of one process that are apart; else NULL */
    spmv_recording *batch;
    spmv__pagerank_state state; /* as last seen, of the first one: all have the same */
} spmv__ranking_group;

/* How many GPUs there are in all processes, and the number of partner m among them. */
static inline int spmv__team_size(const spmv__graph_team *g)
{
    return g->comm != NULL ? g->comm->size : g->count;
}

static inline int spmv__team_number(const spmv__graph_team *g, int m)
{
    return g->comm != NULL ? g->comm->rank : m;
}

/* Make a failure of one rank that of all, where there are any. */
static inline spmv_status spmv__team_agree(const spmv__graph_team *g, spmv_status st,
                                           spmv_error *err)
{
    return g->comm != NULL ? spmv_comm_agree(g->comm, st, err) : st;
}

/* Bring the rows of a partner, which the host has laid out, to its GPU. */
spmv_status spmv__graph_upload(spmv__graph_partner *g, spmv_error *err);

/* Rank, when the graph is there and k->start is known to all; run->result gets the scores of the
 * nodes of this process.  When it has those of all nodes, it is told what became of the iterations.
 */
spmv_status spmv__team_rank(const spmv__graph_team *g, spmv__ranking_group *k,
                            spmv__pagerank_run *run, spmv_error *err);
void spmv__team_settle(const spmv__ranking_group *k, spmv__pagerank_run *run);

/* Place and fill what a group has on the GPUs (team_memory.c). */
spmv_status spmv__group_prepare(const spmv__graph_team *g, spmv__ranking_group *k,
                                const spmv_pagerank_options *options, spmv_error *err);
void spmv__group_destroy(const spmv__graph_team *g, spmv__ranking_group *k);

/* Release what all partners have (gpu_pagerank.c). */
void spmv__graph_team_close(spmv__graph_team *g);
