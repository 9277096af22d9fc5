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
