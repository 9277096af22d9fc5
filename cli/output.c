/* output.c -- refusing an output before any work is done for it. */
#include "tool.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool tool_is_stdio(const char *path)
{
    return path == NULL || strcmp(path, "-") == 0;
}

bool tool_has_suffix(const char *path, const char *suffix)
{
    char own[SPMV_SUFFIX_SIZE];
    return strcmp(spmv_path_suffix(path, own), suffix) == 0;
}

const char *tool_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

int64_t tool_file_bytes(const char *path)
{
    struct stat info;
    return !tool_is_stdio(path) && stat(path, &info) == 0 ? (int64_t)info.st_size : 0;
}

static bool status_of(const char *path, bool input, struct stat *out)
{
    const int descriptor = input ? STDIN_FILENO : STDOUT_FILENO;
    return (tool_is_stdio(path) ? fstat(descriptor, out) : stat(path, out)) == 0;
}

static spmv_status name_failure(spmv_error *err, spmv_status st, const char *path,
                                const char *sentence)
{
    tool_fail(err, st, "%s", sentence);
    snprintf(err->file, sizeof err->file, "%s", tool_is_stdio(path) ? "<stdout>" : path);
    return st;
}

/* Only regular files can be lost by writing to them: reading from and writing to one terminal or
 * /dev/null is fine. */
spmv_status tool_check_output(const char *path, bool binary, const operands *inputs,
                              spmv_error *err)
{
    struct stat out, in;
    if (binary && tool_is_stdio(path) && isatty(STDOUT_FILENO))
        return name_failure(err, SPMV_ERROR_INVALID_ARGUMENT, path,
                            "binary data are not written to a terminal; name an output file");
    if (!status_of(path, false, &out)) return SPMV_SUCCESS; /* the writer reports what is wrong */
    if (S_ISDIR(out.st_mode)) return name_failure(err, SPMV_ERROR_FILE_IO, path, strerror(EISDIR));
    if (!S_ISREG(out.st_mode)) return SPMV_SUCCESS;
    for (int i = 0; i < inputs->count; i++)
        if (status_of(inputs->word[i], true, &in) && in.st_dev == out.st_dev &&
            in.st_ino == out.st_ino)
            return name_failure(err, SPMV_ERROR_INVALID_ARGUMENT, path,
                                "the output is also an input");
    if (!tool_is_stdio(path) && !common.force)
        return name_failure(err, SPMV_ERROR_FILE_IO, path,
                            "the file exists; use --force to replace it");
    return SPMV_SUCCESS;
}
