/* csell_slots.c -- forms with a number for every slot, or for every block of slots.
 *
 * Idea: 16 bits reach all columns of a slice when it keeps near any place of x.  Where several
 * unknowns share a place, as in finite elements, rows and columns come in small blocks, and one
 * number stands for all slots of a block. */
#include "core/matrix/format.h"
#include "core/csell/csell.h"

enum { PADDING = SPMV__CSELL_NO_HALF, TAIL = SPMV__CSELL_TAIL };

/* ---- Values -------------------------------------------------------------------------------- */

/* Some steps of all lanes, then the next ones: what is written lies as close together as what is
 * read. */
SPMV__INLINE void put_rows(const spmv__slice_rows *in, char *val, size_t size)
{
    enum { TILE = 16 };
    const spmv__slice *s = &in->slice;
    const char *from = in->A->val;
    for (int64_t first = 0; first < in->width; first += TILE)
        for (int64_t lane = 0, begin; lane < s->rows; lane++) {
            const int64_t n = spmv__row_length(in, lane, &begin);
            const int64_t end = n < first + TILE ? n : first + TILE;
            for (int64_t k = first; k < end; k++)
                memcpy(val + (size_t)(s->slot + k * s->lanes + lane) * size,
                       from + (size_t)(begin + k) * size, size);
        }
}

void spmv__put_rows(const spmv__slice_rows *in, void *val)
{
    const size_t size = spmv_type_size(in->A->type);
    if (size == sizeof(float))
        put_rows(in, val, sizeof(float));
    else if (size == sizeof(double))
        put_rows(in, val, sizeof(double));
    else if (size != 0)
        put_rows(in, val, size);
}

/* ---- A column of its own for every slot ----------------------------------------------------- */

static int64_t far_words(const spmv__csell_form *form, int64_t lanes, int64_t steps)
{
    (void)form;
    return steps * lanes;
}

static void far_decode(const spmv__csell_form *form, const spmv__slice *s, int64_t k, int64_t lane,
                       int64_t n, int32_t *col)
{
    (void)form;
    memcpy(col, s->code + k * s->lanes + lane, (size_t)n * sizeof *col);
}

static bool far_tidy(const spmv__csell_form *form, const spmv__slice *s)
{
    (void)form, (void)s;
    return true;
}

static int64_t far_steps(const spmv__csell_form *form, const spmv__slice_rows *in, int64_t most,
                         int32_t *scratch)
{
    (void)form, (void)scratch;
    return in->width <= most ? in->width : -1;
}

static void far_encode(const spmv__csell_form *form, const spmv__slice_rows *in, void *val)
{
    (void)form;
    const spmv__slice *s = &in->slice;
    spmv__clear_columns(s->code, s->steps * s->lanes);
    for (int64_t lane = 0, begin; lane < s->rows; lane++) {
        const int64_t n = spmv__row_length(in, lane, &begin);
        for (int64_t k = 0; k < n; k++) s->code[k * s->lanes + lane] = in->A->col_idx[begin + k];
    }
    spmv__put_rows(in, val);
}

/* ---- 16 bits for every slot ------------------------------------------------------------------ */

static int64_t near_words(const spmv__csell_form *form, int64_t lanes, int64_t steps)
{
    (void)form;
    return steps / 2 * lanes + steps % 2 * lanes + TAIL;
}

static void near_decode(const spmv__csell_form *form, const spmv__slice *s, int64_t k, int64_t lane,
                        int64_t n, int32_t *col)
{
    const int32_t *pair = s->code + k / 2 * s->lanes + lane;
    const int32_t base = *spmv__tail(form, s);
    const int shift = 16 * (int)(k % 2);
    if (base < 0 || base > INT32_MAX - PADDING) { /* of a hostile file, or near the limit */
        for (int64_t i = 0; i < n; i++) {
            const uint32_t code = (uint32_t)pair[i] >> shift & PADDING;
            col[i] = code == PADDING ? SPMV__CSELL_PADDING : spmv__column((int64_t)base + code);
        }
        return;
    }
    for (int64_t i = 0; i < n; i++) { /* vectors of the compiler */
        const int32_t code = (int32_t)((uint32_t)pair[i] >> shift & PADDING);
        col[i] = code == PADDING ? SPMV__CSELL_PADDING : base + code;
    }
}

static bool near_tidy(const spmv__csell_form *form, const spmv__slice *s)
{
    uint32_t all = ~(uint32_t)0;
    const int32_t *pair = s->code + s->steps / 2 * s->lanes;
    for (int64_t i = 0; s->steps % 2 != 0 && i < s->lanes; i++)
        all &= (uint32_t)pair[i] >> 16 | ~(uint32_t)PADDING;
    return all == ~(uint32_t)0 && spmv__all_zero(spmv__tail(form, s) + 1, TAIL - 1);
}

static int64_t near_steps(const spmv__csell_form *form, const spmv__slice_rows *in, int64_t most,
                          int32_t *scratch)
{
    (void)form, (void)scratch;
    return in->width <= most && in->high - in->low < PADDING ? in->width : -1;
}

