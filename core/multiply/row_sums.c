/* row_sums.c -- sums of rows whose entries lie one after the other, by type and instruction set.
 *
 * Four products at a time go to four accumulators, which hides the latency of addition; what is
 * left of a row is added one by one.  With AVX2 one gather replaces four loads, which leaves room
 * for more cache misses in flight.  Measured on Zen 5, two threads, double precision, in GFLOP/s
 * with gathers : without.  Five-point stencil 5.2 : 4.7, 27 points 6.1 : 6.1, R-MAT 3.2 : 2.9,
 * eight random columns 4.2 : 3.3, rows of thousands of random columns 5.0 : 3.7.  Where x stays in
 * the first-level cache and the matrix does not stream from memory, gathers cost up to 15 %.
 * AVX-512 gathers and masked tails lose on short rows.  Complex products are written out for AVX2:
 * where GCC 12 makes vectors of them itself, it contracts products and sums into one rounding,
 * whatever -ffp-contract says, and not alike in all functions.
 *
 * Entries are asked for some way ahead.  That takes, on one thread of a Xeon of 2023, 0.85 of the
 * time on a 27-point stencil in double precision and 0.74 in single, 0.82 and 0.70 on finite
 * elements, 0.90 and 0.81 on a five-point stencil, 0.81 on R-MAT, 0.88 and 0.79 with eight random
 * columns; between 1.07 and 0.88 where the matrix stays in a cache. */
#include "core/matrix/value.h"
#include "core/base/types.h"
#include "core/multiply/avx2.h"

/* Add the product of entry p to sum number i. */
SPMV__INLINE void add(spmv_type type, spmv_type x_type, bool wide, const void *col_idx,
                      const void *val, const void *x, int64_t p, double *sum, int64_t i)
{
    spmv__add_product(type, spmv__scalar(type, val, p), x_type,
                      spmv__scalar(x_type, x, spmv__entry_column(wide, col_idx, p)), sum, i);
}

/* ---- Any machine ---------------------------------------------------------------------------- */

SPMV__INLINE void sums_any(spmv_type type, spmv_type x_type, bool wide, const int64_t *start,
                           int64_t n, const void *col_idx, const void *val, const void *x,
                           double *sum)
{
    const int64_t parts = spmv__parts(x_type);
    for (int64_t i = 0; i < n; i++) {
        double four[4 * 2] = {0};
        int64_t p = start[i];
        for (; p + 4 <= start[i + 1]; p += 4)
            for (int64_t k = 0; k < 4; k++)
                add(type, x_type, wide, col_idx, val, x, p + k, four, k);
        for (; p < start[i + 1]; p++) add(type, x_type, wide, col_idx, val, x, p, four, 0);
        for (int64_t k = 0; k < parts; k++)
            sum[i * parts + k] =
                (four[k] + four[parts + k]) + (four[2 * parts + k] + four[3 * parts + k]);
    }
}

/* ---- AVX2 ----------------------------------------------------------------------------------- */

#ifdef SPMV__HAVE_AVX2

/* sum + val[p] x[col_idx[p]], four times */
SPMV__TARGET_AVX2 SPMV__INLINE __m256d add4(spmv_type type, spmv_type x_type, bool wide,
                                            const void *col_idx, const void *val, const void *x,
                                            int64_t p, __m256d sum)
{
    const void *columns = wide ? (const void *)((const int64_t *)col_idx + p)
                               : (const void *)((const int32_t *)col_idx + p);
    return spmv__add4(type, val, p, spmv__take4(x_type, wide, columns, x), sum);
}

SPMV__TARGET_AVX2 SPMV__INLINE double sum_of(__m256d four)
{
    const __m128d two = _mm_add_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1));
    return _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)));
}

SPMV__TARGET_AVX2 SPMV__INLINE void sums_avx2(spmv_type type, spmv_type x_type, bool wide,
                                              const int64_t *start, int64_t n, const void *col_idx,
                                              const void *val, const void *x, double *sum)
{
    for (int64_t i = 0; i < n; i++) {
        const int64_t end = start[i + 1];
        int64_t p = start[i];
        double s = 0;
        if (p + 4 <= end) {
            __m256d four = _mm256_setzero_pd();
            for (; p + 4 <= end; p += 4) {
                spmv__look_ahead(type, wide, col_idx, val, p);
                four = add4(type, x_type, wide, col_idx, val, x, p, four);
            }
            s = sum_of(four);
        }
        for (; p < end; p++) add(type, x_type, wide, col_idx, val, x, p, &s, 0);
        sum[i] = s;
    }
}

