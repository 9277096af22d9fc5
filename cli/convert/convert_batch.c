/* convert_batch.c -- spmv-convert --output-dir: many files, each to one of its name in a folder. */
#include "cli/convert/convert_job.h"
#include "cli/files/target.h"
#include "cli/tool/fail.h"
#include "cli/tool/message.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct batch_job {
    const convert_options *options;
    char suffix[SPMV_SUFFIX_SIZE];
    report *all; /* records of conversions; NULL: there are none */
    int written;
} batch_job;

/* Returns "FOLDER/NAME.SUFFIX"; NULL: out of memory. */
static char *output_of(const batch_job *job, const tool_input *input)
{
    const char *folder = job->options->output_dir;
    const size_t size = strlen(folder) + strlen(input->name) + strlen(job->suffix) + 2;
    char *path = malloc(size);
    if (path != NULL) snprintf(path, size, "%s/%s%s", folder, input->name, job->suffix);
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

static spmv_status convert_into_folder(const batch_job *job, const tool_input *input,
                                       report *record, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    char *out = output_of(job, input);
    if (out == NULL) return tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot name an output");
    TOOL_TRY(refuse_same_name(input, err));
    TOOL_TRY(make_folders(out, strlen(job->options->output_dir) + 1, err));
    st = convert_file(job->options, input->path, out, record, err);
done:
    free(out);
    return st;
}

static spmv_status convert_next(void *work, const tool_input *input, spmv_error *err)
{
    batch_job *job = work;
    report *record = job->all != NULL ? report_object(job->all, NULL) : NULL;
    if (record != NULL) report_text(record, "file", input->path);
    const spmv_status st = convert_into_folder(job, input, record, err);
    if (record != NULL) report_flag(record, "pass", st == SPMV_SUCCESS);
    if (record != NULL && st != SPMV_SUCCESS) record_failure(record, st, err);
    if (st == SPMV_SUCCESS) job->written++;
    return st;
}

int convert_batch(const convert_options *o, const operands *inputs)
{
    const common_options *common = &o->common;
    batch_job job = {.options = o};
    tool_inputs all = {0};
    spmv_error err = {0};
    spmv_status st;
    int worst = 0;
    report *r = common->json != NULL ? record_create() : NULL;
    target_suffix(o->to != NULL ? o->to : "csr", job.suffix);
    TOOL_TRY(convert_find(o, inputs, false, &all, &err));
    TOOL_TRY(make_folder(o->output_dir, &err));
    if (r != NULL) job.all = report_array(r, "converted");
    worst = convert_each(&all, convert_next, &job);
    tool_note("%s: %d of %d files written", o->output_dir, job.written, all.count);
    if (r != NULL) st = report_write(r, common->json, common->force, &err);
done:
    report_destroy(r);
    tool_inputs_destroy(&all);
    return convert_finish(worst, st, &err);
}
