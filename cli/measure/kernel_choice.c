/* kernel_choice.c -- kernels by name and by rule, for every tool that multiplies. */
#include "cli/measure/kernel_choice.h"
#include "cli/tool/fail.h"

#include <string.h>

const spmv_kernel *kernel_on_cpu(const spmv_kernel *kernel)
{
    for (int i = 0; i < spmv_kernel_count(); i++) {
        const spmv_kernel *k = spmv_kernel_at(i);
        if (!k->gpu && k->format == kernel->format) return k;
    }
    return NULL;
}

spmv_status kernel_check_device(const spmv_kernel *kernel, int device, const char *option,
                                spmv_error *err)
{
    const bool on_gpu = device != SPMV_DEVICE_CPU;
    if (kernel->gpu != on_gpu && strcmp(option, "auto") != 0)
        return tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                         "kernel %s runs on the %s, not with --device %.20s", kernel->name,
                         kernel->gpu ? "GPU" : "CPU", option);
    if (kernel->gpu && !on_gpu)
        return tool_fail(err, SPMV_ERROR_NO_DEVICE,
                         "kernel %s needs a GPU, and none can be used here; %s takes the same "
                         "format on the CPU",
                         kernel->name, kernel_on_cpu(kernel)->name);
    return SPMV_SUCCESS;
}

spmv_kernel_config kernel_by_rule(const spmv_row_stats *stats, bool gpu, const char **reason)
{
    spmv_kernel_config config = spmv_kernel_config_rule(stats);
    if (!gpu) config.kernel = kernel_on_cpu(spmv_kernel_find(config.kernel))->name;
    *reason = "the published rule";
    return config;
}
