/* device_values.cuh -- numbers of every value type on the device: arithmetic, loads and stores.
 *
 * Sums are kept in double precision (the kernels wait for memory, so that it costs nothing): one
 * double, or for complex vectors a c128. */
#pragma once

#include "cuda/gpu/cuda_errors.cuh"

#include <cstdint>

namespace spmv
{

/* ---- Types and arithmetic ------------------------------------------------------------------- */

/* The value type of a pattern, which is never loaded: every entry counts as 1. */
struct unit_value {
};

/* A complex number as it lies in memory. */
template <class R>
struct alignas(2 * sizeof(R)) complex {
    R re, im;
};
using c64 = complex<float>;
using c128 = complex<double>;

__device__ inline c128 operator+(c128 a, c128 b)
{
    return {a.re + b.re, a.im + b.im};
}
__device__ inline void operator+=(c128 &a, c128 b)
{
    a = a + b;
}
__device__ inline c128 operator*(double a, c128 b)
{
    return {a * b.re, a * b.im};
}
__device__ inline c128 operator*(c128 a, c128 b)
{
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* factor * value.  A complex factor without imaginary part scales both parts. */
__device__ inline double scaled(double factor, double value)
{
    return factor * value;
}
__device__ inline c128 scaled(c128 factor, c128 value)
{
    return factor.im == 0.0 ? factor.re * value : factor * value;
}

__device__ inline bool is_zero(double v)
{
    return v == 0.0;
}
__device__ inline bool is_zero(c128 v)
{
    return v.re == 0.0 && v.im == 0.0;
}

/* Returns any number in double precision. */
__device__ inline double widen(unit_value)
{
    return 1.0;
}
__device__ inline double widen(float v)
{
    return (double)v;
}
__device__ inline double widen(double v)
{
    return v;
}
__device__ inline c128 widen(c64 v)
{
    return {(double)v.re, (double)v.im};
}
__device__ inline c128 widen(c128 v)
{
    return v;
}

/* ---- Loads and stores ----------------------------------------------------------------------- */

/* The matrix passes by once; marked so, it does not push x out of the caches. */
template <class V>
__device__ inline V load_streaming(const V *p)
{
    return __ldcs(p);
}
template <>
__device__ inline unit_value load_streaming(const unit_value *)
{
    return {};
}
template <>
__device__ inline c64 load_streaming(const c64 *p)
{
    const float2 v = __ldcs((const float2 *)p);
    return {v.x, v.y};
}
template <>
__device__ inline c128 load_streaming(const c128 *p)
{
    const double2 v = __ldcs((const double2 *)p);
    return {v.x, v.y};
}

/* Loads what another block may have written during this launch. */
__device__ inline double load_fresh(const double *p)
{
    return __ldcg(p);
}
__device__ inline c128 load_fresh(const c128 *p)
{
    const double2 v = __ldcg((const double2 *)p);
    return {v.x, v.y};
}

/* Through the read-only data path. */
template <class T>
__device__ inline T load_readonly(const T *p)
{
    return __ldg(p);
}
template <>
__device__ inline c64 load_readonly(const c64 *p)
{
    const float2 v = __ldg((const float2 *)p);
    return {v.x, v.y};
}
template <>
__device__ inline c128 load_readonly(const c128 *p)
{
    const double2 v = __ldg((const double2 *)p);
    return {v.x, v.y};
}

__device__ inline void store(float *y, double v)
{
    *y = (float)v;
}
__device__ inline void store(double *y, double v)
{
    *y = v;
}
__device__ inline void store(c64 *y, c128 v)
{
    *y = {(float)v.re, (float)v.im};
}
__device__ inline void store(c128 *y, c128 v)
{
    *y = v;
}

} // namespace spmv
