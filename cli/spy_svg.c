/* spy_svg.c -- a density picture of a matrix as SVG.
 *
 * Blocks of one colour are one path, and neighbours in a row one rectangle of it, so that the file
 * stays small.  Viewers that know of dark ground take the second set of colours. */
#include "spy.h"
#include "svg.h"

#include <inttypes.h>
#include <string.h>

enum {
    MARGIN = 28,
    HEAD = 62,         /* height of title and subtitle */
    FOOT = 54,         /* height of the legend */
    PANEL = 600,       /* side of the picture that is aimed at, in pixels */
    LEAST_WIDTH = 400, /* for the text */
    TITLE = 255,
    LETTER = 10 /* width of a letter of the title, about */
};

/* From few entries to many, on dark ground. */
static const uint32_t dark[SPY_LEVELS] = {0x2b5c8a, 0x34719f, 0x4387b5, 0x599dc8,
                                          0x77b3d8, 0x98c8e5, 0xbcdcef, 0xe3f1fa};

static void write_style(FILE *out)
{
    fputs("<style>text{font-family:Helvetica,Arial,sans-serif;fill:#1b1f24}"
          ".s{fill:#59636e}.g{fill:#fff}.p{fill:#fff;stroke:#8c959f}",
          out);
    for (int i = 0; i < SPY_LEVELS; i++) fprintf(out, ".c%d{fill:#%06x}", i, spy_colours[i]);
    fputs("\n@media(prefers-color-scheme:dark){text{fill:#e6edf3}.s{fill:#9aa4af}.g{fill:#0d1117}"
          ".p{fill:#12181f;stroke:#6e7681}",
          out);
    for (int i = 0; i < SPY_LEVELS; i++) fprintf(out, ".c%d{fill:#%06x}", i, dark[i]);
    fputs("}</style>\n", out);
}

/* All blocks of a level, in units of blocks. */
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

static void write_head(const spy_picture *p, int width, int height, FILE *out)
{
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\">\n<title>",
            width, height, width, height);
    svg_write_text(p->title, TITLE, out);
    fputs("</title>\n", out);
    write_style(out);
    fprintf(out, "<path class=\"g\" d=\"M0 0h%dv%dH0z\"/>\n", width, height);
    fprintf(out, "<text x=\"%d\" y=\"30\" font-size=\"18\" font-weight=\"bold\">", MARGIN);
    svg_write_text(p->title, (width - 2 * MARGIN) / LETTER, out);
    fprintf(out, "</text>\n<text class=\"s\" x=\"%d\" y=\"50\" font-size=\"13\">", MARGIN);
    fprintf(out, "%" PRId64 " x %" PRId64 ", %" PRId64 " nonzeros</text>\n", p->rows, p->cols,
            p->nnz);
}

bool spy_write_svg(const spy_picture *p, FILE *out)
{
    const int64_t most = spy_largest_count(p);
    const spy_cell cell = spy_cell_of(p, PANEL);
    const int across = (int)p->width * cell.x, down = (int)p->height * cell.y;
    const int width = across + 2 * MARGIN > LEAST_WIDTH ? across + 2 * MARGIN : LEAST_WIDTH;

    write_head(p, width, HEAD + down + FOOT, out);
    fprintf(out, "<path class=\"p\" d=\"M%d.5 %d.5h%dv%dh-%dz\"/>\n", MARGIN - 1, HEAD - 1,
            across + 1, down + 1, across + 1);
    fprintf(out, "<g transform=\"translate(%d %d) scale(%d %d)\">\n", MARGIN, HEAD, cell.x, cell.y);
    for (int level = 0; level < SPY_LEVELS; level++) write_level(p, level, most, cell.apart, out);
    fputs("</g>\n", out);
    write_legend(p, most, HEAD + down + 16, out);
    fputs("</svg>\n", out);
    return ferror(out) == 0;
}
