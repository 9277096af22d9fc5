/* own_edges.h -- a graph of which each rank has the edges that leave some of the nodes, until they
 * are where they are pulled: with the rank of the nodes that they lead to. */
#pragma once

#include "core/pagerank/ranking.h"
#include "core/comm/transport.h"

typedef struct spmv__own_edges {
    spmv_comm *comm;
    spmv_part *part;     /* whose rows these are, ... */
    spmv_csr A;          /* ... or what is left of them in `nonzero` */
    spmv_matrix nonzero; /* of a pattern, where explicit zeros are no edges */
    spmv_type type;      /* of shares, as in spmv__transition */
    double *out_weight;  /* [A.rows] */
    int32_t *number;     /* [part->rows] of each node of the graph, also of other ranks' */
} spmv__own_edges;

/* Weigh the edges: whether they are alike depends on all of them.
 *
 *   options  complete, and the same on all ranks but for the labels, which rank 0 has
 *
 * Errors, which all ranks have together: INVALID_FORMAT (a weight that cannot be), OUT_OF_MEMORY.
 */
spmv_status spmv__own_edges_create(spmv__own_edges *out, spmv_comm *comm, spmv_part *part,
                                   const spmv_pagerank_options *options, spmv_error *err);
void spmv__own_edges_destroy(spmv__own_edges *e);

/* Number the nodes, which rank 0 does from the numbers of edges that leave and reach them: `whole`,
 * NULL on the others, becomes the transition matrix that one process would make for the reader,
 * without an edge; of the columns for a GPU only the pointers are there.
 * Memory: 8 bytes for each node, on rank 0 also 40 on the way and 12 (20) that stay.
 * Errors, which all ranks have together: OUT_OF_MEMORY. */
spmv_status spmv__own_edges_number(spmv__own_edges *e, spmv__transition *whole, spmv__reader reader,
                                   int threads, spmv_error *err);

/* Send each edge to the rank of the node that it leads to; the rows of the part are released on the
 * way.
 *
 *   place   [nodes] where each node's column lies among those of all ranks: e->number, or another
 *   begin   [size + 1] who has which columns
 *   out     a row for each node and rank that edges come from, in the order of the graph, whose
 *           columns count from begin[rank] on, and whose values are shares
 *   source  [out->rows] the number of each such node, the caller's to free()
 *
 * Errors, which all ranks have together: OUT_OF_MEMORY. */
spmv_status spmv__own_edges_send(spmv__own_edges *e, const int32_t *place, const int64_t *begin,
                                 spmv_csr *out, int32_t **source, spmv_error *err);

/* The same, and make t->edges, which are released before, of what comes: columns that count from
 * begin[rank] on, whose sources rise by number. */
spmv_status spmv__own_edges_columns(spmv__own_edges *e, const int32_t *place, const int64_t *begin,
                                    spmv__transition *t, spmv_error *err);
