/* ranks_summary.c -- what spmv-run says about a multiplication by several ranks, as run_summary.c
 * does for one process. */
#include "cli/json/rank_record.h"
#include "cli/measure/samples.h"
#include "cli/run/ranks_job.h"
#include "cli/text/number_text.h"
#include "cli/tool/fail.h"
#include "cli/tool/message.h"

#include <math.h>
#include <stdlib.h>

/* What each rank tells of itself, in two messages. */
enum { ROWS, NNZ, OWNED, RECEIVED, SENT, NEIGHBOURS, RECEIVERS, EXCHANGE, FIRST };
enum { TOTAL, SHORTEST, LONGEST, EMPTY, SQUARES, MEMORY_RATE, SECOND };

typedef struct ranks_costs {
    int size;
    double *first, *second; /* [size x FIRST], [size x SECOND] */
    double bandwidth;       /* bytes per second that all ranks read together */
    double imbalance;       /* the largest part by the mean */
    double received;        /* bytes, by all ranks for one product */
    double communication;   /* share of the time */
} ranks_costs;

static spmv_status create_costs(ranks_costs *out, int size, spmv_error *err)
{
    *out = (ranks_costs){.size = size};
    out->first = calloc((size_t)size * FIRST, sizeof *out->first);
    out->second = calloc((size_t)size * SECOND, sizeof *out->second);
    if (out->first != NULL && out->second != NULL) return SPMV_SUCCESS;
    return tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot store the costs of %d ranks", size);
}

static void destroy_costs(ranks_costs *c)
{
    free(c->first);
    free(c->second);
}

/* All ranks hear what all have to tell. */
static void gather_costs(ranks_costs *all, const ranks_job *j, const spmv_device_info *device)
{
    const spmv_part_costs c = spmv_part_operator_costs(j->op);
    const spmv_row_stats *s = &j->own_stats;
    const double products = j->run->times.count > 0 ? j->run->times.count : 1;
    const double squares = (double)s->rows * (s->stddev * s->stddev + s->mean * s->mean);
    const double first[FIRST] = {(double)c.rows,     (double)c.nnz,           (double)c.owned,
                                 (double)c.received, (double)c.sent,          c.neighbours,
                                 c.receivers,        j->exchange_s / products};
    const double second[SECOND] = {j->total_s / products, (double)s->min, (double)s->max,
                                   (double)s->empty,      squares,        device->bandwidth};
    _Static_assert((int)FIRST <= (int)SPMV_COMM_NUMBERS, "one message holds them");
    spmv_comm_gather(j->comm, first, FIRST, all->first);
    spmv_comm_gather(j->comm, second, SECOND, all->second);
}

static void sum_up(ranks_costs *all, size_t element)
{
    double bytes = 0, most = 0, exchange = 0, total = 0;
    for (int k = 0; k < all->size; k++) {
        const double *a = &all->first[k * FIRST], *b = &all->second[k * SECOND];
        const double mine = 12 * a[NNZ] + 24 * a[ROWS];
        bytes += mine;
        most = fmax(most, mine);
        all->received += a[RECEIVED] * (double)element;
        exchange += a[EXCHANGE];
        total += b[TOTAL];
        all->bandwidth += b[MEMORY_RATE];
    }
    all->imbalance = bytes > 0 ? most * all->size / bytes : 1;
    all->communication = total > 0 ? exchange / total : 0;
}

/* The lengths of all rows, where no process has looked at the whole matrix. */
static void join_stats(spmv_row_stats *out, const ranks_costs *all)
{
    double squares = 0;
    out->min = INT64_MAX;
    out->max = out->empty = 0;
    for (int k = 0; k < all->size; k++) {
        const double *b = &all->second[k * SECOND];
        if (all->first[k * FIRST + ROWS] > 0 && (int64_t)b[SHORTEST] < out->min)
            out->min = (int64_t)b[SHORTEST];
        if ((int64_t)b[LONGEST] > out->max) out->max = (int64_t)b[LONGEST];
        out->empty += (int64_t)b[EMPTY];
        squares += b[SQUARES];
    }
    if (out->rows == 0) out->min = 0;
    out->mean = out->rows > 0 ? (double)out->nnz / (double)out->rows : 0;
    const double variance = out->rows > 0 ? squares / (double)out->rows - out->mean * out->mean : 0;
    out->stddev = sqrt(fmax(variance, 0));
}

/* ---- The two lines -------------------------------------------------------------------------- */

