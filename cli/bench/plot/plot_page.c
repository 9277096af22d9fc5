/* plot_page.c -- all pictures and results in one HTML file that needs no other. */
#include "cli/bench/plot/page_head.h"
#include "cli/bench/plot/page_spy.h"
#include "cli/bench/show/export.h"
#include "cli/bench/plot/plot.h"
#include "cli/picture/svg.h"

#include <stdlib.h>

const plot plots[] = {
    {"small", plot_small, "Matrices that fit the last-level cache."},
    {"large", plot_large, "Matrices that do not fit the last-level cache."},
    {"roofline-gpu", plot_roofline_gpu,
     "The line is what reading memory allows, a short bar what gathering from x does."},
    {"roofline-cpu", plot_roofline_cpu,
     "The line is what reading memory allows, a short bar what gathering from x does."},
    {"profile-gpu", plot_profile_gpu,
     "For how many matrices a kernel takes at most so many times as long as the fastest."},
    {"profile-cpu", plot_profile_cpu,
     "For how many matrices a kernel takes at most so many times as long as the fastest."},
};
const int plot_count = sizeof plots / sizeof plots[0];

static const char style[] =
    "body{font-family:Helvetica,Arial,sans-serif;max-width:960px;margin:2em auto;padding:0 1em;"
    "color:#1b1f24;background:#fff}"
    "h2{margin:1.8em 0 .3em}h3{margin:1.6em 0 "
    ".3em;font-size:1.15em}a{color:inherit}p,figcaption{color:#59636e;margin:.2em 0}"
    "figure{margin:1.5em 0}svg{max-width:100%;height:auto}"
    "table{border-collapse:collapse;font-size:.9em;font-variant-numeric:tabular-nums}"
    "td,th{padding:.15em .7em;text-align:right;border-bottom:1px solid #e3e7eb}"
    "td:first-child,th:first-child,.n{text-align:left}.b{font-weight:bold}table{margin:.6em 0}"
    ".w{color:#c92a2a;font-weight:bold}.f{color:#2777b8}th{cursor:pointer;white-space:nowrap}"
    "th[aria-sort=ascending]::after{content:\"\\2009\\25b4\"}"
    "th[aria-sort=descending]::after{content:\"\\2009\\25be\"}"
    "@media(prefers-color-scheme:dark){body{color:#e6edf3;background:#0d1117}"
    "p,figcaption{color:#9aa4af}td,th{border-color:#2b323b}.w{color:#ff8787}.f{color:#77b3d8}}";

/* A click on a heading sorts its table by that column, a second one the other way around.  Numbers
 * count with their units; what has none, and results without a time, come last. */
static const char script[] =
    "const unit = {ns: 1e-9, us: 1e-6, '\\u00b5s': 1e-6, ms: 1e-3, kB: 1e3, MB: 1e6,\n"
    "              GB: 1e9, TB: 1e12};\n"
    "function key(row, column) {\n"
    "  const text = row.cells[column] ? row.cells[column].textContent : '';\n"
    "  const m = /^(-?[\\d,]*\\.?\\d+(?:e[-+]?\\d+)?)(?:%| ([a-zA-Z\\u00b5]+))?$/.exec(text);\n"
    "  if (m) return parseFloat(m[1].replace(/,/g, '')) * (unit[m[2]] || 1);\n"
    "  return text == '-' ? '' : text;\n"
    "}\n"
    "function compare(a, b, sign) {\n"
    "  if (typeof a == typeof b && a !== '' && b !== '')\n"
    "    return sign * (typeof a == 'number' ? a - b : a.localeCompare(b));\n"
    "  return (typeof a != 'number') - (typeof b != 'number') || (a === '') - (b === '');\n"
    "}\n"
    "for (const table of document.querySelectorAll('table'))\n"
    "  for (const heading of table.rows[0].cells)\n"
    "    heading.onclick = () => {\n"
    "      const up = heading.ariaSort != 'ascending', column = heading.cellIndex;\n"
    "      for (const other of table.rows[0].cells) other.ariaSort = null;\n"
    "      heading.ariaSort = up ? 'ascending' : 'descending';\n"
    "      const rows = [...table.rows].slice(1);\n"
    "      rows.sort((a, b) => compare(key(a, column), key(b, column), up ? 1 : -1));\n"
    "      for (const row of rows) row.parentNode.append(row);\n"
    "    };\n";

enum { TEXT = 300 };

/* The fastest of ours is bold and has a star. */
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
    if (wins) fputs(" <span class=\"f\">&#9733;</span>", out);
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

/* What it is called, its picture and its size. */
static void write_matrix_head(const bench_results *all, const bench_result *r, int number,
                              FILE *out)
{
    char rows[BENCH_TEXT], cols[BENCH_TEXT], nnz[BENCH_TEXT], way[BENCH_WAY];
    fputs("<div class=\"m\">\n", out);
    page_spy_write(all, r, out);
    fprintf(out, "<div><h3 id=\"m%d\">", number);
    svg_write_text(r->matrix, TEXT, out);
    fputs("</h3>\n", out);
    if (r->precision[0] != '\0') {
        fprintf(out, "<p>%s &#215; %s, %s nonzeros, ", tool_count_text(r->rows, rows),
                tool_count_text(r->cols, cols), tool_count_text(r->nnz, nnz));
        svg_write_text(bench_result_way(r, way), TEXT, out);
        fputs("</p>\n", out);
    }
    fputs("</div></div>\n", out);
}

static void write_matrix(const bench_result *item, int count, FILE *out)
{
    bool shown[BENCH_METRICS];
    for (int i = 0; i < BENCH_METRICS; i++)
        shown[i] = bench_metric_is_shown(&bench_metrics[i], item, count);
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
            "<title>spmv-bench</title>\n<style>%s",
            style);
    page_spy_style(out);
    fputs("</style></head><body>\n"
          "<h1>Multiplication of sparse matrices</h1>\n"
          "<p><a href=\"#runs\">Runs</a>, <a href=\"#summary\">Summary</a>, "
          "<a href=\"#pictures\">Pictures</a>, <a href=\"#results\">Results</a>. Click on a "
          "heading of a table to sort it; &#9733; is the fastest kernel of ours.</p>\n",
          out);
    bool whole = group != NULL && plot_page_head(all, out);
    fputs("<h2 id=\"pictures\">Pictures</h2>\n", out);
    for (int i = 0; i < plot_count && whole; i++) whole = write_figure(&plots[i], all, out);
    fputs("<h2 id=\"results\">Results</h2>\n", out);
    for (int i = 0; i < all->count && whole; i++) {
        const int count = bench_gather(all, i, group);
        if (count == 0) continue;
        write_matrix_head(all, group, i, out);
        write_matrix(group, count, out);
    }
    fprintf(out, "<script>\n%s</script>\n</body></html>\n", script);
    free(group);
    return whole;
}
