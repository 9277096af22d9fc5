/* remark.c -- a remark on the input: told to the caller, or an error when the caller is strict. */
#include "formats/stream/source.h"

#include <stdarg.h>
#include <stdio.h>

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
