/* ranks_job.h -- one multiplication by several ranks. */
#pragma once

#include "cli/run/run.h"

/* What one rank has of it. */
typedef struct ranks_job {
    run_job *run; /* on rank 0 with all of x and y */
    spmv_comm *comm;
    bool in_shares; /* all have read the matrix, and no rank has seen all of its rows */
    spmv_part part;
    spmv_type type;             /* of the values */
    spmv_row_stats own_stats;   /* of its rows */
    spmv_dense x, y;            /* own elements */
    int device;                 /* of this rank: SPMV_DEVICE_CPU, or a GPU on all ranks */
    spmv_part_operator *op;     /* on the CPU, */
    spmv_gpus *gpus;            /* or else with the GPUs of all ranks */
    double exchange_s, total_s; /* over all samples; on GPUs exchanges are timed by themselves */
} ranks_job;

/* On GPUs: whether the command line leaves nothing else; which GPU this rank has, if any; and the
 * product and its samples.  All ranks decide, and fail, alike. */
bool ranks_need_gpu(const run_options *o);
void ranks_check_gpu_usage(const run_options *o); /* ends in misuse for what they have no use for */
spmv_status ranks_choose_device(ranks_job *j, spmv_error *err);
spmv_status ranks_multiply_on_gpus(ranks_job *j, spmv_error *err);

/* Tell speed, balance and communication, where they are wanted, and write the record. */
spmv_status ranks_summarise(ranks_job *j, spmv_error *err);
