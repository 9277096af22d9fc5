/* plain_value.h -- the plain form of a value, by the field of its file. */
#pragma once

#include "formats/mtx/mtx.h"
#include "formats/text/plain_number.h"

/* Two real numbers. */
static inline const unsigned char *spmv__mtx_plain_complex(const unsigned char *p,
                                                           const unsigned char *end, double *out)
{
    const unsigned char *safe = end - SPMV__PLAIN, *re_end = spmv__plain_real(p, end, &out[0]);
    if (re_end == NULL) return NULL;
    p = spmv__plain_blanks(re_end, safe);
    return p == re_end || p >= safe ? NULL : spmv__plain_real(p, end, &out[1]);
}

/* val[n] = the value at p, in a file that is no pattern. */
static inline const unsigned char *spmv__mtx_plain_value(const unsigned char *p,
                                                         const unsigned char *end,
                                                         spmv__mtx_field field, void *val,
                                                         int64_t n)
{
    double *reals = val;
    if (field == SPMV__MTX_REAL) return spmv__plain_real(p, end, &reals[n]);
    if (field == SPMV__MTX_COMPLEX) return spmv__mtx_plain_complex(p, end, &reals[2 * n]);
    return spmv__plain_integer(p, field == SPMV__MTX_UNSIGNED, &reals[n]);
}
