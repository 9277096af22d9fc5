/* show_table.c -- results for reading in a terminal: a block of 80 columns for each matrix, the
 * fastest kernel first, and below it what the reader should know before believing it. */
#include "cli/bench/show/export.h"
#include "cli/tool/message.h"
#include "cli/tool/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Results that could not be measured come last. */
static int by_time(const void *a, const void *b)
{
    const bench_result *x = *(const bench_result *const *)a, *y = *(const bench_result *const *)b;
    const double s = bench_result_measured(x) ? x->warm.median : INFINITY;
    const double t = bench_result_measured(y) ? y->warm.median : INFINITY;
    return s != t ? (s > t) - (s < t) : (x > y) - (x < y);
}

static void write_device(const bench_result *r, FILE *out)
{
    char theoretical[BENCH_TEXT], measured[BENCH_TEXT];
    tool_print_visible(r->device, out);
    if (strcmp(r->device_kind, "gpu") == 0)
        fprintf(out, ": %s/s in theory, %s/s measured\n",
                bench_show_bytes(r->theoretical, theoretical),
                bench_show_bytes(r->stream, measured));
    else
        fprintf(out, ": reads %s/s, measured\n", bench_show_bytes(r->stream, measured));
}

static void write_head(const bench_result *r, FILE *out)
{
    char rows[BENCH_TEXT], cols[BENCH_TEXT], nnz[BENCH_TEXT], least[BENCH_TEXT], most[BENCH_TEXT];
    tool_print_visible(r->matrix, out);
    if (r->precision[0] == '\0') {
        fputc('\n', out);
        return;
    }
    if (r->vectors > 1) fprintf(out, ", %lld vectors", (long long)r->vectors);
    fputs(", ", out);
    tool_print_visible(r->precision, out);
    fprintf(out, "\n%s x %s, %s nonzeros, %s to %s in a row, %.4g on average\n",
            bench_show_count(r->rows, rows), bench_show_count(r->cols, cols),
            bench_show_count(r->nnz, nnz), bench_show_count(r->row_min, least),
            bench_show_count(r->row_max, most), r->row_mean);
}

/* Returns whether the column of a metric is there: 80 columns have room for it, and something to
 * tell. */
static bool is_shown(const bench_metric *m, const bench_result *item, int count)
{
    bool known = false;
    for (int i = 0; i < count && m->width > 0 && !known; i++)
        known = bench_metric_is_known(m, &item[i]);
    return known;
}

static void write_headings(const bool *shown, FILE *out)
{
    fprintf(out, "\n%-15s", "kernel");
    for (int i = 0; i < BENCH_METRICS; i++)
        if (shown[i]) fprintf(out, " %*s", bench_metrics[i].width, bench_metrics[i].heading);
    fputc('\n', out);
}

static void write_row(const bench_result *r, const bool *shown, FILE *out)
{
    char text[BENCH_TEXT];
    if (!bench_result_measured(r)) {
        bench_print_padded(r->kernel[0] != '\0' ? r->kernel : "not measured:", 15, out);
        fputc(' ', out);
        tool_print_visible(r->error, out);
        fputc('\n', out);
        return;
    }
    tool_print_visible(r->kernel, out);
    bench_print_padded(r->chosen_by[0] != '\0' ? " *" : "", 15 - utf8_columns(r->kernel), out);
    for (int i = 0; i < BENCH_METRICS; i++)
        if (shown[i])
            fprintf(out, " %*s", bench_metrics[i].width,
                    bench_metric_show(&bench_metrics[i], r, text));
    fputs(!r->verified ? "  ?\n" : !r->pass ? "  WRONG\n" : "\n", out);
}

/* ---- Remarks -------------------------------------------------------------------------------- */

/* A list of kernels for which `holds` is true, each described; the remark behind it. */
static void remark(const bench_result *const *item, int count, const char *head,
                   bool (*describe)(const bench_result *r, char *text, size_t size),
                   const char *tail, FILE *out)
{
    char text[BENCH_TEXT];
    int found = 0, column = 0;
    for (int i = 0; i < count; i++) {
        if (!bench_result_measured(item[i]) || !describe(item[i], text, sizeof text)) continue;
        const int length = utf8_columns(item[i]->kernel) + utf8_columns(text);
        const bool full = found > 0 && column + length + 2 > 80;
        const char *before = found++ == 0 ? head : full ? ",\n    " : ", ";
        column = (full ? 4 : column + (int)strlen(before)) + length;
        fputs(before, out);
        tool_print_visible(item[i]->kernel, out);
        tool_print_visible(text, out);
    }
    if (found > 0) fprintf(out, "\n%s", tail);
}

static bool is_wrong(const bench_result *r, char *text, size_t size)
{
    char much[BENCH_TEXT];
    snprintf(text, size, " %s", bench_result_tell_wrong(r, much));
    return r->verified && !r->pass;
}