/* A complex number, or a real one twice. */
SPMV__TARGET_AVX2 SPMV__INLINE __m128d load2(spmv_type type, const void *array, int64_t p)
{
    if (type == SPMV_C128) return _mm_loadu_pd((const double *)array + 2 * p);
    if (type == SPMV_F64) return _mm_set1_pd(((const double *)array)[p]);
    if (type == SPMV_F32) return _mm_set1_pd(((const float *)array)[p]);
    return _mm_cvtps_pd(_mm_castsi128_ps(_mm_loadu_si64((const float *)array + 2 * p)));
}

/* sum + val[p] x[col_idx[p]] for a complex x */
SPMV__TARGET_AVX2 SPMV__INLINE __m128d add2(spmv_type type, spmv_type x_type, bool wide,
                                            const void *col_idx, const void *val, const void *x,
                                            int64_t p, __m128d sum)
{
    const __m128d b = load2(x_type, x, spmv__entry_column(wide, col_idx, p));
    if (type == SPMV_PATTERN) return _mm_add_pd(sum, b);
    const __m128d a = load2(type, val, p);
    if (!spmv_type_is_complex(type)) return _mm_add_pd(sum, _mm_mul_pd(a, b));
    return _mm_add_pd(sum,
                      _mm_addsub_pd(_mm_mul_pd(_mm_unpacklo_pd(a, a), b),
                                    _mm_mul_pd(_mm_unpackhi_pd(a, a), _mm_shuffle_pd(b, b, 1))));
}

SPMV__TARGET_AVX2 SPMV__INLINE void complex_sums_avx2(spmv_type type, spmv_type x_type, bool wide,
                                                      const int64_t *start, int64_t n,
                                                      const void *col_idx, const void *val,
                                                      const void *x, double *sum)
{
    for (int64_t i = 0; i < n; i++) {
        const int64_t end = start[i + 1];
        __m128d four[4] = {_mm_setzero_pd(), _mm_setzero_pd(), _mm_setzero_pd(), _mm_setzero_pd()};
        int64_t p = start[i];
        for (; p + 4 <= end; p += 4) {
            spmv__look_ahead(type, wide, col_idx, val, p);
            for (int k = 0; k < 4; k++)
                four[k] = add2(type, x_type, wide, col_idx, val, x, p + k, four[k]);
        }
        for (; p < end; p++) four[0] = add2(type, x_type, wide, col_idx, val, x, p, four[0]);
        _mm_storeu_pd(sum + 2 * i,
                      _mm_add_pd(_mm_add_pd(four[0], four[1]), _mm_add_pd(four[2], four[3])));
    }
}

#endif

/* ---- One function per combination ----------------------------------------------------------- */

#define KERNEL(function, target, body, type, x_type, wide)                            \
    target static void function(const int64_t *start, int64_t n, const void *col_idx, \
                                const void *val, const void *x, double *sum)          \
    {                                                                                 \
        body(type, x_type, wide, start, n, col_idx, val, x, sum);                     \
    }

#define X(name, type, x_type)                           \
    KERNEL(any_##name, , sums_any, type, x_type, false) \
    KERNEL(any_wide_##name, , sums_any, type, x_type, true)
SPMV__TYPES_TABLE(X)
#undef X

#ifdef SPMV__HAVE_AVX2
#define X(name, type, x_type)                                              \
    KERNEL(avx2_##name, SPMV__TARGET_AVX2, sums_avx2, type, x_type, false) \
    KERNEL(avx2_wide_##name, SPMV__TARGET_AVX2, sums_avx2, type, x_type, true)
SPMV__REAL_TYPES_TABLE(X)
#undef X
#define X(name, type, x_type)                                                      \
    KERNEL(avx2_##name, SPMV__TARGET_AVX2, complex_sums_avx2, type, x_type, false) \
    KERNEL(avx2_wide_##name, SPMV__TARGET_AVX2, complex_sums_avx2, type, x_type, true)
SPMV__COMPLEX_TYPES_TABLE(X)
#undef X
#define AVX2(name) avx2_##name
#else
#define AVX2(name) NULL
#endif

spmv__row_sums spmv__row_sums_for(spmv_type type, spmv_type x_type, bool columns_64_bit, bool avx2)
{
    static const struct {
        spmv_type type, x_type;
        spmv__row_sums sums[2][2]; /* [avx2][columns_64_bit] */
    } table[] = {
#define X(name, t, xt) {t, xt, {{any_##name, any_wide_##name}, {AVX2(name), AVX2(wide_##name)}}},
        SPMV__TYPES_TABLE(X)
#undef X
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (table[i].type == type && table[i].x_type == x_type)
            return table[i].sums[avx2][columns_64_bit];
    return NULL;
}
