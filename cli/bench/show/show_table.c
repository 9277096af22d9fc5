/* show_table.c -- results for reading in a terminal: a block of 80 columns for each matrix, the
 * fastest kernel first, and below it what the reader should know before believing it. */
#include "cli/bench/show/export.h"
#include "cli/tool/message.h"
#include "cli/tool/utf8.h"

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
    char theoretical[BENCH_TEXT], measured[BENCH_TEXT];
    tool_print_visible(r->device, out);
    bench_show_bytes(r->theoretical, theoretical);
    bench_show_bytes(isfinite(r->stream) ? r->stream : r->theoretical, measured);
    if (strcmp(r->device_kind, "gpu") != 0)
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
    for (int i = 0; i < count; i++)
        if (utf8_columns(item[i].kernel) > c.name) c.name = utf8_columns(item[i].kernel);
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

static void write_row(const bench_result *r, const table_columns *c, FILE *out)
{
    char text[BENCH_TEXT];
    if (!bench_result_measured(r)) {
        bench_print_padded(r->kernel[0] != '\0' ? r->kernel : "not measured:", c->name, out);
        fputc(' ', out);
        tool_print_visible(r->error, out);
        fputc('\n', out);
        return;
    }
    tool_print_visible(r->kernel, out);
    bench_print_padded(r->chosen_by[0] != '\0' ? " *" : "", c->name - utf8_columns(r->kernel), out);
    for (int i = 0; i < BENCH_METRICS; i++)
        if (c->shown[i])
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
           "    so many elements of the result are: these are times of something else\n", out);
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
    write_remarks(sorted, count, out);
    free(sorted);
    return true;
}

/* Ours against the best peer, over all matrices where there is one. */
typedef struct table_summary {
    int matrices;
    double logarithms, worst; /* of the ratios, their sum and the least */
    const char *name;         /* of the matrix of the least */
    bool counts;              /* all of it was verified */
} table_summary;

/* The results of one matrix. */
static void add_to_summary(table_summary *s, const bench_result *group, int count,
                           const char *device_kind)
{
    const bench_result *ours = bench_fastest(group, count, false, device_kind);
    const bench_result *peer = bench_fastest(group, count, true, device_kind);
    if (ours == NULL || !isfinite(ours->peer_ratio)) return;
    s->counts = s->counts && bench_result_counts(ours) && peer != NULL && bench_result_counts(peer);
    s->matrices++;
    s->logarithms += log(ours->peer_ratio);
    if (ours->peer_ratio >= s->worst) return;
    s->worst = ours->peer_ratio;
    s->name = ours->matrix;
}

static void write_summary(const table_summary *s, const char *kind, const char *what, FILE *out)
{
    if (s->matrices < 2) return;
    fprintf(out,
            "\n%d matrices, %s on the %s: our best kernel is %.2f times as fast as the best\npeer "
            "(geometric mean), at least %.2f times (",
            s->matrices, what, kind, exp(s->logarithms / s->matrices), s->worst);
    tool_print_visible(s->name, out);
    fputs(s->counts ? ")\n" : "); not all of it is verified\n", out);
}

/* Each kind of device and each operation stand for themselves. */
static bool end(const bench_results *all, FILE *out)
{
    static const struct {
        const char *kind, *kind_name, *operation, *operation_name;
    } summaries[] = {{"gpu", "GPU", "", "y = A x"},
                     {"cpu", "CPU", "", "y = A x"},
                     {"gpu", "GPU", "spgemm", "sparse products"},
                     {"cpu", "CPU", "spgemm", "sparse products"}};
    bench_result *group = calloc((size_t)all->count + 1, sizeof *group);
    if (group == NULL) return false;
    for (size_t k = 0; k < sizeof summaries / sizeof summaries[0]; k++) {
        table_summary s = {.worst = INFINITY, .name = "", .counts = true};
        for (int i = 0; i < all->count; i++)
            if (strcmp(all->item[i].operation, summaries[k].operation) == 0)
                add_to_summary(&s, group, bench_gather(all, i, group), summaries[k].kind);
        write_summary(&s, summaries[k].kind_name, summaries[k].operation_name, out);
    }
    free(group);
    return true;
}

const bench_exporter bench_export_table = {
    .name = "table", .suffix = ".txt", .matrix = matrix, .end = end};
