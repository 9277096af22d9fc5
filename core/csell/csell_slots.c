/* csell_slots.c -- forms with a number for every slot.
 *
 * Idea: 16 bits reach all columns of a slice when it keeps near any place of x, and 8 bits those
 * of a narrow band along the diagonal. */
#include "core/matrix/format.h"
#include "core/csell/csell.h"

enum { TAIL = SPMV__CSELL_TAIL };

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

static int64_t far_words(const spmv__csell_form *form, int64_t lanes, int64_t steps, int64_t codes)
{
    (void)form, (void)codes;
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
                         int32_t *scratch, int64_t *codes)
{
    (void)form, (void)scratch, (void)codes;
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

/* ---- A few bits for every slot -------------------------------------------------------------- */

/* The number of codes in a word, each of a step of its own. */
static int64_t each_word(const spmv__csell_form *form)
{
    return 32 / form->bits;
}

/* The code of padding. */
static int32_t no_code(const spmv__csell_form *form)
{
    return (1 << form->bits) - 1;
}

static int64_t near_words(const spmv__csell_form *form, int64_t lanes, int64_t steps, int64_t codes)
{
    (void)codes;
    return (steps / each_word(form) + (steps % each_word(form) != 0)) * lanes + TAIL;
}

/* The base, in front of the words of the tail that have no meaning. */
static int32_t *tail_of(const spmv__csell_form *form, const spmv__slice *s)
{
    return s->code + near_words(form, s->lanes, s->steps, 0) - TAIL;
}

static void near_decode(const spmv__csell_form *form, const spmv__slice *s, int64_t k, int64_t lane,
                        int64_t n, int32_t *col)
{
    const int32_t *word = s->code + k / each_word(form) * s->lanes + lane, padding = no_code(form);
    const int32_t base = *tail_of(form, s);
    const int shift = form->bits * (int)(k % each_word(form));
    if (form->relative || base < 0 || base > INT32_MAX - padding) {
        for (int64_t i = 0; i < n; i++) { /* a hostile file may have any base */
            const int32_t code = (int32_t)((uint32_t)word[i] >> shift) & padding;
            const bool row = lane + i < s->rows;
            const int64_t from = form->relative && row ? spmv__slice_row(s, lane + i) : 0;
            col[i] = code == padding ? SPMV__CSELL_PADDING
                     : row           ? spmv__column(from + base + code)
                                     : SPMV__CSELL_OUTSIDE;
        }
        return;
    }
    for (int64_t i = 0; i < n; i++) { /* vectors of the compiler */
        const int32_t code = (int32_t)((uint32_t)word[i] >> shift) & padding;
        col[i] = code == padding ? SPMV__CSELL_PADDING : base + code;
    }
}

static bool near_tidy(const spmv__csell_form *form, const spmv__slice *s)
{
    const int64_t used = s->steps % each_word(form);
    const uint32_t meant = used == 0 ? UINT32_MAX : ((uint32_t)1 << form->bits * used) - 1;
    const int32_t *last = s->code + s->steps / each_word(form) * s->lanes;
    uint32_t all = UINT32_MAX;
    for (int64_t i = 0; used != 0 && i < s->lanes; i++) all &= (uint32_t)last[i] | meant;
    return all == UINT32_MAX && spmv__all_zero(tail_of(form, s) + 1, TAIL - 1);
}

static int64_t near_steps(const spmv__csell_form *form, const spmv__slice_rows *in, int64_t most,
                          int32_t *scratch, int64_t *codes)
{
    (void)scratch, (void)codes;
    const int64_t span = form->relative ? in->right - in->left : in->high - in->low;
    return in->width <= most && span < no_code(form) ? in->width : -1;
}

static void near_encode(const spmv__csell_form *form, const spmv__slice_rows *in, void *val)
{
    const spmv__slice *s = &in->slice;
    const int64_t base = form->relative ? in->left : in->low, each = each_word(form);
    const uint32_t padding = (uint32_t)no_code(form);
    uint32_t *word = (uint32_t *)s->code;
    *tail_of(form, s) = (int32_t)base;
    spmv__clear_columns(s->code, tail_of(form, s) - s->code);
    for (int64_t lane = 0, begin; lane < s->rows; lane++) {
        const int64_t n = spmv__row_length(in, lane, &begin);
        const int64_t from = base + (form->relative ? spmv__slice_row(s, lane) : 0);
        for (int64_t k = 0; k < n; k++) {
            const uint32_t code = (uint32_t)(in->A->col_idx[begin + k] - from);
            word[k / each * s->lanes + lane] ^= (code ^ padding) << form->bits * (k % each);
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

#define NEAR(is_relative, so_many)                                                            \
    {                                                                                         \
        .relative = is_relative, .bits = so_many, .words = near_words, .decode = near_decode, \
        .tidy = near_tidy, .steps = near_steps, .encode = near_encode,                        \
    }
const spmv__csell_form spmv__csell_near = NEAR(false, 16), spmv__csell_byte = NEAR(true, 8);
