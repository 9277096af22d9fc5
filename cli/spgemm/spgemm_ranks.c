/* spgemm_ranks.c -- one product by all ranks, each of which makes some rows.
 *
 * Rank 0 says what there is to say, and reads and writes what only one process can; every step that
 * can fail on one rank is agreed on by all. */
#include "cli/measure/keep_memory.h"
#include "cli/ranks/join_ranks.h"
#include "cli/spgemm/spgemm_job.h"
#include "cli/text/number_text.h"
#include "cli/tool/choose_device.h"
#include "cli/tool/message.h"
#include "cli/tool/path.h"
#include "cli/tool/phase.h"
#include "cli/tool/progress.h"
#include "cli/tool/steps.h"

#include <stdlib.h>
#include <string.h>

/* What one rank has of a product. */
typedef struct ranks_product {
    spgemm_job *job;
    spmv_comm *comm;
    spmv_context *ctx; /* of the GPU of this rank; NULL: all multiply on the CPU */
    spmv_part A, B, mask, C;
    spmv_spgemm_share share; /* of the last multiplication */
} ranks_product;

static bool is_root(const ranks_product *p)
{
    return spmv_comm_rank(p->comm) == 0;
}

static const spmv_part *second(const ranks_product *p)
{
    return p->job->b != NULL ? &p->B : &p->A;
}

/* ---- Operands ------------------------------------------------------------------------------- */

/* Rank 0 reads a matrix and changes its values as one process does, and spreads it. */
static spmv_status spread_operand(spmv_part *part, spmv_labels *labels, ranks_product *p,
                                  const char *path, spmv_error *err)
{
    spmv_matrix A = {0};
    spmv_status st = is_root(p) ? job_read_operand(&A, labels, p->job, path, err) : SPMV_SUCCESS;
    TOOL_TRY(spmv_comm_agree(p->comm, st, err));
    TOOL_TRY(spmv_part_spread(part, p->comm, &A, SPMV_PARTITION_NNZ, err));
done:
    spmv_destroy(&A);
    return st;
}

/* Get a matrix, which all ranks read where its values stay as they are. */
static spmv_status get_operand(spmv_part *part, spmv_labels *labels, ranks_product *p,
                               const char *path, spmv_error *err)
{
    const common_options *common = &p->job->options->common;
    const spmv_read_options read = job_read_options(p->job);
    spmv_file_info info = {0};
    if (common->precision != PRECISION_UNSET) return spread_operand(part, labels, p, path, err);
    const spmv_status st =
        step_read_part(part, p->comm, path, common, SPMV_PARTITION_NNZ, &read, &info, err);
    *labels = info.labels;
    if (st == SPMV_SUCCESS) job_warn_of_reading_options(p->job, path, &info);
    return st;
}

/* A matrix of that shape and type, without entries, for what is said of it. */
static spmv_matrix head_of(const spmv_part *part)
{
    return (spmv_matrix){
        .format = SPMV_CSR,
        .head = {.type = part->own.type, .rows = part->rows, .cols = part->cols, .nnz = part->nnz}};
}

static spmv_status get_operands(ranks_product *p, spmv_error *err)
{
    spgemm_job *job = p->job;
    const char *mask = job->options->mask;
    spmv_status st;
    TOOL_TRY(get_operand(&p->A, &job->labels_a, p, job->a, err));
    if (job->b != NULL) TOOL_TRY(get_operand(&p->B, &job->labels_b, p, job->b, err));
    if (mask != NULL) TOOL_TRY(get_operand(&p->mask, &job->labels_mask, p, mask, err));
    job->A = head_of(&p->A);
    job->B = head_of(&p->B);
    job->mask = head_of(&p->mask);
    if (is_root(p)) st = job_choose_labels(job, err);
    st = spmv_comm_agree(p->comm, st, err);
done:
    return st;
}

/* ---- Devices -------------------------------------------------------------------------------- */

/* Give each rank a GPU, or none: with --device auto what is small stays on the CPU. */
static spmv_status open_gpus(ranks_product *p, spmv_error *err)
{
    spgemm_job *job = p->job;
    const common_options *common = &job->options->common;
    const bool needed = strcmp(common->device, "gpu") == 0;
    const bool large = p->A.nnz + second(p)->nnz >= JOB_GPU_ENTRIES && !job->options->serial;
    spmv_status st = SPMV_SUCCESS;
    job->device = SPMV_DEVICE_CPU;
    if (needed || large)
        TOOL_TRY(common_rank_device(common, p->comm, needed, &job->device, &job->gpus, err));
    if (job->device != SPMV_DEVICE_CPU) {
        st = spmv_context_create(&p->ctx, job->device, (int)common->threads, err);
        TOOL_TRY(spmv_comm_agree(p->comm, st, err));
    }
done:
    return st;
}

