/* chart.c -- the frame of a chart: axes, ticks, legend and the colours of kernels. */
#include "cli/bench/plot/chart.h"

#include <math.h>
#include <string.h>

enum { LINE = 18, LEGEND_ROOM = 28, OTHERS = 96, STYLE = 12000 };

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

static bool is_taken(const chart_kernels *kernels, int colour)
{
    for (int i = 0; i < kernels->count; i++)
        if (kernels->colour[i] == colour) return true;
    return false;
}

/* What stands beside our kernels, in neighbouring colours, which are far apart. */
static const char *const beside[] = {"cusparse:csr-1",    "cusparse:csr-2",    "cusparse:coo-1",
                                     "cusparse:coo-2",    "cusparse:sell",     "graphblas:csr",
                                     "mkl:csr",           "cusparse:mm-csr-1", "cusparse:mm-csr-2",
                                     "cusparse:mm-csr-3", "cusparse:mm-coo-4", "graphblas:mm-csr",
                                     "spgemm-gpu",        "spgemm-cpu",        "spgemm-serial",
                                     "cusparse:spgemm",   "cusparse:spgemm-1", "cusparse:spgemm-2",
                                     "cusparse:spgemm-3", "graphblas:spgemm",  "mkl:spgemm"};
enum { BESIDE = sizeof beside / sizeof beside[0] };

/* The colour of a name is that of its place in the table of kernels, or behind those in the list
 * above.  An unknown name has one by its letters, or the next that is free. */
static int colour_of(const chart_kernels *kernels, const char *name)
{
    unsigned hash = 2166136261u;
    const int ours = spmv_kernel_count(), known = ours + BESIDE;
    for (int i = 0; i < ours; i++)
        if (strcmp(spmv_kernel_at(i)->name, name) == 0) return i;
    for (int i = 0; i < BESIDE; i++)
        if (strcmp(beside[i], name) == 0) return ours + i;
    for (const char *p = name; *p != '\0'; p++) hash = (hash ^ (unsigned char)*p) * 16777619u;
    int colour = (int)(hash % OTHERS);
    while (is_taken(kernels, known + colour)) colour = (colour + 1) % OTHERS;
    return known + colour;
}

static const char *class_of(const chart_kernels *kernels, const char *name, char kind,
                            const char *otherwise, char text[CHART_CLASS])
{
    const int i = find(kernels, name);
    if (i < 0) return otherwise;
    snprintf(text, CHART_CLASS, "%c%d", kind, kernels->colour[i]);
    return text;
}

const char *chart_class(const chart_kernels *kernels, const char *name, char text[CHART_CLASS])
{
    return class_of(kernels, name, 'k', "s", text);
}

const char *chart_outline(const chart_kernels *kernels, const char *name, char text[CHART_CLASS])
{
    return class_of(kernels, name, 'l', "t", text);
}

static void add_kernel(chart_kernels *k, const char *name, int colour)
{
    k->name[k->count] = name;
    k->colour[k->count++] = colour;
}

/* Those of all devices, which have their colours together: a page has several charts. */
static chart_kernels collect_all(const bench_results *all)
{
    chart_kernels k = {.count = 0};
    for (int i = 0; i < all->count; i++) {
        const bench_result *r = &all->item[i];
        if (!bench_result_measured(r) || find(&k, r->kernel) >= 0) continue;
        if (k.count == CHART_KERNELS)
            k.more = true;
        else
            add_kernel(&k, r->kernel, colour_of(&k, r->kernel));
    }
    return k;
}

static bool is_measured_on(const bench_results *all, const char *kernel, const char *device_kind)
{
    for (int i = 0; i < all->count; i++)
        if (bench_result_measured(&all->item[i]) && strcmp(all->item[i].kernel, kernel) == 0 &&
            strcmp(all->item[i].device_kind, device_kind) == 0)
            return true;
    return false;
}

chart_kernels chart_collect(const bench_results *all, const char *device_kind)
{
    const chart_kernels every = collect_all(all);
    chart_kernels k = {.more = every.more};
    if (device_kind == NULL) return every;
    for (int i = 0; i < every.count; i++)
        if (is_measured_on(all, every.name[i], device_kind))
            add_kernel(&k, every.name[i], every.colour[i]);
    return k;
}

/* Hue, lightness and saturation go around in steps that keep the first 45 colours at least 15 units
 * of CIELAB apart from each other; lightness changes for eyes that see fewer hues. */
static void write_colour(int colour, char hex[8])
{
    static const double lightness[] = {0.32, 0.45, 0.58, 0.70}, saturation[] = {0.9, 0.5};
    const double hue = fmod(210 + colour * 77.0, 360) / 60, light = lightness[colour % 4];
    const double chroma = saturation[colour / 4 % 2] * (1 - fabs(2 * light - 1));
    double part[3];
    for (int i = 0; i < 3; i++) {
        const double at = fabs(fmod(hue - 2 * i + 9, 6) - 3); /* 3: all of it, below 1: nothing */
        part[i] = light - chroma / 2 + chroma * fmin(fmax(at - 1, 0), 1);
    }
    snprintf(hex, 8, "#%02x%02x%02x", (unsigned)(part[0] * 255.5), (unsigned)(part[1] * 255.5),
             (unsigned)(part[2] * 255.5));
}

int chart_height(const chart_kernels *kernels, int lines, int least)
{
    const int height = SVG_HEAD + (kernels->count + kernels->more + lines) * LINE + 20;
    return height > least ? height : least;
}

void chart_legend(const chart_kernels *kernels, int x, int y, FILE *out)
{
    for (int i = 0; i < kernels->count; i++, y += LINE) {
        fprintf(out, "<path class=\"k%d\" d=\"M%d %dh12v12h-12z\"/>\n", kernels->colour[i], x, y);
        fprintf(out, "<text x=\"%d\" y=\"%d\" font-size=\"13\">", x + LEGEND_ROOM - 8, y + 11);
        svg_write_text(kernels->name[i], LEGEND_ROOM, out);
        fputs("</text>\n", out);
    }
    if (kernels->more)
        fprintf(out, "<text x=\"%d\" y=\"%d\" font-size=\"13\">and others</text>\n",
                x + LEGEND_ROOM - 8, y + 11);
}

/* ---- The frame ------------------------------------------------------------------------------ */

void chart_begin(const char *title, const char *below, const chart_kernels *kernels, int width,
                 int height, FILE *out)
{
    char light[STYLE], hex[8];
    int n = snprintf(light, sizeof light,
                     ".t{stroke:#d5dae0;fill:none}.c{stroke:#1b1f24;fill:none;stroke-width:1.5}"
                     ".d{stroke-dasharray:5 4}");
    for (int i = 0; i < kernels->count; i++) {
        const int colour = kernels->colour[i];
        write_colour(colour, hex);
        n += snprintf(light + n, sizeof light - (size_t)n,
                      ".k%d{fill:%s}.l%d{stroke:%s;fill:none;stroke-width:2}", colour, hex, colour,
                      hex);
    }
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
