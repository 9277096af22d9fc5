/* plot_roofline.c -- how near to what the machine allows: a roofline with two roofs.
 *
 * The first roof is the bandwidth: a multiplication of intensity i (operations per byte that plain
 * CSR moves) cannot exceed i times the rate at which memory is read.  The second is the gather: two
 * operations, of complex numbers more, for each number of x that is fetched from a random place; it
 * depends on the length of x, and stands as a short bar at each matrix.  Above the first roof,
 * which is shaded, lies what the caches hold, or what is stored in fewer bytes; above the second,
 * where x is in a cache. */
#include "cli/bench/plot/chart.h"
#include "cli/bench/plot/plot.h"
#include "cli/tool/steps.h"

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

/* The type that a record names; SPMV_PATTERN, of real numbers, where it names none. */
static spmv_type type_at(const bench_result *r, const char *path)
{
    const char *name = report_text_at(r->record, path);
    int type = SPMV_TYPES - 1;
    while (type > SPMV_PATTERN && strcmp(spmv_type_name((spmv_type)type), name) != 0) type--;
    return (spmv_type)type;
}

/* GFLOP/s that the gather allows; NaN where it was not measured. */
static double gather_roof(const bench_result *r)
{
    return step_product_flops(type_at(r, "matrix.type"), type_at(r, "precision")) * r->gather *
           1e-9;
}

/* ---- Axes and roofs ------------------------------------------------------------------------- */

/* The axes, and a result to take the machine from, of several the fastest; NULL where there is
 * none. */
static const bench_result *fit(const bench_results *all, const char *kind, axis *x, axis *y)
{
    const bench_result *any = NULL;
    double left = INFINITY, right = 0, low = INFINITY, high = 0;
    for (int i = 0; i < all->count; i++) {
        const bench_result *r = &all->item[i];
        if (!belongs(r, kind)) continue;
        if (any == NULL || isnan(any->stream) || r->stream > any->stream) any = r;
        left = fmin(left, intensity(r));
        right = fmax(right, intensity(r));
        low = fmin(low, r->warm.gflops);
        high = fmax(high, fmax(r->warm.gflops, intensity(r) * r->stream * 1e-9));
        high = fmax(high, gather_roof(r)); /* fmax leaves NaN out */
    }
    if (any == NULL) return NULL;
    axis_fit(y, low, high);
    x->logarithmic = true;
    x->low = left / 1.25;
    x->high = right * 1.25;
    return any;
}

/* Whose roofs they are: where the points are of several devices, that is said. */
static const char *name_machine(const bench_results *all, const char *kind,
                                const bench_result *machine, char text[BENCH_TEXT])
{
    for (int i = 0; i < all->count && machine->stream > 0; i++) {
        if (!belongs(&all->item[i], kind)) continue;
        if (strcmp(all->item[i].device, machine->device) == 0) continue;
        snprintf(text, BENCH_TEXT, "roofs of %.48s; points of other devices, too", machine->device);
        return text;
    }
    return machine->device;
}

/* Where y = x rate enters and leaves the frame, in operations per byte. */
typedef struct roof {
    double gflops, from, to; /* GFLOP/s at one operation per byte */
} roof;

static bool find_roof(const axis *x, const axis *y, double rate, roof *out)
{
    const double gflops = rate * 1e-9;
    *out = (roof){gflops, fmin(fmax(x->low, y->low / gflops), x->high),
                  fmax(fmin(x->high, y->high / gflops), x->low)};
    return gflops > 0 && out->from < out->to;
}

static void draw_roof(const axis *x, const axis *y, double rate, const char *class, FILE *out)
{
    roof r;
    if (!find_roof(x, y, rate, &r)) return;
    fprintf(out, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", class,
            x->start + axis_place(x, r.from), y->start - axis_place(y, r.from * r.gflops),
            x->start + axis_place(x, r.to), y->start - axis_place(y, r.to * r.gflops));
}

/* Memory does not reach what is above it. */
static void shade_above(const axis *x, const axis *y, double rate, FILE *out)
{
    roof r;
    if (!find_roof(x, y, rate, &r)) return;
    fprintf(out, "<path class=\"a\" d=\"M%d %.1fL%.1f %.1fL%.1f %.1fV%dH%dz\"/>\n", x->start,
            y->start - axis_place(y, r.from * r.gflops), x->start + axis_place(x, r.from),
            y->start - axis_place(y, r.from * r.gflops), x->start + axis_place(x, r.to),
            y->start - axis_place(y, r.to * r.gflops), y->start - y->pixels, x->start);
}

/* ---- Points --------------------------------------------------------------------------------- */

static void draw_point(const bench_result *r, const chart_kernels *kernels, double x, double y,
                       FILE *out)
{
    char doubt[BENCH_TEXT], class[CHART_CLASS];
    const char *why = bench_result_doubt(r, doubt);
    fprintf(out, "<path class=\"%s\" d=\"M%.1f %.1f%s\"><title>",
            why == NULL ? chart_class(kernels, r->kernel, class)
                        : chart_outline(kernels, r->kernel, class),
            x, y, chart_shape(chart_colour(kernels, r->kernel)));
    svg_write_text(r->matrix, 60, out);
    fputs(", ", out);
    svg_write_text(r->kernel, 40, out);
    fprintf(out, ": %.4g GFLOP/s%s%s%s</title></path>\n", r->warm.gflops,
            r->warm.bandwidth > r->stream ? ", above what memory delivers" : "",
            why != NULL ? ", " : "", why != NULL ? why : "");
}

