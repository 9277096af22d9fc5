/* joint_product.h -- one product that several GPUs make together, and its samples: by those of one
 * process, or by one of each rank. */
#pragma once

#include "cli/run/run.h"

/* All ranks make the calls together, and fail alike. */
typedef struct joint_run {
    spmv_comm *comm; /* of the ranks; or alone, of a process that has all GPUs */
    spmv_gpus *gpus;
    run_job *job; /* its options and its kernel */
    double own_s; /* seconds of this rank, over all samples */
} joint_run;

/* y = alpha A x + beta y, for the elements of this rank. */
spmv_status joint_multiply(const joint_run *p, const spmv_dense *x, spmv_dense *y, spmv_error *err);

/* Fill in job->times: a product takes as long as its last rank.
 *
 *   last  NULL, or the y of one more product, which is made as the samples were */
spmv_status joint_measure(joint_run *p, spmv_dense *last, spmv_error *err);

/* *seconds = what is exchanged for a product, by itself, takes. */
spmv_status joint_time_exchange(const joint_run *p, double *seconds, spmv_error *err);
