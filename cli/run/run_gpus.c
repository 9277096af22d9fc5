/* run_gpus.c -- one multiplication by all GPUs, each of which has some rows. */
#include "cli/measure/replay.h"
#include "cli/run/run.h"
#include "cli/text/number_text.h"
#include "cli/ranks/row_shares.h"
#include "cli/tool/choose_device.h"
#include "cli/tool/fail.h"
#include "cli/tool/message.h"
#include "cli/tool/phase.h"
#include "cli/tool/ranks.h"
#include "cli/tool/steps.h"
#include "cli/tool/tool.h"

#include <stdlib.h>
#include <string.h>

enum { WARMUP = 2, LEAST_SAMPLES = 10, EXCHANGES = 20 };

/* From this time on a product is launched by itself: the calls for all GPUs take less. */
static const double long_product = 5e-3;

void run_check_gpus_usage(const run_options *o)
{
    if (!common_wants_all(&o->common)) return;
    if (tool_rank_count() > 1)
        tool_misuse("--device all is for a run of one process, not of %d", tool_rank_count());
    if (tool_partition(o->partition) == SPMV_PARTITION_NONZEROS)
        tool_misuse("--partition nonzeros is for several processes; GPUs have whole rows");
    if (tool_partition(o->partition) == SPMV_PARTITION_GIVEN)
        tool_misuse(
            "--partition metis and FILE are for several processes; GPUs have neighbouring rows");
    if (o->vectors > 1) tool_misuse("--device all multiplies with one vector");
    if (strcmp(o->kernel, "tune") == 0)
        tool_misuse("-k tune is for one device; --device all takes a kernel, auto or auto-rule");
}

/* ---- Set-up --------------------------------------------------------------------------------- */

static spmv_status open_all(run_job *job, spmv_gpus **gpus, spmv_error *err)
{
    const double start = spmv_now();
    int *device = NULL;
    spmv_status st;
    tool_phase_begin("upload", "matrix");
    TOOL_TRY(step_format(&job->A, SPMV_CSR, NULL, err));
    device = calloc((size_t)job->gpus, sizeof *device);
    if (device == NULL)
        TOOL_TRY(tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot list %d GPUs", job->gpus));
    for (int k = 0; k < job->gpus; k++) device[k] = k;
    TOOL_TRY(spmv_gpus_create(gpus, device, job->gpus, &job->A.csr,
                              tool_partition(job->options->partition), &job->config, err));
    if (spmv_gpus_kernel(*gpus) != NULL) job->kernel = spmv_kernel_find(spmv_gpus_kernel(*gpus));
done:
    tool_phase_end((int64_t)spmv_memory_bytes(&job->A));
    job->setup += spmv_now() - start;
    free(device);
    return st;
}

/* ---- Products ------------------------------------------------------------------------------- */

static spmv_status apply(const run_job *job, spmv_gpus *gpus, int64_t times, spmv_error *err)
{
    return spmv_gpus_apply(gpus, job->options->alpha, job->options->beta, times, err);
}

static spmv_status wait_for_all(spmv_gpus *gpus, double *elapsed_s, spmv_error *err)
{
    *elapsed_s = 0;
    return spmv_gpus_timer_stop(gpus, elapsed_s, err);
}

static spmv_status compute_y(run_job *job, spmv_gpus *gpus, spmv_error *err)
{
    double elapsed_s;
    spmv_status st;
    tool_phase_begin("upload", "vectors");
    st = spmv_gpus_set_x(gpus, &job->x, err);
    if (st == SPMV_SUCCESS) st = spmv_gpus_set_y(gpus, &job->y0, err);
    tool_phase_end(0);
    if (st != SPMV_SUCCESS) return st;
    tool_phase_begin("multiply", job->kernel->name);
    st = spmv_gpus_timer_start(gpus, err);
    if (st == SPMV_SUCCESS) st = apply(job, gpus, 1, err);
    if (st == SPMV_SUCCESS) st = wait_for_all(gpus, &elapsed_s, err);
    tool_phase_end(0);
    if (st != SPMV_SUCCESS) return st;
    tool_phase_begin("download", "y");
    st = spmv_dense_reorder(&job->y, &job->y0, false, err);
    if (st == SPMV_SUCCESS) st = spmv_gpus_get_y(gpus, &job->y, err);
    tool_phase_end(0);
    return st;
}

/* ---- Samples -------------------------------------------------------------------------------- */

/* Enqueue the products of a sample. */
static spmv_status enqueue_sample(const run_job *job, spmv_gpus *gpus, const spmv_recording *graph,
                                  spmv_error *err)
{
    return graph != NULL ? spmv_gpus_replay(gpus, graph, err) : apply(job, gpus, 1, err);
}

/* Time `graph`, or single products where it is NULL. */
static spmv_status time_samples(run_job *job, spmv_gpus *gpus, const spmv_recording *graph,
                                int warmup, spmv_error *err)
{
    run_times *times = &job->times;
    spmv_status st = SPMV_SUCCESS;
    for (int i = -warmup; i < times->count; i++) {
        double seconds;
        TOOL_TRY(spmv_gpus_timer_start(gpus, err));
        TOOL_TRY(enqueue_sample(job, gpus, graph, err));
        TOOL_TRY(wait_for_all(gpus, &seconds, err));
        times->samples[i < 0 ? 0 : i] = seconds / (double)times->batch;
    }
done:
    return st;
}

int64_t run_joint_batch(int64_t count, double seconds)
{
    const int64_t batch = count / LEAST_SAMPLES;
    if (batch < 2 || seconds > long_product) return 1;
    return batch < REPLAY_MOST ? batch : REPLAY_MOST;
}

/* One more product, of which all is known: of the graph, where that does not read y. */
static spmv_status multiply_last(run_job *job, spmv_gpus *gpus, const spmv_recording *graph,
                                 spmv_error *err)
{
    const bool reads_y = run_adds_to_y(job->options);
    spmv_dense *y = &job->last.after;
    double elapsed_s;
    spmv_status st;
    TOOL_TRY(spmv_dense_reorder(y, &job->y0, false, err));
    if (!reads_y) memset(y->data, 0xff, (size_t)y->rows * spmv_type_size(y->type));
    TOOL_TRY(spmv_gpus_set_y(gpus, y, err));
    TOOL_TRY(spmv_gpus_timer_start(gpus, err));
    TOOL_TRY(enqueue_sample(job, gpus, reads_y ? NULL : graph, err));
    TOOL_TRY(wait_for_all(gpus, &elapsed_s, err));
    TOOL_TRY(spmv_gpus_get_y(gpus, y, err));
done:
    return st;
}

static spmv_status measure(run_job *job, spmv_gpus *gpus, spmv_error *err)
{
    const run_options *o = job->options;
    run_times *times = &job->times;
    spmv_recording *graph = NULL;
    spmv_status st;
    *times = (run_times){.batch = 1, .count = 1};
    times->samples = calloc((size_t)o->repeat, sizeof *times->samples);
    if (times->samples == NULL)
        return tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot store %lld times",
                         (long long)o->repeat);
    TOOL_TRY(time_samples(job, gpus, NULL, WARMUP, err));
    if (spmv_gpus_route(gpus) == SPMV_ROUTE_IPC)
        times->batch = run_joint_batch(o->repeat, times->samples[0]);
    times->count = (int)((o->repeat + times->batch - 1) / times->batch);
    if (times->batch > 1)
        TOOL_TRY(spmv_gpus_record(&graph, gpus, o->alpha, o->beta, times->batch, err));
    TOOL_TRY(time_samples(job, gpus, graph, graph != NULL, err));
    if (o->verify) TOOL_TRY(multiply_last(job, gpus, graph, err));
done:
    spmv_recording_destroy(graph);
    return st;
}

