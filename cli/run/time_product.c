/* time_product.c -- one multiplication for the answer, then more of them where times are asked for.
 */
#include "cli/measure/kernel_choice.h"
#include "cli/measure/replay.h"
#include "cli/run/run.h"
#include "cli/tool/fail.h"
#include "cli/tool/message.h"
#include "cli/tool/phase.h"
#include "cli/tool/steps.h"

#include <stdlib.h>
#include <string.h>

spmv_status run_own_indices(run_job *job, spmv_error *err)
{
    return job->options->verify ? SPMV_SUCCESS : spmv_own_indices(&job->A, err);
}

void run_configure(spmv_kernel_options *config, const run_job *job, const spmv_kernel *kernel)
{
    config->kernel = kernel->name;
    config->vector_type = job->precision;
    if (job->options->block_size > 0) config->block_size = (int)job->options->block_size;
}

enum { WARMUP = 2 };

/* Copy host vectors to where the operator wants them, several by rows if it takes them so. */
static spmv_status place(spmv_dense *out, spmv_context *ctx, const spmv_operator *op,
                         const spmv_dense *v, spmv_error *err)
{
    const spmv_kernel *kernel = spmv_kernel_find(spmv_operator_options(op)->kernel);
    const bool by_rows = kernel->spmm && v->cols > 1;
    spmv_dense copy;
    if (!kernel->gpu) return spmv_dense_reorder(out, v, by_rows, err);
    if (!by_rows) return spmv_dense_to_gpu(out, ctx, v, err);
    spmv_status st = spmv_dense_reorder(&copy, v, true, err);
    if (st == SPMV_SUCCESS) st = spmv_dense_to_gpu(out, ctx, &copy, err);
    spmv_dense_destroy(&copy);
    return st;
}

/* Copy vectors back to the host, by columns. */
static spmv_status copy_back(spmv_dense *out, spmv_context *ctx, const spmv_dense *v,
                             spmv_error *err)
{
    spmv_dense host;
    if (!v->on_gpu) return spmv_dense_reorder(out, v, false, err);
    spmv_status st = spmv_dense_from_gpu(&host, ctx, v, err);
    if (st != SPMV_SUCCESS || !host.by_rows) {
        *out = host;
        return st;
    }
    st = spmv_dense_reorder(out, &host, false, err);
    spmv_dense_destroy(&host);
    return st;
}

/* Do the same, for which *v may be taken over. */
static spmv_status take_back(spmv_dense *out, spmv_context *ctx, spmv_dense *v, spmv_error *err)
{
    if (v->on_gpu || v->by_rows) return copy_back(out, ctx, v, err);
    *out = *v;
    *v = (spmv_dense){0};
    return SPMV_SUCCESS;
}

/* Returns the bytes that a vector moves to or from the device; none on the CPU. */
static int64_t moved(const spmv_context *ctx, const spmv_dense *v)
{
    const bool gpu = spmv_context_device(ctx) != SPMV_DEVICE_CPU;
    return gpu ? v->rows * v->cols * (int64_t)spmv_type_size(v->type) : 0;
}

/* The operator and the vectors on its device. */
typedef struct placed {
    const run_options *options; /* with the factors */
    spmv_operator *op;
    spmv_dense x, y;
} placed;

static spmv_status multiply_once(void *work, spmv_error *err)
{
    placed *p = work;
    return spmv_apply_complex(p->op, p->options->alpha, &p->x, p->options->beta, &p->y, NULL, err);
}

/* Time out->batch multiplications recorded as a graph, out->count times. */
static spmv_status time_graphs(spmv_recording **graph, spmv_context *ctx, placed *p, run_times *out,
                               spmv_error *err)
{
    spmv_status st;
    TOOL_TRY(replay_record(graph, ctx, (int)out->batch, multiply_once, p, err));
    TOOL_TRY(spmv_context_replay(ctx, *graph, err)); /* the first one takes longer */
    for (int i = 0; i < out->count; i++) {
        TOOL_TRY(spmv_context_timer_start(ctx, err));
        TOOL_TRY(spmv_context_replay(ctx, *graph, err));
        TOOL_TRY(spmv_context_timer_stop(ctx, &out->samples[i], err));
        out->samples[i] /= (double)out->batch;
    }
done:
    return st;
}

/* Give y what it held before the first product, or NaN where that is not to be read. */
static spmv_status begin_again(const run_job *job, spmv_context *ctx, placed *p, spmv_error *err)
{
    spmv_dense before = {0};
    spmv_status st = spmv_dense_reorder(&before, &job->y0, p->y.by_rows, err);
    if (st == SPMV_SUCCESS && !run_adds_to_y(job->options)) step_blank(&before);
    if (st == SPMV_SUCCESS) st = spmv_dense_set(&p->y, ctx, &before, err);
    spmv_dense_destroy(&before);
    return st;
}

/* Make one more product, of which all is known: a replay of the graph of n products, or else a
 * multiplication.  Where each product reads y, the last one of the graph reads what n - 1
 * multiplications give; these must come to the same bits again for that. */
static spmv_status multiply_last(const run_job *job, spmv_context *ctx, placed *p,
                                 const spmv_recording *graph, int64_t n, run_last *out,
                                 spmv_error *err)
{
    const bool replays =
        graph != NULL && (!run_adds_to_y(job->options) || job->kernel->deterministic);
    spmv_status st;
    TOOL_TRY(begin_again(job, ctx, p, err));
    if (replays && run_adds_to_y(job->options)) {
        for (int64_t i = 1; i < n; i++) TOOL_TRY(multiply_once(p, err));
        TOOL_TRY(spmv_context_synchronize(ctx, err));
        TOOL_TRY(copy_back(&out->before, ctx, &p->y, err));
        TOOL_TRY(begin_again(job, ctx, p, err));
    }
    TOOL_TRY(replays ? spmv_context_replay(ctx, graph, err) : multiply_once(p, err));
    TOOL_TRY(spmv_context_synchronize(ctx, err));
    TOOL_TRY(take_back(&out->after, ctx, &p->y, err));
done:
    return st;
}

