/* plot_page.c -- all pictures and results in one HTML file that needs no other. */
#include "cli/bench/plot/page_head.h"
#include "cli/bench/show/export.h"
#include "cli/bench/plot/plot.h"
#include "cli/picture/svg.h"

#include <stdlib.h>

const plot plots[] = {
    {"small", plot_small, "Matrices that fit the last-level cache."},
    {"large", plot_large, "Matrices that do not fit the last-level cache."},
    {"roofline-gpu", plot_roofline_gpu,
     "The line is what reading memory allows, a bar what gathering from x does."},
    {"roofline-cpu", plot_roofline_cpu,
     "The line is what reading memory allows, a bar what gathering from x does."},
    {"profile-gpu", plot_profile_gpu,
     "For how many matrices a kernel takes at most so many times as long as the fastest."},
    {"profile-cpu", plot_profile_cpu,
     "For how many matrices a kernel takes at most so many times as long as the fastest."},
};
const int plot_count = sizeof plots / sizeof plots[0];

static const char style[] =
    "body{font-family:Helvetica,Arial,sans-serif;max-width:960px;margin:2em auto;padding:0 1em;"
    "color:#1b1f24;background:#fff}"
    "h2{margin:1.6em 0 .3em;font-size:1.15em}p,figcaption{color:#59636e;margin:.2em 0}"
    "figure{margin:1.5em 0}svg{max-width:100%;height:auto}"
    "table{border-collapse:collapse;font-size:.9em;font-variant-numeric:tabular-nums}"
    "td,th{padding:.15em .7em;text-align:right;border-bottom:1px solid #e3e7eb}"
    "td:first-child,th:first-child,.n{text-align:left}.b{font-weight:bold}table{margin:.6em 0}"
    ".w{color:#c92a2a;font-weight:bold}"
    "@media(prefers-color-scheme:dark){body{color:#e6edf3;background:#0d1117}"
    "p,figcaption{color:#9aa4af}td,th{border-color:#2b323b}.w{color:#ff8787}}";

enum { TEXT = 300 };

/* The fastest of ours is bold. */
static void write_row(const bench_result *r, const bool *shown, bool wins, FILE *out)
{
    char text[BENCH_TEXT], doubt[BENCH_TEXT];
    fprintf(out, "<tr%s><td>", wins ? " class=\"b\"" : "");
    svg_write_text(r->kernel, TEXT, out);
    if (r->chosen_by[0] != '\0') {
        fputs(" (", out);
        svg_write_text(r->chosen_by, TEXT, out);
        fputc(')', out);
    }
    if (!bench_result_measured(r)) {
        fputs("</td><td colspan=\"99\" style=\"text-align:left\">", out);
        svg_write_text(bench_result_reason(r, text), TEXT, out);
        fputs("</td></tr>\n", out);
        return;
    }
    const char *why = bench_result_doubt(r, doubt);
    if (why != NULL) fprintf(out, " <span class=\"w\">%s</span>", why);
    fputs("</td>", out);
    for (int i = 0; i < BENCH_METRICS; i++)
        if (shown[i]) fprintf(out, "<td>%s</td>", bench_metric_show(&bench_metrics[i], r, text));
    fputs("</tr>\n", out);
}

static void write_matrix(const bench_result *item, int count, FILE *out)
{
    char rows[BENCH_TEXT], cols[BENCH_TEXT], nnz[BENCH_TEXT];
    char way[BENCH_WAY];
    bool shown[BENCH_METRICS];
    for (int i = 0; i < BENCH_METRICS; i++)
        shown[i] = bench_metric_is_shown(&bench_metrics[i], item, count);
    fputs("<h2>", out);
    svg_write_text(item->matrix, TEXT, out);
    fputs("</h2>\n", out);
    if (item->precision[0] != '\0') {
        fprintf(out, "<p>%s &#215; %s, %s nonzeros, ", bench_show_count(item->rows, rows),
                bench_show_count(item->cols, cols), bench_show_count(item->nnz, nnz));
        svg_write_text(bench_result_way(item, way), TEXT, out);
        fputs("</p>\n", out);
    }
    fputs("<table><tr><th>kernel</th>", out);
    for (int i = 0; i < BENCH_METRICS; i++)
        if (shown[i]) fprintf(out, "<th>%s</th>", bench_metrics[i].heading);
    fputs("</tr>\n", out);
    for (int i = 0; i < count; i++)
        write_row(&item[i], shown,
                  &item[i] == bench_fastest(item, count, false, item[i].device_kind), out);
    fputs("</table>\n", out);
}

/* The caption is there when the picture is. */
static bool write_figure(const plot *p, const bench_results *all, FILE *out)
{
    fputs("<figure>\n", out);
    const long before = ftell(out);
    const bool whole = p->draw(all, out);
    if (ftell(out) > before) fprintf(out, "<figcaption>%s</figcaption>", p->caption);
    fputs("</figure>\n", out);
    return whole;
}

bool plot_page(const bench_results *all, FILE *out)
{
    bench_result *group = calloc((size_t)all->count + 1, sizeof *group);
    fprintf(out,
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
            "<title>spmv-bench</title>\n<style>%s</style></head><body>\n"
            "<h1>Multiplication of sparse matrices</h1>\n",
            style);
    bool whole = group != NULL && plot_page_head(all, out);
    for (int i = 0; i < plot_count && whole; i++) whole = write_figure(&plots[i], all, out);
    for (int i = 0; i < all->count && whole; i++) {
        const int count = bench_gather(all, i, group);
        if (count > 0) write_matrix(group, count, out);
    }
    fputs("</body></html>\n", out);
    free(group);
    return whole;
}
