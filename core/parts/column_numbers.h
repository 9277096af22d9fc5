/* column_numbers.h -- the columns that a part needs, numbered in their order. */
#pragma once

#include "core/base/base.h"

/* A bit for each column, and how many are set before each word of them. */
typedef struct spmv__column_numbers {
    int64_t cols;
    uint64_t *bit;   /* [words], words = cols / 64 + 1 */
    int32_t *before; /* [words], after spmv__column_numbers_count */
} spmv__column_numbers;

/* Errors: OUT_OF_MEMORY.  Memory: 3 bits a column. */
spmv_status spmv__column_numbers_create(spmv__column_numbers *out, int64_t cols, spmv_error *err);
void spmv__column_numbers_destroy(spmv__column_numbers *c);

void spmv__column_numbers_mark(spmv__column_numbers *c, const int32_t *col_idx, int64_t n);
void spmv__column_numbers_mark_range(spmv__column_numbers *c, int64_t begin, int64_t end);

/* Count the columns in front of each, when all are marked. */
void spmv__column_numbers_count(spmv__column_numbers *c);

/* The number of marked columns before one, which is its own number where it is marked; of `cols`,
 * how many there are. */
static inline int64_t spmv__column_number(const spmv__column_numbers *c, int64_t col)
{
    const uint64_t lower = c->bit[col / 64] & ((UINT64_C(1) << col % 64) - 1);
    return c->before[col / 64] + __builtin_popcountll(lower);
}

/* The marked columns in begin .. end - 1, less `begin`; returns how many. */
int64_t spmv__column_numbers_list(const spmv__column_numbers *c, int64_t begin, int64_t end,
                                  int32_t *out);
