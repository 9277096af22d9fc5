/* chart.c -- the frame of a chart: axes, ticks, legend and the colours of kernels. */
#include "cli/bench/plot/chart.h"

#include <math.h>
#include <string.h>

enum { COLOURS = 12, LINE = 18, LEGEND_ROOM = 28 };

/* Told apart by eyes that see fewer colours, too: lightness changes with the hue. */
static const char *const colours[COLOURS] = {"#1f6fb4", "#e8811a", "#2f9e44", "#c92a2a",
                                             "#7b4fb5", "#8c5a3c", "#d6529f", "#6b7280",
                                             "#9aa511", "#16a3b8", "#89b8e0", "#f2b57a"};

double chart_place(const chart_axis *axis, double value)
{
    const double share = axis->logarithmic ? log(value / axis->low) / log(axis->high / axis->low)
                                           : (value - axis->low) / (axis->high - axis->low);
    return fmin(fmax(share, 0), 1) * axis->pixels;
}

void chart_fit(chart_axis *axis, double least, double most)
{
    axis->logarithmic = true;
    axis->low = pow(10, floor(2 * log10(least)) / 2);
    axis->high = pow(10, ceil(2 * log10(most)) / 2);
    if (axis->high <= axis->low) axis->high = axis->low * sqrt(10);
}

/* ---- Kernels -------------------------------------------------------------------------------- */

/* Returns -1 where it is not there. */
static int find(const chart_kernels *kernels, const char *name)
{
    for (int i = 0; i < kernels->count; i++)
        if (strcmp(kernels->name[i], name) == 0) return i;
    return -1;
}

const char *chart_class(const chart_kernels *kernels, const char *name)
{
    static const char *const classes[COLOURS] = {"k0", "k1", "k2", "k3", "k4",  "k5",
                                                 "k6", "k7", "k8", "k9", "k10", "k11"};
    const int i = find(kernels, name);
    return i >= 0 ? classes[i % COLOURS] : "s";
}

const char *chart_outline(const chart_kernels *kernels, const char *name)
{
    static const char *const classes[COLOURS] = {"l0", "l1", "l2", "l3", "l4",  "l5",
                                                 "l6", "l7", "l8", "l9", "l10", "l11"};
    const int i = find(kernels, name);
    return i >= 0 ? classes[i % COLOURS] : "t";
}

chart_kernels chart_collect(const bench_results *all, const char *device_kind)
{
    chart_kernels k = {.count = 0};
    for (int i = 0; i < all->count; i++) {
        const bench_result *r = &all->item[i];
        if (!bench_result_measured(r) || find(&k, r->kernel) >= 0 ||
            (device_kind != NULL && strcmp(r->device_kind, device_kind) != 0))
            continue;
        if (k.count == CHART_KERNELS)
            k.more = true;
        else
            k.name[k.count++] = r->kernel;
    }
    return k;
}

int chart_height(const chart_kernels *kernels, int lines, int least)
{
    const int height = SVG_HEAD + (kernels->count + kernels->more + lines) * LINE + 20;
    return height > least ? height : least;
}

void chart_legend(const chart_kernels *kernels, int x, int y, FILE *out)
{
    for (int i = 0; i < kernels->count; i++, y += LINE) {
        fprintf(out, "<path class=\"k%d\" d=\"M%d %dh12v12h-12z\"/>\n", i % COLOURS, x, y);
        fprintf(out, "<text x=\"%d\" y=\"%d\" font-size=\"13\">", x + LEGEND_ROOM - 8, y + 11);
        svg_write_text(kernels->name[i], LEGEND_ROOM, out);
        fputs("</text>\n", out);
    }
    if (kernels->more)
        fprintf(out, "<text x=\"%d\" y=\"%d\" font-size=\"13\">and others</text>\n",
                x + LEGEND_ROOM - 8, y + 11);
}

/* ---- The frame ------------------------------------------------------------------------------ */

void chart_begin(const char *title, const char *below, int width, int height, FILE *out)
{
    char light[2048];
    int n = snprintf(light, sizeof light,
                     ".t{stroke:#d5dae0;fill:none}.c{stroke:#1b1f24;fill:none;stroke-width:1.5}"
                     ".d{stroke-dasharray:5 4}");
    for (int i = 0; i < COLOURS; i++)
        n += snprintf(light + n, sizeof light - (size_t)n,
                      ".k%d{fill:%s}.l%d{stroke:%s;fill:none;stroke-width:2}", i, colours[i], i,
                      colours[i]);
    svg_begin(title, width, height, light, ".t{stroke:#2b323b}.c{stroke:#e6edf3}", out);
    svg_heading(title, below, width, out);
}

static void tick(const chart_axis *x, const chart_axis *y, const chart_axis *axis, double value,
                 FILE *out)
{
    const double at = chart_place(axis, value);
    if (axis == x)
        fprintf(out,
                "<path class=\"t\" d=\"M%.1f %dv-%d\"/><text class=\"s\" x=\"%.1f\" y=\"%d\" "
                "font-size=\"12\" text-anchor=\"middle\">%g</text>\n",
                x->start + at, y->start, y->pixels, x->start + at, y->start + 17, value);
    else
        fprintf(out,
                "<path class=\"t\" d=\"M%d %.1fh%d\"/><text class=\"s\" x=\"%d\" y=\"%.1f\" "
                "font-size=\"12\" text-anchor=\"end\">%g</text>\n",
                x->start, y->start - at, x->pixels, x->start - 7, y->start - at + 4, value);
}

/* The ticks of a logarithmic axis are 1, 2 and 5 of every power of ten, those of a linear one about
 * six. */
static void ticks(const chart_axis *x, const chart_axis *y, const chart_axis *axis, FILE *out)
{
    static const double mantissas[] = {1, 2, 5};
    const double slack = 1e-9 * (axis->high - axis->low);
    if (!axis->logarithmic) {
        const double raw = (axis->high - axis->low) / 6, power = pow(10, floor(log10(raw)));
        const double step = power * (raw / power > 5 ? 10 : raw / power > 2 ? 5 : 2);
        for (int i = 0; axis->low + i * step <= axis->high + slack; i++)
            tick(x, y, axis, axis->low + i * step, out);
        return;
    }
    for (int e = (int)floor(log10(axis->low)); e <= (int)ceil(log10(axis->high)); e++)
        for (int m = 0; m < 3; m++) {
            const double value = mantissas[m] * pow(10, e);
            if (value < axis->low - slack || value > axis->high + slack) continue;
            tick(x, y, axis, value, out);
        }
}

void chart_axes(const chart_axis *x, const chart_axis *y, FILE *out)
{
    ticks(x, y, x, out);
    if (y->high > y->low) ticks(x, y, y, out);
    fprintf(out, "<text class=\"s\" x=\"%d\" y=\"%d\" font-size=\"13\" text-anchor=\"middle\">",
            x->start + x->pixels / 2, y->start + 38);
    svg_write_text(x->label, 80, out);
    fprintf(out,
            "</text>\n<text class=\"s\" transform=\"translate(%d %d) rotate(-90)\" "
            "font-size=\"13\" text-anchor=\"middle\">",
            x->start - 48, y->start - y->pixels / 2);
    svg_write_text(y->label, 80, out);
    fputs("</text>\n", out);
}
