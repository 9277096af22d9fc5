/* run_ranks.c -- one multiplication by all ranks, each of which has some rows.
 *
 * Rank 0 has what is given and what is written as a whole, x and y, and does what one process
 * would; every step that can fail on one rank is agreed on by all. */
#include "cli/run/ranks_job.h"
#include "cli/ranks/join_ranks.h"
#include "cli/ranks/row_shares.h"
#include "cli/tool/choose_device.h"
#include "cli/tool/fail.h"
#include "cli/tool/message.h"
#include "cli/tool/path.h"
#include "cli/tool/phase.h"
#include "cli/tool/ranks.h"
#include "cli/tool/steps.h"
#include "cli/tool/tool.h"

#include <stdlib.h>
#include <string.h>

enum { WARMUP = 2 };

static bool is_root(const ranks_job *j)
{
    return spmv_comm_rank(j->comm) == 0;
}

/* ---- Usage ---------------------------------------------------------------------------------- */

void run_check_ranks_usage(const run_options *o)
{
    if (tool_rank_count() == 1) {
        if (option_given(&o->common, &o->partition) && !common_wants_all(&o->common))
            tool_warn("--partition has no effect on a run of one process");
        if (option_given(&o->common, &o->route))
            tool_warn("--comm has no effect on a run of one process");
        return;
    }
    if (o->explain) tool_misuse("--explain is for one process, not for %d", tool_rank_count());
    common_check_rank_device(&o->common, "multiply");
    if (ranks_need_gpu(o)) {
        ranks_check_gpu_usage(o);
        return;
    }
    if (o->block_size > 0)
        tool_misuse("--block-size is for GPUs, and needs --device gpu or a kernel that runs there");
    if (strcmp(o->kernel, "auto") != 0 && strcmp(o->kernel, "cpu-csr") != 0)
        tool_misuse(
            "several processes multiply with the kernel cpu-csr or one of GPUs, not with %s",
            o->kernel);
}

/* ---- Matrix and vectors --------------------------------------------------------------------- */

/* Rank 0 makes the matrix that is multiplied as one process does, and spreads it. */
static spmv_status spread_matrix(ranks_job *j, spmv_error *err)
{
    run_job *run = j->run;
    spmv_status st = SPMV_SUCCESS;
    if (is_root(j)) {
        TOOL_TRY(step_read(&run->A, run->path, &run->options->common, NULL, NULL, err));
        if (run->options->verify) TOOL_TRY(run_keep_original(run, err));
        TOOL_TRY(run_prepare_matrix(run, err));
        TOOL_TRY(run_make_vectors(run, err));
        TOOL_TRY(run_fit_values(run, err));
    }
done:
    st = spmv_comm_agree(j->comm, st, err);
    if (st == SPMV_SUCCESS)
        st = spmv_part_spread(&j->part, j->comm, &run->A,
                              tool_first_partition(run->options->partition), err);
    spmv_destroy(&run->A);
    return st;
}

/* All ranks read it, as it is. */
static spmv_status read_matrix(ranks_job *j, spmv_error *err)
{
    run_job *run = j->run;
    const run_options *o = run->options;
    spmv_status st = step_read_part(&j->part, j->comm, run->path, &o->common,
                                    tool_first_partition(o->partition), NULL, NULL, err);
    if (st != SPMV_SUCCESS) return st;
    const spmv_type stored = j->part.own.type;
    run->precision = stored == SPMV_PATTERN ? SPMV_F64 : stored;
    run->stats = (spmv_row_stats){.rows = j->part.rows, .cols = j->part.cols, .nnz = j->part.nnz};
    st = is_root(j) ? run_make_vectors(run, err) : SPMV_SUCCESS;
    return spmv_comm_agree(j->comm, st, err);
}

/* Send rows where METIS or a file says. */
static spmv_status share_rows(ranks_job *j, spmv_error *err)
{
    const char *by = j->run->options->partition;
    if (tool_partition(by) != SPMV_PARTITION_GIVEN) return SPMV_SUCCESS;
    tool_phase_begin("share out", tool_input_name(by));
    const spmv_status st = tool_share_rows(&j->part, j->comm, by, err);
    tool_phase_end(0);
    return st;
}

/* Look at the rows that this rank has, before the operator takes them. */
static spmv_status look_at_rows(ranks_job *j, spmv_error *err)
{
    const spmv_matrix own = {.format = SPMV_CSR, .csr = j->part.own};
    j->type = j->part.own.type;
    return spmv_row_stats_compute(&own, &j->own_stats, err);
}

/* Get the matrix and the vectors, and hand out what is whole. */
static spmv_status get_shares(ranks_job *j, spmv_error *err)
{
    const run_options *o = j->run->options;
    j->in_shares = !o->transpose && !o->verify && o->common.precision == PRECISION_UNSET &&
                   tool_partition(o->partition) != SPMV_PARTITION_NONZEROS;
    spmv_status st;
    TOOL_TRY(j->in_shares ? read_matrix(j, err) : spread_matrix(j, err));
    TOOL_TRY(share_rows(j, err));
    TOOL_TRY(spmv_comm_agree(j->comm, look_at_rows(j, err), err));
    TOOL_TRY(
        spmv_part_scatter(&j->x, j->comm, j->part.col_begin, j->part.col_number, &j->run->x, err));
    TOOL_TRY(
        spmv_part_scatter(&j->y, j->comm, j->part.row_begin, j->part.row_number, &j->run->y0, err));
    j->run->precision = j->x.type;
done:
    return st;
}

