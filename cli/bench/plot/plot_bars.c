/* plot_bars.c -- GFLOP/s of every kernel as bars, a group for each matrix. */
#include "cli/bench/plot/chart.h"
#include "cli/bench/show/export.h"
#include "cli/bench/plot/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    WIDTH = 900,
    NAMES = 190, /* left of the bars */
    LEGEND = 170,
    BAR = 13,
    GAP = 14,  /* between matrices */
    MOST = 30, /* matrices in one picture */
    FOOT = 56,
    CACHE = 32 << 20 /* where the record does not say */
};

/* One bar each, matrices one after the other. */
typedef struct bars {
    const bench_result **item;
    int count, matrices, left_out;
    double most;
} bars;

static bool fits_cache(const bench_result *r)
{
    const int64_t cache = report_integer_at(r->record, "device.cache_bytes");
    return r->useful_bytes <= (double)(cache > 0 ? cache : CACHE);
}

static bool starts_matrix(const bars *b, int i)
{
    return i == 0 || !bench_result_same_matrix(b->item[i - 1], b->item[i]);
}

/* The bars of the matrix of result i, if that is the first of it. */
static void collect_matrix(bars *b, const bench_results *all, int i, bool small)
{
    int n = 0;
    for (int k = 0; k < i; k++)
        if (bench_result_same_matrix(&all->item[k], &all->item[i])) return;
    for (int k = i; k < all->count; k++) {
        const bench_result *r = &all->item[k];
        if (!bench_result_same_matrix(r, &all->item[i]) || !bench_result_measured(r) ||
            fits_cache(r) != small)
            continue;
        if (n++ == 0 && b->matrices == MOST) {
            b->left_out++;
            return;
        }
        b->item[b->count++] = r;
        b->most = fmax(b->most, r->warm.gflops);
    }
    b->matrices += n > 0;
}

static void draw_bar(const bench_result *r, const chart_kernels *kernels, const chart_axis *x,
                     int y, FILE *out)
{
    char text[BENCH_TEXT], doubt[BENCH_TEXT], class[CHART_CLASS];
    const char *why = bench_result_doubt(r, doubt);
    const double length = chart_place(x, r->warm.gflops);
    fprintf(out, "<path class=\"%s\" d=\"M%d %dh%.1fv%dH%dz\"><title>",
            chart_class(kernels, r->kernel, class), x->start, y, length, BAR - 2, x->start);
    svg_write_text(r->kernel, 40, out);
    fprintf(out, ": %s</title></path>", bench_show_time(r->warm.median, text));
    fprintf(out, "<text class=\"s\" x=\"%.1f\" y=\"%d\" font-size=\"10\">%s%s%s</text>\n",
            x->start + length + 4, y + BAR - 4, bench_show_rate(r->warm.gflops, text),
            why != NULL ? ", " : "", why != NULL ? why : "");
}

static void draw_bars(const bars *b, const chart_kernels *kernels, const chart_axis *x, FILE *out)
{
    int y = SVG_HEAD + 6;
    for (int i = 0; i < b->count; i++, y += BAR) {
        if (starts_matrix(b, i)) {
            y += i > 0 ? GAP : 0;
            fprintf(out, "<text x=\"%d\" y=\"%d\" font-size=\"13\" text-anchor=\"end\">",
                    x->start - 10, y + 11);
            svg_write_text(b->item[i]->matrix, NAMES / 8, out);
            fputs("</text>\n", out);
        }
        draw_bar(b->item[i], kernels, x, y, out);
    }
}

static bool draw(const bench_results *all, bool small, FILE *out)
{
    bars b = {.item = calloc((size_t)all->count + 1, sizeof *b.item)};
    const chart_kernels kernels = chart_collect(all, NULL);
    const char *title = small ? "Small matrices: they fit the last-level cache"
                              : "Large matrices: they are read from memory";
    char below[128] = "GFLOP/s of one multiplication, median; longer is better";
    if (b.item == NULL) return false;
    for (int i = 0; i < all->count; i++) collect_matrix(&b, all, i, small);
    if (b.left_out > 0)
        snprintf(below, sizeof below, "GFLOP/s, median; the first %d of %d matrices", b.matrices,
                 b.matrices + b.left_out);
    if (b.count > 0 && b.most > 0) {
        const int down = b.count * BAR + (b.matrices - 1) * GAP + 12;
        const int height = chart_height(&kernels, 0, SVG_HEAD + down + FOOT);
        const chart_axis x = {.label = "GFLOP/s",
                              .high = b.most * 1.02,
                              .start = NAMES,
                              .pixels = WIDTH - NAMES - LEGEND - 40};
        const chart_axis y = {.label = "", .start = SVG_HEAD + down, .pixels = down};
        chart_begin(title, below, &kernels, WIDTH, height, out);
        chart_axes(&x, &y, out);
        draw_bars(&b, &kernels, &x, out);
        chart_legend(&kernels, WIDTH - LEGEND + 10, SVG_HEAD + 6, out);
        fputs("</svg>\n", out);
    }
    free(b.item);
    return true;
}

bool plot_small(const bench_results *all, FILE *out)
{
    return draw(all, true, out);
}

bool plot_large(const bench_results *all, FILE *out)
{
    return draw(all, false, out);
}
