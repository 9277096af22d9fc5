/* csr_merge.cu -- CSR, merge path: equal numbers of rows + nonzeros for every warp.
 *
 * Idea     merging the list of row ends with the list of nonzeros visits both in the order in which
 *          a serial loop would: take a nonzero, or finish a row.  The path is cut once, between
 *          rows, into tiles of at most as many nonzeros as a warp loads at once and at most 254
 *          rows, however long or empty they are; a longer row is cut into pieces.  A warp marks in
 *          shared memory where in its tile the rows end; each lane sums its neighbouring products
 *          up to the marks, and a segmented scan brings it what lower lanes left open.  The warp
 *          of a row's last piece waits for the sums of the others, and adds them up always in the
 *          same order
 * Good at  any distribution of row lengths: power laws, enormous rows, empty rows
 * Bad at   rows of one length, which need neither marks nor a scan
 * Traffic  per nonzero: value + 4 bytes of column + x; per row: one offset and one of y; per tile
 *          8 or 16 bytes
 * Result   deterministic
 * Source   Merrill and Garland, "Merge-based parallel sparse matrix-vector multiplication",
 *          SC 2016; the scan: Blelloch, Heroux and Zagha, CMU-CS-93-173 */
#include "cuda/device/prefetch.cuh"
#include "cuda/kernels/csr_merge/csr_merge.cuh"
#include "cuda/device/flagged_sum.cuh"
#include "cuda/device/wide_loads.cuh"

using namespace spmv;

