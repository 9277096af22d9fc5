/* real.c -- integers and complex numbers as f64, in every file format alike. */
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

spmv_status spmv__check_real(spmv_type type, spmv_error *err)
{
    if (!spmv_type_is_complex(type)) return SPMV_SUCCESS;
    return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                      "complex values are not written; spmv_convert_part makes them real");
}
