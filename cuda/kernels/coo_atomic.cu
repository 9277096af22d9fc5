/* coo_atomic.cu -- COO, one thread per nonzero, atomic addition.
 *
 * Idea     every thread multiplies one entry at a time; entries are sorted by row, so the 32 of a
 *          warp are summed per row with shuffles first, and only the last lane of each run of
 *          equal rows adds to memory
 * Good at  any distribution of row lengths, hypersparse matrices
 * Bad at   traffic: a row index per nonzero
 * Traffic  per nonzero: value + 8 bytes of row and column + x, 16 bytes of atomic per run
 *          (32 when complex);
 *          per row: 24 bytes of workspace (48 with complex vectors) and y
 * Result   NOT deterministic: the order of the atomic additions changes from run to run.  They go
 *          to a workspace in double precision, which a second kernel turns into y (and clears for
 *          the next time): a row of a million entries meets 30,000 additions, which in single
 *          precision would lose three digits
 * Source   Bell and Garland, SC 2009 (segmented reduction of COO) */
#include "cuda/device/warp.cuh"

using namespace spmv;

namespace
{

constexpr int BLOCK = 256;
constexpr int BATCH = 4; /* entries per thread, all loaded before the first is used */

/* Returns the sum over the lanes of equal rows that ends in this lane, as far as it lies in this
 * warp. */
template <class I, class S>
__device__ inline S sum_run(I row, S sum)
{
    const int lane = (int)(threadIdx.x % WARP);
#pragma unroll
    for (int o = 1; o < WARP; o *= 2) {
        const I other_row = __shfl_up_sync(ALL_LANES, row, o);
        const S other = shift_up(sum, o);
        if (lane >= o && other_row == row) sum += other;
    }
    return sum;
}

__device__ inline void add_atomically(double *to, double v)
{
    atomicAdd(to, v);
}
__device__ inline void add_atomically(c128 *to, c128 v)
{
    atomicAdd(&to->re, v.re);
    atomicAdd(&to->im, v.im);
}

template <class K, class I>
__global__ void coo_atomic(int64_t nnz, const I *__restrict__ row_idx,
                           const I *__restrict__ col_idx, const typename K::V *__restrict__ val,
                           const typename K::T *x, typename K::S *__restrict__ sums)
{
    const int lane = (int)(threadIdx.x % WARP);
    const int64_t first = global_thread() / WARP * (WARP * BATCH) + lane;
    I row[BATCH], col[BATCH];
    typename K::V v[BATCH];
#pragma unroll
    for (int u = 0; u < BATCH; u++) {
        const int64_t p = first + u * WARP;
        row[u] = p < nnz ? load_streaming(row_idx + p) : (I)-1;
        col[u] = p < nnz ? load_streaming(col_idx + p) : (I)-1;
        if (p < nnz) v[u] = load_streaming(val + p);
    }
#pragma unroll
    for (int u = 0; u < BATCH; u++) {
        typename K::S sum = {};
        if (col[u] >= 0) sum = widen(v[u]) * load_x<K>(x, col[u]);
        sum = sum_run(row[u], sum);
        const I next = __shfl_down_sync(ALL_LANES, row[u], 1);
        if (row[u] >= 0 && (lane == WARP - 1 || next != row[u])) add_atomically(sums + row[u], sum);
    }
}

template <class K>
__global__ void finish_rows(int64_t rows, typename K::S *__restrict__ sums, typename K::S alpha,
                            typename K::S beta, typename K::T *__restrict__ y)
{
    const int64_t r = global_thread();
    if (r >= rows) return;
    finish(y, r, alpha, sums[r], beta);
    sums[r] = {};
}

/* The plan is the workspace: room for a complex sum per row, all zero between launches. */
spmv_status plan(void **out, spmv__gpu *gpu, const spmv_gpu_matrix *A, const spmv_kernel_options *,
                 spmv_error *err)
{
    const int64_t bytes = A->shape.head.rows * (int64_t)sizeof(c128);
    spmv_status st = SPMV_SUCCESS;
    void *sums = NULL;

    SPMV__TRY(spmv__gpu_alloc(&sums, bytes, "the sums of the rows", err));
    SPMV__TRY(spmv__gpu_clear(gpu, sums, bytes, err));
    *out = sums;
    sums = NULL;
done:
    spmv__gpu_free(sums);
    return st;
}

spmv_status launch(const spmv__launch *run, spmv_error *err)
{
    const spmv_coo *A = &run->A->shape.coo;
    const int block = run->options->block_size;
    const cudaStream_t stream = run->stream;
    const int64_t threads = (A->nnz + WARP * BATCH - 1) / (WARP * BATCH) * WARP;
    by_types(run, [&](auto k) {
        using K = decltype(k);
        using T = typename K::T;
        typename K::S *sums = (typename K::S *)run->plan;
        by_index(run->A, [&](auto i) {
            using I = decltype(i);
            if (threads > 0)
                launch_kernel(coo_atomic<K, I>, blocks_for(threads, block), block, 0, stream,
                              A->nnz, (const I *)A->row_idx, (const I *)A->col_idx,
                              (const typename K::V *)A->val, (const T *)run->x, sums);
        });
        launch_kernel(finish_rows<K>, blocks_for(A->rows, block), block, 0, stream, A->rows, sums,
                      factor<K>(run->alpha), factor<K>(run->beta), (T *)run->y);
    });
    return check_launch("coo-atomic", err);
}

} // namespace

extern "C" const spmv__gpu_kernel spmv__coo_atomic_kernel = {plan,  spmv__gpu_free, launch, BLOCK,
                                                             BLOCK, NULL,           NULL,   false};