/* ---- What it costs -------------------------------------------------------------------------- */

static spmv_status time_exchange(spmv_gpus *gpus, double *seconds, spmv_error *err)
{
    spmv_status st;
    TOOL_TRY(spmv_gpus_timer_start(gpus, err));
    TOOL_TRY(spmv_gpus_exchange(gpus, EXCHANGES, err));
    TOOL_TRY(wait_for_all(gpus, seconds, err));
    *seconds /= EXCHANGES;
done:
    return st;
}

/* Balance and communication, where they are wanted. */
static spmv_status tell_shares(const run_job *job, spmv_gpus *gpus, spmv_error *err)
{
    const run_options *o = job->options;
    double sum = 0, most = 0, received = 0, inner = 0, nnz = 0, seconds = 0;
    char bytes[TOOL_NUMBER], time[TOOL_NUMBER];
    if (o->repeat <= 1 && !o->common.verbose) return SPMV_SUCCESS;
    const spmv_status st = time_exchange(gpus, &seconds, err);
    if (st != SPMV_SUCCESS) return st;
    for (int k = 0; k < job->gpus; k++) {
        const spmv_gpu_share share = spmv_gpus_share(gpus, k);
        const double cost = 12 * (double)share.nnz + 24 * (double)share.rows;
        sum += cost;
        most = cost > most ? cost : most;
        received += (double)share.received * (double)spmv_type_size(job->precision);
        inner += (double)share.inner;
        nnz += (double)share.nnz;
    }
    tool_note(
        "the largest part is %.3g times the mean; %s are exchanged, which takes %s by itself, "
        "while %.3g %% of the nonzeros are multiplied",
        sum > 0 ? most * job->gpus / sum : 1, tool_bytes_text(received, bytes),
        tool_time_text(seconds, time), nnz > 0 ? inner / nnz * 100 : 100);
    return SPMV_SUCCESS;
}

spmv_status run_on_gpus(run_job *job, spmv_error *err)
{
    spmv_gpus *gpus = NULL;
    spmv_status st;
    TOOL_TRY(open_all(job, &gpus, err));
    TOOL_TRY(compute_y(job, gpus, err));
    if (job->options->repeat > 0) {
        tool_phase_begin("measure", job->kernel->name);
        st = measure(job, gpus, err);
        tool_phase_end(0);
        if (st == SPMV_SUCCESS) st = tell_shares(job, gpus, err);
    }
done:
    spmv_gpus_destroy(gpus);
    return st;
}
