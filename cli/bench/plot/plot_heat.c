/* plot_heat.c -- the speed-up of every kernel on many matrices as a heat map: a thin row for each
 * matrix, the best speed-up first, and a column for each kernel, the best geometric mean first. */
#include "cli/bench/plot/heat_map.h"
#include "cli/bench/show/export.h"

#include <math.h>
#include <string.h>

enum {
    WIDTH = 900,
    NAMES = 190,
    POINTS = 170,   /* beside them, what tells the points of a sweep apart */
    HEADINGS = 100, /* above the columns: their kernels and means */
    LEGEND = 92,    /* below the rows */
    DOWN = 1200,    /* pixels of all rows that are aimed at */
    THICKEST = 16,
    READABLE = 8, /* pixels of a row that has its name beside it */
    WIDEST = 56,
    LEVELS = 9,
    GAP = 8, /* between kinds of devices */
    SWATCH = 44
};

/* Between two levels; slower is orange, faster blue, and the middle one is next to nothing. */
static const double bound[LEVELS - 1] = {0.25, 0.5, 0.8, 0.95, 1.05, 1.25, 2, 4};

static const char light[] =
    ".h0{fill:#8c3304}.h1{fill:#c75d0f}.h2{fill:#ee9f5a}.h3{fill:#f9d9b5}.h4{fill:#e6e8eb}"
    ".h5{fill:#cfe0f2}.h6{fill:#86b6de}.h7{fill:#3f80bd}.h8{fill:#0f4c8a}"
    ".x{stroke:#8c959f;fill:none}.w{stroke:#c92a2a;fill:none;stroke-width:2}";
static const char dark[] =
    ".h0{fill:#ffb27a}.h1{fill:#e0873f}.h2{fill:#a85d22}.h3{fill:#5a3a1f}.h4{fill:#2b323b}"
    ".h5{fill:#1f3d59}.h6{fill:#2d6496}.h7{fill:#5b9bd5}.h8{fill:#a9d3f7}.w{stroke:#ff8787}";

/* The pixels of rows and columns, and where they begin. */
typedef struct heat_size {
    int x, y, width, height;
} heat_size;

/* A row for each matrix, or several. */
static bool is_sweep(const heat_map *m)
{
    return m->rows > m->matrices;
}

static heat_size size_of(const heat_map *m)
{
    const int names = NAMES + (is_sweep(m) ? POINTS : 0);
    const int height = DOWN / m->rows, width = (WIDTH - names - HEADINGS) / m->columns;
    return (heat_size){.x = names,
                       .y = SVG_HEAD + HEADINGS,
                       .width = width < 1        ? 1
                                : width > WIDEST ? WIDEST
                                                 : width,
                       .height = height < 2          ? 2
                                 : height > THICKEST ? THICKEST
                                                     : height};
}

static void draw_cross(const char *class, double x, double y, double size, FILE *out)
{
    fprintf(out, "<path class=\"%s\" d=\"M%.1f %.1fl%.1f %.1fm0-%.1fl-%.1f %.1f\"", class,
            x - size / 2, y - size / 2, size, size, size, size, size);
}

static void write_title(const bench_result *r, const char *point, double times, FILE *out)
{
    char text[BENCH_TEXT], rate[BENCH_TEXT], ratio[BENCH_TEXT];
    const char *why = bench_result_doubt(r, text);
    fputs("<title>", out);
    svg_write_text(r->matrix, 60, out);
    fputs(", ", out);
    svg_write_text(point, 80, out);
    fputs(point[0] != '\0' ? ", " : "", out);
    svg_write_text(r->kernel, 40, out);
    fputs(": ", out);
    if (!bench_result_measured(r))
        svg_write_text(bench_result_reason(r, text), 80, out);
    else
        fprintf(out, "%s%s%s GFLOP/s", why != NULL ? why : "", why != NULL ? ", " : "",
                tool_number_text(r->warm.gflops, rate));
    if (!isnan(times)) fprintf(out, ", %s x", bench_show_ratio(times, ratio));
    fputs("</title></path>\n", out);
}

static int level_of(double times)
{
    int level = 0;
    while (level < LEVELS - 1 && times > bound[level]) level++;
    return level;
}

