/* choose_kernel.c -- which kernel multiplies, and where. */
#include "cli/run/run.h"
#include "cli/measure/kernel_choice.h"

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

/* Several vectors are multiplied in one pass over the matrix, unless a rule is asked for by name.
 */
static void choose_by_rule(run_job *job, const kernel_rule *rule)
{
    const bool gpu = job->device != SPMV_DEVICE_CPU;
    job->config = rule->choose(&job->stats, gpu, &job->reason);
    job->kernel = spmv_kernel_find(job->config.kernel);
    if (job->options->vectors == 1 || rule != &kernel_rules[KERNEL_AUTO]) return;
    job->reason = "all vectors in one pass over the matrix";
    job->config.block_size = 0;
    job->kernel = spmm_kernel(job, gpu);
}

spmv_status run_choose(run_job *job, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    const kernel_rule *rule = kernel_rule_named(job->options->kernel);
    if (rule != NULL)
        choose_by_rule(job, rule);
    else if (strcmp(job->options->kernel, "tune") == 0)
        st = run_tune(job, err);
    else
        st = choose_named(job, err);
    if (st == SPMV_SUCCESS) run_configure(&job->config, job, job->kernel);
    return st;
}
