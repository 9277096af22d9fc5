/* compare.c -- spmv-bench --compare: faster, slower or the same beyond noise?
 *
 * A change counts when the confidence intervals of the two medians do not meet and the medians are
 * further apart than --threshold: intervals within a run know nothing of what differs between
 * runs. */
#include "cli/bench/show/comparison.h"
#include "cli/tool/exit_status.h"
#include "cli/tool/fail.h"

#include <math.h>
#include <stdlib.h>

/* Without an interval in the record the median stands for it. */
static double low(const bench_result *r)
{
    if (!bench_result_has_interval(r)) return 0;
    return isnan(r->warm.median_low) ? r->warm.median : r->warm.median_low;
}

static double high(const bench_result *r)
{
    if (!bench_result_has_interval(r)) return INFINITY;
    return isnan(r->warm.median_high) ? r->warm.median : r->warm.median_high;
}

/* The later one does not work. */
static bench_verdict judge_failure(const bench_result *before, const bench_result *after)
{
    if (bench_result_works(before)) return BROKEN;
    const bool held = !tool_cannot_hold(bench_result_failure(before));
    return held || !tool_cannot_hold(bench_result_failure(after)) ? STILL : NEVER;
}

static bench_verdict judge(const bench_result *before, const bench_result *after, double threshold)
{
    if (before == NULL) return NEW;
    if (after == NULL) return GONE;
    if (!bench_result_works(after)) return judge_failure(before, after);
    if (!bench_result_works(before)) return bench_result_counts(after) ? MENDED : UNVERIFIED;
    const double change = after->warm.median / before->warm.median;
    if (low(after) > high(before) && change > 1 + threshold) return SLOWER;
    if (!bench_result_counts(before) || !bench_result_counts(after)) return UNVERIFIED;
    if (high(after) < low(before) && change < 1 - threshold) return FASTER;
    return SAME;
}

/* ---- Pairs ---------------------------------------------------------------------------------- */

typedef struct result_pairs {
    const bench_results *before, *after;
    /* The other one of each result; NULL: there is none. */
    const bench_result **after_of, **before_of;
} result_pairs;

/* Each result is in one pair at most, so that what was measured twice is compared in its order. */
static void pair_up(result_pairs *p, bench_match how)
{
    for (int i = 0; i < p->before->count; i++)
        for (int k = 0; k < p->after->count && p->after_of[i] == NULL; k++) {
            if (p->before_of[k] != NULL) continue;
            if (!bench_result_same(&p->before->item[i], &p->after->item[k], how)) continue;
            p->after_of[i] = &p->after->item[k];
            p->before_of[k] = &p->before->item[i];
        }
}

static void show_place(const bench_result *r, char *text, size_t size)
{
    int n = snprintf(text, size, "%.64s", r->device[0] != '\0' ? r->device : "a device");
    if (r->threads > 0)
        n += snprintf(text + n, size - (size_t)n, " with %lld thread%s", (long long)r->threads,
                      r->threads > 1 ? "s" : "");
    snprintf(text + n, size - (size_t)n, " on %.64s", r->host[0] != '\0' ? r->host : "a host");
}

/* The result that is left would be compared, were it not of another place. */
static spmv_status refuse_elsewhere(result_pairs *p, spmv_error *err)
{
    char then[200], now[200];
    for (int i = 0; i < p->before->count; i++) {
        if (p->after_of[i] != NULL) continue;
        for (int k = 0; k < p->after->count; k++) {
            if (p->before_of[k] != NULL ||
                !bench_result_same(&p->before->item[i], &p->after->item[k], BENCH_ELSEWHERE))
                continue;
            show_place(&p->before->item[i], then, sizeof then);
            show_place(&p->after->item[k], now, sizeof now);
            return tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                             "results of %s are not compared with those of %s without --across",
                             then, now);
        }
    }
    return SPMV_SUCCESS;
}

static spmv_status find_pairs(result_pairs *p, bool across, spmv_error *err)
{
    p->after_of = calloc((size_t)p->before->count + 1, sizeof *p->after_of);
    p->before_of = calloc((size_t)p->after->count + 1, sizeof *p->before_of);
    if (p->after_of == NULL || p->before_of == NULL)
        return tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot compare %d results with %d",
                         p->before->count, p->after->count);
    pair_up(p, BENCH_ALIKE);
    pair_up(p, BENCH_SAME);
    if (!across) return refuse_elsewhere(p, err);
    pair_up(p, BENCH_ELSEWHERE);
    return SPMV_SUCCESS;
}

/* ---- All of them ---------------------------------------------------------------------------- */

/* The times of both, where both have one. */
static double change_of(const bench_result *before, const bench_result *after)
{
    const bool both = before != NULL && after != NULL && bench_result_measured(before) &&
                      bench_result_measured(after) && bench_result_works(before) &&
                      bench_result_works(after);
    return both ? after->warm.median / before->warm.median - 1 : NAN;
}

static void add_pair(bench_comparison *c, const bench_result *before, const bench_result *after,
                     bench_verdict verdict)
{
    const double change = change_of(before, after);
    c->pair[c->count++] = (bench_pair){before, after, verdict, change};
    c->verdicts[verdict]++;
    if (isnan(change) || !bench_result_counts(before) || !bench_result_counts(after)) return;
    c->logarithms += log1p(change);
    c->counted++;
}

/* Bad news come first. */
static void judge_all(bench_comparison *c, const result_pairs *p, double threshold)
{
    static const bench_verdict order[] = {BROKEN, STILL, SLOWER,     FASTER, MENDED,
                                          SAME,   NEVER, UNVERIFIED, GONE,   NEW};
    for (size_t k = 0; k < sizeof order / sizeof order[0]; k++) {
        for (int i = 0; i < p->before->count; i++)
            if (judge(&p->before->item[i], p->after_of[i], threshold) == order[k])
                add_pair(c, &p->before->item[i], p->after_of[i], order[k]);
        for (int i = 0; i < p->after->count && order[k] == NEW; i++)
            if (p->before_of[i] == NULL) add_pair(c, NULL, &p->after->item[i], NEW);
    }
}

spmv_status bench_comparison_make(bench_comparison *out, const bench_results *before,
                                  const bench_results *after, double threshold, bool across,
                                  spmv_error *err)
{
    result_pairs p = {.before = before, .after = after};
    spmv_status st;
    *out = (bench_comparison){.threshold = threshold};
    TOOL_TRY(find_pairs(&p, across, err));
    out->pair = calloc((size_t)before->count + (size_t)after->count + 1, sizeof *out->pair);
    if (out->pair == NULL) {
        st = tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot compare %d results with %d",
                       before->count, after->count);
        goto done;
    }
    judge_all(out, &p, threshold);
done:
    free(p.after_of);
    free(p.before_of);
    return st;
}

double bench_comparison_change(const bench_comparison *c)
{
    return c->counted > 0 ? expm1(c->logarithms / c->counted) : NAN;
}

int bench_comparison_failed(const bench_comparison *c)
{
    return c->verdicts[BROKEN] + c->verdicts[STILL];
}

bool bench_comparison_is_bad(const bench_comparison *c)
{
    return c->verdicts[SLOWER] + bench_comparison_failed(c) + c->verdicts[GONE] > 0;
}

void bench_comparison_destroy(bench_comparison *c)
{
    free(c->pair);
    *c = (bench_comparison){0};
}
