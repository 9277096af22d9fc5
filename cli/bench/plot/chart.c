/* chart.c -- the colours, shapes and dashes of kernels, and the legend of a chart. */
#include "cli/bench/plot/chart.h"

#include <math.h>
#include <string.h>

enum { LEGEND_ROOM = 28, OTHERS = 96, STYLE = 12000 };

/* ---- Kernels -------------------------------------------------------------------------------- */

/* Returns -1 where it is not there. */
static int find(const chart_kernels *kernels, const char *name)
{
    for (int i = 0; i < kernels->count; i++)
        if (strcmp(kernels->name[i], name) == 0) return i;
    return -1;
}

int chart_colour(const chart_kernels *kernels, const char *name)
{
    const int i = find(kernels, name);
    return i >= 0 ? kernels->colour[i] : 0;
}

static bool is_taken(const chart_kernels *kernels, int colour)
{
    for (int i = 0; i < kernels->count; i++)
        if (kernels->colour[i] == colour) return true;
    return false;
}

/* What stands beside our kernels, in neighbouring colours, which are far apart. */
static const char *const beside[] = {
    "cusparse:csr-1",    "cusparse:csr-2",    "cusparse:coo-1",    "cusparse:coo-2",
    "cusparse:sell",     "graphblas:csr",     "mkl:csr",           "cusparse:mm-csr-1",
    "cusparse:mm-csr-2", "cusparse:mm-csr-3", "cusparse:mm-coo-4", "graphblas:mm-csr",
    "spgemm-gpu",        "spgemm-cpu",        "spgemm-serial",     "cusparse:spgemm",
    "cusparse:spgemm-1", "cusparse:spgemm-2", "cusparse:spgemm-3", "graphblas:spgemm",
    "mkl:spgemm",        "spgemm-gpus"};
enum { BESIDE = sizeof beside / sizeof beside[0] };

/* The colour of a name is that of its place in the table of kernels, or after those in the list
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
 * of CIELAB apart from each other; lightness changes for eyes that see fewer hues.  On dark ground
 * all are lighter. */
static void write_colour(int colour, bool on_dark, char hex[8])
{
    static const double lightness[2][4] = {{0.32, 0.45, 0.58, 0.70}, {0.46, 0.58, 0.70, 0.80}};
    static const double saturation[] = {0.9, 0.5};
    const double hue = fmod(210 + colour * 77.0, 360) / 60, light = lightness[on_dark][colour % 4];
    const double chroma = saturation[colour / 4 % 2] * (1 - fabs(2 * light - 1));
    double part[3];
    for (int i = 0; i < 3; i++) {
        const double at = fabs(fmod(hue - 2 * i + 9, 6) - 3); /* 3: all of it, below 1: nothing */
        part[i] = light - chroma / 2 + chroma * fmin(fmax(at - 1, 0), 1);
    }
    snprintf(hex, 8, "#%02x%02x%02x", (unsigned)(part[0] * 255.5), (unsigned)(part[1] * 255.5),
             (unsigned)(part[2] * 255.5));
}

/* ---- The picture ---------------------------------------------------------------------------- */

/* `text` is followed by the colours of the kernels. */
static void add_colours(const chart_kernels *kernels, bool on_dark, char text[STYLE])
{
    size_t n = strlen(text);
    char hex[8];
    for (int i = 0; i < kernels->count; i++) {
        const int colour = kernels->colour[i];
        write_colour(colour, on_dark, hex);
        n += (size_t)snprintf(text + n, STYLE - n, ".k%d{fill:%s}.l%d{stroke:%s%s}", colour, hex,
                              colour, hex, on_dark ? "" : ";fill:none;stroke-width:2");
    }
}

void chart_begin(const char *title, const char *below, const chart_kernels *kernels, int width,
                 int height, const char *light, const char *dark, FILE *out)
{
    char on_light[STYLE], on_dark[STYLE];
    snprintf(on_light, sizeof on_light,
             ".y1{stroke-dasharray:14 3}.y2{stroke-dasharray:8 4}.y3{stroke-dasharray:8 3 2 3}"
             ".y4{stroke-dasharray:3 3}");
    add_colours(kernels, false, on_light);
    strncat(on_light, light, sizeof on_light - strlen(on_light) - 1);
    snprintf(on_dark, sizeof on_dark, "%s", dark);
    add_colours(kernels, true, on_dark);
    svg_begin(title, width, height, on_light, on_dark, out);
    svg_heading(title, below, width, out);
}

/* Colours that are alike differ in their shape and dashes. */
const char *chart_shape(int colour)
{
    static const char *const shapes[] = {"m-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0",
                                         "m-4.5-4.5h9v9h-9z",
                                         "m0-6.5l6 10.5h-12z",
                                         "m0-6.5l6 6.5l-6 6.5l-6-6.5z",
                                         "m0 6.5l6-10.5h-12z",
                                         "m-2-6h4v4h4v4h-4v4h-4v-4h-4v-4h4z",
                                         "m6.5 0l-10.5-6v12z"};
    return shapes[(2 * colour + colour / 10) % (int)(sizeof shapes / sizeof shapes[0])];
}

int chart_dash(int colour)
{
    return (4 * colour + colour / 14) % CHART_DASHES;
}

int chart_height(const chart_kernels *kernels, int lines, int least)
{
    const int height = SVG_HEAD + (kernels->count + kernels->more + lines) * CHART_LINE_HEIGHT + 20;
    return height > least ? height : least;
}

static void draw_mark(chart_mark mark, int colour, int x, int y, FILE *out)
{
    if (mark == CHART_BOX)
        fprintf(out, "<path class=\"k%d\" d=\"M%d %dh12v12h-12z\"/>\n", colour, x, y);
    else if (mark == CHART_POINT)
        fprintf(out, "<path class=\"k%d\" d=\"M%d %d%s\"/>\n", colour, x + 6, y + 6,
                chart_shape(colour));
    else
        fprintf(out, "<path class=\"l%d y%d\" d=\"M%d %dh24\"/>\n", colour, colour % CHART_DASHES,
                x - 10, y + 6);
}

void chart_legend(const chart_kernels *kernels, chart_mark mark, int x, int y, FILE *out)
{
    for (int i = 0; i < kernels->count; i++, y += CHART_LINE_HEIGHT) {
        draw_mark(mark, kernels->colour[i], x, y, out);
        fprintf(out, "<text x=\"%d\" y=\"%d\" font-size=\"13\">", x + LEGEND_ROOM - 8, y + 11);
        svg_write_text(kernels->name[i], LEGEND_ROOM, out);
        fputs("</text>\n", out);
    }
    if (kernels->more)
        fprintf(out, "<text x=\"%d\" y=\"%d\" font-size=\"13\">and others</text>\n",
                x + LEGEND_ROOM - 8, y + 11);
}
