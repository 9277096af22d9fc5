/* csr_staged.cu -- CSR as sliced ELLPACK, with x staged in shared memory.
 *
 * Idea     a multiprocessor takes one element of x after the other from scattered places: a cache
 *          line for each.  Here x is read once, front to back, in panels that fit into shared
 *          memory; what a block of rows wants of a panel is gathered there and written together.
 *          A block then loads all its elements of x in long runs into shared memory, each only once
 *          however many entries want it, and multiplies with 2 bytes for a column.  Its rows are
 *          sorted by length and put into slices, a long one into up to 32 lanes: little is left
 *          that is not loading and multiplying
 * Good at  large matrices whose columns lie everywhere: graphs, random and hypersparse matrices
 * Bad at   small matrices, where it is two launches and a barrier; matrices whose columns are
 *          neighbours anyway; a few multiplications, as its plan takes some tens of them; memory
 *          for a second copy of the values
 * Traffic  per nonzero: value + 2 bytes; per far slot: 2.5 bytes and 2 elements of x; per
 *          near slot 1.5 bytes and an element, from the cache for columns that many blocks want;
 *          per row that is not empty 4 bytes, and one of y; x once
 * Result   deterministic
 * Source   Beamer, Asanovic and Patterson, "Reducing PageRank communication via propagation
 *          blocking", IPDPS 2017; staging: Hidayetoglu et al., "MemXCT", SC 2019 */
#include "cuda/kernels/csr_staged/csr_staged.cuh"
#include "cuda/kernels/csr_merge/last_piece.cuh"
#include "cuda/device/panel.cuh"
#include "cuda/device/slice_sum.cuh"

using namespace spmv;

