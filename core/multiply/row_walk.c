/* row_walk.c -- multiply entries that lie row after row, in equal pieces of rows + nonzeros.
 *
 * Idea: walking the matrix takes one step per nonzero and one per end of a row.  The walk is cut
 * into pieces of equal length, wherever in a row that is (merge path), so that neither many empty
 * rows nor one enormous row spoil the balance.  A cut is found by binary search.  A piece writes
 * the rows that lie inside it; the sums of its first and its last row, which neighbours may share,
 * go to two slots that are combined at the end, in order.
 *
 * The number of pieces depends on the matrix alone, and so does every bit of the result.
 * Time O(rows + nnz), 18 KB of stack, no allocation.
 * Source: D. Merrill, M. Garland, Merge-based parallel sparse matrix-vector multiplication, SC'16.
 */
#include "core/matrix/value.h"
#include "core/multiply/multiply.h"

#include <string.h>

enum {
    MIN_STEPS = 8192 /* in a piece: below, starting a thread costs more than it brings */
};

static int pieces_of(int64_t steps)
{
    const int64_t wanted = steps / MIN_STEPS;
    return wanted < 1 ? 1 : wanted < SPMV__PIECES ? (int)wanted : SPMV__PIECES;
}

/* The steps before piece k of `pieces`. */
static int64_t steps_before(int64_t steps, int k, int pieces)
{
    const int64_t more = steps % pieces;
    return steps / pieces * k + (k < more ? k : more);
}

/* The place at which `steps` steps are done. */
static spmv__cut cut_after(const spmv__entries *A, int64_t steps)
{
    const bool by_entries = !spmv__has_row_ptr(A);
    int64_t low = 0, high = by_entries ? A->nnz : A->rows;

    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        const bool before = by_entries ? A->row_idx[middle] + middle < steps
                                       : spmv__row_begin(A, middle + 1) + middle < steps;
        if (before)
            low = middle + 1;
        else
            high = middle;
    }
    return by_entries ? (spmv__cut){steps - low, low} : (spmv__cut){low, steps - low};
}

int spmv__pieces(const spmv__entries *A)
{
    return pieces_of(A->rows + A->nnz);
}

spmv__cut spmv__cut_at(const spmv__entries *A, int k, int pieces)
{
    return cut_after(A, steps_before(A->rows + A->nnz, k, pieces));
}

/* The last of n rows that begins at this step or before it, or -1. */
static int64_t row_at(const int64_t *step, int64_t n, int64_t at)
{
    return spmv__find_offset(step, n, at + 1) - 1;
}

int spmv__part_cuts(spmv__cut *cuts, const spmv__entries *part, const int64_t *step, int64_t whole)
{
    const int pieces = pieces_of(whole);
    int n = 1;
    cuts[0] = (spmv__cut){0, 0};
    for (int k = 1; k < pieces; k++) {
        const int64_t at = steps_before(whole, k, pieces), r = row_at(step, part->rows, at);
        if (r < 0) continue;
        const spmv__cut cut = {r, spmv__row_begin(part, r) + at - step[r]};
        if (cut.pos <= spmv__row_begin(part, r + 1)) cuts[n++] = cut;
    }
    cuts[n] = (spmv__cut){part->rows, part->nnz};
    return n;
}

int spmv__cuts_in_row(int64_t *cut, int64_t step, int64_t length, int64_t whole)
{
    const int pieces = pieces_of(whole);
    int n = 0;
    for (int k = 1; k < pieces; k++) {
        const int64_t at = steps_before(whole, k, pieces);
        if (at >= step && at <= step + length) cut[n++] = at - step;
    }
    return n;
}

const int64_t *spmv__row_starts(const spmv__entries *A, int64_t first, int64_t n, int64_t *start)
{
    if (A->row_ptr != NULL && A->base == 0) return A->row_ptr + first;
    for (int64_t i = 0; i <= n; i++) start[i] = spmv__row_begin(A, first + i);
    return start;
}

