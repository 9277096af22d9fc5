/* check_files.c -- spmv-convert --check. */
#include "cli/convert/convert_job.h"
#include "cli/tool/message.h"
#include "cli/tool/tool.h"

/* Print a line for each bad file and nothing for good ones; the exit status is the highest of
 * all. */
int convert_check(const convert_options *o, const operands *files)
{
    int worst = 0;
    for (int i = 0; i < files->count; i++) {
        spmv_matrix A = {0};
        spmv_file_info info;
        spmv_error err = {0};
        const spmv_status st =
            convert_read(o, &A, files->word[i], o->symmetric == SYMMETRIC_KEEP, &info, &err);
        spmv_labels_destroy(&info.labels);
        spmv_destroy(&A);
        if (st == SPMV_SUCCESS) continue;
        tool_print_error(st, &err);
        if (spmv_exit_status(st) > worst) worst = spmv_exit_status(st);
    }
    return tool_finish_with(worst);
}
