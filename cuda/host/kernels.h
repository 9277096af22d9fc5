/* kernels.h -- what is behind the list of kernels. */
#pragma once

#include "cuda/gpu/kernel.h"

/* Writes the names of the kernels that one can take instead: "a, b and c". */
enum { SPMV__KERNEL_NAMES = 100 };
const char *spmv__kernel_names(bool (*fits)(const spmv_kernel *kernel),
                               char text[SPMV__KERNEL_NAMES]);

/* The record behind an entry of the list of kernels; NULL for CPU kernels and in builds without
 * CUDA. */
const spmv__gpu_kernel *spmv__gpu_kernel_of(const spmv_kernel *kernel);

/* The first kernel in the list for this format on this kind of device, available or not; NULL when
 * there is none. */
const spmv_kernel *spmv__kernel_for(spmv_format format, bool gpu);
