/* csr_merge.cu -- CSR, merge path: equal shares of rows + nonzeros for every warp.
 *
 * Idea     merging the list of row ends with the list of nonzeros visits both in the order in which
 *          a serial loop would: take a nonzero, or finish a row.  The path is cut once, between
 *          rows, into tiles of at most as many nonzeros as a warp loads at once and at most 255
 *          rows, however long or empty they are; a longer row is cut into pieces.  A warp marks in
 *          shared memory where in its tile the rows end; each lane sums its neighbouring products
 *          up to the marks, and a segmented scan brings it what lower lanes left open.  Sums of
 *          pieces go to a workspace; the warp that finds all of a row there adds them up, always
 *          in the same order
 * Good at  any distribution of row lengths: power laws, enormous rows, empty rows
 * Bad at   rows of one length, which need neither marks nor a scan
 * Traffic  per nonzero: value + 4 bytes of column + x; per row: one offset and one of y; per tile
 *          8 or 16 bytes
 * Result   deterministic
 * Source   Merrill and Garland, "Merge-based parallel sparse matrix-vector multiplication",
 *          SC 2016; the scan: Blelloch, Heroux and Zagha, CMU-CS-93-173 */
#include "csr_merge.cuh"

using namespace spmv;

namespace
{

constexpr int BLOCK = 128;

template <class K, class I>
struct csr {
    const I *__restrict__ row_ptr;
    const int32_t *__restrict__ col_idx;
    const typename K::V *__restrict__ val;
    const typename K::T *x;
};

/* The products of WIDTH entries from q on, 0 for those outside [begin, end). */
template <class K, class I>
__device__ inline void multiply(const csr<K, I> &A, I q, I begin, I end, typename K::S *product)
{
    const wide<int32_t> c = q < end ? load_wide<true>(A.col_idx + q) : wide<int32_t>();
    const wide<typename K::V> v = q < end ? load_wide<true>(A.val + q) : wide<typename K::V>();
#pragma unroll
    for (int k = 0; k < WIDTH; k++)
        product[k] = q + k >= begin && q + k < end ? widen(v.at[k]) * load_x<K>(A.x, c.at[k])
                                                   : typename K::S();
}

/* The sum of a piece of a row, in lane 0. */
template <class K, class I>
__device__ inline typename K::S sum_piece(const csr<K, I> &A, I begin, I end)
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
 * 0 or 1 + the number of the row that ends with product k.  Returns what is left open. */
template <class S>
__device__ inline S sum_marked(const S *product, unsigned marks, S *sums)
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
            sums[mark - 1] = sum;
            sum = {};
        }
    }
    return sum;
}

/* The share of one warp. */
template <class S>
struct workspace {
    S sums[MERGE_ROWS + 1]; /* of the rows of the tile */
    unsigned marks[MERGE_LOADS * WARP];
};
__device__ inline workspace<double> *shared_workspace(double)
{
    return (workspace<double> *)dynamic_shared;
}
__device__ inline workspace<c128> *shared_workspace(c128)
{
    return (workspace<c128> *)dynamic_shared_pairs;
}

template <class K, class I, class S = typename K::S>
__global__ void __launch_bounds__(1024)
    csr_merge(int64_t tiles, const merge_tile<I> *__restrict__ tile, csr<K, I> A, S alpha, S beta,
              typename K::T *__restrict__ y, S *pieces, merge_long_row *long_rows)
{
    const int lane = lane_id();
    const int64_t t = global_thread() / WARP;
    if (t >= tiles) return;
    const merge_tile<I> from = tile[t], to = tile[t + 1];
    if (from.row < 0) {
        finish_piece(pieces, t, sum_piece(A, from.p, to.p), long_rows + ~from.row, alpha, beta, y);
        return;
    }

    const I base = from.p / WIDTH * WIDTH;
    const int rows = (int)((to.row < 0 ? long_rows[~to.row].row : to.row) - from.row);
    workspace<S> *mine = shared_workspace(S()) + threadIdx.x / WARP;
    for (int u = 0; u < MERGE_LOADS; u++) mine->marks[u * WARP + lane] = 0;
    __syncwarp();
    for (int i = lane; i < rows; i += WARP) {
        const I begin = A.row_ptr[from.row + i], end = A.row_ptr[from.row + i + 1];
        if (begin < end)
            ((unsigned char *)mine->marks)[end - 1 - base] = (unsigned char)(i + 1);
        else
            mine->sums[i] = {};
    }
    S product[MERGE_LOADS][WIDTH];
#pragma unroll
    for (int u = 0; u < MERGE_LOADS; u++)
        multiply(A, base + (u * WARP + lane) * WIDTH, from.p, to.p, product[u]);
    __syncwarp();
#pragma unroll
    for (int u = 0; u < MERGE_LOADS; u++) {
        const S open = sum_marked(product[u], mine->marks[u * WARP + lane], mine->sums);
        if (u + 1 == MERGE_LOADS) break;
        const S carry = broadcast(open, WARP - 1);
        if (lane == 0) product[u + 1][0] += carry;
    }
    __syncwarp();
    for (int i = lane; i < rows; i += WARP) finish(y, from.row + i, alpha, mine->sums[i], beta);
}

/* Room in shared memory beyond what every GPU grants without being asked. */
constexpr int GRANTED = 48 << 10;

template <class K, class I>
spmv_status enqueue(const spmv__launch *run, spmv_error *err)
{
    using T = typename K::T;
    using S = typename K::S;
    const spmv_csr *A = &run->A->shape.csr;
    const csr<K, I> device = {(const I *)A->row_ptr, A->col_idx, (const typename K::V *)A->val,
                              (const T *)run->x};
    const merge_plan *plan = (const merge_plan *)run->plan;
    const int block = run->config->block_size;
    const int bytes = block / WARP * (int)sizeof(workspace<S>);

    if (bytes > GRANTED) {
        const spmv_status st =
            check(cudaFuncSetAttribute(csr_merge<K, I>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       bytes),
                  SPMV_ERROR_KERNEL_LAUNCH, "csr-merge with this block size", err);
        if (st != SPMV_SUCCESS) return st;
    }
    start(csr_merge<K, I>, blocks_for(plan->tiles * WARP, block), block, bytes,
          (cudaStream_t)run->stream, plan->tiles, (const merge_tile<I> *)plan->tile, device,
          factor<K>(run->alpha), factor<K>(run->beta), (T *)run->y, (S *)plan->sums,
          plan->long_row);
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

} // namespace

extern "C" const spmv__gpu_kernel spmv__csr_merge_kernel = {merge_plan_create, merge_plan_destroy,
                                                            launch, BLOCK, &merge_spmm};
