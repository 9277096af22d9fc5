/* diagonal_add.c -- one step of many rows at once: sum[i] += val[i] x[col_idx[i]], by type and
 * instruction set.  The compiler vectorises the loop, with gathers where the machine has them. */
#include "multiply.h"

SPMV__INLINE void add(spmv_type type, spmv_type x_type, int64_t n, const int32_t *restrict col_idx,
                      const void *restrict val, const void *restrict x, double *restrict sum)
{
#pragma omp simd
    for (int64_t i = 0; i < n; i++) {
        /* Padding reads x[0] and throws it away, so that there is no branch. */
        const int32_t c = col_idx[i];
        const double product = spmv__value(type, val, i) * spmv__value(x_type, x, c < 0 ? 0 : c);
        sum[i] += c < 0 ? 0.0 : product;
    }
}

#define KERNEL(function, target, type, x_type)                                                     \
    target static void function(int64_t n, const int32_t *col_idx, const void *val, const void *x, \
                                double *sum)                                                       \
    {                                                                                              \
        add(type, x_type, n, col_idx, val, x, sum);                                                \
    }

#define X(name, type, x_type) KERNEL(any_##name, , type, x_type)
SPMV__TYPES_TABLE(X)
#undef X

#ifdef SPMV__HAVE_AVX2
#define X(name, type, x_type) KERNEL(avx2_##name, SPMV__TARGET_AVX2, type, x_type)
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
