/* block_counts.c -- how many entries lie in each block of a grid laid over the matrix. */
#include "core/matrix/format.h"

typedef struct grid {
    int64_t row_step, col_step, height, width;
    int64_t *count; /* [height * width] */
} grid;

static void count_entry(void *user, int64_t row, int64_t col, const void *val)
{
    const grid *g = user;
    const int64_t i = row / g->row_step, j = col / g->col_step;
    (void)val;
    if (i < 0 || i >= g->height || j < 0 || j >= g->width) return; /* a mapped file has changed */
    g->count[i * g->width + j]++;
}

spmv_status spmv_block_counts(const spmv_matrix *A, int64_t row_step, int64_t col_step,
                              int64_t *count, spmv_error *err)
{
    SPMV__REQUIRE_MATRIX(A, err);
    SPMV__REQUIRE(row_step > 0 && col_step > 0 && count != NULL, err);
    grid g = {row_step, col_step, A->head.rows / row_step + (A->head.rows % row_step > 0),
              A->head.cols / col_step + (A->head.cols % col_step > 0), count};
    spmv__format_of(A->format)->each(A, count_entry, &g);
    return SPMV_SUCCESS;
}
