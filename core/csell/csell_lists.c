/* csell_lists.c -- forms of rows that share lists of columns.
 *
 * Idea: where several unknowns belong to one place, as in finite elements, or dense blocks lie
 * anywhere, neighbouring rows have the same columns, which are written down once.  A list may serve
 * any number of rows, and its columns may lie anywhere: blocks need no size in common, and need not
 * begin at a multiple of it.  Where all columns come in runs of one length, a code stands for a
 * run.  Rows that are much alike share the union of their columns, and a bit for each slot says
 * which of them a row has. */
#include "core/matrix/format.h"
#include "core/csell/csell.h"
#include "core/csell/csell_sizes.h"

enum { TAIL = SPMV__CSELL_TAIL };

/* The code of padding. */
static uint32_t no_code(const spmv__csell_form *form)
{
    return UINT32_MAX >> (32 - form->bits);
}

/* Behind the lists are the bits, where there are any. */
static int64_t mask_of(const spmv__csell_form *form, int64_t lanes, int64_t codes)
{
    return spmv__list_head(lanes) + codes / (32 / form->bits);
}

static int64_t words(const spmv__csell_form *form, int64_t lanes, int64_t steps, int64_t codes)
{
    return mask_of(form, lanes, codes) + (form->gaps ? spmv__mask_words(lanes, steps) : 0);
}

/* Number of the list of a lane. */
static int64_t list_of(const spmv__slice *s, int64_t lane)
{
    int64_t n = -1;
    for (int64_t i = 0; i <= lane; i++) n += spmv__list_begins(s, i);
    return n;
}

/* Number i of the codes of all lists. */
static uint32_t code_of(const spmv__csell_form *form, const spmv__slice *s, int64_t i)
{
    return spmv__code(s->code + spmv__list_head(s->lanes), form->bits, i);
}

static void decode(const spmv__csell_form *form, const spmv__slice *s, int64_t k, int64_t lane,
                   int64_t n, int32_t *col)
{
    const int64_t run = spmv__list_run(s), room = spmv__list_room(s);
    const int64_t base = s->code[0] + k % run, bits = mask_of(form, s->lanes, spmv__list_codes(s));
    int64_t list = list_of(s, lane);
    for (int64_t i = 0; i < n; i++) {
        if (i > 0 && spmv__list_begins(s, lane + i)) list++;
        const uint32_t code = code_of(form, s, list * room + k / run);
        const bool entry = code != no_code(form) && lane + i < s->rows &&
                           (!form->gaps || spmv__mask_bit(s, bits, k, lane + i));
        const int64_t offset = form->bits < 32 ? (int64_t)code : (int32_t)code;
        col[i] = entry ? spmv__column(base + offset) : SPMV__CSELL_PADDING;
    }
}

static bool head_tidy(const spmv__csell_form *form, const spmv__slice *s)
{
    const int64_t used = TAIL + s->lanes / 32;
    int64_t lists = 0;
    for (int64_t lane = 0; lane < s->lanes; lane++) {
        if (lane >= s->rows && spmv__list_begins(s, lane)) return false;
        lists += spmv__list_begins(s, lane);
    }
    return lists == s->code[1] && spmv__list_begins(s, 0) && spmv__list_run(s) > 0 &&
           (!form->gaps || s->code[2] == 1) && (form->bits < 32 || s->code[0] == 0) &&
           spmv__all_zero(s->code + 3, TAIL - 3) &&
           spmv__all_zero(s->code + used, spmv__list_head(s->lanes) - used);
}

static bool tidy(const spmv__csell_form *form, const spmv__slice *s)
{
    if (!head_tidy(form, s)) return false;
    const int64_t room = spmv__list_room(s), codes = spmv__list_codes(s);
    for (int64_t list = 0; list < codes; list += room)
        for (int64_t i = s->steps / spmv__list_run(s); i < room; i++)
            if (code_of(form, s, list + i) != no_code(form)) return false;
    return !form->gaps || spmv__mask_tidy(s, mask_of(form, s->lanes, codes));
}

/* ---- Building ------------------------------------------------------------------------------- */

/* Returns whether the row of a lane has the columns of the row before. */
static bool repeats(const spmv__slice_rows *in, int64_t lane)
{
    int64_t above, begin;
    const int64_t n = spmv__row_length(in, lane, &begin);
    const int32_t *col = in->A->col_idx;
    return spmv__row_length(in, lane - 1, &above) == n &&
           memcmp(col + begin, col + above, (size_t)n * sizeof *col) == 0;
}

/* The greatest number that divides `run` and the lengths of all runs of adjacent columns. */
static int64_t shorten(int64_t run, const int32_t *col, int64_t n)
{
    for (int64_t k = 0, length; k < n && run != 1; k += length) {
        length = 1;
        while (k + length < n && col[k + length] == col[k] + length) length++;
        for (int64_t a = length; a > 0;) { /* Euclid */
            const int64_t rest = run % a;
            run = a;
            a = rest;
        }
    }
    return run;
}

/* What lists the rows have: how many columns a code may stand for, and how many lists there are. */
static int64_t survey(const spmv__slice_rows *in, int64_t *lists)
{
    int64_t run = 0, begin;
    for (int64_t lane = 0; lane < in->slice.rows; lane++) {
        if (lane > 0 && repeats(in, lane)) continue;
        const int64_t n = spmv__row_length(in, lane, &begin);
        run = shorten(run, in->A->col_idx + begin, n);
        ++*lists;
    }
    return run;
}

