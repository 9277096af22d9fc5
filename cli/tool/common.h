/* common.h -- the options that every tool shares. */
#pragma once

#include "cli/tool/option.h"

enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };
enum { PROGRESS_AUTO, PROGRESS_PLAIN, PROGRESS_NEVER };
enum { SHELL_BASH, SHELL_ZSH, SHELL_FISH };
enum { PRECISION_UNSET = -1, PRECISION_F32, PRECISION_F64 };

struct common_options {
    const char *output; /* NULL: the tool's default, mostly standard output */
    const char *json;   /* NULL: no record */
    const char *from;   /* the format of inputs; NULL: recognised from their content */
    const char *member; /* of an archive that is read; NULL: the matrix in it */
    bool force, quiet, verbose, help, version, man;
    int64_t threads; /* 0: all */
    int64_t seed;
    const char *device; /* "auto", "cpu", "gpu" or a number: see common_device */
    int precision;      /* PRECISION_* */
    int color, progress;
    int completion;    /* SHELL_*, -1: not asked for */
    size_t given[128]; /* [given_count], offsets of what the command line has set: option_given */
    int given_count;
};

#define COMMON_DEFAULTS                                                              \
    {                                                                                \
        .seed = 42, .device = "auto", .precision = PRECISION_UNSET, .completion = -1 \
    }

/* Returns whether standard output is free for text: the record of --json - has it for itself. */
bool common_prints(const common_options *options);

/* Returns where the result goes: --output, else standard output; NULL (nowhere) where the record
 * takes that. */
const char *common_output(const common_options *options);

extern const option common_table[];
extern const int common_table_count;

/* Returns the type of the precision that --precision asks for, complex where `otherwise` is;
 * without --precision it is `otherwise`. */
spmv_type common_precision(const common_options *options, spmv_type otherwise);
