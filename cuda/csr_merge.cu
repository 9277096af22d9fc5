/* csr_merge.cu -- CSR, merge path: equal shares of rows + nonzeros for every block and thread.
 *
 * Idea     merging the list of row ends with the list of nonzeros visits both in the order in which
 *          a serial loop would: take a nonzero, or finish a row.  Cut anywhere, the path gives
 *          pieces of equal work, whatever the row lengths.  The cuts between blocks are found once,
 *          by binary search along diagonals.  A block stages its products in shared memory with
 *          coalesced loads, cuts its tile again between its threads, and each thread walks its
 *          piece; sums of rows that cross threads are put together by a segmented scan.
 *          A cut that would fall into a row of at most SHORT items moves to its start.  So only
 *          long rows cross blocks; their partial sums go to a workspace, and a second kernel, which
 *          is launched only where there are such rows, adds them in a fixed order
 * Good at  any distribution of row lengths: power laws, enormous rows, empty rows
 * Bad at   tiny matrices, and rows long enough that nothing needs balancing
 * Traffic  per nonzero: value + 4 bytes of column + x; per row: one offset and one of y; per tile
 *          16 bytes of cuts and one partial sum
 * Result   deterministic
 * Source   Merrill and Garland, "Merge-based parallel sparse matrix-vector multiplication",
 *          SC 2016 */
#include "csr_merge.cuh"

#include <climits>

using namespace spmv;

