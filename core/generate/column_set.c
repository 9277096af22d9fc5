/* column_set.c -- distinct columns in ascending order, and random choices of them. */
#include "core/base/base.h"
#include "core/generate/generator.h"

#include <stdlib.h>
#include <string.h>

enum { EMPTY = -1 };

spmv_status spmv__column_set_reset(spmv__column_set *set, int64_t n, int64_t lo, int64_t range,
                                   spmv_error *err)
{
    /* Half of the slots stay empty; at worst all columns gather behind the last slot.  The one
     * more is never filled and stops every search. */
    int64_t used = 3 * n + 1;
    if (used > set->capacity) {
        spmv__column_set_free(set);
        spmv_status st = spmv__alloc(&set->slot, used, sizeof *set->slot, "a set of columns", err);
        if (st != SPMV_SUCCESS) return st;
        set->capacity = used;
    }
    set->slots = 2 * n;
    set->used = used;
    set->lo = lo;
    set->range = range;
    memset(set->slot, 0xff, (size_t)used * sizeof *set->slot);
    return SPMV_SUCCESS;
}

bool spmv__column_set_add(spmv__column_set *set, int64_t column)
{
    int64_t s = (column - set->lo) * set->slots / set->range;
    int32_t carried = (int32_t)column;
    while (set->slot[s] != EMPTY && set->slot[s] < carried) s++;
    if (set->slot[s] == carried) return false;
    for (; carried != EMPTY; s++) {
        int32_t displaced = set->slot[s];
        set->slot[s] = carried;
        carried = displaced;
    }
    return true;
}

int64_t spmv__column_set_get(const spmv__column_set *set, int32_t *col)
{
    int64_t n = 0;
    for (int64_t s = 0; s < set->used; s++)
        if (set->slot[s] != EMPTY) col[n++] = set->slot[s];
    return n;
}

void spmv__column_set_free(spmv__column_set *set)
{
    free(set->slot);
    memset(set, 0, sizeof *set);
}

/* The columns of [lo, hi) that are not in the set. */
static void complement(const spmv__column_set *set, int64_t lo, int64_t hi, int32_t *col)
{
    int64_t n = 0, s = 0;
    for (int64_t c = lo; c < hi; c++) {
        while (s < set->used && (set->slot[s] == EMPTY || set->slot[s] < c)) s++;
        if (s == set->used || set->slot[s] != c) col[n++] = (int32_t)c;
    }
}

spmv_status spmv__sample_columns(spmv__column_set *set, uint64_t stream, int64_t lo, int64_t hi,
                                 int64_t n, int32_t *col, spmv_error *err)
{
    /* Where more than half of the range is wanted, the columns that are left out are drawn. */
    int64_t range = hi - lo, drawn = n <= range - n ? n : range - n, found = 0;
    spmv_status st = spmv__column_set_reset(set, drawn, lo, range, err);
    if (st != SPMV_SUCCESS) return st;

    for (uint64_t k = 0; found < drawn; k++)
        found +=
            spmv__column_set_add(set, lo + (int64_t)(spmv__uniform(stream, k) * (double)range));
    if (drawn == n)
        spmv__column_set_get(set, col);
    else
        complement(set, lo, hi, col);
    return SPMV_SUCCESS;
}
