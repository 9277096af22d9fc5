/* value.h -- one value of any type: read, written, scaled. */
#pragma once

#include "core/base/base.h"

static inline spmv_scalar spmv__number(double re, double im)
{
    spmv_scalar s = {re, im};
    return s;
}

/* Numbers that a value consists of: doubles of a sum of such values. */
static inline int spmv__parts(spmv_type type)
{
    return spmv_type_is_complex(type) ? 2 : 1;
}

/* Value p of an array of the given type; 1 for a pattern. */
static inline spmv_scalar spmv__scalar(spmv_type type, const void *val, int64_t p)
{
    const double *doubles = (const double *)val;
    const float *floats = (const float *)val;
    if (type == SPMV_F64) return spmv__number(doubles[p], 0);
    if (type == SPMV_F32) return spmv__number((double)floats[p], 0);
    if (type == SPMV_C128) return spmv__number(doubles[2 * p], doubles[2 * p + 1]);
    if (type == SPMV_C64) return spmv__number((double)floats[2 * p], (double)floats[2 * p + 1]);
    return spmv__number(1, 0);
}

/* The real part of value p. */
static inline double spmv__value(spmv_type type, const void *val, int64_t p)
{
    return spmv__scalar(type, val, p).re;
}

/* Returns whether two numbers are equal, or both none. */
static inline bool spmv__are_alike(double a, double b)
{
    return a == b || (a != a && b != b);
}

static inline bool spmv__is_zero(spmv_scalar value)
{
    return value.re == 0 && value.im == 0;
}

/* Whether the place of value p is more than padding; a pattern has no values. */
static inline bool spmv__holds_value(spmv_type type, const void *val, int64_t p)
{
    return type != SPMV_PATTERN && !spmv__is_zero(spmv__scalar(type, val, p));
}

/* The value at (col, row) that a stored `value` at (row, col), off the diagonal, stands for. */
static inline spmv_scalar spmv__mirrored(spmv_symmetry symmetry, spmv_scalar value)
{
    if (symmetry == SPMV_SKEW) return spmv__number(-value.re, -value.im);
    if (symmetry == SPMV_HERMITIAN) return spmv__number(value.re, -value.im);
    return value;
}

/* Address of value p; NULL for a pattern. */
static inline const void *spmv__value_at(spmv_type type, const void *val, int64_t p)
{
    if (type == SPMV_F64) return (const double *)val + p;
    if (type == SPMV_F32) return (const float *)val + p;
    if (type == SPMV_C128) return (const double *)val + 2 * p;
    if (type == SPMV_C64) return (const float *)val + 2 * p;
    return NULL;
}

static inline bool spmv__is_single(spmv_type type)
{
    return type == SPMV_F32 || type == SPMV_C64;
}

/* val[p] = value, rounded to the type; nothing in a pattern.  A real type takes the real part. */
static inline void spmv__set_scalar(spmv_type type, void *val, int64_t p, spmv_scalar value)
{
    const int64_t at = spmv_type_is_complex(type) ? 2 * p : p;
    if (type == SPMV_F64 || type == SPMV_C128) ((double *)val)[at] = value.re;
    if (spmv__is_single(type)) ((float *)val)[at] = (float)value.re;
    if (type == SPMV_C128) ((double *)val)[at + 1] = value.im;
    if (type == SPMV_C64) ((float *)val)[at + 1] = (float)value.im;
}

/* val[p] = a real number. */
static inline void spmv__set_value(spmv_type type, void *val, int64_t p, double value)
{
    spmv__set_scalar(type, val, p, spmv__number(value, 0));
}

/* to[q] = from[p], bit for bit; nothing in a pattern. */
static inline void spmv__copy_value(spmv_type type, void *to, int64_t q, const void *from,
                                    int64_t p)
{
    if (type == SPMV_F64 || type == SPMV_C64)
        memcpy((double *)to + q, (const double *)from + p, sizeof(double));
    else if (type == SPMV_F32)
        memcpy((float *)to + q, (const float *)from + p, sizeof(float));
    else if (type == SPMV_C128)
        memcpy((double *)to + 2 * q, (const double *)from + 2 * p, 2 * sizeof(double));
}

/* The same for n neighbouring values, from q and p on. */
static inline void spmv__copy_values(spmv_type type, void *to, int64_t q, const void *from,
                                     int64_t p, int64_t n)
{
    const size_t size = spmv_type_size(type);
    if (size > 0 && n > 0)
        memcpy((char *)to + (size_t)q * size, (const char *)from + (size_t)p * size,
               (size_t)n * size);
}

/* The type of double precision for numbers of this type. */
static inline spmv_type spmv__double_type(spmv_type type)
{
    return spmv_type_is_complex(type) ? SPMV_C128 : SPMV_F64;
}

/* Has the compiler take four numbers as they are.  GCC 12 makes one rounding of two, whatever
 * -ffp-contract says, where it makes vectors of complex products for a machine with FMA. */
#if defined(__GNUC__) && defined(__FMA__)
#define SPMV__AS_ROUNDED(a, b, c, d) __asm__("" : "+x"(a), "+x"(b), "+x"(c), "+x"(d))
#else
#define SPMV__AS_ROUNDED(a, b, c, d) ((void)0)
#endif

/* a b, of the products of the parts. */
static inline spmv_scalar spmv__complex_product(spmv_scalar a, spmv_scalar b)
{
    double re = a.re * b.re, im = a.re * b.im, less = a.im * b.im, more = a.im * b.re;
    SPMV__AS_ROUNDED(re, im, less, more);
    return spmv__number(re - less, im + more);
}

/* factor * value.  A factor without imaginary part scales both parts of the value, infinite ones
 * too. */
static inline spmv_scalar spmv__scaled(spmv_scalar factor, spmv_scalar value)
{
    if (factor.im == 0) return spmv__number(factor.re * value.re, factor.re * value.im);
    return spmv__complex_product(factor, value);
}
