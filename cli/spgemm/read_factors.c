/* read_factors.c -- A, B and the mask from their files, and what their rows are called. */
#include "cli/spgemm/spgemm_job.h"
#include "cli/files/outputs.h"
#include "cli/tool/message.h"
#include "cli/tool/path.h"
#include "cli/tool/steps.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

spmv_read_options job_read_options(const spgemm_job *job)
{
    const spgemm_options *o = job->options;
    return (spmv_read_options){.index_base = (spmv_index_base)(o->index_base + 1),
                               .skip_invalid = o->skip_invalid};
}

/* An edge list has the nodes that it names, whatever they count from, unless they are of two kinds.
 */
void job_warn_of_reading_options(const spgemm_job *job, const char *path,
                                 const spmv_file_info *info)
{
    const spgemm_options *o = job->options;
    const tool_scope scopes[] = {
        {&o->index_base, "--index-base", info->bipartite ? " mtx el " : " mtx "},
        {&o->skip_invalid, "--skip-invalid", " mtx el "}};
    tool_warn_scoped(&o->common, path, info->file_format, scopes, sizeof scopes / sizeof scopes[0]);
    step_warn_skipped(tool_input_name(path), info);
}

spmv_status job_read_operand(spmv_matrix *A, spmv_labels *labels, const spgemm_job *job,
                             const char *path, spmv_error *err)
{
    const spgemm_options *o = job->options;
    const spmv_read_options read = job_read_options(job);
    spmv_file_info info = {0};
    spmv_status st;
    TOOL_TRY(step_read(A, path, &o->common, &read, &info, err));
    *labels = info.labels;
    job_warn_of_reading_options(job, path, &info);
    TOOL_TRY(spmv_own_indices(A, err));
    /* A product of two patterns counts in double precision, unless one has values. */
    const bool counts = path == job->a && o->common.precision == PRECISION_F32 && !o->boolean;
    if (A->head.type != SPMV_PATTERN || counts)
        TOOL_TRY(step_type(A, common_precision(&o->common, A->head.type), path, err));
done:
    return st;
}

spmv_status job_read(spgemm_job *job, spmv_error *err)
{
    const spgemm_options *o = job->options;
    spmv_status st;
    TOOL_TRY(job_read_operand(&job->A, &job->labels_a, job, job->a, err));
    if (job->b != NULL) TOOL_TRY(job_read_operand(&job->B, &job->labels_b, job, job->b, err));
    if (o->mask != NULL) {
        TOOL_TRY(job_read_operand(&job->mask, &job->labels_mask, job, o->mask, err));
        job->how.mask = &job->mask;
    }
done:
    return st;
}

/* ---- Labels ---------------------------------------------------------------------------------- */

/* Only the rows of a square matrix have names, which its columns share. */
static bool has_labels(const spmv_matrix *A, const spmv_labels *labels)
{
    return A->head.rows == A->head.cols && !spmv_labels_are_usual(labels);
}

/* "3 to 9" */
enum { RANGE_SIZE = 2 * SPMV_LABEL_SIZE + 8 };
static const char *range_of(const spmv_labels *labels, char text[RANGE_SIZE])
{
    char first[SPMV_LABEL_SIZE], last[SPMV_LABEL_SIZE];
    snprintf(text, RANGE_SIZE, "%s to %s", spmv_label_text(labels, 0, first),
             spmv_label_text(labels, labels->n - 1, last));
    return text;
}

static void warn_of_labels(const spmv_labels *lost, const char *why)
{
    char range[RANGE_SIZE];
    tool_warn("nodes are called %s %s: they count from 1 in the product", range_of(lost, range),
              why);
}

/* INVALID_DIMENSION where a node is called otherwise in two matrices that go by places: these would
 * be of other nodes.  Of what one has more of, the sizes tell. */
static spmv_status check_names(const spmv_labels *a, const char *in_a, const spmv_labels *b,
                               const char *in_b, spmv_error *err)
{
    const int64_t n = a->n < b->n ? a->n : b->n;
    if (spmv_labels_equal(a, b)) return SPMV_SUCCESS;
    for (int64_t i = 0; i < n; i++) {
        char of_a[SPMV_LABEL_SIZE], of_b[SPMV_LABEL_SIZE];
        const char *x = spmv_label_text(a, i, of_a), *y = spmv_label_text(b, i, of_b);
        if (strcmp(x, y) == 0) continue;
        return tool_fail(err, SPMV_ERROR_INVALID_DIMENSION,
                         "node %" PRId64 " is called %.40s in %.40s and %.40s in %.40s; a matrix "
                         "without names, such as a .mtx file, goes by places",
                         i + 1, x, in_a, y, in_b);
    }
    return SPMV_SUCCESS;
}

/* A mask whose nodes have other names than those of the product (NULL: none) would pick others. */
static spmv_status check_mask(const spgemm_job *job, const spmv_labels *labels, spmv_error *err)
{
    const char *name = job->options->mask;
    const spmv_labels *of_mask = NULL;
    char theirs[RANGE_SIZE];
    if (name != NULL && has_labels(&job->mask, &job->labels_mask)) of_mask = &job->labels_mask;
    if (name == NULL || of_mask == labels) return SPMV_SUCCESS;
    if (of_mask != NULL && labels != NULL)
        return check_names(of_mask, "the mask", labels, "the product", err);
    tool_warn("nodes are called %s in %s only: the mask goes by their places",
              range_of(of_mask != NULL ? of_mask : labels, theirs),
              of_mask != NULL ? "the mask" : "the factors");
    return SPMV_SUCCESS;
}

spmv_status job_choose_labels(spgemm_job *job, spmv_error *err)
{
    const spmv_labels *a = &job->labels_a, *b = job->b != NULL ? &job->labels_b : a;
    const bool of_a = has_labels(&job->A, a), of_b = has_labels(job_second(job), b);
    const bool both = of_a && of_b;
    spmv_status st = SPMV_SUCCESS;
    if (both) TOOL_TRY(check_names(a, "A", b, "B", err));
    TOOL_TRY(check_mask(job, both ? a : NULL, err));
    if (both && job->target.file->labels)
        job->labels = a;
    else if (both)
        warn_of_labels(a, "and the output format cannot hold that");
    else if (of_a || of_b)
        warn_of_labels(of_a ? a : b, of_a ? "in A, and count from 1 in B, which goes by places"
                                          : "in B, and count from 1 in A, which goes by places");
done:
    return st;
}