namespace
{

constexpr int BLOCK = 256;

/* The slots in shared memory. */
__device__ inline double *shared_slots(double)
{
    return dynamic_shared;
}
__device__ inline c128 *shared_slots(c128)
{
    return (c128 *)dynamic_shared_pairs;
}

/* In the slot of a row the end of the row waits until its sum takes the place. */
__device__ inline void pack(double *slot, int end)
{
    *slot = __hiloint2double(0, end);
}
__device__ inline int unpack(const double *slot)
{
    return __double2loint(*slot);
}
__device__ inline void pack(c128 *slot, int end)
{
    pack(&slot->re, end);
}
__device__ inline int unpack(const c128 *slot)
{
    return unpack(&slot->re);
}

/* What flows from thread to thread: the sum of the row that is open at the end of a piece. */
template <class S>
struct carry {
    S sum;
    bool ended; /* a row ended in the piece: what came before it does not reach further */
};
template <class S>
__device__ inline carry<S> then(carry<S> a, carry<S> b)
{
    return {b.ended ? b.sum : a.sum + b.sum, a.ended || b.ended};
}
template <class S>
__device__ inline carry<S> carry_up(carry<S> c, int by)
{
    return {shift_up(c.sum, by), (bool)__shfl_up_sync(ALL_LANES, (int)c.ended, by)};
}
template <class S>
__device__ inline carry<S> scan_warp(carry<S> c)
{
    const int lane = (int)(threadIdx.x % WARP);
#pragma unroll
    for (int o = 1; o < WARP; o *= 2) {
        const carry<S> before = carry_up(c, o);
        if (lane >= o) c = then(before, c);
    }
    return c;
}

/* Scan over the block: returns what reaches this thread; *last is what leaves the block. */
template <class S>
__device__ inline carry<S> scan_block(carry<S> mine, S *last)
{
    __shared__ carry<S> of_warp[WARP];
    const int lane = (int)(threadIdx.x % WARP), warp = (int)(threadIdx.x / WARP);
    const int warps = (int)(blockDim.x / WARP);
    const carry<S> none = {}, inclusive = scan_warp(mine);
    if (lane == WARP - 1) of_warp[warp] = inclusive;
    __syncthreads();
    if (warp == 0) {
        const carry<S> c = scan_warp(lane < warps ? of_warp[lane] : none);
        if (lane < warps) of_warp[lane] = c;
    }
    __syncthreads();
    *last = of_warp[warps - 1].sum;
    carry<S> before = carry_up(inclusive, 1);
    if (lane == 0) before = none;
    return warp > 0 ? then(of_warp[warp - 1], before) : before;
}

template <class K, class I, class S = typename K::S>
__global__ void __launch_bounds__(1024)
    csr_merge(const merge_cut *__restrict__ cuts, const I *__restrict__ row_ptr,
              const int32_t *__restrict__ col_idx, const typename K::V *__restrict__ val, S alpha,
              const typename K::T *x, S beta, typename K::T *__restrict__ y, S *__restrict__ head,
              S *__restrict__ tail)
{
    S *slots = shared_slots(S()); /* the products, then one for each row that ends here */
    __shared__ int first_row[1024 + 1];
    const merge_cut from = cuts[blockIdx.x], to = cuts[blockIdx.x + 1];
    const int nnz = (int)(to.p - from.p), rows = (int)(to.row - from.row), total = nnz + rows;
    const int t = (int)threadIdx.x, block = (int)blockDim.x;
    S *ends = slots + nnz;

    for (int i = t; i < rows; i += block) pack(ends + i, (int)(row_ptr[from.row + i + 1] - from.p));
    int32_t c[MERGE_ITEMS];
    typename K::V v[MERGE_ITEMS];
#pragma unroll
    for (int u = 0; u < MERGE_ITEMS; u++)
        if (t + u * block < nnz) {
            c[u] = load_once(col_idx + from.p + t + u * block);
            v[u] = load_once(val + from.p + t + u * block);
        }
#pragma unroll
    for (int u = 0; u < MERGE_ITEMS; u++)
        if (t + u * block < nnz) slots[t + u * block] = widen(v[u]) * load_x<K>(x, c[u]);
    __syncthreads();

    const int d = min(t * MERGE_ITEMS, total);
    int i = merge_search<int>(d, rows, nnz, [=](int e) { return unpack(ends + e); }), p = d - i;
    first_row[t] = i;
    if (t == 0) first_row[block] = rows;
    __syncthreads();

    const int mine = i, next = first_row[t + 1];
    const int count = min(MERGE_ITEMS, total - d);
    int end = i < next ? unpack(ends + i) : INT_MAX;
    S sum = {};
#pragma unroll
    for (int u = 0; u < MERGE_ITEMS; u++)
        if (u < count) {
            if (p < end) {
                sum += slots[p++];
            } else {
                ends[i++] = sum;
                sum = {};
                end = i < next ? unpack(ends + i) : INT_MAX;
            }
        }

    S last;
    const carry<S> before = scan_block(carry<S>{sum, next > mine}, &last);
    if (next > mine) ends[mine] += before.sum;
    __syncthreads();
    for (i = t; i < rows; i += block) {
        if (i == 0 && from.open)
            head[blockIdx.x] = ends[0];
        else
            finish(y, from.row + i, alpha, ends[i], beta);
    }
    if (t == 0) (rows == 0 && from.open ? head : tail)[blockIdx.x] = last;
}

/* One warp adds up the pieces of one long row: the tail of its first tile, the heads after it. */
template <class K>
__global__ void add_pieces(int64_t n, const merge_long_row *__restrict__ long_rows,
                           const typename K::S *__restrict__ head,
                           const typename K::S *__restrict__ tail, typename K::S alpha,
                           typename K::S beta, typename K::T *__restrict__ y)
{
    const int lane = (int)(threadIdx.x % WARP);
    const int64_t g = global_thread() / WARP;
    if (g >= n) return;
    const merge_long_row row = long_rows[g];
    typename K::S sum = {};
    if (lane == 0) sum = tail[row.first];
#pragma unroll 8
    for (int64_t b = row.first + 1 + lane; b <= row.last; b += WARP) sum += head[b];
    sum = sum_lanes(sum, WARP);
    if (lane == 0) finish(y, row.row, alpha, sum, beta);
}

/* Room in shared memory beyond what every GPU grants without being asked. */
constexpr int GRANTED = 48 << 10;

template <class K, class I>
spmv_status enqueue(const spmv__launch *run, spmv_error *err)
{
    using V = typename K::V;
    using T = typename K::T;
    using S = typename K::S;
    const spmv_csr *A = &run->A->shape.csr;
    const merge_plan *plan = (const merge_plan *)run->plan;
    const cudaStream_t stream = (cudaStream_t)run->stream;
    const int block = run->config->block_size;
    const int bytes = block * MERGE_ITEMS * (int)sizeof(S);

    if (bytes > GRANTED) {
        const spmv_status st =
            check(cudaFuncSetAttribute(csr_merge<K, I>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       bytes),
                  SPMV_ERROR_KERNEL_LAUNCH, "csr-merge with this block size", err);
        if (st != SPMV_SUCCESS) return st;
    }
    start(csr_merge<K, I>, (unsigned)plan->tiles, block, bytes, stream, plan->cuts,
          (const I *)A->row_ptr, A->col_idx, (const V *)A->val, factor<K>(run->alpha),
          (const T *)run->x, factor<K>(run->beta), (T *)run->y, (S *)plan->head, (S *)plan->tail);
    if (plan->long_rows > 0)
        start(add_pieces<K>, blocks_for(plan->long_rows * WARP, BLOCK), BLOCK, 0, stream,
              plan->long_rows, plan->long_row, (const S *)plan->head, (const S *)plan->tail,
              factor<K>(run->alpha), factor<K>(run->beta), (T *)run->y);
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
                                                            launch, BLOCK};
