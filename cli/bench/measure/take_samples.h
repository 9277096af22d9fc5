/* take_samples.h -- the times of one candidate that was made ready. */
#pragma once

#include "cli/bench/measure/bench_form.h"
#include "core/multiply/peer.h"

/* A candidate that was made ready. */
typedef struct bench_work {
    const bench_matrix *matrix; /* in the form that the candidate takes */
    spmv_context *ctx;
    spmv_kernel_options config; /* of a kernel of ours */
    spmv_operator *op;          /* NULL: a peer, or several GPUs */
    const spmv_peer *peer;      /* NULL: ours */
    void *plan;                 /* the peer's */
    int gpu_count;              /* that multiply together; 0: the context multiplies */
    spmv_gpus *gpus;            /* those, which have vectors of their own */
    spmv_dense x, y;            /* where the context is */
    spmv_dense blank;      /* on the host, NaN: what y holds before a product that is looked at */
    spmv_dense seen;       /* on the host, a product that was found right; empty before */
    spmv_recording *graph; /* of REPLAY_MOST multiplications, while those are measured */
    double deadline;
} bench_work;

spmv_status bench_multiply(bench_work *work, spmv_error *err);

enum { BENCH_SAMPLES = 1000 };
typedef struct bench_times {
    double samples[BENCH_SAMPLES]; /* seconds of one multiplication */
    int count;
    int64_t batch; /* multiplications in each sample, which is their mean */
} bench_times;

/* Warm: the caches hold what the multiplication before left.  Cold: they are emptied before each.
 * Graph: warm, and many are recorded as one graph, so that a GPU does not wait for launches. */
typedef enum bench_state { BENCH_WARM, BENCH_COLD, BENCH_GRAPH } bench_state;

/* Returns the seconds that are left for samples: none where an end of the tool is wanted. */
double bench_time_left(double deadline);

/* Returns the seconds that a sample should take at least. */
double bench_least_sample(const bench_options *o);

/* Returns how many multiplications that take `seconds` each make such a sample, whole steps. */
int64_t bench_batch_of(double least, double time_left, double seconds, int64_t step);

/* Returns whether the options are content with the samples, which took `elapsed` seconds.
 *
 *   next  the number of samples at which noise is looked at; 0 before the first call */
bool bench_is_enough(const bench_options *options, const bench_times *t, double elapsed, int *next);

/* Multiply until the options are content, or the deadline is over; and once more into a blank y. */
spmv_status bench_take_times(bench_work *work, bench_state state, bench_times *out,
                             spmv_error *err);
