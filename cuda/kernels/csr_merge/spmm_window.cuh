/* spmm_window.cuh -- device code for several vectors stored by rows: how the lanes of a warp divide
 * them, the slots in shared memory, sums over slots and their last step.
 *
 * A group of R rows has slots instead of nonzeros: a column that any of its rows has, in whose
 * upper bits stands which of them have it, and R values.  The tiles are those of the groups. */
#pragma once

#include "cuda/device/wide_loads.cuh"
#include "cuda/kernels/csr_merge/csr_merge.cuh"

namespace spmv
{

constexpr int SPMM_BATCH = 4;        /* slots that a lane stages at a time */
constexpr int SPMM_COLUMN_BITS = 28; /* of a slot of a group; the others are a bit for each row */

/* What the sets of lanes, of which each has a row of x, take of a tile: rows, or equal shares of
 * its slots.  TILE: there is only one set, which takes all. */
enum spmm_way { ROWS, SHARES, TILE };

/* How many vectors a lane takes: PARTS times N neighbouring ones. */
template <int N_, int PARTS_, spmm_way WAY_ = ROWS>
struct spmm_lane {
    static constexpr int N = N_, PARTS = PARTS_, C = N * PARTS;
    static constexpr int MOST = WARP / PARTS; /* lanes that a row of x can take */
    static constexpr spmm_way WAY = WAY_;
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

/* A value as it takes part in products: brought into double precision once, not by every lane. */
template <class V>
struct widened {
    using type = decltype(widen(V()));
};
template <>
struct widened<unit_value> {
    using type = unit_value;
};

/* The part of shared memory that one warp has: the slots of a tile, or of a part of a long row. */
template <class V, int R>
struct alignas(16) spmm_window {
    wide<typename widened<V>::type, R> val[MERGE_ROOM];
    int32_t col[MERGE_ROOM];
    union {
        int16_t end[MERGE_ROWS + 2]; /* of the groups of a tile, the first being where it begins */
        unsigned mark[MERGE_ROOM / 4]; /* a byte for each slot: 1 + the row that ends there, or 0 */
    };
};

/* ---- Lanes ---------------------------------------------------------------------------------- */

/* Says how the lanes of a warp divide the vectors. */
struct lane_layout {
    int lanes;      /* that a row of x takes, a power of two */
    int sets;       /* of so many lanes */
    int set;        /* of this lane */
    int64_t column; /* of the first vector of this lane */
};

/* The vectors from `first` on, with at most so many lanes for a row of x. */
template <class L>
__device__ inline lane_layout divide(int64_t first, int64_t vectors, int most)
{
    lane_layout s = {1, WARP, 0, 0};
    while (s.lanes < most && s.lanes * L::C < vectors - first) s.lanes *= 2;
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
                if constexpr (!std::is_empty_v<typename K::V>)
#pragma unroll
                    for (int k = 0; k < R; k++) w->val[i + u * WARP].at[k] = widen(v[u].at[k]);
            }
    }
    __syncwarp();
}

/* Adds to the sums of the R rows of a group the products of one slot with N vectors, for the rows
 * that `has` says. */
template <int N, int R, int C, class V, class T, class S, class F>
__device__ inline void add_rows(const wide<V, R> &val, const several<T, N> &x, int part,
                                S (&sum)[R][C], F has)
{
#pragma unroll
    for (int i = 0; i < R; i++)
        if (has(i))
#pragma unroll
            for (int k = 0; k < N; k++) sum[i][part * N + k] += widen(val.at[i]) * widen(x.at[k]);
}

/* Does so for the rows that have the slot, which mostly are all of them. */
template <int N, int R, int C, class V, class T, class S>
__device__ inline void add_products(int32_t col, const wide<V, R> &val, const several<T, N> &x,
                                    int part, S (&sum)[R][C])
{
    const unsigned rows = (unsigned)col >> SPMM_COLUMN_BITS;
    const auto all = [](int) { return true; };
    if constexpr (R == 1)
        add_rows(val, x, part, sum, all);
    else if (rows == (1u << R) - 1)
        add_rows(val, x, part, sum, all);
    else
        add_rows(val, x, part, sum, [=](int i) { return (rows >> i & 1) != 0; });
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
            add_products(w->col[p + u * step], w->val[p + u * step], x[u][k], k, sum);
}

/* Adds slots p, p + step, ... before `end` of the window to the sums: BATCH at a time, and those
 * that are left in smaller and smaller batches. */
template <class L, int BATCH, class K, class I, int R>
__device__ inline void sum_batches(const merge_spmm_product<K, I, R> &A, const lane_layout &s,
                                   const spmm_window<typename K::V, R> *w, int p, int end, int step,
                                   typename K::S (&sum)[R][L::C])
{
    for (; p + (BATCH - 1) * step < end; p += BATCH * step)
        sum_batch<L, BATCH>(A, s, w, p, step, sum);
    if constexpr (BATCH > 1) sum_batches<L, BATCH / 2>(A, s, w, p, end, step, sum);
}

/* Adds slots begin, begin + step, ... before `end` of the window to the sums. */
template <class L, class K, class I, int R>
__device__ inline void sum_slots(const merge_spmm_product<K, I, R> &A, const lane_layout &s,
                                 const spmm_window<typename K::V, R> *w, int begin, int end,
                                 int step, typename K::S (&sum)[R][L::C])
{
    constexpr int BATCH = R == 1 && L::C * sizeof(typename K::T) <= 8 ? 8 : 4;
    if (s.column < A.vectors) sum_batches<L, BATCH>(A, s, w, begin, end, step, sum);
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

} // namespace spmv
