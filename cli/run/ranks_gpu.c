/* ranks_gpu.c -- one multiplication by several ranks, each of which has a GPU. */
#include "cli/run/joint_product.h"
#include "cli/run/ranks_job.h"
#include "cli/measure/kernel_choice.h"
#include "cli/ranks/row_shares.h"
#include "cli/tool/choose_device.h"
#include "cli/tool/fail.h"
#include "cli/tool/gather.h"
#include "cli/tool/message.h"
#include "cli/tool/phase.h"
#include "cli/tool/steps.h"
#include "cli/tool/tool.h"

#include <stdlib.h>
#include <string.h>

/* ---- Devices -------------------------------------------------------------------------------- */

static bool names_gpu_kernel(const run_options *o)
{
    const spmv_kernel *kernel = spmv_kernel_find(o->kernel);
    return kernel != NULL && kernel->gpu;
}

bool ranks_need_gpu(const run_options *o)
{
    return strcmp(o->common.device, "gpu") == 0 || names_gpu_kernel(o);
}

void ranks_check_gpu_usage(const run_options *o)
{
    const bool cpu = strcmp(o->common.device, "cpu") == 0;
    if (cpu || strcmp(o->kernel, "cpu-csr") == 0)
        tool_misuse("kernel %s does not run on --device %s", o->kernel, o->common.device);
    if (strcmp(o->kernel, "tune") == 0)
        tool_misuse(
            "-k tune is for a run of one process; several take a kernel, auto or auto-rule");
    if (o->vectors > 1) tool_misuse("several GPUs multiply with one vector");
    if (tool_partition(o->partition) == SPMV_PARTITION_NONZEROS)
        tool_misuse("--partition nonzeros is for processes on the CPU; GPUs have whole rows");
    if (tool_partition(o->partition) == SPMV_PARTITION_GIVEN)
        tool_misuse(
            "--partition metis and FILE are for processes on the CPU; GPUs have neighbouring rows");
}

/* What they have no use for, they leave to the CPU where any device will do. */
static bool may_use_gpu(const run_options *o)
{
    return strcmp(o->common.device, "cpu") != 0 && strcmp(o->kernel, "cpu-csr") != 0 &&
           o->vectors == 1 && tool_partition(o->partition) <= SPMV_PARTITION_ROWS;
}

spmv_status ranks_choose_device(ranks_job *j, spmv_error *err)
{
    const run_options *o = j->run->options;
    spmv_status st = SPMV_SUCCESS;
    j->device = SPMV_DEVICE_CPU;
    if (may_use_gpu(o))
        st = common_rank_device(&o->common, j->comm, ranks_need_gpu(o), &j->device, &j->run->gpus,
                                err);
    if (st == SPMV_SUCCESS && j->device == SPMV_DEVICE_CPU && option_given(&o->common, &o->route))
        tool_warn("--comm has no effect on processes that multiply on the CPU");
    return st;
}

/* ---- The kernel ----------------------------------------------------------------------------- */

static int number_of(const char *kernel)
{
    int i = 0;
    while (strcmp(spmv_kernel_at(i)->name, kernel) != 0) i++;
    return i;
}

/* What this rank would multiply its rows with. */
static spmv_status choose_own(ranks_job *j, const kernel_rule *rule, spmv_kernel_options *out,
                              spmv_error *err)
{
    const spmv_matrix own = {.format = SPMV_CSR, .csr = j->part.own};
    const kernel_task task = {
        .stats = &j->own_stats, .gpu = true, .vectors = 1, .precision = j->run->precision};
    spmv_weighing w;
    *out = rule->choose(&task, &j->run->reason);
    const spmv_status st = run_weigh(&w, j->run, &own, &j->own_stats, j->device, err);
    if (st == SPMV_SUCCESS && w.count > 0) *out = w.kernel[w.best].options;
    return st;
}

/* The rank with the most nonzeros chooses, for all. */
static spmv_status choose_for_most(ranks_job *j, const kernel_rule *rule, spmv_error *err)
{
    enum { NNZ, KERNEL, BLOCK_SIZE, READONLY, TOLD };
    spmv_kernel_options mine;
    double tell[TOLD], *told = NULL, *most;
    spmv_status st;
    TOOL_TRY(spmv_comm_agree(j->comm, choose_own(j, rule, &mine, err), err));
    tell[NNZ] = (double)j->own_stats.nnz;
    tell[KERNEL] = number_of(mine.kernel);
    tell[BLOCK_SIZE] = mine.block_size;
    tell[READONLY] = mine.x_readonly;
    TOOL_TRY(tool_gather(&told, j->comm, tell, TOLD, err));
    most = told;
    for (int k = 1; k < spmv_comm_size(j->comm); k++)
        if (told[k * TOLD + NNZ] > most[NNZ]) most = told + k * TOLD;
    j->run->kernel = spmv_kernel_at((int)most[KERNEL]);
    j->run->config = (spmv_kernel_options){.block_size = (int)most[BLOCK_SIZE],
                                           .x_readonly = most[READONLY] != 0};
    j->run->reason = "the choice of the process with the most nonzeros";
done:
    free(told);
    return st;
}