static void close_gpu(ranks_product *p)
{
    spmv_context_destroy(p->ctx);
    p->ctx = NULL;
    p->job->gpus = 0;
}

/* ---- Multiplying ---------------------------------------------------------------------------- */

static spmv_status multiply_here(ranks_product *p, spmv_error *err)
{
    const spmv_part *mask = p->job->options->mask != NULL ? &p->mask : NULL;
    spgemm_job *job = p->job;
    spmv_part_destroy(&p->C);
    if (p->ctx != NULL)
        return spmv_spgemm_gpu_on_ranks(&p->C, p->comm, &p->A, second(p), mask, &job->how, p->ctx,
                                        &job->result, &p->share, err);
    return spmv_spgemm_on_ranks(&p->C, p->comm, &p->A, second(p), mask, &job->how, &job->result,
                                &p->share, err);
}

/* All ranks see the same failure, and go to the CPU together. */
static spmv_status multiply_once(ranks_product *p, spmv_error *err)
{
    const spmv_status st = multiply_here(p, err);
    const bool automatic = common_is_automatic(&p->job->options->common);
    if (p->ctx == NULL || !automatic || !tool_lacks_memory(st)) return st;
    tool_warn("%s; the CPU multiplies instead", err->message);
    close_gpu(p);
    return multiply_here(p, err);
}

/* Look for sums that may not be exact, of which the first one is on the lowest rank. */
static void count_rounded(ranks_product *p, double *all)
{
    enum { COUNT, ROW, COL, SIZE, NUMBERS };
    const spmv_csr *C = &p->C.own;
    const spmv_row_piece rows = {0, C->rows, C->nnz, C->col_idx, C->val};
    const int size = spmv_comm_size(p->comm);
    const int64_t before = p->C.row_begin[spmv_comm_rank(p->comm)];
    spmv_rounded_sums sums = {0}, *whole = &p->job->rounded;
    spmv_rounded_sums_add(&sums, C, &rows);
    const double mine[NUMBERS] = {
        [COUNT] = (double)sums.count,
        [ROW] = (double)(sums.row + before),
        [COL] = (double)sums.col,
        [SIZE] = sums.size,
    };
    spmv_comm_gather(p->comm, mine, NUMBERS, all);
    for (int k = size - 1; k >= 0; k--) {
        const double *one = all + k * NUMBERS;
        if (one[COUNT] == 0) continue;
        *whole = (spmv_rounded_sums){whole->count + (int64_t)one[COUNT], (int64_t)one[ROW],
                                     (int64_t)one[COL], one[SIZE]};
    }
}

/* What each rank tells of its share. */
enum { ROWS, PRODUCTS, RECEIVED, ENTRIES, MULTIPLYING, EXCHANGING, TOLD };

/* Tell under -v how even the work was, and how much was exchanged. */
static void tell_shares(const ranks_product *p, double *all)
{
    const spmv_spgemm_share *s = &p->share;
    const double mine[TOLD] = {(double)s->rows,     (double)s->products,
                               (double)s->received, (double)s->received_entries,
                               s->multiply_s,       s->exchange_s};
    const double entry = 4 + (double)spmv_type_size(second(p)->own.type);
    const int size = spmv_comm_size(p->comm);
    double sum[TOLD] = {0}, most = 0;
    char text[TOOL_NUMBER];
    spmv_comm_gather(p->comm, mine, TOLD, all);
    for (int k = 0; k < size; k++) {
        const double *one = all + k * TOLD;
        for (int i = 0; i < TOLD; i++) sum[i] += one[i];
        if (one[PRODUCTS] > most) most = one[PRODUCTS];
        tool_detail("rank %d: %.0f rows, %.0f products in %s, %.0f rows of B from other ranks", k,
                    one[ROWS], one[PRODUCTS], tool_time_text(one[MULTIPLYING], text),
                    one[RECEIVED]);
    }
    tool_detail("most products are %.3g times the mean; %s are exchanged, in %.3g %% of the time%s",
                sum[PRODUCTS] > 0 ? most * size / sum[PRODUCTS] : 1,
                tool_bytes_text(sum[ENTRIES] * entry, text),
                sum[EXCHANGING] / (sum[EXCHANGING] + sum[MULTIPLYING]) * 100,
                p->ctx != NULL ? " with copies to GPUs and back" : "");
}

