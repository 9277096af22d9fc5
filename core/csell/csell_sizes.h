/* csell_sizes.h -- the sizes by which CSELL cuts a matrix, wherever it is made. */
#pragma once

enum {
    SPMV__CSELL_OWN_ORDER = 128, /* rows of a slice: four for every thread of a warp */
    SPMV__CSELL_SORTED = 32,     /* where rows are sorted */
    SPMV__CSELL_WINDOW = 128,    /* slices that are sorted together */
    SPMV__CSELL_WORTH = 10,      /* try sorting where padding is more than one slot in so many, and
                                    keep it where it saves one byte in so many: it parts neighbours */
    SPMV__CSELL_STEPS = 1 << 18, /* with one number each, at most */
};
