/* choose_device.c -- which device --device names. */
#include "cli/tool/choose_device.h"
#include "cli/tool/fail.h"
#include "cli/tool/tool.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static spmv_status no_gpu(spmv_error *err)
{
    return tool_fail(err, SPMV_ERROR_NO_DEVICE, "there is no usable GPU; try --device cpu");
}

spmv_status common_device(const common_options *options, int *out, spmv_error *err)
{
    int64_t number = 0;
    const option as_number = {.kind = OPTION_INTEGER, .low = 0, .high = INT_MAX};
    const bool automatic = strcmp(options->device, "auto") == 0;

    *out = SPMV_DEVICE_CPU;
    if (strcmp(options->device, "cpu") == 0 || (automatic && spmv_gpu_count() == 0))
        return SPMV_SUCCESS;
    if (!automatic && strcmp(options->device, "gpu") != 0 &&
        option_store(&as_number, &number, "--device", options->device, NULL) != SPMV_SUCCESS)
        return tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                         "--device takes auto, cpu, gpu or the number of a GPU, not '%.60s'",
                         options->device);
    if (spmv_gpu_count() == 0) return no_gpu(err);
    if (number >= spmv_gpu_count())
        return tool_fail(err, SPMV_ERROR_NO_DEVICE,
                         "there is no GPU %d; spmv-run --list-devices prints what there is",
                         (int)number);
    *out = (int)number;
    return SPMV_SUCCESS;
}

void common_check_several(const common_options *options, const char *what)
{
    if (strcmp(options->device, "auto") != 0 && strcmp(options->device, "cpu") != 0)
        tool_misuse("several processes %s on the CPU, not on the device %s", what, options->device);
}

bool common_wants_all(const common_options *options)
{
    return strcmp(options->device, "all") == 0;
}

spmv_status common_all_devices(int *count, spmv_error *err)
{
    *count = spmv_gpu_count();
    return *count > 0 ? SPMV_SUCCESS : no_gpu(err);
}

void common_add_up(spmv_device_info *info, int count)
{
    char name[sizeof info->name];
    snprintf(name, sizeof name, "%d x %.110s", count, info->name);
    memcpy(info->name, name, sizeof name);
    info->memory *= count;
    info->cache *= count;
    info->multiprocessors *= count;
    info->bandwidth *= count;
}
