/* dice_test.h -- the random draws of one case of the sweep: they follow from the seed and the
 * number of the case alone, so that any case can be made again. */
#pragma once

#include "core/base/random.h"

#include <math.h>

typedef struct dice {
    uint64_t stream, drawn;
} dice;

static inline double dice_uniform(dice *d) /* in [0, 1) */
{
    return spmv__uniform(d->stream, d->drawn++);
}

static inline int64_t dice_below(dice *d, int64_t n) /* in [0, n); 0 where n is 0 */
{
    return (int64_t)(dice_uniform(d) * (double)n);
}

static inline bool dice_chance(dice *d, double per_cent)
{
    return 100 * dice_uniform(d) < per_cent;
}

/* Draws from [low, high], every order of magnitude alike; low is 1 at least. */
static inline int64_t dice_magnitude(dice *d, int64_t low, int64_t high)
{
    const double ratio = (double)(high + 1) / (double)low;
    const int64_t n = (int64_t)((double)low * pow(ratio, dice_uniform(d)));
    return n < high ? n : high;
}

#define DICE_PICK(d, array) ((array)[dice_below((d), (int64_t)(sizeof(array) / sizeof *(array)))])
