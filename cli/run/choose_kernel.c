/* choose_kernel.c -- which kernel multiplies, and where. */
#include "cli/run/run.h"
#include "cli/measure/kernel_choice.h"

#include <string.h>

const char *run_kernel_name(int i)
{
    static const char *const rules[] = {"auto", "auto-rule", "tune"};
    enum { RULES = sizeof rules / sizeof rules[0] };
    if (i < RULES) return rules[i];
    return i - RULES < spmv_kernel_count() ? spmv_kernel_at(i - RULES)->name : NULL;
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

static void choose_by_rule(run_job *job)
{
    job->config = kernel_by_rule(&job->stats, job->device != SPMV_DEVICE_CPU, &job->reason);
    job->kernel = spmv_kernel_find(job->config.kernel);
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
