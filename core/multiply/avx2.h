/* avx2.h -- four numbers at a time, as doubles: what kernels for AVX2 load.
 *
 * `type` and `x_type` are constants, SPMV_F64 or SPMV_F32. */
#pragma once

#include "core/multiply/multiply.h"

#ifdef SPMV__HAVE_AVX2
#include <immintrin.h>

/* Numbers p .. p + 3. */
SPMV__TARGET_AVX2 SPMV__INLINE __m256d spmv__load4(spmv_type type, const void *array, int64_t p)
{
    return type == SPMV_F64 ? _mm256_loadu_pd((const double *)array + p)
                            : _mm256_cvtps_pd(_mm_loadu_ps((const float *)array + p));
}

/* A mask of ones that the compiler does not know.  Of a gather whose mask it knows it takes the
 * result as overwritten, and does not clear that register; but the instruction merges, and would
 * wait for what was computed there last: the sum of the row before.  That cost 40 % on five-point
 * stencils. */
SPMV__TARGET_AVX2 SPMV__INLINE __m256i spmv__every_lane(void)
{
    __m256i ones = _mm256_set1_epi32(-1);
    __asm__("" : "+x"(ones));
    return ones;
}

/* The elements of x in the four columns, of 64 bits or 32, that lie at `columns`; none is negative.
 */
SPMV__TARGET_AVX2 SPMV__INLINE __m256d spmv__take4(spmv_type x_type, bool wide, const void *columns,
                                                   const void *x)
{
    const __m256d mask = _mm256_castsi256_pd(spmv__every_lane()), zero = _mm256_setzero_pd();
    const __m128 half = _mm_castsi128_ps(_mm256_castsi256_si128(spmv__every_lane()));
    if (x_type == SPMV_F64)
        return wide ? _mm256_mask_i64gather_pd(zero, x, _mm256_loadu_si256(columns), mask, 8)
                    : _mm256_mask_i32gather_pd(zero, x, _mm_loadu_si128(columns), mask, 8);
    return _mm256_cvtps_pd(
        wide ? _mm256_mask_i64gather_ps(_mm_setzero_ps(), x, _mm256_loadu_si256(columns), half, 4)
             : _mm_mask_i32gather_ps(_mm_setzero_ps(), x, _mm_loadu_si128(columns), half, 4));
}

/* The elements of x in four columns; 0, and nothing is read, where a column is negative. */
SPMV__TARGET_AVX2 SPMV__INLINE __m256d spmv__gather4(spmv_type x_type, const void *x,
                                                     __m128i columns)
{
    const __m128i wanted = _mm_xor_si128(columns, _mm_set1_epi32(-1)); /* negative: load */
    if (x_type == SPMV_F64)
        return _mm256_mask_i32gather_pd(_mm256_setzero_pd(), x, columns,
                                        _mm256_castsi256_pd(_mm256_cvtepi32_epi64(wanted)), 8);
    return _mm256_cvtps_pd(
        _mm_mask_i32gather_ps(_mm_setzero_ps(), x, columns, _mm_castsi128_ps(wanted), 4));
}

/* sum + values p .. p + 3 times xs */
SPMV__TARGET_AVX2 SPMV__INLINE __m256d spmv__add4(spmv_type type, const void *val, int64_t p,
                                                  __m256d xs, __m256d sum)
{
    return type == SPMV_PATTERN ? _mm256_add_pd(sum, xs)
                                : _mm256_fmadd_pd(spmv__load4(type, val, p), xs, sum);
}

#endif
