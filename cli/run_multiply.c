/* run_multiply.c -- one multiplication for the answer, then more of them for the times. */
#include "run.h"

#include <stdlib.h>

enum { WARMUP = 2 };

/* A copy of host vectors where the operator wants them, several by rows if it takes them so. */
static spmv_status place(spmv_dense *out, spmv_context *ctx, const spmv_operator *op,
                         const spmv_dense *v, spmv_error *err)
{
    const spmv_kernel *kernel = spmv_kernel_find(spmv_operator_config(op)->kernel);
    const bool by_rows = kernel->spmm && v->cols > 1;
    spmv_dense copy;
    if (!kernel->gpu) return spmv_dense_reorder(out, v, by_rows, err);
    if (!by_rows) return spmv_dense_to_gpu(out, ctx, v, err);
    spmv_status st = spmv_dense_reorder(&copy, v, true, err);
    if (st == SPMV_SUCCESS) st = spmv_dense_to_gpu(out, ctx, &copy, err);
    spmv_dense_destroy(&copy);
    return st;
}

/* The way back, on the host and by columns; *v may be taken over. */
static spmv_status fetch(spmv_dense *out, spmv_context *ctx, spmv_dense *v, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    if (v->on_gpu) {
        spmv_dense host;
        TOOL_TRY(spmv_dense_from_gpu(&host, ctx, v, err));
        spmv_dense_destroy(v);
        *v = host;
    }
    if (v->by_rows) return spmv_dense_reorder(out, v, false, err);
    *out = *v;
    *v = (spmv_dense){0};
done:
    return st;
}

/* Bytes that a vector moves to or from the device; none on the CPU. */
static int64_t moved(const spmv_context *ctx, const spmv_dense *v)
{
    const bool gpu = spmv_context_device(ctx) != SPMV_DEVICE_CPU;
    return gpu ? v->rows * v->cols * (int64_t)spmv_type_size(v->type) : 0;
}

/* Works on a y of its own: with beta != 0 each multiplication changes it. */
spmv_status run_measure(const run_job *job, spmv_context *ctx, spmv_operator *op, int warmup,
                        int count, double *samples, spmv_error *err)
{
    spmv_status st;
    spmv_dense x = {0}, y = {0};
    spmv_result result;
    TOOL_TRY(place(&x, ctx, op, &job->x, err));
    TOOL_TRY(place(&y, ctx, op, &job->y0, err));
    for (int i = -warmup; i < count; i++) {
        TOOL_TRY(spmv_apply_complex(op, run_opt.alpha, &x, run_opt.beta, &y, &result, err));
        if (i >= 0) samples[i] = result.elapsed_ms * 1e-3;
    }
done:
    spmv_dense_destroy(&x);
    spmv_dense_destroy(&y);
    return st;
}

/* job->y = alpha A x + beta y0, each part of the way a phase of its own. */
static spmv_status answer(run_job *job, spmv_context *ctx, spmv_operator *op, spmv_error *err)
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
    st = spmv_apply_complex(op, run_opt.alpha, &x, run_opt.beta, &y, &result, err);
    tool_phase_end(0);
    if (st != SPMV_SUCCESS) goto done;

    tool_phase_begin("download", "y");
    st = fetch(&job->y, ctx, &y, err);
    tool_phase_end(moved(ctx, &job->y0));
done:
    spmv_dense_destroy(&x);
    spmv_dense_destroy(&y);
    return st;
}

/* The operator: the matrix on its device, partitioned where the kernel wants it. */
static spmv_status prepare(run_job *job, spmv_context *ctx, spmv_operator **op, spmv_error *err)
{
    const double start = tool_now();
    tool_phase_begin("upload", "matrix");
    const spmv_status st = spmv_operator_create(op, ctx, &job->A, &job->config, err);
    tool_phase_end(spmv_context_device(ctx) != SPMV_DEVICE_CPU ? (int64_t)spmv_bytes(&job->A) : 0);
    job->setup += tool_now() - start;
    return st;
}

static spmv_status take_samples(run_job *job, spmv_context *ctx, spmv_operator *op, spmv_error *err)
{
    job->samples = calloc((size_t)run_opt.repeat, sizeof *job->samples);
    if (job->samples == NULL)
        return tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot store %lld times",
                         (long long)run_opt.repeat);
    tool_phase_begin("measure", job->kernel->name);
    const spmv_status st =
        run_measure(job, ctx, op, WARMUP, (int)run_opt.repeat, job->samples, err);
    tool_phase_end(0);
    return st;
}

spmv_status run_multiply(run_job *job, spmv_error *err)
{
    spmv_status st;
    spmv_context *ctx = NULL;
    spmv_operator *op = NULL;
    TOOL_TRY(spmv_context_create(&ctx, job->device, (int)common.threads, err));
    TOOL_TRY(prepare(job, ctx, &op, err));
    TOOL_TRY(answer(job, ctx, op, err));
    TOOL_TRY(take_samples(job, ctx, op, err));
done:
    spmv_operator_destroy(op);
    spmv_context_destroy(ctx);
    return st;
}
