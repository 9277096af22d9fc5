/* types.h -- the types of values that multiply vectors. */
#pragma once

#include "spmv.h"

/* X(name, type of the values, type of x): the combinations that multiply, first the real ones. */
#define SPMV__REAL_TYPES_TABLE(X)          \
    X(f64, SPMV_F64, SPMV_F64)             \
    X(f32, SPMV_F32, SPMV_F32)             \
    X(f32_f64, SPMV_F32, SPMV_F64)         \
    X(pattern_f64, SPMV_PATTERN, SPMV_F64) \
    X(pattern_f32, SPMV_PATTERN, SPMV_F32)
#define SPMV__COMPLEX_TYPES_TABLE(X)         \
    X(c128, SPMV_C128, SPMV_C128)            \
    X(c64, SPMV_C64, SPMV_C64)               \
    X(f64_c128, SPMV_F64, SPMV_C128)         \
    X(f32_c64, SPMV_F32, SPMV_C64)           \
    X(pattern_c128, SPMV_PATTERN, SPMV_C128) \
    X(pattern_c64, SPMV_PATTERN, SPMV_C64)
#define SPMV__TYPES_TABLE(X)  \
    SPMV__REAL_TYPES_TABLE(X) \
    SPMV__COMPLEX_TYPES_TABLE(X)
