/* value_text.c -- one value: what of it f64 holds, and how text says it. */
#include "core/matrix/value.h"
#include "formats/text/number.h"

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
