/* csr_panels.cu -- CSR, long rows cut where panels of x end, with a panel of x in shared memory.
 *
 * Idea     a multiprocessor loads a panel of x into shared memory once, front to back, and
 *          multiplies with it what many rows have there: an element of x costs no cache line.
 *          A few lanes take a part of a row, load the next entries while they multiply, and then
 *          take another part; the sums of parts wait in a workspace for a second launch, which adds
 *          up those of each row.  Rows with little in a panel go by csr-merge
 * Good at  wide matrices with long rows, whose columns lie everywhere; graphs with hubs
 * Bad at   short rows: it is csr-merge where no row has 16 entries in a panel
 * Traffic  per nonzero: value + 4 bytes of column; x once for each multiprocessor or panel; per
 *          part 12 bytes and two of a sum
 * Result   deterministic
 * Source   cache blocking: Im, Yelick and Vuduc, "Sparsity: Optimization framework for sparse
 *          matrix kernels", IJHPCA 2004 */
#include "cuda/kernels/csr_panels/csr_panels.cuh"
#include "cuda/device/panel.cuh"
#include "cuda/device/plan.cuh"
#include "cuda/device/wide_loads.cuh"

using namespace spmv;

namespace
{

constexpr int BLOCK = 1024;
constexpr int LANES = 8;              /* for a piece */
constexpr int AT_ONCE = WARP / LANES; /* pieces that a warp takes */
constexpr int ADDING_BLOCK = 128;

template <class K>
struct panel_csr {
    const int32_t *__restrict__ col_idx;
    const typename K::V *__restrict__ val;
    const typename K::T *x;
    int64_t cols;
};

/* Shared memory holds the number of the next piece that nobody has, then a panel. */
__device__ inline int *shared_next()
{
    return (int *)dynamic_shared_pairs;
}
template <class T>
__device__ inline T *shared_panel()
{
    return (T *)(dynamic_shared_pairs + 1);
}

/* A panel that is staged: its elements, and the column of the first. */
template <class T>
struct panel {
    const T *staged;
    int32_t first;
};

/* The entries of a piece that a lane loads together are N times WIDTH neighbours. */
template <class K>
struct batch {
    static constexpr int N = sizeof(typename K::V) > 8 || sizeof(typename K::T) > 8 ? 1 : 2;
    static constexpr int STRIDE = LANES * WIDTH;
    wide<int32_t> c[N];
    wide<typename K::V> v[N];

    __device__ void load(const panel_csr<K> &A, panel_piece of, int32_t p)
    {
#pragma unroll
        for (int u = 0; u < N; u++) {
            const int32_t q = p + u * STRIDE;
            c[u] = q < of.end ? load_wide<true>(A.col_idx + q) : wide<int32_t>();
            v[u] = q < of.end ? load_wide<true>(A.val + q) : wide<typename K::V>();
        }
    }
    __device__ typename K::S sum(panel_piece of, int32_t p, panel<typename K::T> x) const
    {
        typename K::S sum = {};
#pragma unroll
        for (int u = 0; u < N; u++)
#pragma unroll
            for (int k = 0; k < WIDTH; k++) {
                const int32_t q = p + u * STRIDE + k;
                if (q >= of.begin && q < of.end)
                    sum += widen(v[u].at[k]) * widen(x.staged[c[u].at[k] - x.first]);
            }
        return sum;
    }
};

/* The pieces before `stop`, of which each LANES lanes take one. */
struct queue {
    const panel_piece *__restrict__ piece;
    int32_t stop;

