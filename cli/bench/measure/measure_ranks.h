/* measure_ranks.h -- y = A x by several ranks, measured: rank 0 has the matrices and leads, and the
 * others follow. */
#pragma once

#include "cli/bench/measure/measure_case.h"
#include "cli/json/rank_costs.h"

/* The ranks of a run. */
typedef struct bench_ranks {
    spmv_comm *comm;
    double *told; /* what ranks tell each other */
} bench_ranks;

/* Errors: those of spmv_comm_join, OUT_OF_MEMORY. */
spmv_status bench_join(bench_ranks *out, spmv_error *err);
void bench_leave(bench_ranks *ranks);

/* On rank 0, as bench_measure: the candidate is cpu-csr.  Only warm times are taken.  The caller
 * destroys *costs. */
spmv_status bench_measure_ranks(bench_measurement *out, rank_costs *costs, bench_matrix *m,
                                const bench_candidate *s, spmv_error *err);

/* On all other ranks: take part in what rank 0 measures until it dismisses them.  What fails on the
 * way is for rank 0 to tell. */
void bench_follow(const bench_options *options);
void bench_dismiss(bench_ranks *ranks); /* on rank 0 */
