/* run_ranks.c -- one multiplication by all ranks, each of which has some rows.
 *
 * Rank 0 has what is given and what is written as a whole, x and y, and does what one process
 * would; every step that can fail on one rank is agreed on by all. */
#include "cli/measure/samples.h"
#include "cli/run/run.h"
#include "cli/text/number_text.h"
#include "cli/tool/choose_device.h"
#include "cli/tool/fail.h"
#include "cli/tool/message.h"
#include "cli/tool/phase.h"
#include "cli/tool/ranks.h"
#include "cli/tool/steps.h"
#include "cli/tool/tool.h"

#include <stdlib.h>
#include <string.h>

enum { WARMUP = 2 };

/* What one rank has of a multiplication. */
typedef struct ranks_job {
    run_job *run; /* on rank 0 with all of x and y */
    spmv_comm *comm;
    spmv_part part;
    spmv_dense x, y; /* own elements */
    spmv_part_operator *op;
    spmv_part_costs costs;
    double exchange_s, total_s; /* over all samples */
} ranks_job;

static bool is_root(const ranks_job *j)
{
    return spmv_comm_rank(j->comm) == 0;
}

/* ---- Usage ---------------------------------------------------------------------------------- */

void run_check_ranks_usage(const run_options *o)
{
    const struct {
        bool given;
        const char *name;
    } single[] = {{o->verify, "--verify"},
                  {o->common.json != NULL, "--json"},
                  {o->vectors > 1, "--vectors"},
                  {o->block_size > 0, "--block-size"}};
    if (tool_rank_count() == 1) {
        if (option_given(&o->common, &o->partition) && !common_wants_all(&o->common))
            tool_warn("--partition has no effect on a run of one process");
        return;
    }
    for (size_t i = 0; i < sizeof single / sizeof single[0]; i++)
        if (single[i].given)
            tool_misuse("%s is for a run of one process, not of %d", single[i].name,
                        tool_rank_count());
    if (strcmp(o->kernel, "auto") != 0 && strcmp(o->kernel, "cpu-csr") != 0)
        tool_misuse("several processes multiply with the kernel cpu-csr, not with %s", o->kernel);
    if (strcmp(o->common.device, "auto") != 0 && strcmp(o->common.device, "cpu") != 0)
        tool_misuse("several processes multiply on the CPU, not on the device %s",
                    o->common.device);
}

/* ---- Matrix and vectors --------------------------------------------------------------------- */

/* Rank 0 makes the matrix that is multiplied as one process does, and spreads it. */
static spmv_status spread_matrix(ranks_job *j, spmv_error *err)
{
    run_job *run = j->run;
    spmv_status st = SPMV_SUCCESS;
    if (is_root(j)) {
        TOOL_TRY(step_read(&run->A, run->path, &run->options->common, NULL, NULL, err));
        TOOL_TRY(run_prepare_matrix(run, err));
        TOOL_TRY(run_make_vectors(run, err));
        TOOL_TRY(run_fit_values(run, err));
    }
done:
    st = spmv_comm_agree(j->comm, st, err);
    if (st == SPMV_SUCCESS)
        st = spmv_part_spread(&j->part, j->comm, &run->A, run->options->partition, err);
    spmv_destroy(&run->A);
    return st;
}

/* All ranks read it, as it is. */
static spmv_status read_matrix(ranks_job *j, spmv_error *err)
{
    run_job *run = j->run;
    const run_options *o = run->options;
    spmv_status st =
        step_read_part(&j->part, j->comm, run->path, &o->common, o->partition, NULL, NULL, err);
    if (st != SPMV_SUCCESS) return st;
    const spmv_type stored = j->part.own.type;
    run->precision = stored == SPMV_PATTERN ? SPMV_F64 : stored;
    run->stats = (spmv_row_stats){.rows = j->part.rows, .cols = j->part.cols, .nnz = j->part.nnz};
    st = is_root(j) ? run_make_vectors(run, err) : SPMV_SUCCESS;
    return spmv_comm_agree(j->comm, st, err);
}

/* Get the matrix and the vectors, and hand out what is whole. */
static spmv_status get_shares(ranks_job *j, spmv_error *err)
{
    const run_options *o = j->run->options;
    const bool as_it_is = !o->transpose && o->common.precision == PRECISION_UNSET;
    spmv_status st;
    TOOL_TRY(as_it_is ? read_matrix(j, err) : spread_matrix(j, err));
    TOOL_TRY(spmv_part_scatter(&j->x, j->comm, j->part.col_begin, &j->run->x, err));
    TOOL_TRY(spmv_part_scatter(&j->y, j->comm, j->part.row_begin, &j->run->y0, err));
done:
    return st;
}

/* ---- Products ------------------------------------------------------------------------------- */

static void multiply_once(ranks_job *j, spmv_dense *y)
{
    spmv_part_operator_apply(j->op, j->run->options->alpha, j->run->options->beta, y->data);
}

static double longest_of(const double *number, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        if (number[i] > most) most = number[i];
    return most;
}

