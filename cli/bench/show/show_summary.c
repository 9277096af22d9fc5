/* show_summary.c -- the summary in every format: for each group the fastest kernel of each matrix,
 * and what each kernel is worth over all of them. */
#include "cli/bench/show/export.h"
#include "cli/bench/show/summary.h"
#include "cli/json/record.h"
#include "cli/text/cell_text.h"
#include "cli/tool/message.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char best_name[] = "best of ours";

static const char *name_of(const summary_kernel *k)
{
    return k->name != NULL ? k->name : best_name;
}

/* ---- In words ------------------------------------------------------------------------------- */

/* What a group is of, and the rest of its heading. */
static void write_heading(const summary_group *g, void (*write)(const char *text, FILE *out),
                          FILE *out)
{
    const bench_result *r = g->like;
    char way[BENCH_WAY];
    fprintf(out, "%d matri%s, %s on ", g->matrices, g->matrices == 1 ? "x" : "ces",
            strcmp(r->operation, "spgemm") == 0 ? "sparse products" : "y = A x");
    bench_write_place(r, write, out);
    fputs(", ", out);
    write(bench_result_way(r, way), out);
}

static void write_matrices(const summary_group *g, FILE *out)
{
    char nnz[BENCH_TEXT], time[BENCH_TEXT], speedup[BENCH_TEXT];
    fprintf(out, "\n%-24s %15s  %-15s %8s %8s\n", "matrix", "nonzeros", "fastest of ours", "median",
            "speed-up");
    for (const summary_matrix *m = g->matrix; m < g->matrix + g->bests; m++) {
        bench_print_padded(m->best->matrix, 24, out);
        fprintf(out, " %15s  ", tool_count_text(m->best->nnz, nnz));
        bench_print_padded(m->best->kernel, 15, out);
        bench_print_right(tool_time_text(m->best->warm.median, time), 9, out);
        fprintf(out, " %8s%s\n", bench_show_ratio(m->speedup, speedup),
                bench_result_counts(m->best) ? "" : "  ?");
    }
}

static void write_kernels(const summary_group *g, FILE *out)
{
    char speedup[BENCH_TEXT], least[BENCH_TEXT];
    fprintf(out, "\n%-24s %8s %5s %8s %6s  %s\n", "kernel", "measured", "wins", "speed-up", "least",
            "on");
    for (const summary_kernel *k = g->kernel; k < g->kernel + g->kernels; k++) {
        const bool compared = k->compared > 0;
        bench_print_padded(name_of(k), 24, out);
        fprintf(out, " %8d %5d %8s %6s  ", k->matrices, k->wins,
                bench_show_ratio(summary_speedup(k), speedup),
                bench_show_ratio(compared ? k->least : NAN, least));
        if (compared) tool_print_visible(k->least_on, out);
        fputs(k->doubtful ? "  ?\n" : "\n", out);
    }
}

static bool is_doubtful(const summary_group *g)
{
    int i = 0;
    while (i < g->kernels && !g->kernel[i].doubtful) i++;
    return i < g->kernels;
}

static void write_table_group(const summary_group *g, FILE *out)
{
    fputs("\nSummary: ", out);
    write_heading(g, tool_print_visible, out);
    fputc('\n', out);
    write_matrices(g, out);
    write_kernels(g, out);
    fputs("  speed-up over ", out);
    tool_print_visible(summary_against(g), out);
    fputs(": of a kernel the geometric mean, and the least\n", out);
    if (is_doubtful(g)) fputs("  ? some of these times are not verified\n", out);
}

static void write_markdown_group(const summary_group *g, FILE *out)
{
    char nnz[BENCH_TEXT], time[BENCH_TEXT], speedup[BENCH_TEXT], least[BENCH_TEXT];
    fputs("\n**Summary**: ", out);
    write_heading(g, tool_markdown_text, out);
    fputs("; speed-up over ", out);
    tool_markdown_text(summary_against(g), out);
    fputs("\n\n| matrix | nonzeros | fastest of ours | median | speed-up |\n"
          "|:--|--:|:--|--:|--:|\n",
          out);
    for (const summary_matrix *m = g->matrix; m < g->matrix + g->bests; m++) {
        fputs("| ", out);
        tool_markdown_text(m->best->matrix, out);
        fprintf(out, " | %s | ", tool_count_text(m->best->nnz, nnz));
        tool_markdown_text(m->best->kernel, out);
        fprintf(out, "%s | %s | %s |\n", bench_result_counts(m->best) ? "" : " (**not verified**)",
                tool_time_text(m->best->warm.median, time), bench_show_ratio(m->speedup, speedup));
    }
    fputs("\n| kernel | measured | wins | speed-up (geometric mean) | least | on |\n"
          "|:--|--:|--:|--:|--:|:--|\n",
          out);
    for (const summary_kernel *k = g->kernel; k < g->kernel + g->kernels; k++) {
        const bool compared = k->compared > 0;
        fputs("| ", out);
        tool_markdown_text(name_of(k), out);
        fprintf(out, "%s | %d | %d | %s | %s | ", k->doubtful ? " (**not verified**)" : "",
                k->matrices, k->wins, bench_show_ratio(summary_speedup(k), speedup),
                bench_show_ratio(compared ? k->least : NAN, least));
        if (compared) tool_markdown_text(k->least_on, out);
        fputs(" |\n", out);
    }
}

/* ---- For programs --------------------------------------------------------------------------- */

