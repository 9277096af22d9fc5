/* spy.h -- a picture of where the entries of a matrix are. */
#ifndef SPMV_CLI_SPY_H
#define SPMV_CLI_SPY_H

#include "spmv.h"

#include <stdio.h>

enum { SPY_BLOCKS = 500 }; /* blocks along a side of the picture, at most */

typedef struct spy_picture {
    const char *title;
    int64_t rows, cols, nnz;    /* of the matrix */
    int64_t row_step, col_step; /* rows and columns of a block */
    int64_t height, width;      /* of the picture, in blocks */
    const int64_t *count;       /* [height * width] entries of each block */
} spy_picture;

/* As SVG: the same picture, the same bytes.  Blocks are coloured by the logarithm of their number
 * of entries, on light and on dark ground. */
void spy_write_svg(const spy_picture *picture, FILE *out);

#endif
