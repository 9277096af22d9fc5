/* text_blocks.c -- text is cut into blocks of whole lines. */
#include "formats/text/text.h"

#include <string.h>

/* A few blocks for each thread, within these limits of their bytes. */
enum { BLOCK_MIN = 1 << 17, BLOCK_MAX = 1 << 21, BLOCKS_PER_THREAD = 4 };

int64_t spmv__text_block_bytes(int64_t bytes, int threads)
{
    const int64_t share = bytes / threads / BLOCKS_PER_THREAD;
    return share < BLOCK_MIN ? BLOCK_MIN : share > BLOCK_MAX ? BLOCK_MAX : share;
}

const unsigned char *spmv__text_block_end(const unsigned char *p, const unsigned char *end,
                                          int64_t block_bytes)
{
    if (end - p <= block_bytes) return end;
    const unsigned char *line = memchr(p + block_bytes, '\n', (size_t)(end - p - block_bytes));
    return line == NULL ? end : line + 1;
}