static void draw_points(const bench_results *all, const char *kind, const chart_kernels *kernels,
                        const axis *x, const axis *y, FILE *out)
{
    for (int i = 0; i < all->count; i++) {
        const bench_result *r = &all->item[i];
        if (!belongs(r, kind)) continue;
        const double across = x->start + axis_place(x, intensity(r));
        if (gather_roof(r) > 0)
            fprintf(out, "<path class=\"e\" d=\"M%.1f %.1fh18\"/>\n", across - 9,
                    y->start - axis_place(y, gather_roof(r)));
    }
    fputs("<g class=\"o\">\n", out);
    for (int i = 0; i < all->count; i++) {
        const bench_result *r = &all->item[i];
        if (belongs(r, kind))
            draw_point(r, kernels, x->start + axis_place(x, intensity(r)),
                       y->start - axis_place(y, r->warm.gflops), out);
    }
    fputs("</g>\n", out);
}

static bool any_doubt(const bench_results *all, const char *kind)
{
    for (int i = 0; i < all->count; i++)
        if (belongs(&all->item[i], kind) && !bench_result_counts(&all->item[i])) return true;
    return false;
}

/* ---- What lines and points mean, below the kernels --------------------------------------------
 */

/* One line, with or without a path of this class before it; returns the place of the next. */
static int explain(const char *class, const char *path, const char *text, int x, int y, FILE *out)
{
    y += class != NULL ? 4 : -2;
    if (class != NULL)
        fprintf(out, "<path class=\"%s\" d=\"M%d %d%s\"/>", class, x - 4, y - 4, path);
    fprintf(out, "<text%s x=\"%d\" y=\"%d\" font-size=\"%d\">%s</text>\n",
            class == NULL ? " class=\"s\"" : "", x + 20, y, class == NULL ? 12 : 13, text);
    return y + CHART_LINE_HEIGHT;
}

enum { KEY_LINES = 12 };

static void draw_key(const bench_result *machine, bool theoretical, bool doubted, int x, int y,
                     FILE *out)
{
    char text[BENCH_TEXT];
    const char *line = "h20";
    if (machine->stream > 0) {
        snprintf(text, sizeof text, "memory: %.4g GB/s", machine->stream * 1e-9);
        y = explain("c", line, text, x, y, out);
        y = explain(NULL, "", "as measured by reading", x, y, out);
        y = explain("a", "v-6h20v12h-20z", "above memory", x, y, out);
        y = explain(NULL, "", "caches hold the data, or", x, y, out);
        y = explain(NULL, "", "fewer bytes than CSR", x, y, out);
    }
    if (theoretical) {
        snprintf(text, sizeof text, "data sheet: %.4g GB/s", machine->theoretical * 1e-9);
        y = explain("c d", line, text, x, y, out);
    }
    if (machine->gather > 0) {
        y = explain("e", line, "gathering x", x, y, out);
        y = explain(NULL, "", "the limit if entries of x", x, y, out);
        y = explain(NULL, "", "lie in random places", x, y, out);
    }
    if (doubted)
        explain("c", "m5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0", "wrong or not verified", x, y, out);
}

static const char light[] = ".a{fill:#dbe9f6;fill-opacity:.6}.e{stroke:#8c959f;stroke-width:1.5}"
                            ".o{fill-opacity:.85;stroke:#fff;stroke-width:.6}";
static const char dark[] = ".a{fill:#16324a;fill-opacity:.6}.o{stroke:#0d1117}";

static bool draw(const bench_results *all, const char *kind, FILE *out)
{
    const int across = WIDTH - LEFT - LEGEND - 20, down = HEIGHT - SVG_HEAD - FOOT;
    axis x = {.label = "operations per byte that plain CSR moves (FLOP/B)",
              .start = LEFT,
              .pixels = across};
    axis y = {.label = "GFLOP/s", .start = SVG_HEAD + down, .pixels = down};
    const chart_kernels kernels = chart_collect(all, kind);
    const bench_result *machine = fit(all, kind, &x, &y);
    const bool gpu = strcmp(kind, "gpu") == 0;
    char name[BENCH_TEXT];
    const int beside = WIDTH - LEGEND + 10;
    const int below = SVG_HEAD + 6 + (kernels.count + kernels.more) * CHART_LINE_HEIGHT + 22;
    if (machine == NULL) return true;

    chart_begin(gpu ? "Roofline, GPU" : "Roofline, CPU", name_machine(all, kind, machine, name),
                &kernels, WIDTH, chart_height(&kernels, KEY_LINES, HEIGHT), light, dark, out);
    shade_above(&x, &y, machine->stream, out);
    axes_draw(&x, &y, out);
    draw_points(all, kind, &kernels, &x, &y, out);
    draw_roof(&x, &y, machine->stream, "c", out);
    if (gpu) draw_roof(&x, &y, machine->theoretical, "c d", out);
    chart_legend(&kernels, CHART_POINT, beside, SVG_HEAD + 6, out);
    draw_key(machine, gpu && machine->theoretical > 0, any_doubt(all, kind), beside, below, out);
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
