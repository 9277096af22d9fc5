/* show_markdown.c -- results as tables in Markdown, for reports of issues and pages. */
#include "cli/bench/show/export.h"
#include "cli/tool/utf8.h"

#include <math.h>
#include <string.h>

/* Text, and nothing but text: no HTML, link, emphasis, formula or end of a cell. */
static void write_text(const char *text, FILE *out)
{
    char shown[UTF8_SHOWN];
    while (*text != '\0') {
        utf8_show(&text, shown);
        for (const char *p = shown; *p != '\0'; p++)
            if (*p == '<' || *p == '>' || *p == '&')
                fputs(*p == '<' ? "&lt;" : *p == '>' ? "&gt;" : "&amp;", out);
            else
                fprintf(out, strchr("\\`*_[]()#!|~$@", *p) != NULL ? "\\%c" : "%c", *p);
    }
}

static void write_row(const bench_result *r, FILE *out)
{
    char median[BENCH_TEXT], gflops[BENCH_TEXT], rate[BENCH_TEXT], share[BENCH_TEXT];
    char cold[BENCH_TEXT], setup[BENCH_TEXT], pays[BENCH_TEXT] = "-", peer[BENCH_TEXT] = "-";
    char doubt[BENCH_TEXT];
    fputs("| ", out);
    write_text(r->kernel, out);
    if (r->chosen_by[0] != '\0') {
        fputs(" (", out);
        write_text(r->chosen_by, out);
        fputc(')', out);
    }
    const char *why = bench_result_doubt(r, doubt);
    if (why != NULL) fprintf(out, " (**%s**)", why);
    if (!bench_result_measured(r)) {
        fputs(" | ", out);
        write_text(r->error, out);
        fputs(" | | | | | | | |\n", out);
        return;
    }
    if (isfinite(r->break_even)) snprintf(pays, sizeof pays, "%.0f", r->break_even);
    if (isfinite(r->peer_ratio)) snprintf(peer, sizeof peer, "%.2f", r->peer_ratio);
    fprintf(out, " | %s | %s | %s | %s | %s | %s | %s | %s |\n",
            bench_show_time(r->warm.median, median), bench_show_rate(r->warm.gflops, gflops),
            bench_show_rate(r->warm.bandwidth * 1e-9, rate),
            bench_show_percent(r->warm.efficiency, share), bench_show_time(r->cold.median, cold),
            bench_show_time(r->setup_s, setup), pays, peer);
}

static bool matrix(const bench_result *item, int count, FILE *out)
{
    char rows[BENCH_TEXT], cols[BENCH_TEXT], nnz[BENCH_TEXT];
    fputs("\n**", out);
    write_text(item->matrix, out);
    if (item->kernel[0] == '\0') {
        fputs("**: not measured: ", out);
        write_text(item->error, out);
        fputc('\n', out);
        return true;
    }
    fprintf(out, "**: %s x %s, %s nonzeros, ", bench_show_count(item->rows, rows),
            bench_show_count(item->cols, cols), bench_show_count(item->nnz, nnz));
    write_text(item->precision, out);
    fputs(", ", out);
    write_text(item->device, out);
    fputs("\n\n", out);
    fputs("| kernel | median | GFLOP/s | GB/s | of peak | cold | set-up | pays off after | "
          "times best peer |\n"
          "|:--|--:|--:|--:|--:|--:|--:|--:|--:|\n",
          out);
    for (int i = 0; i < count; i++) write_row(&item[i], out);
    return true;
}

const bench_exporter bench_export_markdown = {.name = "markdown", .matrix = matrix};
