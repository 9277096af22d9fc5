/* kernel_selector.c -- which kernel for which matrix?  Two tables of rules; the first that holds
 * wins. */
#include "spmv.h"
#include "core/multiply/long_rows.h"
#include "core/multiply/row_lanes.h"

/* ---- By row lengths alone -------------------------------------------------------------------- */

spmv_kernel_options spmv_kernel_options_rule(const spmv_row_stats *stats)
{
    spmv_kernel_options options = {
        .kernel = "csr-merge", .block_size = 256, .x_readonly = stats->cols > 10000};
    if (stats->mean < 4)
        options.kernel = "csr-scalar";
    else if ((double)stats->max / (double)(stats->min + 1) < 10)
        options.kernel = "csr-vector";
    return options;
}

/* ---- Ours ----------------------------------------------------------------------------------- */

static bool always(const spmv_row_stats *s)
{
    (void)s;
    return true;
}

/* The caches hold it: what counts is how many loads wait for one another. */
static bool small(const spmv_row_stats *s)
{
    return s->nnz < 2000000;
}

/* The longest row is done in two steps of its lanes at most (three with the fewest lanes). */
static bool soon_done(const spmv_row_stats *s)
{
    const int64_t loads = (s->max + SPMV__WIDTH - 1) / SPMV__WIDTH;
    const int lanes = spmv__row_lanes(s->rows, s->nnz, loads, SPMV__BATCH_REAL);
    return small(s) && s->rows <= SPMV__FEW_ROWS &&
           spmv__row_steps(loads, lanes, SPMV__BATCH_REAL) <= (lanes == 2 ? 3 : 2);
}

/* It takes as long as its longest row, for which the scan of csr-merge is a shorter way. */
static bool small_and_uneven(const spmv_row_stats *s)
{
    return small(s) && (double)s->max > 16 + 1.5 * s->mean;
}

/* Most of many threads by rows would have nothing to do. */
static bool mostly_empty(const spmv_row_stats *s)
{
    return s->rows > 10000 && s->empty > s->rows / 2;
}

/* A warp for each would leave a part of an H100 or H200 idle, and work for long. */
static bool few_long(const spmv_row_stats *s)
{
    return s->rows < 6000 && s->mean > 1024;
}

/* Enough threads without sharing rows between them, and hardly any waits for another. */
static bool many_short(const spmv_row_stats *s)
{
    return s->rows > 100000 && s->mean <= 5 && s->max <= 8;
}

/* Rows side by side share nothing of an x that the L1 caches do not hold: what counts is how many
 * elements of it are asked for at once. */
static bool scattered(const spmv_row_stats *s)
{
    const bool large = s->cols > 4000000 || (s->cols >= 1000000 && s->mean >= 12);
    return large && !small(s) && s->mean > 2 && s->share_without_neighbour > 0.75;
}

/* Returns whether long rows have many entries in every panel of x, which is as much of x as the
 * shared memory of a block holds: some 40000 elements on an H100 or H200.  Nearly dense rows have
 * their x side by side without panels, and those that share it with their neighbours find it in
 * caches; where not all rows are long, the columns must lie everywhere. */
static bool long_in_panels(const spmv_row_stats *s)
{
    enum { PANEL = 40000, ENTRIES = 16, DENSE = 16 };
    const double alone = s->share_without_neighbour;
    int64_t entries = 0;
    for (int b = 1; b < SPMV_HISTOGRAM_BINS; b++) {
        const int64_t least = (int64_t)1 << (b - 1);
        if (least >= s->cols / PANEL * ENTRIES && least < s->cols / DENSE) entries += s->entries[b];
    }
    return s->cols > 5 * PANEL && s->nnz > 8000000 && alone > 0.3 &&
           entries > s->nnz / (alone > 0.9 ? 7 : 2);
}

typedef struct rule {
    bool (*holds)(const spmv_row_stats *s);
    const char *kernel;
    int block_size; /* 0: it has no blocks */
    const char *reason;
} rule;

static const rule gpu_rules[] = {
    {long_in_panels, "csr-panels", 1024, "long rows with many entries in every panel of x"},
    {few_long, "csr-merge", 128, "few rows, all of them long"},
    {mostly_empty, "csr-merge", 128, "most rows are empty"},
    {scattered, "csr-merge", 128, "columns lie everywhere in a long vector"},
    {many_short, "csr-scalar", 256, "many rows, all of them short"},
    {soon_done, "csr-vector", 256, "a small matrix without very long rows"},
    {spmv__rows_are_skewed, "csr-merge", 128, "some rows are far longer than the mean"},
    {small_and_uneven, "csr-merge", 128, "a small matrix with some rows longer than the mean"},
    {always, "csr-vector", 256, "rows of similar length"},
};

/* Only coordinates hold the columns. */
static bool too_wide(const spmv_row_stats *s)
{
    return s->cols > INT32_MAX;
}

static const rule cpu_rules[] = {
    {too_wide, "cpu-coo", 0, "more columns than 32 bits count"},
    {always, "cpu-csr", 0, "equal shares of rows and nonzeros suit every matrix"},
};

spmv_kernel_options spmv_kernel_options_auto(const spmv_row_stats *stats, bool gpu,
                                             const char **reason)
{
    const rule *first = gpu ? gpu_rules : cpu_rules;
    while (!first->holds(stats)) first++;
    if (reason != NULL) *reason = first->reason;
    return (spmv_kernel_options){.kernel = first->kernel, .block_size = first->block_size};
}
