/* stencil.c -- finite differences for Poisson's equation on a square or cubic grid.
 *
 * Points are numbered along x first, then y, then z; outside the grid the solution is 0.  Each
 * row holds the number of neighbours of an inner point on the diagonal and -1 for every
 * neighbour: 4 and -1 (5 points), 6 and -1 (7 points), 26 and -1 (27 points, as in HPCG). */
#include "core/base/base.h"
#include "core/generate/generator.h"

#include <stdlib.h>

int spmv__grid_neighbours(const spmv__plan *plan, int64_t point, int64_t *out)
{
    int64_t grid = plan->options.grid;
    int64_t x = point % grid, y = point / grid % grid, z = point / grid / grid;
    int deep = plan->generator->dims == 3, n = 0;
    for (int k = -deep; k <= deep; k++)
        for (int j = -1; j <= 1; j++)
            for (int i = -1; i <= 1; i++) {
                if (plan->generator->star && abs(i) + abs(j) + abs(k) > 1) continue;
                if (x + i < 0 || x + i >= grid || y + j < 0 || y + j >= grid) continue;
                if (deep && (z + k < 0 || z + k >= grid)) continue;
                if (out != NULL) out[n] = ((z + k) * grid + y + j) * grid + x + i;
                n++;
            }
    return n;
}

spmv_status spmv__grid_prepare(spmv__plan *plan, spmv_error *err)
{
    spmv_generate_options *o = &plan->options;
    int64_t rows = plan->generator->info.defaults.block == 0 ? 1 : o->block;
    for (int d = 0; d < plan->generator->dims; d++)
        if (!spmv__product(rows, o->grid, &rows) || rows > INT32_MAX)
            return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                              "a grid of %lld points per side has more than %d unknowns",
                              (long long)o->grid, INT32_MAX);
    o->rows = o->cols = rows;
    return SPMV_SUCCESS;
}

static int64_t length(const spmv__plan *plan, int64_t row)
{
    return spmv__grid_neighbours(plan, row, NULL);
}

static spmv_status columns(const spmv__plan *plan, int64_t row, int64_t n, int32_t *col,
                           spmv__column_set *set, spmv_error *err)
{
    int64_t point[27];
    (void)set, (void)err;
    spmv__grid_neighbours(plan, row, point);
    for (int64_t k = 0; k < n; k++) col[k] = (int32_t)point[k];
    return SPMV_SUCCESS;
}

static double value(const spmv__plan *plan, int64_t row, const int32_t *col, int64_t n, int64_t k)
{
    (void)n;
    if (col[k] != row) return -1;
    return plan->generator->star ? 2 * plan->generator->dims : 26;
}

#define STENCIL(id, dimensions, is_star, side, text) \
    const spmv__generator spmv__##id##_generator = { \
        .info = {.name = #id,                        \
                 .summary = text,                    \
                 .uses = "grid",                     \
                 .symmetric = true,                  \
                 .defaults = {.grid = side}},        \
        .dims = dimensions,                          \
        .star = is_star,                             \
        .full = true,                                \
        .fixed = true,                               \
        .prepare = spmv__grid_prepare,               \
        .length = length,                            \
        .columns = columns,                          \
        .value = value,                              \
    };
STENCIL(stencil5, 2, true, 100, "2-D Poisson, 5 points: grid^2 rows")
STENCIL(stencil7, 3, true, 30, "3-D Poisson, 7 points: grid^3 rows")
STENCIL(stencil27, 3, false, 30, "3-D Poisson, 27 points: grid^3 rows")
