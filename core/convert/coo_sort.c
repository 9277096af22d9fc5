/* coo_sort.c -- bring coordinates into order with a radix sort, and settle duplicates.
 *
 * Least significant digit first: every pass is a stable counting sort by a few bits, first of the
 * column, then of the row.  Only the bits that occur are looked at, and a digit that is the same
 * everywhere costs no move.  Entries that come ordered by column (most Matrix Market files) are
 * sorted by row only. */
#include "core/matrix/value.h"
#include "core/matrix/format.h"
#include "core/convert/coo_sort.h"

enum { MAX_DIGIT_BITS = 11 }; /* 2048 counters fit the first-level cache */

/* Facts that one walk over the entries finds. */
typedef struct order {
    bool sorted;         /* by row, then column; equal neighbours allowed */
    bool columns_ascend; /* from the first entry to the last, whatever the rows */
    int64_t last_row, last_col;
} order;

static spmv_status survey(const spmv_coo *A, order *out, spmv_error *err)
{
    order o = {true, true, 0, 0};
    for (int64_t p = 0; p < A->nnz; p++) {
        int64_t r = A->row_idx[p], c = A->col_idx[p];
        if (r < 0 || r >= A->rows || c < 0 || c >= A->cols) {
            spmv__fail(err, SPMV_ERROR_INVALID_DIMENSION,
                       "entry %lld at row %lld, column %lld is outside %lld x %lld", (long long)p,
                       (long long)r, (long long)c, (long long)A->rows, (long long)A->cols);
            if (err != NULL) err->line = p + 1;
            return SPMV_ERROR_INVALID_DIMENSION;
        }
        if (p > 0) {
            int64_t above = A->row_idx[p - 1], left = A->col_idx[p - 1];
            o.sorted = o.sorted && (r > above || (r == above && c >= left));
            o.columns_ascend = o.columns_ascend && c >= left;
        }
        if (r > o.last_row) o.last_row = r;
        if (c > o.last_col) o.last_col = c;
    }
    *out = o;
    return SPMV_SUCCESS;
}

/* Move entries begin .. end - 1 to where start says. */
static void move_entries(const spmv_coo *from, spmv_coo *to, const int64_t *key, int shift,
                         int64_t mask, int64_t *start, int64_t begin, int64_t end)
{
    for (int64_t p = begin; p < end; p++) {
        int64_t q = start[key[p] >> shift & mask]++;
        to->row_idx[q] = from->row_idx[p];
        to->col_idx[q] = from->col_idx[p];
        spmv__copy_value(from->type, to->val, q, from->val, p);
    }
}

/* Move all entries to `to`, ordered by `bits` bits of key (the rows or columns of `from`).
 * Returns false, and moves nothing, when these bits are the same in all of them. */
static bool sort_digit(const spmv_coo *from, spmv_coo *to, const int64_t *key, int shift, int bits,
                       spmv__meter *meter)
{
    int64_t start[(1 << MAX_DIGIT_BITS) + 1] = {0};
    int64_t mask = ((int64_t)1 << bits) - 1;

    for (int64_t p = 0; p < from->nnz; p++) start[(key[p] >> shift & mask) + 1]++;
    const bool moves = start[(key[0] >> shift & mask) + 1] < from->nnz;
    spmv__counts_to_offsets(start, mask);
    for (int64_t p = 0, end; p < from->nnz; p = end) {
        end = from->nnz - p < SPMV__PORTION ? from->nnz : p + SPMV__PORTION;
        if (moves) move_entries(from, to, key, shift, mask, start, p, end);
        spmv__meter_advance(meter, end - p);
    }
    return moves;
}

static int bits_of(int64_t largest)
{
    return 64 - __builtin_clzll((unsigned long long)largest | 1);
}

/* Passes that keys up to the largest take. */
static int digits_of(int64_t largest)
{
    return (bits_of(largest) + MAX_DIGIT_BITS - 1) / MAX_DIGIT_BITS;
}

/* Sort *A by row or column, up to the largest that occurs; *A and *spare may change places. */
static void sort_by(spmv_coo *A, spmv_coo *spare, bool by_row, int64_t largest, spmv__meter *meter)
{
    const int used = bits_of(largest), digits = digits_of(largest);
    const int bits = (used + digits - 1) / digits;
    for (int shift = 0; shift < used; shift += bits) {
        if (sort_digit(A, spare, by_row ? A->row_idx : A->col_idx, shift, bits, meter)) {
            spmv_coo swap = *A;
            *A = *spare;
            *spare = swap;
        }
    }
}

