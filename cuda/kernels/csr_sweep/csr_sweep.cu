/* csr_sweep.cu -- CSR, entries in the order of their columns, with the sums in shared memory.
 *
 * Idea     row by row, every entry of a scattered matrix asks for a sector of x of its own.  Here a
 *          block holds the sums of thousands of rows in shared memory and takes their entries
 *          column after column: neighbouring threads want neighbouring elements of x, and all
 *          multiprocessors go over x at about the same time.  The threads of a block add up a batch
 *          of entries without atomics, as no two of them have the same slot, and wait for each
 *          other before the next.  Values and x are loaded some batches ahead
 * Good at  large matrices whose columns lie everywhere: graphs, random and hypersparse matrices
 * Bad at   small matrices; columns that csell says in fewer bytes; a few multiplications, as its
 *          plan takes some ten of them; memory for a second copy of the matrix
 * Traffic  per nonzero: value + 4 bytes; a sector of x for those entries of a block that lie in it;
 *          per row that is not empty 2 bytes; per 32 rows 8; y
 * Result   deterministic
 * Source   written for this project; column order within blocks of rows is that of compressed
 *          sparse blocks: Buluc et al., SPAA 2009 */
#include "cuda/kernels/csr_sweep/csr_sweep.cuh"
#include "cuda/kernels/csr_merge/last_piece.cuh"
#include "cuda/device/wide_loads.cuh"

using namespace spmv;

namespace
{

constexpr int BLOCK = 1024;
constexpr int AT_ONCE = 8; /* words of rows, or extra slots, that a thread loads together */
constexpr int FEW = 16;    /* extra slots that one thread adds up */

/* Where a thread has its entries of a group: slots and columns. */
struct places {
    wide<uint32_t, SWEEP_GROUP> word;
    wide<int32_t, SWEEP_GROUP> page;

    __device__ void load(const sweep_plan &plan, int64_t group)
    {
        const int64_t at = group * blockDim.x + threadIdx.x;
        word = load_wide<true, SWEEP_GROUP>(plan.word + at * SWEEP_GROUP);
        page = load_wide<false, SWEEP_GROUP>(plan.page + at / WARP * SWEEP_GROUP);
    }
    /* Two slots, those of entries u and u + 1. */
    __device__ uint32_t slots(int u) const
    {
        return word.at[u] >> 16 | (word.at[u + 1] & 0xffff0000u);
    }
};

/* What a thread multiplies of a group. */
template <class K>
struct factors {
    using V = typename K::V;
    static constexpr int EACH = sweep_values<V>(), CHUNKS = SWEEP_GROUP / EACH;
    wide<V, EACH> val[CHUNKS];
    typename K::T x[SWEEP_GROUP];