static void near_encode(const spmv__csell_form *form, const spmv__slice_rows *in, void *val)
{
    const spmv__slice *s = &in->slice;
    uint32_t *pair = (uint32_t *)s->code;
    *spmv__tail(form, s) = (int32_t)in->low;
    spmv__clear_columns(s->code, near_words(form, s->lanes, s->steps) - TAIL);
    for (int64_t lane = 0, begin; lane < s->rows; lane++) {
        const int64_t n = spmv__row_length(in, lane, &begin);
        for (int64_t k = 0; k < n; k++) {
            const uint32_t code = (uint32_t)(in->A->col_idx[begin + k] - in->low);
            pair[k / 2 * s->lanes + lane] ^= (code ^ PADDING) << 16 * (k % 2);
        }
    }
    spmv__put_rows(in, val);
}

/* ---- 16 bits for every block ------------------------------------------------------------------
 */

static int64_t block_words(const spmv__csell_form *form, int64_t lanes, int64_t steps)
{
    if (steps % form->block != 0) return -1;
    const int64_t pairs = steps / form->block * (spmv__block_groups(form->block, lanes) / 2);
    return (pairs + TAIL - 1) / TAIL * TAIL + TAIL;
}

static int64_t group_of(const spmv__csell_form *form, const spmv__slice *s, int64_t lane)
{
    return (s->first + lane) / form->block - s->first / form->block;
}

static void block_decode(const spmv__csell_form *form, const spmv__slice *s, int64_t k,
                         int64_t lane, int64_t n, int32_t *col)
{
    const int64_t row = k / form->block * spmv__block_groups(form->block, s->lanes);
    const int64_t base = *spmv__tail(form, s) + k % form->block;
    for (int64_t i = 0; i < n; i++) {
        const uint32_t code = spmv__half(s->code, row + group_of(form, s, lane + i));
        const bool entry = code != PADDING && lane + i < s->rows;
        col[i] = entry ? spmv__column(base + code) : SPMV__CSELL_PADDING;
    }
}

static bool block_tidy(const spmv__csell_form *form, const spmv__slice *s)
{
    const int64_t groups = spmv__block_groups(form->block, s->lanes),
                  n = s->steps / form->block * groups;
    const int64_t used = s->rows > 0 ? group_of(form, s, s->rows - 1) + 1 : 0;
    const int32_t *tail = spmv__tail(form, s);
    bool tidy = s->perm == NULL && spmv__all_zero(tail + 1, TAIL - 1) &&
                spmv__all_zero(s->code + n / 2, tail - s->code - n / 2);
    for (int64_t i = 0; tidy && i < n; i++)
        tidy = i % groups < used || spmv__half(s->code, i) == PADDING;
    return tidy;
}

/* Returns whether a row consists of runs of as many columns as a block has. */
static bool in_runs(const int32_t *col, int64_t n, int block)
{
    if (n % block != 0) return false;
    for (int64_t k = 0; k < n; k += block)
        for (int e = 1; e < block; e++)
            if (col[k + e] != col[k] + e) return false;
    return true;
}

static int64_t block_steps(const spmv__csell_form *form, const spmv__slice_rows *in, int64_t most,
                           int32_t *scratch)
{
    (void)scratch;
    const spmv__slice *s = &in->slice;
    const int32_t *col = in->A->col_idx;
    int64_t begin = 0, above = 0, n = 0;

    if (s->perm != NULL || in->width > most || in->high - in->low >= PADDING) return -1;
    for (int64_t lane = 0; lane < s->rows; lane++) {
        const int64_t before = n;
        above = begin;
        n = spmv__row_length(in, lane, &begin);
        const bool first = lane == 0 || group_of(form, s, lane) != group_of(form, s, lane - 1);
        if (first ? !in_runs(col + begin, n, form->block)
                  : n != before || memcmp(col + begin, col + above, (size_t)n * sizeof *col) != 0)
            return -1;
    }
    return in->width;
}

static void block_encode(const spmv__csell_form *form, const spmv__slice_rows *in, void *val)
{
    const spmv__slice *s = &in->slice;
    const int64_t groups = spmv__block_groups(form->block, s->lanes);
    uint32_t *word = (uint32_t *)s->code;
    *spmv__tail(form, s) = (int32_t)in->low;
    spmv__clear_columns(s->code, s->steps / form->block * groups / 2);
    for (int64_t lane = 0, begin; lane < s->rows; lane++) {
        const int64_t n = spmv__row_length(in, lane, &begin), g = group_of(form, s, lane);
        if (lane > 0 && g == group_of(form, s, lane - 1)) continue;
        for (int64_t k = 0; k < n; k += form->block) {
            const int64_t half = k / form->block * groups + g;
            const uint32_t code = (uint32_t)(in->A->col_idx[begin + k] - in->low);
            word[half / 2] ^= (code ^ PADDING) << 16 * (half % 2);
        }
    }
    spmv__put_rows(in, val);
}

/* ---- The records ---------------------------------------------------------------------------- */

const spmv__csell_form spmv__csell_far = {
    .words = far_words,
    .decode = far_decode,
    .tidy = far_tidy,
    .steps = far_steps,
    .encode = far_encode,
};
const spmv__csell_form spmv__csell_near = {
    .words = near_words,
    .decode = near_decode,
    .tidy = near_tidy,
    .steps = near_steps,
    .encode = near_encode,
};

#define BLOCK(size)                                                                      \
    {                                                                                    \
        .block = size, .words = block_words, .decode = block_decode, .tidy = block_tidy, \
        .steps = block_steps, .encode = block_encode,                                    \
    }
const spmv__csell_form spmv__csell_block2 = BLOCK(2), spmv__csell_block3 = BLOCK(3);
