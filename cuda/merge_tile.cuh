/* merge_tile.cuh -- what a warp does with a tile of the merge path: sums of whole rows, or of a
 * piece of a long one. */
#ifndef SPMV_MERGE_TILE_CUH
#define SPMV_MERGE_TILE_CUH

#include "csr_merge.cuh"

namespace spmv
{

/* What a tile is multiplied from: place[p] tells where in x the factor of val[p] is, in columns of
 * a matrix or in what has been staged in shared memory. */
template <class K, class I, class P>
struct operand {
    const I *__restrict__ row_ptr;
    const P *__restrict__ place;
    const typename K::V *__restrict__ val;
    const typename K::T *x;
};
template <class K, class I>
__device__ inline typename K::S factor_at(const operand<K, I, int32_t> &A, int32_t c)
{
    return load_x<K>(A.x, c);
}
template <class K, class I>
__device__ inline typename K::S factor_at(const operand<K, I, uint16_t> &A, uint16_t slot)
{
    return widen(A.x[slot]);
}

/* The products of WIDTH entries from q on, 0 for those outside [begin, end). */
template <class K, class I, class P>
__device__ inline void multiply(const operand<K, I, P> &A, I q, I begin, I end,
                                typename K::S *product)
{
    const wide<P> c = q < end ? load_wide<true>(A.place + q) : wide<P>();
    const wide<typename K::V> v = q < end ? load_wide<true>(A.val + q) : wide<typename K::V>();
#pragma unroll
    for (int k = 0; k < WIDTH; k++)
        product[k] = q + k >= begin && q + k < end ? widen(v.at[k]) * factor_at(A, c.at[k])
                                                   : typename K::S();
}

/* The sum of a piece of a row, in lane 0. */
template <class K, class I, class P>
__device__ inline typename K::S sum_piece(const operand<K, I, P> &A, I begin, I end)
{
    typename K::S sum = {};
    for (I q = begin / WIDTH * WIDTH + lane_id() * WIDTH; q < end; q += WARP * WIDTH) {
        typename K::S product[WIDTH];
        multiply(A, q, begin, end, product);
#pragma unroll
        for (int k = 0; k < WIDTH; k++) sum += product[k];
    }
    return sum_lanes(sum, WARP);
}

/* Lane 0 has the sum of piece t of a long row: leave it in the workspace.  Whoever comes last
 * finishes the row. */
template <class S, class T>
__device__ inline void finish_piece(S *pieces, int64_t t, S sum, merge_long_row *row, S alpha,
                                    S beta, T *y)
{
    const int64_t others = row->last - row->first;
    pieces += row->piece;
    if (others > 0) {
        if (lane_id() == 0) pieces[t - row->first] = sum;
        if (!is_last_piece(row)) return;
        sum = {};
#pragma unroll 4
        for (int64_t i = lane_id(); i <= others; i += WARP) sum += load_fresh(pieces + i);
        sum = sum_lanes(sum, WARP);
    }
    if (lane_id() > 0) return;
    finish(y, row->row, alpha, sum, beta);
    row->done = 0;
}

/* What the lanes below left open for this one: the sum of `open` back to the last lane that
 * `ended` a row. */
template <class S>
__device__ inline S carried(S open, bool ended)
{
    const int lane = lane_id();
    const unsigned ends = __ballot_sync(ALL_LANES, ended) & (ALL_LANES >> (WARP - 1 - lane));
    const int first = ends != 0 ? WARP - 1 - __clz((int)ends) : 0;
    for (int o = 1; __any_sync(ALL_LANES, lane - o >= first); o *= 2) {
        const S below = shift_up(open, o);
        if (lane - o >= first) open += below;
    }
    const S before = shift_up(open, 1);
    return lane > 0 ? before : S();
}

/* Sums of the rows that end among the WIDTH products of each lane, at the marks: byte k of them is
 * 0 or 1 + the number of the row that ends with product k.  row_sum(number, sum) takes them.
 * Returns what is left open. */
template <class S, class F>
__device__ inline S sum_marked(const S *product, unsigned marks, F row_sum)
{
    S sum = {};
#pragma unroll
    for (int k = 0; k < WIDTH; k++) {
        sum += product[k];
        if (marks >> 8 * k & 255) sum = {};
    }
    sum = carried(sum, marks != 0);
#pragma unroll
    for (int k = 0; k < WIDTH; k++) {
        const unsigned mark = marks >> 8 * k & 255;
        sum += product[k];
        if (mark != 0) {
            row_sum((int)mark - 1, sum);
            sum = {};
        }
    }
    return sum;
}

/* Where the rows of a warp's tile end, a byte for each entry. */
using merge_marks = unsigned[MERGE_LOADS * WARP];

/* The sums of whole rows from a tile up to entry `stop`: row_sum(i, sum) takes that of row
 * from.row + i, in some lane.  The marks are the warp's, in shared memory. */
template <class K, class I, class P, class F>
__device__ inline void sum_rows(const operand<K, I, P> &A, merge_tile<I> from, I stop, int rows,
                                merge_marks &marks, F row_sum)
{
    using S = typename K::S;
    const int lane = lane_id();
    const I base = from.p / WIDTH * WIDTH;
    for (int u = 0; u < MERGE_LOADS; u++) marks[u * WARP + lane] = 0;
    __syncwarp();
    for (int i = lane; i < rows; i += WARP) {
        const I begin = A.row_ptr[from.row + i], end = A.row_ptr[from.row + i + 1];
        if (begin < end)
            ((unsigned char *)marks)[end - 1 - base] = (unsigned char)(i + 1);
        else
            row_sum(i, S());
    }
    S product[MERGE_LOADS][WIDTH];
#pragma unroll
    for (int u = 0; u < MERGE_LOADS; u++)
        multiply(A, base + (u * WARP + lane) * WIDTH, from.p, stop, product[u]);
    __syncwarp();
#pragma unroll
    for (int u = 0; u < MERGE_LOADS; u++) {
        const S open = sum_marked(product[u], marks[u * WARP + lane], row_sum);
        if (u + 1 == MERGE_LOADS) break;
        const S carry = broadcast(open, WARP - 1);
        if (lane == 0) product[u + 1][0] += carry;
    }
    __syncwarp();
}

} // namespace spmv

#endif
