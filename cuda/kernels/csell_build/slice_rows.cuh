/* slice_rows.cuh -- device code of building CSELL: a warp goes over the rows of a slice, and unites
 * their columns. */
#pragma once

#include "core/csell/csell_sizes.h"
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

/* Returns the number of words of a slice. */
__device__ inline int64_t count_words(int encoding, int slice, int64_t steps, int64_t codes)
{
    const int each = 32 / code_bits(encoding);
    const int64_t mask = has_gaps(encoding) ? spmv__mask_words(slice, steps) : 0;
    if (is_listed(encoding)) return spmv__list_head(slice) + codes / each + mask;
    if (!has_codes(encoding)) return spmv__whole_bytes(steps) + mask;
    return (steps + each - 1) / each * slice + (each > 1 ? SPMV__CSELL_TAIL : 0);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* One row, and as much of its columns as a warp loads at once. */
struct slice_row {
    int32_t row, length;
    int64_t begin;
    int32_t col; /* that of entry lane_id(), where there is one */
};

/* Returns the bits of the lanes [first, first + 32) of a slice whose rows have not that in common
 * with the row before which `same` says; the first lane has nothing before it. */
template <class I>
__device__ inline unsigned lanes_apart(const csell_source<I> &from, const csell_known &of,
                                       int64_t s, int first, int same)
{
    const int64_t i = s * from.slice + first + lane_id();
    const bool is_row = first + lane_id() < from.slice && i < from.rows;
    const bool apart = is_row && (first + lane_id() == 0 || (of.same[i] & same) == 0);
    return __ballot_sync(ALL_LANES, apart);
}

/* Calls each(lane, row) in all lanes of a warp, until it returns false, for those rows of slice s
 * whose bits which(first) has, for the lanes [first, first + 32). */
template <class I, class W, class F>
__device__ inline void for_rows(const csell_source<I> &from, int64_t s, W which, F each)
{
    for (int first = 0; first < from.slice; first += WARP) {
        unsigned left = which(first);
        const int64_t i = min(s * from.slice + first + lane_id(), from.rows - 1);
        const int32_t my_row = from.perm != nullptr ? from.perm[i] : (int32_t)i;
        const int64_t my_begin = from.row_ptr[my_row];
        const int32_t my_length = (int32_t)(from.row_end[my_row] - my_begin);
        const auto load = [&](int lane) {
            slice_row r;
            r.row = __shfl_sync(ALL_LANES, my_row, lane);
            r.length = __shfl_sync(ALL_LANES, my_length, lane);
            r.begin = __shfl_sync(ALL_LANES, my_begin, lane);
            r.col = lane_id() < r.length ? from.col_idx[r.begin + lane_id()] : 0;
            return r;
        };
        slice_row next = left != 0 ? load(__ffs((int)left) - 1) : slice_row{};
        while (left != 0) {
            const int lane = first + __ffs((int)left) - 1;
            const slice_row now = next;
            left &= left - 1;
            if (left != 0) next = load(__ffs((int)left) - 1); /* meanwhile */
            if (!each(lane, now)) return;
        }
    }
}

/* The same for rows that have not in common with the row before what `same` says. */
template <class I, class F>
__device__ inline void for_rows_apart(const csell_source<I> &from, const csell_known &of, int64_t s,
                                      int same, F each)
{
    for_rows(
        from, s, [&](int first) { return lanes_apart(from, of, s, first, same); }, each);
}

/* Returns column number k of a row, of which k - k % 32 is the same in all lanes. */
template <class I>
__device__ inline int32_t column_of(const csell_source<I> &from, const slice_row &r, int k)
{
    return k < WARP ? r.col : from.col_idx[r.begin + k];
}

/* ---- Lists ----------------------------------------------------------------------------------- */

/* Returns how many rows have not the columns of the row before. */
template <class I>
__device__ inline int count_lists(const csell_source<I> &from, const csell_known &of, int64_t s)
{
    int lists = 0;
    for (int first = 0; first < from.slice; first += WARP)
        lists += __popc(lanes_apart(from, of, s, first, SAME_COLUMNS));
    return lists;
}

/* Returns how many adjacent columns a code may stand for: what divides all runs. */
template <class I>
__device__ inline int32_t find_run(const csell_source<I> &from, const csell_known &of, int64_t s)
{
    const int64_t first = s * from.slice, end = min(first + from.slice, from.rows);
    int32_t run = 0;
    for (int64_t i = first + lane_id(); i < end; i += WARP) run = greatest_divisor(of.run[i], run);
    for (int o = WARP / 2; o > 0; o /= 2)
        run = greatest_divisor(run, __shfl_xor_sync(ALL_LANES, run, o));
    return run;
}

/* ---- Unions ---------------------------------------------------------------------------------- */

/* Ascending numbers in the scratch of a slice. */
struct number_union {
    int32_t *number, *spare, *fresh; /* [most], [most], [longest row] */
    int n;
};

/* Words of a warp in shared memory, which hold the unions of most slices. */
constexpr int SHARED_SCRATCH = 1024;
struct shared_scratch {
    int32_t of_warp[CSELL_BLOCK / WARP][SHARED_SCRATCH];
};

/* Returns where a warp makes unions: in shared memory if they fit. */
__device__ inline number_union scratch_of(const csell_known &of, int64_t s, shared_scratch *shared)
{
    const int64_t room = of.room[s + 1] - of.room[s], width = of.bounds[s].width;
    const int64_t most = (room - width) / 2;
    int32_t *const begin =
        room <= SHARED_SCRATCH ? shared->of_warp[threadIdx.x / WARP] : of.scratch + of.room[s];
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
        if (found > 0 && u->n + found > most) {
            __syncwarp(); /* what is fresh in the next row comes into the same place */
            return false;
        }
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

/* Unites the rows of a slice, less the number of the row where columns are relative. */
template <class I>
__device__ inline bool unite_all(number_union *u, const csell_source<I> &from,
                                 const csell_known &of, int64_t s, bool relative, int64_t most)
{
    bool fits = true;
    for_rows_apart(from, of, s, relative ? SAME_DISTANCES : SAME_COLUMNS,
                   [&](int, const slice_row &r) {
                       fits = unite(u, from, r, relative ? r.row : 0, most);
                       return fits;
                   });
    return fits;
}

/* Unites rows that are alike, of those whose bits which(first) has: calls open(lane) before the
 * first row of a list, and close() behind the last one, with its columns in *u.  begins(lane) may
 * say that a row is known to be the first one.  Returns false where a list has more than `most`, or
 * close() says so. */
template <class I, class W, class B, class O, class C>
__device__ inline bool unite_alike(number_union *u, const csell_source<I> &from, int64_t s,
                                   int64_t most, W which, B begins, O open, C close)
{
    bool fits = true, is_open = false;
    for_rows(from, s, which, [&](int lane, const slice_row &r) {
        if (is_open) {
            const int64_t limit = spmv__csell_list_limit(u->n, r.length, most);
            if (!begins(lane) && unite(u, from, r, 0, limit)) return true;
            fits = close();
            if (!fits) return false;
        }
        is_open = true;
        u->n = 0;
        open(lane);
        fits = unite(u, from, r, 0, most);
        return fits;
    });
    return fits && close();
}

} // namespace spmv
