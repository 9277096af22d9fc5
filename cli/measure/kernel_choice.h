/* kernel_choice.h -- kernels by name and by rule, for every tool that multiplies. */
#ifndef SPMV_CLI_MEASURE_KERNEL_CHOICE_H
#define SPMV_CLI_MEASURE_KERNEL_CHOICE_H

#include "spmv.h"

/* The CPU kernel that takes the same format as a GPU kernel; NULL where there is none. */
const spmv_kernel *kernel_on_cpu(const spmv_kernel *kernel);

/* Whether a kernel that was named runs on the device that was resolved from `option`, the argument
 * of --device: "auto" gives way to a CPU kernel, another word does not.  Nothing takes the place of
 * a kernel that was named.  Errors: INVALID_ARGUMENT, NO_DEVICE. */
spmv_status kernel_check_device(const spmv_kernel *kernel, int device, const char *option,
                                spmv_error *err);

/* What the published rule chooses.  It knows GPU kernels only: the CPU kernel of the same format
 * stands in where the device is no GPU. */
spmv_kernel_config kernel_by_rule(const spmv_row_stats *stats, bool gpu, const char **reason);

#endif
