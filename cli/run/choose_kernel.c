/* choose_kernel.c -- which kernel multiplies, and where. */
#include "cli/run/run.h"
#include "cli/measure/kernel_choice.h"
#include "cli/tool/fail.h"
#include "cli/tool/message.h"

#include <string.h>

const char *run_kernel_name(int i)
{
    return kernel_word("tune", i);
}

static spmv_status choose_named(run_job *job, spmv_error *err)
{
    const spmv_kernel *kernel = spmv_kernel_find(job->options->kernel);
    job->reason = "named on the command line";
    job->kernel = kernel;
    const spmv_status st =
        kernel_check_device(kernel, job->device, job->options->common.device, err);
    if (!kernel->gpu) job->device = SPMV_DEVICE_CPU;
    return st;
}

spmv_status run_weigh(spmv_weighing *out, const run_job *job, const spmv_matrix *A,
                      const spmv_row_stats *stats, int device, spmv_error *err)
{
    const run_options *o = job->options;
    spmv_device_info gpu;
    spmv_status st = SPMV_SUCCESS;
    out->count = 0;
    if (kernel_rule_named(o->kernel) != &kernel_rules[KERNEL_AUTO] || o->vectors > 1 ||
        o->repeat < 2 || device == SPMV_DEVICE_CPU || A->format != SPMV_CSR)
        return st;
    TOOL_TRY(spmv_device_describe(device, &gpu, err));
    if (gpu.bandwidth > 0)
        TOOL_TRY(spmv_kernel_weigh(out, A, stats, gpu.bandwidth, job->precision, o->repeat, err));
done:
    return st;
}

/* Several GPUs share the work of products and of set-ups. */
static spmv_status weigh_setups(run_job *job, spmv_error *err)
{
    spmv_weighing *w = &job->weighing;
    const spmv_status st = run_weigh(w, job, &job->A, &job->stats, job->device, err);
    if (st != SPMV_SUCCESS || w->count == 0) return st;
    for (int i = 0; i < w->count && job->gpus > 1; i++) {
        w->kernel[i].product_s /= job->gpus;
        w->kernel[i].setup_s /= job->gpus;
    }
    const spmv_weighed *best = &w->kernel[w->best];
    job->config = best->options;
    job->kernel = spmv_kernel_find(best->options.kernel);
    job->reason = best->reason;
    return SPMV_SUCCESS;
}

static spmv_status choose_by_rule(run_job *job, const kernel_rule *rule, spmv_error *err)
{
    const kernel_task task = {.stats = &job->stats,
                              .gpu = job->device != SPMV_DEVICE_CPU,
                              .vectors = job->options->vectors,
                              .precision = job->precision};
    job->config = rule->choose(&task, &job->reason);
    job->kernel = spmv_kernel_find(job->config.kernel);
    return weigh_setups(job, err);
}

spmv_status run_choose(run_job *job, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    const kernel_rule *rule = kernel_rule_named(job->options->kernel);
    if (rule != NULL)
        st = choose_by_rule(job, rule, err);
    else if (strcmp(job->options->kernel, "tune") == 0)
        st = run_tune(job, err);
    else
        st = choose_named(job, err);
    if (st != SPMV_SUCCESS) return st;
    if (job->options->block_size > 0 && job->device == SPMV_DEVICE_CPU)
        tool_warn("--block-size has no effect on %s, which runs on the CPU", job->kernel->name);
    run_configure(&job->config, job, job->kernel);
    return st;
}