/* The place of a column; those of CPUs come last. */
static int column_at(const heat_map *m, const heat_size *size, int i)
{
    const bool apart = heat_is_gpu(m->column[0].kind) && !heat_is_gpu(m->column[i].kind);
    return size->x + i * size->width + (apart ? GAP : 0);
}

/* `fastest` of the row on its kind of device has a frame. */
static void draw_cell(const bench_result *r, const char *point, double times, bool fastest, int x,
                      int y, const heat_size *size, FILE *out)
{
    const int gap = size->height >= READABLE;
    const double cross = fmin(size->height - gap, 7);
    const double middle_x = x + size->width / 2.0, middle_y = y + size->height / 2.0;
    if (!bench_result_works(r))
        draw_cross(bench_result_measured(r) ? "w" : "x", middle_x, middle_y, cross, out);
    else if (isnan(times))
        fprintf(out, "<path class=\"p\" d=\"M%d.5 %d.5h%dv%dh-%dz\"", x, y, size->width - 2,
                size->height - gap - 1, size->width - 2);
    else
        fprintf(out, "<path class=\"h%d\" d=\"M%d %dh%dv%dh-%dz\"", level_of(times), x, y,
                size->width - 1, size->height - gap, size->width - 1);
    fputc('>', out);
    write_title(r, point, times, out);
    if (fastest)
        fprintf(out, "<path class=\"c\" d=\"M%d.5 %d.5h%dv%dh-%dz\"/>\n", x, y, size->width - 2,
                size->height - gap - 1, size->width - 2);
}

/* The matrix and, of a sweep, the point in a column of its own. */
static void draw_names(const heat_map *m, const heat_row *row, int y, const heat_size *size,
                       FILE *out)
{
    const int letters = size->height <= 13 ? size->height - 1 : 13;
    fprintf(out, "<text x=\"%d\" y=\"%d\" font-size=\"%d\" text-anchor=\"end\">",
            size->x - 8 - (is_sweep(m) ? POINTS : 0), y, letters);
    svg_write_text(row->item[0]->matrix, NAMES * 3 / 2 / letters, out);
    fputs("</text>\n", out);
    if (row->point[0] == '\0') return;
    fprintf(out, "<text class=\"s\" x=\"%d\" y=\"%d\" font-size=\"%d\" text-anchor=\"end\">",
            size->x - 8, y, letters);
    svg_write_text(row->point, POINTS * 2 / letters, out);
    fputs("</text>\n", out);
}

static void draw_row(const heat_map *m, const heat_row *row, int y, const heat_size *size,
                     FILE *out)
{
    double shortest[2] = {INFINITY, INFINITY};
    for (int i = 0; i < row->count; i++)
        if (bench_result_works(row->item[i]))
            shortest[heat_is_gpu(row->item[i]->device_kind)] =
                fmin(shortest[heat_is_gpu(row->item[i]->device_kind)], row->item[i]->warm.median);
    if (size->height >= READABLE) draw_names(m, row, y + size->height * 4 / 5, size, out);
    for (int i = 0; i < row->count; i++) {
        const bench_result *r = row->item[i];
        int c = 0;
        while (strcmp(m->column[c].kernel, r->kernel) != 0) c++;
        draw_cell(r, row->point, heat_speedup(m, row, r),
                  bench_result_works(r) && r->warm.median <= shortest[heat_is_gpu(r->device_kind)],
                  column_at(m, size, c), y, size, out);
    }
}

static void draw_headings(const heat_map *m, const heat_size *size, FILE *out)
{
    char text[BENCH_TEXT];
    fprintf(out,
            "<text class=\"s\" x=\"%d\" y=\"%d\" font-size=\"12\" text-anchor=\"end\">geometric "
            "mean</text>\n",
            size->x - 8, size->y - 8);
    for (int i = 0; i < m->columns; i++) {
        const double middle = column_at(m, size, i) + 0.5 * size->width;
        fprintf(out, "<text transform=\"translate(%.1f %d) rotate(-45)\" font-size=\"12\">", middle,
                size->y - 24);
        svg_write_text(m->column[i].kernel, 20, out);
        fprintf(out,
                "</text><text x=\"%.1f\" y=\"%d\" font-size=\"%d\" text-anchor=\"middle\">%s"
                "</text>\n",
                middle, size->y - 8, size->width < 28 ? 9 : 12,
                bench_show_ratio(heat_mean(&m->column[i]), text));
    }
}