static spmv_status choose_kernel(ranks_job *j, spmv_error *err)
{
    run_job *run = j->run;
    const kernel_rule *rule = kernel_rule_named(run->options->kernel);
    spmv_status st = SPMV_SUCCESS;
    if (rule != NULL)
        st = choose_for_most(j, rule, err);
    else {
        run->kernel = spmv_kernel_find(run->options->kernel);
        run->reason = "named on the command line";
    }
    if (st == SPMV_SUCCESS) run_configure(&run->config, run, run->kernel);
    run->config.vector_type = j->x.type;
    return st;
}

/* ---- Set-up --------------------------------------------------------------------------------- */

/* Take the smallest type of values that loses nothing on any rank, as one process does. */
static spmv_status fit_own_values(ranks_job *j, spmv_error *err)
{
    spmv_matrix own = {.format = SPMV_CSR, .csr = j->part.own};
    const spmv_type type = spmv_smallest_type(&own, j->x.type);
    const double mine = type;
    double *all;
    bool alike = true;
    spmv_status st;
    TOOL_TRY(tool_gather(&all, j->comm, &mine, 1, err));
    for (int k = 0; k < spmv_comm_size(j->comm); k++) alike = alike && all[k] == all[0];
    if (alike && type != own.csr.type) st = step_type(&own, type, j->run->path, err);
    j->part.own = own.csr;
    j->type = own.csr.type;
    TOOL_TRY(spmv_comm_agree(j->comm, st, err));
done:
    free(all);
    return st;
}

static spmv_status open_gpu(ranks_job *j, spmv_error *err)
{
    const double start = spmv_now();
    const spmv_matrix own = {.csr = j->part.own, .format = SPMV_CSR};
    const int64_t bytes = (int64_t)spmv_memory_bytes(&own);
    tool_phase_begin("upload", "matrix");
    const spmv_status st =
        spmv_gpus_create_on_rank(&j->gpus, j->comm, j->device, &j->part, &j->run->config,
                                 (spmv_route)j->run->options->route, err);
    tool_phase_end(bytes);
    spmv_csr_destroy(&j->part.own);
    j->part.own = (spmv_csr){0};
    j->run->setup = spmv_now() - start;
    return st;
}

/* ---- Samples -------------------------------------------------------------------------------- */

/* The verification has all of the last y, made from the y that was given. */
static spmv_status measure(joint_run *product, ranks_job *j, spmv_error *err)
{
    run_job *run = j->run;
    spmv_dense last = {0};
    double exchange_s;
    spmv_status st = SPMV_SUCCESS;
    if (run->options->verify)
        TOOL_TRY(spmv_part_scatter(&last, j->comm, j->part.row_begin, j->part.row_number, &run->y0,
                                   err));
    TOOL_TRY(joint_measure(product, run->options->verify ? &last : NULL, err));
    if (run->options->verify)
        TOOL_TRY(spmv_part_gather(&run->last.after, j->comm, j->part.row_begin, j->part.row_number,
                                  &last, err));
    TOOL_TRY(joint_time_exchange(product, &exchange_s, err));
    j->total_s = product->own_s;
    j->exchange_s = exchange_s * run->times.count;
done:
    spmv_dense_destroy(&last);
    return st;
}

spmv_status ranks_multiply_on_gpus(ranks_job *j, spmv_error *err)
{
    joint_run product = {.comm = j->comm, .job = j->run};
    spmv_status st;
    if (j->run->options->repeat > 1) TOOL_TRY(fit_own_values(j, err));
    TOOL_TRY(choose_kernel(j, err));
    TOOL_TRY(open_gpu(j, err));
    product.gpus = j->gpus;
    TOOL_TRY(joint_multiply(&product, &j->x, &j->y, err));
    if (j->run->options->repeat == 0) return st;
    tool_phase_begin("measure", j->run->kernel->name);
    st = measure(&product, j, err);
    tool_phase_end(0);
done:
    return st;
}