    __device__ void load_values(const sweep_plan &plan, int64_t group)
    {
        const int64_t threads = blockDim.x, t = threadIdx.x;
#pragma unroll
        for (int i = 0; i < CHUNKS; i++)
            val[i] = load_wide<true, EACH>((const V *)plan.val +
                                           ((group * CHUNKS + i) * threads + t) * EACH);
    }
    __device__ void load_x(const typename K::T *all, const places &of)
    {
#pragma unroll
        for (int u = 0; u < SWEEP_GROUP; u++)
            x[u] = fetch<K>(all + of.page.at[u] + (of.word.at[u] & (SWEEP_PAGE - 1)));
    }
    __device__ typename K::S product(int u) const
    {
        return widen(val[u / EACH].at[u % EACH]) * widen(x[u]);
    }
};

/* Has v worked out here: the compiler would do so between batches, where all threads wait. */
__device__ inline void settle([[maybe_unused]] double &v)
{
#ifdef __CUDA_ARCH__
    asm volatile("" : "+d"(v));
#endif
}
__device__ inline void settle(c128 &v)
{
    settle(v.re);
    settle(v.im);
}

/* Adds the entries of groups [group, end) to the slots of a block; there is one, at least.  While
 * the products of a group are added, values and x of the next one are on their way, and the places
 * of the one after that; nothing waits for a load but where a group begins.  Given are the places
 * of the first group, and its values. */
template <class K, class S = typename K::S>
__device__ inline void add_groups(const sweep_plan &plan, places ahead, factors<K> next,
                                  int64_t group, int64_t end, const typename K::T *x, S *slot)
{
    uint32_t slots[SWEEP_GROUP / 2];
    const auto load_x = [&](int64_t after) {
        next.load_x(x, ahead);
#pragma unroll
        for (int u = 0; u < SWEEP_GROUP; u += 2) slots[u / 2] = ahead.slots(u);
        ahead.load(plan, min(after, end - 1));
    };
    const auto add_group = [&](auto load_next) {
        S product[SWEEP_GROUP];
        uint32_t own[SWEEP_GROUP / 2];
#pragma unroll
        for (int u = 0; u < SWEEP_GROUP; u++) {
            product[u] = next.product(u);
            settle(product[u]);
            own[u / 2] = slots[u / 2];
        }
        load_next();
#pragma unroll
        for (int u = 0; u < SWEEP_GROUP; u++) {
            const uint32_t s = u % 2 == 0 ? own[u / 2] & UINT16_MAX : own[u / 2] >> 16;
            if (s != SWEEP_NONE) slot[s] += product[u];
            __syncthreads();
        }
    };

    load_x(group + 1);
    __syncthreads();
    for (; group + 1 < end; group++)
        add_group([&]() {
            next.load_values(plan, group + 1);
            load_x(group + 2);
        });
    add_group([]() {});
}

/* Adds extra slots [begin, end) of each lane, which are those of number n, to its first slot. */
template <class S>
__device__ inline void add_extra(int n, int begin, int end, S *slot)
{
    if (end - begin <= FEW)
        for (int i = begin; i < end; i++) slot[n] += slot[i];
    for (unsigned left = __ballot_sync(ALL_LANES, end - begin > FEW); left != 0; left &= left - 1) {
        const int lane = __ffs((int)left) - 1;
        const int from = __shfl_sync(ALL_LANES, begin, lane),
                  to = __shfl_sync(ALL_LANES, end, lane);
        S sum = {};
        for (int i = from + lane_id(); i < to; i += WARP) sum += slot[i];
        sum = broadcast(sum_lanes(sum, WARP), 0);
        if (lane_id() == lane) slot[n] += sum;
    }
}

template <class S>
__device__ inline void add_extras(const uint16_t *extra, int numbers, S *slot)
{
    const int t = (int)threadIdx.x, threads = (int)blockDim.x;
    for (int first = 0; first < numbers; first += threads * AT_ONCE) {
        int begin[AT_ONCE] = {}, end[AT_ONCE] = {};
#pragma unroll
        for (int u = 0; u < AT_ONCE; u++) {
            const int n = first + u * threads + t;
            if (n >= numbers) break;
            begin[u] = extra[n];
            end[u] = extra[n + 1];
        }
#pragma unroll
        for (int u = 0; u < AT_ONCE; u++)
            add_extra(first + u * threads + t, begin[u], end[u], slot);
    }
}

/* One warp: a row that other blocks have entries of, too.  Whoever comes last finishes it. */
template <class S, class T>
__device__ inline void finish_cut(S *pieces, int64_t piece, S sum, merge_long_row *row, S alpha,
                                  S beta, T *y)
{
    const auto kept = [&](int64_t i) { return pieces + 2 * (row->first + i) + (i == 0); };
    if (sum_pieces(row, row->last - row->first + 1, kept, pieces + piece, sum))
        finish(y, row->row, alpha, sum, beta);
}

/* Sets y for rows [begin, end), the first of which that is not empty has number `first`. */
template <class S, class T>
__device__ inline void finish_rows(const sweep_marks *rows, int64_t begin, int64_t end,
                                   int32_t first, const S *slot, S alpha, S beta, T *y)
{
    const int64_t warp = threadIdx.x / WARP, warps = blockDim.x / WARP;
    for (int64_t w = begin / WARP + warp; w * WARP < end; w += warps * AT_ONCE) {
        sweep_marks own[AT_ONCE] = {};
#pragma unroll
        for (int u = 0; u < AT_ONCE; u++)
            if ((w + u * warps) * WARP < end) own[u] = rows[w + u * warps];
#pragma unroll
        for (int u = 0; u < AT_ONCE; u++) {
            const int64_t r = (w + u * warps) * WARP + lane_id();
            if (r < begin || r >= end) continue;
            const S sum = own[u].has(lane_id()) ? slot[own[u].count(lane_id()) - first] : S();
            finish(y, r, alpha, sum, beta);
        }
    }
}

template <class K, class S = typename K::S>
__global__ void __launch_bounds__(BLOCK, 1)
    csr_sweep(sweep_plan plan, const typename K::T *x, S alpha, S beta,
              typename K::T *__restrict__ y, S *pieces)
{
    pdl_trigger();
    S *slot = (S *)dynamic_shared_pairs;
    const int64_t b = blockIdx.x;
    const sweep_block from = plan.block[b], to = plan.block[b + 1];
    const bool ends_later = to.first_block <= b; /* the row that the next block begins with */
    const bool begins_before = from.first_block < b;
    const uint16_t *extra = plan.extra + sweep_extra(from, b);
    const int numbers = sweep_numbers(from, to, b);

    places ahead = {};
    factors<K> next = {};
    if (from.group < to.group) {
        ahead.load(plan, from.group);
        next.load_values(plan, from.group);
    }
    for (int i = (int)threadIdx.x, slots = extra[numbers]; i < slots; i += (int)blockDim.x)
        slot[i] = {};
    pdl_wait();
    if (from.group < to.group) add_groups<K>(plan, ahead, next, from.group, to.group, x, slot);
    __syncthreads();
    add_extras(extra, numbers, slot);
    __syncthreads();
    finish_rows(plan.rows, from.row + begins_before, to.row, from.number, slot, alpha, beta, y);
    const int warp = (int)threadIdx.x / WARP;
    if (begins_before && warp == 0)
        finish_cut(pieces, 2 * b, numbers > 0 ? slot[0] : S(), plan.cut + from.first_block, alpha,
                   beta, y);
    if (ends_later && to.first_block == b && warp == (int)blockDim.x / WARP - 1)
        finish_cut(pieces, 2 * b + 1, numbers > 0 ? slot[numbers - 1] : S(), plan.cut + b, alpha,
                   beta, y);
}

template <class K>
spmv_status enqueue(const spmv__launch *run, const sweep_plan *plan, spmv_error *err)
{
    using T = typename K::T;
    using S = typename K::S;
    const int bytes = plan->slots * (int)sizeof(S);
    spmv_status st;

    SPMV__TRY(allow_shared(csr_sweep<K>, bytes, "sums in shared memory", err));
    launch_dependent(true, csr_sweep<K>, (unsigned)plan->blocks, plan->threads, bytes, run->stream,
                     *plan, (const T *)run->x, factor<K>(run->alpha), factor<K>(run->beta),
                     (T *)run->y, (S *)plan->pieces);
    st = check_launch("csr-sweep", err);
done:
    return st;
}

/* Vectors whose sums were not planned for go by csr-merge, whose plan is a part of this one. */
const char *fallback(const void *plan, spmv_type vectors)
{
    return sweep_sum_size(vectors) <= ((const sweep_plan *)plan)->sum_size ? NULL : CSR_MERGE;
}

spmv_status launch(const spmv__launch *run, spmv_error *err)
{
    const sweep_plan *plan = (const sweep_plan *)run->plan;
    if (fallback(plan, run->vector_type) != NULL) return merge_launch(run, plan->merge, err);
    spmv_status st = SPMV_SUCCESS;
    by_types(run, [&](auto k) { st = enqueue<decltype(k)>(run, plan, err); });
    return st;
}

} // namespace

extern "C" const spmv__gpu_kernel spmv__csr_sweep_kernel = {
    sweep_plan_create, sweep_plan_destroy, launch, BLOCK, BLOCK, NULL, fallback, false};
