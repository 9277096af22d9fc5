/* spy_svg.c -- a density picture of a matrix as SVG.
 *
 * Blocks of one colour are one path, and neighbours in a row one rectangle of it, so that the file
 * stays small.  Viewers that know of dark ground take the second set of colours. */
#include "cli/picture/spy.h"
#include "cli/picture/svg.h"
#include "cli/text/number_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    MARGIN = SVG_MARGIN,
    HEAD = SVG_HEAD,
    FOOT = 74,        /* height of the column numbers and of the legend */
    LETTER = 8,       /* width of a digit */
    PANEL = 600,      /* side of the picture that is aimed at, in pixels */
    LEAST_WIDTH = 400 /* for the text */
};

/* From few entries to many, on dark ground. */
static const uint32_t dark[SPY_LEVELS] = {0x2b5c8a, 0x34719f, 0x4387b5, 0x599dc8,
                                          0x77b3d8, 0x98c8e5, 0xbcdcef, 0xe3f1fa};

const char *spy_style(bool on_dark, char text[SPY_STYLE])
{
    size_t n = 0;
    for (int i = 0; i < SPY_LEVELS; i++)
        n += (size_t)snprintf(text + n, SPY_STYLE - n, ".c%d{fill:#%06x}", i,
                              on_dark ? dark[i] : spy_colours[i]);
    return text;
}

/* Write all blocks of a level. */
static void write_level(const char *levels, int64_t height, int64_t width, int level, bool apart,
                        FILE *out)
{
    const char digit = (char)('1' + level);
    bool any = false;
    for (int64_t i = 0; i < height; i++)
        for (int64_t j = 0, end; j < width; j = end) {
            const char *row = levels + i * width;
            end = j + 1;
            if (row[j] != digit) continue;
            while (!apart && end < width && row[end] == digit) end++;
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

void spy_write_blocks(const char *levels, int64_t height, int64_t width, bool apart, FILE *out)
{
    for (int level = 0; level < SPY_LEVELS; level++)
        write_level(levels, height, width, level, apart, out);
}

/* The pixels of a number and of what is around it. */
static int width_of(int64_t number)
{
    char text[TOOL_NUMBER];
    return (int)strlen(tool_count_text(number, text)) * LETTER + 10;
}

static void write_ticks(const spy_picture *p, spy_cell cell, int left, int bottom, FILE *out)
{
    const spy_side down = {p->rows, p->row_step, cell.y, 16};
    const spy_side across = {p->cols, p->col_step, cell.x, width_of(p->cols) + 8};
    int64_t tick[SPY_TICKS];
    char text[TOOL_NUMBER];
    int count = spy_ticks(&down, tick);
    for (int i = 0; i < count; i++) {
        const int y = HEAD + spy_place(&down, tick[i]);
        fprintf(out,
                "<path class=\"p\" d=\"M%d %d.5h-4\"/><text class=\"s\" x=\"%d\" y=\"%d\" "
                "font-size=\"12\" text-anchor=\"end\">%s</text>\n",
                left - 1, y, left - 8, y + 5, tool_count_text(tick[i], text));
    }
    count = spy_ticks(&across, tick);
    for (int i = 0; i < count; i++) {
        const int x = left + spy_place(&across, tick[i]);
        fprintf(out,
                "<path class=\"p\" d=\"M%d.5 %dv4\"/><text class=\"s\" x=\"%d\" y=\"%d\" "
                "font-size=\"12\" text-anchor=\"middle\">%s</text>\n",
                x, bottom + 1, x, bottom + 18, tool_count_text(tick[i], text));
    }
}

static void write_legend(const spy_picture *p, int x, int y, FILE *out)
{
    char text[SPY_TEXT];
    if (spy_has_scale(p)) {
        fprintf(out, "<text class=\"s\" x=\"%d\" y=\"%d\" font-size=\"13\">1</text>\n", x, y + 12);
        x += 14;
        for (int i = 0; i < SPY_LEVELS; i++, x += 18)
            fprintf(out, "<path class=\"c%d\" d=\"M%d %dh18v14h-18z\"/>\n", i, x, y + 1);
        x += 7;
    }
    fprintf(out, "<text class=\"s\" x=\"%d\" y=\"%d\" font-size=\"13\">%s</text>\n", x, y + 12,
            spy_explain(p, text));
}

static void write_top(const spy_picture *p, int width, int height, FILE *out)
{
    char on_light[SPY_STYLE], on_dark[SPY_STYLE], below[SPY_TEXT];
    svg_begin(p->title, width, height, spy_style(false, on_light), spy_style(true, on_dark), out);
    svg_heading(p->title, spy_describe(p, below), width, out);
}

bool spy_write_svg(const spy_picture *p, FILE *out)
{
    const spy_cell cell = spy_cell_of(p, PANEL);
    const int across = (int)p->width * cell.x, down = (int)p->height * cell.y;
    const int left = width_of(p->rows) > MARGIN ? width_of(p->rows) : MARGIN;
    const int half = width_of(p->cols) / 2; /* of the last number */
    const int needed = left + across + (half > MARGIN ? half : MARGIN);
    const int width = needed > LEAST_WIDTH ? needed : LEAST_WIDTH;
    char *levels = malloc((size_t)(p->height * p->width) + 1);

    if (levels == NULL) return false;
    spy_list_levels(p, levels);
    write_top(p, width, HEAD + down + FOOT, out);
    fprintf(out, "<path class=\"p\" d=\"M%d.5 %d.5h%dv%dh-%dz\"/>\n", left - 1, HEAD - 1,
            across + 1, down + 1, across + 1);
    fprintf(out, "<g transform=\"translate(%d %d) scale(%d %d)\">\n", left, HEAD, cell.x, cell.y);
    spy_write_blocks(levels, p->height, p->width, cell.apart, out);
    fputs("</g>\n", out);
    write_ticks(p, cell, left, HEAD + down, out);
    write_legend(p, left, HEAD + down + 36, out);
    fputs("</svg>\n", out);
    free(levels);
    return ferror(out) == 0;
}