/* The y is one of its own: with beta != 0 each multiplication changes it. */
spmv_status run_measure(const run_job *job, spmv_context *ctx, spmv_operator *op, int warmup,
                        run_times *out, run_last *last, spmv_error *err)
{
    spmv_status st;
    spmv_recording *graph = NULL;
    placed p = {.options = job->options, .op = op};
    spmv_result result = {0};
    TOOL_TRY(place(&p.x, ctx, op, &job->x, err));
    TOOL_TRY(place(&p.y, ctx, op, &job->y0, err));
    for (int i = 0; i < warmup; i++)
        TOOL_TRY(spmv_apply_complex(op, job->options->alpha, &p.x, job->options->beta, &p.y,
                                    &result, err));
    out->batch = replay_pays(ctx, result.seconds) ? (int)replay_size(out->count) : 1;
    if (out->batch > 1) {
        out->count = (int)((out->count + out->batch - 1) / out->batch);
        TOOL_TRY(time_graphs(&graph, ctx, &p, out, err));
    } else {
        for (int i = 0; i < out->count; i++) {
            TOOL_TRY(spmv_apply_complex(op, job->options->alpha, &p.x, job->options->beta, &p.y,
                                        &result, err));
            out->samples[i] = result.seconds;
        }
    }
    if (last != NULL) TOOL_TRY(multiply_last(job, ctx, &p, graph, out->batch, last, err));
done:
    spmv_recording_destroy(graph);
    spmv_dense_destroy(&p.x);
    spmv_dense_destroy(&p.y);
    return st;
}

/* Compute job->y = alpha A x + beta y0, each part of the way a phase of its own. */
static spmv_status compute_y(run_job *job, spmv_context *ctx, spmv_operator *op, spmv_error *err)
{
    spmv_status st;
    spmv_dense x = {0}, y = {0};
    spmv_result result;

    tool_phase_begin("upload", "vectors");
    st = place(&x, ctx, op, &job->x, err);
    if (st == SPMV_SUCCESS) st = place(&y, ctx, op, &job->y0, err);
    tool_phase_end(moved(ctx, &job->x) + moved(ctx, &job->y0));
    if (st != SPMV_SUCCESS) goto done;

    tool_phase_begin("multiply", job->kernel->name);
    st = spmv_apply_complex(op, job->options->alpha, &x, job->options->beta, &y, &result, err);
    tool_phase_end(0);
    if (st != SPMV_SUCCESS) goto done;

    tool_phase_begin("download", "y");
    st = take_back(&job->y, ctx, &y, err);
    tool_phase_end(moved(ctx, &job->y0));
done:
    spmv_dense_destroy(&x);
    spmv_dense_destroy(&y);
    return st;
}

/* Name the kernel that multiplies, which may be another one than was asked for; a rule only
 * proposes. */
static void name_kernel(run_job *job, const spmv_operator *op)
{
    const char *name = spmv_operator_kernel(op, job->precision);
    if (strcmp(name, job->kernel->name) == 0) return;
    if (kernel_rule_named(job->options->kernel) == NULL)
        tool_warn("%s finds nothing in this matrix that it could do better; %s multiplies it",
                  job->kernel->name, name);
    job->kernel = spmv_kernel_find(name);
    job->config.block_size = 0; /* its own */
}

/* Make the operator: the matrix on its device, partitioned where the kernel wants it. */
static spmv_status prepare_operator(run_job *job, spmv_context *ctx, spmv_operator **op,
                                    spmv_error *err)
{
    const double start = spmv_now();
    tool_phase_begin("upload", "matrix");
    const spmv_status st = spmv_operator_create(op, ctx, &job->A, &job->config, err);
    if (st == SPMV_SUCCESS) {
        job->config = *spmv_operator_options(*op);
        job->stored = spmv_operator_bytes(*op);
        name_kernel(job, *op);
    }
    tool_phase_end(spmv_context_device(ctx) != SPMV_DEVICE_CPU ? (int64_t)spmv_memory_bytes(&job->A)
                                                               : 0);
    job->setup += spmv_now() - start;
    return st;
}

static spmv_status take_samples(run_job *job, spmv_context *ctx, spmv_operator *op, spmv_error *err)
{
    run_times *times = &job->times;
    times->count = (int)job->options->repeat;
    times->samples = calloc((size_t)times->count, sizeof *times->samples);
    if (times->samples == NULL)
        return tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot store %lld times",
                         (long long)job->options->repeat);
    tool_phase_begin("measure", job->kernel->name);
    run_last *last = job->options->verify ? &job->last : NULL;
    const spmv_status st = run_measure(job, ctx, op, WARMUP, times, last, err);
    tool_phase_end(0);
    return st;
}

spmv_status run_multiply(run_job *job, spmv_error *err)
{
    const run_options *o = job->options;
    spmv_status st;
    spmv_context *ctx = NULL;
    spmv_operator *op = NULL;
    TOOL_TRY(spmv_context_create(&ctx, job->device, (int)o->common.threads, err));
    TOOL_TRY(prepare_operator(job, ctx, &op, err));
    TOOL_TRY(compute_y(job, ctx, op, err));
    if (o->repeat > 0) TOOL_TRY(take_samples(job, ctx, op, err));
done:
    spmv_operator_destroy(op);
    spmv_context_destroy(ctx);
    return st;
}
