/* rank_costs.h -- what a run of several ranks has told of them all. */
#pragma once

#include "cli/json/rank_record.h"

typedef struct rank_costs {
    int size;
    rank_figures *rank;   /* [size] of one multiplication */
    double imbalance;     /* bytes of the largest part by the mean */
    double received;      /* bytes, by all ranks */
    double communication; /* share of the time: packing and waiting */
} rank_costs;

/* Bytes that a part of so many rows moves, by which rows are shared out. */
double rank_load(double rows, double nnz);

/* Gather what each rank has and how long one multiplication takes it; all ranks make the call, and
 * each gets all of it.
 *
 *   element     bytes of an element of x, of all vectors together
 *   exchange_s  seconds of packing and waiting, which are part of time_s
 *
 * Errors: OUT_OF_MEMORY. */
spmv_status rank_costs_gather(rank_costs *out, spmv_comm *comm, const spmv_part_costs *mine,
                              size_t element, double exchange_s, double time_s, spmv_error *err);
void rank_costs_destroy(rank_costs *costs);

/* The members `distribution` and `ranks` of r.
 *
 *   partition  its name, of tool_partition_name
 *   comm       how GPUs exchange elements; NULL: there are none */
void record_rank_costs(report *r, const rank_costs *costs, const char *partition, const char *comm);
