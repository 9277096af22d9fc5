/* spy.c -- what pictures of every kind have in common: colours and sizes of their blocks, and what
 * is said beside them. */
#include "cli/picture/axes.h"
#include "cli/picture/spy.h"
#include "cli/text/number_text.h"
#include "cli/tool/fail.h"

#include <math.h>
#include <stdlib.h>

enum {
    LARGEST_CELL = 36, /* pixels */
    LEAST_SIDE = 100,
    LEAST_SHARE = 20 /* the shorter side of a long matrix has one block for so many of the longer */
};

/* ---- Blocks --------------------------------------------------------------------------------- */

static int64_t count_blocks(int64_t length, int64_t step)
{
    return length / step + (length % step > 0);
}

/* Blocks are square, so that the picture has the shape of the matrix, unless it is so long that
 * its shorter side would be next to nothing. */
static void choose_blocks(spy_picture *p, int blocks)
{
    const int64_t longer = p->rows > p->cols ? p->rows : p->cols, least = blocks / LEAST_SHARE;
    const int64_t step = longer > 0 ? count_blocks(longer, blocks) : 1;
    p->row_step = p->col_step = step;
    if (count_blocks(p->rows, step) < least && p->rows > 0)
        p->row_step = count_blocks(p->rows, least);
    if (count_blocks(p->cols, step) < least && p->cols > 0)
        p->col_step = count_blocks(p->cols, least);
    p->height = count_blocks(p->rows, p->row_step);
    p->width = count_blocks(p->cols, p->col_step);
}

spmv_status spy_count(spy_picture *p, const spmv_matrix *A, int blocks, spmv_error *err)
{
    *p = (spy_picture){.rows = A->head.rows, .cols = A->head.cols, .nnz = A->head.nnz};
    choose_blocks(p, blocks);
    p->count = calloc((size_t)(p->height * p->width) + 1, sizeof *p->count);
    if (p->count == NULL)
        return tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot allocate memory for a picture");
    return spmv_block_counts(A, p->row_step, p->col_step, p->count, err);
}

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

void spy_list_levels(const spy_picture *p, char *out)
{
    const int64_t most = spy_largest_count(p);
    for (int64_t i = 0; i < p->height * p->width; i++)
        *out++ = (char)('1' + spy_level(p->count[i], most));
    *out = '\0';
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

/* ---- Words ---------------------------------------------------------------------------------- */

int spy_place(const spy_side *side, int64_t tick)
{
    return (int)(((double)tick - 0.5) * side->cell / (double)side->step);
}

int spy_ticks(const spy_side *side, int64_t tick[SPY_TICKS])
{
    const axis a = {.low = 1, .high = (double)side->length, .whole = true};
    double round[AXIS_TICKS];
    int n = 0;
    if (side->length == 0) return 0;
    tick[n++] = 1;
    const int count = side->length > 1 ? axis_ticks(&a, round) : 0,
              end = spy_place(side, side->length);
    for (int i = 0; i < count; i++) {
        const int at = spy_place(side, (int64_t)round[i]);
        if (at - spy_place(side, tick[n - 1]) >= side->need && end - at >= side->need)
            tick[n++] = (int64_t)round[i];
    }
    if (end - spy_place(side, tick[n - 1]) >= side->need) tick[n++] = side->length;
    return n;
}

const char *spy_describe(const spy_picture *p, char text[SPY_TEXT])
{
    char rows[TOOL_NUMBER], cols[TOOL_NUMBER], nnz[TOOL_NUMBER];
    snprintf(text, SPY_TEXT, "%s x %s, %s nonzeros", tool_count_text(p->rows, rows),
             tool_count_text(p->cols, cols), tool_count_text(p->nnz, nnz));
    return text;
}

bool spy_has_scale(const spy_picture *p)
{
    return p->row_step != 1 || p->col_step != 1;
}

const char *spy_explain(const spy_picture *p, char text[SPY_TEXT])
{
    char most[TOOL_NUMBER], rows[TOOL_NUMBER], cols[TOOL_NUMBER];
    if (spy_has_scale(p))
        snprintf(text, SPY_TEXT, "%s entries in %s x %s, logarithmic",
                 tool_count_text(spy_largest_count(p), most), tool_count_text(p->row_step, rows),
                 tool_count_text(p->col_step, cols));
    else
        snprintf(text, SPY_TEXT, "a square for every entry");
    return text;
}