namespace
{

constexpr int BLOCK = 128;
constexpr int LARGEST = 2048; /* entries of a piece of a long row, at most */
PLAN_LIMIT(WARPS, 1 << 13);   /* that fill a GPU */
constexpr int RESIDENT = 32;  /* warps of a multiprocessor that have room in its shared memory: what
                                 more would get keeps more of x as a cache */

/* A lane loads WIDE entries together, LOADS times: in 32 bytes of values. */
template <class K>
constexpr int WIDE = sizeof(typename K::V) <= 4 ? MERGE_WIDTH : MERGE_WIDTH / 2;
template <class K>
constexpr int LOADS = MERGE_WIDTH / WIDE<K>;

template <class K, class I>
struct merge_csr {
    const I *__restrict__ row_ptr;
    const int32_t *__restrict__ col_idx;
    const typename K::V *__restrict__ val;
    const typename K::T *x;
};

/* ---- Pieces --------------------------------------------------------------------------------- */

/* Returns the sum of a piece of a row, in lane 0. */
template <class K, class I>
__device__ inline typename K::S sum_piece(const merge_csr<K, I> &A, I begin, I end)
{
    constexpr int N = 2, STRIDE = WARP * WIDTH;
    typename K::S sum = {};
    for (I p = begin / WIDTH * WIDTH + lane_id() * WIDTH; p < end; p += N * STRIDE) {
        wide<int32_t> c[N] = {};
        wide<typename K::V> v[N] = {};
#pragma unroll
        for (int u = 0; u < N; u++)
            if (p + u * STRIDE < end) {
                c[u] = load_wide<true>(A.col_idx + p + u * STRIDE);
                v[u] = load_wide<true>(A.val + p + u * STRIDE);
            }
        pdl_wait();
#pragma unroll
        for (int u = 0; u < N; u++)
#pragma unroll
            for (int k = 0; k < WIDTH; k++) {
                const I q = p + u * STRIDE + k;
                if (q >= begin && q < end) sum += widen(v[u].at[k]) * load_x<K>(A.x, c[u].at[k]);
            }
    }
    pdl_wait(); /* lanes without entries, too */
    return sum_lanes(sum, WARP);
}

/* Makes *sum that of a whole long row, from the sums of all pieces, in lane 0 of the warp of its
 * last piece; the other warps get false. */
template <class S>
__device__ inline bool sum_pieces(const merge_long_row *row, int64_t t, S *sum,
                                  flagged_sum<S> *flagged)
{
    if (row->first == row->last) return true;
    if (lane_id() == 0) publish_sum(flagged + (row->piece + t - row->first), *sum);
    if (t != row->last) return false;
    *sum = gather_sums(flagged + row->piece, row->last - row->first + 1);
    return true;
}

/* ---- Whole rows ----------------------------------------------------------------------------- */

/* Says where the rows of a warp's tile end, by a byte for each entry: 0, 1 + the number of the row
 * that ends there, or BEFORE where the row before the tile does. */
using row_ends = unsigned[MERGE_ROOM / 4];
constexpr unsigned BEFORE = MERGE_ROWS + 1;

/* Returns what the lanes below left open for this one: the sum of `open` back to the last lane that
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

/* Sums the rows that end among W neighbouring products of each lane, at the marks of these;
 * `open` is what belongs before them.  row_sum(number, sum) takes them.  Returns what is left open
 * after the last lane. */
template <int W, class V, class T, class S, class F>
__device__ inline S sum_marked(const wide<V, W> &val, const T (&x)[W], const unsigned *marks,
                               S open, F row_sum)
{
    S sum = lane_id() == 0 ? open : S(), head = {};
    unsigned first = 0; /* the mark of the first row that ends here; its sum is not complete */
#pragma unroll
    for (int k = 0; k < W; k++) {
        const unsigned mark = marks[k / 4] >> k % 4 * 8 & 255;
        sum += widen(val.at[k]) * widen(x[k]);
        if (mark == 0) continue;
        if (first == 0) {
            first = mark;
            head = sum;
        } else {
            row_sum((int)mark - 1, sum);
        }
        sum = {};
    }
    const S below = carried(sum, first != 0);
    if (first != 0 && first != BEFORE) row_sum((int)first - 1, below + head);
    return broadcast(first != 0 ? sum : below + sum, WARP - 1);
}

/* Sums whole rows from a tile up to entry `stop`: row_sum(i, sum) takes that of row
 * from.row + i, in some lane.  The marks are the warp's, in shared memory. */
template <class K, class I, class F>
__device__ inline void sum_rows(const merge_csr<K, I> &A, merge_tile<I> from, I stop, int rows,
                                row_ends &ends, F row_sum)
{
    using S = typename K::S;
    constexpr int W = WIDE<K>;
    const int lane = lane_id();
    const I base = from.p / MERGE_WIDTH * MERGE_WIDTH;
    wide<int32_t, W> c[LOADS<K>];
    wide<typename K::V, W> v[LOADS<K>];
#pragma unroll
    for (int u = 0; u < LOADS<K>; u++) {
        const I p = base + (u * WARP + lane) * W;
        c[u] = p < stop ? load_wide<true, W>(A.col_idx + p) : wide<int32_t, W>();
        v[u] = p < stop ? load_wide<true, W>(A.val + p) : wide<typename K::V, W>();
    }
#pragma unroll 1
    for (int i = lane; i < MERGE_ROOM / 4; i += WARP) ends[i] = 0;
    __syncwarp();
    unsigned char *end_of = (unsigned char *)ends;
    if (lane == 0 && base < from.p) end_of[from.p - 1 - base] = BEFORE;
    unsigned empty = 0; /* a bit for each row of the lane */
#pragma unroll 2
    for (int i = lane; i < rows; i += WARP) {
        const I begin = A.row_ptr[from.row + i], end = A.row_ptr[from.row + i + 1];
        if (begin < end)
            end_of[end - 1 - base] = (unsigned char)(i + 1);
        else
            empty |= 1u << i / WARP;
    }
    pdl_wait();
#pragma unroll 1
    for (int i = lane; i < rows; i += WARP)
        if ((empty >> i / WARP & 1) != 0) row_sum(i, S());
    typename K::T x[LOADS<K>][W];
#pragma unroll
    for (int u = 0; u < LOADS<K>; u++)
#pragma unroll
        for (int k = 0; k < W; k++)
            x[u][k] =
                base + (u * WARP + lane) * W < stop ? fetch<K>(A.x + c[u].at[k]) : typename K::T();
    __syncwarp();
    S open = {};
#pragma unroll
    for (int u = 0; u < LOADS<K>; u++)
        open = sum_marked(v[u], x[u], ends + (u * WARP + lane) * W / 4, open, row_sum);
    __syncwarp();
}

/* ---- The kernel ----------------------------------------------------------------------------- */

/* The part of shared memory that one warp has. */
template <class T>
struct workspace {
    row_ends ends;
    T y[MERGE_ROWS + 2]; /* of the rows of the tile */
};

template <class K, class I, class S = typename K::S>
__global__ void AT_MOST_REGISTERS(48)
    csr_merge(int64_t tiles, const merge_tile<I> *__restrict__ tile, merge_csr<K, I> A, S alpha,
              S beta, typename K::T *__restrict__ y, flagged_sum<S> *flagged,
              const merge_long_row *long_rows, l2_lines lines)
{
    using T = typename K::T;
    const int lane = lane_id();
    const int64_t t = global_thread() / WARP;
    pdl_trigger();
    const merge_tile<I> from = tile[min(t, tiles)], to = tile[min(t + 1, tiles)];
    prefetch_l2(lines, A.row_ptr, A.col_idx, A.val, A.x);
    if (t >= tiles || from.row < LEFT_OUT) return;
    if (from.row < 0) {
        const merge_long_row *row = long_rows + ~from.row;
        S sum = sum_piece(A, from.p, to.p);
        if (sum_pieces(row, t, &sum, flagged) && lane == 0) finish(y, row->row, alpha, sum, beta);
        return;
    }

    const int rows = (int)(end_row(to, long_rows) - from.row);
    workspace<T> *mine = (workspace<T> *)dynamic_shared_pairs + threadIdx.x / WARP;
    sum_rows(A, from, to.p, rows, mine->ends,
             [&](int i, S sum) { store(mine->y + i, result(alpha, sum, beta, y + from.row + i)); });
#pragma unroll 2
    for (int i = lane; i < rows; i += WARP) y[from.row + i] = mine->y[i];
}

template <class K, class I>
spmv_status enqueue(const spmv__launch *run, spmv_error *err)
{
    using T = typename K::T;
    using S = typename K::S;
    const spmv_csr *A = &run->A->shape.csr;
    const merge_plan *plan = (const merge_plan *)run->plan;
    const merge_rest *rest = &plan->rest;
    const int block = run->options->block_size;
    const int bytes = block / WARP * (int)sizeof(workspace<T>);

    const spmv_status st =
        allow_shared(csr_merge<K, I>, bytes, "csr-merge with this block size", err);
    if (st != SPMV_SUCCESS) return st;
    leave_to_cache(csr_merge<K, I>, RESIDENT * WARP / block * bytes);
    const auto begin = [&](int64_t first, int64_t tiles, const int32_t *col_idx, l2_lines lines) {
        const merge_csr<K, I> device = {(const I *)A->row_ptr, col_idx,
                                        (const typename K::V *)A->val, (const T *)run->x};
        launch_dependent(!K::READONLY && !run->A->awaited, csr_merge<K, I>,
                         blocks_for(tiles * WARP, block), block, bytes, run->stream, tiles,
                         (const merge_tile<I> *)plan->tile + first, device, factor<K>(run->alpha),
                         factor<K>(run->beta), (T *)run->y, (flagged_sum<S> *)plan->sums,
                         plan->long_row, lines);
    };
    if (rest->first > 0) begin(0, rest->first, A->col_idx, lines_ahead(bytes_read_by<K, I>(A)));
    if (rest->first < plan->tiles)
        begin(rest->first, plan->tiles - rest->first, rest->col_idx - rest->begin, l2_lines());
    return check_launch("csr-merge", err);
}

spmv_status launch(const spmv__launch *run, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    by_kind(run, [&](auto k) {
        by_index(run->A, [&](auto i) { st = enqueue<decltype(k), decltype(i)>(run, err); });
    });
    return st;
}

spmv_status create_plan(void **out, spmv__gpu *gpu, const spmv_gpu_matrix *A,
                        const spmv_kernel_options *, spmv_error *err)
{
    return merge_plan_create((merge_plan **)out, gpu, A, merge_piece_for(A->shape.csr.nnz),
                             INT64_MAX, err);
}

} // namespace

int spmv::merge_piece_for(int64_t slots)
{
    int64_t length = slots / WARPS / MERGE_ROOM * MERGE_ROOM;
    length = length > MERGE_ROOM ? length : MERGE_ROOM;
    return length < LARGEST ? (int)length : LARGEST;
}

spmv_status spmv::merge_launch(const spmv__launch *run, merge_plan *plan, spmv_error *err)
{
    spmv_kernel_options options = *run->options;
    spmv__launch merge = *run;
    options.block_size = BLOCK;
    merge.options = &options;
    merge.plan = plan;
    return launch(&merge, err);
}

extern "C" const spmv__gpu_kernel spmv__csr_merge_kernel = {
    create_plan, merge_plan_destroy, launch, BLOCK, BLOCK, &merge_spmm, NULL, true};
