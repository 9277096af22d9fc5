/* random_columns.c -- random columns: anywhere, in a band, in dense blocks, or in few rows. */
#include "core/base/base.h"
#include "core/generate/generator.h"

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* ---- uniform: about the same number of entries in every row, anywhere ----------------------- */

static int64_t uniform_length(const spmv__plan *plan, int64_t row)
{
    return spmv__random_round(plan, row, plan->options.per_row);
}

static spmv_status uniform_columns(const spmv__plan *plan, int64_t row, int64_t n, int32_t *col,
                                   spmv__column_set *set, spmv_error *err)
{
    uint64_t stream = spmv__row_stream(plan->options.seed, SPMV__ROW_COLUMNS, row);
    return spmv__sample_columns(set, stream, 0, plan->options.cols, n, col, err);
}

const spmv__generator spmv__uniform_generator = {
    .info = {.name = "uniform",
             .summary = "rows of about equal length, columns anywhere",
             .uses = "rows cols per-row density",
             .defaults = {.rows = 10000, .per_row = 16}},
    .length = uniform_length,
    .columns = uniform_columns,
};

/* ---- hypersparse: most rows are empty ------------------------------------------------------- */

static int64_t hypersparse_length(const spmv__plan *plan, int64_t row)
{
    uint64_t stream = spmv__row_stream(plan->options.seed, SPMV__ROW_LENGTH, row);
    return spmv__uniform(stream, 1) < plan->options.nonempty ? uniform_length(plan, row) : 0;
}

const spmv__generator spmv__hypersparse_generator = {
    .info = {.name = "hypersparse",
             .summary = "most rows empty, the others uniform with per-row entries",
             .uses = "rows cols per-row nonempty",
             .defaults = {.rows = 100000, .per_row = 8, .nonempty = 0.05}},
    .length = hypersparse_length,
    .columns = uniform_columns,
};

/* ---- banded: |row - column| < bandwidth, the whole band unless per-row is given -------------- */

void spmv__band(const spmv__plan *plan, int64_t row, int64_t *lo, int64_t *hi)
{
    int64_t reach = plan->options.bandwidth - 1, cols = plan->options.cols;
    *lo = row > reach ? smaller(row - reach, cols) : 0;
    *hi = row < cols - smaller(reach, cols) ? row + reach + 1 : cols;
}

static int64_t banded_length(const spmv__plan *plan, int64_t row)
{
    int64_t lo, hi;
    spmv__band(plan, row, &lo, &hi);
    if (plan->options.per_row == 0) return hi - lo;
    return smaller(hi - lo, spmv__random_round(plan, row, plan->options.per_row));
}

static spmv_status banded_columns(const spmv__plan *plan, int64_t row, int64_t n, int32_t *col,
                                  spmv__column_set *set, spmv_error *err)
{
    uint64_t stream = spmv__row_stream(plan->options.seed, SPMV__ROW_COLUMNS, row);
    int64_t lo, hi;
    spmv__band(plan, row, &lo, &hi);
    return spmv__sample_columns(set, stream, lo, hi, n, col, err);
}

const spmv__generator spmv__banded_generator = {
    .info = {.name = "banded",
             .summary = "near the diagonal: the whole band, or per-row random entries of it",
             .uses = "rows cols bandwidth per-row",
             .defaults = {.rows = 10000, .bandwidth = 8}},
    .full = true,
    .length = banded_length,
    .columns = banded_columns,
};

/* ---- block: dense square blocks at random places of a grid of blocks ------------------------ */

/* Columns beyond the last whole block stay empty. */
static spmv_status block_prepare(spmv__plan *plan, spmv_error *err)
{
    const spmv_generate_options *o = &plan->options;
    if (o->block <= o->cols) return SPMV_SUCCESS;
    return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "block is %lld, more than the %lld columns",
                      (long long)o->block, (long long)o->cols);
}

static int64_t block_length(const spmv__plan *plan, int64_t row)
{
    const spmv_generate_options *o = &plan->options;
    int64_t blocks = spmv__random_round(plan, row / o->block, o->per_row / (double)o->block);
    return o->block * smaller(blocks, o->cols / o->block);
}

static spmv_status block_columns(const spmv__plan *plan, int64_t row, int64_t n, int32_t *col,
                                 spmv__column_set *set, spmv_error *err)
{
    int64_t block = plan->options.block;
    uint64_t stream = spmv__row_stream(plan->options.seed, SPMV__ROW_COLUMNS, row / block);
    spmv_status st =
        spmv__sample_columns(set, stream, 0, plan->options.cols / block, n / block, col, err);
    if (st != SPMV_SUCCESS) return st;
    for (int64_t k = n - 1; k >= 0; k--) /* backwards: block k / block is read before it is lost */
        col[k] = (int32_t)(col[k / block] * block + k % block);
    return SPMV_SUCCESS;
}

const spmv__generator spmv__block_generator = {
    .info = {.name = "block",
             .summary = "dense blocks at random places",
             .uses = "rows cols block per-row",
             .defaults = {.rows = 10000, .block = 4, .per_row = 16}},
    .prepare = block_prepare,
    .length = block_length,
    .columns = block_columns,
};

/* ---- dense: every entry ---------------------------------------------------------------------- */

static int64_t dense_length(const spmv__plan *plan, int64_t row)
{
    (void)row;
    return plan->options.cols;
}

static spmv_status dense_columns(const spmv__plan *plan, int64_t row, int64_t n, int32_t *col,
                                 spmv__column_set *set, spmv_error *err)
{
    (void)plan, (void)row, (void)set, (void)err;
    for (int64_t c = 0; c < n; c++) col[c] = (int32_t)c;
    return SPMV_SUCCESS;
}

const spmv__generator spmv__dense_generator = {
    .info = {.name = "dense",
             .summary = "every entry stored",
             .uses = "rows cols",
             .defaults = {.rows = 1000}},
    .full = true,
    .length = dense_length,
    .columns = dense_columns,
};
