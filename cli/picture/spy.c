/* spy.c -- what pictures of every kind have in common: colours and sizes of their blocks. */
#include "cli/picture/spy.h"

#include <math.h>

enum { LARGEST_CELL = 36, LEAST_SIDE = 100 }; /* pixels */

const uint32_t spy_colours[SPY_LEVELS] = {0x9ecae1, 0x7db8da, 0x5ba3cf, 0x3f8fc5,
                                          0x2777b8, 0x115ca5, 0x08478d, 0x082f6b};

int64_t spy_largest_count(const spy_picture *p)
{
    int64_t most = 1;
    for (int64_t i = 0; i < p->height * p->width; i++)
        if (p->count[i] > most) most = p->count[i];
    return most;
}

int spy_level(int64_t count, int64_t most)
{
    if (count == 0) return -1;
    if (count == most) return SPY_LEVELS - 1;
    return (int)(log((double)count) / log((double)most) * SPY_LEVELS);
}

/* Returns the pixels of a block, given the blocks along this side and along the longer one. */
static int cell_size(int64_t blocks, int64_t longer, int panel)
{
    const int64_t fitting = longer > 0 ? panel / longer : LARGEST_CELL;
    const int64_t square = fitting > LARGEST_CELL ? LARGEST_CELL : fitting < 1 ? 1 : fitting;
    if (blocks == 0 || blocks * square >= LEAST_SIDE) return (int)square;
    return (int)(LEAST_SIDE / blocks < LARGEST_CELL ? LEAST_SIDE / blocks : LARGEST_CELL);
}

spy_cell spy_cell_of(const spy_picture *p, int panel)
{
    const int64_t longer = p->height > p->width ? p->height : p->width;
    const int x = cell_size(p->width, longer, panel), y = cell_size(p->height, longer, panel);
    return (spy_cell){x, y, x >= 6 && y >= 6};
}
