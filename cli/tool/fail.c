/* fail.c -- a failure as a status and a sentence. */
#include "cli/tool/fail.h"
#include "cli/tool/path.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

spmv_status tool_fail(spmv_error *err, spmv_status status, const char *format, ...)
{
    if (err != NULL) {
        va_list args;
        memset(err, 0, sizeof *err);
        va_start(args, format);
        vsnprintf(err->message, sizeof err->message, format, args);
        va_end(args);
    }
    return status;
}

bool tool_lacks_memory(spmv_status status)
{
    return status == SPMV_ERROR_OUT_OF_MEMORY || status == SPMV_ERROR_CUDA_MALLOC;
}

spmv_status tool_fail_on(const char *path, int number, spmv_error *err)
{
    tool_fail(err, SPMV_ERROR_FILE_IO, "%s", strerror(number));
    if (err != NULL) snprintf(err->file, sizeof err->file, "%s", path);
    return SPMV_ERROR_FILE_IO;
}

void tool_blame_input(const char *path, spmv_error *err)
{
    if (err->file[0] == '\0') snprintf(err->file, sizeof err->file, "%s", tool_input_name(path));
}

spmv_status tool_check_file_name(const char *option, const suggestion *near, spmv_error *err)
{
    if (near->name == NULL || tool_is_stdio(near->word) || access(near->word, F_OK) == 0)
        return SPMV_SUCCESS;
    return tool_fail(err, SPMV_ERROR_FILE_IO, "%s: there is no file '%.60s'; did you mean %s?",
                     option, near->word, near->name);
}
