/* kernel_choice.h -- kernels by name and by rule, for every tool that multiplies. */
#pragma once

#include "spmv.h"

/* Checks that a kernel that was named runs on the device that was resolved from `option`, the
 * argument of --device: "auto" gives way to a CPU kernel, another word does not.  Nothing takes the
 * place of a kernel that was named.  Errors: INVALID_ARGUMENT, NO_DEVICE. */
spmv_status kernel_check_device(const spmv_kernel *kernel, int device, const char *option,
                                spmv_error *err);

/* What a rule chooses a kernel for. */
typedef struct kernel_task {
    const spmv_row_stats *stats;
    bool gpu;
    int64_t vectors;
    spmv_type precision; /* of the vectors */
} kernel_task;

/* A word of --kernel that stands for a kernel until the matrix is known. */
typedef struct kernel_rule {
    const char *name;
    spmv_kernel_options (*choose)(const kernel_task *task, const char **reason);
} kernel_rule;

enum { KERNEL_AUTO, KERNEL_BY_LENGTHS, KERNEL_RULES };
extern const kernel_rule kernel_rules[KERNEL_RULES];
const kernel_rule *kernel_rule_named(const char *name); /* NULL: there is none */

/* Word i of `other`, the rules and the kernels, which is what --kernel accepts; NULL after them.
 */
const char *kernel_word(const char *other, int i);
