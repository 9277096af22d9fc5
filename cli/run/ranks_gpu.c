/* ranks_gpu.c -- one multiplication by several ranks, each of which has a GPU. */
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

enum { WARMUP = 2, EXCHANGES = 20 };

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

/* The rank with the most nonzeros chooses, for all. */
static spmv_status choose_for_most(ranks_job *j, const kernel_rule *rule, spmv_error *err)
{
    enum { NNZ, KERNEL, BLOCK_SIZE, READONLY, TOLD };
    const kernel_task task = {
        .stats = &j->own_stats, .gpu = true, .vectors = 1, .precision = j->run->precision};
    const spmv_kernel_options mine = rule->choose(&task, &j->run->reason);
    const double tell[TOLD] = {(double)j->own_stats.nnz, number_of(mine.kernel), mine.block_size,
                               mine.x_readonly};
    double *told, *most;
    spmv_status st;
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
    const int64_t bytes = 12 * j->own_stats.nnz + 8 * j->own_stats.rows;
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

/* ---- Products ------------------------------------------------------------------------------- */

/* What is enqueued and timed together. */
typedef struct ranks_batch {
    const spmv_recording *graph; /* NULL: */
    int64_t products;            /* or products, one after the other, */
    int64_t exchanges;           /* or exchanges alone */
} ranks_batch;

static spmv_status enqueue_work(const ranks_job *j, const ranks_batch *work, spmv_error *err)
{
    const run_options *o = j->run->options;
    if (work->graph != NULL) return spmv_gpus_replay(j->gpus, work->graph, err);
    if (work->exchanges > 0) return spmv_gpus_exchange(j->gpus, work->exchanges, err);
    return spmv_gpus_apply(j->gpus, o->alpha, o->beta, work->products, err);
}

/* All ranks begin together, and do their part of it even where something has failed: the others
 * wait for that. */
static spmv_status do_work(const ranks_job *j, const ranks_batch *work, double *seconds,
                           spmv_error *err)
{
    spmv_status st;
    (void)spmv_comm_agree(j->comm, SPMV_SUCCESS, err);
    st = spmv_gpus_timer_start(j->gpus, err);
    const spmv_status done = enqueue_work(j, work, st == SPMV_SUCCESS ? err : NULL);
    if (st == SPMV_SUCCESS) st = done;
    if (st == SPMV_SUCCESS) st = spmv_gpus_timer_stop(j->gpus, seconds, err);
    return spmv_comm_agree(j->comm, st, err);
}

/* *seconds becomes that of the rank for which it has taken longest. */
static spmv_status take_longest(const ranks_job *j, double *seconds, spmv_error *err)
{
    double *all;
    const spmv_status st = tool_gather(&all, j->comm, seconds, 1, err);
    for (int k = 0; k < spmv_comm_size(j->comm) && st == SPMV_SUCCESS; k++)
        if (all[k] > *seconds) *seconds = all[k];
    free(all);
    return st;
}

static spmv_status compute_own_y(ranks_job *j, spmv_error *err)
{
    const ranks_batch once = {.products = 1};
    double seconds;
    spmv_status st;
    tool_phase_begin("upload", "vectors");
    st = spmv_gpus_set_x(j->gpus, &j->x, err);
    if (st == SPMV_SUCCESS) st = spmv_gpus_set_y(j->gpus, &j->y, err);
    tool_phase_end(0);
    TOOL_TRY(spmv_comm_agree(j->comm, st, err));
    tool_phase_begin("multiply", j->run->kernel->name);
    st = do_work(j, &once, &seconds, err);
    tool_phase_end(0);
    if (st != SPMV_SUCCESS) return st;
    tool_phase_begin("download", "y");
    st = spmv_gpus_get_y(j->gpus, &j->y, err);
    tool_phase_end(0);
    TOOL_TRY(spmv_comm_agree(j->comm, st, err));
done:
    return st;
}

/* ---- Samples -------------------------------------------------------------------------------- */

static spmv_status time_work(ranks_job *j, const ranks_batch *work, int warmup, spmv_error *err)
{
    run_times *times = &j->run->times;
    spmv_status st = SPMV_SUCCESS;
    for (int i = -warmup; i < times->count; i++) {
        double seconds, longest;
        TOOL_TRY(do_work(j, work, &seconds, err));
        longest = seconds;
        TOOL_TRY(take_longest(j, &longest, err));
        if (i >= 0) j->total_s += seconds / (double)times->batch;
        times->samples[i < 0 ? 0 : i] = longest / (double)times->batch;
    }
done:
    return st;
}

/* One more product, from the y that was given, for the verification: of the graph, where that does
 * not read y. */
static spmv_status multiply_last_again(ranks_job *j, const spmv_recording *graph, spmv_error *err)
{
    const bool reads_y = run_adds_to_y(j->run->options);
    const ranks_batch work = {.graph = reads_y ? NULL : graph, .products = 1};
    spmv_dense y = {0};
    double seconds;
    spmv_status st;
    TOOL_TRY(
        spmv_part_scatter(&y, j->comm, j->part.row_begin, j->part.row_number, &j->run->y0, err));
    if (!reads_y) memset(y.data, 0xff, (size_t)y.rows * spmv_type_size(y.type));
    TOOL_TRY(spmv_comm_agree(j->comm, spmv_gpus_set_y(j->gpus, &y, err), err));
    TOOL_TRY(do_work(j, &work, &seconds, err));
    TOOL_TRY(spmv_comm_agree(j->comm, spmv_gpus_get_y(j->gpus, &y, err), err));
    TOOL_TRY(spmv_part_gather(&j->run->last.after, j->comm, j->part.row_begin, j->part.row_number,
                              &y, err));
done:
    spmv_dense_destroy(&y);
    return st;
}

/* Decide on batches by the first times, and record one where the host has no part in it. */
static spmv_status record_batch(ranks_job *j, spmv_recording **graph, spmv_error *err)
{
    const run_options *o = j->run->options;
    run_times *times = &j->run->times;
    spmv_status st = SPMV_SUCCESS;
    const spmv_route route = spmv_gpus_route(j->gpus);
    if (route == SPMV_ROUTE_IPC || route == SPMV_ROUTE_NCCL)
        times->batch = run_joint_batch(o->repeat, times->samples[0]);
    times->count = (int)((o->repeat + times->batch - 1) / times->batch);
    if (times->batch > 1)
        st = spmv_gpus_record(graph, j->gpus, o->alpha, o->beta, times->batch, err);
    return spmv_comm_agree(j->comm, st, err);
}

static spmv_status measure_joint(ranks_job *j, spmv_error *err)
{
    const run_options *o = j->run->options;
    run_times *times = &j->run->times;
    const ranks_batch once = {.products = 1}, exchange = {.exchanges = EXCHANGES};
    ranks_batch work = once;
    spmv_recording *graph = NULL;
    double seconds;
    spmv_status st = SPMV_SUCCESS;
    *times = (run_times){.batch = 1, .count = 1};
    times->samples = calloc((size_t)o->repeat, sizeof *times->samples);
    if (times->samples == NULL)
        st = tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot store %lld times",
                       (long long)o->repeat);
    TOOL_TRY(spmv_comm_agree(j->comm, st, err));
    TOOL_TRY(time_work(j, &once, WARMUP, err));
    TOOL_TRY(record_batch(j, &graph, err));
    work.graph = graph;
    j->total_s = 0;
    TOOL_TRY(time_work(j, &work, graph != NULL, err));
    if (o->verify) TOOL_TRY(multiply_last_again(j, graph, err));
    TOOL_TRY(do_work(j, &exchange, &seconds, err));
    j->exchange_s = seconds / EXCHANGES * times->count;
done:
    spmv_recording_destroy(graph);
    return st;
}

spmv_status ranks_multiply_on_gpus(ranks_job *j, spmv_error *err)
{
    spmv_status st;
    if (j->run->options->repeat > 1) TOOL_TRY(fit_own_values(j, err));
    TOOL_TRY(choose_kernel(j, err));
    TOOL_TRY(open_gpu(j, err));
    TOOL_TRY(compute_own_y(j, err));
    if (j->run->options->repeat == 0) return st;
    tool_phase_begin("measure", j->run->kernel->name);
    st = measure_joint(j, err);
    tool_phase_end(0);
done:
    return st;
}
