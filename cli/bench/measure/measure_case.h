/* measure_case.h -- one candidate on one matrix: prepared, verified, timed. */
#pragma once

#include "cli/bench/measure/candidates.h"
#include "cli/bench/measure/take_samples.h"

/* The state that lasts for the whole run: a context for each kind of device, and the ceilings
 * measured last. All zero is empty. */
typedef struct bench_contexts {
    spmv_context *cpu, *gpu;
    struct {
        bool known;
        int device;
        spmv_type type; /* of x */
        int64_t rows;   /* of x */
        spmv_peak_rates rates;
    } ceilings;
} bench_contexts;

void bench_contexts_destroy(bench_contexts *contexts);

/* All about one candidate on one matrix, before it becomes a record. */
typedef struct bench_measurement {
    const bench_matrix *matrix;
    const bench_candidate *candidate;
    spmv_format format;         /* that the kernel took */
    spmv_kernel_options config; /* as the operator has it */
    double format_s, copy_s, prepare_s, verify_s, measure_s;
    int64_t copy_bytes;
    double form_bytes;             /* of the matrix as it is multiplied */
    bench_times warm, cold, graph; /* count 0: not measured */
    spmv_bandwidth bandwidth, cold_bandwidth, graph_bandwidth;
    spmv_peak_rates ceilings;
    spmv_device_info device;
    bool verified;
    spmv_verification verification;
    const char *product; /* that this is about: the first one, or a later one that is wrong */
} bench_measurement;

spmv_status bench_measure(bench_measurement *out, bench_contexts *contexts, bench_matrix *m,
                          const bench_candidate *s, spmv_error *err);

/* Find out whether y is the right product; one with the bits of a right one is.  The first that is
 * right is moved from *y to *seen, which is empty before.  product: what it is called. */
spmv_status bench_look_at(bench_measurement *out, spmv_dense *seen, spmv_dense *y,
                          const char *product, spmv_error *err);

/* The useful bytes are the same for all, those that are moved are of the matrix as it was
 * multiplied. */
spmv_status bench_rate(const bench_measurement *out, const bench_times *t,
                       spmv_bandwidth *bandwidth, spmv_error *err);
