/* spmm_sums.c -- sums of rows times several vectors stored by rows, by type, width and instruction
 * set.
 *
 * A column and its value are loaded once for up to 16 sums, which stay in registers: the elements
 * of x that they meet lie side by side.  Each sum takes its products one after the other, added and
 * rounded as everywhere, whatever the instructions.  A real matrix treats a complex vector as two
 * real ones; a complex matrix adds up its real and its imaginary parts times both, and combines
 * them at the end.
 *
 * Few vectors wait for the entries, which are asked for ahead of time: on one thread of a Xeon of
 * 2023 2, 4 and 8 take 0.70, 0.73 and 0.78 of the time in double precision for finite elements,
 * 0.83, 0.90 and 0.92 for R-MAT, 0.85, 1.00 and 1.07 with eight random columns, in single precision
 * 0.52 to 0.97.  Of more, which come 16 at a time, the first ones fetch the entries for the others.
 *
 * With AVX-512 half as many instructions make doubles of single precision, which is what these
 * kernels wait for: 8, 16 and 64 vectors take 0.67, 0.83 and 0.79 of the time for finite elements,
 * 0.74, 0.85 and 0.84 for a 27-point stencil, 0.86, 0.82 and 0.84 for R-MAT.  Double precision
 * waits for memory instead, and its time is 0.9 to 1.1 of that with AVX2. */
#include "core/matrix/value.h"
#include "core/multiply/multiply.h"

enum {
    WIDEST = 1 << (SPMV__SPMM_WIDTHS - 1), /* doubles: four registers of AVX2 */
    FEW = WIDEST / 2                       /* sums, for which entries are asked for ahead */
};

/* Specialised by constant types and widths; x_type is real. */
SPMV__INLINE void sum_rows(spmv_type type, spmv_type x_type, bool wide, int64_t width,
                           const int64_t *start, int64_t n, const void *col_idx, const void *val,
                           const void *x, int64_t stride, double *sum, int64_t step)
{
    for (int64_t i = 0; i < n; i++, sum += step) {
        double re[WIDEST] = {0}, im[WIDEST] = {0};
        for (int64_t p = start[i]; p < start[i + 1]; p++) {
            if (width <= FEW) spmv__look_ahead(type, wide, col_idx, val, p);
            const spmv_scalar v = spmv__scalar(type, val, p);
            const int64_t first = spmv__entry_column(wide, col_idx, p) * stride;
            for (int64_t k = 0; k < width; k++) re[k] += v.re * spmv__value(x_type, x, first + k);
            for (int64_t k = 0; k < width && spmv_type_is_complex(type); k++)
                im[k] += v.im * spmv__value(x_type, x, first + k);
        }
        for (int64_t k = 0; k < width; k++) sum[k] = re[k];
        for (int64_t k = 0; k < width && spmv_type_is_complex(type); k += 2) {
            sum[k] -= im[k + 1];
            sum[k + 1] += im[k];
        }
    }
}

/* X(name, type of the values, type of the parts of x, the widest instructions that pay) */
#define DOUBLE_KINDS(X)                  \
    X(f64, SPMV_F64, SPMV_F64, avx2)     \
    X(f32_f64, SPMV_F32, SPMV_F64, avx2) \
    X(c128, SPMV_C128, SPMV_F64, avx2)   \
    X(pattern_f64, SPMV_PATTERN, SPMV_F64, avx2)
#define SINGLE_KINDS(X)                \
    X(f32, SPMV_F32, SPMV_F32, avx512) \
    X(c64, SPMV_C64, SPMV_F32, avx512) \
    X(pattern_f32, SPMV_PATTERN, SPMV_F32, avx512)
#define KINDS(X) DOUBLE_KINDS(X) SINGLE_KINDS(X)

#define KERNEL(function, target, type, x_type, wide, width)                                     \
    target static void function##_##width(const int64_t *start, int64_t n, const void *col_idx, \
                                          const void *val, const void *x, int64_t stride,       \
                                          double *sum, int64_t step)                            \
    {                                                                                           \
        sum_rows(type, x_type, wide, width, start, n, col_idx, val, x, stride, sum, step);      \
    }
#define KERNELS(function, target, type, x_type, wide) \
    KERNEL(function, target, type, x_type, wide, 1)   \
    KERNEL(function, target, type, x_type, wide, 2)   \
    KERNEL(function, target, type, x_type, wide, 4)   \
    KERNEL(function, target, type, x_type, wide, 8)   \
    KERNEL(function, target, type, x_type, wide, 16)
#define ALL(function)                                                         \
    {                                                                         \
        function##_1, function##_2, function##_4, function##_8, function##_16 \
    }

#define BOTH(set, target, name, type, x_type)          \
    KERNELS(set##_##name, target, type, x_type, false) \
    KERNELS(set##_wide_##name, target, type, x_type, true)

#define X(name, type, x_type, widest) BOTH(any, , name, type, x_type)
KINDS(X)
#undef X

#ifdef SPMV__HAVE_AVX2
#define X(name, type, x_type, widest) BOTH(avx2, SPMV__TARGET_AVX2, name, type, x_type)
KINDS(X)
#undef X
#define X(name, type, x_type, widest) BOTH(avx512, SPMV__TARGET_AVX512, name, type, x_type)
SINGLE_KINDS(X)
#undef X
#define SET(set, name)                            \
    {                                             \
        ALL(set##_##name), ALL(set##_wide_##name) \
    }
#else
#define SET(set, name) \
    {                  \
        {              \
            NULL       \
        }              \
    }
#endif

const spmv__spmm_sums *spmv__spmm_sums_for(spmv_type type, spmv_type x_type, bool columns_64_bit,
                                           spmv__instructions set)
{
    static const struct {
        spmv_type type, x_type;
        spmv__spmm_sums sums[SPMV__INSTRUCTION_SETS][2][SPMV__SPMM_WIDTHS]; /* [][columns_64_bit] */
    } table[] = {
#define X(name, t, xt, widest) \
    {t, xt, {{ALL(any_##name), ALL(any_wide_##name)}, SET(avx2, name), SET(widest, name)}},
        KINDS(X)
#undef X
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (table[i].type == type && table[i].x_type == x_type)
            return table[i].sums[set][columns_64_bit];
    return NULL;
}