/* Time products that all ranks begin together; each takes as long as its last rank. */
static spmv_status take_ranks_samples(ranks_job *j, spmv_error *err)
{
    run_times *times = &j->run->times;
    const int size = spmv_comm_size(j->comm), count = (int)j->run->options->repeat;
    double *all = calloc((size_t)size, sizeof *all);
    spmv_dense y = {0}; /* that each one changes, where beta is not 0 */
    spmv_status st;
    times->samples = calloc((size_t)count, sizeof *times->samples);
    times->count = count;
    times->batch = 1;
    st = all != NULL && times->samples != NULL
             ? spmv_dense_reorder(&y, &j->y, false, err)
             : tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot store %d times", count);
    TOOL_TRY(spmv_comm_agree(j->comm, st, err));
    for (int i = -WARMUP; i < count; i++) {
        TOOL_TRY(spmv_comm_agree(j->comm, SPMV_SUCCESS, err));
        const double start = spmv_now();
        multiply_once(j, &y);
        const double seconds = spmv_now() - start;
        spmv_comm_gather(j->comm, &seconds, 1, all);
        if (i < 0) continue;
        times->samples[i] = longest_of(all, size);
        j->exchange_s += spmv_part_operator_costs(j->op).exchange_s;
        j->total_s += seconds;
    }
done:
    spmv_dense_destroy(&y);
    free(all);
    return st;
}

static spmv_status multiply_parts(ranks_job *j, spmv_error *err)
{
    const run_options *o = j->run->options;
    const size_t bytes = (size_t)j->x.rows * spmv_type_size(j->x.type);
    const double start = spmv_now();
    spmv_status st;
    tool_phase_begin("exchange", "lists of columns");
    st = spmv_part_operator_create(&j->op, j->comm, &j->part, j->x.type, (int)o->common.threads,
                                   err);
    tool_phase_end(0);
    if (st != SPMV_SUCCESS) return st;
    memcpy(spmv_part_operator_x(j->op), j->x.data, bytes);
    spmv_dense_destroy(&j->x);
    j->costs = spmv_part_operator_costs(j->op);
    j->run->setup = spmv_now() - start;
    tool_phase_begin("multiply", "cpu-csr");
    multiply_once(j, &j->y);
    tool_phase_end(0);
    if (o->repeat == 0) return SPMV_SUCCESS;
    tool_phase_begin("measure", "cpu-csr");
    st = take_ranks_samples(j, err);
    tool_phase_end(0);
    return st;
}

/* ---- The answer ----------------------------------------------------------------------------- */

static spmv_status write_whole(ranks_job *j, spmv_error *err)
{
    spmv_status st;
    TOOL_TRY(spmv_part_gather(&j->run->y, j->comm, j->part.row_begin, &j->y, err));
    st = is_root(j) ? run_write_result(j->run, err) : SPMV_SUCCESS;
    TOOL_TRY(spmv_comm_agree(j->comm, st, err));
done:
    return st;
}

/* What all ranks have told of their costs. */
enum { COST_BYTES, COST_RECEIVED, COST_EXCHANGE, COST_TOTAL, COSTS };

static void tell_costs(const ranks_job *j, const double *all, int size)
{
    const run_times *times = &j->run->times;
    const sample_stats s = samples_summarise(times->samples, times->count);
    const double flops = spmv_type_is_complex(j->y.type) ? 4 : 2;
    double sum[COSTS] = {0}, most = 0;
    char time[TOOL_NUMBER], bytes[TOOL_NUMBER];
    for (int k = 0; k < size; k++) {
        for (int i = 0; i < COSTS; i++) sum[i] += all[k * COSTS + i];
        if (all[k * COSTS + COST_BYTES] > most) most = all[k * COSTS + COST_BYTES];
    }
    tool_note("cpu-csr on %d ranks: %s, %.4g GFLOP/s", size, tool_time_text(s.median, time),
              s.median > 0 ? flops * (double)j->part.nnz / s.median * 1e-9 : 0);
    tool_note("the largest part is %.3g times the mean; %s are exchanged, in %.3g %% of the time",
              sum[COST_BYTES] > 0 ? most * size / sum[COST_BYTES] : 1,
              tool_bytes_text(sum[COST_RECEIVED], bytes),
              sum[COST_TOTAL] > 0 ? sum[COST_EXCHANGE] / sum[COST_TOTAL] * 100 : 0);
}

/* Speed, balance and communication, where they are wanted. */
static spmv_status summarise_ranks(ranks_job *j, spmv_error *err)
{
    const run_options *o = j->run->options;
    const int size = spmv_comm_size(j->comm);
    const double mine[COSTS] = {
        [COST_BYTES] = 12 * (double)j->costs.nnz + 24 * (double)j->costs.rows,
        [COST_RECEIVED] = (double)j->costs.received * (double)spmv_type_size(j->y.type),
        [COST_EXCHANGE] = j->exchange_s,
        [COST_TOTAL] = j->total_s};
    if (o->repeat <= 1 && !o->common.verbose) return SPMV_SUCCESS;
    double *all = calloc((size_t)size * COSTS, sizeof *all);
    const spmv_status mine_st =
        all != NULL ? SPMV_SUCCESS
                    : tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot store %d costs", size);
    const spmv_status st = spmv_comm_agree(j->comm, mine_st, err);
    if (st == SPMV_SUCCESS) {
        spmv_comm_gather(j->comm, mine, COSTS, all);
        if (is_root(j)) tell_costs(j, all, size);
    }
    free(all);
    return st;
}

spmv_status run_on_ranks(run_job *run, spmv_error *err)
{
    ranks_job j = {.run = run};
    spmv_status st;
    TOOL_TRY(tool_join_ranks(&j.comm, err));
    st = is_root(&j) ? run_check_outputs(run, err) : SPMV_SUCCESS;
    TOOL_TRY(spmv_comm_agree(j.comm, st, err));
    TOOL_TRY(get_shares(&j, err));
    TOOL_TRY(multiply_parts(&j, err));
    TOOL_TRY(write_whole(&j, err));
    TOOL_TRY(summarise_ranks(&j, err));
done:
    spmv_part_operator_destroy(j.op);
    spmv_part_destroy(&j.part);
    spmv_dense_destroy(&j.x);
    spmv_dense_destroy(&j.y);
    spmv_comm_close(j.comm);
    return st;
}
