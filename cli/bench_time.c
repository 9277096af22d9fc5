/* bench_time.c -- when there are enough samples, and what one of them is.
 *
 * A multiplication that is much shorter than the time given is repeated, and the sample is the mean
 * of the repetitions: otherwise the clock, the events of the GPU and the calls between them would
 * be measured.  Cold multiplications cannot be repeated in that way. */
#include "bench.h"

#include <math.h>

enum {
    SAMPLES_AIMED_AT = 200, /* in the least time */
    NOISE_PATIENCE = 5,     /* times the least time, to come below the noise that is allowed */
    LONGEST_BATCH = 1000000
};

spmv_status bench_multiply(bench_work *work, spmv_error *err)
{
    if (work->peer != NULL) return work->peer->multiply(work->plan, err);
    return spmv_apply(work->op, 1, &work->x, 0, &work->y, NULL, err);
}

/* Seconds of each of `batch` multiplications in a row. */
static spmv_status time_batch(bench_work *work, int64_t batch, double *seconds, spmv_error *err)
{
    spmv_status st;
    TOOL_TRY(spmv_context_timer_start(work->ctx, err));
    for (int64_t i = 0; i < batch; i++) TOOL_TRY(bench_multiply(work, err));
    TOOL_TRY(spmv_context_timer_stop(work->ctx, seconds, err));
    *seconds /= (double)batch;
done:
    return st;
}

/* Multiply until caches, clocks and pages are what they will be; *seconds is the fastest. */
static spmv_status warm_up(bench_work *work, double *seconds, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    const double enough = tool_now() + bench_opt.min_time / 10;
    *seconds = INFINITY;
    for (int64_t i = 0; i < bench_opt.warmup || tool_now() < enough; i++) {
        double one;
        TOOL_TRY(time_batch(work, 1, &one, err));
        if (one < *seconds) *seconds = one;
        if (tool_now() > work->deadline) break;
    }
done:
    return st;
}

static int64_t choose_batch(const bench_work *work, double seconds)
{
    const double aim = fmin(bench_opt.min_time / SAMPLES_AIMED_AT, work->deadline - tool_now());
    if (!(seconds < aim)) return 1;
    return seconds * LONGEST_BATCH < aim ? LONGEST_BATCH : (int64_t)ceil(aim / seconds);
}

/* Summaries sort: they are made at ever larger intervals. */
static bool is_calm(const bench_times *t, int *next)
{
    if (t->count < *next) return false;
    *next = t->count + t->count / 4 + 1;
    return samples_summarise(t->samples, t->count).noise * 100 <= bench_opt.max_noise;
}

spmv_status bench_take_times(bench_work *work, bool cold, bench_times *out, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    double single = INFINITY;
    int next = 0;

    out->count = 0;
    if (!cold) TOOL_TRY(warm_up(work, &single, err));
    out->batch = cold ? 1 : choose_batch(work, single);
    const double start = tool_now();
    while (out->count < BENCH_SAMPLES) {
        if (cold) {
            TOOL_TRY(spmv_context_flush(work->ctx, err));
            TOOL_TRY(spmv_context_synchronize(work->ctx, err));
        }
        TOOL_TRY(time_batch(work, out->batch, &out->samples[out->count], err));
        out->count++;
        const double elapsed = tool_now() - start;
        if (tool_now() > work->deadline) break;
        if (out->count < bench_opt.min_samples || elapsed < bench_opt.min_time) continue;
        if (elapsed >= NOISE_PATIENCE * bench_opt.min_time || is_calm(out, &next)) break;
    }
done:
    return st;
}
