/* common.h -- the options that every tool shares, and what they were set to. */
#ifndef SPMV_CLI_TOOL_COMMON_H
#define SPMV_CLI_TOOL_COMMON_H

#include "cli/tool/option.h"

enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };
enum { PROGRESS_AUTO, PROGRESS_PLAIN, PROGRESS_NEVER };
enum { SHELL_BASH, SHELL_ZSH, SHELL_FISH };
enum { PRECISION_UNSET = -1, PRECISION_F32, PRECISION_F64 };

/* One per process: a command line is global by nature. */
typedef struct common_options {
    const char *output; /* NULL: the tool's default, mostly standard output */
    const char *json;   /* NULL: no record */
    const char *member; /* of an archive that is read; NULL: the matrix in it */
    bool force, quiet, verbose, help, version, man;
    int64_t threads; /* 0: all */
    int64_t seed;
    const char *device; /* "auto", "cpu", "gpu" or a number: see common_device */
    int precision;      /* PRECISION_* */
    int color, progress;
    int completion; /* SHELL_*, -1: not asked for */
} common_options;

extern common_options common;
extern const option common_table[];
extern const int common_table_count;

/* The device that --device names: SPMV_DEVICE_CPU, or a GPU's number.  `auto` is the first GPU
 * where there is one; `gpu` must find one.
 * Errors: INVALID_ARGUMENT (no such word), NO_DEVICE. */
spmv_status common_device(int *out, spmv_error *err);

/* A type of the precision that --precision asks for, complex where `otherwise` is; or `otherwise`.
 */
spmv_type common_precision(spmv_type otherwise);

#endif
