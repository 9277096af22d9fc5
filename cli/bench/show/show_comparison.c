/* show_comparison.c -- a comparison in every format, and spmv-bench --compare. */
#include "cli/bench/show/compare.h"
#include "cli/bench/show/comparison.h"
#include "cli/bench/show/export.h"
#include "cli/files/outputs.h"
#include "cli/json/record.h"
#include "cli/text/cell_text.h"
#include "cli/tool/message.h"
#include "cli/tool/tool.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const verdict_names[BENCH_VERDICTS] = {
#define X(id, name) [id] = name,
    BENCH_VERDICT_TABLE(X)
#undef X
};

static const bench_result *either(const bench_pair *p)
{
    return p->after != NULL ? p->after : p->before;
}

static double time_of(const bench_result *r)
{
    return r != NULL ? r->warm.median : NAN;
}

static const char *show_change(double change, char text[BENCH_TEXT])
{
    snprintf(text, BENCH_TEXT, "%+.1f%%", change * 100);
    return isnan(change) ? "" : text;
}

/* ---- As a table ----------------------------------------------------------------------------- */

static void write_summary(const bench_comparison *c, FILE *out)
{
    static const struct {
        bench_verdict verdict;
        const char *words;
    } further[] = {{MENDED, "mended"},
                   {NEVER, "n/a"},
                   {UNVERIFIED, "not verified"},
                   {GONE, "missing"},
                   {NEW, "new"}};
    char change[BENCH_TEXT];
    const double mean = bench_comparison_change(c);
    const int failed = bench_comparison_failed(c);
    fprintf(out, "\n%d faster, %d slower, %d the same", c->verdicts[FASTER], c->verdicts[SLOWER],
            c->verdicts[SAME]);
    if (failed > 0) fprintf(out, ", %d fail", failed);
    for (size_t i = 0; i < sizeof further / sizeof further[0]; i++)
        if (c->verdicts[further[i].verdict] > 0)
            fprintf(out, ", %d %s", c->verdicts[further[i].verdict], further[i].words);
    if (!isnan(mean)) fprintf(out, "; time %s (geometric mean)", show_change(mean, change));
    fputc('\n', out);
}

/* Whether the pairs differ in the numbers of vectors, threads or ranks, where these are known. */
static bool has_ways(const bench_comparison *c)
{
    int64_t seen[3] = {0};
    for (int i = 0; i < c->count; i++) {
        const bench_result *r = either(&c->pair[i]);
        const int64_t own[] = {r->vectors, r->threads, r->ranks};
        for (int k = 0; k < 3; k++) {
            if (seen[k] > 0 && own[k] > 0 && own[k] != seen[k]) return true;
            if (own[k] > 0) seen[k] = own[k];
        }
    }
    return false;
}

static const char *way_of(const bench_pair *p, bool ways, char text[BENCH_WAY])
{
    return ways ? bench_result_way(either(p), text) : either(p)->precision;
}

static bool write_table(const bench_comparison *c, FILE *out)
{
    char before[BENCH_TEXT], after[BENCH_TEXT], change[BENCH_TEXT], way[BENCH_WAY];
    const bool ways = has_ways(c);
    int width = 3;
    for (const bench_pair *p = c->pair; p < c->pair + c->count && ways; p++) {
        const int length = (int)strlen(way_of(p, ways, way));
        width = length > width ? length : width;
    }
    fprintf(out, "%-10s %8s  %9s  %9s  %-15s %-*s  %s\n", "verdict", "change", "old", "new",
            "kernel", width, "", "matrix");
    for (const bench_pair *p = c->pair; p < c->pair + c->count; p++) {
        fprintf(out, "%-10s %8s", verdict_names[p->verdict], show_change(p->change, change));
        bench_print_right(tool_time_text(time_of(p->before), before), 11, out);
        bench_print_right(tool_time_text(time_of(p->after), after), 11, out);
        fputs("  ", out);
        bench_print_padded(either(p)->kernel, 15, out);
        fputc(' ', out);
        bench_print_padded(way_of(p, ways, way), width, out);
        fputs("  ", out);
        tool_print_visible(either(p)->matrix, out);
        fputc('\n', out);
    }
    write_summary(c, out);
    return true;
}

static bool write_markdown(const bench_comparison *c, FILE *out)
{
    char before[BENCH_TEXT], after[BENCH_TEXT], change[BENCH_TEXT], way[BENCH_WAY];
    const bool ways = has_ways(c);
    fputs("| verdict | change | old | new | kernel | precision | matrix |\n"
          "|:--|--:|--:|--:|:--|:--|:--|\n",
          out);
    for (const bench_pair *p = c->pair; p < c->pair + c->count; p++) {
        const char *const texts[] = {either(p)->kernel, way_of(p, ways, way), either(p)->matrix};
        fprintf(out, "| %s | %s | %s | %s", verdict_names[p->verdict],
                show_change(p->change, change), tool_time_text(time_of(p->before), before),
                tool_time_text(time_of(p->after), after));
        for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
            fputs(" | ", out);
            tool_markdown_text(texts[i], out);
        }
        fputs(" |\n", out);
    }
    write_summary(c, out);
    return true;
}

/* ---- For programs --------------------------------------------------------------------------- */

static void write_real(double value, FILE *out)
{
    char text[REPORT_REAL_SIZE];
    fprintf(out, ",%s", isnan(value) ? "" : report_show_real(value, text));
}

