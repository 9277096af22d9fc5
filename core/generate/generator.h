/* generator.h -- what the generators share: the plan of a matrix, the record of a kind, and random
 * columns. */
#pragma once

#include "spmv.h"
#include "core/base/random.h"

typedef struct spmv__generator spmv__generator;

/* Distinct columns in ascending order, in expected constant time each: an open hash table whose
 * hash is monotone, so that the table is sorted at any time (Gonnet and Munro's linear probing
 * sort).  Fast only for columns that are spread evenly over the range. */
typedef struct spmv__column_set {
    int32_t *slot;    /* [capacity], -1 where empty */
    int64_t capacity; /* allocated */
    int64_t slots;    /* that columns hash to; beyond them lies room for what is pushed aside */
    int64_t used;     /* slots, and that room */
    int64_t lo, range;
} spmv__column_set;

/* Empty the set and make room for n columns in [lo, lo + range).  Errors: OUT_OF_MEMORY. */
spmv_status spmv__column_set_reset(spmv__column_set *set, int64_t n, int64_t lo, int64_t range,
                                   spmv_error *err);
bool spmv__column_set_add(spmv__column_set *set, int64_t column);        /* false: it was there */
int64_t spmv__column_set_get(const spmv__column_set *set, int32_t *col); /* returns how many */
void spmv__column_set_free(spmv__column_set *set);

/* col[0 .. n-1] = n distinct columns of [lo, hi), ascending, every choice equally likely.
 * Expected time O(n). */
spmv_status spmv__sample_columns(spmv__column_set *set, uint64_t stream, int64_t lo, int64_t hi,
                                 int64_t n, int32_t *col, spmv_error *err);

/* The parameters of a matrix to generate, with nothing left open. */
typedef struct spmv__plan {
    const spmv__generator *generator;
    spmv_generate_options options; /* rows and cols as they will be, defaults filled in */
    double pareto_start;           /* power law: the shortest row before rounding */
} spmv__plan;

/* A kind.  Either rows are independent of each other (length, columns), or it builds the pattern
 * itself. */
struct spmv__generator {
    spmv_generator info;
    int dims;   /* of kinds over a grid: 2 or 3 */
    bool star;  /* of those: neighbours along the axes only */
    bool full;  /* the pattern is not random, unless per_row says how many entries rows have */
    bool fixed; /* neither are the problem's own values */

    /* Check the options and complete the plan; may be NULL. */
    spmv_status (*prepare)(spmv__plan *plan, spmv_error *err);
    /* Entries of a row, in constant time. */
    int64_t (*length)(const spmv__plan *plan, int64_t row);
    /* Their columns col[n], ascending. */
    spmv_status (*columns)(const spmv__plan *plan, int64_t row, int64_t n, int32_t *col,
                           spmv__column_set *set, spmv_error *err);
    /* row_ptr and col_idx of the whole matrix, instead of the two above.  Of the shape the kind
     * then makes what it likes: cols and density are as they were given. */
    spmv_status (*pattern)(spmv_csr *out, const spmv__plan *plan, spmv_error *err);
    /* The problem's own value of entry k of a row; NULL: random. */
    double (*value)(const spmv__plan *plan, int64_t row, const int32_t *col, int64_t n, int64_t k);
};

extern const spmv__generator spmv__stencil5_generator, spmv__stencil7_generator,
    spmv__stencil27_generator, spmv__fem_generator, spmv__uniform_generator, spmv__banded_generator,
    spmv__block_generator, spmv__dense_generator, spmv__hypersparse_generator,
    spmv__powerlaw_generator, spmv__skew_generator, spmv__rmat_generator;

/* The streams of random numbers that a row owns. */
enum { SPMV__ROW_LENGTH = 1, SPMV__ROW_COLUMNS, SPMV__ROW_VALUES };
static inline uint64_t spmv__row_stream(uint64_t seed, int purpose, int64_t row)
{
    return spmv__mix(spmv__mix(seed + ((uint64_t)purpose << 56)) ^ (uint64_t)row);
}

/* A whole number of expected value `mean`: one of the two beside it. */
static inline int64_t spmv__random_round(const spmv__plan *plan, int64_t row, double mean)
{
    int64_t below = (int64_t)mean;
    uint64_t stream = spmv__row_stream(plan->options.seed, SPMV__ROW_LENGTH, row);
    return below + (spmv__uniform(stream, 0) < mean - (double)below);
}

/* Uniform in (-1, 1) and never 0, an odd multiple of 2^-52 (of 2^-23 in single precision, so that
 * it is exact there), and so the imaginary part of a complex value; the same for (row, col) and
 * (col, row) when the kind is symmetric. */
spmv_scalar spmv__random_value(const spmv__plan *plan, int64_t row, int64_t col);

/* Call row(user, r, set, err) for all rows by several threads, each with a set of columns of its
 * own; after a failure, which is returned, the rows that are left are skipped. */
typedef spmv_status (*spmv__row_work)(void *user, int64_t r, spmv__column_set *set,
                                      spmv_error *err);
spmv_status spmv__for_rows(int64_t rows, int threads, spmv__row_work row, void *user,
                           spmv_error *err);

/* row_ptr and col_idx of a kind whose rows are independent. */
spmv_status spmv__generate_rows(spmv_csr *out, const spmv__plan *plan, spmv_error *err);

/* INVALID_ARGUMENT unless options.type and options.values are known. */
spmv_status spmv__check_values(const spmv_generate_options *options, spmv_error *err);

/* Values of a finished pattern, as options.type and options.values say. */
spmv_status spmv__fill_values(spmv_csr *A, const spmv__plan *plan, spmv_error *err);

/* The points around `point` (itself included) in the grid of the plan, ascending; out is [27] or
 * NULL.  Returns how many. */
int spmv__grid_neighbours(const spmv__plan *plan, int64_t point, int64_t *out);

/* The columns [lo, hi) of a row that are less than options.bandwidth from the diagonal. */
void spmv__band(const spmv__plan *plan, int64_t row, int64_t *lo, int64_t *hi);

/* rows = cols = block * grid^dims.  Errors: INVALID_ARGUMENT (too large for 32-bit columns). */
spmv_status spmv__grid_prepare(spmv__plan *plan, spmv_error *err);
