/* adversary_test.c -- matrices that lie at the limits of the kernels: rows whose lengths are those
 * at which a kernel treats a row otherwise, or one more or less, in stretches of as many rows;
 * columns at the ends of panels; hubs, gaps and corners. */
#include "sweep_test.h"

#include <string.h>
#include <stdlib.h>

/* The limits of lanes, slots of groups, tiles, pieces, blocks, slices, counts that are held in 8 or
 * 16 bits. */
static const int64_t limits[] = {1,     2,     3,     4,     6,     8,     12,   16,   24,
                                 32,    48,    64,    96,    128,   192,   249,  252,  254,
                                 256,   384,   512,   768,   1024,  1536,  2048, 4096, 8192,
                                 16384, 32768, 49152, 65535, 65536, 131072};

/* Draws a number exactly at a limit, one below or one above; 0 at least and `most` at most. */
static int64_t near_limit(dice *d, int64_t most)
{
    int known = 0;
    while (known < (int)(sizeof limits / sizeof *limits) && limits[known] <= most + 1) known++;
    const int64_t n = limits[dice_below(d, known)] + dice_below(d, 3) - 1;
    return n < most ? n : most;
}

static int64_t any_number(dice *d, int64_t most)
{
    return most == 0 || dice_chance(d, 60) ? near_limit(d, most) : dice_magnitude(d, 1, most);
}

/* ---- Lengths of rows ------------------------------------------------------------------------- */

enum { LENGTHS = 4 };
typedef enum order { BY_CHANCE, IN_TURN, IN_STRETCHES, SORTED, ORDERS } order;

/* Rows have a few lengths: by chance, one after another, in stretches, or all of one first. */
typedef struct lengths {
    order order;
    int count;
    int64_t of[LENGTHS], stretch, rows;
    double first;              /* share of the first length by chance */
    int64_t long_row, longest; /* -1: no row that is much longer than all others */
} lengths;

static lengths draw_lengths(dice *d, const sweep_size *size, int64_t rows, int64_t longest)
{
    lengths l = {.order = (order)dice_below(d, ORDERS), .rows = rows, .long_row = -1};
    const bool short_ones = dice_chance(d, 70);
    l.count = 1 + (int)dice_below(d, LENGTHS);
    for (int i = 0; i < l.count; i++)
        l.of[i] = any_number(d, short_ones && i == 0 && longest > 9 ? 9 : longest);
    if (size->kind == SWEEP_LONG_ROW) { /* the others leave it nearly all of the entries */
        l.long_row = dice_below(d, rows);
        l.longest = longest;
        for (int i = 0; i < l.count; i++) l.of[i] %= 4;
    }
    for (int i = 0; i < l.count && size->kind == SWEEP_WIDE_ROWS; i++)
        l.of[i] = 24 + dice_below(d, 40);
    if (l.count > 1 && dice_chance(d, 50)) l.of[1] = dice_below(d, 2) * l.of[0];
    if (size->kind != SWEEP_LONG_ROW && longest > 260 && size->nnz > 700 &&
        dice_chance(d, 20)) { /* about a tile, behind short rows that leave it whole */
        const int64_t about[] = {0, 8, dice_chance(d, 50) ? 256 : 245 + dice_below(d, 15)};
        l.order = (order)dice_below(d, 2);
        l.count = 3;
        memcpy(l.of, about, sizeof about);
    }
    l.stretch = 1 + near_limit(d, rows > 300 ? 300 : rows);
    l.first = dice_uniform(d);
    return l;
}

static int64_t length_of(dice *d, const lengths *l, int64_t r)
{
    if (r == l->long_row) return l->longest;
    switch (l->order) {
    case BY_CHANCE:
        return l->of[dice_uniform(d) < l->first ? 0 : dice_below(d, l->count)];
    case IN_TURN:
        return l->of[r % l->count];
    case IN_STRETCHES:
        return l->of[r / l->stretch % l->count];
    default:
        return l->of[r * l->count / l->rows];
    }
}

