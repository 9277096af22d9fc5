/* merge_spmm.cu -- CSR and several vectors stored by rows, with the tiles of csr-merge.
 *
 * Idea     a warp takes a tile, as in csr-merge.  The elements that one nonzero meets lie side by
 *          side, and as many lanes as hold them take them, in wide loads where their number and
 *          place allow it; what is left of the warp takes further rows of the tile, or, when there
 *          are fewer rows than that, further nonzeros of the same ones, whose sums are added with
 *          shuffles.  Of 33 vectors and more, or wide loads of them, the tile is walked again for
 *          the next ones, out of the cache.  Sums of pieces of long rows go to a workspace
 * Good at  any distribution of row lengths, any number of vectors
 * Bad at   matrices of a few thousand nonzeros, which make too few tiles to fill a GPU
 * Traffic  per nonzero: value + 4 bytes of column + one row of x; per row: one offset and one row
 *          of y; per tile 8 or 16 bytes; the matrix once for all vectors
 * Result   deterministic: the order of a sum depends on the matrix and the number of vectors
 * Source   Yang, Buluc and Owens, "Design principles for sparse matrix multiplication on the
 *          GPU", Euro-Par 2018 (row splitting and merging, coalesced rows of x) */
#include "cuda/kernels/csr_merge/csr_merge.cuh"

using namespace spmv;

