/* run.h -- what the files of spmv-run share. */
#pragma once

#include "cli/json/record.h"
#include "cli/tool/common.h"

typedef struct run_options {
    common_options common;
    const char *x, *y; /* a file, or for x: "ones", "index", "random"; y NULL: all zero */
    spmv_scalar alpha, beta;
    int64_t vectors;
    bool transpose;
    const char *kernel;    /* a kernel, or "auto", "auto-rule", "tune" */
    int64_t block_size;    /* 0: as the choice of the kernel says */
    int64_t repeat;        /* multiplications that are timed; 0: none */
    const char *partition; /* of several ranks: a rule, or a file; NULL: the first rule */
    int route;             /* of theirs: spmv_route */
    bool verify, explain, list_kernels, list_devices;
} run_options;

typedef struct run_times {
    double *samples; /* [count] seconds of one multiplication */
    int count;
    int64_t batch; /* multiplications in each sample, which is their mean */
} run_times;

/* A product that came after all others and was made as these were. */
typedef struct run_last {
    spmv_dense before; /* the y that it read; empty: that of the first product */
    spmv_dense after;
} run_last;

/* A kernel that --kernel tune tried. */
typedef struct run_try {
    const char *kernel;
    double seconds;
} run_try;

/* One multiplication from file to answer.  All zero is empty; spmv_run.c destroys it. */
typedef struct run_job {
    const run_options *options;
    const char *path;
    spmv_matrix original; /* as it was read, where that is to be verified; A may be a view of it */
    spmv_matrix A;        /* as the operator takes it */
    spmv_row_stats stats;
    spmv_type precision; /* of the vectors; until they are made, of A */
    spmv_dense x, y0, y; /* on the host, by columns: input, y before, y after */
    run_last last;

    int device;
    int gpus; /* that multiply together, with --device all; else 0 */
    const spmv_kernel *kernel;
    spmv_kernel_options config;
    const char *reason;     /* why this kernel */
    spmv_weighing weighing; /* of set-ups, where they may pay; else none */

    run_times times; /* the samples are owned */
    double setup;    /* seconds: format of the kernel, upload, partition */
    int64_t stored;  /* bytes of the matrix as the operator has it; 0: as A is */
    spmv_device_info info;
    spmv_bandwidth bandwidth;
    spmv_verification verification; /* of y, or of `last` where only that is wrong */
    bool last_is_wrong;

    run_try *tried; /* [tried_count], what --kernel tune tried; owned */
    int tried_count;
} run_job;

const char *run_kernel_name(int i); /* what --kernel accepts */

/* Steps that rank 0 of several does, too: refuse outputs, which needs no matrix;
 * turn job->A in the direction that was asked for, and count its rows; make values that multiply
 * the vectors; write job->y. */
spmv_status run_check_outputs(const run_job *job, spmv_error *err);
spmv_status run_prepare_matrix(run_job *job, spmv_error *err);
spmv_status run_fit_values(run_job *job, spmv_error *err);
spmv_status run_write_result(const run_job *job, spmv_error *err);

/* Keep what was read, as steps replace job->A; and verify job->y, the first product, and job->last,
 * the last one, with it. */
spmv_status run_keep_original(run_job *job, spmv_error *err);
spmv_status run_verify(run_job *job, spmv_error *err);

/* Multiply together with the other processes that mpirun has started; and end in misuse, where
 * there are any, for an option that they have no use for. */
spmv_status run_on_ranks(run_job *job, spmv_error *err);
void run_check_ranks_usage(const run_options *o);

/* Multiply with all GPUs together, and take samples: what run_multiply does with one device.  What
 * they have no use for ends in misuse. */
spmv_status run_on_gpus(run_job *job, spmv_error *err);
void run_check_gpus_usage(const run_options *o);

/* Before job->A is converted: a file that changes meanwhile makes nothing write out of bounds. Once
 * is enough for what the verification keeps, of which job->A is a view. */
spmv_status run_own_indices(run_job *job, spmv_error *err);

/* Another kernel than the rule says may pay for its set-up where A is multiplied often with one
 * vector on a GPU: weigh those; out->count is 0 where there is nothing to weigh. */
spmv_status run_weigh(spmv_weighing *out, const run_job *job, const spmv_matrix *A,
                      const spmv_row_stats *stats, int device, spmv_error *err);

/* Choose job->kernel, config, reason and device; job->A stays as it is. */
spmv_status run_choose(run_job *job, spmv_error *err);
spmv_status run_tune(run_job *job, spmv_error *err);

/* Say on standard error, or in a record, what was weighed. */
void run_explain(const run_job *job);
void run_record_weighed(report *r, const run_job *job);

/* A kernel for these vectors, with the block size of the command line. */
void run_configure(spmv_kernel_options *config, const run_job *job, const spmv_kernel *kernel);

/* x and y0 from files or by rule: complex where A, one of the files or a factor is. */
bool run_x_is_file(const run_options *options);
bool run_reads_y(const run_options *options); /* from a file */
bool run_adds_to_y(const run_options *options);
spmv_status run_make_vectors(run_job *job, spmv_error *err);

/* job->y = alpha A x + beta y0, then the samples, where any are asked for. */
spmv_status run_multiply(run_job *job, spmv_error *err);

/* Time out->count multiplications with a kernel, for which out->samples has room, after `warmup`
 * others.  Many short ones on a GPU become fewer samples, each of several recorded as a graph.
 * last: NULL, or one more of them. */
spmv_status run_measure(const run_job *job, spmv_context *ctx, spmv_operator *op, int warmup,
                        run_times *out, run_last *last, spmv_error *err);

/* Device, bandwidth and times on standard error, where they are wanted. */
spmv_status run_summarise(run_job *job, spmv_error *err);

/* The record of --json, which the caller destroys, and where it goes. */
report *run_record(const run_job *job);
spmv_status run_write_record(const run_job *job, const report *r, spmv_error *err);

int run_list_kernels(const common_options *common); /* each returns what main must return */
int run_list_devices(const common_options *common);
