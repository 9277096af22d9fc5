/* spy.h -- a picture of where the entries of a matrix are. */
#pragma once

#include "spmv.h"

#include <stdio.h>

enum { SPY_LEVELS = 8 }; /* colours, by the logarithm of the entries of a block */

typedef struct spy_picture {
    const char *title;
    int64_t rows, cols, nnz;    /* of the matrix */
    int64_t row_step, col_step; /* rows and columns of a block */
    int64_t height, width;      /* of the picture, in blocks */
    int64_t *count;             /* [height * width] entries of each block */
} spy_picture;

/* Count the entries of A, which is general, in at most `blocks` blocks along a side; the caller
 * sets the title and frees p->count.  Errors: OUT_OF_MEMORY, those of spmv_block_counts. */
spmv_status spy_count(spy_picture *p, const spmv_matrix *A, int blocks, spmv_error *err);

/* Write the picture, in the same bytes each time.  Returns false when memory is short or out has
 * failed. */
typedef bool spy_writer(const spy_picture *picture, FILE *out);
spy_writer spy_write_svg; /* with title and legend, on light and on dark ground */
spy_writer spy_write_png; /* the same, on white */

/* ---- What the writers share ----------------------------------------------------------------- */

extern const uint32_t spy_colours[SPY_LEVELS]; /* 0xrrggbb, from few entries to many, on white */
int64_t spy_largest_count(const spy_picture *p);

/* Returns the colour of a block, given the fullest one; -1 when it is empty, and the last one where
 * every block holds one entry. */
int spy_level(int64_t count, int64_t most);

/* A digit for each block, row by row, and a NUL: 0 where it is empty, else 1 to SPY_LEVELS. */
void spy_list_levels(const spy_picture *p, char *out);

/* Write blocks as paths of the classes c0, c1, ..., in units of blocks; `apart` leaves gaps. */
void spy_write_blocks(const char *levels, int64_t height, int64_t width, bool apart, FILE *out);

/* The style rules that give the classes their colours, on light or on dark ground. */
enum { SPY_STYLE = 32 * SPY_LEVELS };
const char *spy_style(bool dark, char text[SPY_STYLE]);

/* The pixels of a block, which is square unless a side would be too short to be seen. */
typedef struct spy_cell {
    int x, y;
    bool apart; /* large enough for a gap between blocks */
} spy_cell;

/* Returns the cells with which the longer side comes near `panel` pixels. */
spy_cell spy_cell_of(const spy_picture *p, int panel);

/* The rows or columns of `length` that are named beside the picture, from 1, in order: the first,
 * the last and round ones between, of which the names have `need` pixels each where a block is
 * `cell` pixels for `step` of them.  Returns how many. */
typedef struct spy_side {
    int64_t length, step;
    int cell, need;
} spy_side;
enum { SPY_TICKS = 20 };
int spy_ticks(const spy_side *side, int64_t tick[SPY_TICKS]);
int spy_place(const spy_side *side, int64_t tick); /* pixels from the first to its middle */

/* What the writers say: "325,557 x 325,557, 3,216,152 nonzeros"; below the picture what a block is.
 */
enum { SPY_TEXT = 160 };
const char *spy_describe(const spy_picture *p, char text[SPY_TEXT]);
bool spy_has_scale(const spy_picture *p); /* a block may hold several entries */
const char *spy_explain(const spy_picture *p, char text[SPY_TEXT]);
