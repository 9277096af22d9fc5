/* convert_each.c -- what every use of spmv-convert on several files shares. */
#include "cli/convert/convert_job.h"
#include "cli/files/outputs.h"
#include "cli/tool/exit_status.h"
#include "cli/tool/fail.h"
#include "cli/tool/message.h"
#include "cli/tool/progress.h"
#include "cli/tool/tool.h"

#include <stdlib.h>

spmv_status convert_find(const convert_options *o, const operands *words, bool prints,
                         tool_inputs *out, spmv_error *err)
{
    operands files = {0};
    spmv_read_options reading = {0};
    spmv_status st;
    text_options_apply(&o->text, &reading);
    TOOL_TRY(tool_inputs_find(out, words, &reading, err));
    TOOL_TRY(tool_inputs_choose(out, &o->match, &o->exclude, err));
    TOOL_TRY(tool_inputs_files(&files, out, err));
    if (prints) TOOL_TRY(tool_check_output("-", false, true, &files, err));
    st = tool_check_side_output(o->common.json, &o->common, &files, err);
done:
    free(files.word);
    return st;
}

int convert_each(const tool_inputs *inputs, convert_work *work, void *job)
{
    int worst = tool_exit_status(inputs->unread);
    for (int i = 0; i < inputs->count; i++) {
        spmv_error err = {0};
        tool_progress_batch(i, inputs->count, i);
        const spmv_status st = work(job, &inputs->item[i], &err);
        if (st != SPMV_SUCCESS) {
            tool_blame_input(inputs->item[i].path, &err);
            tool_print_error(st, &err);
        }
        if (tool_exit_status(st) > worst) worst = tool_exit_status(st);
    }
    return worst;
}

int convert_finish(int worst, spmv_status st, const spmv_error *err)
{
    if (st == SPMV_SUCCESS) return tool_finish_with(worst);
    tool_print_error(st, err);
    return tool_finish_with(tool_exit_status(st) > worst ? tool_exit_status(st) : worst);
}
