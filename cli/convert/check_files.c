/* check_files.c -- spmv-convert --check. */
#include "cli/convert/convert_job.h"
#include "cli/tool/fail.h"

typedef struct check_job {
    const convert_options *options;
    report *all; /* records of files; NULL: there are none */
} check_job;

static void record_check(report *all, const char *path, const spmv_file_info *info, spmv_status st,
                         const spmv_error *err)
{
    report *o = report_object(all, NULL);
    report_text(o, "file", path);
    report_flag(o, "pass", st == SPMV_SUCCESS);
    if (info->file_format != NULL) report_text(o, "file_format", info->file_format);
    if (st != SPMV_SUCCESS) record_failure(o, st, err);
}

static spmv_status check(void *work, const tool_input *input, spmv_error *err)
{
    const check_job *job = work;
    const convert_options *o = job->options;
    spmv_matrix A = {0};
    spmv_file_info info;
    const spmv_status st =
        convert_read(o, &A, input->path, o->symmetric == SYMMETRIC_KEEP, &info, err);
    if (job->all != NULL) record_check(job->all, input->path, &info, st, err);
    spmv_labels_destroy(&info.labels);
    spmv_destroy(&A);
    return st;
}

/* Print a line for each bad file and nothing for good ones. */
int convert_check(const convert_options *o, const operands *files)
{
    const common_options *common = &o->common;
    check_job job = {.options = o};
    tool_inputs inputs = {0};
    spmv_error err = {0};
    spmv_status st;
    int worst = 0;
    report *r = common->json != NULL ? record_create() : NULL;
    TOOL_TRY(convert_find(o, files, false, &inputs, &err));
    if (r != NULL) job.all = report_array(r, "checked");
    worst = convert_each(&inputs, check, &job);
    if (r != NULL) st = report_write(r, common->json, common->force, &err);
done:
    report_destroy(r);
    tool_inputs_destroy(&inputs);
    return convert_finish(worst, st, &err);
}
