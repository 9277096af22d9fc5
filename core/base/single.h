/* single.h -- a number rounded to single precision, as a double. */
#pragma once

/* The compiler must not pass over the rounding: GCC 12 does, with -O3, where it converts two
 * numbers at once to float and back. */
static inline double spmv__rounded_to_single(double value)
{
    volatile float single = (float)value;
    return (double)single;
}