/* What is said of the product, for which `all` has room for the numbers of each rank. */
static void tell_product(ranks_product *p, double *all)
{
    const int size = spmv_comm_size(p->comm), gpus = p->job->gpus;
    char where[48];
    p->job->C = head_of(&p->C);
    if (p->ctx != NULL)
        snprintf(where, sizeof where, "%d ranks with %d GPU%s", size, gpus, gpus == 1 ? "" : "s");
    else
        snprintf(where, sizeof where, "%d ranks", size);
    if (p->job->may_round) count_rounded(p, all);
    job_warn_rounded(p->job);
    job_say(p->job, where);
    tell_shares(p, all);
}

static spmv_status multiply(ranks_product *p, spmv_error *err)
{
    spgemm_job *job = p->job;
    const int64_t repeat = job->options->repeat;
    double *all = calloc((size_t)spmv_comm_size(p->comm) * TOLD, sizeof *all);
    spmv_status st = SPMV_SUCCESS;
    job->seconds = calloc((size_t)repeat, sizeof *job->seconds);
    if (all == NULL || job->seconds == NULL)
        st = tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "out of memory");
    TOOL_TRY(spmv_comm_agree(p->comm, st, err));
    job->may_round = spmv_spgemm_may_round_on_ranks(p->comm, &p->A, second(p), &job->how);
    if (repeat > 1) keep_memory();
    tool_phase_begin("multiply", NULL);
    for (int64_t k = 0; k < repeat && st == SPMV_SUCCESS; k++) {
        st = multiply_once(p, err);
        job->seconds[k] = job->result.seconds;
    }
    tool_phase_end(0);
    if (st == SPMV_SUCCESS) tell_product(p, all);
done:
    free(all);
    return st;
}

/* ---- Writing -------------------------------------------------------------------------------- */

/* Rank 0 brings C into its format, and writes it. */
static spmv_status write_collected(ranks_product *p, spmv_error *err)
{
    spmv_status st;
    p->job->C = (spmv_matrix){0};
    TOOL_TRY(spmv_part_collect(&p->job->C, p->comm, &p->C, err));
    st = is_root(p) ? job_write(p->job, err) : SPMV_SUCCESS;
    TOOL_TRY(spmv_comm_agree(p->comm, st, err));
done:
    return st;
}

static spmv_status write_product(ranks_product *p, spmv_error *err)
{
    const spgemm_job *job = p->job;
    const tool_target *t = &job->target;
    const spmv_write_options options = {.overwrite = job->options->common.force,
                                        .unchanged = true,
                                        .file_format = t->file_format,
                                        .labels = job->labels,
                                        .progress = tool_progress_bytes};
    if (job->out == NULL) return SPMV_SUCCESS;
    if (!t->takes_any && t->format != SPMV_CSR) return write_collected(p, err);
    tool_phase_begin("write", tool_output_name(job->out));
    const spmv_status st = spmv_write_part(&p->C, p->comm, job->out, &options, err);
    tool_phase_end(st == SPMV_SUCCESS ? tool_file_bytes(job->out) : 0);
    return st;
}

spmv_status job_on_ranks(spgemm_job *job, spmv_error *err)
{
    ranks_product p = {.job = job};
    spmv_status st;
    TOOL_TRY(tool_join_ranks(&p.comm, err));
    st = is_root(&p) ? job_check_first(job, err) : SPMV_SUCCESS;
    TOOL_TRY(spmv_comm_agree(p.comm, st, err));
    TOOL_TRY(get_operands(&p, err));
    TOOL_TRY(open_gpus(&p, err));
    TOOL_TRY(multiply(&p, err));
    TOOL_TRY(write_product(&p, err));
done:
    spmv_part_destroy(&p.A);
    spmv_part_destroy(&p.B);
    spmv_part_destroy(&p.mask);
    spmv_part_destroy(&p.C);
    close_gpu(&p);
    spmv_comm_close(p.comm);
    return st;
}
