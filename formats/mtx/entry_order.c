/* entry_order.c -- from entries in the order of a file to COO: sorted, each coordinate once, and
 * the entries of a symmetric file in the lower triangle. */
#include "core/matrix/value.h"
#include "formats/text/number.h"
#include "formats/mtx/mtx.h"

const unsigned char *spmv__mtx_find(const spmv__mtx_reader *reader, const unsigned char *begin,
                                    const unsigned char *end, int64_t row, int64_t col, int nth)
{
    spmv__text text = {.p = begin, .end = end, .comments = "%"};
    int64_t r, c;
    spmv_scalar value;
    spmv__mtx_entries one = {
        .header = &reader->header, .options = reader->options, .row = &r, .col = &c};
    if (reader->header.field != SPMV__MTX_PATTERN) one.val = &value;
    one.room = 1;
    while (spmv__text_next_content(&text, true)) {
        const unsigned char *place = text.p;
        one.n = one.skipped = one.dropped = 0;
        if (!spmv__mtx_read_entries(&text, &one)) break;
        if (one.n == 1 && r == row && c == col && --nth == 0) return place;
    }
    return begin;
}

/* The body is read again, from its start. */
static const unsigned char *find_entry(const void *file, int64_t row, int64_t col, int nth)
{
    const spmv__mtx_reader *reader = file;
    return spmv__mtx_find(reader, reader->body, reader->text.end, row, col, nth);
}

spmv__origin spmv__mtx_origin(spmv__mtx_reader *reader, bool mirrored)
{
    return (spmv__origin){
        .src = reader->src,
        .options = reader->options,
        .text = &reader->text,
        .base = reader->options->index_base == SPMV_BASE_0 ? 0 : 1,
        .mirrored = mirrored,
        .find = find_entry,
        .file = reader,
    };
}

static spmv_status sort(spmv__mtx_reader *reader, spmv_coo *A, bool mirrored, int64_t *merged,
                        spmv_error *err)
{
    const spmv__origin origin = spmv__mtx_origin(reader, mirrored);
    return spmv__text_sort(A, &origin, merged, err);
}

/* Entries that all lie above the diagonal, or on it, become their mirror images. */
static void reflect(spmv_coo *A, spmv_symmetry symmetry)
{
    int64_t *row_idx = A->row_idx;
    A->row_idx = A->col_idx;
    A->col_idx = row_idx;
    if (symmetry == SPMV_SYMMETRIC) return;
    for (int64_t p = 0; p < A->nnz; p++) {
        if (A->row_idx[p] == A->col_idx[p]) continue;
        const spmv_scalar value = spmv__scalar(A->type, A->val, p);
        spmv__set_scalar(A->type, A->val, p, spmv__mirrored(symmetry, value));
    }
}

static bool has_entries_below(const spmv_coo *A)
{
    for (int64_t p = 0; p < A->nnz; p++)
        if (A->row_idx[p] > A->col_idx[p]) return true;
    return false;
}

/* Move the entries of *A above the diagonal to *upper, mirrored. */
static spmv_status split(spmv__mtx_reader *reader, spmv_coo *A, spmv_coo *upper, spmv_error *err)
{
    const spmv_symmetry symmetry = reader->header.symmetry;
    int64_t above = 0, q = 0;
    for (int64_t p = 0; p < A->nnz; p++) above += A->row_idx[p] < A->col_idx[p];
    spmv_status st = spmv_coo_create(upper, A->type, A->rows, A->cols, above, err);
    if (st != SPMV_SUCCESS) return st;

    above = 0;
    for (int64_t p = 0; p < A->nnz; p++) {
        int64_t r = A->row_idx[p], c = A->col_idx[p];
        const spmv_scalar value = spmv__scalar(A->type, A->val, p);
        if (r >= c) {
            A->row_idx[q] = r;
            A->col_idx[q] = c;
            spmv__set_scalar(A->type, A->val, q++, value);
        } else {
            upper->row_idx[above] = c;
            upper->col_idx[above] = r;
            spmv__set_scalar(A->type, upper->val, above++, spmv__mirrored(symmetry, value));
        }
    }
    A->nnz = q;
    return SPMV_SUCCESS;
}

