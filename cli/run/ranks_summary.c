/* ranks_summary.c -- what spmv-run says about a multiplication by several ranks, as run_summary.c
 * does for one process. */
#include "cli/json/rank_costs.h"
#include "cli/json/rank_stats.h"
#include "cli/measure/samples.h"
#include "cli/run/ranks_job.h"
#include "cli/text/number_text.h"
#include "cli/ranks/routes.h"
#include "cli/ranks/row_shares.h"
#include "cli/tool/choose_device.h"
#include "cli/tool/fail.h"
#include "cli/tool/gather.h"
#include "cli/tool/message.h"
#include "cli/tool/steps.h"

#include <stdlib.h>

/* Fill in the statistics of all rows, and the bytes per second that all ranks read together: none
 * where another one has the GPU. */
static spmv_status join_ranks(ranks_job *j, spmv_error *err)
{
    spmv_device_info *device = &j->run->info;
    double *rates = NULL, rate;
    const bool shares = j->gpus != NULL && spmv_comm_local_rank(j->comm) >= spmv_gpu_count();
    spmv_status st = spmv_device_describe(j->device, device, err);
    TOOL_TRY(spmv_comm_agree(j->comm, st, err));
    if (j->in_shares) TOOL_TRY(rank_stats_gather(&j->run->stats, j->comm, &j->own_stats, err));
    rate = shares ? 0 : device->bandwidth;
    TOOL_TRY(tool_gather(&rates, j->comm, &rate, 1, err));
    if (j->gpus != NULL) common_add_up(device, j->run->gpus);
    device->bandwidth = 0;
    for (int k = 0; k < spmv_comm_size(j->comm); k++) device->bandwidth += rates[k];
done:
    free(rates);
    return st;
}

/* ---- The two lines -------------------------------------------------------------------------- */

/* The second line: of GPUs the exchange is timed by itself. */
static void tell_exchange(const ranks_job *j, const rank_costs *costs)
{
    char bytes[TOOL_NUMBER], time[TOOL_NUMBER];
    tool_bytes_text(costs->received, bytes);
    if (j->gpus == NULL)
        tool_note(
            "the largest part is %.3g times the mean; %s are exchanged, in %.3g %% of the time",
            costs->imbalance, bytes, costs->communication * 100);
    else
        tool_note(
            "the largest part is %.3g times the mean; %s are exchanged (%s), which takes %s by "
            "itself",
            costs->imbalance, bytes, tool_route_name(spmv_gpus_route(j->gpus)),
            tool_time_text(costs->rank[0].exchange_s, time));
}

static void tell_costs(const ranks_job *j, const rank_costs *costs)
{
    const run_job *run = j->run;
    const sample_stats s = samples_summarise(run->times.samples, run->times.count);
    const double flops = step_product_flops(j->type, run->precision);
    const double products = (double)run->stats.nnz * (double)run->options->vectors;
    char time[TOOL_NUMBER];
    tool_note("%s on %d ranks%s: %s, %.4g GFLOP/s", j->gpus != NULL ? run->kernel->name : "cpu-csr",
              costs->size, j->gpus != NULL ? " with GPUs" : "", tool_time_text(s.median, time),
              s.median > 0 ? flops * products / s.median * 1e-9 : 0);
    tell_exchange(j, costs);
}

/* ---- The record ----------------------------------------------------------------------------- */

/* Of the matrix only its shape is left. */
static spmv_status complete_job(ranks_job *j, spmv_error *err)
{
    run_job *run = j->run;
    const sample_stats s = samples_summarise(run->times.samples, run->times.count);
    spmv_matrix *shape = &run->A;
    shape->format = SPMV_CSR;
    shape->csr =
        (spmv_csr){.rows = j->part.rows, .cols = j->part.cols, .nnz = j->part.nnz, .type = j->type};
    if (j->gpus == NULL) {
        run->kernel = spmv_kernel_find("cpu-csr");
        run->config = (spmv_kernel_options){.kernel = run->kernel->name};
        run->reason = "the kernel of several processes";
    }
    if (s.median <= 0 || run->info.bandwidth <= 0) return SPMV_SUCCESS;
    return spmv_bandwidth_compute(shape, run->precision, run->options->vectors, s.median,
                                  run->info.bandwidth, &run->bandwidth, err);
}

static spmv_status write_record(ranks_job *j, const rank_costs *costs, spmv_error *err)
{
    spmv_status st = complete_job(j, err);
    if (st != SPMV_SUCCESS) return st;
    report *r = run_record(j->run);
    record_rank_costs(r, costs, tool_partition_name(j->run->options->partition),
                      j->gpus != NULL ? tool_route_name(spmv_gpus_route(j->gpus)) : NULL);
    st = run_write_record(j->run, r, err);
    report_destroy(r);
    return st;
}

static spmv_part_costs own_costs(const ranks_job *j)
{
    if (j->gpus == NULL) return spmv_part_operator_costs(j->op);
    const spmv_gpu_share share = spmv_gpus_share(j->gpus, 0);
    return (spmv_part_costs){.rows = share.rows,
                             .nnz = share.nnz,
                             .owned = j->x.rows,
                             .received = share.received,
                             .sent = share.sent,
                             .neighbours = share.neighbours,
                             .receivers = share.receivers};
}

spmv_status ranks_summarise(ranks_job *j, spmv_error *err)
{
    const run_options *o = j->run->options;
    const bool told = o->repeat > 1 || o->common.verbose, recorded = o->common.json != NULL;
    const bool root = spmv_comm_rank(j->comm) == 0;
    const double products = j->run->times.count > 0 ? j->run->times.count : 1;
    const size_t element = spmv_type_size(j->y.type) * (size_t)o->vectors;
    const spmv_part_costs mine = own_costs(j);
    rank_costs costs = {0};
    spmv_status st = SPMV_SUCCESS;
    if (!told && !recorded) return st;
    TOOL_TRY(rank_costs_gather(&costs, j->comm, &mine, element, j->exchange_s / products,
                               j->total_s / products, err));
    if (recorded) TOOL_TRY(join_ranks(j, err));
    if (root && told) tell_costs(j, &costs);
    if (recorded) st = root ? write_record(j, &costs, err) : SPMV_SUCCESS;
    TOOL_TRY(spmv_comm_agree(j->comm, st, err));
done:
    rank_costs_destroy(&costs);
    return st;
}
