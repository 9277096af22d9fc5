/* product_in_pieces.c -- a product that does not fit into memory is written as it is made. */
#include "cli/spgemm/spgemm_job.h"
#include "cli/text/number_text.h"
#include "cli/tool/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

/* Says after a failure what would do. */
static void tell_way_out(const char *way, spmv_error *err)
{
    const size_t length = strlen(err->message);
    snprintf(err->message + length, sizeof err->message - length, "; %s", way);
}

bool job_may_come_in_pieces(const spgemm_job *job, spmv_error *err)
{
    const tool_target *t = &job->target;
    const bool text = strcmp(t->name, "mtx") == 0, binary = !t->takes_any && t->format == SPMV_CSR;
    if (job->out == NULL) return false; /* nothing is written */
    if (job->options->repeat == 1 && (text || binary)) return true;
    tell_way_out("to mtx or csr, and without --repeat, it is written in pieces of rows", err);
    return false;
}

/* ---- Room on the disk ------------------------------------------------------------------------ */

/* Bytes that a file of this name may still get; infinite where that is not known, or it is no file
 * of its own. */
static double room_for(const char *path)
{
    struct statvfs disk;
    if (tool_is_stream(path)) return 1e300;
    char *folder = tool_folder_of(path);
    const bool known = folder != NULL && statvfs(folder, &disk) == 0;
    free(folder);
    return known ? (double)disk.f_bavail * (double)disk.f_frsize : 1e300;
}

/* Refuse what neither memory nor disk hold, before hours of work.  Text takes about as many bytes
 * as memory does; short or compressed, never less than a tenth. */
static spmv_status check_disk(spgemm_job *job, spmv_error *err)
{
    spmv_spgemm_estimate *e = &job->estimate;
    const spmv_status st =
        spmv_spgemm_estimate_product(e, &job->A, job_second(job), &job->how, err);
    char needed[TOOL_NUMBER], left[TOOL_NUMBER];
    const double room = room_for(job->out), least = job->target.file->text ? 0.1 : 1;
    if (st != SPMV_SUCCESS || least * (double)e->bytes <= room) return st;
    return tool_fail(
        err, SPMV_ERROR_OUT_OF_MEMORY,
        "the product, of about %.3g entries from %.3g products, needs %s: it does not fit into "
        "memory, and %.200s has %s of disk",
        (double)e->nnz, (double)e->products, tool_bytes_text((double)e->bytes, needed), job->out,
        tool_bytes_text(room, left));
}

/* ---- Pieces ---------------------------------------------------------------------------------- */

/* The consumer of a file, and what is done beside writing. */
typedef struct observed_writer {
    spgemm_job *job;
    spmv_row_consumer file;
    const spmv_csr *C;
} observed_writer;

static spmv_status begin(void *user, const spmv_csr *C, spmv_error *err)
{
    observed_writer *w = user;
    w->C = C;
    w->job->C = (spmv_matrix){.format = SPMV_CSR, .csr = *C};
    w->job->C.csr.row_ptr = NULL; /* it is not ours */
    w->job->written = true;
    return w->file.begin(w->file.user, C, err);
}

static spmv_status prepare(void *user, const spmv_row_piece *piece, spmv_piece_memory *memory,
                           spmv_error *err)
{
    const observed_writer *w = user;
    return w->file.prepare != NULL ? w->file.prepare(w->file.user, piece, memory, err)
                                   : SPMV_SUCCESS;
}

static spmv_status take(void *user, const spmv_row_piece *piece, const spmv_piece_memory *memory,
                        spmv_error *err)
{
    observed_writer *w = user;
    if (w->job->may_round) spmv_rounded_sums_add(&w->job->rounded, w->C, piece);
    return w->file.take(w->file.user, piece, memory, err);
}

spmv_status job_multiply_in_pieces(spgemm_job *job, spmv_error *err)
{
    const spmv_write_options options = {.overwrite = job->options->common.force,
                                        .unchanged = true,
                                        .file_format = job->target.file_format,
                                        .labels = job->labels};
    const spmv_matrix *B = job_second(job);
    const spmv_error lack = *err;
    spmv_row_writer *writer = NULL;
    spmv_status st;
    TOOL_TRY(check_disk(job, err));
    st = spmv_row_writer_create(&writer, job->out, &options, err);
    if (st == SPMV_ERROR_UNSUPPORTED) {
        *err = lack;
        tell_way_out("to mtx, or to a file in csr that is not compressed, it is written in pieces "
                     "of rows",
                     err);
        return SPMV_ERROR_OUT_OF_MEMORY;
    }
    if (st != SPMV_SUCCESS) goto done;
    observed_writer w = {.job = job, .file = spmv_row_writer_consumer(writer)};
    const spmv_row_consumer to = {begin, prepare, take, &w};
    job->rounded = (spmv_rounded_sums){0};
    TOOL_TRY(
        job->device == SPMV_DEVICE_CPU
            ? spmv_spgemm_rows(&job->A, B, &job->how, &to, &job->result, err)
            : spmv_spgemm_rows_gpu(&job->A, B, &job->how, &to, job->ctx[0], &job->result, err));
    st = spmv_row_writer_commit(&writer, err);
    job->in_pieces = st == SPMV_SUCCESS;
done:
    spmv_row_writer_discard(writer);
    return st;
}