namespace
{

constexpr int BLOCK = 1024;
constexpr int AHEAD = 8; /* columns of near slots that a thread loads at once */

/* Holds as many codes as go with 16 bytes of elements. */
template <class T>
struct alignas(2 * (16 / sizeof(T))) codes {
    uint16_t at[16 / sizeof(T)];
};
template <class T>
constexpr int BATCH = 16 / sizeof(codes<T>); /* of these that a thread loads at once */
template <class T>
struct alignas(16) elements {
    T at[16 / sizeof(T)];
};

/* Brings the hubs together, for all blocks. */
template <class T>
__global__ void gather_hubs(int64_t n, const int32_t *__restrict__ hub, const T *__restrict__ x,
                            T *__restrict__ hub_x)
{
    pdl_trigger();
    const int64_t i = global_thread();
    if (i < n) hub_x[i] = x[hub[i]];
}

/* Far group g, in the order of panels, goes to where the block that wants it will look. */
template <class T>
struct gather_job {
    int64_t cols, panels, blocks, groups, hubs, hub_numbers;
    int panel;
    const T *hub_x;
    const int32_t *__restrict__ first_of_panel;
    const uint16_t *__restrict__ code;
    const int32_t *__restrict__ place;
    const T *__restrict__ x;
    T *__restrict__ gathered;
};

/* Begin to copy the panel of numbers from `begin` on. */
template <class T>
__device__ inline void stage_numbers(T *staged, const gather_job<T> &job, int64_t begin)
{
    const int64_t column = begin - job.hub_numbers;
    if (column < 0)
        stage_panel(staged, job.hub_x + begin, min((int64_t)job.panel, job.hubs - begin));
    else
        stage_panel(staged, job.x + column, min((int64_t)job.panel, job.cols - column));
}

/* Groups [begin, end), whose panel is staged. */
template <class T>
__device__ inline void gather_groups(const gather_job<T> &job, const T *staged, int64_t begin,
                                     int64_t end)
{
    constexpr int PER = 16 / (int)sizeof(T), LOADS = GROUP / PER;
    for (int64_t i = begin * LOADS + threadIdx.x; i < end * LOADS; i += BATCH<T> * blockDim.x) {
        codes<T> code[BATCH<T>] = {};
        int32_t place[BATCH<T>] = {};
#pragma unroll
        for (int u = 0; u < BATCH<T>; u++) {
            const int64_t k = i + u * blockDim.x;
            if (k >= end * LOADS) break;
            code[u] = ((const codes<T> *)job.code)[k];
            place[u] = load_streaming(job.place + k / LOADS);
        }
#pragma unroll
        for (int u = 0; u < BATCH<T>; u++) {
            const int64_t k = i + u * blockDim.x;
            if (k >= end * LOADS) break;
            elements<T> e;
#pragma unroll
            for (int j = 0; j < PER; j++) e.at[j] = staged[code[u].at[j]];
            ((elements<T> *)job.gathered)[(int64_t)place[u] * LOADS + k % LOADS] = e;
        }
    }
}

/* Every block takes an equal share of the groups, panel after panel. */
template <class T>
__global__ void __launch_bounds__(BLOCK, 1) gather_panels(gather_job<T> job)
{
    pdl_trigger();
    T *staged = (T *)dynamic_shared_pairs;
    if (job.hubs > 0) pdl_wait();
    int64_t g = job.groups * blockIdx.x / gridDim.x;
    const int64_t end = job.groups * (blockIdx.x + 1) / gridDim.x;
    const auto first = [&](int64_t p) { return (int64_t)job.first_of_panel[p * job.blocks]; };
    int64_t p = last_where(job.panels, [&](int64_t k) { return first(k) <= g; });
    for (; g < end; p++) {
        const int64_t stop = min(end, first(p + 1));
        if (stop == g) continue;
        stage_numbers(staged, job, p * job.panel);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        gather_groups(job, staged, g, stop);
        g = stop;
        __syncthreads();
    }
}

/* Begin to copy `near` slots of a block, whose columns are given, from x. */
template <class T>
__device__ inline void stage_near(T *staged, int near, const int32_t *__restrict__ first,
                                  const uint8_t *__restrict__ step, const T *x)
{
    for (int i = threadIdx.x; i < near; i += AHEAD * blockDim.x) {
        int32_t c[AHEAD];
#pragma unroll
        for (int u = 0; u < AHEAD; u++) {
            const int k = i + u * blockDim.x;
            c[u] = k < near ? load_streaming(first + k / GROUP) + load_streaming(step + k) : -1;
        }
#pragma unroll
        for (int u = 0; u < AHEAD; u++)
            if (c[u] >= 0)
                __pipeline_memcpy_async(staged + i + u * blockDim.x, x + c[u], sizeof(T));
    }
}

/* Begin to copy `far` slots, which the pass before has gathered. */
template <class T>
__device__ inline void stage_far(T *staged, int far, const T *__restrict__ gathered)
{
    constexpr int PER = 16 / (int)sizeof(T);
    pdl_wait();
    for (int i = threadIdx.x * PER; i < far; i += blockDim.x * PER)
        __pipeline_memcpy_async(staged + i, gathered + i, 16);
}

/* The slots of one row of a slice. */
template <class T>
struct column_reader {
    static constexpr int STEPS = 8;
    const uint16_t *slot;
    const T *staged;
    uint16_t batch[STEPS];

