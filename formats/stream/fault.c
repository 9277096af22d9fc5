/* fault.c -- failures and remarks that name a place in an input.  A remark is told to the caller,
 * or becomes an error when the caller is strict. */
#include "formats/stream/input.h"

#include <stdarg.h>
#include <stdio.h>

spmv_status spmv__source_fail(const spmv__source *src, spmv_error *err, spmv_status status,
                              int64_t line, int64_t column, const char *format, ...)
{
    if (err != NULL) {
        va_list args;
        memset(err, 0, sizeof *err);
        va_start(args, format);
        vsnprintf(err->message, sizeof err->message, format, args);
        va_end(args);
        memcpy(err->file, src->name, sizeof err->file);
        err->line = line;
        err->column = column;
    }
    return status;
}

spmv_status spmv__source_blame(const spmv__source *src, spmv_status status, spmv_error *err)
{
    if (status != SPMV_SUCCESS && err != NULL && err->file[0] == '\0')
        memcpy(err->file, src->name, sizeof err->file);
    return status;
}

spmv_status spmv__source_fail_errno(const spmv__source *src, spmv_error *err, const char *what)
{
    const int why = errno;
    return spmv__source_fail(src, err, spmv__errno_status(why), 0, 0, "%s: %s", what,
                             strerror(why));
}

spmv_status spmv__warn(const spmv__source *src, const spmv_read_options *options, int64_t line,
                       int64_t column, spmv_error *err, const char *format, ...)
{
    spmv_error remark;
    char text[sizeof remark.message];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);

    spmv_status st =
        spmv__source_fail(src, &remark, SPMV_ERROR_INVALID_FORMAT, line, column, "%s", text);
    if (options->strict) {
        if (err != NULL) *err = remark;
        return st;
    }
    if (options->warn != NULL) options->warn(options->user, &remark);
    return SPMV_SUCCESS;
}
