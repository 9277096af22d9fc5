/* csr_split.cu -- CSR, most rows in compressed slices, those that are far longer apart.
 *
 * Idea     a slice takes as long as its longest row, and has padding for it in all others, so that
 *          a few enormous rows spoil what csell would do for a matrix.  Here they stay in CSR:
 *          first csell multiplies all other rows, then blocks take pieces of the long ones, and
 *          who comes last of a row adds up what they have of it
 * Good at  stencils, bands, finite elements and circuits with some rows, or very many entries, more
 * Bad at   columns everywhere in x; lengths that vary all over: what slices would pad too much goes
 *          by csr-merge
 * Traffic  as csell for the rest; per nonzero of a long row: value, 4 bytes and x
 * Result   deterministic
 * Source   written for this project; the split by length is that of hybrid formats: Bell and
 *          Garland, SC 2009 */
#include "cuda/kernels/csr_split/csr_split.cuh"
#include "cuda/kernels/csell/csell_rows.cuh"
#include "cuda/kernels/csr_merge/last_piece.cuh"

using namespace spmv;

extern "C" const spmv__gpu_kernel spmv__csell_kernel;

namespace
{

constexpr int BLOCK = 256; /* for a piece of a long row */
constexpr int AT_ONCE = 8; /* entries that a lane loads together */

/* A matrix in CSR on the device. */
template <class V>
struct compressed_rows {
    const int32_t *row_ptr;
    const int32_t *col_idx;
    const V *val;
};

/* Adds up entries p, p + BLOCK and so on of a row, up to `end`. */
template <class K>
__device__ inline typename K::S add_entries(const compressed_rows<typename K::V> &A, int32_t p,
                                            int32_t end, const typename K::T *x)
{
    typename K::S sum = {};
    for (; p < end; p += BLOCK * AT_ONCE) {
        int32_t col[AT_ONCE];
        typename K::V val[AT_ONCE] = {};
#pragma unroll
        for (int u = 0; u < AT_ONCE; u++) {
            const bool is_there = u * BLOCK < end - p;
            col[u] = is_there ? load_streaming(A.col_idx + p + u * BLOCK) : -1;
            if constexpr (!std::is_empty_v<typename K::V>)
                if (is_there) val[u] = load_streaming(A.val + p + u * BLOCK);
        }
#pragma unroll
        for (int u = 0; u < AT_ONCE; u++)
            if (col[u] >= 0) sum += widen(val[u]) * load_x<K>(x, col[u]);
    }
    return sum;
}

/* Returns the sum of what all threads of a block have, in all lanes of its first warp. */
template <class S>
__device__ inline S sum_block(S sum)
{
    __shared__ S warps[BLOCK / WARP];
    sum = sum_lanes(sum, WARP);
    if (lane_id() == 0) warps[threadIdx.x / WARP] = sum;
    __syncthreads();
    sum = lane_id() < BLOCK / WARP ? warps[lane_id()] : S();
    return broadcast(sum_lanes(sum, WARP), 0);
}

/* Keeps what y is in the long rows, before csell writes something else there. */
template <class T>
__global__ void __launch_bounds__(BLOCK) keep_long_rows(split_plan plan, const T *y)
{
    pdl_trigger();
    const int64_t n = global_thread();
    pdl_wait();
    if (n < plan.long_rows) ((T *)plan.before)[n] = y[plan.row[n].row];
}

/* Multiplies the long rows, a piece by each block. */
template <class K, class S = typename K::S>
__global__ void __launch_bounds__(BLOCK)
    multiply_long_rows(split_plan plan, compressed_rows<typename K::V> A, const typename K::T *x,
                       S alpha, S beta, typename K::T *__restrict__ y)
{
    pdl_trigger();
    const int64_t piece = blockIdx.x;
    merge_long_row *row = plan.row + last_where(plan.long_rows, [&](int64_t k) {
                              return plan.row[k].first <= piece;
                          });
    const int32_t first = A.row_ptr[row->row] + (int32_t)(piece - row->first) * plan.piece;
    const int32_t left = A.row_ptr[row->row + 1] - first;
    S *sums = (S *)plan.sums;

    pdl_wait();
    S sum = sum_block(
        add_entries<K>(A, first + (int32_t)threadIdx.x, first + min(left, plan.piece), x));
    if (threadIdx.x >= WARP) return;
    const auto kept = [&](int64_t i) { return sums + row->first + i; };
    if (!sum_pieces(row, row->last - row->first + 1, kept, sums + piece, sum)) return;
    const auto *before = (const typename K::T *)plan.before + (row - plan.row);
    store(y + row->row, result(alpha, sum, beta, before));
}

template <class K>
void enqueue_keeping(const spmv__launch *run, const split_plan *plan)
{
    using T = typename K::T;
    launch_dependent(true, keep_long_rows<T>, blocks_for(plan->long_rows, BLOCK), BLOCK, 0,
                     run->stream, *plan, (const T *)run->y);
}

template <class K>
void enqueue(const spmv__launch *run, const split_plan *plan)
{
    using V = typename K::V;
    const spmv_csr *A = &run->A->shape.csr;
    const compressed_rows<V> rows = {(const int32_t *)A->row_ptr, A->col_idx, (const V *)A->val};
    launch_dependent(true, multiply_long_rows<K>, (unsigned)plan->pieces, BLOCK, 0, run->stream,
                     *plan, rows, (const typename K::T *)run->x, factor<K>(run->alpha),
                     factor<K>(run->beta), (typename K::T *)run->y);
}

const char *fallback(const void *plan, spmv_type)
{
    return ((const split_plan *)plan)->merge == NULL ? NULL : CSR_MERGE;
}

spmv_status launch(const spmv__launch *run, spmv_error *err)
{
    const split_plan *plan = (const split_plan *)run->plan;
    spmv__launch rest = *run;
    spmv_status st;

    if (plan->merge != NULL) return merge_launch(run, plan->merge, err);
    rest.A = plan->rest;
    rest.plan = plan->rest_plan;
    if (plan->pieces > 0 && (run->beta.re != 0 || run->beta.im != 0))
        by_types(run, [&](auto k) { enqueue_keeping<decltype(k)>(run, plan); });
    SPMV__TRY(spmv__csell_kernel.launch(&rest, err));
    if (plan->pieces > 0) by_types(run, [&](auto k) { enqueue<decltype(k)>(run, plan); });
    st = check_launch("csr-split", err);
done:
    return st;
}

} // namespace

extern "C" const spmv__gpu_kernel spmv__csr_split_kernel = {split_plan_create,
                                                            split_plan_destroy,
                                                            launch,
                                                            CSELL_THREADS,
                                                            CSELL_THREADS,
                                                            NULL,
                                                            fallback,
                                                            false};
