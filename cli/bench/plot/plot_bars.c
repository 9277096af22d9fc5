/* plot_bars.c -- GFLOP/s of every kernel as bars, a group for each matrix. */
#include "cli/bench/plot/speed.h"

#include <math.h>

enum {
    WIDTH = 900,
    NAMES = 190, /* left of the bars */
    LEGEND = 170,
    BAR = 13,
    GAP = 14, /* between matrices */
    FOOT = 56
};

/* What a time of one of the samples would make of GFLOP/s; the median where none is known. */
static double rate_at(const bench_result *r, double time)
{
    return time > 0 ? r->warm.gflops * r->warm.median / time : r->warm.gflops;
}

static double most_of(const speed_results *s)
{
    double most = 0;
    for (int i = 0; i < s->count; i++)
        if (bench_result_measured(s->item[i]))
            most = fmax(most, rate_at(s->item[i], s->item[i]->warm.p5));
    return most;
}

static void draw_spread(const bench_result *r, const axis *x, int y, FILE *out)
{
    const double from = x->start + axis_place(x, rate_at(r, r->warm.p95));
    const double to = x->start + axis_place(x, rate_at(r, r->warm.p5));
    if (to - from < 1) return;
    fprintf(out, "<path class=\"c\" d=\"M%.1f %dv4m0-2H%.1fm0-2v4\"/>", from, y + BAR / 2 - 3, to);
}

static void draw_bar(const bench_result *r, const chart_kernels *kernels, const axis *x, int y,
                     FILE *out)
{
    char text[BENCH_TEXT], doubt[BENCH_TEXT], class[CHART_CLASS];
    const char *why = bench_result_doubt(r, doubt);
    const double length = axis_place(x, r->warm.gflops);
    const double end = fmax(length, axis_place(x, rate_at(r, r->warm.p5)));
    fprintf(out, "<path class=\"%s\" d=\"M%d %dh%.1fv%dH%dz\"><title>",
            chart_class(kernels, r->kernel, class), x->start, y, length, BAR - 2, x->start);
    svg_write_text(r->kernel, 40, out);
    fprintf(out, ": %s</title></path>", tool_time_text(r->warm.median, text));
    draw_spread(r, x, y, out);
    fprintf(out, "<text class=\"s\" x=\"%.1f\" y=\"%d\" font-size=\"10\">%s%s%s</text>\n",
            x->start + end + 4, y + BAR - 4, tool_number_text(r->warm.gflops, text),
            why != NULL ? ", " : "", why != NULL ? why : "");
}

/* Where a bar would be. */
static void tell_failure(const bench_result *r, const axis *x, int y, FILE *out)
{
    char text[BENCH_TEXT];
    fprintf(out, "<text class=\"s\" x=\"%d\" y=\"%d\" font-size=\"10\">", x->start + 4,
            y + BAR - 4);
    svg_write_text(r->kernel, 40, out);
    fputs(": ", out);
    svg_write_text(bench_result_reason(r, text), 80, out);
    fputs("</text>\n", out);
}

/* The matrix of result i and, of a sweep, below it which point this is. */
static void draw_names(const speed_results *s, int i, int x, int y, FILE *out)
{
    char point[BENCH_WAY];
    fprintf(out, "<text x=\"%d\" y=\"%d\" font-size=\"13\" text-anchor=\"end\">", x, y);
    svg_write_text(s->item[i]->matrix, NAMES / 9, out);
    fputs("</text>\n", out);
    if (bench_result_point(s->all, s->item[i], point)[0] == '\0') return;
    fprintf(out, "<text class=\"s\" x=\"%d\" y=\"%d\" font-size=\"10\" text-anchor=\"end\">", x,
            y + 11);
    svg_write_text(point, NAMES / 5, out);
    fputs("</text>\n", out);
}

static void draw_bars(const speed_results *s, const chart_kernels *kernels, const axis *x,
                      FILE *out)
{
    int y = SVG_HEAD + 6;
    for (int i = 0; i < s->count; i++, y += BAR) {
        if (speed_starts_matrix(s, i)) {
            y += i > 0 ? GAP : 0;
            draw_names(s, i, x->start - 10, y + 11, out);
        }
        if (bench_result_measured(s->item[i]))
            draw_bar(s->item[i], kernels, x, y, out);
        else
            tell_failure(s->item[i], x, y, out);
    }
}

void speed_draw_bars(const speed_results *s, FILE *out)
{
    const chart_kernels kernels = chart_collect(s->all, NULL);
    const double most = most_of(s);
    const int down = s->count * BAR + (s->matrices - 1) * GAP + 12;
    const axis x = {.label = "GFLOP/s",
                    .high = most * 1.02,
                    .start = NAMES,
                    .pixels = WIDTH - NAMES - LEGEND - 60};
    const axis y = {.label = "", .start = SVG_HEAD + down, .pixels = down};
    if (!(most > 0)) return;
    chart_begin(s->title,
                "GFLOP/s of one multiplication, median; longer is better; lines: 5 to 95 % of the "
                "samples",
                &kernels, WIDTH, chart_height(&kernels, 0, SVG_HEAD + down + FOOT), "", "", out);
    axes_draw(&x, &y, out);
    draw_bars(s, &kernels, &x, out);
    chart_legend(&kernels, CHART_BOX, WIDTH - LEGEND + 10, SVG_HEAD + 6, out);
    fputs("</svg>\n", out);
}