    /* Returns the lane's of those that begin with i. */
    __device__ panel_piece at(int32_t i) const
    {
        i += lane_id() / LANES;
        return i < stop ? piece[i] : panel_piece{};
    }
    /* Takes the next that no warp has, and returns the first of them. */
    __device__ int32_t take() const
    {
        int32_t first = 0;
        if (lane_id() == 0) first = atomicAdd(shared_next(), AT_ONCE);
        return __shfl_sync(ALL_LANES, first, 0);
    }
};

/* Returns where the lane begins in a piece: at a boundary for wide loads. */
__device__ inline int32_t begin_in(panel_piece u)
{
    return u.begin / WIDTH * WIDTH + lane_id() % LANES * WIDTH;
}

/* Sums pieces [from, stop), which lie in one panel; `stage` brings it. */
template <class K, class S, class F>
__device__ inline void sum_pieces(const panel_csr<K> &A, const panel_piece *__restrict__ piece,
                                  int32_t from, int32_t stop, panel<typename K::T> x,
                                  S *__restrict__ sums, F stage)
{
    const queue all = {piece, stop};
    const int warp = (int)threadIdx.x / WARP, warps = (int)blockDim.x / WARP;
    /* The first two pieces of a warp are known; it loads the first while the panel comes. */
    int32_t i = from + warp * AT_ONCE, next = i + warps * AT_ONCE;
    panel_piece mine = all.at(i), after = all.at(next);
    int32_t p = begin_in(mine);
    batch<K> now;
    if (threadIdx.x == 0) *shared_next() = from + 2 * warps * AT_ONCE;
    stage([&] { now.load(A, mine, p); });
    S sum = {};
    while (i < stop) {
        const panel_piece u = mine;
        const int32_t q = p;
        p += batch<K>::N * batch<K>::STRIDE;
        const bool done = !__any_sync(ALL_LANES, p < u.end);
        if (done) {
            i = next;
            mine = after;
            p = begin_in(mine);
            next = all.take();
            after = all.at(next);
        }
        batch<K> ahead;
        ahead.load(A, mine, p);
        sum += now.sum(u, q, x);
        now = ahead;
        if (!done) continue;
        sum = sum_lanes(sum, LANES);
        if (lane_id() % LANES == 0 && u.begin < u.end) sums[u.place] = sum;
        sum = {};
    }
}

template <class K, class S = typename K::S>
__global__ void __launch_bounds__(BLOCK, 1) csr_panels(panels_plan plan, panel_csr<K> A, S *sums)
{
    using T = typename K::T;
    T *staged = shared_panel<T>();
    int32_t from = plan.first_of_block[blockIdx.x];
    const int32_t end = plan.first_of_block[blockIdx.x + 1];
    const auto first = [&](int64_t p) { return plan.first_piece[p * plan.rows]; };
    pdl_trigger();
    int64_t p = last_where(plan.panels, [&](int64_t k) { return first(k) <= from; });
    pdl_wait();
    for (; from < end; p++) {
        const int32_t stop = min(end, first(p + 1)), col = (int32_t)(p * plan.panel);
        if (stop == from) continue;
        sum_pieces(A, plan.piece, from, stop, {staged, col}, sums, [&](auto meanwhile) {
            stage_panel(staged, A.x + col, min((int64_t)plan.panel, A.cols - col));
            __pipeline_commit();
            meanwhile();
            __pipeline_wait_prior(0);
            __syncthreads();
        });
        from = stop;
        __syncthreads();
    }
}

/* Adds up the sums of the pieces of each row, for which there is a warp. */
template <class K, class S = typename K::S>
__global__ void add_pieces(panels_plan plan, const S *sums, S alpha, S beta,
                           typename K::T *__restrict__ y)
{
    const int64_t k = global_thread() / WARP;
    const bool mine = k < plan.rows;
    pdl_trigger();
    const int32_t begin = mine ? plan.first_sum[k * plan.panels] : 0,
                  end = mine ? plan.first_sum[(k + 1) * plan.panels] : 0;
    S sum = {};
    pdl_wait();
#pragma unroll 4
    for (int32_t i = begin + lane_id(); i < end; i += WARP) sum += sums[i];
    sum = sum_lanes(sum, WARP);
    if (mine && lane_id() == 0) finish(y, plan.row[k], alpha, sum, beta);
}

template <class K, class S = typename K::S>
spmv_status enqueue(const spmv__launch *run, const panels_plan *plan, spmv_error *err)
{
    using T = typename K::T;
    const spmv_csr *A = &run->A->shape.csr;
    const panel_csr<K> device = {A->col_idx, (const typename K::V *)A->val, (const T *)run->x,
                                 A->cols};
    const int bytes = (int)sizeof(double2) + plan->panel * (int)sizeof(T);
    const cudaStream_t stream = run->stream;
    spmv_status st;

    SPMV__TRY(allow_shared(csr_panels<K>, bytes, "a panel of x", err));
    launch_dependent(true, csr_panels<K>, (unsigned)plan->blocks, run->options->block_size, bytes,
                     stream, *plan, device, (S *)plan->sums);
    SPMV__TRY(check_launch("csr-panels", err));
    launch_dependent(true, add_pieces<K>, blocks_for(plan->rows * WARP, ADDING_BLOCK), ADDING_BLOCK,
                     0, stream, *plan, (const S *)plan->sums, factor<K>(run->alpha),
                     factor<K>(run->beta), (T *)run->y);
    SPMV__TRY(check_launch("csr-panels", err));
    if (plan->rest != NULL) SPMV__TRY(merge_launch(run, plan->rest, err));
done:
    return st;
}

/* Vectors that were not planned for go by csr-merge, whose plan is a part of this one. */
const char *fallback(const void *plan, spmv_type vectors)
{
    return merge_instead(((const panels_plan *)plan)->x_size, vectors);
}

spmv_status launch(const spmv__launch *run, spmv_error *err)
{
    const panels_plan *plan = (const panels_plan *)run->plan;
    if (fallback(plan, run->vector_type) != NULL) return merge_launch(run, plan->all, err);
    spmv_status st = SPMV_SUCCESS;
    by_types(run, [&](auto k) { st = enqueue<decltype(k)>(run, plan, err); });
    return st;
}

} // namespace

extern "C" const spmv__gpu_kernel spmv__csr_panels_kernel = {
    panels_plan_create, panels_plan_destroy, launch, BLOCK, BLOCK, NULL, fallback, false};
