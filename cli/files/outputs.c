/* outputs.c -- refusing an output before any work is done for it. */
#include "cli/files/outputs.h"
#include "cli/tool/message.h"
#include "cli/tool/path.h"
#include "cli/tool/ranks.h"
#include "cli/tool/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool status_of(const char *path, bool input, struct stat *out)
{
    const int descriptor = input ? STDIN_FILENO : STDOUT_FILENO;
    return (tool_is_stdio(path) ? fstat(descriptor, out) : stat(path, out)) == 0;
}

static bool same_inode(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static spmv_status name_failure(spmv_error *err, spmv_status st, const char *path,
                                const char *sentence)
{
    tool_fail(err, st, "%s", sentence);
    snprintf(err->file, sizeof err->file, "%s", tool_output_name(path));
    return st;
}

/* By whatever name. */
static bool is_terminal(const char *path)
{
    struct stat info;
    if (tool_is_stdio(path)) return tool_is_terminal(STDOUT_FILENO);
    if (stat(path, &info) != 0 || !S_ISCHR(info.st_mode)) return false;
    const int file = open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    const bool found = file >= 0 && isatty(file);
    if (file >= 0) close(file);
    return found;
}

/* Only regular files can be lost by writing to them: reading from and writing to one terminal or
 * /dev/null is fine. */
spmv_status tool_check_output(const char *path, bool binary, bool overwrite, const operands *inputs,
                              spmv_error *err)
{
    struct stat out, in;
    if (binary && is_terminal(path))
        return name_failure(err, SPMV_ERROR_INVALID_ARGUMENT, path,
                            "binary data are not written to a terminal; name an output file");
    if (!status_of(path, false, &out)) return tool_check_folder(path, err);
    if (S_ISDIR(out.st_mode)) return name_failure(err, SPMV_ERROR_FILE_IO, path, strerror(EISDIR));
    if (!S_ISREG(out.st_mode)) return SPMV_SUCCESS;
    for (int i = 0; i < inputs->count; i++)
        if (status_of(inputs->word[i], true, &in) && same_inode(&in, &out))
            return name_failure(err, SPMV_ERROR_INVALID_ARGUMENT, path,
                                "the output is also an input");
    if (!tool_is_stdio(path) && !overwrite)
        return name_failure(err, SPMV_ERROR_FILE_IO, path,
                            "the file exists; use --force to replace it");
    return SPMV_SUCCESS;
}

spmv_status tool_check_side_output(const char *path, const common_options *common,
                                   const operands *inputs, spmv_error *err)
{
    if (path == NULL) return SPMV_SUCCESS;
    return tool_check_output(path, false, common->force, inputs, err);
}

spmv_status tool_check_folder(const char *path, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    if (tool_is_stdio(path) || access(path, F_OK) == 0) return st;
    size_t length = strlen(path);
    while (length > 0 && path[length - 1] == '/') length--;
    while (length > 0 && path[length - 1] != '/') length--;
    char *folder = length > 0 ? strndup(path, length) : strdup(".");
    if (folder == NULL) return tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot name a folder");
    if (access(folder, W_OK | X_OK) != 0) {
        st = tool_fail(err, SPMV_ERROR_FILE_IO, "cannot create: %s", strerror(errno));
        snprintf(err->file, sizeof err->file, "%s", path);
    }
    free(folder);
    return st;
}

/* ---- Several outputs ------------------------------------------------------------------------ */

/* Describe the folder that a file is in, or would be. */
static bool folder_of(const char *path, struct stat *out)
{
    char *folder = tool_folder_of(path);
    const bool found = folder != NULL && stat(folder, out) == 0;
    free(folder);
    return found;
}

/* Returns whether two outputs go to one place.  One of them may be standard output, which may be a
 * file. */
static bool is_same_place(const char *a, const char *b)
{
    struct stat x, y;
    const bool a_there = status_of(a, false, &x), b_there = status_of(b, false, &y);
    if ((a_there && !S_ISREG(x.st_mode)) || (b_there && !S_ISREG(y.st_mode))) return false;
    if (a_there && b_there && same_inode(&x, &y)) return true;
    if (tool_is_stdio(a) || tool_is_stdio(b)) return false;
    return strcmp(tool_base_name(a), tool_base_name(b)) == 0 && folder_of(a, &x) &&
           folder_of(b, &y) && same_inode(&x, &y);
}

static void check_pair(const tool_output *a, const tool_output *b)
{
    if (a->path == NULL || b->path == NULL) return;
    if (tool_is_stdio(a->path) && tool_is_stdio(b->path))
        tool_misuse("%s and %s would both go to standard output; name a file for one of them",
                    a->name, b->name);
    if (is_same_place(a->path, b->path))
        tool_misuse("%s and %s name the same file", a->name, b->name);
}

void tool_check_apart(const tool_output *outputs, int count)
{
    for (int i = 0; i < count; i++)
        for (int k = i + 1; k < count; k++) check_pair(&outputs[i], &outputs[k]);
}

void tool_refuse_unused(const char *mode, const tool_output *outputs, int count)
{
    for (int i = 0; i < count; i++)
        if (outputs[i].path != NULL) tool_misuse("%s does not use %s", mode, outputs[i].name);
}

bool tool_in_scope(const char *used, const char *word)
{
    char between[32];
    snprintf(between, sizeof between, " %s ", word);
    return strstr(used, between) != NULL;
}

static bool is_unused(const common_options *common, const tool_scope *scope, const char *by)
{
    return scope->value != NULL && option_given(common, scope->value) &&
           !tool_in_scope(scope->used, by);
}

void tool_refuse_scoped(const common_options *common, const char *mode, const tool_scope *scopes,
                        int count)
{
    for (int i = 0; i < count; i++)
        if (is_unused(common, &scopes[i], mode))
            tool_misuse("%s does not use %s", mode, scopes[i].name);
}

void tool_warn_scoped(const common_options *common, const char *path, const char *format,
                      const tool_scope *scopes, int count)
{
    for (int i = 0; i < count; i++)
        if (is_unused(common, &scopes[i], format))
            tool_warn("%s: %s has no effect on a file of the format %s", tool_input_name(path),
                      scopes[i].name, format);
}

void tool_check_vectors(const char *path, const char *names)
{
    static const char *const holders[] = {"mtx", "npy"};
    const spmv_file_format *format = tool_is_stdio(path) ? NULL : spmv_file_format_of(path);
    char suffix[SPMV_SUFFIX_SIZE];
    bool holds = format == NULL; /* written as Matrix Market */
    if (holds && !tool_is_stdio(path) && *spmv_path_suffix(path, suffix) != '\0')
        tool_misuse("%.200s: no format has the suffix %s; name it %s", path, suffix, names);
    for (size_t i = 0; i < sizeof holders / sizeof holders[0] && !holds; i++)
        holds = strcmp(format->name, holders[i]) == 0;
    if (!holds)
        tool_misuse("%.200s: files of the format %s hold no vectors; name it %s", path,
                    format->name, names);
}
