/* random_vectors.c -- vectors of random numbers that are the same everywhere. */
#include "core/base/random.h"
#include "core/matrix/value.h"

static double number(uint64_t seed, int64_t k)
{
    return 2 * spmv__uniform(seed, (uint64_t)k) - 1;
}

void spmv_dense_fill_random(spmv_dense *x, uint64_t seed)
{
    const int64_t n = x->rows * x->cols;
    for (int64_t k = 0; k < n; k++)
        spmv__set_scalar(x->type, x->data, k,
                         spmv__number(number(seed, k), number(spmv__mix(~seed), k)));
}
