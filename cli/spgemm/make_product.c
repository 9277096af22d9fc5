/* make_product.c -- C = A B on the device that suits, as a whole or in pieces. */
#include "cli/spgemm/spgemm_job.h"
#include "cli/measure/keep_memory.h"
#include "cli/tool/choose_device.h"
#include "cli/tool/message.h"
#include "cli/tool/path.h"
#include "cli/tool/phase.h"

#include <stdio.h>
#include <stdlib.h>

static int device_count(const spgemm_job *job)
{
    return job->gpus > 0 ? job->gpus : 1;
}

/* --device auto is the CPU for what is small, and for the serial way. */
static spmv_status open_devices(spgemm_job *job, spmv_error *err)
{
    const spgemm_options *o = job->options;
    const bool small = job->A.head.nnz + job_second(job)->head.nnz < JOB_GPU_ENTRIES;
    const int count = device_count(job);
    spmv_status st = SPMV_SUCCESS;
    if (common_is_automatic(&o->common) && !small && !o->serial)
        TOOL_TRY(common_device(&o->common, &job->device, err));
    job->ctx = calloc((size_t)count, sizeof *job->ctx);
    job->share = calloc((size_t)count, sizeof *job->share);
    if (job->ctx == NULL || job->share == NULL)
        return tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot list %d devices", count);
    for (int k = 0; k < count; k++)
        TOOL_TRY(spmv_context_create(&job->ctx[k], job->gpus > 0 ? k : job->device,
                                     (int)o->common.threads, err));
done:
    return st;
}

static void close_devices(spgemm_job *job)
{
    for (int k = 0; job->ctx != NULL && k < device_count(job); k++)
        spmv_context_destroy(job->ctx[k]);
    free(job->ctx);
    job->ctx = NULL;
}

static spmv_status multiply_whole(spgemm_job *job, spmv_error *err)
{
    const spmv_matrix *B = job_second(job);
    spmv_destroy(&job->C);
    return job->device == SPMV_DEVICE_CPU
               ? spmv_spgemm(&job->C, &job->A, B, &job->how, &job->result, err)
               : spmv_spgemm_gpus(&job->C, &job->A, B, &job->how, job->ctx, device_count(job),
                                  &job->result, job->share, err);
}

/* Multiply once on the device of the job: as a whole if C fits into memory, else in pieces. */
static spmv_status multiply_here(spgemm_job *job, spmv_error *err)
{
    const spmv_status st = multiply_whole(job, err);
    if (!tool_lacks_memory(st) || !job_may_come_in_pieces(job, err)) return st;
    return job_multiply_in_pieces(job, err);
}

/* Multiply once.  Where the device was not named and its memory is too small, the CPU takes over.
 */
static spmv_status multiply_once(spgemm_job *job, spmv_error *err)
{
    const bool automatic = common_is_automatic(&job->options->common);
    spmv_status st = multiply_here(job, err);
    if (!tool_lacks_memory(st) || job->device == SPMV_DEVICE_CPU || !automatic || job->written)
        return st;
    tool_warn("%s; the CPU multiplies instead", err->message);
    job->device = SPMV_DEVICE_CPU;
    return multiply_here(job, err);
}

/* Look at the sums of a product that is there as a whole. */
static void count_rounded(spgemm_job *job)
{
    const spmv_csr *C = &job->C.csr;
    const spmv_row_piece all = {0, C->rows, C->nnz, C->col_idx, C->val};
    if (job->may_round && !job->in_pieces) spmv_rounded_sums_add(&job->rounded, C, &all);
}

static void tell(const spgemm_job *job)
{
    char gpus[32];
    snprintf(gpus, sizeof gpus, "%d GPUs", job->gpus);
    job_warn_rounded(job);
    job_say(job, job->device == SPMV_DEVICE_CPU     ? "the CPU"
                 : job->gpus > 1 && !job->in_pieces ? gpus
                                                    : "the GPU");
    if (job->gpus > 0 && !job->in_pieces) job_tell_gpus(job);
}

spmv_status job_multiply(spgemm_job *job, spmv_error *err)
{
    const int64_t repeat = job->options->repeat;
    spmv_status st;
    job->seconds = calloc((size_t)repeat, sizeof *job->seconds);
    if (job->seconds == NULL) return tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "out of memory");
    TOOL_TRY(open_devices(job, err));
    job->may_round = spmv_spgemm_may_round(&job->A, job_second(job), &job->how);
    if (repeat > 1) keep_memory();
    tool_phase_begin("multiply", NULL);
    for (int64_t k = 0; k < repeat && st == SPMV_SUCCESS; k++) {
        st = multiply_once(job, err);
        job->seconds[k] = job->result.seconds;
    }
    tool_phase_end(st == SPMV_SUCCESS && job->in_pieces ? tool_file_bytes(job->out) : 0);
    if (st != SPMV_SUCCESS) goto done;
    count_rounded(job);
    tell(job);
done:
    close_devices(job);
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