/* ---- Products ------------------------------------------------------------------------------- */

/* Returns the seconds that exchanges took. */
static double multiply_once(ranks_job *j, spmv_dense *y)
{
    const run_options *o = j->run->options;
    return spmv_part_operator_apply_columns(j->op, o->alpha, &j->x, o->beta, y);
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
        const double exchange = multiply_once(j, &y), seconds = spmv_now() - start;
        spmv_comm_gather(j->comm, &seconds, 1, all);
        if (i < 0) continue;
        times->samples[i] = longest_of(all, size);
        j->exchange_s += exchange;
        j->total_s += seconds;
    }
done:
    spmv_dense_destroy(&y);
    free(all);
    return st;
}

/* Make the operator, and give it the elements of x; where there are several vectors, each product
 * does. */
static spmv_status prepare_operator(ranks_job *j, spmv_error *err)
{
    const size_t bytes = (size_t)j->x.rows * spmv_type_size(j->x.type);
    const double start = spmv_now();
    tool_phase_begin("exchange", "lists of columns");
    const spmv_status st = spmv_part_operator_create(&j->op, j->comm, &j->part, j->x.type,
                                                     (int)j->run->options->common.threads, err);
    tool_phase_end(0);
    if (st != SPMV_SUCCESS) return st;
    j->run->setup = spmv_now() - start;
    if (bytes > 0) memcpy(spmv_part_operator_x(j->op), j->x.data, bytes);
    return st;
}

/* One more product, after all others and from the y that was given, for the verification. */
static spmv_status multiply_last(ranks_job *j, spmv_error *err)
{
    spmv_dense y = {0};
    spmv_status st;
    TOOL_TRY(
        spmv_part_scatter(&y, j->comm, j->part.row_begin, j->part.row_number, &j->run->y0, err));
    multiply_once(j, &y);
    TOOL_TRY(spmv_part_gather(&j->run->last.after, j->comm, j->part.row_begin, j->part.row_number,
                              &y, err));
done:
    spmv_dense_destroy(&y);
    return st;
}

static spmv_status multiply_parts(ranks_job *j, spmv_error *err)
{
    const run_options *o = j->run->options;
    spmv_status st = prepare_operator(j, err);
    if (st != SPMV_SUCCESS) return st;
    tool_phase_begin("multiply", "cpu-csr");
    multiply_once(j, &j->y);
    tool_phase_end(0);
    if (o->repeat == 0) return SPMV_SUCCESS;
    tool_phase_begin("measure", "cpu-csr");
    st = take_ranks_samples(j, err);
    if (st == SPMV_SUCCESS && o->verify) st = multiply_last(j, err);
    tool_phase_end(0);
    return st;
}

/* ---- The answer ----------------------------------------------------------------------------- */

static spmv_status write_whole(ranks_job *j, spmv_error *err)
{
    spmv_status st;
    TOOL_TRY(
        spmv_part_gather(&j->run->y, j->comm, j->part.row_begin, j->part.row_number, &j->y, err));
    st = is_root(j) ? run_write_result(j->run, err) : SPMV_SUCCESS;
    TOOL_TRY(spmv_comm_agree(j->comm, st, err));
done:
    return st;
}

/* Rank 0 has what was read. */
static spmv_status verify_whole(ranks_job *j, spmv_error *err)
{
    const bool wanted = is_root(j) && j->run->options->verify;
    return spmv_comm_agree(j->comm, wanted ? run_verify(j->run, err) : SPMV_SUCCESS, err);
}

spmv_status run_on_ranks(run_job *run, spmv_error *err)
{
    ranks_job j = {.run = run};
    spmv_status st;
    TOOL_TRY(tool_join_ranks(&j.comm, err));
    TOOL_TRY(ranks_choose_device(&j, err));
    st = is_root(&j) ? run_check_outputs(run, err) : SPMV_SUCCESS;
    TOOL_TRY(spmv_comm_agree(j.comm, st, err));
    TOOL_TRY(get_shares(&j, err));
    TOOL_TRY(j.device == SPMV_DEVICE_CPU ? multiply_parts(&j, err)
                                         : ranks_multiply_on_gpus(&j, err));
    TOOL_TRY(write_whole(&j, err));
    TOOL_TRY(verify_whole(&j, err));
    TOOL_TRY(ranks_summarise(&j, err));
done:
    spmv_gpus_destroy(j.gpus);
    spmv_part_operator_destroy(j.op);
    spmv_part_destroy(&j.part);
    spmv_dense_destroy(&j.x);
    spmv_dense_destroy(&j.y);
    spmv_comm_close(j.comm);
    return st;
}
