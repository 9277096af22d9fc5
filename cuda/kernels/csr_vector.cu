/* csr_vector.cu -- CSR, a warp or a power-of-two part of one per row.
 *
 * Idea     the lanes of a group (row_lanes.c) read their row together, WIDTH consecutive entries
 *          each in one wide load and one or two of those before the first is used, then add their
 *          sums with shuffles.  A row starts anywhere, so that the first load begins at the
 *          boundary before it and masks what belongs to the row above.  What rows share at their
 *          boundary is loaded by both, and so not marked as passing by once.  Where no row takes
 *          more than a load per lane, and with all but large matrices, a launch reads the first of
 *          them before the kernel before has ended
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

/* Whether numbers wider than a double take part. */
template <class K>
constexpr bool IS_WIDE = sizeof(typename K::V) > 8 || sizeof(typename K::T) > 8;

/* EARLY: the first loads of a matrix do not wait for the kernel before, only those of x do.
 * BATCH: loads in flight per lane; twice as much code takes longer than the loads that it saves
 * where complex numbers come from a cache, and numbers wider than a double leave registers for one
 * only. */
template <bool EARLY, class K>
constexpr int BATCH = IS_WIDE<K> || (EARLY && sizeof(typename K::S) > 8) ? 1 : SPMV__BATCH_REAL;

/* Of a thread.  With 32 a multiprocessor has room for all of its threads, and what waits is as many
 * loads of x as there can be: two loads that are held while the kernel before ends need 40,
 * complex numbers 48. */
template <int N, bool EARLY, class K>
constexpr int REGISTERS = sizeof(typename K::S) > 8 ? 48
                          : N == 2 && EARLY         ? 40
                                                    : 32;

/* Two batches begin early where the matrix has so many bytes at most: beyond, other warps would do
 * more with their registers, the sooner the shorter the rows are. */
constexpr int64_t EARLY_MOST = 1 << 26, EARLY_MOST_SHORT = 1 << 24;
constexpr int64_t SHORT_ROW = 8;

template <int N, bool EARLY, int LANES, class K, class I>
__global__ void AT_MOST_REGISTERS((REGISTERS<N, EARLY, K>))
    csr_vector(int64_t rows, const I *__restrict__ row_ptr, const int32_t *__restrict__ col_idx,
               const typename K::V *__restrict__ val, typename K::S alpha, const typename K::T *x,
               typename K::S beta, typename K::T *__restrict__ y, l2_lines lines)
{
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

/* `in_one`: a load per lane is all of a row. */
template <int LANES, class K, class I>
void enqueue_as(const spmv__launch *run, bool in_one)
{
    const spmv_csr *A = &run->A->shape.csr;
    const int block = run->options->block_size;
    const bytes_read bytes = bytes_read_by<K, I>(A);
    const auto begin = [&](auto *kernel) {
        launch_dependent(!K::READONLY && !run->A->awaited, kernel,
                         blocks_for(A->rows * LANES, block), block, 0, run->stream, A->rows,
                         (const I *)A->row_ptr, A->col_idx, (const typename K::V *)A->val,
                         factor<K>(run->alpha), (const typename K::T *)run->x, factor<K>(run->beta),
                         (typename K::T *)run->y, lines_ahead(bytes));
    };
    if constexpr (!K::READONLY && sizeof(I) == sizeof(int32_t)) {
        const bool is_short = A->nnz < A->rows * SHORT_ROW;
        if (in_one) return begin(csr_vector<1, true, LANES, K, I>);
        if (bytes.sum() <= (is_short ? EARLY_MOST_SHORT : EARLY_MOST))
            return begin(csr_vector<BATCH<true, K>, true, LANES, K, I>);
    }
    begin(csr_vector<BATCH<false, K>, false, LANES, K, I>);
}

template <int LANES>
void enqueue(const spmv__launch *run, bool in_one)
{
    by_kind(run, [&](auto k) {
        by_index(run->A, [&](auto i) { enqueue_as<LANES, decltype(k), decltype(i)>(run, in_one); });
    });
}

/* By the logarithm of how many lanes a row has. */
constexpr void (*for_lanes[])(const spmv__launch *, bool) = {nullptr,    enqueue<2>,  enqueue<4>,
                                                             enqueue<8>, enqueue<16>, enqueue<32>};

spmv_status launch(const spmv__launch *run, spmv_error *err)
{
    const spmv_head *A = &run->A->shape.head;
    const int64_t loads = run->A->loads;
    int batch = SPMV__BATCH_REAL, lanes = spmv__row_lanes(A->rows, A->nnz, loads, 1);
    const bool in_one = loads <= lanes;
    by_kind(run, [&](auto k) { batch = BATCH<true, decltype(k)>; });
    if (!in_one) lanes = spmv__row_lanes(A->rows, A->nnz, loads, batch);
    for_lanes[__builtin_ctz((unsigned)lanes)](run, in_one);
    return check_launch("csr-vector", err);
}

} // namespace

extern "C" const spmv__gpu_kernel spmv__csr_vector_kernel = {NULL,        NULL, launch, BLOCK,
                                                             LARGE_BLOCK, NULL, NULL,   true};