    template <int N>
    __device__ void load()
    {
#pragma unroll
        for (int u = 0; u < N; u++) batch[u] = load_streaming(slot + WARP * u);
    }
    __device__ T x(int u, int) const
    {
        return staged[batch[u]];
    }
    template <int N>
    __device__ void next()
    {
        slot += WARP * N;
    }
};

/* Calls clear(row) for each row of [begin, end) whose bit is set, in a lane of the block. */
template <class F>
__device__ inline void clear_rows(const unsigned *__restrict__ bits, int64_t begin, int64_t end,
                                  F clear)
{
    const int lane = lane_id();
    for (int64_t w = begin / WARP + threadIdx.x - lane; w * WARP < end; w += blockDim.x) {
        const unsigned mine = (w + lane) * WARP < end ? bits[w + lane] : 0;
        for (unsigned left = __ballot_sync(ALL_LANES, mine != 0); left != 0;) {
            const int i = WARP - 1 - __clz((int)left);
            left ^= 1u << i;
            const int64_t r = (w + i) * WARP + lane;
            if ((__shfl_sync(ALL_LANES, mine, i) >> lane & 1) != 0 && r >= begin && r < end)
                clear(r);
        }
    }
}

/* Says where the lane begins in a slice, its row or piece, and the steps of all lanes. */
struct slice_head {
    int32_t row, steps;
    int64_t begin;
};
__device__ inline slice_head head_of(const staged_plan &plan, int64_t s)
{
    const int32_t begin = plan.slice_ptr[s], end = plan.slice_ptr[s + 1];
    return {load_streaming(plan.slice_row + s * WARP + lane_id()), end - begin,
            (int64_t)begin * WARP + lane_id()};
}

/* Returns the sum of all lanes that have the same row, in the first of them: they are a power of
 * two, and begin at a multiple of it. */
template <class S>
__device__ inline S sum_strand(int32_t row, S sum)
{
    int same = 1; /* lanes of the widest strand */
    while (same < WARP &&
           __any_sync(ALL_LANES, __shfl_xor_sync(ALL_LANES, row, same) == row && row != -1))
        same *= 2;
    for (int o = same / 2; o > 0; o /= 2) {
        const S other = shift_down(sum, o, WARP);
        if (__shfl_xor_sync(ALL_LANES, row, o) == row) sum += other;
    }
    return sum;
}

/* Lane 0 has the sum of piece number `piece` of all, one of those of a long row: leave it in the
 * workspace.  Whoever comes last finishes the row. */
template <class S, class T>
__device__ inline void finish_piece(S *sums, int64_t piece, S sum, merge_long_row *row, S alpha,
                                    S beta, T *y)
{
    const int64_t all = row->last - row->first + 1;
    const auto kept = [&](int64_t i) { return sums + row->piece + i; };
    const bool done = all > 1 ? sum_pieces(row, all, kept, sums + piece, sum) : lane_id() == 0;
    if (done) finish(y, row->row, alpha, sum, beta);
}

/* HUBS: some near slots are those of hubs; most matrices have none. */
template <class K, bool HUBS, class S = typename K::S>
__global__ void __launch_bounds__(BLOCK, 1)
    csr_staged(staged_plan plan, const typename K::T *__restrict__ x, S alpha, S beta,
               typename K::T *__restrict__ y, S *pieces)
{
    using T = typename K::T;
    T *staged = (T *)dynamic_shared_pairs;
    const int warp = (int)threadIdx.x / WARP, warps = (int)blockDim.x / WARP, lane = lane_id();
    const staged_block from = plan.block[blockIdx.x], to = plan.block[blockIdx.x + 1];
    const int near = (int)(to.near - from.near) * GROUP;
    const int hubs = HUBS ? (int)from.hubs * GROUP : 0;
    const int32_t *first = plan.near_first + from.near;
    const uint8_t *offset = plan.near_offset + from.near * GROUP;

    stage_near(staged + hubs, near - hubs, first + hubs / GROUP, offset + hubs, x);
    if (threadIdx.x == 0) staged[plan.slots] = {};
    slice_head next = head_of(plan, min(from.slice + warp, to.slice - 1));
    /* Where many rows are empty, to write all is faster than a look at each; sums follow. */
    if (is_zero(beta) && (int64_t)from.empty > (to.row - from.row) / 8)
        for (int64_t r = from.row + threadIdx.x; r < to.row; r += blockDim.x)
            finish(y, r, alpha, S(), beta);
    else
        clear_rows(plan.empty_row, from.row, to.row,
                   [&](int64_t r) { finish(y, r, alpha, S(), beta); });
    if (hubs > 0) {
        pdl_wait();
        stage_near(staged, hubs, first, offset, (const T *)plan.hub_x);
    }
    stage_far(staged + near, (int)(to.far - from.far) * GROUP,
              (const T *)plan.gathered + from.far * GROUP);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int64_t s = from.slice + warp; s < to.slice; s += warps) {
        const slice_head mine = next;
        next = head_of(plan, min(s + warps, to.slice - 1));
        S sum[1] = {};
        column_reader<T> columns = {plan.slice_slot + mine.begin, staged, {}};
        add_steps<K>(columns, (const typename K::V *)plan.slice_val + mine.begin, WARP, mine.steps,
                     sum);
        const S total = sum_strand(mine.row, sum[0]);
        if (__any_sync(ALL_LANES, mine.row < -1)) {
            const int32_t piece = -2 - mine.row;
            finish_piece(pieces, piece, total, plan.long_row + plan.piece_row[piece], alpha, beta,
                         y);
        } else if (__shfl_up_sync(ALL_LANES, mine.row, 1) != mine.row || lane == 0) {
            if (mine.row >= 0) finish(y, mine.row, alpha, total, beta);
        }
    }
}

