/* status.c -- names of the status codes, and the one way to report a failure. */
#include "core/base/base.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *spmv_error_string(spmv_status status)
{
    switch (status) {
#define X(name, code, meaning) \
    case name:                 \
        return meaning;
        SPMV_STATUS_TABLE(X)
#undef X
    }
    return "unknown status";
}

const char *spmv_status_name(spmv_status status)
{
    switch (status) {
#define X(name, code, meaning) \
    case name:                 \
        return #name;
        SPMV_STATUS_TABLE(X)
#undef X
    }
    return "unknown status";
}

const char *spmv_version(void)
{
    return SPMV_VERSION;
}

spmv_status spmv__fail(spmv_error *err, spmv_status status, const char *format, ...)
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
