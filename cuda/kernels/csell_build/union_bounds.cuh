/* union_bounds.cuh -- device code of building CSELL: what is known of unions before they are made.
 *
 * Idea: making a union goes row by row and is dear, and where columns lie anywhere, as in a graph,
 * it is made in vain.  Numbers that hash to different bits are different, so the bits that all
 * threads have set at once say how many numbers a union has at least.  Bits of a row that no row
 * above it in a list has set say in the same way that it begins one. */
#pragma once

#include "cuda/kernels/csell_build/slice_rows.cuh"

namespace spmv
{

constexpr int HASHED_BITS = 11, HASHED_WORDS = (1 << HASHED_BITS) / 32;
constexpr int COLUMN_BATCH = 4; /* columns of a row that are loaded at once */
constexpr int OF_LIST = 32;     /* columns of a row that are hashed for its list */

/* Of a warp in shared memory. */
struct shared_bounds {
    unsigned hashed[CSELL_BLOCK / WARP][HASHED_WORDS];
    unsigned begins[CSELL_BLOCK / WARP][SPMV__CSELL_OWN_ORDER / WARP];
};

/* Returns a number of so many bits. */
__device__ inline int hash_of(int32_t number, int bits)
{
    return (int)((uint32_t)number * 2654435769u >> (32 - bits)); /* 2^32 / golden ratio */
}

/* Calls each(column) for the first `seen` columns of a row, some of which may come twice. */
template <class I, class F>
__device__ inline void for_columns(const csell_source<I> &from, I begin, int seen, F each)
{
    for (int k = 0; k < seen; k += COLUMN_BATCH) {
        int32_t col[COLUMN_BATCH];
#pragma unroll
        for (int b = 0; b < COLUMN_BATCH; b++) col[b] = from.col_idx[begin + min(k + b, seen - 1)];
#pragma unroll
        for (int b = 0; b < COLUMN_BATCH; b++) each(col[b]);
    }
}

/* ---- Of all rows ----------------------------------------------------------------------------- */

/* Returns how many numbers the union of slice s, as in unite_all(), has at least; its longest row
 * has `width` entries. */
template <class I>
__device__ inline int least_union(const csell_source<I> &from, int64_t s, int width, bool relative,
                                  shared_bounds *shared)
{
    const int64_t first = s * from.slice, end = min(first + from.slice, from.rows);
    /* As many of a row as make several times what a union may have. */
    const int most = COLUMN_BATCH + 8 * width / from.slice;
    unsigned *const hashed = shared->hashed[threadIdx.x / WARP];
    int n = 0;

    for (int w = lane_id(); w < HASHED_WORDS; w += WARP) hashed[w] = 0;
    __syncwarp();
    for (int64_t i = first + lane_id(); i < end; i += WARP) {
        const int32_t r = from.perm != nullptr ? from.perm[i] : (int32_t)i;
        const I begin = from.row_ptr[r];
        for_columns(from, begin, min((int)(from.row_end[r] - begin), most), [&](int32_t col) {
            const int bit = hash_of(relative ? col - r : col, HASHED_BITS);
            atomicOr(hashed + bit / WARP, 1u << bit % WARP);
        });
    }
    __syncwarp();
    for (int w = lane_id(); w < HASHED_WORDS; w += WARP) n += __popc(hashed[w]);
    __syncwarp(); /* before they are cleared */
    return (int)sum_of_lanes(n);
}

/* ---- Of rows that may share a list ----------------------------------------------------------- */

/* A row, or the rows that may share a list so far. */
struct hashed_rows {
    uint64_t low, high; /* bits of columns that any of them has */
    bool has_more;      /* columns than those */
    bool is_one;
    int length;    /* entries of the last one, */
    int64_t begin; /* and where they are */
};

/* Returns row number i of those in slices. */
template <class I>
__device__ inline hashed_rows hash_row(const csell_source<I> &from, int64_t i)
{
    const int32_t r = from.perm != nullptr ? from.perm[i] : (int32_t)i;
    const I begin = from.row_ptr[r];
    const int length = (int)(from.row_end[r] - begin);
    hashed_rows row = {0, 0, length > OF_LIST, true, length, begin};
    for_columns(from, begin, min(length, OF_LIST), [&](int32_t col) {
        const int bit = hash_of(col, 7);
        (bit < 64 ? row.low : row.high) |= (uint64_t)1 << bit % 64;
    });
    return row;
}

/* Returns the row of a lane. */
__device__ inline hashed_rows row_of(const hashed_rows &row, int lane)
{
    const int length = __shfl_sync(ALL_LANES, row.length, lane);
    return {__shfl_sync(ALL_LANES, row.low, lane),
            __shfl_sync(ALL_LANES, row.high, lane),
            length > OF_LIST,
            true,
            length,
            __shfl_sync(ALL_LANES, row.begin, lane)};
}

/* Returns whether a row that has so many other columns than those above it, or more, begins a list
 * for certain: see spmv__csell_list_limit(). */
__device__ inline bool is_apart(const hashed_rows &above, const hashed_rows &row, int fresh)
{
    return fresh > 0 && 3 * fresh > 2 * (int64_t)row.length - above.length;
}

__device__ inline bool is_apart(const hashed_rows &above, const hashed_rows &row)
{
    const int fresh = __popcll(row.low & ~above.low) + __popcll(row.high & ~above.high);
    return !above.has_more && is_apart(above, row, fresh);
}

/* The same in all lanes of a warp, which look the columns up where there is only one row above. */
template <class I>
__device__ inline bool begins_list(const csell_source<I> &from, const hashed_rows &above,
                                   const hashed_rows &row)
{
    if (is_apart(above, row)) return true;
    if (!above.is_one) return false;
    const int32_t *const columns = from.col_idx + above.begin;
    int fresh = 0;
    for (int k = lane_id(); k - lane_id() < row.length; k += WARP) {
        const int32_t col = k < row.length ? from.col_idx[row.begin + k] : 0;
        const int at = lower_bound(columns, k < row.length ? above.length : 0, col);
        const bool has_above = at < above.length && columns[at] == col;
        fresh += __popc(__ballot_sync(ALL_LANES, k < row.length && !has_above));
    }
    return is_apart(above, row, fresh);
}

/* Returns the bits of those rows among `left`, one in each lane, that begin a list for certain
 * behind
 * `*above`; goes on to the last of them.  Other rows have the columns of the row before. */
template <class I>
__device__ inline unsigned find_apart(const csell_source<I> &from, hashed_rows *above,
                                      unsigned left, const hashed_rows &row)
{
    /* All at once, as if the row above were alone. */
    const hashed_rows last = row_of(row, (lane_id() + WARP - 1) % WARP);
    const unsigned apart = __ballot_sync(ALL_LANES, lane_id() > 0 && is_apart(last, row));
    unsigned begins = 0;
    while (left != 0) {
        const int lane = __ffs((int)left) - 1;
        if (above->is_one && apart >> lane & 1) {
            const unsigned others = left & ~apart;
            const unsigned run = others != 0 ? left & ((others & (0 - others)) - 1) : left;
            begins |= run;
            left &= ~run;
            *above = row_of(row, WARP - 1 - __clz((int)run));
            continue;
        }
        hashed_rows own = row_of(row, lane);
        if (begins_list(from, *above, own)) {
            begins |= 1u << lane;
        } else {
            own.low |= above->low;
            own.high |= above->high;
            own.has_more |= above->has_more;
            own.is_one = false;
        }
        left &= left - 1;
        *above = own;
    }
    return begins;
}

/* Returns the bits of those rows of slice s that begin a list for certain. */
template <class I>
__device__ inline const unsigned *find_lists(const csell_source<I> &from, const csell_known &of,
                                             int64_t s, shared_bounds *shared)
{
    unsigned *const begins = shared->begins[threadIdx.x / WARP];
    hashed_rows above = {0, 0, false, false, 0, 0};
    for (int first = 0; first < from.slice; first += WARP) {
        const int64_t i = min(s * from.slice + first + lane_id(), from.rows - 1);
        const unsigned left = lanes_apart(from, of, s, first, SAME_COLUMNS);
        const unsigned found = find_apart(from, &above, left, hash_row(from, i));
        if (lane_id() == 0) begins[first / WARP] = found;
    }
    __syncwarp();
    return begins;
}

/* Returns the bits of those of the lanes [first, first + 32) of a slice that have a list alone for
 * certain: they begin one, and so does the next. */
__device__ inline unsigned lanes_alone(const unsigned *begins, int slice, int first)
{
    const unsigned own = begins[first / WARP];
    const unsigned next = first + WARP < slice ? begins[first / WARP + 1] : 0;
    return own & (own >> 1 | next << (WARP - 1));
}

} // namespace spmv
