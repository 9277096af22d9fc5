/* make_product.c -- C = A B on the device that suits, as a whole or in pieces. */
#include "cli/spgemm/spgemm_job.h"
#include "cli/tool/message.h"
#include "cli/tool/path.h"
#include "cli/tool/phase.h"
#include "cli/tool/progress.h"

#include <stdlib.h>
#include <string.h>

/* Smaller matrices are multiplied on a CPU before a GPU has started. */
enum { GPU_ENTRIES = 1 << 20 };

static bool is_automatic(const spgemm_job *job)
{
    return strcmp(job->options->common.device, "auto") == 0;
}

/* --device auto gives way to the CPU for what is small, and for the serial way. */
static spmv_status open_device(spgemm_job *job, spmv_context **ctx, spmv_error *err)
{
    const spgemm_options *o = job->options;
    const bool small = job->A.head.nnz + job_second(job)->head.nnz < GPU_ENTRIES;
    if (is_automatic(job) && (small || o->serial)) job->device = SPMV_DEVICE_CPU;
    return spmv_context_create(ctx, job->device, (int)o->common.threads, err);
}

static spmv_status multiply_whole(spgemm_job *job, spmv_context *ctx, spmv_error *err)
{
    const spmv_matrix *B = job_second(job);
    spmv_destroy(&job->C);
    return job->device == SPMV_DEVICE_CPU
               ? spmv_spgemm(&job->C, &job->A, B, &job->how, &job->result, err)
               : spmv_spgemm_gpu(&job->C, &job->A, B, &job->how, ctx, &job->result, err);
}

static bool lacks_memory(spmv_status st)
{
    return st == SPMV_ERROR_OUT_OF_MEMORY || st == SPMV_ERROR_CUDA_MALLOC;
}

/* Multiply once on the device of the job: as a whole if C fits into memory, else in pieces. */
static spmv_status multiply_here(spgemm_job *job, spmv_context *ctx, spmv_error *err)
{
    const spmv_status st = multiply_whole(job, ctx, err);
    if (!lacks_memory(st) || !job_may_come_in_pieces(job, err)) return st;
    return job_multiply_in_pieces(job, ctx, err);
}

/* Multiply once.  Where the device was not named and its memory is too small, the CPU takes over.
 */
static spmv_status multiply_once(spgemm_job *job, spmv_context *ctx, spmv_error *err)
{
    spmv_status st = multiply_here(job, ctx, err);
    if (!lacks_memory(st) || job->device == SPMV_DEVICE_CPU || !is_automatic(job) || job->written)
        return st;
    tool_warn("%s; the CPU multiplies instead", err->message);
    job->device = SPMV_DEVICE_CPU;
    return multiply_here(job, ctx, err);
}

/* Look at the sums of a product that is there as a whole. */
static void count_rounded(spgemm_job *job)
{
    const spmv_csr *C = &job->C.csr;
    const spmv_row_piece all = {0, C->rows, C->nnz, C->col_idx, C->val};
    if (job->may_round && !job->in_pieces) spmv_rounded_sums_add(&job->rounded, C, &all);
}

spmv_status job_multiply(spgemm_job *job, spmv_error *err)
{
    const int64_t repeat = job->options->repeat;
    spmv_context *ctx = NULL;
    spmv_status st;
    job->seconds = calloc((size_t)repeat, sizeof *job->seconds);
    if (job->seconds == NULL) return tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "out of memory");
    TOOL_TRY(open_device(job, &ctx, err));
    job->may_round = spmv_spgemm_may_round(&job->A, job_second(job), &job->how);
    tool_phase_begin("multiply", NULL);
    for (int64_t k = 0; k < repeat && st == SPMV_SUCCESS; k++) {
        st = multiply_once(job, ctx, err);
        job->seconds[k] = job->result.seconds;
    }
    tool_phase_end(st == SPMV_SUCCESS && job->in_pieces ? tool_file_bytes(job->out) : 0);
    if (st != SPMV_SUCCESS) goto done;
    count_rounded(job);
    job_warn_rounded(job);
    job_say(job, job->device == SPMV_DEVICE_CPU ? "the CPU" : "the GPU");
done:
    spmv_context_destroy(ctx);
    return st;
}

spmv_status job_write(spgemm_job *job, spmv_error *err)
{
    const tool_target *t = &job->target;
    spmv_status st = SPMV_SUCCESS;
    if (job->in_pieces) return st;
    if (t->format != SPMV_CSR) st = target_convert(t, &job->C, err);
    if (st != SPMV_SUCCESS) return st;
    return target_write(t, &job->C, job->labels, job->out, job->options->common.force, err);
}
