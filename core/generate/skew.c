/* skew.c -- rows of very different length.
 *
 * powerlaw: like web and social graphs.  The chance of more than x entries falls as
 * x^(1 - exponent), cut at max-row; the shortest row is chosen so that the mean is per-row.  Half
 * of the entries of a row lie within 100 columns of the diagonal, unless there is no room for so
 * many, the others in column c with a chance falling as c^(-3/4), so that the lengths of columns
 * follow a power law of exponent 7/3.
 *
 * skew: like circuits and optimisation problems.  A few rows of enormous length, the others short
 * and near the diagonal. */
#include "core/base/base.h"
#include "core/generate/generator.h"

#include <math.h>

enum { NEAR = 100 };

/* ---- powers that are the same on every machine ---------------------------------------------- */

/* ln x for x > 0: x = m 2^e, ln m from its series in (m - 1) / (m + 1). */
static double natural_log(double x)
{
    int e;
    double m = frexp(x, &e), s, power, sum = 0;
    if (m < 0x1.6a09e667f3bcdp-1) m *= 2, e--; /* sqrt(1/2) <= m < sqrt(2) */
    s = (m - 1) / (m + 1);
    power = s;
    for (int k = 1; k < 25; k += 2, power *= s * s) sum += power / k;
    return 2 * sum + e * 0x1.62e42fefa39efp-1;
}

static double exponential(double x)
{
    double whole = floor(x * 0x1.71547652b82fep0 + 0.5), r = x - whole * 0x1.62e42fefa39efp-1;
    double term = 1, sum = 1;
    for (int k = 1; k < 18; k++) sum += term *= r / k;
    return ldexp(sum, (int)whole);
}

static double power(double x, double y)
{
    return exponential(y * natural_log(x));
}

/* ---- powerlaw -------------------------------------------------------------------------------- */

/* Mean of min(X, most) where P(X > x) = (start / x)^tail for x >= start. */
static double cut_mean(double start, double tail, double most)
{
    double ratio = most / start;
    if (tail == 1) return start * (1 + natural_log(ratio));
    return start * (tail - power(ratio, 1 - tail)) / (tail - 1);
}

static spmv_status powerlaw_prepare(spmv__plan *plan, spmv_error *err)
{
    const spmv_generate_options *o = &plan->options;
    double most = (double)o->max_row, low = 0x1p-30, high = most;
    const double tail = o->exponent - 1;
    if (!(o->exponent > 1 && o->exponent <= 50))
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "exponent is %g, not in (1, 50]",
                          o->exponent);
    if (o->per_row > most)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "per-row is %g, more than max-row %g",
                          o->per_row, most);
    for (; cut_mean(low, tail, most) > o->per_row && low > 0x1p-990; low *= 0x1p-30) high = low;
    if (cut_mean(low, tail, most) > o->per_row)
        return spmv__fail(
            err, SPMV_ERROR_INVALID_ARGUMENT,
            "per-row is %g, and with an exponent of %g and a max-row of %g no mean is "
            "less than %.3g",
            o->per_row, o->exponent, most, cut_mean(low, tail, most));
    for (int step = 0; step < 100; step++) {
        double middle = (low + high) / 2;
        if (cut_mean(middle, tail, most) < o->per_row)
            low = middle;
        else
            high = middle;
    }
    plan->pareto_start = low;
    return SPMV_SUCCESS;
}

static int64_t powerlaw_length(const spmv__plan *plan, int64_t row)
{
    const spmv_generate_options *o = &plan->options;
    uint64_t stream = spmv__row_stream(o->seed, SPMV__ROW_LENGTH, row);
    double tail = 1 - spmv__uniform(stream, 1); /* in (0, 1] */
    double x = plan->pareto_start * power(tail, -1 / (o->exponent - 1));
    return x < (double)o->max_row ? spmv__random_round(plan, row, x) : o->max_row;
}

/* Share of the far entries in columns below c of n, and the column below which a share lies. */
static double far_share(double c, double n)
{
    return sqrt(sqrt(c / n));
}
static double far_column(double share, double n)
{
    return n * (share * share) * (share * share);
}

/* Distinct points spread evenly over [0, INT32_MAX) go through the inverse of the distribution,
 * which keeps their order; columns that coincide are pushed to the next free place. */