/* The columns of one of the results; none of them holds anything where there is none. */
static void write_place(const bench_result *r, FILE *out)
{
    fputc(',', out);
    if (r != NULL) tool_csv_text(r->device, out);
    fputc(',', out);
    if (r != NULL && r->threads > 0) fprintf(out, "%" PRId64, r->threads);
    fputc(',', out);
    if (r != NULL) tool_csv_text(r->host, out);
}

static bool write_csv(const bench_comparison *c, FILE *out)
{
    fputs("verdict,change,old_median_s,new_median_s,matrix,kernel,precision,operation,vectors,"
          "old_device,old_threads,old_host,new_device,new_threads,new_host,ranks\r\n",
          out);
    for (const bench_pair *p = c->pair; p < c->pair + c->count; p++) {
        const bench_result *r = either(p);
        const char *const texts[] = {r->matrix, r->kernel, r->precision, r->operation};
        fputs(verdict_names[p->verdict], out);
        write_real(p->change, out);
        write_real(time_of(p->before), out);
        write_real(time_of(p->after), out);
        for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
            fputc(',', out);
            tool_csv_text(texts[i], out);
        }
        fprintf(out, ",%" PRId64, r->vectors);
        write_place(p->before, out);
        write_place(p->after, out);
        fputc(',', out);
        if (r->ranks > 0) fprintf(out, "%" PRId64, r->ranks);
        fputs("\r\n", out);
    }
    return true;
}

/* What was measured in one of the files. */
static void record_side(report *pair, const char *key, const bench_result *r)
{
    if (r == NULL) return;
    report *o = report_object(pair, key);
    if (bench_result_measured(r)) report_real(o, "median_s", r->warm.median);
    if (r->error[0] != '\0') report_text(o, "error", r->error);
    report_text(o, "device", r->device);
    if (r->threads > 0) report_integer(o, "threads", r->threads);
    report_text(o, "host", r->host);
}

static void record_pair(report *all, const bench_pair *p)
{
    const bench_result *r = either(p);
    report *o = report_object(all, NULL);
    report_text(o, "verdict", verdict_names[p->verdict]);
    if (!isnan(p->change)) report_real(o, "change", p->change);
    report_text(o, "matrix", r->matrix);
    report_text(o, "kernel", r->kernel);
    report_text(o, "precision", r->precision);
    if (r->operation[0] != '\0') report_text(o, "operation", r->operation);
    report_integer(o, "vectors", r->vectors);
    if (r->ranks > 0) report_integer(o, "ranks", r->ranks);
    record_side(o, "old", p->before);
    record_side(o, "new", p->after);
}

static bool write_json(const bench_comparison *c, FILE *out)
{
    report *r = record_create();
    report *o = report_object(r, "comparison");
    report_real(o, "threshold", c->threshold);
    report_flag(o, "pass", !bench_comparison_is_bad(c));
    if (c->counted > 0) report_real(o, "change", bench_comparison_change(c));
    report *counts = report_object(o, "verdicts");
    for (int v = 0; v < BENCH_VERDICTS; v++)
        report_integer(counts, verdict_names[v], c->verdicts[v]);
    report *pairs = report_array(o, "pairs");
    for (int i = 0; i < c->count; i++) record_pair(pairs, &c->pair[i]);
    char *text = report_print(r, false);
    if (text != NULL) fprintf(out, "%s\n", text);
    const bool whole = text != NULL;
    free(text);
    report_destroy(r);
    return whole;
}

/* ---- All of it ------------------------------------------------------------------------------ */

/* By the numbers of bench_exporters; one line of JSON is the document, too. */
static bool (*const writers[])(const bench_comparison *c, FILE *out) = {
    write_table, write_json, write_json, write_csv, write_markdown};

typedef struct shown_comparison {
    const bench_comparison *comparison;
    int format;
} shown_comparison;

static bool write_shown(const void *what, FILE *out)
{
    const shown_comparison *s = what;
    return writers[s->format](s->comparison, out);
}

static spmv_status show(const bench_comparison *c, const common_options *common, int format,
                        spmv_error *err)
{
    const shown_comparison result = {c, format}, record = {c, BENCH_JSON};
    spmv_status st;
    TOOL_TRY(bench_write_text(write_shown, &result, common->output, common->force, err));
    if (common->json != NULL)
        TOOL_TRY(bench_write_text(write_shown, &record, common->json, common->force, err));
done:
    return st;
}

int bench_compare(const operands *files, const common_options *common, int format, double threshold,
                  bool across)
{
    bench_results before = {0}, after = {0};
    bench_comparison c = {0};
    spmv_error err = {0};
    spmv_status st;
    TOOL_TRY(tool_check_output(common->output, false, common->force, files, &err));
    TOOL_TRY(tool_check_side_output(common->json, common, files, &err));
    TOOL_TRY(bench_results_load(&before, files->word[0], &err));
    TOOL_TRY(bench_results_load(&after, files->word[1], &err));
    TOOL_TRY(bench_comparison_make(&c, &before, &after, threshold, across, &err));
    TOOL_TRY(show(&c, common, format, &err));
done:;
    const bool bad = bench_comparison_is_bad(&c);
    bench_comparison_destroy(&c);
    bench_results_destroy(&before);
    bench_results_destroy(&after);
    return st != SPMV_SUCCESS ? tool_finish(st, &err) : tool_finish_with(bad);
}
