/* csr_vector.cu -- CSR, a warp or a power-of-two part of one per row.
 *
 * Idea     the lanes of a group (row_lanes.c) read their row together, WIDTH consecutive entries
 *          each in one wide load and one or two of those before the first is used, then add their
 *          sums with shuffles.  A row starts anywhere, so that the first load begins at the
 *          boundary before it and masks what belongs to the row above.  What rows share at their
 *          boundary is loaded by both, and so not marked as passing by once.  With a small matrix
 *          a launch reads all but x before the kernel before has ended
 * Good at  rows of similar length, from a few entries to many thousands
 * Bad at   a few enormous rows (one group each) and many empty ones
 * Traffic  per nonzero: value + 4 bytes of column + x; per row: one offset and one of y
 * Result   deterministic: the order of the sum depends only on how many rows there are and their
 *          mean and largest length
 * Source   Bell and Garland, SC 2009 (one warp per row) */
#include "cuda/device/prefetch.cuh"
#include "cuda/device/wide_loads.cuh"

using namespace spmv;

namespace
{

constexpr int BLOCK = 256;
constexpr int LARGE_BLOCK = 512; /* rows of a block find more of each other's x in the cache: some
                                    banded matrices take a sixth less time, others none more */

/* EARLY: all is asked for, and only what comes after the loads of a step waits for the kernel
 * before.  That suits what the caches hold; elsewhere the registers that it takes are missing for
 * other warps.
 * BATCH: loads in flight per lane; twice as much code takes longer than the loads that it saves
 * where complex numbers come from a cache, and numbers wider than a double leave registers for one
 * only. */
template <bool EARLY, class K>
constexpr int BATCH = sizeof(typename K::V) > 8 || sizeof(typename K::T) > 8 ||
                              (EARLY && sizeof(typename K::S) > 8)
                          ? 1
                          : SPMV__BATCH_REAL;

template <bool EARLY, int LANES, class K, class I>
__global__ void __launch_bounds__(1024)
    csr_vector(int64_t rows, const I *__restrict__ row_ptr, const int32_t *__restrict__ col_idx,
               const typename K::V *__restrict__ val, typename K::S alpha, const typename K::T *x,
               typename K::S beta, typename K::T *__restrict__ y, l2_lines lines)
{
    constexpr int N = BATCH<EARLY, K>;
    const int lane = (int)(threadIdx.x % LANES);
    const int64_t r = global_thread() / LANES;
    pdl_trigger();
    const I begin = r < rows ? row_ptr[r] : 0, end = r < rows ? row_ptr[r + 1] : 0;
    if (EARLY)
        prefetch_l2(lines, row_ptr, col_idx, val, x);
    else
        pdl_wait();
    typename K::S sum = {};
    for (I p = begin / WIDTH * WIDTH + lane * WIDTH; p < end; p += N * LANES * WIDTH) {
        wide<int32_t> c[N] = {};
        wide<typename K::V> v[N] = {};
#pragma unroll
        for (int u = 0; u < N; u++)
            if (p + u * LANES * WIDTH < end) {
                c[u] = load_wide<false>(col_idx + p + u * LANES * WIDTH);
                v[u] = load_wide<false>(val + p + u * LANES * WIDTH);
            }
        if (EARLY) pdl_wait();
#pragma unroll
        for (int u = 0; u < N; u++)
#pragma unroll
            for (int w = 0; w < WIDTH; w++) {
                const I q = p + u * LANES * WIDTH + w;
                if (q >= begin && q < end) sum += widen(v[u].at[w]) * load_x<K>(x, c[u].at[w]);
            }
    }
    if (EARLY) pdl_wait();
    sum = sum_lanes(sum, LANES);
    if (lane == 0 && r < rows) finish(y, r, alpha, sum, beta);
}

template <int LANES>
void enqueue(const spmv__launch *run)
{
    const spmv_csr *A = &run->A->shape.csr;
    const int block = run->options->block_size;
    by_kind(run, [&](auto k) {
        by_index(run->A, [&](auto i) {
            using K = decltype(k);
            using I = decltype(i);
            const l2_lines lines = lines_ahead<K, I>(A);
            const auto begin = [&](auto *kernel) {
                launch_dependent(!K::READONLY && !run->A->awaited, kernel,
                                 blocks_for(A->rows * LANES, block), block, 0, run->stream, A->rows,
                                 (const I *)A->row_ptr, A->col_idx, (const typename K::V *)A->val,
                                 factor<K>(run->alpha), (const typename K::T *)run->x,
                                 factor<K>(run->beta), (typename K::T *)run->y, lines);
            };
            if constexpr (!K::READONLY && sizeof(I) == sizeof(int32_t))
                if (lines.any()) return begin(csr_vector<true, LANES, K, I>);
            begin(csr_vector<false, LANES, K, I>);
        });
    });
}

/* By the logarithm of how many lanes a row has. */
constexpr void (*for_lanes[])(const spmv__launch *) = {nullptr,    enqueue<2>,  enqueue<4>,
                                                       enqueue<8>, enqueue<16>, enqueue<32>};

spmv_status launch(const spmv__launch *run, spmv_error *err)
{
    const spmv_head *A = &run->A->shape.head;
    int batch = SPMV__BATCH_REAL;
    by_kind(run, [&](auto k) { batch = BATCH<true, decltype(k)>; });
    for_lanes[__builtin_ctz((unsigned)spmv__row_lanes(A->rows, A->nnz, run->A->loads, batch))](run);
    return check_launch("csr-vector", err);
}

} // namespace

extern "C" const spmv__gpu_kernel spmv__csr_vector_kernel = {NULL,        NULL, launch, BLOCK,
                                                             LARGE_BLOCK, NULL, NULL,   true};
