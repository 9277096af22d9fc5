/* scan_values.c -- range and kinds of the stored values, in one pass.
 *
 * Different values are counted with a small hash table until there are too many to be interesting;
 * from then on only comparisons are left. */
#include "core/base/random.h"
#include "core/matrix/modulus.h"
#include "core/matrix/value.h"
#include "core/inspect/structure.h"

#include <float.h>
#include <math.h>

enum { SLOTS = 1024 }; /* a power of two, more than three times as many as are ever filled */

typedef struct value_set {
    bool used[SLOTS];
    uint64_t re[SLOTS], im[SLOTS];
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

static void add(value_set *set, spmv_scalar value)
{
    const uint64_t re = bits_of(value.re), im = bits_of(value.im);
    uint64_t i = spmv__mix(re ^ spmv__mix(im)) % SLOTS;
    while (set->used[i] && (set->re[i] != re || set->im[i] != im)) i = (i + 1) % SLOTS;
    if (set->used[i]) return;
    set->used[i] = true;
    set->re[i] = re;
    set->im[i] = im;
    set->count++;
}

static bool is_integer(double value)
{
    return isfinite(value) && value == trunc(value);
}

void spmv__scan_values(spmv_structure *s, spmv_type type, const void *val, int64_t n)
{
    value_set set = {.count = 0};
    s->ones = s->integers = true;
    for (int64_t p = 0; p < n; p++) {
        const spmv_scalar value = spmv__scalar(type, val, p);
        const double size = spmv__modulus(value); /* inf also where a part is NaN */
        if (set.count <= SPMV_DISTINCT_VALUES) add(&set, value);
        s->ones = s->ones && value.re == 1 && value.im == 0;
        s->integers = s->integers && is_integer(value.re) && is_integer(value.im);
        s->nan += isnan(value.re) || isnan(value.im);
        s->inf += isinf(value.re) || isinf(value.im);
        s->zeros += size == 0;
        if (size == 0 || !isfinite(value.re) || !isfinite(value.im)) continue;
        if (s->min_abs == 0 || size < s->min_abs) s->min_abs = fmin(size, DBL_MAX);
        if (size > s->max_abs) s->max_abs = fmin(size, DBL_MAX);
    }
    s->distinct = set.count;
}
