/* finite_elements.c -- matrices like those of finite elements for 3-D elasticity.
 *
 * A cubic grid of nodes, each joined to the 27 around it (the trilinear hexahedron), with `block`
 * unknowns per node; so dense blocks, rows of up to 27 * block entries.  Values are symmetric and
 * random; a diagonal larger than the sum of its row makes the matrix positive definite. */
#include "core/generate/generator.h"

#include <math.h>

static int64_t length(const spmv__plan *plan, int64_t row)
{
    int64_t block = plan->options.block;
    return block * spmv__grid_neighbours(plan, row / block, NULL);
}

static spmv_status columns(const spmv__plan *plan, int64_t row, int64_t n, int32_t *col,
                           spmv__column_set *set, spmv_error *err)
{
    int64_t point[27], block = plan->options.block;
    (void)set, (void)err;
    spmv__grid_neighbours(plan, row / block, point);
    for (int64_t k = 0; k < n; k++) col[k] = (int32_t)(point[k / block] * block + k % block);
    return SPMV_SUCCESS;
}

static double value(const spmv__plan *plan, int64_t row, const int32_t *col, int64_t n, int64_t k)
{
    if (col[k] != row) return spmv__random_value(plan, row, col[k]).re;
    double sum = 1;
    for (int64_t i = 0; i < n; i++)
        if (col[i] != row) sum += fabs(spmv__random_value(plan, row, col[i]).re);
    return sum;
}

const spmv__generator spmv__fem_generator = {
    .info = {.name = "fem",
             .summary = "3-D elasticity-like, positive definite: block * grid^3 rows",
             .uses = "grid block",
             .symmetric = true,
             .defaults = {.grid = 16, .block = 3}},
    .dims = 3,
    .full = true,
    .prepare = spmv__grid_prepare,
    .length = length,
    .columns = columns,
    .value = value,
};
