/* row_sample.h -- the rows of a product, to be drawn by how many entries they may have. */
#pragma once

#include "core/spgemm/spgemm.h"

/* Rows of C that may have entries, those with about the same number of products together. */
typedef struct spmv__row_sample {
    int64_t count;
    int64_t *row;    /* [count] owned */
    int64_t *before; /* [count + 1] owned: the bounds of those before it */
} spmv__row_sample;

/* The most entries that row i of C can have. */
int64_t spmv__row_bound(const spmv__prepared_product *p, int64_t i);

/* Errors: OUT_OF_MEMORY.  Time O(rows). */
spmv_status spmv__row_sample_make(spmv__row_sample *out, const spmv__prepared_product *p,
                                  spmv_error *err);
void spmv__row_sample_destroy(spmv__row_sample *sample);

/* The row in which number `at` of all bounds lies, 0 <= at < before[count]. */
int64_t spmv__row_sample_draw(const spmv__row_sample *sample, int64_t at);
