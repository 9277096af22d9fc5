/* product_steps.c -- what one process, or rank 0 of several, does before and after a product. */
#include "cli/run/run.h"
#include "cli/files/outputs.h"
#include "cli/ranks/row_shares.h"
#include "cli/tool/fail.h"
#include "cli/tool/path.h"
#include "cli/tool/phase.h"
#include "cli/tool/progress.h"
#include "cli/tool/steps.h"

spmv_status run_check_outputs(const run_job *job, spmv_error *err)
{
    const run_options *o = job->options;
    const char *words[4] = {job->path};
    operands inputs = {1, words};
    if (run_x_is_file(o)) words[inputs.count++] = o->x;
    if (o->y != NULL) words[inputs.count++] = o->y;
    if (tool_partition_is_file(o->partition)) words[inputs.count++] = o->partition;
    const spmv_status st =
        tool_check_output(o->common.output, false, o->common.force, &inputs, err);
    if (st != SPMV_SUCCESS) return st;
    return tool_check_side_output(o->common.json, &o->common, &inputs, err);
}

spmv_status run_prepare_matrix(run_job *job, spmv_error *err)
{
    const run_options *o = job->options;
    spmv_status st = SPMV_SUCCESS;
    spmv_matrix *A = &job->A;
    const spmv_type stored = A->head.type;

    job->precision = common_precision(&o->common, stored == SPMV_PATTERN ? SPMV_F64 : stored);
    tool_phase_begin("convert", NULL);
    if (o->transpose) {
        TOOL_TRY(run_own_indices(job, err));
        TOOL_TRY(step_apply(A, spmv_transpose, err));
    }
    TOOL_TRY(spmv_row_stats_compute(A, &job->stats, err));
done:
    tool_phase_end(0);
    return st;
}

spmv_status run_fit_values(run_job *job, spmv_error *err)
{
    const spmv_type stored = job->A.head.type;
    if (job->options->repeat <= 1 && spmv_type_multiplies(stored, job->precision))
        return SPMV_SUCCESS;
    const spmv_type type = spmv_smallest_type(&job->A, job->precision);
    if (type == stored) return SPMV_SUCCESS;
    tool_phase_begin("convert", spmv_type_name(type));
    const spmv_status st = step_type(&job->A, type, job->path, err);
    tool_phase_end(0);
    return st;
}

spmv_status run_write_result(const run_job *job, spmv_error *err)
{
    const run_options *o = job->options;
    const char *path = common_output(&o->common);
    const spmv_write_options options = {
        .overwrite = o->common.force, .unchanged = true, .progress = tool_progress_bytes};
    if (path == NULL) return SPMV_SUCCESS;
    tool_phase_begin("write", tool_output_name(path));
    const spmv_status st = spmv_write_vector(&job->y, path, &options, err);
    tool_phase_end(st == SPMV_SUCCESS ? tool_file_bytes(path) : 0);
    return st;
}
