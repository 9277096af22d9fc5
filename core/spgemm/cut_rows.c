/* cut_rows.c -- the rows of a product, cut into pieces of about as many products. */
#include "core/spgemm/spgemm.h"

enum {
    PIECE = 1 << 15, /* products and rows of a piece, at most but for its last row */
    LEAST_PIECE = 1 << 11,
    PIECES = 64 /* for each thread, where there are enough rows */
};

spmv__row_cut spmv__cut_rows(const spmv__prepared_product *p)
{
    const int64_t all = p->before[p->job.A.rows] + p->job.A.rows;
    int64_t weight = all / (PIECES * p->threads);
    if (weight < LEAST_PIECE) weight = LEAST_PIECE;
    if (weight > PIECE) weight = PIECE;
    return (spmv__row_cut){
        .before = p->before, .rows = p->job.A.rows, .weight = weight, .count = all / weight + 1};
}

int64_t spmv__cut_begin(const spmv__row_cut *cut, int64_t k)
{
    const int64_t weight = k * cut->weight;
    int64_t low = 0, high = cut->rows;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (cut->before[middle] + middle < weight)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
