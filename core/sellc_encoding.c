/* sellc_encoding.c -- the forms that the columns of a slice may have, see spmv_sellc_encoding.
 *
 * Idea: stencils and bands have the same few distances from the diagonal in all rows of a slice,
 * and rows of a dense block the same columns: then one number stands for a whole step.  Rows that
 * lack an entry there, at the edge of a grid, are told by one bit each.  Elsewhere 16 bits reach
 * all columns of a slice when it keeps near any place of x. */
#include "sellc.h"

enum {
    NEAR_PADDING = 0xffff,
    NEAR_TAIL = 8, /* words: the base, and those that keep slices aligned */
    BITS = 8       /* steps whose bits come in one byte */
};

static int32_t column_of(int64_t col)
{
    if (col < 0) return SPMV__SELLC_OUTSIDE;
    return col < INT32_MAX ? (int32_t)col : INT32_MAX;
}

static int64_t row_length(const spmv__slice_rows *in, int64_t lane, int64_t *begin)
{
    const int64_t r = spmv__slice_row(&in->slice, lane);
    *begin = in->A->row_ptr[r];
    return in->A->row_ptr[r + 1] - *begin;
}

static void put_value(const spmv__slice_rows *in, void *val, int64_t k, int64_t lane, int64_t p)
{
    const spmv__slice *s = &in->slice;
    spmv__copy_value(in->A->type, val, s->slot + k * s->lanes + lane, in->A->val, p);
}

static bool all_zero(const int32_t *word, int64_t n)
{
    int32_t any = 0;
    for (int64_t i = 0; i < n; i++) any |= word[i];
    return any == 0;
}

/* ---- A column of its own for every slot ----------------------------------------------------- */

static int64_t far_words(int64_t lanes, int64_t steps)
{
    return steps * lanes;
}

static void far_decode(const spmv__sellc_form *form, const spmv__slice *s, int64_t k, int64_t lane,
                       int64_t n, int32_t *col)
{
    (void)form;
    memcpy(col, s->code + k * s->lanes + lane, (size_t)n * sizeof *col);
}

static bool far_tidy(const spmv__slice *s)
{
    (void)s;
    return true;
}

static int64_t far_steps(const spmv__sellc_form *form, const spmv__slice_rows *in, int64_t most,
                         int32_t *scratch)
{
    (void)form, (void)scratch;
    return in->width <= most ? in->width : -1;
}

static void far_encode(const spmv__sellc_form *form, const spmv__slice_rows *in, void *val)
{
    (void)form;
    const spmv__slice *s = &in->slice;
    spmv__clear_columns(s->code, s->steps * s->lanes);
    for (int64_t lane = 0, begin; lane < s->rows; lane++) {
        const int64_t n = row_length(in, lane, &begin);
        for (int64_t k = 0; k < n; k++) {
            s->code[k * s->lanes + lane] = in->A->col_idx[begin + k];
            put_value(in, val, k, lane, begin + k);
        }
    }
}

/* ---- 16 bits for every slot ------------------------------------------------------------------ */

static int64_t near_words(int64_t lanes, int64_t steps)
{
    return steps / 2 * lanes + steps % 2 * lanes + NEAR_TAIL;
}

/* The base, in front of the words of the tail that have no meaning. */
static int32_t *near_base(const spmv__slice *s)
{
    return s->code + near_words(s->lanes, s->steps) - NEAR_TAIL;
}

static void near_decode(const spmv__sellc_form *form, const spmv__slice *s, int64_t k, int64_t lane,
                        int64_t n, int32_t *col)
{
    (void)form;
    const int32_t *pair = s->code + k / 2 * s->lanes + lane;
    const int64_t base = *near_base(s);
    const int shift = 16 * (int)(k % 2);
    for (int64_t i = 0; i < n; i++) {
        const uint32_t code = (uint32_t)pair[i] >> shift & NEAR_PADDING;
        col[i] = code == NEAR_PADDING ? SPMV__SELLC_PADDING : column_of(base + code);
    }
}

static bool near_tidy(const spmv__slice *s)
{
    uint32_t all = ~(uint32_t)0;
    const int32_t *pair = s->code + s->steps / 2 * s->lanes;
    for (int64_t i = 0; s->steps % 2 != 0 && i < s->lanes; i++)
        all &= (uint32_t)pair[i] >> 16 | ~(uint32_t)NEAR_PADDING;
    return all == ~(uint32_t)0 && all_zero(near_base(s) + 1, NEAR_TAIL - 1);
}

