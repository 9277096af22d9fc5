/* scale_sums.c -- y = alpha sum + beta y for a block of rows that has been summed. */
#include "core/matrix/value.h"
#include "core/multiply/multiply.h"

/* A factor of numbers of this type: one of real numbers has no imaginary part, and here the
 * compiler learns it. */
SPMV__INLINE spmv_scalar factor_of(spmv_type type, spmv_scalar factor)
{
    return spmv_type_is_complex(type) ? factor : spmv__number(factor.re, 0);
}

/* Specialised by constant type, with or without beta and perm. */
SPMV__INLINE void write_rows(spmv_type type, bool has_beta, const spmv__output *out,
                             const int32_t *perm, int64_t first, int64_t n, const double *sum)
{
    const spmv_scalar alpha = factor_of(type, out->alpha), beta = factor_of(type, out->beta);

    for (int64_t i = 0; i < n; i++) {
        const int64_t r = perm != NULL ? perm[first + i] : first + i;
        spmv_scalar value = spmv__scaled(alpha, spmv__scalar(spmv__double_type(type), sum, i));
        if (has_beta) {
            const spmv_scalar old = spmv__scaled(beta, spmv__scalar(type, out->y, r));
            value = spmv__number(value.re + old.re, value.im + old.im);
        }
        spmv__set_scalar(type, out->y, r, value);
    }
}

static void add_sums(const spmv__output *out, const int32_t *perm, int64_t first, int64_t n,
                     double *sum)
{
    const int64_t parts = spmv__parts(out->type);
    for (int64_t i = 0; i < n; i++) {
        const int64_t r = perm != NULL ? perm[first + i] : first + i;
        for (int64_t k = 0; k < parts; k++) sum[i * parts + k] += out->add[r * parts + k];
    }
}

void spmv__output_sums(const spmv__output *out, const int32_t *perm, int64_t first, int64_t n,
                       double *sum)
{
    const bool has_beta = !spmv__is_zero(out->beta);

    if (out->add != NULL) add_sums(out, perm, first, n, sum);
    if (perm != NULL) {
        write_rows(out->type, has_beta, out, perm, first, n, sum);
        return;
    }
#define CASE(t)                                        \
    if (out->type == t && has_beta)                    \
        write_rows(t, true, out, NULL, first, n, sum); \
    else if (out->type == t)                           \
    write_rows(t, false, out, NULL, first, n, sum)
    CASE(SPMV_F64);
    CASE(SPMV_F32);
    CASE(SPMV_C128);
    CASE(SPMV_C64);
#undef CASE
}
