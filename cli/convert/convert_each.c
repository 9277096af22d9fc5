/* convert_each.c -- what every use of spmv-convert on several files shares. */
#include "cli/convert/convert_job.h"
#include "cli/files/outputs.h"
#include "cli/tool/exit_status.h"
#include "cli/tool/fail.h"
#include "cli/tool/message.h"
#include "cli/tool/progress.h"
#include "cli/tool/tool.h"

#include <stdlib.h>

/* Neither the record of --json is one of the files, nor is standard output, where something about
 * them is printed. */
static spmv_status find_files(const convert_task *task, const operands *words, tool_inputs *out,
                              spmv_error *err)
{
    const convert_options *o = task->options;
    operands files = {0};
    spmv_read_options reading = {0};
    spmv_status st;
    graph_options_apply(&o->graph, &reading);
    TOOL_TRY(tool_inputs_find(out, words, &reading, err));
    TOOL_TRY(tool_inputs_choose(out, &o->match, &o->exclude, err));
    TOOL_TRY(tool_inputs_files(&files, out, err));
    if (task->prints && o->common.json == NULL)
        TOOL_TRY(tool_check_output("-", false, true, &files, err));
    st = tool_check_side_output(o->common.json, &o->common, &files, err);
done:
    free(files.word);
    return st;
}

void convert_record_outcome(report *r, spmv_status st, const spmv_error *err)
{
    report_flag(r, "pass", st == SPMV_SUCCESS);
    if (st != SPMV_SUCCESS) record_failure(r, st, err);
}

/* Returns the highest exit status. */
static int do_each(convert_task *task, const tool_inputs *inputs)
{
    int worst = tool_exit_status(inputs->unread);
    for (int i = 0; i < inputs->count; i++) {
        spmv_error err = {0};
        tool_progress_batch(i, inputs->count, i);
        const spmv_status st = task->work(task, &inputs->item[i], &err);
        task->done += st == SPMV_SUCCESS;
        if (st != SPMV_SUCCESS) {
            tool_blame_input(inputs->item[i].path, &err);
            tool_print_error(st, &err);
        }
        if (tool_exit_status(st) > worst) worst = tool_exit_status(st);
    }
    return worst;
}

int convert_run(convert_task *task, const operands *files)
{
    const common_options *common = &task->options->common;
    tool_inputs inputs = {0};
    spmv_error err = {0};
    spmv_status st;
    int worst = 0;
    report *r = common->json != NULL ? record_create() : NULL;
    TOOL_TRY(find_files(task, files, &inputs, &err));
    task->files = inputs.count;
    if (r != NULL) task->all = report_array(r, task->array);
    if (task->begin != NULL) TOOL_TRY(task->begin(task, &err));
    worst = do_each(task, &inputs);
    if (task->end != NULL) task->end(task);
    if (r != NULL) st = report_write(r, common->json, common->force, &err);
done:
    report_destroy(r);
    tool_inputs_destroy(&inputs);
    if (st == SPMV_SUCCESS) return tool_finish_with(worst);
    tool_print_error(st, &err);
    return tool_finish_with(tool_exit_status(st) > worst ? tool_exit_status(st) : worst);
}
