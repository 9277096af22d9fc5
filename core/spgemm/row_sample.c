/* row_sample.c -- the rows of a product, to be drawn by how many entries they may have.
 *
 * What differs between rows is how much of their bound they fill.  Rows with about the same number
 * of products fill about the same part of it.  So they are put next to each other, in their own
 * order, and draws at even distances take from each kind its share. */
#include "core/spgemm/row_sample.h"
#include "core/matrix/format.h"

#include <stdlib.h>

enum { CLASSES = 64 * 4 }; /* of rows: by their products, four to each power of two */

static int64_t products_of(const spmv__prepared_product *p, int64_t i)
{
    return p->before[i + 1] - p->before[i];
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

int64_t spmv__row_bound(const spmv__prepared_product *p, int64_t i)
{
    const spmv__spgemm *job = &p->job;
    int64_t bound = least(products_of(p, i), job->B.cols);
    if (job->mask != NULL) bound = least(bound, job->mask->row_ptr[i + 1] - job->mask->row_ptr[i]);
    return job->top > 0 ? least(bound, job->top) : bound;
}

/* n > 0 */
static int class_of(int64_t n)
{
    const int power = 63 - __builtin_clzll((unsigned long long)n);
    const int64_t rest = power >= 2 ? n >> (power - 2) : n << (2 - power);
    return 4 * power + (int)(rest & 3);
}

spmv_status spmv__row_sample_make(spmv__row_sample *out, const spmv__prepared_product *p,
                                  spmv_error *err)
{
    const int64_t rows = p->job.A.rows;
    int64_t next[CLASSES + 1] = {0};
    spmv_status st;
    *out = (spmv__row_sample){.count = 0};
    for (int64_t i = 0; i < rows; i++)
        if (spmv__row_bound(p, i) > 0) next[class_of(products_of(p, i)) + 1]++;
    for (int c = 0; c < CLASSES; c++) next[c + 1] += next[c];
    out->count = next[CLASSES];
    SPMV__TRY(spmv__alloc(&out->row, out->count, sizeof *out->row, "an estimate", err));
    SPMV__TRY(spmv__alloc(&out->before, out->count + 1, sizeof *out->before, "an estimate", err));
    for (int64_t i = 0; i < rows; i++)
        if (spmv__row_bound(p, i) > 0) out->row[next[class_of(products_of(p, i))]++] = i;
    for (int64_t k = 0; k < out->count; k++)
        out->before[k + 1] = out->before[k] + spmv__row_bound(p, out->row[k]);
done:
    if (st != SPMV_SUCCESS) spmv__row_sample_destroy(out);
    return st;
}

void spmv__row_sample_destroy(spmv__row_sample *sample)
{
    free(sample->row);
    free(sample->before);
    *sample = (spmv__row_sample){0};
}

int64_t spmv__row_sample_draw(const spmv__row_sample *sample, int64_t at)
{
    return sample->row[spmv__find_offset(sample->before, sample->count, at + 1) - 1];
}
