/* take_samples.c -- when there are enough samples, and what one of them is.
 *
 * A multiplication that is much shorter than the time given is repeated, and the sample is the mean
 * of the repetitions: otherwise the clock, the events of the GPU and the calls between them would
 * be measured.  Several GPUs begin and end together, which costs more than an event: their samples
 * are longer.  Cold multiplications cannot be repeated in that way.  On a GPU the calls themselves
 * may take longer than a short multiplication: recorded as a graph they cost nearly nothing. */
#include "cli/bench/measure/take_samples.h"
#include "cli/measure/replay.h"
#include "cli/measure/samples.h"
#include "cli/tool/fail.h"
#include "cli/tool/signals.h"

#include <math.h>

enum {
    SAMPLES_AIMED_AT = 200, /* in the least time */
    NOISE_PATIENCE = 5,     /* times the least time, to come below the noise that is allowed */
    LONGEST_BATCH = 1000000
};

static const double joint_sample = 0.01; /* seconds that one of several GPUs takes at least */

spmv_status bench_multiply(bench_work *work, spmv_error *err)
{
    if (work->gpus != NULL)
        return spmv_gpus_apply(work->gpus, (spmv_scalar){1, 0}, (spmv_scalar){0, 0}, 1, err);
    if (work->peer != NULL) return work->peer->multiply(work->plan, err);
    return spmv_apply(work->op, 1, &work->x, 0, &work->y, NULL, err);
}

static spmv_status multiply(void *work, spmv_error *err)
{
    return bench_multiply(work, err);
}

/* Returns how many multiplications are asked for at a time. */
static int64_t step_of(const bench_work *work)
{
    return work->graph != NULL ? REPLAY_MOST : 1;
}

/* ---- By the context, or by several GPUs ------------------------------------------------------ */

static spmv_status record(bench_work *work, spmv_error *err)
{
    if (work->gpus == NULL)
        return replay_record(&work->graph, work->ctx, REPLAY_MOST, multiply, work, err);
    return spmv_gpus_record(&work->graph, work->gpus, (spmv_scalar){1, 0}, (spmv_scalar){0, 0},
                            REPLAY_MOST, err);
}

static spmv_status multiply_step(bench_work *work, spmv_error *err)
{
    if (work->graph == NULL) return bench_multiply(work, err);
    return work->gpus != NULL ? spmv_gpus_replay(work->gpus, work->graph, err)
                              : spmv_context_replay(work->ctx, work->graph, err);
}

static spmv_status start_timer(bench_work *work, spmv_error *err)
{
    return work->gpus != NULL ? spmv_gpus_timer_start(work->gpus, err)
                              : spmv_context_timer_start(work->ctx, err);
}

static spmv_status stop_timer(bench_work *work, double *seconds, spmv_error *err)
{
    return work->gpus != NULL ? spmv_gpus_timer_stop(work->gpus, seconds, err)
                              : spmv_context_timer_stop(work->ctx, seconds, err);
}

static spmv_status set_y(bench_work *work, const spmv_dense *y, spmv_error *err)
{
    return work->gpus != NULL ? spmv_gpus_set_y(work->gpus, y, err)
                              : spmv_dense_set(&work->y, work->ctx, y, err);
}

/* ---- Samples -------------------------------------------------------------------------------- */

/* Seconds of each of `batch` multiplications in a row, whole steps. */
static spmv_status time_batch(bench_work *work, int64_t batch, double *seconds, spmv_error *err)
{
    spmv_status st;
    TOOL_TRY(start_timer(work, err));
    for (int64_t i = 0; i < batch; i += step_of(work)) TOOL_TRY(multiply_step(work, err));
    TOOL_TRY(stop_timer(work, seconds, err));
    *seconds /= (double)batch;
done:
    return st;
}

/* Multiply until caches, clocks and pages are what they will be; *seconds is the fastest. */
static spmv_status warm_up(bench_work *work, double *seconds, spmv_error *err)
{
    const bench_options *o = work->matrix->options;
    spmv_status st = SPMV_SUCCESS;
    const double enough = spmv_now() + o->min_time / 10;
    *seconds = INFINITY;
    for (int64_t i = 0; i < o->warmup || spmv_now() < enough; i++) {
        double one;
        TOOL_TRY(time_batch(work, step_of(work), &one, err));
        if (one < *seconds) *seconds = one;
        if (bench_time_left(work->deadline) <= 0) break;
    }
done:
    return st;
}

int64_t bench_batch_of(double least, double time_left, double seconds, int64_t step)
{
    const double aim = fmin(least, time_left);
    const double steps = ceil(aim / (seconds * (double)step));
    if (!(steps > 1)) return step;
    return steps * (double)step < LONGEST_BATCH ? (int64_t)steps * step : LONGEST_BATCH;
}

double bench_least_sample(const bench_options *o)
{
    return o->min_time / SAMPLES_AIMED_AT;
}

/* Summaries sort: they are made at ever larger intervals. */
static bool is_calm(const bench_times *t, double max_noise, int *next)
{
    if (t->count < *next) return false;
    *next = t->count + t->count / 4 + 1;
    return t->count >= SAMPLES_WITH_INTERVAL &&
           samples_summarise(t->samples, t->count).noise * 100 <= max_noise;
}

bool bench_is_enough(const bench_options *o, const bench_times *t, double elapsed, int *next)
{
    if (t->count >= BENCH_SAMPLES) return true;
    if (t->count < o->min_samples || elapsed < o->min_time) return false;
    return elapsed >= NOISE_PATIENCE * o->min_time || is_calm(t, o->max_noise, next);
}

double bench_time_left(double deadline)
{
    return tool_end_wanted() ? 0 : deadline - spmv_now();
}

/* One step more, as those that were timed, into a y that shows what is not written. */
static spmv_status multiply_blank(bench_work *work, spmv_error *err)
{
    double seconds;
    spmv_status st = SPMV_SUCCESS;
    if (work->blank.data == NULL) return st;
    TOOL_TRY(set_y(work, &work->blank, err));
    TOOL_TRY(time_batch(work, step_of(work), &seconds, err));
done:
    return st;
}

spmv_status bench_take_times(bench_work *work, bench_state state, bench_times *out, spmv_error *err)
{
    const bench_options *o = work->matrix->options;
    spmv_status st = SPMV_SUCCESS;
    const bool cold = state == BENCH_COLD;
    const double least = fmax(bench_least_sample(o), work->gpus != NULL ? joint_sample : 0);
    double single = INFINITY;
    int next = 0;

    out->count = 0;
    if (state == BENCH_GRAPH) TOOL_TRY(record(work, err));
    if (!cold) TOOL_TRY(warm_up(work, &single, err));
    out->batch =
        cold ? 1 : bench_batch_of(least, bench_time_left(work->deadline), single, step_of(work));
    const double start = spmv_now();
    do {
        if (cold) {
            TOOL_TRY(spmv_context_flush_cache(work->ctx, err));
            TOOL_TRY(spmv_context_synchronize(work->ctx, err));
        }
        TOOL_TRY(time_batch(work, out->batch, &out->samples[out->count], err));
        out->count++;
    } while (bench_time_left(work->deadline) > 0 &&
             !bench_is_enough(o, out, spmv_now() - start, &next));
    st = multiply_blank(work, err);
done:
    spmv_recording_destroy(work->graph);
    work->graph = NULL;
    return st;
}
