/* convert_batch.c -- spmv-convert --output-dir: many files, each to one of its name in a folder. */
#include "cli/convert/convert_job.h"
#include "cli/files/target.h"
#include "cli/tool/fail.h"
#include "cli/tool/message.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Returns "FOLDER/NAME.SUFFIX"; NULL: out of memory. */
static char *output_of(const convert_options *o, const tool_input *input)
{
    char suffix[SPMV_SUFFIX_SIZE];
    target_suffix(o->to != NULL ? o->to : "csr", suffix);
    const size_t size = strlen(o->output_dir) + strlen(input->name) + strlen(suffix) + 2;
    char *path = malloc(size);
    if (path != NULL) snprintf(path, size, "%s/%s%s", o->output_dir, input->name, suffix);
    return path;
}

static spmv_status make_folder(const char *path, spmv_error *err)
{
    struct stat info;
    if (mkdir(path, 0777) == 0) return SPMV_SUCCESS;
    if (errno == EEXIST && stat(path, &info) == 0) {
        if (S_ISDIR(info.st_mode)) return SPMV_SUCCESS;
        errno = ENOTDIR;
    }
    return tool_fail_on(path, errno, err);
}

/* Make the folders that a file lies in, from the `first` letter of its path on. */
static spmv_status make_folders(char *path, size_t first, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    for (char *slash = strchr(path + first, '/'); slash != NULL && st == SPMV_SUCCESS;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        st = make_folder(path, err);
        *slash = '/';
    }
    return st;
}

/* A name that is a whole path says that another input has the same name: their outputs would be one
 * file. */
static spmv_status refuse_same_name(const tool_input *input, spmv_error *err)
{
    if (input->folder == 0 || strcmp(input->name, input->path) != 0) return SPMV_SUCCESS;
    tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT,
              "another input has the same name; name a folder that holds both");
    tool_blame_input(input->path, err);
    return SPMV_ERROR_INVALID_ARGUMENT;
}

static spmv_status convert_into_folder(const convert_options *o, const tool_input *input,
                                       report *record, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    char *out = output_of(o, input);
    if (out == NULL) return tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot name an output");
    TOOL_TRY(refuse_same_name(input, err));
    TOOL_TRY(make_folders(out, strlen(o->output_dir) + 1, err));
    st = convert_file(o, input->path, out, record, err);
done:
    free(out);
    return st;
}

static spmv_status begin(convert_task *task, spmv_error *err)
{
    return make_folder(task->options->output_dir, err);
}

static spmv_status convert_next(convert_task *task, const tool_input *input, spmv_error *err)
{
    report *record = task->all != NULL ? report_object(task->all, NULL) : NULL;
    if (record != NULL) report_text(record, "file", input->path);
    const spmv_status st = convert_into_folder(task->options, input, record, err);
    if (record != NULL) convert_record_outcome(record, st, err);
    return st;
}

static void end(const convert_task *task)
{
    tool_note("%s: %d of %d files written", task->options->output_dir, task->done, task->files);
}

int convert_batch(const convert_options *o, const operands *inputs)
{
    convert_task task = {
        .options = o, .array = "converted", .begin = begin, .work = convert_next, .end = end};
    return convert_run(&task, inputs);
}
