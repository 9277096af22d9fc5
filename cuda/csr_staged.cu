/* csr_staged.cu -- CSR by tiles of the merge path, with x staged in shared memory.
 *
 * Idea     a multiprocessor takes one element of x after the other from scattered places: a cache
 *          line for each.  Here x is read once, front to back, in panels that fit into shared
 *          memory; what a block of rows wants of a panel is gathered there and written together.
 *          A block then loads all its elements of x in long runs into shared memory, each only once
 *          however many entries want it, and multiplies with 2 bytes for a column
 * Good at  large matrices whose columns lie everywhere: graphs, random and hypersparse matrices
 * Bad at   small matrices, where it is two launches and a barrier; matrices whose columns are
 *          neighbours anyway; a few multiplications, as its plan sorts the entries
 * Traffic  per nonzero: value + 2 bytes; per far slot: 2 bytes of code and 3 elements of x; per row
 *          one offset and one of y; x once
 * Result   deterministic
 * Source   Beamer, Asanovic and Patterson, "Reducing PageRank communication via propagation
 *          blocking", IPDPS 2017; staging: Hidayetoglu et al., "MemXCT", SC 2019 */
#include "csr_staged.cuh"
#include "merge_tile.cuh"

#include <cuda_pipeline.h>

using namespace spmv;

extern "C" const spmv__gpu_kernel spmv__csr_merge_kernel;

