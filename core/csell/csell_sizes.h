/* csell_sizes.h -- how CSELL cuts a matrix and where the words of a slice lie, on the CPU and on a
 * GPU. */
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

    SPMV__CSELL_BITS = 8, /* steps whose bits come in one byte */
    SPMV__CSELL_TAIL = 8, /* words: the base, and those that keep slices aligned */
};

/* The words of `steps` steps that have one each, up to a whole byte of bits. */
SPMV__EITHER static inline int64_t spmv__whole_bytes(int64_t steps)
{
    return (steps + SPMV__CSELL_BITS - 1) / SPMV__CSELL_BITS * SPMV__CSELL_BITS;
}

/* Words of a bit for each slot. */
SPMV__EITHER static inline int64_t spmv__mask_words(int64_t lanes, int64_t steps)
{
    return spmv__whole_bytes(steps) / SPMV__CSELL_BITS * (lanes / 4);
}

/* Lists have words in front of them: the base, how many lists there are, how many adjacent columns
 * each of their codes stands for, words that fill up, and then a bit for each lane, which says that
 * a list begins there. */
SPMV__EITHER static inline int64_t spmv__list_head(int64_t lanes)
{
    return SPMV__CSELL_TAIL +
           (lanes / 32 + SPMV__CSELL_TAIL - 1) / SPMV__CSELL_TAIL * SPMV__CSELL_TAIL;
}

/* How many columns a list of n may have, `most` at most, when a row of `length` columns comes in
 * that has others, too: rows share it while at least half of it is in each.  -1: none. */
SPMV__EITHER static inline int64_t spmv__csell_list_limit(int64_t n, int64_t length, int64_t most)
{
    if (2 * length < n) return -1;
    const int64_t alike = n + (2 * length - n) / 3;
    return alike < most ? alike : most;
}