/* ---- Columns --------------------------------------------------------------------------------- */

typedef enum matrix_place {
    ANYWHERE,
    WINDOW_EACH,
    WINDOW_ALL,
    DIAGONAL,
    HUBS,
    SCATTERED_HUBS,
    BOTH_ENDS,
    OUT_OF_SAMPLE,
    PLACES
} matrix_place;

typedef struct columns {
    matrix_place place;
    int64_t cols, width, start, hubs;
} columns;

static columns draw_columns(dice *d, const sweep_size *size, int64_t cols)
{
    columns c = {.place = (matrix_place)dice_below(d, PLACES), .cols = cols};
    int known = 0;
    if (size->kind == SWEEP_WIDE_ROWS && dice_chance(d, 70)) c.place = ANYWHERE;
    if (size->kind == SWEEP_CROWDED) c.place = dice_chance(d, 50) ? OUT_OF_SAMPLE : ANYWHERE;
    while (known < 8 && size->limits[known] > 0 && size->limits[known] <= cols) known++;
    c.width =
        known > 0 && dice_chance(d, 50) ? size->limits[dice_below(d, known)] : any_number(d, cols);
    if (c.width < 1) c.width = 1;
    /* Windows begin at multiples of their width, as panels do, or one beside. */
    c.start = dice_below(d, cols / c.width + 1) * c.width + dice_below(d, 3) - 1;
    c.hubs = 1 + near_limit(d, cols - 1);
    return c;
}

/* Draws n columns of [low, high), ascending: one in each of n equal strata. */
static void spread(dice *d, int64_t low, int64_t high, int64_t n, int32_t *col)
{
    for (int64_t k = 0; k < n; k++) {
        const int64_t from = low + k * (high - low) / n, to = low + (k + 1) * (high - low) / n;
        col[k] = (int32_t)(from + dice_below(d, to - from));
    }
}

/* Says whether this is one of the columns, a quarter of all, from which csr-staged guesses how many
 * there are.
 */
static bool is_sampled(int64_t col, int64_t cols)
{
    uint32_t mask = 3;
    while (mask < cols) mask = 2 * mask + 1;
    return ((uint32_t)col * 0x9e3779b1u & mask) <= mask / 4;
}

/* Draws the columns of a row of n entries, at most as many as there are. */
static void draw_row(dice *d, const columns *c, int64_t r, int64_t rows, int64_t n, int32_t *col)
{
    int64_t start = c->start, width = c->width > n ? c->width : n;
    if (c->place == ANYWHERE || c->place == OUT_OF_SAMPLE || c->place == SCATTERED_HUBS)
        width = c->cols;
    if (c->place == WINDOW_EACH) start = dice_below(d, c->cols / width + 1) * width;
    if (c->place == DIAGONAL) start = r * c->cols / rows - width / 2;
    if (c->place == HUBS && c->hubs < c->cols) { /* half of them, but as many as fit */
        int64_t there = n / 2 < c->hubs ? n / 2 : c->hubs;
        if (n - there > c->cols - c->hubs) there = n - (c->cols - c->hubs);
        spread(d, 0, c->hubs, there, col);
        spread(d, c->hubs, c->cols, n - there, col + there);
        return;
    }
    if (start > c->cols - width) start = c->cols - width;
    if (start < 0) start = 0;
    spread(d, start, start + width < c->cols ? start + width : c->cols, n, col);
    for (int64_t k = 0; c->place == OUT_OF_SAMPLE && k + 1 < n; k++)
        while (is_sampled(col[k], c->cols) && col[k] + 1 < col[k + 1]) col[k]++;
    for (int64_t k = 0; c->place == SCATTERED_HUBS && k < n; k++) {
        const int64_t gap = c->cols / c->hubs, hub = col[k] / gap * gap;
        if ((k == 0 || hub > col[k - 1]) && dice_chance(d, 70)) col[k] = (int32_t)hub;
    }
    if (c->place != BOTH_ENDS || n < 2) return;
    col[0] = 0;
    col[n - 1] = (int32_t)c->cols - 1;
}