static void draw_scale(int x, int y, FILE *out)
{
    fprintf(out,
            "<text class=\"s\" x=\"%d\" y=\"%d\" font-size=\"13\" text-anchor=\"end\">slower"
            "</text>\n",
            x - 8, y + 11);
    for (int i = 0; i < LEVELS; i++, x += SWATCH) {
        fprintf(out, "<path class=\"h%d\" d=\"M%d %dh%dv14h-%dz\"/>\n", i, x, y, SWATCH, SWATCH);
        if (i > 0)
            fprintf(out,
                    "<text class=\"s\" x=\"%d\" y=\"%d\" font-size=\"12\" text-anchor=\"middle\">"
                    "%g</text>\n",
                    x, y + 28, bound[i - 1]);
    }
    fprintf(out, "<text class=\"s\" x=\"%d\" y=\"%d\" font-size=\"13\">faster</text>\n", x + 8,
            y + 11);
}

static void draw_signs(const heat_map *m, int x, int y, FILE *out)
{
    fprintf(out,
            "<path class=\"c\" d=\"M%d %dh24v10h-24z\"/><text class=\"s\" x=\"%d\" y=\"%d\" "
            "font-size=\"13\">fastest on its device</text>\n",
            x, y, x + 32, y + 10);
    if (m->failed) {
        draw_cross("x", x + 190, y + 5, 8, out);
        fprintf(out,
                "/><text class=\"s\" x=\"%d\" y=\"%d\" font-size=\"13\">could not run</text>\n",
                x + 202, y + 10);
    }
    if (m->alone)
        fprintf(out,
                "<path class=\"p\" d=\"M%d %dh24v10h-24z\"/><text class=\"s\" x=\"%d\" y=\"%d\" "
                "font-size=\"13\">nothing to compare with</text>\n",
                x + 385, y, x + 417, y + 10);
    if (m->wrong) {
        draw_cross("w", x + 320, y + 5, 8, out);
        fprintf(out, "/><text class=\"s\" x=\"%d\" y=\"%d\" font-size=\"13\">wrong</text>\n",
                x + 332, y + 10);
    }
}

static void draw(const heat_map *m, const char *title, FILE *out)
{
    const heat_size size = size_of(m);
    const int end = size.y + m->rows * size.height;
    bool kind[2] = {false, false};
    char below[256];
    for (int i = 0; i < m->columns; i++) kind[heat_is_gpu(m->column[i].kind)] = true;
    int n = snprintf(below, sizeof below, "%d matrices", m->matrices);
    if (is_sweep(m))
        n += snprintf(below + n, sizeof below - (size_t)n, " at %d points of a sweep", m->rows);
    n += snprintf(below + n, sizeof below - (size_t)n, "; speed-up over ");
    for (int gpu = 0; gpu < 2; gpu++)
        if (kind[gpu])
            n += snprintf(below + n, sizeof below - (size_t)n, "%s%.40s (%s)",
                          gpu == 1 && kind[0] ? ", " : "",
                          m->base[gpu] != NULL ? m->base[gpu] : "the fastest",
                          gpu == 1 ? "GPU" : "CPU");
    svg_begin(title, WIDTH, end + LEGEND, light, dark, out);
    svg_heading(title, below, WIDTH, out);
    draw_headings(m, &size, out);
    for (int i = 0; i < m->rows; i++) draw_row(m, &m->row[i], size.y + i * size.height, &size, out);
    draw_scale(size.x, end + 16, out);
    draw_signs(m, size.x, end + 62, out);
    fputs("</svg>\n", out);
}

bool speed_draw_heat(const speed_results *s, FILE *out)
{
    heat_map m;
    const bool whole = heat_map_make(&m, s);
    if (whole) draw(&m, s->title, out);
    heat_map_destroy(&m);
    return whole;
}
