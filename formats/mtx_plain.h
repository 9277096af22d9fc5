/* mtx_plain.h -- the plain form of a value, by the field of its file. */
#ifndef SPMV_FORMATS_MTX_PLAIN_H
#define SPMV_FORMATS_MTX_PLAIN_H

#include "mtx.h"
#include "plain.h"

/* A value that is real, or an integer. */
static inline const unsigned char *spmv__mtx_plain_value(const unsigned char *p,
                                                         const unsigned char *end,
                                                         spmv__mtx_field field, double *out)
{
    if (field == SPMV__MTX_REAL) return spmv__plain_real(p, end, out);
    if (field == SPMV__MTX_COMPLEX) return NULL;
    return spmv__plain_integer(p, field == SPMV__MTX_UNSIGNED, out);
}

#endif
