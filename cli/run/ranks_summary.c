/* ranks_summary.c -- what spmv-run says about a multiplication by several ranks, as run_summary.c
 * does for one process. */
#include "cli/json/rank_costs.h"
#include "cli/measure/samples.h"
#include "cli/run/ranks_job.h"
#include "cli/text/number_text.h"
#include "cli/tool/fail.h"
#include "cli/tool/message.h"

#include <math.h>
#include <stdlib.h>

/* What each rank tells of its rows, and of its memory. */
enum { ROWS, SHORTEST, LONGEST, EMPTY, SQUARES, MEMORY_RATE, TOLD };

/* The lengths of all rows, where no process has looked at the whole matrix. */
static void join_stats(spmv_row_stats *out, const double *told, int size)
{
    double squares = 0;
    out->min = INT64_MAX;
    out->max = out->empty = 0;
    for (int k = 0; k < size; k++, told += TOLD) {
        if (told[ROWS] > 0 && (int64_t)told[SHORTEST] < out->min)
            out->min = (int64_t)told[SHORTEST];
        if ((int64_t)told[LONGEST] > out->max) out->max = (int64_t)told[LONGEST];
        out->empty += (int64_t)told[EMPTY];
        squares += told[SQUARES];
    }
    if (out->rows == 0) out->min = 0;
    out->mean = out->rows > 0 ? (double)out->nnz / (double)out->rows : 0;
    const double variance = out->rows > 0 ? squares / (double)out->rows - out->mean * out->mean : 0;
    out->stddev = sqrt(fmax(variance, 0));
}

/* Fill in the statistics of all rows, and the bytes per second that all ranks read together. */
static spmv_status join_ranks(ranks_job *j, spmv_error *err)
{
    const int size = spmv_comm_size(j->comm);
    const spmv_row_stats *s = &j->own_stats;
    const double squares = (double)s->rows * (s->stddev * s->stddev + s->mean * s->mean);
    spmv_device_info *device = &j->run->info;
    double *told = calloc((size_t)size * TOLD, sizeof *told);
    spmv_status st = spmv_device_describe(SPMV_DEVICE_CPU, device, err);
    if (told == NULL)
        st = tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot store the rows of %d ranks", size);
    TOOL_TRY(spmv_comm_agree(j->comm, st, err));
    const double tell[TOLD] = {(double)s->rows,  (double)s->min, (double)s->max,
                               (double)s->empty, squares,        device->bandwidth};
    spmv_comm_gather(j->comm, tell, TOLD, told);
    if (j->in_shares) join_stats(&j->run->stats, told, size);
    device->bandwidth = 0;
    for (int k = 0; k < size; k++) device->bandwidth += told[k * TOLD + MEMORY_RATE];
done:
    free(told);
    return st;
}

/* ---- The two lines -------------------------------------------------------------------------- */

static void tell_costs(const run_job *run, const rank_costs *costs)
{
    const sample_stats s = samples_summarise(run->times.samples, run->times.count);
    const double flops = spmv_type_is_complex(run->precision) ? 4 : 2;
    const double products = (double)run->stats.nnz * (double)run->options->vectors;
    char time[TOOL_NUMBER], bytes[TOOL_NUMBER];
    tool_note("cpu-csr on %d ranks: %s, %.4g GFLOP/s", costs->size, tool_time_text(s.median, time),
              s.median > 0 ? flops * products / s.median * 1e-9 : 0);
    tool_note("the largest part is %.3g times the mean; %s are exchanged, in %.3g %% of the time",
              costs->imbalance, tool_bytes_text(costs->received, bytes),
              costs->communication * 100);
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
    run->kernel = spmv_kernel_find("cpu-csr");
    run->config = (spmv_kernel_config){.kernel = run->kernel->name};
    run->reason = "the kernel of several processes";
    if (s.median <= 0 || run->info.bandwidth <= 0) return SPMV_SUCCESS;
    return spmv_bandwidth_compute(shape, run->precision, run->options->vectors, s.median,
                                  run->info.bandwidth, &run->bandwidth, err);
}

static spmv_status write_record(ranks_job *j, const rank_costs *costs, spmv_error *err)
{
    spmv_status st = complete_job(j, err);
    if (st != SPMV_SUCCESS) return st;
    report *r = run_record(j->run);
    record_rank_costs(r, costs, j->run->options->partition);
    st = run_write_record(j->run, r, err);
    report_destroy(r);
    return st;
}

spmv_status ranks_summarise(ranks_job *j, spmv_error *err)
{
    const run_options *o = j->run->options;
    const bool told = o->repeat > 1 || o->common.verbose, recorded = o->common.json != NULL;
    const bool root = spmv_comm_rank(j->comm) == 0;
    const double products = j->run->times.count > 0 ? j->run->times.count : 1;
    const size_t element = spmv_type_size(j->y.type) * (size_t)o->vectors;
    const spmv_part_costs mine = spmv_part_operator_costs(j->op);
    rank_costs costs = {0};
    spmv_status st = SPMV_SUCCESS;
    if (!told && !recorded) return st;
    TOOL_TRY(rank_costs_gather(&costs, j->comm, &mine, element, j->exchange_s / products,
                               j->total_s / products, err));
    if (recorded) TOOL_TRY(join_ranks(j, err));
    if (root && told) tell_costs(j->run, &costs);
    if (recorded) st = root ? write_record(j, &costs, err) : SPMV_SUCCESS;
    TOOL_TRY(spmv_comm_agree(j->comm, st, err));
done:
    rank_costs_destroy(&costs);
    return st;
}
