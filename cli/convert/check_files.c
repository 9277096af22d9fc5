/* check_files.c -- spmv-convert --check. */
#include "cli/convert/convert_job.h"

static spmv_status check(convert_task *task, const tool_input *input, spmv_error *err)
{
    const convert_options *o = task->options;
    spmv_matrix A = {0};
    spmv_file_info info;
    const spmv_status st =
        convert_read(o, &A, input->path, o->symmetric == SYMMETRIC_KEEP, &info, err);
    if (task->all != NULL) {
        report *r = report_object(task->all, NULL);
        report_text(r, "file", input->path);
        convert_record_outcome(r, st, err);
        if (info.file_format != NULL) report_text(r, "file_format", info.file_format);
    }
    spmv_labels_destroy(&info.labels);
    spmv_destroy(&A);
    return st;
}

/* Print a line for each bad file and nothing for good ones. */
int convert_check(const convert_options *o, const operands *files)
{
    convert_task task = {.options = o, .array = "checked", .work = check};
    return convert_run(&task, files);
}
