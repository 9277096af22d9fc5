/* diagonal_add.c -- some steps of many rows at once, by type and instruction set.
 *
 * With AVX2 the rows of a slice of SELL go through all steps together, their sums in registers,
 * and its entries are read in the order of memory: on a 27-point stencil 2.3 times as fast as
 * eight rows after the other.  Several steps of ELL at once are many streams far apart, and half as
 * fast as one (eight random columns in each of a million rows).
 * The gather leaves out padding, whose column is negative, by its mask, and gives 0 there: so a row
 * of padding reads nothing of x and needs no branch. */
#include "core/matrix/value.h"
#include "core/base/types.h"
#include "core/multiply/avx2.h"

enum { FOURS = 8 }; /* of rows that go together: half the registers, and a slice of SELL */

/* The places of the entries: [steps], each `stride` behind the one before, from col_idx and val on.
 */
typedef struct entries {
    int64_t steps, stride;
    const int32_t *col_idx;
    const void *val;
} entries;

/* ---- Any machine ---------------------------------------------------------------------------- */

SPMV__INLINE void add_any(spmv_type type, spmv_type x_type, int64_t first, int64_t n, entries e,
                          const void *x, double *sum)
{
    for (int64_t k = 0; k < e.steps; k++)
        for (int64_t i = first, p = k * e.stride; i < n; i++)
            if (e.col_idx[p + i] >= 0)
                spmv__add_product(type, spmv__scalar(type, e.val, p + i), x_type,
                                  spmv__scalar(x_type, x, e.col_idx[p + i]), sum, i);
}

/* ---- AVX2 ----------------------------------------------------------------------------------- */

#ifdef SPMV__HAVE_AVX2

/* sum + the products of entries p .. p + 3 */
SPMV__TARGET_AVX2 SPMV__INLINE __m256d add4(spmv_type type, spmv_type x_type, entries e, int64_t p,
                                            const void *x, __m256d sum)
{
    const __m128i columns = _mm_loadu_si128((const void *)(e.col_idx + p));
    return spmv__add4(type, e.val, p, spmv__gather4(x_type, x, columns), sum);
}

/* All steps of 4 * fours rows from row `first` on. */
SPMV__TARGET_AVX2 SPMV__INLINE void add_fours(spmv_type type, spmv_type x_type, int fours,
                                              int64_t first, entries e, const void *x, double *sum)
{
    __m256d four[FOURS];
    for (int i = 0; i < fours; i++) four[i] = _mm256_loadu_pd(sum + first + 4 * i);
    for (int64_t k = 0, p = first; k < e.steps; k++, p += e.stride)
#pragma GCC unroll 8
        for (int i = 0; i < fours; i++) four[i] = add4(type, x_type, e, p + 4 * i, x, four[i]);
    for (int i = 0; i < fours; i++) _mm256_storeu_pd(sum + first + 4 * i, four[i]);
}

SPMV__TARGET_AVX2 SPMV__INLINE void add_avx2(spmv_type type, spmv_type x_type, int64_t first,
                                             int64_t n, entries e, const void *x, double *sum)
{
    if (!spmv_type_is_complex(x_type)) {
        for (; first + 4 * FOURS <= n; first += 4 * FOURS)
            add_fours(type, x_type, FOURS, first, e, x, sum);
        for (; first + 4 <= n; first += 4) add_fours(type, x_type, 1, first, e, x, sum);
    }
    add_any(type, x_type, first, n, e, x, sum);
}

#endif

/* ---- One function per combination ----------------------------------------------------------- */

#define KERNEL(function, target, body, type, x_type)                                              \
    target static void function(int64_t n, int64_t steps, int64_t stride, const int32_t *col_idx, \
                                const void *val, const void *x, double *sum)                      \
    {                                                                                             \
        const entries e = {steps, stride, col_idx, val};                                          \
        body(type, x_type, 0, n, e, x, sum);                                                      \
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
