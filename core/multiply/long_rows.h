/* long_rows.h -- rows that are longer than the others. */
#pragma once

#include "spmv.h"

/* A warp would wait for one row long after its neighbours are done. */
static inline bool spmv__rows_are_skewed(const spmv_row_stats *s)
{
    return (double)s->max > 32 + 4 * s->mean;
}

/* csr-split keeps rows apart that have more entries than both. */
enum {
    SPMV__ROW_APART = 256, /* entries */
    SPMV__TIMES_APART = 8  /* times as many as the mean */
};