static void write_real(double value, FILE *out)
{
    char text[REPORT_REAL_SIZE];
    fprintf(out, ",%s", isfinite(value) ? report_show_real(value, text) : "");
}

static void write_csv_group(const summary_group *g, FILE *out)
{
    const bench_result *r = g->like;
    for (const summary_kernel *k = g->kernel; k < g->kernel + g->kernels; k++) {
        tool_csv_text(name_of(k), out);
        fprintf(out, ",%d,%d,%d", g->matrices, k->matrices, k->wins);
        write_real(summary_speedup(k), out);
        write_real(k->least, out);
        fputc(',', out);
        tool_csv_text(k->compared > 0 ? k->least_on : "", out);
        fputc(',', out);
        tool_csv_text(summary_against(g), out);
        fprintf(out, ",%s,", k->doubtful ? "false" : "true");
        tool_csv_text(r->precision, out);
        fprintf(out, ",%" PRId64 ",", r->vectors);
        tool_csv_text(r->operation, out);
        fputc(',', out);
        tool_csv_text(r->device, out);
        if (r->threads > 0)
            fprintf(out, ",%" PRId64 ",", r->threads);
        else
            fputs(",,", out);
        tool_csv_text(r->host, out);
        fputc(',', out);
        if (r->ranks > 0) fprintf(out, "%" PRId64, r->ranks);
        fputs("\r\n", out);
    }
}

static void record_group(report *all, const summary_group *g)
{
    const bench_result *r = g->like;
    report *o = report_object(all, NULL), *kernels, *matrices;
    if (r->operation[0] != '\0') report_text(o, "operation", r->operation);
    report_text(o, "precision", r->precision);
    report_integer(o, "vectors", r->vectors);
    report_text(o, "device", r->device);
    if (r->threads > 0) report_integer(o, "threads", r->threads);
    if (r->ranks > 0) report_integer(o, "ranks", r->ranks);
    report_text(o, "host", r->host);
    report_integer(o, "matrices", g->matrices);
    report_text(o, "against", summary_against(g));
    kernels = report_array(o, "kernels");
    for (const summary_kernel *k = g->kernel; k < g->kernel + g->kernels; k++) {
        report *one = report_object(kernels, NULL);
        report_text(one, "kernel", name_of(k));
        report_integer(one, "measured", k->matrices);
        report_integer(one, "wins", k->wins);
        report_flag(one, "verified", !k->doubtful);
        if (k->compared == 0) continue;
        report_real(one, "speedup", summary_speedup(k));
        report_real(one, "least", k->least);
        report_text(one, "least_on", k->least_on);
    }
    matrices = report_array(o, "fastest");
    for (const summary_matrix *m = g->matrix; m < g->matrix + g->bests; m++) {
        report *one = report_object(matrices, NULL);
        report_text(one, "matrix", m->best->matrix);
        report_text(one, "kernel", m->best->kernel);
        report_real(one, "median_s", m->best->warm.median);
        if (isfinite(m->speedup)) report_real(one, "speedup", m->speedup);
    }
}

bool bench_record_summary(report *r, const bench_results *all)
{
    bench_summary s;
    const bool whole = bench_summary_make(&s, all);
    report *groups = whole ? report_array(r, "summary") : NULL;
    for (int i = 0; i < s.count && whole; i++) record_group(groups, &s.group[i]);
    bench_summary_destroy(&s);
    return whole;
}

/* ---- Alone, and after the results ----------------------------------------------------------- */

/* Groups of fewer matrices say nothing that their results do not say. */
static bool write_groups(void (*write)(const summary_group *g, FILE *out), int least,
                         const bench_results *all, FILE *out)
{
    bench_summary s;
    const bool whole = bench_summary_make(&s, all);
    for (int i = 0; i < s.count && whole; i++)
        if (s.group[i].matrices >= least) write(&s.group[i], out);
    bench_summary_destroy(&s);
    return whole;
}

bool bench_summarise_table(const bench_results *all, FILE *out)
{
    return write_groups(write_table_group, 2, all, out);
}

bool bench_summarise_markdown(const bench_results *all, FILE *out)
{
    return write_groups(write_markdown_group, 2, all, out);
}

static bool alone_table(const bench_results *all, FILE *out)
{
    return write_groups(write_table_group, 1, all, out);
}

static bool alone_markdown(const bench_results *all, FILE *out)
{
    return write_groups(write_markdown_group, 1, all, out);
}

static bool alone_csv(const bench_results *all, FILE *out)
{
    fputs("kernel,matrices,measured,wins,speedup,least,least_on,against,verified,precision,vectors,"
          "operation,device,threads,host,ranks\r\n",
          out);
    return write_groups(write_csv_group, 1, all, out);
}

static bool alone_json(const bench_results *all, FILE *out)
{
    report *r = record_create();
    char *text = bench_record_summary(r, all) ? report_print(r, false) : NULL;
    if (text != NULL) fprintf(out, "%s\n", text);
    const bool whole = text != NULL;
    free(text);
    report_destroy(r);
    return whole;
}

/* One line of JSON is the document, too. */
const bench_exporter bench_summary_exporters[] = {{.name = "table", .end = alone_table},
                                                  {.name = "json", .end = alone_json},
                                                  {.name = "jsonl", .end = alone_json},
                                                  {.name = "csv", .end = alone_csv},
                                                  {.name = "markdown", .end = alone_markdown}};