static int64_t near_steps(const spmv__sellc_form *form, const spmv__slice_rows *in, int64_t most,
                          int32_t *scratch)
{
    (void)form, (void)scratch;
    return in->width <= most && in->high - in->low < NEAR_PADDING ? in->width : -1;
}

static void near_encode(const spmv__sellc_form *form, const spmv__slice_rows *in, void *val)
{
    (void)form;
    const spmv__slice *s = &in->slice;
    uint32_t *pair = (uint32_t *)s->code;
    *near_base(s) = (int32_t)in->low;
    spmv__clear_columns(s->code, near_words(s->lanes, s->steps) - NEAR_TAIL);
    for (int64_t lane = 0, begin; lane < s->rows; lane++) {
        const int64_t n = row_length(in, lane, &begin);
        for (int64_t k = 0; k < n; k++) {
            const uint32_t code = (uint32_t)(in->A->col_idx[begin + k] - in->low);
            pair[k / 2 * s->lanes + lane] ^= (code ^ NEAR_PADDING) << 16 * (k % 2);
            put_value(in, val, k, lane, begin + k);
        }
    }
}

/* ---- One number for every step --------------------------------------------------------------- */

/* Whole bytes of bits. */
static int64_t whole(int64_t steps)
{
    return (steps + BITS - 1) / BITS * BITS;
}

static int64_t shared_words(int64_t lanes, int64_t steps)
{
    (void)lanes;
    return whole(steps);
}

static int64_t masked_words(int64_t lanes, int64_t steps)
{
    return whole(steps) + whole(steps) / BITS * (lanes / 4);
}

/* The word in which the byte of step k of a lane lies, and how far up. */
static int32_t *mask_word(const spmv__slice *s, int64_t k, int64_t lane)
{
    return s->code + whole(s->steps) + (k / BITS * s->lanes + lane) / 4;
}

static int mask_shift(int64_t k, int64_t lane)
{
    return (int)(lane % 4 * 8 + k % BITS);
}

static void shared_decode(const spmv__sellc_form *form, const spmv__slice *s, int64_t k,
                          int64_t lane, int64_t n, int32_t *col)
{
    const int64_t number = s->code[k];
    for (int64_t i = 0; i < n; i++) {
        const bool row = lane + i < s->rows;
        const int64_t from = form->relative && row ? spmv__slice_row(s, lane + i) : 0;
        col[i] = row ? column_of(number + from) : SPMV__SELLC_OUTSIDE;
    }
}

static void masked_decode(const spmv__sellc_form *form, const spmv__slice *s, int64_t k,
                          int64_t lane, int64_t n, int32_t *col)
{
    shared_decode(form, s, k, lane, n, col);
    for (int64_t i = 0; i < n; i++)
        if ((*mask_word(s, k, lane + i) >> mask_shift(k, lane + i) & 1) == 0)
            col[i] = SPMV__SELLC_PADDING;
}

static bool shared_tidy(const spmv__slice *s)
{
    for (int64_t k = 1; k < s->steps; k++)
        if (s->code[k] <= s->code[k - 1]) return false;
    return all_zero(s->code + s->steps, whole(s->steps) - s->steps);
}

static bool masked_tidy(const spmv__slice *s)
{
    const int64_t k = s->steps - 1;
    const uint32_t unused = s->steps % BITS == 0 ? 0 : 0xffu << s->steps % BITS & 0xffu;
    uint32_t any = 0;
    for (int64_t lane = 0; unused != 0 && lane < s->lanes; lane += 4)
        any |= (uint32_t)*mask_word(s, k, lane) & unused * 0x01010101u;
    return any == 0 && shared_tidy(s);
}

/* What is subtracted from the columns of a lane. */
static int64_t origin(const spmv__sellc_form *form, const spmv__slice_rows *in, int64_t lane)
{
    return form->relative ? spmv__slice_row(&in->slice, lane) : 0;
}