static spmv_status sort(spmv_coo *A, const order *o, spmv__meter *meter, spmv_error *err)
{
    spmv_coo spare, now = *A;
    const int passes = digits_of(o->last_row) + (o->columns_ascend ? 0 : digits_of(o->last_col));
    spmv_status st = spmv_coo_create(&spare, A->type, A->rows, A->cols, A->nnz, err);
    if (st != SPMV_SUCCESS) return st;

    spmv__meter_begin(meter, "sorting", passes * A->nnz, 2 * sizeof *A->row_idx, A->type);
    if (!o->columns_ascend) sort_by(&now, &spare, false, o->last_col, meter);
    sort_by(&now, &spare, true, o->last_row, meter);
    if (now.row_idx != A->row_idx) { /* an odd number of moves: the result lies in the spare */
        size_t n = (size_t)A->nnz;
        memcpy(A->row_idx, now.row_idx, n * sizeof *A->row_idx);
        memcpy(A->col_idx, now.col_idx, n * sizeof *A->col_idx);
        if (A->type != SPMV_PATTERN) memcpy(A->val, now.val, n * spmv_type_size(A->type));
        spare = now;
    }
    spmv_destroy(&(spmv_matrix){.format = SPMV_COO, .coo = spare});
    return SPMV_SUCCESS;
}

/* Entry q becomes what the policy makes of entries begin .. end - 1 (q <= begin). */
static void combine(spmv_coo *A, int64_t q, int64_t begin, int64_t end, spmv_duplicates policy)
{
    A->row_idx[q] = A->row_idx[begin];
    A->col_idx[q] = A->col_idx[begin];
    if (end - begin == 1 || policy == SPMV_DUPLICATES_FIRST) {
        spmv__copy_value(A->type, A->val, q, A->val, begin);
    } else if (policy == SPMV_DUPLICATES_LAST) {
        spmv__copy_value(A->type, A->val, q, A->val, end - 1);
    } else {
        spmv_scalar sum = spmv__scalar(A->type, A->val, begin); /* 0 would lose the sign of -0 */
        for (int64_t p = begin + 1; p < end; p++) {
            sum.re += spmv__scalar(A->type, A->val, p).re;
            sum.im += spmv__scalar(A->type, A->val, p).im;
        }
        spmv__set_scalar(A->type, A->val, q, sum);
    }
}

static spmv_status merge(spmv_coo *A, spmv_duplicates policy, spmv_error *err)
{
    int64_t q = 0, end;
    for (int64_t p = 0; p < A->nnz; p = end) {
        for (end = p + 1; end < A->nnz; end++) {
            if (A->row_idx[end] != A->row_idx[p] || A->col_idx[end] != A->col_idx[p]) break;
        }
        if (end - p > 1 && policy == SPMV_DUPLICATES_ERROR)
            return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT,
                              "row %lld, column %lld is given %lld times", (long long)A->row_idx[p],
                              (long long)A->col_idx[p], (long long)(end - p));
        combine(A, q++, p, end, policy);
    }
    A->nnz = q;
    return SPMV_SUCCESS;
}

/* Returns whether a coordinate of sorted entries is given more than once. */
static bool repeats(const spmv_coo *A)
{
    for (int64_t p = 1; p < A->nnz; p++)
        if (A->row_idx[p] == A->row_idx[p - 1] && A->col_idx[p] == A->col_idx[p - 1]) return true;
    return false;
}

/* The entries of a pattern get their values. */
static spmv_status write_ones(spmv_coo *A, spmv_error *err)
{
    double *ones = NULL;
    const spmv_status st = spmv__alloc(&ones, A->nnz, sizeof *ones, "values", err);
    if (st != SPMV_SUCCESS) return st;
    for (int64_t p = 0; p < A->nnz; p++) ones[p] = 1;
    A->type = SPMV_F64;
    A->val = ones;
    return st;
}

spmv_status spmv__coo_sort(spmv_coo *A, spmv_duplicates duplicates, int64_t *merged,
                           spmv__meter *meter, spmv_error *err)
{
    spmv_status st;
    order o;
    const int64_t given = A->nnz;

    if (merged != NULL) *merged = 0;
    SPMV__TRY(survey(A, &o, err));
    if (!o.sorted) SPMV__TRY(sort(A, &o, meter, err));
    if (duplicates == SPMV_DUPLICATES_COUNT && A->type == SPMV_PATTERN && repeats(A))
        SPMV__TRY(write_ones(A, err));
    SPMV__TRY(merge(A, duplicates, err));
    if (merged != NULL) *merged = given - A->nnz;
done:
    return st;
}

spmv_status spmv_coo_sort(spmv_coo *A, spmv_duplicates duplicates, int64_t *merged, spmv_error *err)
{
    SPMV__REQUIRE(A != NULL, err);
    SPMV__REQUIRE((unsigned)duplicates <= SPMV_DUPLICATES_COUNT, err);
    SPMV__REQUIRE(duplicates != SPMV_DUPLICATES_COUNT || A->storage == NULL, err);
    const spmv_matrix whole = {.format = SPMV_COO, .coo = *A};
    const spmv_status st = spmv__check_arrays(&whole, err);
    if (st != SPMV_SUCCESS) return st;
    return spmv__coo_sort(A, duplicates, merged, &(spmv__meter){0}, err);
}
