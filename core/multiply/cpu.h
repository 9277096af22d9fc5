/* cpu.h -- what multiplies on the CPU: how fast the machine is. */
#pragma once

#include "core/base/base.h"

/* Describe the CPU; measures the streaming bandwidth once for each number of threads. */
void spmv__cpu_describe(spmv_device_info *out);

/* Numbers of `size` bytes (4 or 8) per second that all threads together read from random places of
 * a vector of n.  Errors: OUT_OF_MEMORY. */
spmv_status spmv__cpu_gather_rate(size_t size, int64_t n, int threads, double *out,
                                  spmv_error *err);
