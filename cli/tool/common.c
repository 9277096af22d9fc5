/* common.c -- the table of the options that every tool shares. */
#include "cli/tool/common.h"
#include "cli/tool/path.h"
#include "cli/tool/steps.h"

#define GROUP "Common options"
#define AT(member) offsetof(common_options, member)
const option common_table[] = {
    OPTION(GROUP, 'o', "output", OPTION_FILE, "FILE", AT(output),
           "where the result goes [standard output]"),
    OPTION(GROUP, 0, "force", OPTION_FLAG, NULL, AT(force), "replace an existing output file"),
    OPTION(GROUP, 0, "json", OPTION_FILE, "FILE", AT(json),
           "write a JSON record of the run, with - to stdout instead of the result"),
    OPTION(GROUP, 0, "from", OPTION_NAME, "FMT", AT(from),
           "input format [recognised from its content]", .names = step_input_name,
           .list = "spmv-convert --list-formats", .meant = step_input_meant),
    OPTION(GROUP, 0, "member", OPTION_TEXT, "NAME", AT(member),
           "file to read of an archive [NAME/NAME.mtx]"),
    OPTION(GROUP, 0, "device", OPTION_TEXT, "auto|cpu|gpu|N", AT(device),
           "where to compute; N: number of a GPU [auto]"),
    OPTION(GROUP, 0, "precision", OPTION_CHOICE, "f32|f64", AT(precision),
           "of values [as in a binary file; text: f64]"),
    OPTION(GROUP, 0, "threads", OPTION_INTEGER, "N", AT(threads), "CPU threads, 0 for all [0]",
           .low = 0, .high = SPMV_MAX_THREADS),
    OPTION(GROUP, 0, "seed", OPTION_INTEGER, "N", AT(seed), "of random numbers [42]", .low = 0,
           .high = INT64_MAX),
    OPTION(GROUP, 'q', "quiet", OPTION_FLAG, NULL, AT(quiet),
           "print errors, and no warnings or notes"),
    OPTION(GROUP, 'v', "verbose", OPTION_FLAG, NULL, AT(verbose),
           "print phases with their times and bytes"),
    OPTION(GROUP, 0, "color", OPTION_CHOICE, "auto|always|never", AT(color),
           "colour messages on standard error [auto]"),
    OPTION(GROUP, 0, "progress", OPTION_CHOICE, "auto|plain|never", AT(progress),
           "show what is being done [auto: on a terminal]"),
    OPTION(GROUP, 0, "completion", OPTION_CHOICE, "bash|zsh|fish", AT(completion),
           "print completions for a shell"),
    OPTION(GROUP, 'h', "help", OPTION_FLAG, NULL, AT(help), "print this help"),
    OPTION(GROUP, 'V', "version", OPTION_FLAG, NULL, AT(version),
           "print the version; with -v also the build"),
    OPTION(GROUP, 0, "man-options", OPTION_FLAG, NULL, AT(man), NULL),
};
const int common_table_count = sizeof common_table / sizeof common_table[0];

bool common_prints(const common_options *options)
{
    return options->json == NULL || !tool_is_stdio(options->json);
}

const char *common_output(const common_options *options)
{
    if (options->output != NULL) return options->output;
    return common_prints(options) ? "-" : NULL;
}

spmv_type common_precision(const common_options *options, spmv_type otherwise)
{
    static const spmv_type types[][2] = {{SPMV_F32, SPMV_F64}, {SPMV_C64, SPMV_C128}};
    if (options->precision == PRECISION_UNSET) return otherwise;
    return types[spmv_type_is_complex(otherwise)][options->precision];
}
