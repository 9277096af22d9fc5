/* modulus.h -- absolute values of complex numbers, with the same bits on every machine. */
#pragma once

#include "core/base/base.h"

/* |z|, off by one unit in the last place at most, in one of a hundred cases; infinite where a part
 * is, even beside a NaN. */
double spmv__modulus(spmv_scalar z);
