/* pagerank.h -- a graph made ready for PageRank. */
#ifndef SPMV_PAGERANK_H
#define SPMV_PAGERANK_H

#include "internal.h"

/* Column j lists the nodes with an edge to j: a score is pulled, not pushed.  What node i hands on
 * is scale[i] times its score, times the value of the edge where there are values. */
typedef struct spmv__transition {
    spmv_csc edges;   /* PATTERN: the edges of a node are alike; else f64, the share of each */
    double *scale;    /* [nodes] 1 / out-degree (1 with shares), 0 for a dangling node */
    int64_t dangling; /* how many nodes are */
} spmv__transition;

/* Errors: as spmv_pagerank says of its matrix. */
spmv_status spmv__transition_create(spmv__transition *out, const spmv_matrix *A, bool unweighted,
                                    int threads, spmv_error *err);
void spmv__transition_destroy(spmv__transition *t);

/* A as compressed rows, for looking at the edges that leave a node: A itself, or a copy in *owned
 * that the caller destroys.  Errors: INVALID_DIMENSION, UNSUPPORTED (symmetry not expanded, complex
 * values), OUT_OF_MEMORY. */
spmv_status spmv__outgoing(const spmv_csr **out, spmv_matrix *owned, const spmv_matrix *A,
                           spmv_error *err);

#endif
