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

static spmv_status convert_one(void *work, const tool_input *input, spmv_error *err)
{
    batch_job *job = work;
    spmv_status st = SPMV_SUCCESS;
    char *out = output_of(job, input);
    if (out == NULL) return tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot name an output");
    TOOL_TRY(refuse_same_name(input, err));
    TOOL_TRY(make_folders(out, strlen(job->options->output_dir) + 1, err));
    TOOL_TRY(convert_file(job->options, input->path, out, err));
    job->written++;
done:
    free(out);
    return st;
}

int convert_batch(const convert_options *o, const operands *inputs)
{
    batch_job job = {.options = o};
    tool_inputs all = {0};
    spmv_error err = {0};
    spmv_status st;
    int worst = 0;
    target_suffix(o->to != NULL ? o->to : "csr", job.suffix);
    TOOL_TRY(convert_find(o, inputs, &all, &err));
    TOOL_TRY(make_folder(o->output_dir, &err));
    worst = convert_each(&all, convert_one, &job);
    tool_note("%s: %d of %d files written", o->output_dir, job.written, all.count);
done:
    tool_inputs_destroy(&all);
    return convert_finish(worst, st, &err);
}