/* Every row has all steps, that is the numbers of the first row. */
static int64_t shared_steps(const spmv__sellc_form *form, const spmv__slice_rows *in, int64_t most,
                            int32_t *scratch)
{
    (void)scratch;
    int64_t first, begin;
    const int32_t *col = in->A->col_idx;
    if (in->width > most || in->nnz != in->width * in->slice.lanes) return -1;
    if (in->nnz == 0) return 0;
    row_length(in, 0, &first);
    for (int64_t lane = 1; lane < in->slice.lanes; lane++) {
        const int64_t n = row_length(in, lane, &begin);
        const int64_t apart = origin(form, in, lane) - origin(form, in, 0);
        for (int64_t k = 0; k < n; k++)
            if (col[begin + k] - apart != col[first + k]) return -1;
    }
    return in->width;
}

/* The union of n ascending numbers and of a row's, in the place of the first; returns how many,
 * or -1 for more than `most`. */
static int64_t unite(int32_t *number, int64_t n, int64_t most, const int32_t *col, int64_t length,
                     int64_t from)
{
    int64_t i = 0, fresh = 0;
    for (int64_t p = 0; p < length; p++) {
        while (i < n && number[i] < col[p] - from) i++;
        fresh += i == n || number[i] != col[p] - from;
    }
    if (fresh == 0 || n + fresh > most) return fresh == 0 ? n : -1;
    n += fresh;
    for (int64_t to = n - 1, p = length - 1, j = n - fresh - 1; p >= 0; to--) {
        const int64_t own = col[p] - from;
        const bool known = j >= 0 && number[j] >= own;
        p -= !known || number[j] == own;
        number[to] = known ? number[j--] : (int32_t)own;
    }
    return n;
}

static int64_t masked_steps(const spmv__sellc_form *form, const spmv__slice_rows *in, int64_t most,
                            int32_t *scratch)
{
    int64_t n = 0, begin;
    for (int64_t lane = 0; n >= 0 && lane < in->slice.rows; lane++) {
        const int64_t length = row_length(in, lane, &begin);
        n = unite(scratch, n, most, in->A->col_idx + begin, length, origin(form, in, lane));
    }
    return n;
}

static void shared_encode(const spmv__sellc_form *form, const spmv__slice_rows *in, void *val)
{
    const spmv__slice *s = &in->slice;
    int64_t begin;
    for (int64_t k = 0, n = row_length(in, 0, &begin); k < n; k++)
        s->code[k] = (int32_t)(in->A->col_idx[begin + k] - origin(form, in, 0));
    for (int64_t lane = 0; lane < s->rows; lane++) {
        const int64_t n = row_length(in, lane, &begin);
        for (int64_t k = 0; k < n; k++) put_value(in, val, k, lane, begin + k);
    }
}

static void masked_encode(const spmv__sellc_form *form, const spmv__slice_rows *in, void *val)
{
    const spmv__slice *s = &in->slice;
    masked_steps(form, in, s->steps, s->code);
    for (int64_t lane = 0, begin; lane < s->rows; lane++) {
        const int64_t n = row_length(in, lane, &begin), from = origin(form, in, lane);
        for (int64_t p = begin, k = 0; p < begin + n; k++) {
            if (s->code[k] != in->A->col_idx[p] - from) continue;
            uint32_t *word = (uint32_t *)mask_word(s, k, lane);
            *word |= (uint32_t)1 << mask_shift(k, lane);
            put_value(in, val, k, lane, p++);
        }
    }
}

/* ---- The table ------------------------------------------------------------------------------ */

#define SHARED(relative)                                                                       \
    {                                                                                          \
        relative, false, shared_words, shared_decode, shared_tidy, shared_steps, shared_encode \
    }
#define MASKED(relative)                                                                      \
    {                                                                                         \
        relative, true, masked_words, masked_decode, masked_tidy, masked_steps, masked_encode \
    }

const spmv__sellc_form spmv__sellc_forms[SPMV_SELLC_ENCODINGS] = {
    [SPMV_SELLC_FAR] = {false, false, far_words, far_decode, far_tidy, far_steps, far_encode},
    [SPMV_SELLC_NEAR] = {false, false, near_words, near_decode, near_tidy, near_steps, near_encode},
    [SPMV_SELLC_DIAGONAL] = SHARED(true),
    [SPMV_SELLC_DIAGONAL_MASKED] = MASKED(true),
    [SPMV_SELLC_COLUMN] = SHARED(false),
    [SPMV_SELLC_COLUMN_MASKED] = MASKED(false),
};
