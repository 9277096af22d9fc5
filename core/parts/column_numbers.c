/* column_numbers.c -- see column_numbers.h. */
#include "core/parts/column_numbers.h"

#include <stdlib.h>

static int64_t words_of(int64_t cols)
{
    return cols / 64 + 1;
}

spmv_status spmv__column_numbers_create(spmv__column_numbers *out, int64_t cols, spmv_error *err)
{
    spmv__column_numbers c = {.cols = cols};
    spmv_status st;
    *out = (spmv__column_numbers){0};
    SPMV__TRY(spmv__alloc(&c.bit, words_of(cols), sizeof *c.bit, "the columns of a part", err));
    SPMV__TRY(
        spmv__alloc(&c.before, words_of(cols), sizeof *c.before, "the columns of a part", err));
    *out = c;
    c = (spmv__column_numbers){0};
done:
    spmv__column_numbers_destroy(&c);
    return st;
}

void spmv__column_numbers_destroy(spmv__column_numbers *c)
{
    free(c->bit);
    free(c->before);
}

static void mark(spmv__column_numbers *c, int64_t col)
{
    c->bit[col / 64] |= UINT64_C(1) << col % 64;
}

void spmv__column_numbers_mark(spmv__column_numbers *c, const int32_t *col_idx, int64_t n)
{
    for (int64_t p = 0; p < n; p++) mark(c, col_idx[p]);
}

void spmv__column_numbers_mark_range(spmv__column_numbers *c, int64_t begin, int64_t end)
{
    for (int64_t col = begin; col < end; col++) mark(c, col);
}

void spmv__column_numbers_count(spmv__column_numbers *c)
{
    int32_t before = 0;
    for (int64_t w = 0; w < words_of(c->cols); w++) {
        c->before[w] = before;
        before += __builtin_popcountll(c->bit[w]);
    }
}

int64_t spmv__column_numbers_list(const spmv__column_numbers *c, int64_t begin, int64_t end,
                                  int32_t *out)
{
    int64_t n = 0;
    for (int64_t col = begin; col < end; col++)
        if ((c->bit[col / 64] >> col % 64 & 1) != 0) out[n++] = (int32_t)(col - begin);
    return n;
}
