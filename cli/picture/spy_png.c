/* spy_png.c -- a density picture of a matrix as PNG, by libpng: the only file that knows it.
 *
 * The blocks in their colours on white, with a frame around them, and what the other kind says, in
 * letters of pixels: a picture for programs that show no SVG. */
#include "cli/picture/letters.h"
#include "cli/picture/spy.h"
#include "cli/text/number_text.h"
#include "cli/text/utf8.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

enum {
    MARGIN = 16,
    HEAD = 78, /* above the blocks */
    FOOT = 78, /* below them */
    PANEL = 1000,
    LEAST_WIDTH = 560, /* for the words */
    DOT = 2,           /* pixels of a dot of a letter; in the title one more */
    STEP = (LETTER_WIDTH + 1) * DOT,
    SWATCH = 28,
    WHITE = SPY_LEVELS,
    FRAME,
    INK,
    COLOURS
};

/* A picture that has one byte for each pixel. */
typedef struct canvas {
    unsigned char *pixel;
    int width, height;
    int left; /* of the blocks */
} canvas;

static void fill_box(canvas *c, int x, int y, int width, int height, int colour)
{
    for (int i = 0; i < height; i++)
        memset(c->pixel + (size_t)(y + i) * (size_t)c->width + x, colour, (size_t)width);
}

/* ---- Words ---------------------------------------------------------------------------------- */

static void draw_letter(canvas *c, char letter, int x, int y, int dot)
{
    for (int i = 0; i < LETTER_HEIGHT; i++)
        for (int j = 0; j < LETTER_WIDTH; j++)
            if (letter_has(letter, j, i)) fill_box(c, x + j * dot, y + i * dot, dot, dot, INK);
}

/* As far as there is room; a letter that is not of ASCII is a question mark. */
static void draw_text(canvas *c, const char *text, int x, int y, int dot)
{
    const int step = (LETTER_WIDTH + 1) * dot;
    for (; *text != '\0' && x + step <= c->width; x += step) {
        const int length = utf8_length(text);
        draw_letter(c, *text, x, y, dot);
        text += length > 0 ? length : 1;
    }
}

static int width_of(int64_t number)
{
    char text[TOOL_NUMBER];
    return (int)strlen(tool_count_text(number, text)) * STEP;
}

static void draw_rows(canvas *c, const spy_picture *p, spy_cell cell)
{
    const spy_side side = {p->rows, p->row_step, cell.y, (LETTER_HEIGHT + 2) * DOT};
    int64_t tick[SPY_TICKS];
    char text[TOOL_NUMBER];
    const int count = spy_ticks(&side, tick);
    for (int i = 0; i < count; i++) {
        const int y = HEAD + spy_place(&side, tick[i]);
        fill_box(c, c->left - 8, y, 6, 1, FRAME);
        draw_text(c, tool_count_text(tick[i], text), c->left - 10 - width_of(tick[i]),
                  y - LETTER_HEIGHT * DOT / 2, DOT);
    }
}

static void draw_cols(canvas *c, const spy_picture *p, spy_cell cell, int bottom)
{
    const spy_side side = {p->cols, p->col_step, cell.x, width_of(p->cols) + 2 * STEP};
    int64_t tick[SPY_TICKS];
    char text[TOOL_NUMBER];
    const int count = spy_ticks(&side, tick);
    for (int i = 0; i < count; i++) {
        const int x = c->left + spy_place(&side, tick[i]);
        fill_box(c, x, bottom + 2, 1, 6, FRAME);
        draw_text(c, tool_count_text(tick[i], text), x - width_of(tick[i]) / 2, bottom + 12, DOT);
    }
}

static void draw_legend(canvas *c, const spy_picture *p, int y)
{
    char text[SPY_TEXT];
    int x = c->left;
    if (spy_has_scale(p)) {
        draw_letter(c, '1', x, y, DOT);
        x += STEP + DOT * 2;
        for (int k = 0; k < SPY_LEVELS; k++, x += SWATCH)
            fill_box(c, x, y, SWATCH, LETTER_HEIGHT * DOT, k);
        x += STEP;
    }
    draw_text(c, spy_explain(p, text), x, y, DOT);
}

static void draw_words(canvas *c, const spy_picture *p, spy_cell cell, int bottom)
{
    char text[SPY_TEXT];
    draw_text(c, p->title, MARGIN, 14, DOT + 1);
    draw_text(c, spy_describe(p, text), MARGIN, 46, DOT);
    draw_rows(c, p, cell);
    draw_cols(c, p, cell, bottom);
    draw_legend(c, p, bottom + 44);
}

/* ---- The picture ---------------------------------------------------------------------------- */

static void paint(canvas *c, const spy_picture *p, spy_cell cell)
{
    const int64_t most = spy_largest_count(p);
    const int gap_x = cell.apart ? cell.x / 8 + 1 : 0, gap_y = cell.apart ? cell.y / 8 + 1 : 0;
    const int across = (int)p->width * cell.x, down = (int)p->height * cell.y;
    fill_box(c, 0, 0, c->width, c->height, WHITE);
    fill_box(c, c->left - 2, HEAD - 2, across + 4, down + 4, FRAME);
    fill_box(c, c->left - 1, HEAD - 1, across + 2, down + 2, WHITE);
    for (int64_t i = 0; i < p->height; i++)
        for (int64_t j = 0; j < p->width; j++) {
            const int level = spy_level(p->count[i * p->width + j], most);
            if (level < 0) continue;
            fill_box(c, c->left + (int)j * cell.x + gap_x / 2, HEAD + (int)i * cell.y + gap_y / 2,
                     cell.x - gap_x, cell.y - gap_y, level);
        }
    draw_words(c, p, cell, HEAD + down);
}

static void set_colours(unsigned char map[COLOURS][3])
{
    for (int k = 0; k < COLOURS; k++) {
        const uint32_t colour = k == WHITE   ? 0xffffff
                                : k == FRAME ? 0x8c959f
                                : k == INK   ? 0x1b1f24
                                             : spy_colours[k];
        for (int part = 0; part < 3; part++)
            map[k][part] = (unsigned char)(colour >> (16 - 8 * part));
    }
}

/* The margins leave room for the numbers: of rows on the left, for half of the last of columns on
 * the right. */
static canvas size_of(const spy_picture *p, spy_cell cell)
{
    const int half = width_of(p->cols) / 2 + DOT * 4, right = half > MARGIN ? half : MARGIN;
    canvas c = {.left = MARGIN + width_of(p->rows) + 10, .height = HEAD + FOOT};
    c.width = c.left + (int)p->width * cell.x + right;
    c.height += (int)p->height * cell.y;
    if (c.width < LEAST_WIDTH) c.width = LEAST_WIDTH;
    return c;
}

bool spy_write_png(const spy_picture *p, FILE *out)
{
    const spy_cell cell = spy_cell_of(p, PANEL);
    canvas c = size_of(p, cell);
    unsigned char map[COLOURS][3];
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)c.width,
                       .height = (png_uint_32)c.height,
                       .format = PNG_FORMAT_RGB_COLORMAP,
                       .colormap_entries = COLOURS};
    c.pixel = malloc((size_t)c.width * (size_t)c.height);
    if (c.pixel == NULL) return false;
    paint(&c, p, cell);
    set_colours(map);
    const bool written = png_image_write_to_stdio(&image, out, 0, c.pixel, 0, map) != 0;
    free(c.pixel);
    return written;
}
