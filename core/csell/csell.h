/* csell.h -- the slices of CSELL, and the forms that their columns may have.
 *
 * A form is one record: how many words it takes, how it is read, for which rows it can stand and
 * how it is filled.  Everything else goes through the records, but for the kernels, which know the
 * forms that they are made for. */
#pragma once

#include "core/base/meter.h"
#include "core/csell/csell_sizes.h"
#include "core/matrix/value.h"

/* One slice of a matrix. */
typedef struct spmv__slice {
    int64_t lanes;       /* of every step */
    int64_t rows;        /* the first lanes hold rows, those behind them padding */
    int64_t first;       /* row of lane 0, before it is sorted */
    const int32_t *perm; /* NULL: rows are in their own order */
    int64_t steps;
    int64_t slot; /* of step 0 and lane 0 */
    int32_t *code;
} spmv__slice;

/* The rows that a slice is made from. */
typedef struct spmv__slice_rows {
    const spmv_csr *A;
    spmv__slice slice;
    int64_t width;       /* entries of the longest row */
    int64_t nnz;         /* entries */
    int64_t low, high;   /* the least and the greatest column; 0 and -1 where there is no entry */
    int64_t left, right; /* the same of column - row */
} spmv__slice_rows;

/* The columns that decoding gives for padding, and for a column that a hostile file puts below 0.
 */
enum { SPMV__CSELL_PADDING = -1, SPMV__CSELL_OUTSIDE = -2 };

typedef struct spmv__csell_form spmv__csell_form;
struct spmv__csell_form {
    bool relative; /* column - row is stored */
    bool gaps;     /* padding may come before entries */
    bool listed;   /* rows share lists of columns */
    int bits;      /* of the code of a slot, or of a column of a list */
    /* The number of words for `steps` steps and `codes` codes of lists. */
    int64_t (*words)(const spmv__csell_form *form, int64_t lanes, int64_t steps, int64_t codes);
    /* Columns of step k, 0 <= k < steps, in lanes lane .. lane + n - 1. */
    void (*decode)(const spmv__csell_form *form, const spmv__slice *s, int64_t k, int64_t lane,
                   int64_t n, int32_t *col);
    /* Whether the words that have no meaning are 0, and steps that share a word with the last one
     * are padding.  It may be asked of any words. */
    bool (*tidy)(const spmv__csell_form *form, const spmv__slice *s);
    /* The number of steps that the rows need; -1 where that is more than `most` or the form cannot
     * hold them, and the codes of their lists in *codes.  scratch is [most]. */
    int64_t (*steps)(const spmv__csell_form *form, const spmv__slice_rows *rows, int64_t most,
                     int32_t *scratch, int64_t *codes);
    /* Fill slice.code, which is 0, and the values. */
    void (*encode)(const spmv__csell_form *form, const spmv__slice_rows *rows, void *val);
};

extern const spmv__csell_form spmv__csell_far, spmv__csell_near, spmv__csell_diagonal,
    spmv__csell_diagonal_masked, spmv__csell_column, spmv__csell_column_masked, spmv__csell_byte,
    spmv__csell_lists, spmv__csell_lists_far, spmv__csell_lists_masked;
extern const spmv__csell_form *const spmv__csell_forms[SPMV_CSELL_ENCODINGS];

static inline int64_t spmv__csell_slices(const spmv_csell *A)
{
    return A->rows / A->slice + (A->rows % A->slice != 0);
}

/* Slice s; steps and places only where slice_ptr and code_ptr are there. */
spmv__slice spmv__csell_slice(const spmv_csell *A, int64_t s);

static inline int64_t spmv__slice_row(const spmv__slice *s, int64_t lane)
{
    return s->perm != NULL ? s->perm[s->first + lane] : s->first + lane;
}

/* Columns of step k of slice s, as the record has it. */
static inline void spmv__csell_decode(const spmv_csell *A, int64_t s, const spmv__slice *slice,
                                      int64_t k, int64_t lane, int64_t n, int32_t *col)
{
    const spmv__csell_form *form = spmv__csell_forms[A->encoding[s]];
    form->decode(form, slice, k, lane, n, col);
}

/* ---- What the forms share ------------------------------------------------------------------- */

/* A decoded column. */
static inline int32_t spmv__column(int64_t col)
{
    if (col < 0) return SPMV__CSELL_OUTSIDE;
    return col < INT32_MAX ? (int32_t)col : INT32_MAX;
}

static inline bool spmv__all_zero(const int32_t *word, int64_t n)
{
    int32_t any = 0;
    for (int64_t i = 0; i < n; i++) any |= word[i];
    return any == 0;
}

