/* spmm_shares.cuh -- device code for several vectors stored by rows, where rows of a tile differ
 * much in length: each set of lanes takes as many neighbouring slots of the tile as any other, sums
 * the rows that end among them, and a segmented scan brings it what lower sets left open, as in
 * csr-merge the lanes do.  A row of x that takes all lanes leaves nothing to share. */
#pragma once

#include "cuda/kernels/csr_merge/spmm_window.cuh"

namespace spmv
{

constexpr int SHARE_BATCH = 8; /* slots of which the rows of x are loaded together */
constexpr int NO_MARK = -1;    /* of a row that ends before the first slot of a tile */

/* Marks where the rows of a tile end; returns whether some of them are empty. */
template <class K, class I>
__device__ inline bool mark_ends(const merge_spmm_product<K, I, 1> &A, merge_tile<I> from, int rows,
                                 spmm_window<typename K::V, 1> *w)
{
    bool empty = false;
    for (int i = lane_id(); i < MERGE_ROOM / 4; i += WARP) w->mark[i] = 0;
    __syncwarp();
    unsigned char *mark = (unsigned char *)w->mark;
    for (int i = lane_id(); i < rows; i += WARP) {
        const I begin = A.row_ptr[from.row + i], end = A.row_ptr[from.row + i + 1];
        if (begin < end)
            mark[end - 1 - from.p] = (unsigned char)(i + 1);
        else
            empty = true;
    }
    return __any_sync(ALL_LANES, empty);
}

/* What a set has of its share: the sums of the first row that ends there, whose mark is `first`
 * (0: none does), which lack what lower sets have of it; and of the row that it leaves open. */
template <class S, int N>
struct share_sums {
    int first;
    S head[1][N], open[1][N];
};

/* A row ends, whose sums are `open`, with this mark. */
template <class L, class K, class I, class S>
__device__ inline void end_row_of_share(const merge_spmm_product<K, I, 1> &A, const lane_layout &s,
                                        int64_t first_row, int mark, share_sums<S, L::N> &mine)
{
    if (mine.first == 0) {
        mine.first = mark;
#pragma unroll
        for (int k = 0; k < L::N; k++) mine.head[0][k] = mine.open[0][k];
    } else {
        write_rows<L>(A, s, first_row + mark - 1, mine.open);
    }
#pragma unroll
    for (int k = 0; k < L::N; k++) mine.open[0][k] = S();
}

/* Sums slots p, p + 1, ... before `end` of the window, a batch or, unless it is WHOLE, less. */
template <class L, bool WHOLE, class K, class I, class S>
__device__ inline void sum_share_batch(const merge_spmm_product<K, I, 1> &A, const lane_layout &s,
                                       const spmm_window<typename K::V, 1> *w, int64_t first_row,
                                       int p, int end, share_sums<S, L::N> &mine)
{
    using part = several<typename K::T, L::N>;
    part x[SHARE_BATCH];
#pragma unroll
    for (int u = 0; u < SHARE_BATCH; u++)
        x[u] = (WHOLE || p + u < end) && s.column < A.vectors
                   ? *(const part *)(A.x + (int64_t)w->col[p + u] * A.vectors + s.column)
                   : part();
#pragma unroll
    for (int u = 0; u < SHARE_BATCH; u += 4) {
        const unsigned marks = w->mark[(p + u) / 4];
#pragma unroll
        for (int k = u; k < u + 4; k++) {
            const int mark = (int)(marks >> k % 4 * 8 & 255);
            if (!WHOLE && p + k >= end) return;
            add_products(w->col[p + k], w->val[p + k], x[k], 0, mine.open);
            if (mark != 0) end_row_of_share<L>(A, s, first_row, mark, mine);
        }
    }
}

/* Adds what lower sets left open to the first row that ends in each share, and writes it. */
template <class L, class K, class I, class S>
__device__ inline void carry_shares(const merge_spmm_product<K, I, 1> &A, const lane_layout &s,
                                    int64_t first_row, share_sums<S, L::N> &mine)
{
    const unsigned ends = __ballot_sync(ALL_LANES, mine.first != 0) &
                          (ALL_LANES >> (WARP - 1 - lane_id())); /* of this set and lower ones */
    const int from = ends != 0 ? (WARP - 1 - __clz((int)ends)) / s.lanes : 0;
    for (int o = 1; __any_sync(ALL_LANES, s.set - o >= from); o *= 2)
#pragma unroll
        for (int k = 0; k < L::N; k++) {
            const S below = shift_up(mine.open[0][k], o * s.lanes);
            if (s.set - o >= from) mine.open[0][k] += below;
        }
#pragma unroll
    for (int k = 0; k < L::N; k++) {
        const S before = shift_up(mine.open[0][k], s.lanes);
        if (s.set > 0) mine.head[0][k] = before + mine.head[0][k];
    }
    if (mine.first != 0) write_rows<L>(A, s, first_row + mine.first - 1, mine.head);
}

/* Writes the rows without entries, of which each set takes the same share. */
template <class L, class K, class I>
__device__ inline void clear_empty_rows(const merge_spmm_product<K, I, 1> &A, const lane_layout &s,
                                        int64_t first_row, int rows)
{
    const typename K::S zero[1][L::N] = {};
    const unsigned own = (unsigned)(ALL_LANES / ((1ull << s.sets) - 1)) << s.set;
    for (int top = 0; top < rows; top += WARP) {
        const I *end = A.row_ptr + first_row + top + lane_id();
        const bool none = top + lane_id() < rows && end[0] == end[1];
        for (unsigned left = __ballot_sync(ALL_LANES, none) & own; left != 0; left &= left - 1)
            write_rows<L>(A, s, first_row + top + __ffs((int)left) - 1, zero);
    }
}

/* The rows of a tile, whose n slots are in the window.  Where there is only one set of lanes, it
 * begins where a row does, and leaves none open. */
template <class L, class K, class I>
__device__ inline void multiply_shares(const merge_spmm_product<K, I, 1> &A,
                                       const spmm_window<typename K::V, 1> *w, merge_tile<I> from,
                                       int rows, int n, bool empty, int64_t first)
{
    using S = typename K::S;
    const lane_layout s = divide<L>(first, A.vectors, L::MOST);
    const int share = ((n + s.sets - 1) / s.sets + 3) / 4 * 4; /* where words of marks begin */
    const int end = min((s.set + 1) * share, n);
    share_sums<S, L::N> mine = {};
    if (L::WAY == TILE) mine.first = NO_MARK;
    int p = s.set * share;
    for (; p + SHARE_BATCH <= end; p += SHARE_BATCH)
        sum_share_batch<L, true>(A, s, w, from.row, p, end, mine);
    if (p < end) sum_share_batch<L, false>(A, s, w, from.row, p, end, mine);
    if (L::WAY == SHARES) {
        __syncwarp();
        carry_shares<L>(A, s, from.row, mine);
    }
    if (empty) clear_empty_rows<L>(A, s, from.row, rows);
}

} // namespace spmv