/* Find where each of the n complete rows from `at` on begins, and where the last one ends; only
 * what is left of the first one counts.  `start` is room for that. */
static const int64_t *find_starts(const spmv__entries *A, spmv__cut at, int64_t n, int64_t *start)
{
    if (spmv__has_row_ptr(A)) {
        const int64_t *found = spmv__row_starts(A, at.row, n, start);
        if (found[0] == at.pos) return found;
        if (found != start) memcpy(start, found, (size_t)(n + 1) * sizeof *start);
        start[0] = at.pos;
        return start;
    }
    start[0] = at.pos;
    for (int64_t i = 0, p = at.pos; i < n; i++) {
        while (p < A->nnz && A->row_idx[p] == at.row + i) p++;
        start[i + 1] = p;
    }
    return start;
}

void spmv__walk_piece(const spmv__entries *A, spmv__row_sums sums, spmv__cut from, spmv__cut to,
                      const void *x, const spmv__output *out, spmv_scalar *head, spmv_scalar *tail)
{
    const spmv_type sum_type = spmv__double_type(out->type);
    const int64_t parts = spmv__parts(out->type);
    int64_t buffer[SPMV__BLOCK + 1];
    double sum[2 * SPMV__BLOCK];
    spmv__cut at = from;

    while (at.row < to.row) {
        const int64_t left = to.row - at.row, n = left < SPMV__BLOCK ? left : SPMV__BLOCK;
        const int64_t shared = at.row == from.row ? 1 : 0;
        const int64_t *start = find_starts(A, at, n, buffer);
        sums(start, n, A->col_idx, A->val, x, sum);
        if (shared) *head = spmv__scalar(sum_type, sum, 0);
        spmv__output_sums(out, NULL, at.row + shared, n - shared, sum + shared * parts);
        at = (spmv__cut){at.row + n, start[n]};
    }
    sums((const int64_t[]){at.pos, to.pos}, 1, A->col_idx, A->val, x, sum);
    *tail = spmv__scalar(sum_type, sum, 0);
}

/* No sum at all is -0: adding it leaves every number as it is, -0 too. */
void spmv__combine_pieces(const spmv__cut *cuts, const spmv_scalar *head, const spmv_scalar *tail,
                          int pieces, const spmv__output *out)
{
    const spmv_scalar nothing = {-0.0, -0.0};
    spmv_scalar open = nothing; /* what earlier pieces hold of the row at the cut */

    for (int k = 0; k < pieces; k++) {
        if (cuts[k].row < cuts[k + 1].row) {
            double sum[] = {open.re + head[k].re, open.im + head[k].im};
            spmv__output_sums(out, NULL, cuts[k].row, 1, sum);
            open = nothing;
        }
        open = spmv__number(open.re + tail[k].re, open.im + tail[k].im);
    }
}

void spmv__entries_multiply(const spmv__entries *A, spmv_type x_type, const void *x,
                            const spmv__output *out, int threads)
{
    const spmv__row_sums sums = spmv__row_sums_for(A->type, x_type, A->wide, spmv__use_avx2());
    const int pieces = spmv__pieces(A);
    spmv_scalar head[SPMV__PIECES], tail[SPMV__PIECES];
    spmv__cut cuts[SPMV__PIECES + 1];

    if (threads > pieces) threads = pieces;
    cuts[pieces] = spmv__cut_at(A, pieces, pieces);
#pragma omp parallel for num_threads(threads) if (threads > 1) schedule(dynamic)
    for (int k = 0; k < pieces; k++) {
        cuts[k] = spmv__cut_at(A, k, pieces);
        spmv__walk_piece(A, sums, cuts[k], spmv__cut_at(A, k + 1, pieces), x, out, &head[k],
                         &tail[k]);
    }
    spmv__combine_pieces(cuts, head, tail, pieces, out);
}