static void tell_costs(const run_job *run, const ranks_costs *all)
{
    const sample_stats s = samples_summarise(run->times.samples, run->times.count);
    const double flops = spmv_type_is_complex(run->precision) ? 4 : 2;
    const double products = (double)run->stats.nnz * (double)run->options->vectors;
    char time[TOOL_NUMBER], bytes[TOOL_NUMBER];
    tool_note("cpu-csr on %d ranks: %s, %.4g GFLOP/s", all->size, tool_time_text(s.median, time),
              s.median > 0 ? flops * products / s.median * 1e-9 : 0);
    tool_note("the largest part is %.3g times the mean; %s are exchanged, in %.3g %% of the time",
              all->imbalance, tool_bytes_text(all->received, bytes), all->communication * 100);
}

/* ---- The record ----------------------------------------------------------------------------- */

static void record_ranks(report *r, const ranks_costs *all, size_t element)
{
    report *ranks = report_array(r, "ranks");
    for (int k = 0; k < all->size; k++) {
        const double *a = &all->first[k * FIRST], *b = &all->second[k * SECOND];
        const spmv_part_costs c = {.rows = (int64_t)a[ROWS],
                                   .nnz = (int64_t)a[NNZ],
                                   .owned = (int64_t)a[OWNED],
                                   .received = (int64_t)a[RECEIVED],
                                   .sent = (int64_t)a[SENT],
                                   .neighbours = (int)a[NEIGHBOURS],
                                   .receivers = (int)a[RECEIVERS],
                                   .exchange_s = a[EXCHANGE]};
        rank_figures figures = rank_figures_of(k, &c, element);
        figures.time_s = b[TOTAL];
        figures.multiply_s = fmax(b[TOTAL] - a[EXCHANGE], 0);
        record_rank(report_object(ranks, NULL), &figures);
    }
}

/* The run has read y and x whole, but of the matrix only its shape is left. */
static spmv_status complete_job(run_job *run, const ranks_job *j, const ranks_costs *all)
{
    const sample_stats s = samples_summarise(run->times.samples, run->times.count);
    spmv_matrix *shape = &run->A;
    shape->format = SPMV_CSR;
    shape->csr =
        (spmv_csr){.rows = j->part.rows, .cols = j->part.cols, .nnz = j->part.nnz, .type = j->type};
    run->kernel = spmv_kernel_find("cpu-csr");
    run->config = (spmv_kernel_config){.kernel = run->kernel->name};
    run->reason = "the kernel of several processes";
    run->info.bandwidth = all->bandwidth;
    join_stats(&run->stats, all);
    if (s.median <= 0 || all->bandwidth <= 0) return SPMV_SUCCESS;
    return spmv_bandwidth_compute(shape, run->precision, run->options->vectors, s.median,
                                  all->bandwidth, &run->bandwidth);
}

static spmv_status write_record(const run_job *run, const ranks_costs *all, spmv_error *err)
{
    static const char *const partitions[] = {
        [SPMV_PARTITION_NNZ] = "nnz", [SPMV_PARTITION_ROWS] = "rows"};
    report *r = run_record(run);
    report *d = report_object(r, "distribution");
    report_integer(d, "ranks", all->size);
    report_text(d, "partition", partitions[run->options->partition]);
    report_real(d, "imbalance", all->imbalance);
    report_real(d, "received_bytes", all->received);
    report_real(d, "communication", all->communication);
    record_ranks(r, all, spmv_type_size(run->precision) * (size_t)run->options->vectors);
    const spmv_status st = run_write_record(run, r, err);
    report_destroy(r);
    return st;
}

spmv_status ranks_summarise(ranks_job *j, spmv_error *err)
{
    run_job *run = j->run;
    const run_options *o = run->options;
    const bool told = o->repeat > 1 || o->common.verbose, recorded = o->common.json != NULL;
    const bool root = spmv_comm_rank(j->comm) == 0;
    spmv_device_info device = {0};
    ranks_costs all = {0};
    spmv_status st;
    if (!told && !recorded) return SPMV_SUCCESS;
    st = create_costs(&all, spmv_comm_size(j->comm), err);
    if (st == SPMV_SUCCESS && recorded) st = spmv_device_describe(SPMV_DEVICE_CPU, &device, err);
    TOOL_TRY(spmv_comm_agree(j->comm, st, err));
    gather_costs(&all, j, &device);
    sum_up(&all, spmv_type_size(j->y.type) * (size_t)o->vectors);
    if (!root) goto done;
    if (told) tell_costs(run, &all);
    run->info = device;
    if (recorded) st = complete_job(run, j, &all);
    if (recorded && st == SPMV_SUCCESS) st = write_record(run, &all, err);
done:
    destroy_costs(&all);
    return spmv_comm_agree(j->comm, st, err);
}
