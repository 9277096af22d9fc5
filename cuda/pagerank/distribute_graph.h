/* distribute_graph.h -- the graph of several ranks: each gets what its own GPU pulls over. */
#pragma once

#include "core/pagerank/own_edges.h"
#include "cuda/pagerank/graph_team.h"

/* Share out the nodes, send each edge to the rank of the node that it leads to, lay the rows of
 * each GPU out and bring them there: g->nodes and g->partner[0] become known.
 *
 *   g          of this rank, with its GPU
 *   edges      whose nodes are numbered; the rows of their part are released on the way
 *   t          on rank 0 the transition matrix without edges, else empty, as it is in the end on
 *              all ranks
 *   precision  of the ranking, which is one
 *
 * Memory: on each rank twice its share of the edges, and 24 bytes for each node of the graph.
 * Errors, which all ranks have together: OUT_OF_MEMORY, and those of a GPU. */
spmv_status spmv__graph_distribute(spmv__graph_team *g, spmv__own_edges *edges, spmv__transition *t,
                                   spmv_type precision, spmv_error *err);