namespace
{

constexpr int BLOCK = 1024;
constexpr int BATCH = 2; /* of what a thread gathers at once */

/* As many codes as go with 16 bytes of elements. */
template <class T>
struct alignas(2 * (16 / sizeof(T))) codes {
    uint16_t at[16 / sizeof(T)];
};
template <class T>
struct alignas(16) elements {
    T at[16 / sizeof(T)];
};

/* Far group g, in the order of panels, goes to where the block that wants it will look. */
template <class T>
struct gather_job {
    int64_t cols, panels, blocks, groups;
    int panel;
    const int32_t *__restrict__ first_of_panel;
    const uint16_t *__restrict__ code;
    const int32_t *__restrict__ place;
    const T *__restrict__ x;
    T *__restrict__ gathered;
};

/* Groups [begin, end), whose panel is staged. */
template <class T>
__device__ inline void gather_groups(const gather_job<T> &job, const T *staged, int64_t begin,
                                     int64_t end)
{
    constexpr int PER = 16 / (int)sizeof(T), PARTS = GROUP / PER;
    for (int64_t i = begin * PARTS + threadIdx.x; i < end * PARTS; i += BATCH * blockDim.x) {
        codes<T> code[BATCH];
        int32_t place[BATCH];
#pragma unroll
        for (int u = 0; u < BATCH; u++) {
            const int64_t k = i + u * blockDim.x;
            if (k >= end * PARTS) break;
            code[u] = ((const codes<T> *)job.code)[k];
            place[u] = load_once(job.place + k / PARTS);
        }
#pragma unroll
        for (int u = 0; u < BATCH; u++) {
            const int64_t k = i + u * blockDim.x;
            if (k >= end * PARTS) break;
            elements<T> e;
#pragma unroll
            for (int j = 0; j < PER; j++) e.at[j] = staged[code[u].at[j]];
            ((elements<T> *)job.gathered)[(int64_t)place[u] * PARTS + k % PARTS] = e;
        }
    }
}

/* Every block takes an equal share of the groups, panel after panel. */
template <class T>
__global__ void __launch_bounds__(BLOCK) gather_panels(gather_job<T> job)
{
    T *staged = (T *)dynamic_shared_pairs;
    int64_t g = job.groups * blockIdx.x / gridDim.x;
    const int64_t end = job.groups * (blockIdx.x + 1) / gridDim.x;
    const auto first = [&](int64_t p) { return (int64_t)job.first_of_panel[p * job.blocks]; };
    int64_t low = 0, high = job.panels; /* first(low) <= g < first(high) */
    while (high - low > 1) {
        const int64_t middle = (low + high) / 2;
        (first(middle) <= g ? low : high) = middle;
    }
    for (int64_t p = low; g < end; p++) {
        const int64_t stop = min(end, first(p + 1)), begin = p * job.panel;
        if (stop == g) continue;
        for (int64_t i = threadIdx.x; i < min((int64_t)job.panel, job.cols - begin);
             i += blockDim.x)
            __pipeline_memcpy_async(staged + i, job.x + begin + i, sizeof(T));
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        gather_groups(job, staged, g, stop);
        g = stop;
        __syncthreads();
    }
}

/* The slots of a block. */
template <class T>
__device__ inline void stage(T *staged, staged_block from, staged_block to,
                             const int32_t *__restrict__ near_col, const T *__restrict__ x,
                             const T *__restrict__ gathered)
{
    const int near = (int)(to.near - from.near) * GROUP, far = (int)(to.far - from.far) * GROUP;
#pragma unroll 4
    for (int i = threadIdx.x; i < near; i += blockDim.x)
        staged[i] = x[load_once(near_col + from.near * GROUP + i)];
    const wide<T> *found = (const wide<T> *)(gathered + from.far * GROUP);
#pragma unroll 4
    for (int i = threadIdx.x; i < far / WIDTH; i += blockDim.x)
        ((wide<T> *)(staged + near))[i] = load_wide<true>((const T *)(found + i));
}

template <class K, class S = typename K::S>
__global__ void __launch_bounds__(BLOCK)
    csr_staged(staged_plan plan, const merge_tile<int32_t> *__restrict__ tile,
               operand<K, int32_t, uint16_t> A, S alpha, S beta, typename K::T *__restrict__ y,
               S *pieces, merge_long_row *long_rows)
{
    using T = typename K::T;
    T *staged = (T *)dynamic_shared_pairs;
    const int warp = (int)threadIdx.x / WARP, warps = (int)blockDim.x / WARP;
    merge_marks &marks = ((merge_marks *)(staged + plan.slots))[warp];
    const staged_block from = plan.block[blockIdx.x], to = plan.block[blockIdx.x + 1];

    stage(staged, from, to, plan.near_col, A.x, (const T *)plan.gathered);
    __syncthreads();
    A.x = staged;
    for (int64_t t = from.tile + warp; t < to.tile; t += warps) {
        const merge_tile<int32_t> mine = tile[t], next = tile[t + 1];
        if (mine.row < 0)
            finish_piece(pieces, t, sum_piece(A, mine.p, next.p), long_rows + ~mine.row, alpha,
                         beta, y);
        else
            sum_rows(A, mine, next.p, end_row(next, long_rows) - mine.row, marks,
                     [&](int i, S sum) { finish(y, mine.row + i, alpha, sum, beta); });
    }
}

template <class T>
spmv_status gather(const spmv__launch *run, const staged_plan *plan, spmv_error *err)
{
    const gather_job<T> job = {
        run->A->shape.csr.cols, plan->panels, plan->blocks, plan->far,         plan->panel,
        plan->first_of_panel,   plan->code,   plan->place,  (const T *)run->x, (T *)plan->gathered};
    const int bytes = plan->panel * (int)sizeof(T);
    int multiprocessors = 0;
    spmv_status st;

    SPMV__TRY(device_has(cudaDevAttrMultiProcessorCount, &multiprocessors, err));
    SPMV__TRY(allow_shared(gather_panels<T>, bytes, "a panel of x", err));
    start(gather_panels<T>, (unsigned)multiprocessors, run->config->block_size, bytes,
          (cudaStream_t)run->stream, job);
    st = check_launch("csr-staged", err);
done:
    return st;
}

template <class K>
spmv_status enqueue(const spmv__launch *run, const staged_plan *plan, spmv_error *err)
{
    using T = typename K::T;
    using S = typename K::S;
    const spmv_csr *A = &run->A->shape.csr;
    const operand<K, int32_t, uint16_t> device = {(const int32_t *)A->row_ptr, plan->slot,
                                                  (const typename K::V *)A->val, (const T *)run->x};
    const int block = run->config->block_size;
    const int bytes = plan->slots * (int)sizeof(T) + block / WARP * (int)sizeof(merge_marks);
    spmv_status st;

    if (plan->far > 0) SPMV__TRY(gather<T>(run, plan, err));
    SPMV__TRY(allow_shared(csr_staged<K>, bytes, "x in shared memory", err));
    start(csr_staged<K>, (unsigned)plan->blocks, block, bytes, (cudaStream_t)run->stream, *plan,
          (const merge_tile<int32_t> *)plan->merge->tile, device, factor<K>(run->alpha),
          factor<K>(run->beta), (T *)run->y, (S *)plan->merge->sums, plan->merge->long_row);
    st = check_launch("csr-staged", err);
done:
    return st;
}

/* What was not planned for goes by csr-merge, of which the plan is a part. */
spmv_status launch(const spmv__launch *run, spmv_error *err)
{
    const staged_plan *plan = (const staged_plan *)run->plan;
    if ((int)spmv_type_size(run->vector_type) > plan->number) {
        spmv__launch merge = *run;
        merge.plan = plan->merge;
        return spmv__csr_merge_kernel.launch(&merge, err);
    }
    spmv_status st = SPMV_SUCCESS;
    by_kind(run, [&](auto k) { st = enqueue<decltype(k)>(run, plan, err); });
    return st;
}

} // namespace

extern "C" const spmv__gpu_kernel spmv__csr_staged_kernel = {
    staged_plan_create, staged_plan_destroy, launch, BLOCK, NULL};
