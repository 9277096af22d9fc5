/* csell_sizes.h -- the sizes by which CSELL cuts a matrix, wherever it is made. */
#pragma once

#include "core/base/either.h"

#include <stdint.h>

enum {
    SPMV__CSELL_OWN_ORDER = 128, /* rows of a slice: four for every thread of a warp */
    SPMV__CSELL_SORTED = 32,     /* where rows are sorted */
    SPMV__CSELL_WINDOW = 128,    /* slices that are sorted together */
    SPMV__CSELL_WORTH = 10,      /* try sorting where padding is more than one slot in so many, and
                                    keep it where it saves one byte in so many: it parts neighbours */
    SPMV__CSELL_STEPS = 1 << 18, /* with one number each, at most */
};

/* How many columns a list of n may have, `most` at most, when a row of so many comes in that has
 * others, too: rows share it while at least half of it is in each.  -1: none. */
SPMV__EITHER static inline int64_t spmv__csell_list_limit(int64_t n, int64_t length, int64_t most)
{
    if (2 * length < n) return -1;
    const int64_t alike = n + (2 * length - n) / 3;
    return alike < most ? alike : most;
}
