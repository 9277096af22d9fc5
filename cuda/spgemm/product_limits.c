/* product_limits.c -- the limits as they are but for tests. */
#include "cuda/spgemm/product_limits.h"
#include "cuda/gpu/kernel.h"

spmv__product_limits spmv__product_limits_now = {
    .few = 1 << 21, .spread = 1 << 15, .window = INT32_MAX, .narrow = SPMV__NARROW_MOST};
