/* real.c -- integers and complex numbers, in every file format alike. */
#include "io.h"

#include <math.h>

const char spmv__complex_refusal[] =
    "complex values are not supported; --complex real, imag or abs makes them real";

double spmv__complex_part(spmv_complex part, double re, double im)
{
    if (part == SPMV_COMPLEX_IMAG) return im;
    if (part == SPMV_COMPLEX_ABS) return hypot(re, im);
    return re;
}

bool spmv__is_exact(uint64_t magnitude)
{
    return magnitude == 0 || magnitude >> __builtin_ctzll(magnitude) <= (uint64_t)1 << 53;
}

int spmv__format_value(char *out, spmv_type type, const void *val, int64_t p)
{
    const spmv_scalar value = spmv__scalar(type, val, p);
    int length = spmv__format_number(out, value.re, type);
    if (!spmv_type_is_complex(type)) return length;
    out[length++] = ' ';
    return length + spmv__format_number(out + length, value.im, type);
}

spmv_status spmv__check_real(spmv_type type, spmv_error *err)
{
    if (!spmv_type_is_complex(type)) return SPMV_SUCCESS;
    return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                      "complex values are not written; spmv_convert_part makes them real");
}