static bool is_unverified(const bench_result *r, char *text, size_t size)
{
    snprintf(text, size, "%s", "");
    return !r->verified;
}

static bool is_noisy(const bench_result *r, char *text, size_t size)
{
    snprintf(text, size, " %.1f%%", r->warm.noise * 100);
    return r->warm.noise > r->max_noise;
}

/* One outlier in 20 samples is no news. */
static bool has_outliers(const bench_result *r, char *text, size_t size)
{
    snprintf(text, size, " %lld of %lld", (long long)r->warm.outliers, (long long)r->warm.samples);
    return r->warm.outliers > r->warm.samples / 20;
}

static bool is_above_peak(const bench_result *r, char *text, size_t size)
{
    char moved[BENCH_TEXT];
    snprintf(text, size, " %s", bench_show_bytes(r->moved_bytes, moved));
    return r->warm.efficiency > 1;
}

static bool has_graph(const bench_result *r, char *text, size_t size)
{
    char time[BENCH_TEXT];
    snprintf(text, size, " %s", bench_show_time(r->graph.median, time));
    return r->graph.median > 0;
}

static bool is_chosen(const bench_result *r, char *text, size_t size)
{
    snprintf(text, size, " by %.60s", r->chosen_by);
    return r->chosen_by[0] != '\0';
}

static void write_remarks(const bench_result *const *item, int count, FILE *out)
{
    remark(item, count, "  * chosen: ", is_chosen, "", out);
    remark(item, count, "  in a graph: ", has_graph,
           "    each of many that are recorded as one CUDA graph: without the time of launches\n",
           out);
    remark(item, count, "  WRONG: ", is_wrong,
           "    so many elements of y are: these are times of something else\n", out);
    remark(item, count, "  ? not verified: ", is_unverified,
           "    nobody has seen whether the results are right\n", out);
    remark(item, count, "  noise: ", is_noisy,
           "    the median is only known so well: something else runs here, or the clock of the\n"
           "    machine changes; an idle machine or a longer --min-time helps\n",
           out);
    remark(item, count, "  outliers: ", has_outliers,
           "    these times lie far above the others, as when something else ran meanwhile; the\n"
           "    median does not see them, mean and maximum do\n",
           out);
    remark(item, count, "  above 100%: ", is_above_peak,
           "    so much was moved: it stays in the cache, or is less than plain CSR would move,\n"
           "    by which GB/s and peak count; the cold time has no help from the cache\n",
           out);
}

/* ---- A matrix, and all of them -------------------------------------------------------------- */

static bool matrix(const bench_result *item, int count, FILE *out)
{
    const bench_result **sorted = calloc((size_t)count, sizeof *sorted);
    bool shown[BENCH_METRICS];
    if (sorted == NULL) return false;
    for (int i = 0; i < BENCH_METRICS; i++) shown[i] = is_shown(&bench_metrics[i], item, count);
    for (int i = 0; i < count; i++) {
        sorted[i] = &item[i];
        if (item[i].new_device) write_device(&item[i], out);
    }
    qsort(sorted, (size_t)count, sizeof *sorted, by_time);
    fputc('\n', out);
    write_head(item, out);
    if (bench_result_measured(sorted[0])) write_headings(shown, out);
    for (int i = 0; i < count; i++) write_row(sorted[i], shown, out);
    write_remarks(sorted, count, out);
    free(sorted);
    return true;
}

/* Against the best peer, over all matrices where there is one. */
static bool end(const bench_results *all, FILE *out)
{
    bench_result *group = calloc((size_t)all->count + 1, sizeof *group);
    const char *name = "";
    double logarithms = 0, worst = INFINITY;
    int matrices = 0;
    bool counts = true;
    if (group == NULL) return false;
    for (int i = 0; i < all->count; i++) {
        const int count = bench_gather(all, i, group);
        if (count == 0) continue;
        const bench_result *ours = NULL;
        for (int k = 0; k < count && (ours == NULL || !isfinite(ours->peer_ratio)); k++)
            ours = bench_fastest(group, count, false, group[k].device_kind);
        if (ours == NULL || !isfinite(ours->peer_ratio)) continue;
        const bench_result *peer = bench_fastest(group, count, true, ours->device_kind);
        counts = counts && bench_result_counts(ours) && peer != NULL && bench_result_counts(peer);
        matrices++;
        logarithms += log(ours->peer_ratio);
        if (ours->peer_ratio >= worst) continue;
        worst = ours->peer_ratio;
        name = ours->matrix;
    }
    free(group);
    if (matrices < 2) return true;
    fprintf(out,
            "\n%d matrices: our best kernel is %.2f times as fast as the best peer (geometric "
            "mean),\nat least %.2f times (",
            matrices, exp(logarithms / matrices), worst);
    tool_print_visible(name, out);
    fputs(counts ? ")\n" : "); not all of it is verified\n", out);
    return true;
}

const bench_exporter bench_export_table = {.name = "table", .matrix = matrix, .end = end};
