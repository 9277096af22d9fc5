/* scan_values.c -- range and kinds of the stored values, in one pass.
 *
 * Different values are counted with a small hash table until there are too many to be interesting;
 * from then on only comparisons are left. */
#include "structure.h"

#include <math.h>

enum { SLOTS = 1024 }; /* a power of two, four times as many as are ever filled */

typedef struct value_set {
    bool used[SLOTS];
    uint64_t bits[SLOTS];
    int count;
} value_set;

/* Zeros of either sign are one value, and so are all NaN. */
static uint64_t bits_of(double value)
{
    uint64_t bits;
    if (value == 0) value = 0;
    if (isnan(value)) value = NAN;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void add(value_set *set, double value)
{
    const uint64_t bits = bits_of(value);
    uint64_t i = spmv__mix(bits) % SLOTS;
    while (set->used[i] && set->bits[i] != bits) i = (i + 1) % SLOTS;
    if (set->used[i]) return;
    set->used[i] = true;
    set->bits[i] = bits;
    set->count++;
}

void spmv__scan_values(spmv_structure *s, spmv_type type, const void *val, int64_t n)
{
    value_set set = {.count = 0};
    s->ones = s->integers = true;
    for (int64_t p = 0; p < n; p++) {
        const double value = spmv__value(type, val, p), size = fabs(value);
        if (set.count <= SPMV_DISTINCT_VALUES) add(&set, value);
        s->ones = s->ones && value == 1;
        s->integers = s->integers && isfinite(value) && value == trunc(value);
        s->nan += isnan(value) != 0;
        s->inf += isinf(value) != 0;
        s->zeros += value == 0;
        if (value == 0 || !isfinite(value)) continue;
        if (s->min_abs == 0 || size < s->min_abs) s->min_abs = size;
        if (size > s->max_abs) s->max_abs = size;
    }
    s->distinct = set.count;
}