/* Returns whether value p of A is another than value q of B. */
static bool differ(const spmv_coo *A, int64_t p, const spmv_coo *B, int64_t q)
{
    const spmv_scalar a = spmv__scalar(A->type, A->val, p), b = spmv__scalar(B->type, B->val, q);
    return !spmv__are_alike(a.re, b.re) || !spmv__are_alike(a.im, b.im);
}

/* Append to *lower what only *upper has; both are in order.  What both have must be the same. */
static spmv_status unite(spmv__mtx_reader *reader, spmv_coo *lower, const spmv_coo *upper,
                         spmv_error *err)
{
    spmv__text *text = &reader->text;
    int64_t p = 0, given = lower->nnz;
    for (int64_t q = 0; q < upper->nnz; q++) {
        int64_t r = upper->row_idx[q], c = upper->col_idx[q];
        while (p < given &&
               (lower->row_idx[p] < r || (lower->row_idx[p] == r && lower->col_idx[p] < c)))
            p++;
        if (p == given || lower->row_idx[p] != r || lower->col_idx[p] != c) {
            lower->row_idx[lower->nnz] = r;
            lower->col_idx[lower->nnz] = c;
            spmv__copy_value(lower->type, lower->val, lower->nnz++, upper->val, q);
            continue;
        }
        bool first = text->count[SPMV__ODD_BOTH_HALVES] == 0;
        if (differ(upper, q, lower, p)) {
            char here[SPMV__VALUE_SIZE], there[SPMV__VALUE_SIZE];
            const int n = spmv__format_value(here, upper->type, upper->val, q);
            const int m = spmv__format_value(there, lower->type, lower->val, p);
            spmv__text_fault(text, find_entry(reader, c, r, 1),
                             "an entry and its mirror image differ: %.*s here, %.*s there", n, here,
                             m, there);
            return spmv__text_report_fault(reader->src, text, err);
        }
        text->count[SPMV__ODD_UPPER]--; /* not mirrored after all */
        spmv__text_note(text, SPMV__ODD_BOTH_HALVES, first ? find_entry(reader, c, r, 1) : NULL);
    }
    return SPMV_SUCCESS;
}

/* Each entry of a pattern counts as 1. */
static spmv_status give_values(spmv_coo *A, spmv_error *err)
{
    spmv_matrix given = {.format = SPMV_COO, .coo = *A}, counted;
    const spmv_status st = spmv_convert_values(&counted, &given, SPMV_F64, err);
    if (st != SPMV_SUCCESS) return st;
    spmv_coo_destroy(A);
    *A = counted.coo;
    return st;
}

spmv_status spmv__mtx_order(spmv__mtx_reader *reader, spmv_coo *A, int64_t *merged, spmv_error *err)
{
    spmv_status st;
    spmv_coo upper = {0};

    *merged = 0;
    if (reader->text.count[SPMV__ODD_UPPER] == 0) return sort(reader, A, false, merged, err);
    if (!has_entries_below(A)) {
        reflect(A, reader->header.symmetry);
        return sort(reader, A, true, merged, err);
    }
    if (A->type == SPMV_PATTERN && reader->options->duplicates == SPMV_DUPLICATES_COUNT)
        SPMV__TRY(give_values(A, err)); /* to both halves alike */
    SPMV__TRY(split(reader, A, &upper, err));
    SPMV__TRY(sort(reader, A, false, merged, err));
    SPMV__TRY(sort(reader, &upper, true, merged, err));
    SPMV__TRY(unite(reader, A, &upper, err));
    SPMV__TRY(spmv_coo_sort(A, SPMV_DUPLICATES_ERROR, NULL, err));
done:
    spmv_coo_destroy(&upper);
    return st;
}
