/* spgemm_job.h -- one product from files to file: what the parts of spmv-spgemm share. */
#pragma once

#include "cli/files/target.h"
#include "cli/tool/common.h"
#include "cli/tool/fail.h"

#define SPGEMM_KERNELS "auto|spgemm-cpu|spgemm-serial|spgemm-gpu|spgemm-gpus"

typedef struct spgemm_options {
    common_options common;
    bool transpose_a, transpose_b, boolean, drop_zeros, serial, estimate, skip_invalid;
    const char *mask, *to;
    int64_t top;    /* 0: all */
    int index_base; /* -1: as is usual */
    int64_t repeat; /* multiplications */
    int kernel;     /* of SPGEMM_KERNELS */
} spgemm_options;

typedef struct spgemm_job {
    const spgemm_options *options;
    const char *a, *b; /* b NULL: B is A */
    const char *out;   /* "-": standard output */
    tool_target target;
    spmv_matrix A, B, mask;
    spmv_labels labels_a, labels_b, labels_mask; /* what their rows are called */
    const spmv_labels *labels;                   /* of C; NULL: 1, 2, ... */
    int device;
    int gpus;           /* that multiply together, of --device all or of several ranks; else 0 */
    spmv_context **ctx; /* [1 or gpus] of one process, owned; NULL but while it multiplies */
    spmv_spgemm_gpu_share *share; /* [gpus] of the last multiplication, owned; NULL of ranks */
    spmv_spgemm_options how;

    spmv_matrix C; /* without entries where it went away in pieces */
    bool in_pieces;
    bool written; /* its output has been begun */
    spmv_spgemm_result result;
    double *seconds; /* [repeat] of the multiplications, owned */
    spmv_spgemm_estimate estimate;
    bool may_round; /* sums of integers may be too large to be exact: these are counted */
    spmv_rounded_sums rounded;
} spgemm_job;

static inline const spmv_matrix *job_second(const spgemm_job *job)
{
    return job->b != NULL ? &job->B : &job->A;
}

/* Smaller matrices are multiplied on a CPU before a GPU has started. */
enum { JOB_GPU_ENTRIES = 1 << 20 };

/* ---- check_first.c --------------------------------------------------------------------------- */

/* Say what --kernel says by --device and --serial; ends in misuse where these say something else.
 */
void job_apply_kernel(spgemm_options *options);

/* Returns what the way is called by which the job multiplies on its device. */
const char *job_kernel(const spgemm_job *job);

/* Refuse, as misuse, options that make no sense together, or not for several ranks. */
void job_check_usage(const spgemm_options *options, const operands *files, const char *out);

/* Choose the device, and refuse outputs that cannot be. */
spmv_status job_check_first(spgemm_job *job, spmv_error *err);

/* ---- read_factors.c -------------------------------------------------------------------------- */

/* Read A, B and the mask, each as a phase of the run. */
spmv_status job_read(spgemm_job *job, spmv_error *err);

/* Read one of them, and what its rows are called. */
spmv_status job_read_operand(spmv_matrix *A, spmv_labels *labels, const spgemm_job *job,
                             const char *path, spmv_error *err);

/* What is asked of a reader; and a warning of what has no effect on the file that it has read, and
 * of what it has left out. */
spmv_read_options job_read_options(const spgemm_job *job);
void job_warn_of_reading_options(const spgemm_job *job, const char *path,
                                 const spmv_file_info *info);

/* Choose what the rows and columns of C are called, and warn once where labels get lost.
 * Errors: INVALID_DIMENSION (the mask calls them otherwise). */
spmv_status job_choose_labels(spgemm_job *job, spmv_error *err);

/* ---- make_product.c -------------------------------------------------------------------------- */

/* Multiply as a phase of the run, as a whole; where C does not fit into memory, in pieces of rows
 * that are written as they are made, so that nothing is left to write. */
spmv_status job_multiply(spgemm_job *job, spmv_error *err);

/* Write C, if it has not been written yet. */
spmv_status job_write(spgemm_job *job, spmv_error *err);

/* ---- product_in_pieces.c --------------------------------------------------------------------- */

/* Whether C can be written in pieces of rows; if not, the reason is added to what *err says. */
bool job_may_come_in_pieces(const spgemm_job *job, spmv_error *err);

/* Multiply on one device, and write in pieces of rows. */
spmv_status job_multiply_in_pieces(spgemm_job *job, spmv_error *err);

/* ---- spgemm_ranks.c ------------------------------------------------------------------------- */

/* Multiply with all ranks, of which this is one; job->A, B and C hold no entries then. */
spmv_status job_on_ranks(spgemm_job *job, spmv_error *err);

/* ---- tell_product.c -------------------------------------------------------------------------- */

/* Work out and print how large C would be. */
spmv_status job_estimate(spgemm_job *job, spmv_error *err);
/* Numbers under -v; `where` it was multiplied, as in "the CPU". */
void job_say(const spgemm_job *job, const char *where);
void job_tell_gpus(const spgemm_job *job);    /* how several GPUs have shared the work, under -v */
void job_warn_rounded(const spgemm_job *job); /* of sums that may not be exact */
spmv_status job_record(const spgemm_job *job, spmv_error *err); /* --json */
