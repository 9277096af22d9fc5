/* slice_rows.cuh -- device code of building CSELL: a warp goes over the rows of a slice, and unites
 * their columns. */
#pragma once

#include "cuda/kernels/csell_build/csell_build.cuh"

namespace spmv
{

/* ---- The forms, as core/csell/csell.h has them ------------------------------------------------
 */

__device__ inline bool has_gaps(int encoding)
{
    return encoding == SPMV_CSELL_DIAGONAL_MASKED || encoding == SPMV_CSELL_COLUMN_MASKED ||
           encoding == SPMV_CSELL_LISTS_MASKED;
}
__device__ inline bool is_relative(int encoding)
{
    return encoding == SPMV_CSELL_DIAGONAL || encoding == SPMV_CSELL_DIAGONAL_MASKED ||
           encoding == SPMV_CSELL_BYTE;
}
__device__ inline bool is_listed(int encoding)
{
    return encoding >= SPMV_CSELL_LISTS;
}

/* Says whether each slot has a code, and not each step or list. */
__device__ inline bool has_codes(int encoding)
{
    return encoding == SPMV_CSELL_FAR || encoding == SPMV_CSELL_NEAR || encoding == SPMV_CSELL_BYTE;
}

/* Returns the bits of a code. */
__device__ inline int code_bits(int encoding)
{
    return encoding == SPMV_CSELL_BYTE                                   ? 8
           : encoding == SPMV_CSELL_NEAR || encoding == SPMV_CSELL_LISTS ? 16
                                                                         : 32;
}

constexpr int CSELL_TAIL = 8; /* words: the base, and those that keep slices aligned */

__device__ inline int64_t whole_bytes(int64_t steps)
{
    return (steps + 7) / 8 * 8;
}
__device__ inline int64_t mask_words(int slice, int64_t steps)
{
    return whole_bytes(steps) / 8 * (slice / 4);
}
__device__ inline int64_t list_head(int slice)
{
    return CSELL_TAIL + (slice / WARP + CSELL_TAIL - 1) / CSELL_TAIL * CSELL_TAIL;
}

/* Returns the number of words of a slice. */
__device__ inline int64_t count_words(int encoding, int slice, int64_t steps, int64_t codes)
{
    const int each = 32 / code_bits(encoding);
    const int64_t mask = has_gaps(encoding) ? mask_words(slice, steps) : 0;
    if (is_listed(encoding)) return list_head(slice) + codes / each + mask;
    if (!has_codes(encoding)) return whole_bytes(steps) + mask;
    return (steps + each - 1) / each * slice + (each > 1 ? CSELL_TAIL : 0);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* One row, and as much of its columns as a warp loads at once. */
struct slice_row {
    int32_t row, length;
    int64_t begin;
    int32_t col; /* that of entry lane_id(), where there is one */
};

/* Calls each(lane, row) in all lanes of a warp for each row of slice s, until it returns false.
 * The row behind is loaded meanwhile. */
template <class I, class F>
__device__ inline void for_rows(const csell_source<I> &from, int64_t s, F each)
{
    const int64_t first = s * from.slice;
    const int rows = (int)min((int64_t)from.slice, from.rows - first);
    int32_t my_row = 0, my_length = 0;
    int64_t my_begin = 0;
    const auto load = [&](int lane) {
        slice_row r = {};
        if (lane >= rows) return r;
        if (lane % WARP == 0) {
            const int64_t i = min(first + lane + lane_id(), from.rows - 1);
            my_row = from.perm != nullptr ? from.perm[i] : (int32_t)i;
            my_begin = from.row_ptr[my_row];
            my_length = (int32_t)(from.row_ptr[my_row + 1] - my_begin);
        }
        r.row = __shfl_sync(ALL_LANES, my_row, lane % WARP);
        r.length = __shfl_sync(ALL_LANES, my_length, lane % WARP);
        r.begin = __shfl_sync(ALL_LANES, my_begin, lane % WARP);
        r.col = lane_id() < r.length ? from.col_idx[r.begin + lane_id()] : 0;
        return r;
    };
    slice_row next = load(0);
    for (int lane = 0; lane < rows; lane++) {
        const slice_row now = next;
        next = load(lane + 1);
        if (!each(lane, now)) return;
    }
}

/* Returns column number k of a row, of which k - k % 32 is the same in all lanes. */
template <class I>
__device__ inline int32_t column_of(const csell_source<I> &from, const slice_row &r, int k)
{
    return k < WARP ? r.col : from.col_idx[r.begin + k];
}

/* Says in all lanes whether two rows have the same columns, less their origins. */
template <class I>
__device__ inline bool are_equal(const csell_source<I> &from, const slice_row &a,
                                 const slice_row &b, int64_t apart)
{
    if (a.length != b.length) return false;
    for (int k = lane_id(); k - lane_id() < a.length; k += WARP) {
        const bool differs =
            k < a.length && column_of(from, a, k) - apart != (int64_t)column_of(from, b, k);
        if (__any_sync(ALL_LANES, differs)) return false;
    }
    return true;
}

/* ---- Lists -----------------------------------------------------------------------------------
 */

__device__ inline int32_t greatest_divisor(int32_t a, int32_t b)
{
    while (b != 0) {
        const int32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* The greatest number that divides `run` and the lengths of all runs of adjacent columns of a row:
 * the places where runs end. */
template <class I>
__device__ inline int32_t shorten(int32_t run, const csell_source<I> &from, const slice_row &r)
{
    int32_t last = 0;
    run = greatest_divisor(run, r.length);
    for (int k = lane_id(); k - lane_id() < r.length && run != 1; k += WARP) {
        const int32_t col = k < r.length ? column_of(from, r, k) : 0;
        int32_t before = __shfl_up_sync(ALL_LANES, col, 1);
        if (lane_id() == 0) before = last;
        last = __shfl_sync(ALL_LANES, col, WARP - 1);
        const bool ends = k > 0 && k < r.length && col != before + 1;
        if (!__any_sync(ALL_LANES, ends && k % run != 0)) continue;
        if (ends) run = greatest_divisor(run, k);
        for (int o = WARP / 2; o > 0; o /= 2)
            run = greatest_divisor(run, __shfl_xor_sync(ALL_LANES, run, o));
    }
    return run;
}

/* Calls open(lane, row) for each row of a slice that has not the columns of the one before.
 * Returns how many adjacent columns a code of all these lists may stand for. */
template <class I, class F>
__device__ inline int32_t for_lists(const csell_source<I> &from, int64_t s, F open)
{
    int32_t run = 0;
    slice_row before = {};
    for_rows(from, s, [&](int lane, const slice_row &r) {
        if (lane == 0 || !are_equal(from, r, before, 0)) {
            run = shorten(run, from, r);
            open(lane, r);
        }
        before = r;
        return true;
    });
    return run;
}

/* ---- Unions ---------------------------------------------------------------------------------- */

/* Ascending numbers in the scratch of a slice. */
struct number_union {
    int32_t *number, *spare, *fresh; /* [most], [most], [longest row] */
    int n;
};

__device__ inline number_union scratch_of(const csell_slices &of, int64_t s)
{
    const int64_t width = of.bounds[s].width, most = (of.room[s + 1] - of.room[s] - width) / 2;
    int32_t *const begin = of.scratch + of.room[s];
    return {begin, begin + most, begin + 2 * most, 0};
}

/* Returns the first of n ascending numbers that is not below v. */
__device__ inline int lower_bound(const int32_t *number, int n, int32_t v)
{
    int low = 0;
    while (n > 0) {
        const int half = n / 2;
        if (number[low + half] < v) {
            low += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return low;
}

/* Adds the columns of a row, less `origin`; returns false, and changes nothing, where that makes
 * more than `most`. */
template <class I>
__device__ inline bool unite(number_union *u, const csell_source<I> &from, const slice_row &r,
                             int32_t origin, int64_t most)
{
    int found = 0;
    for (int k = lane_id(); k - lane_id() < r.length; k += WARP) {
        const int32_t own = k < r.length ? column_of(from, r, k) - origin : 0;
        const int at = lower_bound(u->number, k < r.length ? u->n : 0, own);
        const bool is_fresh = k < r.length && (at == u->n || u->number[at] != own);
        const unsigned all = __ballot_sync(ALL_LANES, is_fresh);
        if (is_fresh) u->fresh[found + __popc(all & ((1u << lane_id()) - 1))] = own;
        found += __popc(all);
        if (found > 0 && u->n + found > most) return false;
    }
    if (found == 0) return true;
    __syncwarp();
    for (int i = lane_id(); i < u->n; i += WARP)
        u->spare[i + lower_bound(u->fresh, found, u->number[i])] = u->number[i];
    for (int i = lane_id(); i < found; i += WARP)
        u->spare[i + lower_bound(u->number, u->n, u->fresh[i])] = u->fresh[i];
    __syncwarp();
    int32_t *const united = u->spare;
    u->spare = u->number;
    u->number = united;
    u->n += found;
    return true;
}

/* Unites the first `lanes` rows of a slice, less the number of the row where columns are relative.
 */
template <class I>
__device__ inline bool unite_all(number_union *u, const csell_source<I> &from, int64_t s,
                                 bool relative, int lanes, int64_t most)
{
    slice_row before = {};
    bool fits = true;
    for_rows(from, s, [&](int lane, const slice_row &r) {
        const int32_t origin = relative ? r.row : 0, apart = relative ? r.row - before.row : 0;
        if (lane == 0 || !are_equal(from, r, before, apart)) fits = unite(u, from, r, origin, most);
        before = r;
        return fits && lane + 1 < lanes;
    });
    return fits;
}

/* Returns how many columns a list of n may have when a row comes in that has others, too: rows
 * share it while at least half of it is in each.  -1: none. */
__device__ inline int64_t list_limit(int64_t n, int64_t length, int64_t most)
{
    if (2 * length < n) return -1;
    const int64_t alike = n + (2 * length - n) / 3;
    return alike < most ? alike : most;
}

/* Unites rows that are alike: calls close() behind the last row of each list, with its columns in
 * *u, and open(lane) before the first one.  Returns false for a list of more than `most`. */
template <class I, class O, class C>
__device__ inline bool unite_alike(number_union *u, const csell_source<I> &from, int64_t s,
                                   int64_t most, O open, C close)
{
    bool fits = true;
    for_rows(from, s, [&](int lane, const slice_row &r) {
        if (lane > 0) {
            if (unite(u, from, r, 0, list_limit(u->n, r.length, most))) return true;
            close();
        }
        u->n = 0;
        open(lane);
        fits = unite(u, from, r, 0, most);
        return fits;
    });
    if (fits) close();
    return fits;
}

} // namespace spmv
