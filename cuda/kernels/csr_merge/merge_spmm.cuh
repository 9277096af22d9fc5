/* merge_spmm.cuh -- device code for several vectors stored by rows, over the tiles of csr-merge:
 * for rows one by one, or for groups of rows that share their columns. */
#pragma once

#include "cuda/kernels/csr_merge/last_piece.cuh"
#include "cuda/kernels/csr_merge/spmm_shares.cuh"

namespace spmv
{

constexpr int SPMM_STRETCH = 32; /* slots of a row for one lane, at most, where others have none */
constexpr int SPMM_EVEN = 2;     /* times the mean, the longest of rows that are even */
constexpr int SPMM_PART = 256;   /* bytes of a row of x that these take at a time, at most, */
constexpr int SPMM_LINE = 128;   /* or where columns are scattered */
PLAN_LIMIT(SPMM_REACH, 1 << 18); /* bytes of x, about what an L1 cache holds */

/* ---- Whole rows ----------------------------------------------------------------------------- */

/* Returns how many sets of lanes are to take each of `rows` rows, a power of two: all have work,
 * or three quarters of them, and none much more than the others. */
__device__ inline int strands_for(const lane_layout &s, int rows, int longest)
{
    int strands = 1;
    while (strands < s.sets && s.sets / strands * 3 > rows * 4) strands *= 2;
    while (strands < s.sets && longest > SPMM_STRETCH * strands) strands *= 2;
    return strands;
}

/* Returns whether three of four columns of a tile are so far from the next one that an L1 cache
 * does not hold what lies between. */
template <class K, class I, int R>
__device__ inline bool are_scattered(const merge_spmm_product<K, I, R> &A,
                                     const spmm_window<typename K::V, R> *w, int slots)
{
    const int64_t width = A.vectors * (int64_t)sizeof(typename K::T);
    int far = 0;
    for (int i = lane_id(); i + 1 < slots; i += WARP)
        far += abs(w->col[i + 1] - w->col[i]) * width > SPMM_REACH;
    return sum_of_lanes(far) * 4 > slots * 3;
}

/* Returns how many lanes a row of x takes at most.  Where the rows of a tile are even, it is better
 * taken in parts: more rows are multiplied at a time, and what they take of x stays in the caches.
 */
template <class L, class K, class I, int R>
__device__ inline int most_lanes(const merge_spmm_product<K, I, R> &A,
                                 const spmm_window<typename K::V, R> *w, int rows, int slots,
                                 int longest)
{
    constexpr int SIZE = (int)sizeof(typename K::T);
    if (R > 1 || A.vectors * SIZE <= SPMM_LINE || longest * rows > SPMM_EVEN * slots)
        return L::MOST;
    return min((are_scattered(A, w, slots) ? SPMM_LINE : SPMM_PART) / (L::C * SIZE), L::MOST);
}

/* The groups of a tile, whose slots are in the window. */
template <class L, class K, class I, int R>
__device__ inline void multiply_groups(const merge_spmm_product<K, I, R> &A,
                                       const spmm_window<typename K::V, R> *w, int64_t first_group,
                                       int groups, int longest, int64_t first, int most)
{
    const lane_layout s = divide<L>(first, A.vectors, most);
    for (int top = 0, strands; top < groups; top += s.sets / strands) {
        strands = strands_for(s, groups - top, longest);
        const int g = top + s.set / strands;
        const bool has_one = g < groups;
        typename K::S sum[R][L::C] = {};
        sum_slots<L>(A, s, w, has_one ? w->end[g] + s.set % strands : 0,
                     has_one ? w->end[g + 1] : 0, strands, sum);
        sum_strands(s, strands, sum);
        if (has_one && s.set % strands == 0) write_rows<L>(A, s, first_group + g, sum);
    }
}

/* Notes where the groups of a tile end; returns the slots of the longest one. */
template <class K, class I, int R>
__device__ inline int stage_ends(const merge_spmm_product<K, I, R> &A, merge_tile<I> from,
                                 int groups, spmm_window<typename K::V, R> *w)
{
    int longest = 0;
    for (int i = lane_id(); i <= groups; i += WARP) {
        const I end = A.row_ptr[from.row + i];
        w->end[i] = (int16_t)(end - from.p);
        if (i > 0) longest = max(longest, (int)(end - A.row_ptr[from.row + i - 1]));
    }
    return max_of_lanes(longest);
}

/* ---- Pieces of long rows --------------------------------------------------------------------- */

/* Sums the slots begin .. end - 1 of a long group into the workspace, from `sums` on. */
template <class L, class K, class I, int R>
__device__ inline void sum_piece(const merge_spmm_product<K, I, R> &A,
                                 spmm_window<typename K::V, R> *w, I begin, I end,
                                 typename K::S *sums)
{
    for (int64_t first = 0; first < A.vectors; first += L::MOST * L::C) {
        const lane_layout s = divide<L>(first, A.vectors, L::MOST);
        typename K::S sum[R][L::C] = {};
        for (I p = begin; p < end; p += MERGE_ROOM) {
            const int n = (int)min((I)MERGE_ROOM, (I)(end - p));
            stage(A, p, n, w);
            sum_slots<L>(A, s, w, s.set, n, s.sets, sum);
        }
        sum_strands(s, s.sets, sum);
        for (int i = 0; i < R && s.set == 0; i++)
            for (int k = 0; k < L::C; k++) {
                const int64_t column = s.column + k / L::N * apart<L>(s) + k % L::N;
                if (column < A.vectors) sums[i * A.vectors + column] = sum[i][k];
            }
    }
}

/* Adds the sums of all pieces of a long group up, and writes its rows. */
template <class K, class I, int R>
__device__ inline void add_pieces(const merge_spmm_product<K, I, R> &A, merge_long_row *row,
                                  const typename K::S *sums)
{
    const int64_t pieces = row->last - row->first + 1, width = R * A.vectors;
    for (int64_t at = lane_id(); at < width; at += WARP) {
        typename K::S total = {};
#pragma unroll 4
        for (int64_t i = 0; i < pieces; i++) total += load_fresh(sums + i * width + at);
        if (R == 1 || row->row * R + at / A.vectors < A.rows)
            finish(A.y, row->row * width + at, A.alpha, total, A.beta);
    }
    __syncwarp();
    if (lane_id() == 0) row->done = 0;
}

/* ---- The kernel ------------------------------------------------------------------------------ */

/* Warps of a block.  It keeps its place until the last one is done, and rows one by one may be so
 * uneven that with eight warps to a block half of a GPU waits. */
constexpr int SPMM_WARPS = 2;

/* Warps of a multiprocessor, so that none has too few registers for what a lane loads of a row of x
 * and for its sums; as measured on an H100, and of whole tiles on an H200. */
template <class L, class K, int R>
constexpr int spmm_resident()
{
    const bool wide = L::C * sizeof(typename K::T) > 16;
    const bool many_sums = R * L::C * sizeof(typename K::S) > 64;
    if (R > 1) return wide ? 16 : many_sums ? 20 : 24;
    if (L::WAY == TILE) return 28;
    if (L::WAY == SHARES && L::N * sizeof(typename K::S) > 16) return 16;
    if (L::WAY == SHARES && std::is_same_v<typename K::T, double>) return L::N > 1 ? 20 : 28;
    return wide || (L::WAY == SHARES && L::N > 1) ? 24 : 32;
}

template <class L, class K, class I, int R>
__global__ void __launch_bounds__(SPMM_WARPS *WARP, spmm_resident<L, K, R>() / SPMM_WARPS)
    merge_spmm_kernel(const merge_spmm_product<K, I, R> A)
{
    const int64_t t = global_thread() / WARP;
    if (t >= A.tiles) return;
    spmm_window<typename K::V, R> *w =
        (spmm_window<typename K::V, R> *)dynamic_shared_pairs + threadIdx.x / WARP;
    const merge_tile<I> from = A.tile[t], to = A.tile[t + 1];
    if (from.row < 0) {
        merge_long_row *row = A.long_row + ~from.row;
        typename K::S *sums = A.pieces + row->piece * R * A.vectors;
        sum_piece<L>(A, w, from.p, to.p, sums + (t - row->first) * R * A.vectors);
        if (is_last_piece(row)) add_pieces(A, row, sums);
        return;
    }
    const int groups = (int)(end_row(to, A.long_row) - from.row);
    const int slots = (int)(to.p - from.p);
    if constexpr (L::WAY != ROWS) {
        const bool empty = mark_ends(A, from, groups, w);
        stage(A, from.p, slots, w);
        for (int64_t first = 0; first < A.vectors; first += WARP * L::N)
            multiply_shares<L>(A, w, from, groups, slots, empty, first);
    } else {
        const int longest = stage_ends(A, from, groups, w);
        stage(A, from.p, slots, w);
        const int most = most_lanes<L>(A, w, groups, slots, longest);
        for (int64_t first = 0; first < A.vectors; first += most * L::C)
            multiply_groups<L>(A, w, from.row, groups, longest, first, most);
    }
}

/* Enqueues the product of a matrix whose groups lie where A says, planned so. */
template <class L, class K, class I, int R>
spmv_status enqueue_spmm(const spmv__launch *run, const spmv_csr *A, int64_t rows,
                         const merge_plan *plan, spmv_error *err)
{
    constexpr int BLOCK = SPMM_WARPS * WARP, RESERVED = 1 << 10; /* by CUDA for each block */
    const int bytes = SPMM_WARPS * (int)sizeof(spmm_window<typename K::V, R>);
    const merge_spmm_product<K, I, R> j = {(const merge_tile<I> *)plan->tile,
                                           plan->long_row,
                                           (typename K::S *)run->workspace,
                                           (const I *)A->row_ptr,
                                           A->col_idx,
                                           (const typename K::V *)A->val,
                                           plan->tiles,
                                           rows,
                                           run->vectors,
                                           factor<K>(run->alpha),
                                           factor<K>(run->beta),
                                           (const typename K::T *)run->x,
                                           (typename K::T *)run->y};
    spmv_status st;
    SPMV__TRY(allow_shared(merge_spmm_kernel<L, K, I, R>, bytes, "several vectors", err));
    leave_to_cache(merge_spmm_kernel<L, K, I, R>,
                   spmm_resident<L, K, R>() / SPMM_WARPS * (bytes + RESERVED));
    launch_kernel(merge_spmm_kernel<L, K, I, R>, blocks_for(plan->tiles * WARP, BLOCK), BLOCK,
                  bytes, run->stream, j);
    st = check_launch("several vectors", err);
done:
    return st;
}

/* Returns whether every row of x and y begins at a multiple of `bytes`; an element has `size`. */
inline bool is_aligned(const spmv__launch *run, int64_t size, int64_t bytes)
{
    return run->vectors * size % bytes == 0 && (uintptr_t)run->x % (uintptr_t)bytes == 0 &&
           (uintptr_t)run->y % (uintptr_t)bytes == 0;
}

} // namespace spmv
