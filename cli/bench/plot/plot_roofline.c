/* plot_roofline.c -- how near to what the machine allows: a roofline with two roofs.
 *
 * The first roof is the bandwidth: a multiplication of intensity i (operations per byte that plain
 * CSR moves) cannot exceed i times the rate at which memory is read.  The second is the gather: two
 * operations for each number of x that is fetched from a random place; it depends on the length of
 * x, and stands as a short bar at each matrix.  Above a roof lies what the caches hold, or what is
 * stored in fewer bytes. */
#include "cli/bench/plot/chart.h"
#include "cli/bench/plot/plot.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 900, HEIGHT = 560, LEFT = 76, LEGEND = 190, FOOT = 56 };

static double intensity(const bench_result *r)
{
    return r->warm.gflops * 1e9 / r->warm.bandwidth;
}

static bool belongs(const bench_result *r, const char *kind)
{
    return strcmp(r->device_kind, kind) == 0 && bench_result_measured(r) && r->warm.gflops > 0 &&
           intensity(r) > 0 && isfinite(intensity(r));
}

/* GFLOP/s that the gather allows; NaN where it was not measured. */
static double gather_roof(const bench_result *r)
{
    return 2 * r->gather * 1e-9;
}

/* The axes, and a result to take the machine from; NULL where there is none. */
static const bench_result *fit(const bench_results *all, const char *kind, chart_axis *x,
                               chart_axis *y)
{
    const bench_result *any = NULL;
    double left = INFINITY, right = 0, low = INFINITY, high = 0;
    for (int i = 0; i < all->count; i++) {
        const bench_result *r = &all->item[i];
        if (!belongs(r, kind)) continue;
        any = r;
        left = fmin(left, intensity(r));
        right = fmax(right, intensity(r));
        low = fmin(low, r->warm.gflops);
        high = fmax(high, fmax(r->warm.gflops, intensity(r) * r->stream * 1e-9));
        high = fmax(high, gather_roof(r)); /* fmax leaves NaN out */
    }
    if (any == NULL) return NULL;
    chart_fit(y, low, high);
    x->logarithmic = true;
    x->low = left / 1.25;
    x->high = right * 1.25;
    return any;
}

/* y = x rate, cut where it leaves the frame; its label is so many pixels below the usual place. */
static void draw_roof(const chart_axis *x, const chart_axis *y, double rate, const char *class,
                      const char *label, int label_below, FILE *out)
{
    const double gflops = rate * 1e-9;
    const double from = fmin(fmax(x->low, y->low / gflops), x->high);
    const double to = fmax(fmin(x->high, y->high / gflops), x->low);
    if (!(gflops > 0) || !(from < to)) return;
    const double end = y->start - chart_place(y, to * gflops);
    fprintf(out, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", class,
            x->start + chart_place(x, from), y->start - chart_place(y, from * gflops),
            x->start + chart_place(x, to), end);
    fprintf(out,
            "<text class=\"s\" x=\"%.1f\" y=\"%.1f\" font-size=\"12\" text-anchor=\"end\">"
            "%s %.4g GB/s</text>\n",
            x->start + chart_place(x, to) - 6, end - 7 + label_below, label, gflops);
}

static void draw_points(const bench_results *all, const char *kind, const chart_kernels *kernels,
                        const chart_axis *x, const chart_axis *y, FILE *out)
{
    for (int i = 0; i < all->count; i++) {
        const bench_result *r = &all->item[i];
        if (!belongs(r, kind)) continue;
        const double across = x->start + chart_place(x, intensity(r));
        if (gather_roof(r) > 0)
            fprintf(out, "<path class=\"c\" d=\"M%.1f %.1fh18\"/>\n", across - 9,
                    y->start - chart_place(y, gather_roof(r)));
        char doubt[BENCH_TEXT], class[CHART_CLASS];
        const char *why = bench_result_doubt(r, doubt);
        fprintf(out, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"5\"><title>",
                why == NULL ? chart_class(kernels, r->kernel, class)
                            : chart_outline(kernels, r->kernel, class),
                across, y->start - chart_place(y, r->warm.gflops));
        svg_write_text(r->matrix, 60, out);
        fputs(", ", out);
        svg_write_text(r->kernel, 40, out);
        fprintf(out, ": %.4g GFLOP/s%s%s</title></circle>\n", r->warm.gflops,
                why != NULL ? ", " : "", why != NULL ? why : "");
    }
}

static bool any_doubt(const bench_results *all, const char *kind)
{
    for (int i = 0; i < all->count; i++)
        if (belongs(&all->item[i], kind) && !bench_result_counts(&all->item[i])) return true;
    return false;
}

/* Says what the lines and points mean, below the kernels. */
static void draw_key(bool doubted, int x, int y, FILE *out)
{
    fprintf(out,
            "<path class=\"c\" d=\"M%d %dl16 -8\"/><text x=\"%d\" y=\"%d\" font-size=\"13\">"
            "reading memory</text>\n",
            x - 2, y - 1, x + 20, y);
    fprintf(out,
            "<path class=\"c\" d=\"M%d %dh16\"/><text x=\"%d\" y=\"%d\" font-size=\"13\">"
            "gathering x</text>\n",
            x - 2, y + 15, x + 20, y + 19);
    if (doubted)
        fprintf(out,
                "<path class=\"c\" d=\"M%d %da5 5 0 1 0 10 0a5 5 0 1 0 -10 0\"/><text x=\"%d\" "
                "y=\"%d\" font-size=\"13\">wrong or not verified</text>\n",
                x + 1, y + 34, x + 20, y + 38);
}

static bool draw(const bench_results *all, const char *kind, FILE *out)
{
    const int across = WIDTH - LEFT - LEGEND - 20, down = HEIGHT - SVG_HEAD - FOOT;
    chart_axis x = {.label = "operations per byte of plain CSR", .start = LEFT, .pixels = across};
    chart_axis y = {.label = "GFLOP/s", .start = SVG_HEAD + down, .pixels = down};
    const chart_kernels kernels = chart_collect(all, kind);
    const bench_result *machine = fit(all, kind, &x, &y);
    const bool gpu = strcmp(kind, "gpu") == 0;
    const int beside = WIDTH - LEGEND + 10,
              below = SVG_HEAD + 6 + (kernels.count + kernels.more) * 18 + 22;
    if (machine == NULL) return true;

    chart_begin("Roofline", machine->device, &kernels, WIDTH, chart_height(&kernels, 3, HEIGHT),
                out);
    chart_axes(&x, &y, out);
    draw_roof(&x, &y, machine->stream, "c", "measured", gpu ? 34 : 0, out);
    if (gpu) draw_roof(&x, &y, machine->theoretical, "c d", "theoretical", 0, out);
    draw_points(all, kind, &kernels, &x, &y, out);
    chart_legend(&kernels, beside, SVG_HEAD + 6, out);
    draw_key(any_doubt(all, kind), beside, below, out);
    fputs("</svg>\n", out);
    return true;
}

bool plot_roofline_cpu(const bench_results *all, FILE *out)
{
    return draw(all, "cpu", out);
}

bool plot_roofline_gpu(const bench_results *all, FILE *out)
{
    return draw(all, "gpu", out);
}
