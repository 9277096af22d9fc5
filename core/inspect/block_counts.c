/* block_counts.c -- how many entries lie in each block of a grid laid over the matrix. */
#include "core/matrix/format.h"

typedef struct grid {
    int64_t row_step, col_step, width;
    int64_t *count;
} grid;

static void count_entry(void *user, int64_t row, int64_t col, const void *val)
{
    const grid *g = user;
    (void)val;
    g->count[row / g->row_step * g->width + col / g->col_step]++;
}

spmv_status spmv_block_counts(const spmv_matrix *A, int64_t row_step, int64_t col_step,
                              int64_t *count, spmv_error *err)
{
    SPMV__REQUIRE_MATRIX(A, err);
    SPMV__REQUIRE(row_step > 0 && col_step > 0 && count != NULL, err);
    grid g = {row_step, col_step, A->head.cols / col_step + (A->head.cols % col_step > 0), count};
    spmv__format_of(A->format)->each(A, count_entry, &g);
    return SPMV_SUCCESS;
}
