/* fail.c -- a failure as a status and a sentence. */
#include "cli/tool/fail.h"
#include "cli/tool/path.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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