template <class T>
spmv_status gather(const spmv__launch *run, const staged_plan *plan, spmv_error *err)
{
    const gather_job<T> job = {run->A->shape.csr.cols,
                               plan->panels,
                               plan->blocks,
                               plan->far,
                               plan->hubs,
                               plan->hub_numbers,
                               plan->panel,
                               (const T *)plan->hub_x,
                               plan->first_of_panel,
                               plan->code,
                               plan->place,
                               (const T *)run->x,
                               (T *)plan->gathered};
    const cudaStream_t stream = run->stream;
    const int bytes = plan->panel * (int)sizeof(T), block = run->options->block_size;
    spmv_status st;

    if (plan->hubs > 0)
        launch_kernel(gather_hubs<T>, blocks_for(plan->hubs, block), block, 0, stream, plan->hubs,
                      plan->hub, job.x, (T *)plan->hub_x);
    if (plan->far > 0) {
        SPMV__TRY(allow_shared(gather_panels<T>, bytes, "a panel of x", err));
        launch_dependent(plan->hubs > 0, gather_panels<T>, (unsigned)plan->at_once, block, bytes,
                         stream, job);
    }
    st = check_launch("csr-staged", err);
done:
    return st;
}

template <class K>
spmv_status enqueue(const spmv__launch *run, const staged_plan *plan, spmv_error *err)
{
    using T = typename K::T;
    using S = typename K::S;
    const int bytes = (plan->slots + 1) * (int)sizeof(T);
    spmv_status st;

    const auto kernel = plan->hubs > 0 ? csr_staged<K, true> : csr_staged<K, false>;
    SPMV__TRY(gather<T>(run, plan, err));
    SPMV__TRY(allow_shared(kernel, bytes, "x in shared memory", err));
    launch_dependent(plan->far > 0 || plan->hubs > 0, kernel, (unsigned)plan->blocks,
                     run->options->block_size, bytes, run->stream, *plan, (const T *)run->x,
                     factor<K>(run->alpha), factor<K>(run->beta), (T *)run->y, (S *)plan->sums);
    st = check_launch("csr-staged", err);
done:
    return st;
}

/* Vectors that were not planned for go by csr-merge, whose plan is a part of this one. */
const char *fallback(const void *plan, spmv_type vectors)
{
    return merge_instead(((const staged_plan *)plan)->x_size, vectors);
}

spmv_status launch(const spmv__launch *run, spmv_error *err)
{
    const staged_plan *plan = (const staged_plan *)run->plan;
    if (fallback(plan, run->vector_type) != NULL) return merge_launch(run, plan->merge, err);
    spmv_status st = SPMV_SUCCESS;
    by_types(run, [&](auto k) { st = enqueue<decltype(k)>(run, plan, err); });
    return st;
}

} // namespace

extern "C" const spmv__gpu_kernel spmv__csr_staged_kernel = {
    staged_plan_create, staged_plan_destroy, launch, BLOCK, BLOCK, NULL, fallback, false};
