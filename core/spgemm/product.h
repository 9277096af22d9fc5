/* product.h -- one entry of A times one of B, for the types that B and the sums may have. */
#pragma once

#include "core/spgemm/spgemm.h"

/* X(name, type of B, whether sums are complex). */
#define SPMV__SPGEMM_TABLE(X)        \
    X(pattern, SPMV_PATTERN, false)  \
    X(f32, SPMV_F32, false)          \
    X(f64, SPMV_F64, false)          \
    X(pattern_c, SPMV_PATTERN, true) \
    X(f32_c, SPMV_F32, true)         \
    X(f64_c, SPMV_F64, true)         \
    X(c64_c, SPMV_C64, true)         \
    X(c128_c, SPMV_C128, true)

/* The kinds of products in this order, and places alone: what spmv__spgemm.kind is. */
enum {
#define X(name, type, complex_sums) SPMV__PRODUCT_##name,
    SPMV__SPGEMM_TABLE(X)
#undef X
        SPMV__PRODUCT_places,
    SPMV__PRODUCT_KINDS
};

static inline int spmv__product_kind(spmv_type B, spmv_type C)
{
    if (C == SPMV_PATTERN) return SPMV__PRODUCT_places;
#define X(name, type, complex_sums) \
    if (B == type && spmv_type_is_complex(C) == complex_sums) return SPMV__PRODUCT_##name;
    SPMV__SPGEMM_TABLE(X)
#undef X
    return SPMV__PRODUCT_places; /* not reached: C is complex where B is */
}

/* An entry of A.  It is real where the type is, whatever the imaginary part. */
typedef struct spmv__factor {
    spmv_scalar value;
    bool real;
} spmv__factor;

static inline spmv__factor spmv__factor_of(const spmv_csr *A, int64_t p)
{
    return (spmv__factor){spmv__scalar(A->type, A->val, p), !spmv_type_is_complex(A->type)};
}

/* a times value q of B.  A real factor scales both parts of the other number; a product of complex
 * ones is that of the parts, as in spmv__add_product of core/multiply: what is infinite may make
 * the other part NaN. */
static inline spmv_scalar spmv__product_of(spmv__factor a, spmv_type type, const void *val,
                                           int64_t q)
{
    const spmv_scalar v = a.value, b = spmv__scalar(type, val, q);
    if (!spmv_type_is_complex(type)) return spmv__number(v.re * b.re, v.im * b.re);
    if (a.real) return spmv__number(v.re * b.re, v.re * b.im);
    return spmv__complex_product(v, b);
}

/* sum[i] += a product. */
static inline void spmv__add_to_sum(double *sum, int64_t i, bool complex_sums, spmv_scalar product)
{
    if (!complex_sums) {
        sum[i] += product.re;
        return;
    }
    sum[2 * i] += product.re;
    sum[2 * i + 1] += product.im;
}