/* ---- Matrices -------------------------------------------------------------------------------- */

static void stop(const spmv_error *err)
{
    fprintf(stderr, "gpu-sweep: %s\n", err->message);
    exit(2);
}

static void fill_rows(dice *d, const sweep_size *size, spmv_csr *A, const int64_t *row_ptr)
{
    const columns c = draw_columns(d, size, A->cols);
    for (int64_t r = 0; r <= A->rows; r++) A->row_ptr[r] = row_ptr[r];
    for (int64_t r = 0; r < A->rows; r++)
        draw_row(d, &c, r, A->rows, row_ptr[r + 1] - row_ptr[r], A->col_idx + row_ptr[r]);
}

/* Makes up to four entries, one in each corner. */
static int64_t corner_length(dice *d, int64_t r, int64_t rows, int64_t cols)
{
    if (cols == 0 || (r > 0 && r < rows - 1)) return 0;
    return dice_below(d, cols > 1 ? 3 : 2);
}

static int64_t draw_shape(dice *d, int64_t most)
{
    return dice_chance(d, 3) ? 0 : dice_chance(d, 3) ? 1 : any_number(d, most);
}

sweep_matrix sweep_adversary(dice *d, const sweep_size *size, spmv_type type)
{
    sweep_matrix m = {.A = {.format = SPMV_CSR}};
    spmv_error err;
    const bool corners = dice_chance(d, 4);
    const int64_t rows = size->kind == SWEEP_WIDE_ROWS
                             ? size->rows - dice_below(d, size->rows / 2)
                             : draw_shape(d, size->kind == SWEEP_LONG_ROW ? 300 : size->rows);
    int64_t cols = draw_shape(d, size->cols), nnz = 0;
    int64_t *row_ptr = calloc((size_t)rows + 1, sizeof *row_ptr);
    const int64_t multiples = size->limits[0] > 0 ? size->cols / size->limits[0] : 0;
    if (multiples > 0 && dice_chance(d, 40)) /* columns around a few panels */
        cols = size->limits[0] * (1 + dice_below(d, multiples)) + dice_below(d, 3) - 1;
    if (cols > size->cols) cols = size->cols;
    if (size->kind != SWEEP_ORDINARY && cols < size->cols / 3 * 2)
        cols = size->cols - dice_below(d, size->cols / 3);
    const lengths l = draw_lengths(d, size, rows, cols);
    for (int64_t r = 0; r < rows; r++) {
        int64_t n = corners ? corner_length(d, r, rows, cols) : length_of(d, &l, r);
        if (n > cols) n = cols;
        if (n > size->nnz - nnz) n = size->nnz - nnz;
        row_ptr[r + 1] = nnz += n;
    }
    if (spmv_csr_create(&m.A.csr, type, rows, cols, nnz, &err) != SPMV_SUCCESS) stop(&err);
    fill_rows(d, size, &m.A.csr, row_ptr);
    for (int64_t r = 0; corners && r < rows; r++)
        for (int64_t p = row_ptr[r]; p < row_ptr[r + 1]; p++)
            m.A.csr.col_idx[p] = p > row_ptr[r] || dice_chance(d, 50) ? (int32_t)cols - 1 : 0;
    for (int64_t r = 0; corners && r < rows; r++)
        if (row_ptr[r + 1] - row_ptr[r] == 2) m.A.csr.col_idx[row_ptr[r]] = 0;
    free(row_ptr);
    m.what = corners ? "corners" : size->kind == SWEEP_LONG_ROW ? "long row" : "adversary";
    sweep_fill(d, &m.A);
    return m;
}
