/* kernel_choice.c -- kernels by name and by rule, for every tool that multiplies. */
#include "cli/measure/kernel_choice.h"
#include "cli/tool/fail.h"

#include <string.h>

/* The CPU kernel that takes the same format as a GPU kernel; NULL where there is none. */
static const spmv_kernel *kernel_on_cpu(const spmv_kernel *kernel)
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

enum { GROUPED = 64 }; /* bytes of a row of all vectors, from which on csr-groups pays */

/* The kernel of the device that takes several vectors at once. */
static const spmv_kernel *kernel_for_several(const kernel_task *task)
{
    const int64_t number = (int64_t)spmv_type_size(task->precision);
    if (task->gpu && task->vectors * number >= GROUPED) return spmv_kernel_find("csr-groups");
    for (int i = 0; i < spmv_kernel_count(); i++)
        if (spmv_kernel_at(i)->spmm && spmv_kernel_at(i)->gpu == task->gpu)
            return spmv_kernel_at(i);
    return NULL;
}

/* Several vectors are multiplied in one pass over the matrix. */
static spmv_kernel_options choose_freely(const kernel_task *task, const char **reason)
{
    if (task->vectors == 1) return spmv_kernel_options_auto(task->stats, task->gpu, reason);
    *reason = "all vectors in one pass over the matrix";
    return (spmv_kernel_options){.kernel = kernel_for_several(task)->name};
}

/* The rule knows GPU kernels and single vectors only: the CPU kernel of the same format stands in
 * where the device is no GPU. */
static spmv_kernel_options choose_by_lengths(const kernel_task *task, const char **reason)
{
    spmv_kernel_options config = spmv_kernel_options_rule(task->stats);
    if (!task->gpu) config.kernel = kernel_on_cpu(spmv_kernel_find(config.kernel))->name;
    *reason = "the rule of row lengths";
    return config;
}

const kernel_rule kernel_rules[KERNEL_RULES] = {
    [KERNEL_AUTO] = {"auto", choose_freely},
    [KERNEL_BY_LENGTHS] = {"auto-rule", choose_by_lengths},
};

const kernel_rule *kernel_rule_named(const char *name)
{
    for (int i = 0; i < KERNEL_RULES; i++)
        if (strcmp(kernel_rules[i].name, name) == 0) return &kernel_rules[i];
    return NULL;
}

const char *kernel_word(const char *other, int i)
{
    if (i == 0) return other;
    if (i <= KERNEL_RULES) return kernel_rules[i - 1].name;
    i -= 1 + KERNEL_RULES;
    return i < spmv_kernel_count() ? spmv_kernel_at(i)->name : NULL;
}
