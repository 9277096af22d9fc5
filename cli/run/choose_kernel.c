/* choose_kernel.c -- which kernel multiplies, and where. */
#include "cli/run/run.h"
#include "cli/tool/fail.h"

#include <string.h>

spmv_status run_own_indices(run_job *job, spmv_error *err)
{
    return job->options->verify ? SPMV_SUCCESS : spmv_own_indices(&job->A, err);
}

const char *run_kernel_name(int i)
{
    static const char *const rules[] = {"auto", "auto-rule", "tune"};
    enum { RULES = sizeof rules / sizeof rules[0] };
    if (i < RULES) return rules[i];
    return i - RULES < spmv_kernel_count() ? spmv_kernel_at(i - RULES)->name : NULL;
}

const spmv_kernel *run_cpu_kernel(const spmv_kernel *kernel)
{
    for (int i = 0; i < spmv_kernel_count(); i++) {
        const spmv_kernel *k = spmv_kernel_at(i);
        if (!k->gpu && k->format == kernel->format) return k;
    }
    return NULL;
}

/* A kernel that was named runs with its own defaults, or not at all: nothing takes its place. */
static spmv_status choose_named(run_job *job, spmv_error *err)
{
    const spmv_kernel *kernel = spmv_kernel_find(job->options->kernel);
    const bool anywhere = strcmp(job->options->common.device, "auto") == 0;
    const bool on_gpu = job->device != SPMV_DEVICE_CPU;

    job->reason = "named on the command line";
    if (kernel->gpu != on_gpu && !anywhere)
        return tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                         "kernel %s runs on the %s, not with "
                         "--device %.20s",
                         kernel->name, kernel->gpu ? "GPU" : "CPU", job->options->common.device);
    if (kernel->gpu && !on_gpu)
        return tool_fail(err, SPMV_ERROR_NO_DEVICE,
                         "kernel %s needs a GPU, and none can be used here; %s takes the same "
                         "format on the CPU",
                         kernel->name, run_cpu_kernel(kernel)->name);
    if (!kernel->gpu) job->device = SPMV_DEVICE_CPU;
    job->kernel = kernel;
    return SPMV_SUCCESS;
}

/* The published rule knows GPU kernels only: the CPU kernel of the same format stands in. */
static void choose_by_rule(run_job *job)
{
    job->reason = "the published rule";
    job->config = spmv_kernel_config_rule(&job->stats);
    job->kernel = spmv_kernel_find(job->config.kernel);
    if (job->device == SPMV_DEVICE_CPU) job->kernel = run_cpu_kernel(job->kernel);
}

/* The only kernel of the device that takes several vectors at once. */
static const spmv_kernel *spmm_kernel(bool gpu)
{
    for (int i = 0; i < spmv_kernel_count(); i++)
        if (spmv_kernel_at(i)->spmm && spmv_kernel_at(i)->gpu == gpu) return spmv_kernel_at(i);
    return NULL;
}

static void choose_automatically(run_job *job)
{
    const bool gpu = job->device != SPMV_DEVICE_CPU;
    job->config = spmv_kernel_config_auto(&job->stats, gpu, &job->reason);
    job->kernel = spmv_kernel_find(job->config.kernel);
    if (job->options->vectors == 1) return;
    job->reason = "all vectors in one pass over the matrix";
    job->config.block_size = 0;
    job->kernel = spmm_kernel(gpu);
}

void run_configure(spmv_kernel_config *config, const run_job *job, const spmv_kernel *kernel)
{
    config->kernel = kernel->name;
    config->vector_type = job->precision;
    if (job->options->block_size > 0) config->block_size = (int)job->options->block_size;
}

spmv_status run_choose(run_job *job, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    if (strcmp(job->options->kernel, "auto") == 0)
        choose_automatically(job);
    else if (strcmp(job->options->kernel, "auto-rule") == 0)
        choose_by_rule(job);
    else if (strcmp(job->options->kernel, "tune") == 0)
        st = run_tune(job, err);
    else
        st = choose_named(job, err);
    if (st == SPMV_SUCCESS) run_configure(&job->config, job, job->kernel);
    return st;
}
