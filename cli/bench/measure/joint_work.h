/* joint_work.h -- a kernel on several GPUs, which have rows and vectors of their own. */
#pragma once

#include "cli/bench/measure/take_samples.h"

/* Hand the rows out to GPUs 0 .. work->gpu_count - 1, by equal numbers of nonzeros: work->gpus.
 * Errors: those of spmv_gpus_create. */
spmv_status joint_open(bench_work *work, spmv_error *err);

/* Give them x, and a y of NaN bits, which stays in work->blank where products are looked at. */
spmv_status joint_set_vectors(bench_work *work, spmv_error *err);

/* Wait for what they do; *out = y. */
spmv_status joint_fetch_y(bench_work *work, spmv_dense *out, spmv_error *err);