namespace
{

constexpr int BLOCK = 128;
constexpr int BATCH = 4; /* nonzeros in flight per lane */

template <class V>
__device__ inline V load_value(const V *val, int64_t p)
{
    return val[p];
}
__device__ inline unit_value load_value(const unit_value *, int64_t)
{
    return {};
}

/* C neighbouring numbers, loaded and stored together. */
template <class T, int C>
struct alignas(C * sizeof(T)) several {
    T at[C];
};

template <class K, class I, int C>
struct merge_spmm_product {
    using T = typename K::T;
    using S = typename K::S;
    const merge_tile<I> *tile;
    merge_long_row *long_row;
    S *pieces; /* [pieces x vectors] */
    const I *row_ptr;
    const int32_t *col_idx;
    const typename K::V *val;
    int64_t tiles, vectors;
    S alpha, beta;
    const T *x;
    T *y;
};

/* Says how the lanes of a warp divide `rows` rows for the vectors from `first` on. */
struct lane_layout {
    int lanes;   /* that a row of x takes, a power of two */
    int strands; /* nonzeros of one row at a time, a power of two */
    int groups;  /* rows at a time: lanes * strands * groups = WARP */
    int group, strand;
    int64_t column; /* the first vector of this lane */
    bool idle;      /* there is none */
};

template <int C>
__device__ inline lane_layout divide(int64_t first, int64_t vectors, int64_t rows)
{
    lane_layout s;
    s.lanes = s.strands = 1;
    while (s.lanes < WARP && s.lanes * C < vectors - first) s.lanes *= 2;
    while (s.lanes * s.strands < WARP && WARP / (2 * s.lanes * s.strands) >= rows) s.strands *= 2;
    s.groups = WARP / (s.lanes * s.strands);
    s.group = lane_id() / (s.lanes * s.strands);
    s.strand = lane_id() / s.lanes % s.strands;
    s.column = first + lane_id() % s.lanes * C;
    s.idle = s.column >= vectors;
    return s;
}

/* Sums entries begin .. end - 1 of one row; the lanes of strand 0 have the sums. */
template <class K, class I, int C>
__device__ inline void sum_entries(const merge_spmm_product<K, I, C> &A, const lane_layout &s,
                                   I begin, I end, typename K::S *sum)
{
    using row = several<typename K::T, C>;
    const typename K::T *x = A.x + s.column;
    for (int k = 0; k < C; k++) sum[k] = {};
    for (I p = begin + s.strand; p < end && !s.idle; p += BATCH * s.strands) {
        typename K::V v[BATCH] = {};
        row part[BATCH] = {};
#pragma unroll
        for (int u = 0; u < BATCH; u++) {
            const I q = p + u * s.strands;
            if (q >= end) continue;
            v[u] = load_value(A.val, q);
            part[u] = *(const row *)(x + A.col_idx[q] * A.vectors);
        }
#pragma unroll
        for (int u = 0; u < BATCH; u++)
            if (p + u * s.strands < end)
                for (int k = 0; k < C; k++) sum[k] += widen(v[u]) * widen(part[u].at[k]);
    }
    for (int o = s.strands / 2; o > 0; o /= 2)
        for (int k = 0; k < C; k++) sum[k] += shift_down(sum[k], o * s.lanes, s.lanes * s.strands);
}

/* Sets y to alpha sum + beta y for the vectors of this lane. */
template <class K, class I, int C>
__device__ inline void write(const merge_spmm_product<K, I, C> &A, const lane_layout &s, int64_t r,
                             const typename K::S *sum)
{
    using row = several<typename K::T, C>;
    row *y = (row *)(A.y + r * A.vectors + s.column), out;
    if (!is_zero(A.beta)) out = *y;
    for (int k = 0; k < C; k++) finish(out.at, k, A.alpha, sum[k], A.beta);
    *y = out;
}

template <class K, class I, int C>
__device__ inline void multiply_rows(const merge_spmm_product<K, I, C> &A, int64_t first, I begin,
                                     I end)
{
    const lane_layout s = divide<C>(first, A.vectors, end - begin);
    for (I top = begin; top < end; top += s.groups) {
        const I r = top + s.group;
        typename K::S sum[C];
        sum_entries(A, s, r < end ? A.row_ptr[r] : 0, r < end ? A.row_ptr[r + 1] : 0, sum);
        if (r < end && s.strand == 0 && !s.idle) write(A, s, r, sum);
    }
}

/* Tile t is the entries begin .. end - 1 of a long row. */
template <class K, class I, int C>
__device__ inline void multiply_piece(const merge_spmm_product<K, I, C> &A, int64_t t,
                                      merge_long_row *row, I begin, I end)
{
    typename K::S sum[C], *sums = A.pieces + row->piece * A.vectors;
    for (int64_t first = 0; first < A.vectors; first += WARP * C) {
        const lane_layout s = divide<C>(first, A.vectors, 1);
        sum_entries(A, s, begin, end, sum);
        if (s.strand > 0 || s.idle) continue;
        for (int k = 0; k < C; k++) sums[(t - row->first) * A.vectors + s.column + k] = sum[k];
    }
    if (!is_last_piece(row)) return;
    const int64_t pieces = row->last - row->first + 1;
    for (int64_t first = 0; first < A.vectors; first += WARP) {
        const lane_layout s = divide<1>(first, A.vectors, 1);
        typename K::S total = {};
#pragma unroll 4
        for (int64_t i = s.strand; i < pieces && !s.idle; i += s.strands)
            total += load_fresh(sums + i * A.vectors + s.column);
        for (int o = s.strands / 2; o > 0; o /= 2)
            total += shift_down(total, o * s.lanes, s.lanes * s.strands);
        if (s.strand == 0 && !s.idle)
            finish(A.y, row->row * A.vectors + s.column, A.alpha, total, A.beta);
    }
    if (lane_id() == 0) row->done = 0;
}

template <class K, class I, int C>
__global__ void __launch_bounds__(BLOCK) csr_merge_spmm(const merge_spmm_product<K, I, C> A)
{
    const int64_t t = global_thread() / WARP;
    if (t >= A.tiles) return;
    const merge_tile<I> from = A.tile[t], to = A.tile[t + 1];
    if (from.row < 0) {
        multiply_piece(A, t, A.long_row + ~from.row, from.p, to.p);
        return;
    }
    const I end = end_row(to, A.long_row);
    for (int64_t first = 0; first < A.vectors; first += WARP * C)
        multiply_rows(A, first, from.row, end);
}

template <class K, class I, int C>
spmv_status enqueue(const spmv__launch *run, spmv_error *err)
{
    const spmv_csr *A = &run->A->shape.csr;
    const merge_plan *plan = (const merge_plan *)run->plan;
    const merge_spmm_product<K, I, C> j = {(const merge_tile<I> *)plan->tile,
                                           plan->long_row,
                                           (typename K::S *)run->workspace,
                                           (const I *)A->row_ptr,
                                           A->col_idx,
                                           (const typename K::V *)A->val,
                                           plan->tiles,
                                           run->vectors,
                                           factor<K>(run->alpha),
                                           factor<K>(run->beta),
                                           (const typename K::T *)run->x,
                                           (typename K::T *)run->y};
    launch_kernel(csr_merge_spmm<K, I, C>, blocks_for(plan->tiles * WARP, BLOCK), BLOCK, 0,
                  (cudaStream_t)run->stream, j);
    return check_launch("csr-merge with several vectors", err);
}

/* Wide loads where every row of x and y begins at a multiple of their size. */
spmv_status launch(const spmv__launch *run, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    by_types(run, [&](auto k) {
        by_index(run->A, [&](auto i) {
            using K = decltype(k);
            using I = decltype(i);
            constexpr int WIDE = 16 / sizeof(typename K::T);
            const bool wide = run->vectors % WIDE == 0 && (uintptr_t)run->x % 16 == 0 &&
                              (uintptr_t)run->y % 16 == 0;
            st = wide ? enqueue<K, I, WIDE>(run, err) : enqueue<K, I, 1>(run, err);
        });
    });
    return st;
}

int64_t workspace(const void *plan, int64_t vectors)
{
    int64_t bytes = ((const merge_plan *)plan)->pieces * (int64_t)sizeof(c128);
    return spmv__product(bytes, vectors, &bytes) ? bytes : INT64_MAX;
}

} // namespace

const spmv__gpu_spmm spmv::merge_spmm = {launch, workspace};
