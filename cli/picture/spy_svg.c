/* spy_svg.c -- a density picture of a matrix as SVG.
 *
 * Blocks of one colour are one path, and neighbours in a row one rectangle of it, so that the file
 * stays small.  Viewers that know of dark ground take the second set of colours. */
#include "cli/picture/spy.h"
#include "cli/picture/svg.h"

#include <inttypes.h>
#include <string.h>

enum {
    MARGIN = SVG_MARGIN,
    HEAD = SVG_HEAD,
    FOOT = 54,        /* height of the legend */
    PANEL = 600,      /* side of the picture that is aimed at, in pixels */
    LEAST_WIDTH = 400 /* for the text */
};

/* From few entries to many, on dark ground. */
static const uint32_t dark[SPY_LEVELS] = {0x2b5c8a, 0x34719f, 0x4387b5, 0x599dc8,
                                          0x77b3d8, 0x98c8e5, 0xbcdcef, 0xe3f1fa};

/* Write the style rules for the colours of the levels. */
static void list_colours(char *text, size_t size, const uint32_t *colours)
{
    size_t n = 0;
    for (int i = 0; i < SPY_LEVELS; i++)
        n += (size_t)snprintf(text + n, size - n, ".c%d{fill:#%06x}", i, colours[i]);
}

/* Write all blocks of a level, in units of blocks. */
static void write_level(const spy_picture *p, int level, int64_t most, bool apart, FILE *out)
{
    bool any = false;
    for (int64_t i = 0; i < p->height; i++)
        for (int64_t j = 0, end; j < p->width; j = end) {
            const int64_t *row = p->count + i * p->width;
            end = j + 1;
            if (spy_level(row[j], most) != level) continue;
            while (!apart && end < p->width && spy_level(row[end], most) == level) end++;
            if (!any) fprintf(out, "<path class=\"c%d\" d=\"", level);
            any = true;
            if (apart)
                fprintf(out, "M%" PRId64 ".06 %" PRId64 ".06h.88v.88h-.88z", j, i);
            else
                fprintf(out, "M%" PRId64 " %" PRId64 "h%" PRId64 "v1h-%" PRId64 "z", j, i, end - j,
                        end - j);
        }
    if (any) fputs("\"/>\n", out);
}

static void write_legend(const spy_picture *p, int64_t most, int y, FILE *out)
{
    int x = MARGIN;
    if (p->row_step == 1 && p->col_step == 1) {
        fprintf(out, "<text class=\"s\" x=\"%d\" y=\"%d\" font-size=\"13\">", x, y + 12);
        fputs("a square for every entry</text>\n", out);
        return;
    }
    fprintf(out, "<text class=\"s\" x=\"%d\" y=\"%d\" font-size=\"13\">1</text>\n", x, y + 12);
    x += 14;
    for (int i = 0; i < SPY_LEVELS; i++, x += 18)
        fprintf(out, "<path class=\"c%d\" d=\"M%d %dh18v14h-18z\"/>\n", i, x, y + 1);
    fprintf(out,
            "<text class=\"s\" x=\"%d\" y=\"%d\" font-size=\"13\">%" PRId64 " entries in %" PRId64
            " x %" PRId64 "</text>\n",
            x + 7, y + 12, most, p->row_step, p->col_step);
}

static void write_top(const spy_picture *p, int width, int height, FILE *out)
{
    char on_light[32 * SPY_LEVELS], on_dark[32 * SPY_LEVELS], below[128];
    list_colours(on_light, sizeof on_light, spy_colours);
    list_colours(on_dark, sizeof on_dark, dark);
    snprintf(below, sizeof below, "%" PRId64 " x %" PRId64 ", %" PRId64 " nonzeros", p->rows,
             p->cols, p->nnz);
    svg_begin(p->title, width, height, on_light, on_dark, out);
    svg_heading(p->title, below, width, out);
}

bool spy_write_svg(const spy_picture *p, FILE *out)
{
    const int64_t most = spy_largest_count(p);
    const spy_cell cell = spy_cell_of(p, PANEL);
    const int across = (int)p->width * cell.x, down = (int)p->height * cell.y;
    const int width = across + 2 * MARGIN > LEAST_WIDTH ? across + 2 * MARGIN : LEAST_WIDTH;

    write_top(p, width, HEAD + down + FOOT, out);
    fprintf(out, "<path class=\"p\" d=\"M%d.5 %d.5h%dv%dh-%dz\"/>\n", MARGIN - 1, HEAD - 1,
            across + 1, down + 1, across + 1);
    fprintf(out, "<g transform=\"translate(%d %d) scale(%d %d)\">\n", MARGIN, HEAD, cell.x, cell.y);
    for (int level = 0; level < SPY_LEVELS; level++) write_level(p, level, most, cell.apart, out);
    fputs("</g>\n", out);
    write_legend(p, most, HEAD + down + 16, out);
    fputs("</svg>\n", out);
    return ferror(out) == 0;
}
