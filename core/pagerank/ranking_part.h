/* ranking_part.h -- some windows of a graph, and the scores of their nodes. */
#pragma once

#include "core/pagerank/own_edges.h"
#include "core/pagerank/ranking.h"
#include "core/parts/halo.h"

/* What one rank has of a ranking. */
typedef struct spmv__ranking_part {
    spmv_comm *comm;
    spmv_pagerank_options options; /* as all have it; of the pointers only the personalization */
    int64_t windows;               /* of the whole graph */
    int64_t *window_begin;         /* [size + 1] */
    int64_t *node_begin;           /* [size + 1] by number */
    spmv__transition graph;        /* own windows, whose sources are numbered as the halo says */
    spmv__halo halo;               /* what nodes hand on */
    spmv__ranking ranking;         /* of the own nodes */
    spmv_dense restart;            /* of the own nodes; empty: uniform */
    spmv__tally *tally;            /* [windows] of the whole graph */
    double *mine, *all;            /* sums on their way */
} spmv__ranking_part;

/* Hand out the nodes, and what rank 0 has of them: `whole`, NULL on the others, has the first
 * scores and the windows of the graph, whose edges the ranks have.
 *
 *   edges    whose nodes are numbered; they go to the ranks that pull over them
 *   options  complete, and the same on all ranks, without pointers
 *
 * Errors, which all ranks have together: OUT_OF_MEMORY. */
spmv_status spmv__ranking_part_create(spmv__ranking_part *out, spmv__own_edges *edges,
                                      const spmv__ranking *whole,
                                      const spmv_pagerank_options *options, spmv_error *err);
void spmv__ranking_part_destroy(spmv__ranking_part *p);

/* One iteration by all ranks, as spmv__ranking_step. */
void spmv__ranking_part_step(spmv__ranking_part *p, double change[SPMV__RANKINGS],
                             double largest[SPMV__RANKINGS]);

/* Bring all scores to whole->rank, on rank 0. */
spmv_status spmv__ranking_part_collect(const spmv__ranking_part *p, spmv__ranking *whole,
                                       spmv_error *err);