static spmv_status powerlaw_columns(const spmv__plan *plan, int64_t row, int64_t n, int32_t *col,
                                    spmv__column_set *set, spmv_error *err)
{
    int64_t cols = plan->options.cols, limit = cols;
    int64_t lo = row > NEAR ? row - NEAR : 0, hi = row + NEAR + 1;
    if (hi > cols) hi = cols;
    if (lo >= hi) lo = hi > 2 * NEAR ? hi - 2 * NEAR : 0; /* rows below a wide matrix's diagonal */

    /* The window takes its half and what far entries fall into it. */
    double width = (double)cols, from = far_share((double)lo, width) / 2;
    double to = far_share((double)hi, width) / 2 + 0.5;
    uint64_t stream = spmv__row_stream(plan->options.seed, SPMV__ROW_COLUMNS, row);
    spmv_status st = spmv__sample_columns(set, stream, 0, INT32_MAX, n, col, err);
    if (st != SPMV_SUCCESS) return st;

    for (int64_t k = 0, next = 0; k < n; k++) {
        double u = (col[k] + 0.5) / INT32_MAX, c;
        if (u < from)
            c = far_column(2 * u, width);
        else if (u >= to)
            c = far_column(2 * u - 1, width);
        else
            c = (double)lo + (u - from) / (to - from) * (double)(hi - lo);
        if ((int64_t)c > next) next = (int64_t)c;
        col[k] = (int32_t)(next < cols ? next : cols - 1);
        next++;
    }
    for (int64_t k = n - 1; k >= 0; k--) {
        if (col[k] >= limit) col[k] = (int32_t)(limit - 1);
        limit = col[k];
    }
    return SPMV_SUCCESS;
}

const spmv__generator spmv__powerlaw_generator = {
    .info = {.name = "powerlaw",
             .summary = "power-law rows and columns, as in graphs",
             .uses = "rows cols per-row density exponent max-row",
             .defaults = {.rows = 10000, .per_row = 8, .exponent = 2.2, .max_row = INT32_MAX}},
    .prepare = powerlaw_prepare,
    .length = powerlaw_length,
    .columns = powerlaw_columns,
};

/* ---- skew ------------------------------------------------------------------------------------ */

static spmv_status skew_prepare(spmv__plan *plan, spmv_error *err)
{
    spmv_generate_options *o = &plan->options;
    if (o->huge_rows > o->rows)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "huge-rows is %lld of %lld rows",
                          (long long)o->huge_rows, (long long)o->rows);
    if (o->max_row == 0) o->max_row = o->cols / 2;
    return SPMV_SUCCESS;
}

/* Huge rows lie in the middle of equal parts of the matrix. */
static bool is_huge(const spmv__plan *plan, int64_t row)
{
    int64_t part = plan->options.rows / plan->options.huge_rows;
    return row % part == part / 2 && row / part < plan->options.huge_rows;
}

/* The columns that a row draws from. */
static void window(const spmv__plan *plan, int64_t row, int64_t *lo, int64_t *hi)
{
    *lo = 0;
    *hi = plan->options.cols;
    if (!is_huge(plan, row)) spmv__band(plan, row, lo, hi);
}

static int64_t skew_length(const spmv__plan *plan, int64_t row)
{
    int64_t lo, hi, n = spmv__random_round(plan, row, plan->options.per_row);
    if (is_huge(plan, row)) return plan->options.max_row;
    window(plan, row, &lo, &hi);
    return n < hi - lo ? n : hi - lo;
}

static spmv_status skew_columns(const spmv__plan *plan, int64_t row, int64_t n, int32_t *col,
                                spmv__column_set *set, spmv_error *err)
{
    uint64_t stream = spmv__row_stream(plan->options.seed, SPMV__ROW_COLUMNS, row);
    int64_t lo, hi;
    window(plan, row, &lo, &hi);
    return spmv__sample_columns(set, stream, lo, hi, n, col, err);
}

const spmv__generator spmv__skew_generator = {
    .info = {.name = "skew",
             .summary = "a few enormous rows (default: half full), the others short and banded",
             .uses = "rows cols huge-rows max-row per-row bandwidth",
             .defaults = {.rows = 100000, .huge_rows = 4, .per_row = 16, .bandwidth = 2000}},
    .prepare = skew_prepare,
    .length = skew_length,
    .columns = skew_columns,
};
