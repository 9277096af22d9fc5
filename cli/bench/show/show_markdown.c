/* show_markdown.c -- results as tables in Markdown, for reports of issues and pages. */
#include "cli/bench/show/export.h"
#include "cli/text/cell_text.h"

static void write_row(const bench_result *r, const bool *shown, FILE *out)
{
    char text[BENCH_TEXT];
    const bool measured = bench_result_measured(r);
    fputs("| ", out);
    tool_markdown_text(r->kernel, out);
    if (r->chosen_by[0] != '\0') {
        fputs(" (", out);
        tool_markdown_text(r->chosen_by, out);
        fputc(')', out);
    }
    const char *why = bench_result_doubt(r, text);
    if (why != NULL) fprintf(out, " (**%s**)", why);
    if (!measured) {
        fputs(" | ", out);
        tool_markdown_text(bench_result_reason(r, text), out);
    }
    for (int i = 0, columns = 0; i < BENCH_METRICS; i++) {
        const bench_metric *m = &bench_metrics[i];
        if (shown[i] && (measured || columns++ > 0))
            fprintf(out, " | %s", measured ? bench_metric_show(m, r, text) : "");
    }
    fputs(" |\n", out);
}

static bool matrix(const bench_result *item, int count, FILE *out)
{
    char rows[BENCH_TEXT], cols[BENCH_TEXT], nnz[BENCH_TEXT];
    char way[BENCH_WAY];
    bool shown[BENCH_METRICS];
    for (int i = 0; i < BENCH_METRICS; i++)
        shown[i] = bench_metric_is_shown(&bench_metrics[i], item, count);
    fputs("\n**", out);
    tool_markdown_text(item->matrix, out);
    if (item->kernel[0] == '\0') {
        fputs("**: not measured: ", out);
        tool_markdown_text(item->error, out);
        fputc('\n', out);
        return true;
    }
    fprintf(out, "**: %s x %s, %s nonzeros, ", tool_count_text(item->rows, rows),
            tool_count_text(item->cols, cols), tool_count_text(item->nnz, nnz));
    tool_markdown_text(bench_result_way(item, way), out);
    fputs(", ", out);
    bench_write_place(item, tool_markdown_text, out);
    fputs("\n\n", out);
    fputs("| kernel |", out);
    for (int i = 0; i < BENCH_METRICS; i++)
        if (shown[i]) fprintf(out, " %s |", bench_metrics[i].heading);
    fputs("\n|:--|", out);
    for (int i = 0; i < BENCH_METRICS; i++)
        if (shown[i]) fputs("--:|", out);
    fputc('\n', out);
    for (int i = 0; i < count; i++) write_row(&item[i], shown, out);
    return true;
}

const bench_exporter bench_export_markdown = {
    .name = "markdown", .suffix = ".md", .matrix = matrix, .end = bench_summarise_markdown};