static int64_t list_steps(const spmv__csell_form *form, const spmv__slice_rows *in, int64_t most,
                          int32_t *scratch, int64_t *codes)
{
    (void)scratch;
    const bool fits = in->high - in->low < UINT16_MAX;
    if (in->width > most || fits != (form->bits < 32) || in->nnz == 0) return -1;
    int64_t lists = 0;
    const int64_t run = survey(in, &lists);
    *codes = lists * spmv__whole_bytes(in->width / run);
    return in->width;
}

/* Begins a list at a lane, all of whose codes are padding; returns where they are. */
static int32_t *begin_list(const spmv__csell_form *form, const spmv__slice *s, int64_t lane)
{
    const int64_t n = spmv__list_room(s) / (32 / form->bits);
    int32_t *codes = s->code + spmv__list_head(s->lanes) + s->code[1] * n;
    uint32_t *begins = (uint32_t *)s->code + TAIL + lane / 32;
    *begins |= (uint32_t)1 << lane % 32;
    s->code[1]++;
    spmv__clear_columns(codes, n);
    return codes;
}

static void list_encode(const spmv__csell_form *form, const spmv__slice_rows *in, void *val)
{
    const spmv__slice *s = &in->slice;
    const int64_t each = 32 / form->bits;
    int64_t lists = 0;
    if (each > 1) s->code[0] = (int32_t)in->low;
    s->code[2] = (int32_t)survey(in, &lists);
    for (int64_t lane = 0, begin; lane < s->rows; lane++) {
        if (lane > 0 && repeats(in, lane)) continue;
        uint32_t *word = (uint32_t *)begin_list(form, s, lane);
        const int64_t n = spmv__row_length(in, lane, &begin) / s->code[2];
        for (int64_t i = 0; i < n; i++) {
            const int64_t col = in->A->col_idx[begin + i * s->code[2]];
            const uint32_t code = (uint32_t)(col - s->code[0]);
            word[i / each] ^= (code ^ no_code(form)) << form->bits * (i % each);
        }
    }
    spmv__put_rows(in, val);
}

/* ---- The union of rows that are alike ------------------------------------------------------- */

/* Makes the list [most] of a lane and of those after it that are alike.  Returns the first lane
 * that is not, and how many columns the list has in *n: -1 for more than `most`. */
static int64_t unite_rows(const spmv__slice_rows *in, int64_t lane, int64_t most, int32_t *list,
                          int64_t *n)
{
    const int32_t *col = in->A->col_idx;
    int64_t begin, length = spmv__row_length(in, lane, &begin);
    *n = spmv__unite(list, 0, most, col + begin, length, 0);
    while (*n >= 0 && ++lane < in->slice.rows) {
        length = spmv__row_length(in, lane, &begin);
        const int64_t united =
            spmv__unite(list, *n, spmv__csell_list_limit(*n, length, most), col + begin, length, 0);
        if (united < 0) break;
        *n = united;
    }
    return lane;
}

static int64_t union_steps(const spmv__csell_form *form, const spmv__slice_rows *in, int64_t most,
                           int32_t *scratch, int64_t *codes)
{
    (void)form;
    int64_t longest = 0, lists = 0, n = 0;
    for (int64_t lane = 0; lane < in->slice.rows; lists++) {
        lane = unite_rows(in, lane, most, scratch, &n);
        if (n < 0) return -1;
        if (n > longest) longest = n;
    }
    *codes = lists * spmv__whole_bytes(longest);
    return longest > 0 ? longest : -1;
}

static void union_encode(const spmv__csell_form *form, const spmv__slice_rows *in, void *val)
{
    const spmv__slice *s = &in->slice;
    s->code[2] = 1;
    for (int64_t lane = 0, n; lane < s->rows;)
        lane = unite_rows(in, lane, s->steps, begin_list(form, s, lane), &n);

    const int64_t bits = mask_of(form, s->lanes, spmv__list_codes(s)), room = spmv__list_room(s);
    const int32_t *list = s->code + spmv__list_head(s->lanes) - room;
    for (int64_t lane = 0, begin; lane < s->rows; lane++) {
        const int64_t n = spmv__row_length(in, lane, &begin);
        if (spmv__list_begins(s, lane)) list += room;
        for (int64_t p = begin, k = 0; p < begin + n; k++) {
            if (list[k] != in->A->col_idx[p]) continue;
            spmv__set_mask_bit(s, bits, k, lane);
            spmv__put_value(in, val, k, lane, p++);
        }
    }
}

/* ---- The records ---------------------------------------------------------------------------- */

#define LISTS(so_many)                                                                   \
    {                                                                                    \
        .listed = true, .bits = so_many, .words = words, .decode = decode, .tidy = tidy, \
        .steps = list_steps, .encode = list_encode,                                      \
    }
const spmv__csell_form spmv__csell_lists = LISTS(16), spmv__csell_lists_far = LISTS(32);

const spmv__csell_form spmv__csell_lists_masked = {
    .gaps = true,
    .listed = true,
    .bits = 32,
    .words = words,
    .decode = decode,
    .tidy = tidy,
    .steps = union_steps,
    .encode = union_encode,
};
