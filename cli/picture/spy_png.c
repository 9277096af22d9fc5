/* spy_png.c -- a density picture of a matrix as PNG, by libpng: the only file that knows it.
 *
 * The blocks in their colours on white, with a frame around them: a picture for programs that show
 * no SVG.  Numbers and names are in the other kind. */
#include "cli/picture/spy.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

enum { MARGIN = 16, PANEL = 1000, WHITE = SPY_LEVELS, FRAME, COLOURS };

/* A picture that has one byte for each pixel. */
typedef struct canvas {
    unsigned char *pixel;
    int width, height;
} canvas;

static void fill_box(canvas *c, int x, int y, int width, int height, int colour)
{
    for (int i = 0; i < height; i++)
        memset(c->pixel + (size_t)(y + i) * (size_t)c->width + x, colour, (size_t)width);
}

static void paint(canvas *c, const spy_picture *p, spy_cell cell)
{
    const int64_t most = spy_largest_count(p);
    const int gap_x = cell.apart ? cell.x / 8 + 1 : 0, gap_y = cell.apart ? cell.y / 8 + 1 : 0;
    fill_box(c, 0, 0, c->width, c->height, WHITE);
    fill_box(c, MARGIN - 2, MARGIN - 2, c->width - 2 * MARGIN + 4, c->height - 2 * MARGIN + 4,
             FRAME);
    fill_box(c, MARGIN - 1, MARGIN - 1, c->width - 2 * MARGIN + 2, c->height - 2 * MARGIN + 2,
             WHITE);
    for (int64_t i = 0; i < p->height; i++)
        for (int64_t j = 0; j < p->width; j++) {
            const int level = spy_level(p->count[i * p->width + j], most);
            if (level < 0) continue;
            fill_box(c, MARGIN + (int)j * cell.x + gap_x / 2, MARGIN + (int)i * cell.y + gap_y / 2,
                     cell.x - gap_x, cell.y - gap_y, level);
        }
}

static void set_colours(unsigned char map[COLOURS][3])
{
    for (int k = 0; k < COLOURS; k++) {
        const uint32_t colour = k == WHITE ? 0xffffff : k == FRAME ? 0x8c959f : spy_colours[k];
        for (int part = 0; part < 3; part++)
            map[k][part] = (unsigned char)(colour >> (16 - 8 * part));
    }
}

bool spy_write_png(const spy_picture *p, FILE *out)
{
    const spy_cell cell = spy_cell_of(p, PANEL);
    canvas c = {.width = (int)p->width * cell.x + 2 * MARGIN,
                .height = (int)p->height * cell.y + 2 * MARGIN};
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
