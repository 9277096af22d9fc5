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
    return isnan(r->warm.median_low) ? r->warm.median : r->warm.median_low;
}

static double high(const bench_result *r)
{
    return isnan(r->warm.median_high) ? r->warm.median : r->warm.median_high;
}

/* The new one does not work. */
static bench_verdict judge_failure(const bench_result *old, const bench_result *new)
{
    if (bench_result_works(old)) return BROKEN;
    const bool held = !tool_cannot_hold(bench_result_failure(old));
    return held || !tool_cannot_hold(bench_result_failure(new)) ? STILL : NEVER;
}

static bench_verdict judge(const bench_result *old, const bench_result *new, double threshold)
{
    if (old == NULL) return NEW;
    if (new == NULL) return GONE;
    if (!bench_result_works(new)) return judge_failure(old, new);
    if (!bench_result_works(old)) return bench_result_counts(new) ? MENDED : UNVERIFIED;
    const double change = new->warm.median / old->warm.median;
    const double limit = 1 + threshold;
    if (low(new) > high(old) && change > limit) return SLOWER;
    if (!bench_result_counts(old) || !bench_result_counts(new)) return UNVERIFIED;
    if (high(new) < low(old) && 1 / change > limit) return FASTER;
    return SAME;
}

/* ---- Pairs ---------------------------------------------------------------------------------- */

typedef struct result_pairs {
    const bench_results *old, *new;
    const bench_result **new_of, **old_of; /* of each result the other one; NULL: there is none */
} result_pairs;

/* Each result is in one pair at most, so that what was measured twice is compared in its order. */
static void pair_up(result_pairs *p, bench_match how)
{
    for (int i = 0; i < p->old->count; i++)
        for (int k = 0; k < p->new->count && p->new_of[i] == NULL; k++) {
            if (p->old_of[k] != NULL) continue;
            if (!bench_result_same(&p->old->item[i], &p->new->item[k], how)) continue;
            p->new_of[i] = &p->new->item[k];
            p->old_of[k] = &p->old->item[i];
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
    for (int i = 0; i < p->old->count; i++) {
        if (p->new_of[i] != NULL) continue;
        for (int k = 0; k < p->new->count; k++) {
            if (p->old_of[k] != NULL ||
                !bench_result_same(&p->old->item[i], &p->new->item[k], BENCH_ELSEWHERE))
                continue;
            show_place(&p->old->item[i], then, sizeof then);
            show_place(&p->new->item[k], now, sizeof now);
            return tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                             "results of %s are not compared with those of %s without --across",
                             then, now);
        }
    }
    return SPMV_SUCCESS;
}

static spmv_status find_pairs(result_pairs *p, bool across, spmv_error *err)
{
    p->new_of = calloc((size_t)p->old->count + 1, sizeof *p->new_of);
    p->old_of = calloc((size_t)p->new->count + 1, sizeof *p->old_of);
    if (p->new_of == NULL || p->old_of == NULL)
        return tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot compare %d results with %d",
                         p->old->count, p->new->count);
    pair_up(p, BENCH_ALIKE);
    pair_up(p, BENCH_SAME);
    if (!across) return refuse_elsewhere(p, err);
    pair_up(p, BENCH_ELSEWHERE);
    return SPMV_SUCCESS;
}

/* ---- All of them ---------------------------------------------------------------------------- */

/* The times of both, where both have one. */
static double change_of(const bench_result *old, const bench_result *new)
{
    const bool both = old != NULL && new != NULL &&bench_result_measured(old) &&
                      bench_result_measured(new) && bench_result_works(old) &&
                      bench_result_works(new);
    return both ? new->warm.median / old->warm.median - 1 : NAN;
}

static void add_pair(bench_comparison *c, const bench_result *old, const bench_result *new,
                     bench_verdict verdict)
{
    const double change = change_of(old, new);
    c->pair[c->count++] = (bench_pair){old, new, verdict, change};
    c->verdicts[verdict]++;
    if (isnan(change) || !bench_result_counts(old) || !bench_result_counts(new)) return;
    c->logarithms += log1p(change);
    c->counted++;
}

/* Bad news come first. */
static void judge_all(bench_comparison *c, const result_pairs *p, double threshold)
{
    static const bench_verdict order[] = {BROKEN, STILL, SLOWER,     FASTER, MENDED,
                                          SAME,   NEVER, UNVERIFIED, GONE,   NEW};
    for (size_t k = 0; k < sizeof order / sizeof order[0]; k++) {
        for (int i = 0; i < p->old->count; i++)
            if (judge(&p->old->item[i], p->new_of[i], threshold) == order[k])
                add_pair(c, &p->old->item[i], p->new_of[i], order[k]);
        for (int i = 0; i < p->new->count &&order[k] == NEW; i++)
            if (p->old_of[i] == NULL) add_pair(c, NULL, &p->new->item[i], NEW);
    }
}

spmv_status bench_comparison_make(bench_comparison *out, const bench_results *old,
                                  const bench_results *new, double threshold, bool across,
                                  spmv_error *err)
{
    result_pairs p = {.old = old, .new = new};
    spmv_status st;
    *out = (bench_comparison){.threshold = threshold};
    TOOL_TRY(find_pairs(&p, across, err));
    out->pair = calloc((size_t)old->count + (size_t) new->count + 1, sizeof *out->pair);
    if (out->pair == NULL) {
        st = tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot compare %d results with %d",
                       old->count, new->count);
        goto done;
    }
    judge_all(out, &p, threshold);
done:
    free(p.new_of);
    free(p.old_of);
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
