/* coo_sort.c -- bring coordinates into order with a radix sort.
 *
 * Least significant digit first: every pass is a stable counting sort by a few bits, first of the
 * column, then of the row.  Each thread counts and moves a share of neighbouring entries, and what
 * a share has of a digit goes behind what those before it have: the order is that of one thread.
 * Only the bits that occur are looked at, and a digit that is the same everywhere costs no move.
 * Entries that come ordered by column (most Matrix Market files) are sorted by row only. */
#include "core/matrix/value.h"
#include "core/matrix/format.h"
#include "core/convert/coo_sort.h"

#include <stdlib.h>

enum {
    MAX_DIGIT_BITS = 11,
    MAX_DIGITS = 1 << MAX_DIGIT_BITS
}; /* so many counters fit the
      first-level cache */

/* ---- What is there -------------------------------------------------------------------------- */

/* Facts that one walk over the entries finds. */
typedef struct order {
    const spmv_coo *A;
    bool sorted;         /* by row, then column; equal neighbours allowed */
    bool columns_ascend; /* from the first entry to the last, whatever the rows */
    int64_t last_row, last_col;
    int64_t outside; /* the first entry that is not in the matrix, or nnz */
} order;

static void unite_facts(order *all, const order *some)
{
    all->sorted = all->sorted && some->sorted;
    all->columns_ascend = all->columns_ascend && some->columns_ascend;
    if (some->last_row > all->last_row) all->last_row = some->last_row;
    if (some->last_col > all->last_col) all->last_col = some->last_col;
    if (some->outside < all->outside) all->outside = some->outside;
}

static int64_t survey_entries(void *job, int64_t begin, int64_t end)
{
    order *all = job;
    const spmv_coo *A = all->A;
    order o = {A, true, true, 0, 0, A->nnz};
    for (int64_t p = begin; p < end; p++) {
        const int64_t r = A->row_idx[p], c = A->col_idx[p];
        if (r < 0 || r >= A->rows || c < 0 || c >= A->cols) {
            o.outside = p;
            break;
        }
        if (p > 0) {
            const int64_t above = A->row_idx[p - 1], left = A->col_idx[p - 1];
            o.sorted = o.sorted && (r > above || (r == above && c >= left));
            o.columns_ascend = o.columns_ascend && c >= left;
        }
        if (r > o.last_row) o.last_row = r;
        if (c > o.last_col) o.last_col = c;
    }
#pragma omp critical(spmv__survey)
    unite_facts(all, &o);
    return 0;
}

static spmv_status survey(const spmv_coo *A, order *out, spmv_error *err)
{
    *out = (order){A, true, true, 0, 0, A->nnz};
    spmv__in_portions(survey_entries, out, A->nnz, A->nnz, spmv__threads_for(A->nnz),
                      &(spmv__meter){0});
    const int64_t p = out->outside;
    if (p == A->nnz) return SPMV_SUCCESS;
    spmv__fail(err, SPMV_ERROR_INVALID_DIMENSION,
               "entry %lld at row %lld, column %lld is outside %lld x %lld", (long long)p,
               (long long)A->row_idx[p], (long long)A->col_idx[p], (long long)A->rows,
               (long long)A->cols);
    if (err != NULL) err->line = p + 1;
    return SPMV_ERROR_INVALID_DIMENSION;
}

/* ---- Passes --------------------------------------------------------------------------------- */

/* A sort by some bits of the rows or columns of `from`. */
typedef struct digit_pass {
    const spmv_coo *from, *to;
    const int64_t *key;
    int shift;
    int64_t mask;
    int shares;
    int64_t *next; /* [shares][MAX_DIGITS] what a share has of each digit, then where that goes */
    spmv__meter *meter;
} digit_pass;

static int64_t share_begin(const digit_pass *pass, int t)
{
    return pass->from->nnz / pass->shares * t + pass->from->nnz % pass->shares * t / pass->shares;
}

static void count_share(const digit_pass *pass, int t)
{
    const digit_pass own = *pass;
    int64_t *count = own.next + (int64_t)t * MAX_DIGITS;
    const int64_t end = share_begin(pass, t + 1);
    memset(count, 0, MAX_DIGITS * sizeof *count);
    for (int64_t p = share_begin(pass, t); p < end; p++)
        count[own.key[p] >> own.shift & own.mask]++;
}

/* Counts become places.  Returns whether entries differ in the digit. */
static bool counts_to_places(const digit_pass *pass)
{
    const int64_t nnz = pass->from->nnz;
    int64_t place = 0;
    for (int64_t d = 0; d <= pass->mask; d++) {
        const int64_t before = place;
        for (int t = 0; t < pass->shares; t++) {
            int64_t *next = &pass->next[(int64_t)t * MAX_DIGITS + d];
            const int64_t count = *next;
            *next = place;
            place += count;
        }
        if (place - before == nnz) return false;
    }
    return true;
}

