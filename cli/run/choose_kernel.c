/* choose_kernel.c -- which kernel multiplies, and where. */
#include "cli/run/run.h"
#include "cli/measure/kernel_choice.h"
#include "cli/tool/fail.h"

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

/* Bytes of a number, and of a row of all vectors, from which on csr-groups pays. */
enum { GROUPED_NUMBER = 8, GROUPED = 64 };

/* The kernel of the device that takes several vectors at once. */
static const spmv_kernel *spmm_kernel(const run_job *job, bool gpu)
{
    const int64_t number = (int64_t)spmv_type_size(job->precision);
    if (gpu && number >= GROUPED_NUMBER && job->options->vectors * number >= GROUPED)
        return spmv_kernel_find("csr-groups");
    for (int i = 0; i < spmv_kernel_count(); i++)
        if (spmv_kernel_at(i)->spmm && spmv_kernel_at(i)->gpu == gpu) return spmv_kernel_at(i);
    return NULL;
}

/* Another kernel than the rule says may pay for its set-up where a matrix is multiplied often with
 * one vector on one GPU. */
static spmv_status weigh_setups(run_job *job, spmv_error *err)
{
    const run_options *o = job->options;
    spmv_device_info gpu;
    spmv_status st = SPMV_SUCCESS;
    if (o->repeat < 2 || job->device == SPMV_DEVICE_CPU || job->gpus > 0 ||
        job->A.format != SPMV_CSR)
        return SPMV_SUCCESS;
    TOOL_TRY(spmv_device_describe(job->device, &gpu, err));
    if (gpu.bandwidth <= 0) goto done;
    TOOL_TRY(spmv_kernel_weigh(&job->weighing, &job->A, &job->stats, gpu.bandwidth, job->precision,
                               o->repeat, err));
    const spmv_weighed *best = &job->weighing.kernel[job->weighing.best];
    job->config = best->options;
    job->kernel = spmv_kernel_find(best->options.kernel);
    job->reason = best->reason;
done:
    return st;
}

/* Several vectors are multiplied in one pass over the matrix, unless a rule is asked for by name.
 */
static spmv_status choose_by_rule(run_job *job, const kernel_rule *rule, spmv_error *err)
{
    const bool gpu = job->device != SPMV_DEVICE_CPU;
    job->config = rule->choose(&job->stats, gpu, &job->reason);
    job->kernel = spmv_kernel_find(job->config.kernel);
    if (rule != &kernel_rules[KERNEL_AUTO]) return SPMV_SUCCESS;
    if (job->options->vectors == 1) return weigh_setups(job, err);
    job->reason = "all vectors in one pass over the matrix";
    job->config.block_size = 0;
    job->kernel = spmm_kernel(job, gpu);
    return SPMV_SUCCESS;
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
    if (st == SPMV_SUCCESS) run_configure(&job->config, job, job->kernel);
    return st;
}
