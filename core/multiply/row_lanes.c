/* row_lanes.c -- how many threads share a row in csr-vector?
 *
 * A large matrix has work for every thread of a GPU, and each should have a share of its row that
 * is worth adding up.  A small one takes as long as its longest row: threads that would have
 * nothing to do shorten it. */
#include "core/multiply/row_lanes.h"

enum {
    MOST = 32,                 /* a warp */
    SHARE = 6,                 /* entries that a lane should have of a row of mean length */
    ROOM = 2 * SPMV__FEW_ROWS, /* threads that a GPU works on at a time, of an H100 270336 */
    SLOW = 3                   /* steps that are worth twice as many threads as there is room for */
};

int64_t spmv__row_steps(int64_t loads, int lanes, int batch)
{
    return (loads + lanes * batch - 1) / (lanes * batch);
}

int spmv__row_lanes(int64_t rows, int64_t nnz, int64_t loads, int batch)
{
    const int64_t mean = rows > 0 ? nnz / rows : 0;
    int lanes = 2;
    while (lanes < MOST && 2 * lanes * SHARE <= mean) lanes *= 2;
    while (lanes < MOST && rows <= ROOM / lanes &&
           spmv__row_steps(loads, lanes, batch) > (2 * lanes * rows <= ROOM ? 1 : SLOW))
        lanes *= 2;
    return lanes;
}

int64_t spmv__longest_loads(const int64_t *row_ptr, int64_t rows)
{
    int64_t longest = 0;
#pragma omp parallel for reduction(max : longest) if (rows > SPMV__FEW_ROWS)
    for (int64_t r = 0; r < rows; r++) {
        const int64_t loads = spmv__row_loads(row_ptr[r], row_ptr[r + 1]);
        if (loads > longest) longest = loads;
    }
    return longest;
}
