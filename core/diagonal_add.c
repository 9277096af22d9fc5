/* diagonal_add.c -- one step of many rows at once: sum[i] += val[i] x[col_idx[i]], by type and
 * instruction set.
 *
 * With AVX2 four rows go at a time.  The gather leaves out padding, whose column is negative, by
 * its mask, and gives 0 there: so a row of padding reads nothing of x and needs no branch. */
#include "multiply.h"

#ifdef SPMV__HAVE_AVX2
#include <immintrin.h>
#endif

/* ---- Any machine ---------------------------------------------------------------------------- */

SPMV__INLINE void add_any(spmv_type type, spmv_type x_type, int64_t first, int64_t n,
                          const int32_t *col_idx, const void *val, const void *x, double *sum)
{
    for (int64_t i = first; i < n; i++)
        if (col_idx[i] >= 0)
            spmv__add_product(type, spmv__scalar(type, val, i), x_type,
                              spmv__scalar(x_type, x, col_idx[i]), sum, i);
}

/* ---- AVX2 ----------------------------------------------------------------------------------- */

#ifdef SPMV__HAVE_AVX2

SPMV__TARGET_AVX2 SPMV__INLINE __m256d gather4(spmv_type x_type, const void *x, __m128i columns)
{
    const __m128i wanted = _mm_xor_si128(columns, _mm_set1_epi32(-1)); /* negative: load */
    if (x_type == SPMV_F64)
        return _mm256_mask_i32gather_pd(_mm256_setzero_pd(), x, columns,
                                        _mm256_castsi256_pd(_mm256_cvtepi32_epi64(wanted)), 8);
    return _mm256_cvtps_pd(
        _mm_mask_i32gather_ps(_mm_setzero_ps(), x, columns, _mm_castsi128_ps(wanted), 4));
}

SPMV__TARGET_AVX2 SPMV__INLINE void add_avx2(spmv_type type, spmv_type x_type, int64_t first,
                                             int64_t n, const int32_t *col_idx, const void *val,
                                             const void *x, double *sum)
{
    for (; !spmv_type_is_complex(x_type) && first + 4 <= n; first += 4) {
        const __m128i columns = _mm_loadu_si128((const void *)(col_idx + first));
        const __m256d xs = gather4(x_type, x, columns), old = _mm256_loadu_pd(sum + first);
        const void *at = spmv__value_at(type, val, first);
        __m256d vs = _mm256_set1_pd(1);
        if (type == SPMV_F64) vs = _mm256_loadu_pd(at);
        if (type == SPMV_F32) vs = _mm256_cvtps_pd(_mm_loadu_ps(at));
        _mm256_storeu_pd(sum + first, _mm256_fmadd_pd(vs, xs, old));
    }
    add_any(type, x_type, first, n, col_idx, val, x, sum);
}

#endif

/* ---- One function per combination ----------------------------------------------------------- */

#define KERNEL(function, target, body, type, x_type)                                               \
    target static void function(int64_t n, const int32_t *col_idx, const void *val, const void *x, \
                                double *sum)                                                       \
    {                                                                                              \
        body(type, x_type, 0, n, col_idx, val, x, sum);                                            \
    }

#define X(name, type, x_type) KERNEL(any_##name, , add_any, type, x_type)
SPMV__TYPES_TABLE(X)
#undef X

#ifdef SPMV__HAVE_AVX2
#define X(name, type, x_type) KERNEL(avx2_##name, SPMV__TARGET_AVX2, add_avx2, type, x_type)
SPMV__TYPES_TABLE(X)
#undef X
#define AVX2(name) avx2_##name
#else
#define AVX2(name) NULL
#endif

spmv__diagonal_add spmv__diagonal_add_for(spmv_type type, spmv_type x_type, bool avx2)
{
    static const struct {
        spmv_type type, x_type;
        spmv__diagonal_add add[2]; /* [avx2] */
    } table[] = {
#define X(name, t, xt) {t, xt, {any_##name, AVX2(name)}},
        SPMV__TYPES_TABLE(X)
#undef X
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (table[i].type == type && table[i].x_type == x_type) return table[i].add[avx2];
    return NULL;
}
