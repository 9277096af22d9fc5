/* cpu.h -- what multiplies on the CPU: pairs of types, and how fast the machine is. */
#ifndef SPMV_CORE_MULTIPLY_CPU_H
#define SPMV_CORE_MULTIPLY_CPU_H

#include "core/base/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* X(name, type of the values, type of x): the combinations that multiply. */
#define SPMV__TYPES_TABLE(X)                 \
    X(f64, SPMV_F64, SPMV_F64)               \
    X(f32, SPMV_F32, SPMV_F32)               \
    X(f32_f64, SPMV_F32, SPMV_F64)           \
    X(c128, SPMV_C128, SPMV_C128)            \
    X(c64, SPMV_C64, SPMV_C64)               \
    X(f64_c128, SPMV_F64, SPMV_C128)         \
    X(f32_c64, SPMV_F32, SPMV_C64)           \
    X(pattern_f64, SPMV_PATTERN, SPMV_F64)   \
    X(pattern_f32, SPMV_PATTERN, SPMV_F32)   \
    X(pattern_c128, SPMV_PATTERN, SPMV_C128) \
    X(pattern_c64, SPMV_PATTERN, SPMV_C64)

/* Describe the CPU; measures the streaming bandwidth once per process. */
void spmv__cpu_describe(spmv_device_info *out);

/* Numbers of `size` bytes (4 or 8) per second that all threads together read from random places of
 * a vector of n.  Errors: OUT_OF_MEMORY. */
spmv_status spmv__cpu_gather_rate(size_t size, int64_t n, int threads, double *out,
                                  spmv_error *err);

#ifdef __cplusplus
}
#endif
#endif
