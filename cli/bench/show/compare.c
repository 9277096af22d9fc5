/* compare.c -- spmv-bench --compare: faster, slower or the same beyond noise?
 *
 * A change counts when the confidence intervals of the two medians do not meet and the medians are
 * further apart than --threshold: intervals within a run know nothing of what differs between
 * runs. */
#include "cli/bench/show/compare.h"
#include "cli/bench/show/export.h"
#include "cli/tool/fail.h"
#include "cli/tool/message.h"
#include "cli/tool/tool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum verdict {
    SAME,
    FASTER,
    SLOWER,
    BROKEN,
    STILL, /* broken before and now */
    MENDED,
    UNVERIFIED, /* one of the two, or both */
    GONE,
    NEW,
    VERDICTS
} verdict;

static const char *const verdict_names[VERDICTS] = {
    "same", "faster", "slower", "fails now", "fails", "mended", "unverified", "missing", "new"};

/* Without an interval in the record the median stands for it. */
static double low(const bench_result *r)
{
    return isnan(r->warm.median_low) ? r->warm.median : r->warm.median_low;
}

static double high(const bench_result *r)
{
    return isnan(r->warm.median_high) ? r->warm.median : r->warm.median_high;
}

static verdict judge(const bench_result *old, const bench_result *new, double threshold)
{
    if (old == NULL) return NEW;
    if (new == NULL) return GONE;
    const bool works = bench_result_works(new);
    if (!works) return bench_result_works(old) ? BROKEN : STILL;
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
    bench_results old, new;
    const bench_result **new_of, **old_of; /* of each result the other one; NULL: there is none */
} result_pairs;

/* Each result is in one pair at most, so that what was measured twice is compared in its order. */
static void pair_up(result_pairs *p, bench_match how)
{
    for (int i = 0; i < p->old.count; i++)
        for (int k = 0; k < p->new.count && p->new_of[i] == NULL; k++) {
            if (p->old_of[k] != NULL) continue;
            if (!bench_result_same(&p->old.item[i], &p->new.item[k], how)) continue;
            p->new_of[i] = &p->new.item[k];
            p->old_of[k] = &p->old.item[i];
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
    for (int i = 0; i < p->old.count; i++) {
        if (p->new_of[i] != NULL) continue;
        for (int k = 0; k < p->new.count; k++) {
            if (p->old_of[k] != NULL ||
                !bench_result_same(&p->old.item[i], &p->new.item[k], BENCH_ELSEWHERE))
                continue;
            show_place(&p->old.item[i], then, sizeof then);
            show_place(&p->new.item[k], now, sizeof now);
            return tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                             "results of %s are not compared with those of %s without --across",
                             then, now);
        }
    }
    return SPMV_SUCCESS;
}

static spmv_status find_pairs(result_pairs *p, bool across, spmv_error *err)
{
    p->new_of = calloc((size_t)p->old.count + 1, sizeof *p->new_of);
    p->old_of = calloc((size_t)p->new.count + 1, sizeof *p->old_of);
    if (p->new_of == NULL || p->old_of == NULL)
        return tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot compare %d results with %d",
                         p->old.count, p->new.count);
    pair_up(p, BENCH_ALIKE);
    pair_up(p, BENCH_SAME);
    if (!across) return refuse_elsewhere(p, err);
    pair_up(p, BENCH_ELSEWHERE);
    return SPMV_SUCCESS;
}

/* ---- What is shown -------------------------------------------------------------------------- */

static void print(const bench_result *old, const bench_result *new, verdict v, FILE *out)
{
    char before[BENCH_TEXT], after[BENCH_TEXT], change[BENCH_TEXT] = "";
    const bench_result *either = new != NULL ? new : old;
    if (v == SAME || v == FASTER || v == SLOWER || v == UNVERIFIED)
        if (bench_result_measured(old) && bench_result_measured(new))
            snprintf(change, sizeof change, "%+.1f%%",
                     (new->warm.median / old->warm.median - 1) * 100);
    fprintf(out, "%-10s %8s  %9s  %9s  ", verdict_names[v], change,
            bench_show_time(old != NULL ? old->warm.median : NAN, before),
            bench_show_time(new != NULL ? new->warm.median : NAN, after));
    bench_print_padded(either->kernel, 15, out);
    fputc(' ', out);
    bench_print_padded(either->precision, 3, out);
    fputs("  ", out);
    tool_print_visible(either->matrix, out);
    fputc('\n', out);
}

/* Bad news come first. */
static void print_all(const result_pairs *p, double threshold, int count[VERDICTS], FILE *out)
{
    static const verdict order[] = {BROKEN, STILL,      SLOWER, FASTER, MENDED,
                                    SAME,   UNVERIFIED, GONE,   NEW};
    fprintf(out, "%-10s %8s  %9s  %9s  %-15s %-3s  %s\n", "verdict", "change", "old", "new",
            "kernel", "", "matrix");
    for (size_t k = 0; k < sizeof order / sizeof order[0]; k++) {
        for (int i = 0; i < p->old.count; i++) {
            if (judge(&p->old.item[i], p->new_of[i], threshold) != order[k]) continue;
            count[order[k]]++;
            print(&p->old.item[i], p->new_of[i], order[k], out);
        }
        for (int i = 0; i < p->new.count &&order[k] == NEW; i++) {
            if (p->old_of[i] != NULL) continue;
            count[NEW]++;
            print(NULL, &p->new.item[i], NEW, out);
        }
    }
}

static double mean_change(const result_pairs *p)
{
    double sum = 0;
    int n = 0;
    for (int i = 0; i < p->old.count; i++) {
        const bench_result *old = &p->old.item[i], *new = p->new_of[i];
        if (new == NULL || !bench_result_counts(new) || !bench_result_counts(old)) continue;
        sum += log(new->warm.median / old->warm.median);
        n++;
    }
    return n > 0 ? exp(sum / n) : NAN;
}

static void print_summary(const result_pairs *p, const int count[VERDICTS], FILE *out)
{
    fprintf(out, "\n%d faster, %d slower, %d the same", count[FASTER], count[SLOWER], count[SAME]);
    if (count[BROKEN] + count[STILL] > 0) fprintf(out, ", %d fail", count[BROKEN] + count[STILL]);
    if (count[UNVERIFIED] > 0) fprintf(out, ", %d not verified", count[UNVERIFIED]);
    if (count[GONE] > 0) fprintf(out, ", %d missing", count[GONE]);
    if (count[NEW] > 0) fprintf(out, ", %d new", count[NEW]);
    const double change = mean_change(p);
    if (isfinite(change)) fprintf(out, "; time %+.1f%% (geometric mean)", (change - 1) * 100);
    fputc('\n', out);
}

int bench_compare(const operands *files, double threshold, bool across)
{
    result_pairs p = {0};
    spmv_error err = {0};
    int count[VERDICTS] = {0};
    spmv_status st;
    TOOL_TRY(bench_results_load(&p.old, files->word[0], &err));
    TOOL_TRY(bench_results_load(&p.new, files->word[1], &err));
    TOOL_TRY(find_pairs(&p, across, &err));
    print_all(&p, threshold, count, stdout);
    print_summary(&p, count, stdout);
done:
    free(p.new_of);
    free(p.old_of);
    bench_results_destroy(&p.old);
    bench_results_destroy(&p.new);
    if (st != SPMV_SUCCESS) return tool_finish(st, &err);
    return tool_finish_with(count[SLOWER] + count[BROKEN] + count[STILL] + count[GONE] > 0);
}