/* Move entries begin .. end - 1 to where `next` says. */
static void move_entries(const digit_pass *pass, int64_t *next, int64_t begin, int64_t end)
{
    const digit_pass own = *pass;
    const spmv_coo from = *own.from, to = *own.to;
    for (int64_t p = begin; p < end; p++) {
        const int64_t q = next[own.key[p] >> own.shift & own.mask]++;
        to.row_idx[q] = from.row_idx[p];
        to.col_idx[q] = from.col_idx[p];
        spmv__copy_value(from.type, to.val, q, from.val, p);
    }
}

static void move_share(const digit_pass *pass, int t, bool moves)
{
    int64_t *next = pass->next + (int64_t)t * MAX_DIGITS;
    const int64_t last = share_begin(pass, t + 1);
    for (int64_t p = share_begin(pass, t), end; p < last; p = end) {
        end = last - p < SPMV__PORTION ? last : p + SPMV__PORTION;
        if (moves) move_entries(pass, next, p, end);
        spmv__meter_advance(pass->meter, end - p);
    }
}

/* Move all entries to `to`, ordered by a digit.  Returns false, and moves nothing, when that is the
 * same in all of them. */
static bool sort_digit(const digit_pass *pass)
{
#pragma omp parallel for schedule(static, 1) num_threads(pass->shares) if (pass->shares > 1)
    for (int t = 0; t < pass->shares; t++) count_share(pass, t);
    const bool moves = counts_to_places(pass);
#pragma omp parallel for schedule(static, 1) num_threads(pass->shares) if (pass->shares > 1)
    for (int t = 0; t < pass->shares; t++) move_share(pass, t, moves);
    return moves;
}

/* ---- The sort ------------------------------------------------------------------------------- */

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
static void sort_by(spmv_coo *A, spmv_coo *spare, bool by_row, int64_t largest, digit_pass *pass)
{
    const int used = bits_of(largest), digits = digits_of(largest);
    const int bits = (used + digits - 1) / digits;
    pass->mask = ((int64_t)1 << bits) - 1;
    for (pass->shift = 0; pass->shift < used; pass->shift += bits) {
        pass->from = A;
        pass->to = spare;
        pass->key = by_row ? A->row_idx : A->col_idx;
        if (sort_digit(pass)) {
            const spmv_coo swap = *A;
            *A = *spare;
            *spare = swap;
        }
    }
}

static spmv_status sort(spmv_coo *A, const order *o, spmv__meter *meter, spmv_error *err)
{
    const int passes = digits_of(o->last_row) + (o->columns_ascend ? 0 : digits_of(o->last_col));
    digit_pass pass = {.shares = spmv__threads_for(A->nnz), .meter = meter};
    spmv_coo spare = {0}, now = *A;
    spmv_status st;
    SPMV__TRY(spmv_coo_create(&spare, A->type, A->rows, A->cols, A->nnz, err));
    SPMV__TRY(spmv__alloc_unset(&pass.next, (int64_t)pass.shares * MAX_DIGITS, sizeof *pass.next,
                                "sorting", err));
    if (pass.shares > 1) spmv__threads_start();
    spmv__meter_begin(meter, "sorting", passes * A->nnz, 2 * sizeof *A->row_idx, A->type);
    if (!o->columns_ascend) sort_by(&now, &spare, false, o->last_col, &pass);
    sort_by(&now, &spare, true, o->last_row, &pass);
    if (now.row_idx != A->row_idx) { /* an odd number of moves: the result lies in the spare */
        size_t n = (size_t)A->nnz;
        memcpy(A->row_idx, now.row_idx, n * sizeof *A->row_idx);
        memcpy(A->col_idx, now.col_idx, n * sizeof *A->col_idx);
        if (A->type != SPMV_PATTERN) memcpy(A->val, now.val, n * spmv_type_size(A->type));
        spare = now;
    }
done:
    free(pass.next);
    spmv_destroy(&(spmv_matrix){.format = SPMV_COO, .coo = spare});
    return st;
}

/* ---- All of it ------------------------------------------------------------------------------ */

spmv_status spmv__coo_sort(spmv_coo *A, spmv_duplicates duplicates, int64_t *merged,
                           spmv__meter *meter, spmv_error *err)
{
    spmv_status st;
    order o;
    const int64_t given = A->nnz;

    if (merged != NULL) *merged = 0;
    SPMV__TRY(survey(A, &o, err));
    if (!o.sorted) SPMV__TRY(sort(A, &o, meter, err));
    SPMV__TRY(spmv__coo_merge(A, duplicates, err));
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
