/* common.c -- the table of the options that every tool shares. */
#include "cli/tool/common.h"
#include "cli/tool/tool.h"

#include <limits.h>
#include <string.h>

common_options common = {
    .seed = 42, .device = "auto", .precision = PRECISION_UNSET, .completion = -1};

#define GROUP "Common options"
const option common_table[] = {
    OPTION(GROUP, 'o', "output", OPTION_FILE, "FILE", &common.output,
           "where the result goes [standard output]"),
    OPTION(GROUP, 0, "force", OPTION_FLAG, NULL, &common.force, "replace an existing output file"),
    OPTION(GROUP, 0, "json", OPTION_FILE, "FILE", &common.json,
           "write a JSON record of the run, - for stdout"),
    OPTION(GROUP, 0, "member", OPTION_TEXT, "NAME", &common.member,
           "file to read of an archive [NAME/NAME.mtx]"),
    OPTION(GROUP, 0, "device", OPTION_TEXT, "auto|cpu|gpu|N", &common.device,
           "where to compute; N: number of a GPU [auto]"),
    OPTION(GROUP, 0, "precision", OPTION_CHOICE, "f32|f64", &common.precision,
           "of values [as in a binary file; text: f64]"),
    OPTION(GROUP, 0, "threads", OPTION_INTEGER, "N", &common.threads, "CPU threads, 0 for all [0]",
           .low = 0, .high = SPMV_MAX_THREADS),
    OPTION(GROUP, 0, "seed", OPTION_INTEGER, "N", &common.seed, "of random numbers [42]", .low = 0,
           .high = INT64_MAX),
    OPTION(GROUP, 'q', "quiet", OPTION_FLAG, NULL, &common.quiet, "print no warnings"),
    OPTION(GROUP, 'v', "verbose", OPTION_FLAG, NULL, &common.verbose,
           "print phases with their times and bytes"),
    OPTION(GROUP, 0, "color", OPTION_CHOICE, "auto|always|never", &common.color,
           "colour messages on standard error [auto]"),
    OPTION(GROUP, 0, "progress", OPTION_CHOICE, "auto|plain|never", &common.progress,
           "show what is being done [auto: on a terminal]"),
    OPTION(GROUP, 0, "completion", OPTION_CHOICE, "bash|zsh|fish", &common.completion,
           "print completions for a shell"),
    OPTION(GROUP, 'h', "help", OPTION_FLAG, NULL, &common.help, "print this help"),
    OPTION(GROUP, 'V', "version", OPTION_FLAG, NULL, &common.version,
           "print the version; with -v also the build"),
    OPTION(GROUP, 0, "man-options", OPTION_FLAG, NULL, &common.man, NULL),
};
const int common_table_count = sizeof common_table / sizeof common_table[0];

spmv_status common_device(int *out, spmv_error *err)
{
    int64_t number = 0;
    const option as_number = {.kind = OPTION_INTEGER, .value = &number, .low = 0, .high = INT_MAX};
    const bool any = strcmp(common.device, "auto") == 0;

    *out = SPMV_DEVICE_CPU;
    if (strcmp(common.device, "cpu") == 0 || (any && spmv_gpu_count() == 0)) return SPMV_SUCCESS;
    if (!any && strcmp(common.device, "gpu") != 0 &&
        option_store(&as_number, "--device", common.device, NULL) != SPMV_SUCCESS)
        return tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                         "--device takes auto, cpu, gpu or the number of a GPU, not '%.60s'",
                         common.device);
    if (spmv_gpu_count() == 0)
        return tool_fail(err, SPMV_ERROR_NO_DEVICE, "there is no usable GPU; try --device cpu");
    if (number >= spmv_gpu_count())
        return tool_fail(err, SPMV_ERROR_NO_DEVICE, "there is no GPU %d: %d found, from 0",
                         (int)number, spmv_gpu_count());
    *out = (int)number;
    return SPMV_SUCCESS;
}

spmv_type common_precision(spmv_type otherwise)
{
    static const spmv_type types[][2] = {{SPMV_F32, SPMV_F64}, {SPMV_C64, SPMV_C128}};
    if (common.precision == PRECISION_UNSET) return otherwise;
    return types[spmv_type_is_complex(otherwise)][common.precision];
}
