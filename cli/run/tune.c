/* tune.c -- --kernel tune: every kernel of the device is timed, the fastest is taken.
 *
 * Kernels that may give other bits in the next run are left out, and formats that would be padding
 * for the most part. */
#include "cli/measure/form.h"
#include "cli/measure/samples.h"
#include "cli/run/run.h"
#include "cli/tool/exit_status.h"
#include "cli/tool/fail.h"
#include "cli/tool/message.h"
#include "cli/text/number_text.h"
#include "cli/tool/phase.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_candidate(const run_job *job, const spmv_kernel *kernel)
{
    return kernel->available && kernel->gpu == (job->device != SPMV_DEVICE_CPU) &&
           kernel->deterministic;
}

/* The matrix in a format, as it is where that is its own, and where its kernel runs. */
static spmv_status make(form *f, const run_job *job, spmv_context *ctx, spmv_format format,
                        spmv_error *err)
{
    const spmv_convert_options build = {.max_fill = 3};
    spmv_status st;
    if (form_is(f, job->A.head.type, format)) return SPMV_SUCCESS;
    form_destroy(f);
    f->A = &job->A;
    if (job->A.format != format) {
        TOOL_TRY(spmv_convert(&f->made, &job->A, format, &build, err));
        f->A = &f->made;
    }
    if (job->device != SPMV_DEVICE_CPU) TOOL_TRY(form_copy(f, ctx, err));
done:
    if (st != SPMV_SUCCESS) form_destroy(f);
    return st;
}

/* Seconds of the fastest of a few multiplications; infinite where the kernel leaves them to another
 * one, which is tried itself. */
static spmv_status time_kernel(const run_job *job, spmv_context *ctx, const form *f,
                               const spmv_kernel_options *config, double *seconds, spmv_error *err)
{
    enum { WARMUP = 1, SAMPLES = 5 };
    double samples[SAMPLES];
    run_times times = {samples, SAMPLES, 1};
    spmv_operator *op = NULL;
    spmv_status st = form_operator(&op, ctx, f, config, err);
    *seconds = INFINITY;
    if (st == SPMV_SUCCESS &&
        strcmp(spmv_operator_kernel(op, job->precision), config->kernel) == 0) {
        st = run_measure(job, ctx, op, WARMUP, &times, NULL, err);
        if (st == SPMV_SUCCESS) *seconds = samples_summarise(samples, SAMPLES).min;
    }
    spmv_operator_destroy(op);
    return st;
}

static void keep_result(run_job *job, const spmv_kernel *kernel, double seconds, double *best)
{
    char time[TOOL_NUMBER];
    job->tried[job->tried_count++] = (run_try){kernel->name, seconds};
    tool_detail("tune: %s %s", kernel->name, tool_time_text(seconds, time));
    if (job->kernel != NULL && seconds >= *best) return;
    *best = seconds;
    job->kernel = kernel;
}

spmv_status run_tune(run_job *job, spmv_error *err)
{
    spmv_status st;
    spmv_context *ctx = NULL;
    form f = {0};
    double best = 0, seconds;

    job->tried = calloc((size_t)spmv_kernel_count(), sizeof *job->tried);
    if (job->tried == NULL)
        return tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot store the times of all kernels");
    tool_phase_begin("tune", NULL);
    job->reason = "the fastest of those tried";
    TOOL_TRY(run_own_indices(job, err));
    TOOL_TRY(spmv_context_create(&ctx, job->device, (int)job->options->common.threads, err));
    for (int i = 0; i < spmv_kernel_count(); i++) {
        const spmv_kernel *kernel = spmv_kernel_at(i);
        spmv_kernel_options config = {0};
        if (!is_candidate(job, kernel)) continue;
        run_configure(&config, job, kernel);
        st = make(&f, job, ctx, form_taken(kernel, job->A.format), err);
        if (st == SPMV_SUCCESS) st = time_kernel(job, ctx, &f, &config, &seconds, err);
        if (tool_cannot_hold(st)) continue;
        TOOL_TRY(st);
        if (isfinite(seconds)) keep_result(job, kernel, seconds, &best);
    }
    st = SPMV_SUCCESS;
    if (job->kernel == NULL)
        st = tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "no kernel could hold the matrix");
done:
    tool_phase_end(0);
    form_destroy(&f);
    spmv_context_destroy(ctx);
    return st;
}
