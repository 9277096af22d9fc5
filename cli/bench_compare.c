/* bench_compare.c -- spmv-bench --compare: faster, slower or the same beyond noise?
 *
 * A change counts when the confidence intervals of the two medians do not meet and the medians are
 * further apart than --threshold: intervals within a run know nothing of what differs between
 * runs. */
#include "bench.h"
#include "bench_export.h"

#include <math.h>
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

static verdict judge(const bench_result *old, const bench_result *new)
{
    if (old == NULL) return NEW;
    if (new == NULL) return GONE;
    const bool works = bench_result_works(new);
    if (bench_result_works(old) != works) return works ? MENDED : BROKEN;
    if (!works) return STILL;
    const double change = new->warm.median / old->warm.median;
    const double limit = 1 + bench_opt.threshold / 100;
    if (low(new) > high(old) && change > limit) return SLOWER;
    if (!bench_result_counts(old) || !bench_result_counts(new)) return UNVERIFIED;
    if (high(new) < low(old) && 1 / change > limit) return FASTER;
    return SAME;
}

/* By the name of the matrix, not its place: the runs may be of two machines' folders. */
static const bench_result *find(const bench_results *all, const bench_result *like)
{
    for (int i = 0; i < all->count; i++) {
        const bench_result *r = &all->item[i];
        if (strcmp(r->matrix, like->matrix) == 0 && strcmp(r->kernel, like->kernel) == 0 &&
            r->vectors == like->vectors &&
            (strcmp(r->precision, like->precision) == 0 || r->precision[0] == '\0' ||
             like->precision[0] == '\0') &&
            (strcmp(r->device_kind, like->device_kind) == 0 || r->device_kind[0] == '\0' ||
             like->device_kind[0] == '\0'))
            return r;
    }
    return NULL;
}

/* Text of a file, visible, and as many blanks as it leaves of a column; then one more. */
static void print_padded(const char *text, int width, FILE *out)
{
    tool_print_visible(text, out);
    fprintf(out, "%*s", width - (int)strlen(text) > 0 ? width - (int)strlen(text) + 1 : 1, "");
}

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
    print_padded(either->kernel, 15, out);
    print_padded(either->precision, 3, out);
    fputc(' ', out);
    tool_print_visible(either->matrix, out);
    fputc('\n', out);
}

/* What is bad first. */
static void print_all(const bench_results *old, const bench_results *new, int count[VERDICTS],
                      FILE *out)
{
    static const verdict order[] = {BROKEN, STILL,      SLOWER, FASTER, MENDED,
                                    SAME,   UNVERIFIED, GONE,   NEW};
    fprintf(out, "%-10s %8s  %9s  %9s  %-15s %-3s  %s\n", "verdict", "change", "old", "new",
            "kernel", "", "matrix");
    for (size_t k = 0; k < sizeof order / sizeof order[0]; k++) {
        for (int i = 0; i < old->count && order[k] != NEW; i++) {
            const bench_result *match = find(new, &old->item[i]);
            if (judge(&old->item[i], match) != order[k]) continue;
            count[order[k]]++;
            print(&old->item[i], match, order[k], out);
        }
        for (int i = 0; i < new->count &&order[k] == NEW; i++) {
            if (find(old, &new->item[i]) != NULL) continue;
            count[NEW]++;
            print(NULL, &new->item[i], NEW, out);
        }
    }
}

static double mean_change(const bench_results *old, const bench_results *new)
{
    double sum = 0;
    int n = 0;
    for (int i = 0; i < old->count; i++) {
        const bench_result *match = find(new, &old->item[i]);
        if (match == NULL || !bench_result_counts(match) || !bench_result_counts(&old->item[i]))
            continue;
        sum += log(match->warm.median / old->item[i].warm.median);
        n++;
    }
    return n > 0 ? exp(sum / n) : NAN;
}

int bench_compare(const operands *files)
{
    bench_results old = {0}, new = {0};
    spmv_error err = {0};
    int count[VERDICTS] = {0};
    spmv_status st;
    TOOL_TRY(bench_results_load(&old, files->word[0], NULL, &err));
    TOOL_TRY(bench_results_load(&new, files->word[1], NULL, &err));
    print_all(&old, &new, count, stdout);
    printf("\n%d faster, %d slower, %d the same", count[FASTER], count[SLOWER], count[SAME]);
    if (count[BROKEN] + count[STILL] > 0) printf(", %d fail", count[BROKEN] + count[STILL]);
    if (count[UNVERIFIED] > 0) printf(", %d not verified", count[UNVERIFIED]);
    if (count[GONE] > 0) printf(", %d missing", count[GONE]);
    if (count[NEW] > 0) printf(", %d new", count[NEW]);
    const double change = mean_change(&old, &new);
    if (isfinite(change)) printf("; time %+.1f%% (geometric mean)", (change - 1) * 100);
    putchar('\n');
done:
    bench_results_destroy(&old);
    bench_results_destroy(&new);
    if (st != SPMV_SUCCESS) return tool_finish(st, &err);
    return tool_finish_with(count[SLOWER] + count[BROKEN] + count[STILL] + count[GONE] > 0);
}
