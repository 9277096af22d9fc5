/* csell_steps.c -- forms with one number for every step.
 *
 * Idea: stencils and bands have the same few distances from the diagonal in all rows of a slice,
 * and rows of a dense block the same columns: then one number stands for a whole step.  Rows that
 * lack an entry there, at the edge of a grid, are told by one bit each. */
#include "core/csell/csell.h"

enum { BITS = SPMV__CSELL_BITS };

static int64_t shared_words(const spmv__csell_form *form, int64_t lanes, int64_t steps,
                            int64_t codes)
{
    (void)form, (void)lanes, (void)codes;
    return spmv__whole_bytes(steps);
}

static int64_t masked_words(const spmv__csell_form *form, int64_t lanes, int64_t steps,
                            int64_t codes)
{
    return shared_words(form, lanes, steps, codes) + spmv__mask_words(lanes, steps);
}

static void shared_decode(const spmv__csell_form *form, const spmv__slice *s, int64_t k,
                          int64_t lane, int64_t n, int32_t *col)
{
    const int64_t number = s->code[k];
    for (int64_t i = 0; i < n; i++) {
        const bool row = lane + i < s->rows;
        const int64_t from = form->relative && row ? spmv__slice_row(s, lane + i) : 0;
        col[i] = row ? spmv__column(number + from) : SPMV__CSELL_OUTSIDE;
    }
}

static void masked_decode(const spmv__csell_form *form, const spmv__slice *s, int64_t k,
                          int64_t lane, int64_t n, int32_t *col)
{
    shared_decode(form, s, k, lane, n, col);
    for (int64_t i = 0; i < n; i++)
        if (!spmv__mask_bit(s, spmv__whole_bytes(s->steps), k, lane + i))
            col[i] = SPMV__CSELL_PADDING;
}

static bool shared_tidy(const spmv__csell_form *form, const spmv__slice *s)
{
    (void)form;
    for (int64_t k = 1; k < s->steps; k++)
        if (s->code[k] <= s->code[k - 1]) return false;
    return spmv__all_zero(s->code + s->steps, spmv__whole_bytes(s->steps) - s->steps);
}

bool spmv__mask_tidy(const spmv__slice *s, int64_t words)
{
    const uint32_t unused = s->steps % BITS == 0 ? 0 : 0xffu << s->steps % BITS & 0xffu;
    uint32_t any = 0;
    for (int64_t lane = 0; unused != 0 && lane < s->lanes; lane += 4)
        any |= (uint32_t)s->code[spmv__mask_word(s, words, s->steps - 1, lane)];
    return (any & unused * 0x01010101u) == 0;
}

static bool masked_tidy(const spmv__csell_form *form, const spmv__slice *s)
{
    return spmv__mask_tidy(s, spmv__whole_bytes(s->steps)) && shared_tidy(form, s);
}

/* The number that is subtracted from the columns of a lane. */
static int64_t origin(const spmv__csell_form *form, const spmv__slice_rows *in, int64_t lane)
{
    return form->relative ? spmv__slice_row(&in->slice, lane) : 0;
}

/* Every row has all steps, that is the numbers of the first row. */
static int64_t shared_steps(const spmv__csell_form *form, const spmv__slice_rows *in, int64_t most,
                            int32_t *scratch, int64_t *codes)
{
    (void)scratch, (void)codes;
    int64_t first, begin;
    const int32_t *col = in->A->col_idx;
    if (in->width > most || in->nnz != in->width * in->slice.lanes) return -1;
    if (in->nnz == 0) return 0;
    spmv__row_length(in, 0, &first);
    for (int64_t lane = 1; lane < in->slice.lanes; lane++) {
        const int64_t n = spmv__row_length(in, lane, &begin);
        const int64_t apart = origin(form, in, lane) - origin(form, in, 0);
        for (int64_t k = 0; k < n; k++)
            if (col[begin + k] - apart != col[first + k]) return -1;
    }
    return in->width;
}

int64_t spmv__unite(int32_t *number, int64_t n, int64_t most, const int32_t *col, int64_t length,
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

static int64_t masked_steps(const spmv__csell_form *form, const spmv__slice_rows *in, int64_t most,
                            int32_t *scratch, int64_t *codes)
{
    (void)codes;
    int64_t n = 0, begin;
    for (int64_t lane = 0; n >= 0 && lane < in->slice.rows; lane++) {
        const int64_t length = spmv__row_length(in, lane, &begin);
        n = spmv__unite(scratch, n, most, in->A->col_idx + begin, length, origin(form, in, lane));
    }
    return n;
}

static void shared_encode(const spmv__csell_form *form, const spmv__slice_rows *in, void *val)
{
    const spmv__slice *s = &in->slice;
    int64_t begin;
    for (int64_t k = 0, n = spmv__row_length(in, 0, &begin); k < n; k++)
        s->code[k] = (int32_t)(in->A->col_idx[begin + k] - origin(form, in, 0));
    spmv__put_rows(in, val);
}

static void masked_encode(const spmv__csell_form *form, const spmv__slice_rows *in, void *val)
{
    const spmv__slice *s = &in->slice;
    masked_steps(form, in, s->steps, s->code, NULL);
    for (int64_t lane = 0, begin; lane < s->rows; lane++) {
        const int64_t n = spmv__row_length(in, lane, &begin), from = origin(form, in, lane);
        for (int64_t p = begin, k = 0; p < begin + n; k++) {
            if (s->code[k] != in->A->col_idx[p] - from) continue;
            spmv__set_mask_bit(s, spmv__whole_bytes(s->steps), k, lane);
            spmv__put_value(in, val, k, lane, p++);
        }
    }
}

#define SHARED(is_relative)                                                      \
    {                                                                            \
        .relative = is_relative, .words = shared_words, .decode = shared_decode, \
        .tidy = shared_tidy, .steps = shared_steps, .encode = shared_encode,     \
    }
#define MASKED(is_relative)                                                                    \
    {                                                                                          \
        .relative = is_relative, .gaps = true, .words = masked_words, .decode = masked_decode, \
        .tidy = masked_tidy, .steps = masked_steps, .encode = masked_encode,                   \
    }
const spmv__csell_form spmv__csell_diagonal = SHARED(true), spmv__csell_column = SHARED(false),
                       spmv__csell_diagonal_masked = MASKED(true),
                       spmv__csell_column_masked = MASKED(false);
