/* joint_start.h -- several ranks begin to rank a graph together, on whatever devices they have. */
#pragma once

#include "core/pagerank/own_edges.h"

/* Check on rank 0 what it was told, of a graph that it has or of which each rank has some rows.
 *
 *   A, options   used on rank 0 only
 *   out          with A: the rows of this rank, which the caller destroys
 *
 * Errors, which all ranks have together: those of spmv_pagerank_on_ranks. */
spmv_status spmv__joint_spread(spmv__pagerank_run *run, spmv_part *out, spmv_comm *comm,
                               const spmv_matrix *A, const spmv_pagerank_options *options,
                               spmv_error *err);
spmv_status spmv__joint_check(spmv__pagerank_run *run, spmv_comm *comm, const spmv_part *part,
                              const spmv_pagerank_options *options, spmv_error *err);

/* The options of rank 0, for all: complete, and without pointers. */
spmv_pagerank_options spmv__joint_options(spmv_comm *comm, const spmv__pagerank_run *run);

/* Weigh the edges and number the nodes; `whole`, NULL but on rank 0, begins with the first scores.
 *
 *   out      the caller's to destroy, also after an error
 *   part     must have rows, which are released once its edges have been sent
 *   options  what spmv__joint_options returns
 *
 * Errors, which all ranks have together: INVALID_FORMAT (a weight that cannot be), OUT_OF_MEMORY.
 */
spmv_status spmv__joint_number(spmv__own_edges *out, spmv__pagerank_run *run, spmv__ranking *whole,
                               spmv_comm *comm, spmv_part *part,
                               const spmv_pagerank_options *options, spmv__reader reader,
                               spmv_error *err);
