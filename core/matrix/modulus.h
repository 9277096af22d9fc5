/* modulus.h -- absolute values of complex numbers, with the same bits on every machine. */
#pragma once

#include "core/base/base.h"

/* |z|, correctly rounded in all but a few cases, and infinite where a part is, even beside a NaN.
 */
double spmv__modulus(spmv_scalar z);
