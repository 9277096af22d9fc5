/* page_head.c -- what stands above the pictures of the page: where the results come from, and what
 * they say together. */
#include "cli/bench/plot/page_head.h"
#include "cli/bench/show/summary.h"
#include "cli/picture/svg.h"

#include <math.h>
#include <string.h>

enum { TEXT = 300, MOST_RUNS = 20 };

/* ---- Where the results come from ------------------------------------------------------------ */

/* Both were measured by one call of the tool. */
static bool is_same_run(const bench_result *a, const bench_result *b)
{
    const report *x = report_member(a->record, "arguments"),
                 *y = report_member(b->record, "arguments");
    const int n = report_length(x);
    if (strcmp(a->host, b->host) != 0 || report_length(y) != n) return false;
    if (strcmp(report_text_at(a->record, "version"), report_text_at(b->record, "version")) != 0)
        return false;
    for (int i = 0; i < n; i++)
        if (strcmp(report_text_at(report_item(x, i), NULL),
                   report_text_at(report_item(y, i), NULL)) != 0)
            return false;
    return true;
}

static bool starts_run(const bench_results *all, int i)
{
    for (int k = 0; k < i; k++)
        if (is_same_run(&all->item[k], &all->item[i])) return false;
    return true;
}

static void write_cell(const char *text, FILE *out)
{
    fputs("<td class=\"n\">", out);
    svg_write_text(text, TEXT, out);
    fputs("</td>", out);
}

static void write_run(const bench_result *r, FILE *out)
{
    const report *arguments = report_member(r->record, "arguments");
    fputs("<tr>", out);
    write_cell(report_text_at(r->record, "time_utc"), out);
    fputs("<td class=\"n\">", out);
    svg_write_text(report_text_at(r->record, "tool"), TEXT, out);
    for (int i = 0; i < report_length(arguments); i++) {
        fputc(' ', out);
        svg_write_text(report_text_at(report_item(arguments, i), NULL), TEXT, out);
    }
    fputs("</td>", out);
    write_cell(r->host, out);
    write_cell(r->device, out);
    write_cell(report_text_at(r->record, "version"), out);
    write_cell(report_text_at(r->record, "commit"), out);
    fputs("</tr>\n", out);
}

static void write_runs(const bench_results *all, FILE *out)
{
    int runs = 0;
    fputs("<h2 id=\"runs\">Runs</h2>\n<table><tr><th class=\"n\">begun, UTC</th><th "
          "class=\"n\">command</th>"
          "<th class=\"n\">host</th><th class=\"n\">device</th><th class=\"n\">version</th>"
          "<th class=\"n\">commit</th></tr>\n",
          out);
    for (int i = 0; i < all->count; i++)
        if (starts_run(all, i) && runs++ < MOST_RUNS) write_run(&all->item[i], out);
    fputs("</table>\n", out);
    if (runs > MOST_RUNS) fprintf(out, "<p>and %d more</p>\n", runs - MOST_RUNS);
}

/* ---- What they say together ----------------------------------------------------------------- */

static const char *doubt(bool verified)
{
    return verified ? "" : " <span class=\"w\">not verified</span>";
}

static void write_kernel(const summary_kernel *k, FILE *out)
{
    char speedup[BENCH_TEXT], least[BENCH_TEXT];
    fprintf(out, "<tr%s><td>", k->name == NULL ? " class=\"b\"" : "");
    svg_write_text(k->name != NULL ? k->name : "best of ours", TEXT, out);
    fprintf(out, "%s</td><td>%d</td><td>%d</td><td>%s</td><td>%s</td><td class=\"n\">",
            doubt(!k->doubtful), k->matrices, k->wins,
            bench_show_ratio(summary_speedup(k), speedup),
            bench_show_ratio(k->compared > 0 ? k->least : NAN, least));
    svg_write_text(k->compared > 0 ? k->least_on : "", TEXT, out);
    fputs("</td></tr>\n", out);
}

static void write_best(const summary_matrix *m, const bench_results *all, FILE *out)
{
    char nnz[BENCH_TEXT], time[BENCH_TEXT], rate[BENCH_TEXT], speedup[BENCH_TEXT];
    fprintf(out, "<tr><td><a href=\"#m%d\">", bench_group_of(all, (int)(m->best - all->item)));
    svg_write_text(m->best->matrix, TEXT, out);
    fprintf(out, "</a></td><td>%s</td><td class=\"n\">", tool_count_text(m->best->nnz, nnz));
    svg_write_text(m->best->kernel, TEXT, out);
    fprintf(out, "%s</td><td>%s</td><td>%s</td><td>%s</td></tr>\n",
            doubt(bench_result_counts(m->best)), tool_time_text(m->best->warm.median, time),
            tool_number_text(m->best->warm.gflops, rate), bench_show_ratio(m->speedup, speedup));
}

static void write_group(const summary_group *g, const bench_results *all, FILE *out)
{
    char way[BENCH_WAY];
    fprintf(out, "<h3>%d matri%s, %s, ", g->matrices, g->matrices == 1 ? "x" : "ces",
            strcmp(g->like->operation, "spgemm") == 0 ? "sparse products" : "y = A x");
    svg_write_text(bench_result_way(g->like, way), TEXT, out);
    fputs(", ", out);
    svg_write_text(g->like->device, TEXT, out);
    fputs("</h3>\n<p>Speed-up over ", out);
    svg_write_text(summary_against(g), TEXT, out);
    fputs(": of a kernel the geometric mean, and the least.</p>\n<table><tr><th>kernel</th>"
          "<th>measured</th><th>wins</th><th>speed-up</th><th>least</th><th class=\"n\">on</th>"
          "</tr>\n",
          out);
    for (int i = 0; i < g->kernels; i++) write_kernel(&g->kernel[i], out);
    fputs("</table>\n<table><tr><th>matrix</th><th>nonzeros</th><th class=\"n\">fastest of ours"
          "</th><th>median</th><th>GFLOP/s</th><th>speed-up</th></tr>\n",
          out);
    for (int i = 0; i < g->bests; i++) write_best(&g->matrix[i], all, out);
    fputs("</table>\n", out);
}

bool plot_page_head(const bench_results *all, FILE *out)
{
    bench_summary s;
    write_runs(all, out);
    fputs("<h2 id=\"summary\">Summary</h2>\n", out);
    const bool whole = bench_summary_make(&s, all);
    for (int i = 0; i < s.count && whole; i++) write_group(&s.group[i], all, out);
    bench_summary_destroy(&s);
    return whole;
}
