/* comparison.h -- two sets of results, measurement by measurement. */
#pragma once

#include "cli/bench/show/bench_result.h"

#define BENCH_VERDICT_TABLE(X)                                \
    X(SAME, "same")                                           \
    X(FASTER, "faster")                                       \
    X(SLOWER, "slower")                                       \
    X(BROKEN, "fails now")                                    \
    X(STILL, "fails") /* before and now */                    \
    X(NEVER, "n/a")   /* no format for it, or no time */      \
    X(MENDED, "mended")                                       \
    X(UNVERIFIED, "unverified") /* one of the two, or both */ \
    X(GONE, "missing")                                        \
    X(NEW, "new")

typedef enum bench_verdict {
#define X(id, name) id,
    BENCH_VERDICT_TABLE(X)
#undef X
        BENCH_VERDICTS
} bench_verdict;

typedef struct bench_pair {
    const bench_result *before, *after; /* one of them may be NULL */
    bench_verdict verdict;
    double change; /* of the time, as a share of the earlier one; NaN: one is missing or wrong */
} bench_pair;

typedef struct bench_comparison {
    bench_pair *pair; /* [count], bad news first; the results are borrowed */
    int count;
    int verdicts[BENCH_VERDICTS]; /* how many there are of each */
    double threshold;
    double logarithms; /* of the ratios of times, over the `counted` verified pairs */
    int counted;
} bench_comparison;

/* Pair the results up and judge each pair.
 *
 *   threshold  share of the time by which a result is slower or faster, at least
 *   across     results of different machines are compared, too
 *
 * Errors: INVALID_ARGUMENT (results of different machines, without `across`), OUT_OF_MEMORY.  What
 * was made is to be destroyed in any case. */
spmv_status bench_comparison_make(bench_comparison *out, const bench_results *before,
                                  const bench_results *after, double threshold, bool across,
                                  spmv_error *err);
void bench_comparison_destroy(bench_comparison *c);

double bench_comparison_change(const bench_comparison *c); /* geometric mean; NaN: of nothing */
int bench_comparison_failed(const bench_comparison *c);    /* how many fail now */
bool bench_comparison_is_bad(const bench_comparison *c);   /* some are slower, wrong or missing */
