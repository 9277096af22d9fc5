/* joint_product.c -- see joint_product.h. */
#include "cli/run/joint_product.h"
#include "cli/measure/replay.h"
#include "cli/tool/fail.h"
#include "cli/tool/gather.h"
#include "cli/tool/phase.h"
#include "cli/tool/steps.h"

#include <stdlib.h>

enum { WARMUP = 2, EXCHANGES = 20 };

/* From this time on a product is launched by itself: the calls for all GPUs take less. */
static const double long_product = 5e-3;

/* What is enqueued and timed together. */
typedef struct joint_work {
    const spmv_recording *graph; /* NULL: */
    int64_t exchanges;           /* these alone; 0: a product */
} joint_work;

static spmv_status enqueue_work(const joint_run *p, const joint_work *work, spmv_error *err)
{
    const run_options *o = p->job->options;
    if (work->graph != NULL) return spmv_gpus_replay(p->gpus, work->graph, err);
    if (work->exchanges > 0) return spmv_gpus_exchange(p->gpus, work->exchanges, err);
    return spmv_gpus_apply(p->gpus, o->alpha, o->beta, 1, err);
}

/* All ranks begin together, and do their part of it even where something has failed: the others
 * wait for that. */
static spmv_status do_work(const joint_run *p, const joint_work *work, double *seconds,
                           spmv_error *err)
{
    spmv_status st;
    *seconds = 0;
    (void)spmv_comm_agree(p->comm, SPMV_SUCCESS, err);
    st = spmv_gpus_timer_start(p->gpus, err);
    const spmv_status done = enqueue_work(p, work, st == SPMV_SUCCESS ? err : NULL);
    if (st == SPMV_SUCCESS) st = done;
    if (st == SPMV_SUCCESS) st = spmv_gpus_timer_stop(p->gpus, seconds, err);
    return spmv_comm_agree(p->comm, st, err);
}

spmv_status joint_multiply(const joint_run *p, const spmv_dense *x, spmv_dense *y, spmv_error *err)
{
    const joint_work once = {0};
    double seconds;
    spmv_status st;
    tool_phase_begin("upload", "vectors");
    st = spmv_gpus_set_x(p->gpus, x, err);
    if (st == SPMV_SUCCESS) st = spmv_gpus_set_y(p->gpus, y, err);
    tool_phase_end(0);
    TOOL_TRY(spmv_comm_agree(p->comm, st, err));
    tool_phase_begin("multiply", p->job->kernel->name);
    st = do_work(p, &once, &seconds, err);
    tool_phase_end(0);
    if (st != SPMV_SUCCESS) return st;
    tool_phase_begin("download", "y");
    st = spmv_gpus_get_y(p->gpus, y, err);
    tool_phase_end(0);
    TOOL_TRY(spmv_comm_agree(p->comm, st, err));
done:
    return st;
}

/* ---- Samples -------------------------------------------------------------------------------- */

/* *seconds becomes that of the rank for which it has taken longest. */
static spmv_status take_longest(const joint_run *p, double *seconds, spmv_error *err)
{
    double *all;
    const spmv_status st = tool_gather(&all, p->comm, seconds, 1, err);
    for (int k = 0; k < spmv_comm_size(p->comm) && st == SPMV_SUCCESS; k++)
        if (all[k] > *seconds) *seconds = all[k];
    free(all);
    return st;
}

static spmv_status time_work(joint_run *p, const joint_work *work, int warmup, spmv_error *err)
{
    run_times *times = &p->job->times;
    spmv_status st = SPMV_SUCCESS;
    p->own_s = 0;
    for (int i = -warmup; i < times->count; i++) {
        double seconds;
        TOOL_TRY(do_work(p, work, &seconds, err));
        if (i >= 0) p->own_s += seconds / (double)times->batch;
        TOOL_TRY(take_longest(p, &seconds, err));
        times->samples[i < 0 ? 0 : i] = seconds / (double)times->batch;
    }
done:
    return st;
}

/* Decide on batches by the first times, and record one where the host has no part in it. */
static spmv_status record_batch(joint_run *p, spmv_recording **graph, spmv_error *err)
{
    const run_options *o = p->job->options;
    run_times *times = &p->job->times;
    spmv_status st = SPMV_SUCCESS;
    const spmv_route route = spmv_gpus_route(p->gpus);
    if (route == SPMV_ROUTE_IPC || route == SPMV_ROUTE_NCCL)
        times->batch = times->samples[0] > long_product ? 1 : replay_size(o->repeat);
    times->count = (int)((o->repeat + times->batch - 1) / times->batch);
    if (times->batch > 1)
        st = spmv_gpus_record(graph, p->gpus, o->alpha, o->beta, times->batch, err);
    return spmv_comm_agree(p->comm, st, err);
}

/* One more product, of which all is known: of the graph, where that does not read y. */
static spmv_status multiply_last(joint_run *p, const joint_work *work, spmv_dense *y,
                                 spmv_error *err)
{
    const bool reads_y = run_adds_to_y(p->job->options);
    const joint_work once = {0};
    double seconds;
    spmv_status st;
    if (!reads_y) step_blank(y);
    TOOL_TRY(spmv_comm_agree(p->comm, spmv_gpus_set_y(p->gpus, y, err), err));
    TOOL_TRY(do_work(p, reads_y ? &once : work, &seconds, err));
    TOOL_TRY(spmv_comm_agree(p->comm, spmv_gpus_get_y(p->gpus, y, err), err));
done:
    return st;
}

spmv_status joint_measure(joint_run *p, spmv_dense *last, spmv_error *err)
{
    const int64_t repeat = p->job->options->repeat;
    run_times *times = &p->job->times;
    joint_work work = {0};
    spmv_recording *graph = NULL;
    spmv_status st = SPMV_SUCCESS;
    *times = (run_times){.batch = 1, .count = 1};
    times->samples = calloc((size_t)repeat, sizeof *times->samples);
    if (times->samples == NULL)
        st = tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot store %lld times", (long long)repeat);
    TOOL_TRY(spmv_comm_agree(p->comm, st, err));
    TOOL_TRY(time_work(p, &work, WARMUP, err));
    TOOL_TRY(record_batch(p, &graph, err));
    work.graph = graph;
    TOOL_TRY(time_work(p, &work, graph != NULL, err));
    if (last != NULL) TOOL_TRY(multiply_last(p, &work, last, err));
done:
    spmv_recording_destroy(graph);
    return st;
}

spmv_status joint_time_exchange(const joint_run *p, double *seconds, spmv_error *err)
{
    const joint_work exchanges = {.exchanges = EXCHANGES};
    const spmv_status st = do_work(p, &exchanges, seconds, err);
    *seconds /= EXCHANGES;
    return st;
}