/* Length of the row in a lane, and where it begins. */
static inline int64_t spmv__row_length(const spmv__slice_rows *in, int64_t lane, int64_t *begin)
{
    const int64_t r = spmv__slice_row(&in->slice, lane);
    *begin = in->A->row_ptr[r];
    return in->A->row_ptr[r + 1] - *begin;
}

/* Value p of the rows becomes that of step k of a lane. */
static inline void spmv__put_value(const spmv__slice_rows *in, void *val, int64_t k, int64_t lane,
                                   int64_t p)
{
    const spmv__slice *s = &in->slice;
    spmv__copy_value(in->A->type, val, s->slot + k * s->lanes + lane, in->A->val, p);
}

/* Every value of the rows: number k of a row becomes that of step k of its lane. */
void spmv__put_rows(const spmv__slice_rows *in, void *val);

/* The union of n ascending numbers and of the columns of a row less `from`, in the place of the
 * first; returns how many, or -1, and changes nothing, for more than `most`. */
int64_t spmv__unite(int32_t *number, int64_t n, int64_t most, const int32_t *col, int64_t length,
                    int64_t from);

/* ---- Where the words are -------------------------------------------------------------------- */

/* Of bytes with a bit for each slot, which come after `words` words: the word in which step k of a
 * lane lies, and the shift to its bit. */
static inline int64_t spmv__mask_word(const spmv__slice *s, int64_t words, int64_t k, int64_t lane)
{
    return words + (k / SPMV__CSELL_BITS * s->lanes + lane) / 4;
}
static inline int spmv__mask_shift(int64_t k, int64_t lane)
{
    return (int)(lane % 4 * 8 + k % SPMV__CSELL_BITS);
}

/* Whether the slot of step k of a lane is an entry, and saying that it is one. */
static inline bool spmv__mask_bit(const spmv__slice *s, int64_t words, int64_t k, int64_t lane)
{
    const int32_t word = s->code[spmv__mask_word(s, words, k, lane)];
    return ((uint32_t)word >> spmv__mask_shift(k, lane) & 1) != 0;
}
static inline void spmv__set_mask_bit(const spmv__slice *s, int64_t words, int64_t k, int64_t lane)
{
    uint32_t *word = (uint32_t *)s->code + spmv__mask_word(s, words, k, lane);
    *word |= (uint32_t)1 << spmv__mask_shift(k, lane);
}

/* Whether no bit is set that stands for no step. */
bool spmv__mask_tidy(const spmv__slice *s, int64_t words);

/* Whether a list begins in a lane, by the lowest bit, and in those after it in the same word. */
static inline uint32_t spmv__lists_begin(const spmv__slice *s, int64_t lane)
{
    return (uint32_t)s->code[SPMV__CSELL_TAIL + lane / 32] >> lane % 32;
}
static inline bool spmv__list_begins(const spmv__slice *s, int64_t lane)
{
    return (spmv__lists_begin(s, lane) & 1) != 0;
}

/* Columns of a code, and codes of a list; 0 where the words say what cannot be. */
static inline int64_t spmv__list_run(const spmv__slice *s)
{
    return s->code[2] > 0 && s->steps % s->code[2] == 0 ? s->code[2] : 0;
}
static inline int64_t spmv__list_room(const spmv__slice *s)
{
    const int64_t run = spmv__list_run(s);
    return run > 0 ? spmv__whole_bytes(s->steps / run) : 0;
}

/* Codes of all lists. */
static inline int64_t spmv__list_codes(const spmv__slice *s)
{
    const bool fit = s->code[1] >= 0 && s->code[1] <= s->lanes;
    return fit ? s->code[1] * spmv__list_room(s) : 0;
}

/* Number i of codes that have `bits` bits each, the lowest first. */
static inline uint32_t spmv__code(const int32_t *word, int bits, int64_t i)
{
    const int64_t each = 32 / bits;
    return (uint32_t)word[i / each] >> bits * (i % each) & UINT32_MAX >> (32 - bits);
}

/* ---- Multiplying ---------------------------------------------------------------------------- */

/* The multiply member of the record. */
void spmv__csell_multiply(const spmv_matrix *A, spmv_type vector_type, spmv_scalar alpha,
                          const void *x, spmv_scalar beta, void *y, double *scratch, int threads);

/* ---- Building ------------------------------------------------------------------------------- */

enum { SPMV__CSELL_WALKS = 3 }; /* choose forms for one layout, and for another, and fill */
spmv_status spmv__csell_plan(spmv_matrix *out, double *filled, const spmv_csr *A,
                             const spmv_convert_options *build, spmv_error *err);
spmv_status spmv__csell_from_csr(spmv_matrix *out, const spmv_csr *A,
                                 const spmv_convert_options *build, spmv__meter *meter,
                                 spmv_error *err);
