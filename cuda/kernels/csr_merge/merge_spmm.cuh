/* merge_spmm.cuh -- device code for several vectors stored by rows, over the tiles of csr-merge:
 * for rows one by one, or for groups of rows that share their columns.
 *
 * A group of R rows has slots instead of nonzeros: a column that any of its rows has, in whose
 * upper bits stands which of them have it, and R values.  The tiles are those of the groups. */
#pragma once

#include "cuda/device/wide_loads.cuh"
#include "cuda/kernels/csr_merge/csr_merge.cuh"

namespace spmv
{

constexpr int SPMM_BATCH = 4;    /* slots that a lane stages at a time */
constexpr int SPMM_STRETCH = 32; /* slots of a row for one lane, at most, where others have none */
constexpr int SPMM_COLUMN_BITS = 28; /* of a slot of a group; the others are a bit for each row */

/* Where the vectors of a lane begin, and how many it takes: PARTS times N neighbouring ones. */
template <int N_, int PARTS_>
struct spmm_lane {
    static constexpr int N = N_, PARTS = PARTS_, C = N * PARTS;
};

/* C neighbouring numbers, loaded and stored together. */
template <class T, int C>
struct alignas(C * sizeof(T)) several {
    T at[C];
};

template <class K, class I, int R>
struct merge_spmm_product {
    using T = typename K::T;
    using S = typename K::S;
    const merge_tile<I> *tile;
    merge_long_row *long_row;
    S *pieces;                /* [pieces x R x vectors] */
    const I *row_ptr;         /* of the groups */
    const int32_t *col_idx;   /* of the slots */
    const typename K::V *val; /* [slots x R] */
    int64_t tiles, rows, vectors;
    S alpha, beta;
    const T *x;
    T *y;
};

/* The part of shared memory that one warp has: the slots of a tile, or of a part of a long row. */
template <class V, int R>
struct spmm_window {
    wide<V, R> val[MERGE_ROOM];
    int32_t col[MERGE_ROOM];
    int16_t end[MERGE_ROWS + 2]; /* of the groups of a tile, the first one being where it begins */
};

/* Returns the length of pieces for so many slots: as long as a GPU stays full with pieces alone. */
int merge_piece_for(int64_t slots);

/* ---- Lanes ---------------------------------------------------------------------------------- */

/* Says how the lanes of a warp divide the vectors. */
struct lane_layout {
    int lanes;      /* that a row of x takes, a power of two */
    int sets;       /* of so many lanes */
    int set;        /* of this lane */
    int64_t column; /* of the first vector of this lane */
};

template <class L>
__device__ inline lane_layout divide(int64_t first, int64_t vectors)
{
    lane_layout s = {1, WARP, 0, 0};
    while (s.lanes < WARP / L::PARTS && s.lanes * L::C < vectors - first) s.lanes *= 2;
    s.sets = WARP / s.lanes;
    s.set = lane_id() / s.lanes;
    s.column = first + lane_id() % s.lanes * L::N;
    return s;
}

/* Returns how many vectors lie between the parts of a lane. */
template <class L>
__device__ inline int apart(const lane_layout &s)
{
    return s.lanes * L::N;
}

/* Returns how many sets of lanes are to take each of `rows` rows, a power of two: all have work,
 * or three quarters of them, and none much more than the others. */
__device__ inline int strands_for(const lane_layout &s, int rows, int longest)
{
    int strands = 1;
    while (strands < s.sets && s.sets / strands * 3 > rows * 4) strands *= 2;
    while (strands < s.sets && longest > SPMM_STRETCH * strands) strands *= 2;
    return strands;
}

/* ---- Sums ----------------------------------------------------------------------------------- */

/* Brings n slots from p on into shared memory. */
template <class K, class I, int R>
__device__ inline void stage(const merge_spmm_product<K, I, R> &A, I p, int n,
                             spmm_window<typename K::V, R> *w)
{
    __syncwarp();
    for (int i = lane_id(); i < n; i += SPMM_BATCH * WARP) {
        int32_t c[SPMM_BATCH] = {};
        wide<typename K::V, R> v[SPMM_BATCH] = {};
#pragma unroll
        for (int u = 0; u < SPMM_BATCH; u++)
            if (i + u * WARP < n) {
                c[u] = load_streaming(A.col_idx + p + i + u * WARP);
                v[u] = load_wide<true, R>(A.val + (int64_t)R * (p + i + u * WARP));
            }
#pragma unroll
        for (int u = 0; u < SPMM_BATCH; u++)
            if (i + u * WARP < n) {
                w->col[i + u * WARP] = c[u];
                w->val[i + u * WARP] = v[u];
            }
    }
    __syncwarp();
}

/* Adds to the sums of the R rows of a group the products of one slot with N vectors. */
template <int N, int R, int C, class V, class T, class S>
__device__ inline void add_products(int32_t col, const wide<V, R> &val, const several<T, N> &x,
                                    int part, S (&sum)[R][C])
{
#pragma unroll
    for (int i = 0; i < R; i++)
        if (R == 1 || ((unsigned)col >> (SPMM_COLUMN_BITS + i) & 1) != 0)
#pragma unroll
            for (int k = 0; k < N; k++) sum[i][part * N + k] += widen(val.at[i]) * widen(x.at[k]);
}

/* Adds slots p, p + step, ..., BATCH of them, to the sums. */
template <class L, int BATCH, class K, class I, int R>
__device__ inline void sum_batch(const merge_spmm_product<K, I, R> &A, const lane_layout &s,
                                 const spmm_window<typename K::V, R> *w, int p, int step,
                                 typename K::S (&sum)[R][L::C])
{
    using part = several<typename K::T, L::N>;
    part x[BATCH][L::PARTS];
#pragma unroll
    for (int u = 0; u < BATCH; u++) {
        const int32_t c = w->col[p + u * step];
        const int64_t column = R == 1 ? c : c & ((1 << SPMM_COLUMN_BITS) - 1);
#pragma unroll
        for (int k = 0; k < L::PARTS; k++) {
            const int64_t at = s.column + k * apart<L>(s);
            x[u][k] = at < A.vectors ? *(const part *)(A.x + column * A.vectors + at) : part();
        }
    }
#pragma unroll
    for (int u = 0; u < BATCH; u++)
#pragma unroll
        for (int k = 0; k < L::PARTS; k++)
            add_products<L::N>(w->col[p + u * step], w->val[p + u * step], x[u][k], k, sum);
}

/* Adds slots begin, begin + step, ... before `end` of the window to the sums. */
template <class L, class K, class I, int R>
__device__ inline void sum_slots(const merge_spmm_product<K, I, R> &A, const lane_layout &s,
                                 const spmm_window<typename K::V, R> *w, int begin, int end,
                                 int step, typename K::S (&sum)[R][L::C])
{
    int p = begin;
    if (s.column >= A.vectors) return;
    for (; p + 3 * step < end; p += 4 * step) sum_batch<L, 4>(A, s, w, p, step, sum);
    if (p + step < end) {
        sum_batch<L, 2>(A, s, w, p, step, sum);
        p += 2 * step;
    }
    if (p < end) sum_batch<L, 1>(A, s, w, p, step, sum);
}

/* Sums over the strands of a row; those of the first one have the sums. */
template <int R, int C, class S>
__device__ inline void sum_strands(const lane_layout &s, int strands, S (&sum)[R][C])
{
    for (int o = strands / 2; o > 0; o /= 2)
#pragma unroll
        for (int i = 0; i < R; i++)
#pragma unroll
            for (int k = 0; k < C; k++)
                sum[i][k] += shift_down(sum[i][k], o * s.lanes, strands * s.lanes);
}

/* ---- Whole rows ----------------------------------------------------------------------------- */

/* Sets y to alpha sum + beta y for the rows of group g and the vectors of this lane. */
template <class L, class K, class I, int R>
__device__ inline void write_rows(const merge_spmm_product<K, I, R> &A, const lane_layout &s,
                                  int64_t g, const typename K::S (&sum)[R][L::C])
{
    using part = several<typename K::T, L::N>;
#pragma unroll
    for (int i = 0; i < R; i++)
#pragma unroll
        for (int k = 0; k < L::PARTS; k++) {
            const int64_t column = s.column + k * apart<L>(s);
            if (column >= A.vectors || (R > 1 && g * R + i >= A.rows)) continue;
            part *y = (part *)(A.y + (g * R + i) * A.vectors + column), out;
            if (!is_zero(A.beta)) out = *y;
#pragma unroll
            for (int n = 0; n < L::N; n++) finish(out.at, n, A.alpha, sum[i][k * L::N + n], A.beta);
            *y = out;
        }
}

/* The groups of a tile, whose slots are in the window. */
template <class L, class K, class I, int R>
__device__ inline void multiply_groups(const merge_spmm_product<K, I, R> &A,
                                       const spmm_window<typename K::V, R> *w, int64_t first_group,
                                       int groups, int longest, int64_t first)
{
    const lane_layout s = divide<L>(first, A.vectors);
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
    for (int o = WARP / 2; o > 0; o /= 2)
        longest = max(longest, __shfl_xor_sync(ALL_LANES, longest, o));
    return longest;
}

/* ---- Pieces of long rows --------------------------------------------------------------------- */

/* Sums the slots begin .. end - 1 of a long group into the workspace, from `sums` on. */
template <class L, class K, class I, int R>
__device__ inline void sum_piece(const merge_spmm_product<K, I, R> &A,
                                 spmm_window<typename K::V, R> *w, I begin, I end,
                                 typename K::S *sums)
{
    for (int64_t first = 0; first < A.vectors; first += WARP / L::PARTS * L::C) {
        const lane_layout s = divide<L>(first, A.vectors);
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

/* Warps of a block: half as many where they need more than 64 KB of shared memory, which few GPUs
 * have. */
template <class K, int R>
constexpr int SPMM_WARPS = sizeof(spmm_window<typename K::V, R>) <= 8 << 10 ? 8 : 4;

/* Warps of a multiprocessor, so that none has too few registers. */
template <int R>
constexpr int SPMM_RESIDENT = R == 1 ? 32 : 16;

template <class L, class K, class I, int R>
__global__ void __launch_bounds__(SPMM_WARPS<K, R> *WARP, SPMM_RESIDENT<R> / SPMM_WARPS<K, R>)
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
    const int longest = stage_ends(A, from, groups, w);
    stage(A, from.p, (int)(to.p - from.p), w);
    for (int64_t first = 0; first < A.vectors; first += WARP / L::PARTS * L::C)
        multiply_groups<L>(A, w, from.row, groups, longest, first);
}

/* Enqueues the product of a matrix whose groups lie where A says, planned so. */
template <class L, class K, class I, int R>
spmv_status enqueue_spmm(const spmv__launch *run, const spmv_csr *A, int64_t rows,
                         const merge_plan *plan, spmv_error *err)
{
    constexpr int BLOCK = SPMM_WARPS<K, R> * WARP, RESERVED = 1 << 10; /* by CUDA for each block */
    const int bytes = BLOCK / WARP * (int)sizeof(spmm_window<typename K::V, R>);
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
                   SPMM_RESIDENT<R> / SPMM_WARPS<K, R> * (bytes + RESERVED));
    launch_kernel(merge_spmm_kernel<L, K, I, R>, blocks_for(plan->tiles * WARP, BLOCK), BLOCK,
                  bytes, (cudaStream_t)run->stream, j);
    st = check_launch("several vectors", err);
done:
    return st;
}

/* Returns whether every row of x and y begins at a multiple of 16 bytes; an element has `size`. */
inline bool is_wide(const spmv__launch *run, int64_t size)
{
    return run->vectors * size % 16 == 0 && (uintptr_t)run->x % 16 == 0 &&
           (uintptr_t)run->y % 16 == 0;
}

/* Does so with 16 bytes of x per lane and load; numbers of 8 bytes twice, where there are many
 * vectors. */
template <class K, class I, int R>
spmv_status enqueue_wide(const spmv__launch *run, const spmv_csr *A, int64_t rows,
                         const merge_plan *plan, spmv_error *err)
{
    using T = typename K::T;
    constexpr int N = 16 / sizeof(T);
    if constexpr (std::is_same_v<T, double>)
        if (run->vectors >= WARP)
            return enqueue_spmm<spmm_lane<N, 2>, K, I, R>(run, A, rows, plan, err);
    return enqueue_spmm<spmm_lane<N, 1>, K, I, R>(run, A, rows, plan, err);
}

} // namespace spmv
