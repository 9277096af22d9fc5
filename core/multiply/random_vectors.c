/* random_vectors.c -- vectors of random numbers that are the same everywhere. */
#include "core/base/random.h"
#include "core/matrix/value.h"
#include "core/matrix/vectors.h"

static double number(uint64_t seed, int64_t k)
{
    return 2 * spmv__uniform(seed, (uint64_t)k) - 1;
}

void spmv_dense_fill_random(spmv_dense *x, uint64_t seed)
{
    const int64_t lines = x->by_rows ? x->rows : x->cols, length = x->by_rows ? x->cols : x->rows;
    for (int64_t i = 0; i < lines; i++)
        for (int64_t j = 0; j < length; j++) {
            const int64_t k = i * length + j;
            spmv__set_scalar(x->type, x->data, i * spmv__ld(x) + j,
                             spmv__number(number(seed, k), number(spmv__mix(~seed), k)));
        }
}
