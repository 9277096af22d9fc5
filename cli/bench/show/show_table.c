/* show_table.c -- results for reading in a terminal: a block of 80 columns for each matrix, the
 * fastest kernel first, and below it what the reader should know before believing it. */
#include "cli/bench/show/export.h"
#include "cli/tool/message.h"
#include "cli/text/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_NAME = 24 }; /* for which the columns of numbers give way */

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
    char text[2][BENCH_TEXT];
    const double stream = isfinite(r->stream) ? r->stream : r->theoretical;
    const char *theoretical = tool_bytes_text(r->theoretical, text[0]);
    const char *measured = tool_bytes_text(stream, text[1]);
    bench_write_place(r, tool_print_visible, out);
    if (!isfinite(stream))
        fputc('\n', out);
    else if (strcmp(r->device_kind, "gpu") != 0)
        fprintf(out, ": reads %s/s, measured\n", measured);
    else if (isfinite(r->stream))
        fprintf(out, ": %s/s in theory, %s/s measured\n", theoretical, measured);
    else
        fprintf(out, ": %s/s in theory\n", theoretical);
}

/* What a sparse product makes, as the first result that was measured has it. */
static void write_product(const bench_result *item, int count, FILE *out)
{
    char products[BENCH_TEXT], nnz[BENCH_TEXT];
    const bench_result *r = item;
    while (r < item + count && !isfinite(r->products)) r++;
    if (r == item + count) return;
    fprintf(out, "C = %s: %s products, %s entries\n", r->rows == r->cols ? "A A" : "A A^T",
            bench_show_whole(r->products, products), bench_show_whole(r->product_nnz, nnz));
}

static void write_head(const bench_result *r, int count, FILE *out)
{
    char rows[BENCH_TEXT], cols[BENCH_TEXT], nnz[BENCH_TEXT], least[BENCH_TEXT], most[BENCH_TEXT];
    char way[BENCH_WAY];
    tool_print_visible(r->matrix, out);
    if (r->precision[0] == '\0') {
        fputc('\n', out);
        return;
    }
    fputs(", ", out);
    tool_print_visible(bench_result_way(r, way), out);
    if (r->other_hosts) {
        fputs(", ", out);
        bench_write_place(r, tool_print_visible, out);
    }
    fprintf(out, "\n%s x %s, %s nonzeros, %s to %s in a row, %.4g on average\n",
            tool_count_text(r->rows, rows), tool_count_text(r->cols, cols),
            tool_count_text(r->nnz, nnz), tool_count_text(r->row_min, least),
            tool_count_text(r->row_max, most), r->row_mean);
    write_product(r, count, out);
}

/* The columns of the table of a matrix. */
typedef struct table_columns {
    bool shown[BENCH_METRICS]; /* 80 columns have room for it, and it has something to tell */
    int name;                  /* width of the names */
} table_columns;

static table_columns choose_columns(const bench_result *item, int count)
{
    table_columns c = {.name = 15};
    for (int i = 0; i < BENCH_METRICS; i++)
        c.shown[i] =
            bench_metrics[i].width > 0 && bench_metric_is_shown(&bench_metrics[i], item, count);
    for (int i = 0; i < count; i++) {
        const int mark = item[i].chosen_by[0] != '\0' ? 2 : 0;
        const int length = utf8_columns(item[i].kernel) + mark;
        if (length > c.name) c.name = length;
    }
    if (c.name > LONGEST_NAME) c.name = LONGEST_NAME;
    return c;
}

static void write_headings(const table_columns *c, FILE *out)
{
    fprintf(out, "\n%-*s", c->name, "kernel");
    for (int i = 0; i < BENCH_METRICS; i++)
        if (c->shown[i]) fprintf(out, " %*s", bench_metrics[i].width, bench_metrics[i].heading);
    fputc('\n', out);
}

/* ---- Marks ---------------------------------------------------------------------------------- */

static bool is_unverified(const bench_result *r)
{
    return !r->verified;
}

static bool is_noisy(const bench_result *r)
{
    return !bench_result_has_interval(r) || r->warm.noise > r->max_noise;
}

/* One outlier in 20 samples is no news. */
static bool has_outliers(const bench_result *r)
{
    return r->warm.outliers > r->warm.samples / 20;
}

static bool is_above_peak(const bench_result *r)
{
    return r->warm.efficiency > 1;
}

/* What stands after a row, and what it means, which is told once at the end. */
static const struct {
    char mark;
    bool (*holds)(const bench_result *r);
    const char *meaning;
} marks[] = {
    {'?', is_unverified, "? not verified: the result was not checked"},
    {'~', is_noisy,
     "~ noise: the median is known to no better than --max-noise; something else runs\n"
     "    here, or the clock changes; an idle machine or a longer --min-time helps"},
    {'o', has_outliers,
     "o outliers: more than one time in 20 lies far above the others, as when\n"
     "    something else ran; the median does not see them, mean and maximum do"},
    {'^', is_above_peak,
     "^ above the peak: the matrix stays in the cache, or takes fewer bytes than the\n"
     "    plain CSR that GB/s and peak are based on; no cache helps cold times"},
};
enum { MARKS = sizeof marks / sizeof marks[0] };

static void write_marks(const bench_result *r, FILE *out)
{
    for (int i = 0, n = 0; i < MARKS; i++)
        if (marks[i].holds(r)) fprintf(out, "%s%c", n++ == 0 ? "  " : "", marks[i].mark);
}

/* ---- A row ---------------------------------------------------------------------------------- */

static void write_row(const bench_result *r, const table_columns *c, FILE *out)
{
    char text[BENCH_TEXT];
    if (!bench_result_measured(r)) {
        bench_print_padded(r->kernel[0] != '\0' ? r->kernel : "not measured:", c->name, out);
        fputc(' ', out);
        tool_print_visible(bench_result_reason(r, text), out);
        fputc('\n', out);
        return;
    }
    tool_print_visible(r->kernel, out);
    bench_print_padded(r->chosen_by[0] != '\0' ? " *" : "", c->name - utf8_columns(r->kernel), out);
    for (int i = 0; i < BENCH_METRICS; i++) {
        if (!c->shown[i]) continue;
        fputc(' ', out);
        bench_print_right(bench_metric_show(&bench_metrics[i], r, text), bench_metrics[i].width,
                          out);
    }
    write_marks(r, out);
    fputs(r->verified && !r->pass ? "  WRONG\n" : "\n", out);
}

/* ---- Remarks -------------------------------------------------------------------------------- */

static bool is_wrong(const bench_result *r, char *text, size_t size)
{
    char much[BENCH_TEXT];
    snprintf(text, size, " %s", bench_result_tell_wrong(r, much));
    return r->verified && !r->pass;
}

static bool has_graph(const bench_result *r, char *text, size_t size)
{
    char time[BENCH_TEXT];
    snprintf(text, size, " %s", tool_time_text(r->graph.median, time));
    return r->graph.median > 0;
}

static bool has_speedup(const bench_result *r, char *text, size_t size)
{
    char ratio[BENCH_TEXT];
    snprintf(text, size, " %s", bench_show_ratio(r->speedup, ratio));
    return isfinite(r->speedup);
}

static bool is_chosen(const bench_result *r, char *text, size_t size)
{
    snprintf(text, size, " by %.60s", r->chosen_by);
    return r->chosen_by[0] != '\0';
}

/* What a row has to say beyond a mark: of which kernels, and how much. */
static const struct {
    const char *head;
    bool (*describe)(const bench_result *r, char *text, size_t size);
    const char *meaning;
} remarks[] = {
    {"* chosen: ", is_chosen, NULL},
    {"speed-up: ", has_speedup, "speed-up: over the same kernel on one of the GPUs"},
    {"in a graph: ", has_graph,
     "in a graph: each of many that are recorded as one CUDA graph, without the time\n"
     "    that launches take"},
    {"WRONG: ", is_wrong,
     "WRONG: how many elements of the result are wrong; such a time means nothing"},
};
enum { REMARKS = sizeof remarks / sizeof remarks[0] };

/* Kernels with a description each, in lines of 80 columns. */
static void write_remark(const bench_result *const *item, int count, int k, FILE *out)
{
    char text[BENCH_TEXT];
    int found = 0, column = 0;
    for (int i = 0; i < count; i++) {
        if (!bench_result_measured(item[i]) || !remarks[k].describe(item[i], text, sizeof text))
            continue;
        const int length = utf8_columns(item[i]->kernel) + utf8_columns(text);
        const bool full = found > 0 && column + length + 2 > 80;
        if (found++ == 0)
            column = fprintf(out, "  %s", remarks[k].head) + length;
        else
            column = (full ? 4 : column + 2) + length;
        if (found > 1) fputs(full ? ",\n    " : ", ", out);
        tool_print_visible(item[i]->kernel, out);
        tool_print_visible(text, out);
    }
    if (found > 0) fputc('\n', out);
}

static void write_meaning(int *lines, const char *meaning, FILE *out)
{
    fprintf(out, "%s  %s\n", (*lines)++ == 0 ? "\n" : "", meaning);
}

/* What the marks and the columns mean that occur. */
static void write_legend(const bench_results *all, FILE *out)
{
    char text[BENCH_TEXT];
    bool mark[MARKS] = {false}, told[REMARKS] = {false}, repaid = false;
    int lines = 0;
    for (int i = 0; i < all->count; i++) {
        const bench_result *r = &all->item[i];
        if (!bench_result_measured(r)) continue;
        repaid = repaid || isfinite(r->break_even);
        for (int k = 0; k < MARKS; k++) mark[k] = mark[k] || marks[k].holds(r);
        for (int k = 0; k < REMARKS; k++)
            told[k] = told[k] || remarks[k].describe(r, text, sizeof text);
    }
    if (repaid)
        write_meaning(&lines, "break-even: the number of multiplications that pay for the set-up",
                      out);
    for (int k = 0; k < MARKS; k++)
        if (mark[k]) write_meaning(&lines, marks[k].meaning, out);
    for (int k = 0; k < REMARKS; k++)
        if (told[k] && remarks[k].meaning != NULL) write_meaning(&lines, remarks[k].meaning, out);
}

/* ---- A matrix, and all of them -------------------------------------------------------------- */

static bool matrix(const bench_result *item, int count, FILE *out)
{
    const bench_result **sorted = calloc((size_t)count, sizeof *sorted);
    if (sorted == NULL) return false;
    const table_columns columns = choose_columns(item, count);
    for (int i = 0; i < count; i++) {
        sorted[i] = &item[i];
        if (item[i].new_device) write_device(&item[i], out);
    }
    qsort(sorted, (size_t)count, sizeof *sorted, by_time);
    fputc('\n', out);
    write_head(item, count, out);
    if (bench_result_measured(sorted[0])) write_headings(&columns, out);
    for (int i = 0; i < count; i++) write_row(sorted[i], &columns, out);
    for (int k = 0; k < REMARKS; k++) write_remark(sorted, count, k, out);
    free(sorted);
    return true;
}

static bool end(const bench_results *all, FILE *out)
{
    write_legend(all, out);
    return bench_summarise_table(all, out);
}

const bench_exporter bench_export_table = {
    .name = "table", .suffix = ".txt", .matrix = matrix, .end = end};
