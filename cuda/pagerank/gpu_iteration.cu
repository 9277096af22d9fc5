/* gpu_iteration.cu -- an iteration of PageRank in one pass over the graph.
 *
 * Idea     each row pulls what its sources hand on, and from the sum come in the same breath its
 *          new score, how much that changed, what it hands on next and what it adds to the score of
 *          the dangling nodes.  Sources are numbered by falling out-degree: what the first of them
 *          hand on, half of all reads on power-law graphs, is copied to shared memory and read by
 *          codes of 16 bits; the others are gathered, most of them from the second-level cache,
 *          where nothing else may stay.  A row has as many lanes as it is long, see
 *          graph_layout.c; pieces of longer rows are put together by a second kernel, and a
 *          third one of one block adds up what the blocks have found and decides whether to go on.
 *          Of several GPUs each renews some nodes, and writes what they hand on, in whole blocks,
 *          into the memory of all others before that.
 *          Up to eight rankings lie side by side: a lane pulls for all of them, and renews one
 * Good at  power laws; graphs without weights
 * Bad at   graphs whose nodes are numbered such that neighbours lie close: that is lost
 * Traffic  per edge: 2 or 4 bytes of code (and its share), and 4 for each ranking of what the
 *          source hands on unless it is a hub; per node: 8 of source and degree, for each ranking 8
 *          of score and 4 of what it hands on (in single precision)
 * Result   deterministic; sums in double precision
 * Source   pull-based PageRank with rows binned by degree; hubs in shared memory: our own */
#include "cuda/pagerank/pagerank_team.cuh"

using namespace spmv;

namespace
{

/* Bytes of shared memory that hubs leave to the kernels, and to the first-level cache, where
 * gathers wait: with 57,344 hubs an iteration on an R-MAT graph takes 30 % longer than with 49,152.
 */
PLAN_LIMIT(LEFT, 35 << 10);

/* ---- A row ---------------------------------------------------------------------------------- */

/* Holds what is wanted of a row and a ranking beside the sum. */
template <class T>
struct row_state {
    T score;
    int32_t degree, source;
};

template <class T, int K>
__device__ inline row_state<T> load_row(const spmv__pagerank_job &job, int r)
{
    const int v = lane_id() % K;
    return {((const T *)job.score)[(int64_t)r * K + v], load_streaming(job.graph.degree + r),
            load_streaming(job.graph.source + r)};
}

/* Stores the new score of row r, which pulled `pulled`, and what it hands on next. */
template <class T, int K>
__device__ inline void renew(const spmv__pagerank_job &job, const spmv__teleport *to, int r,
                             row_state<T> old, double pulled, spmv__pagerank_sums *sums)
{
    const int v = lane_id() % K;
    const int64_t at = (int64_t)r * K + v;
    double score = job.damping * pulled + to[v].uniform;
    if (job.restart != nullptr) score += to[v].personal * job.restart[at];
    if (job.to_self && old.degree == 0) score += job.damping * widen(old.score);
    const double change = fabs(score - widen(old.score));
    *sums += {change, old.degree > 0 ? 0 : score, change};
    store((T *)job.renewed + at, score);
    if (old.degree > 0) store((T *)job.next + (int64_t)old.source * K + v, score / old.degree);
}

/* ---- Pulling -------------------------------------------------------------------------------- */

/* Holds what one node hands on. */
template <class T, int K>
struct alignas(K * sizeof(T) < 16 ? K * sizeof(T) : 16) handed {
    T to[K];
};

template <class T, int K>
__device__ inline handed<T, K> load_handed(const T *x, int32_t source)
{
    if constexpr (K == 1)
        return {{load_readonly(x + source)}};
    else
        return ((const handed<T, K> *)x)[source];
}

template <class T, int K>
__device__ inline T *shared_hubs()
{
    if constexpr (K * sizeof(T) < 16)
        return (T *)dynamic_shared;
    else
        return (T *)dynamic_shared_pairs;
}

template <class T, int K>
__device__ inline void add(double sum[K], double share, const handed<T, K> &given)
{
#pragma unroll
    for (int v = 0; v < K; v++) sum[v] += share * widen(given.to[v]);
}

/* Adds to sum what this lane pulls for its part of a slice. */
template <class V, class T, int K>
__device__ inline void pull_lane(const spmv__pagerank_job &job, const spmv__pull_slice &s,
                                 const T *hubs, double sum[K])
{
    constexpr int STEPS = K == 1 ? 4 : 8 / K; /* in flight together */
    const int lane = lane_id();
    const int steps = max((int)s.hub_steps, (int)s.far_steps);
    const int64_t hub = (int64_t)s.hub * WARP + lane, far = (int64_t)s.far * WARP + lane;
    const V *hub_share = (const V *)job.graph.hub_share,
            *far_share = (const V *)job.graph.far_share;
    const handed<T, K> *of_hub = (const handed<T, K> *)hubs;
    for (int k = 0; k < steps; k += STEPS) {
        int32_t source[STEPS] = {};
        uint32_t codes[STEPS] = {};
        handed<T, K> given[STEPS] = {};
#pragma unroll
        for (int u = 0; u < STEPS; u++)
            if (k + u < (int)s.far_steps)
                source[u] = load_streaming(job.graph.far + far + (k + u) * WARP);
#pragma unroll
        for (int u = 0; u < STEPS; u++)
            if (k + u < (int)s.hub_steps)
                codes[u] = load_streaming(job.graph.hub + hub + (k + u) * WARP);
#pragma unroll
        for (int u = 0; u < STEPS; u++)
            if (k + u < (int)s.far_steps) given[u] = load_handed<T, K>((const T *)job.x, source[u]);
#pragma unroll
        for (int u = 0; u < STEPS; u++)
            if (k + u < (int)s.hub_steps) {
                const V *share = hub_share + 2 * (hub + (k + u) * WARP);
                add(sum, widen(load_streaming(share)), of_hub[codes[u] & 0xffff]);
                add(sum, widen(load_streaming(share + 1)), of_hub[codes[u] >> 16]);
            }
#pragma unroll
        for (int u = 0; u < STEPS; u++)
            if (k + u < (int)s.far_steps)
                add(sum, widen(load_streaming(far_share + far + (k + u) * WARP)), given[u]);
    }
}

/* Returns, of the sums that another lane has, that of this lane's ranking. */
template <int K>
__device__ inline double sum_of(const double sum[K], int from)
{
    double mine = broadcast(sum[0], from);
#pragma unroll
    for (int v = 1; v < K; v++) {
        const double other = broadcast(sum[v], from);
        if (lane_id() % K == v) mine = other;
    }
    return mine;
}

/* A lane renews one ranking of a row, in turns where there are more than lanes.  What it needs for
 * the first is on its way while the slice is pulled. */
template <class V, class T, int K>
__device__ inline void run_slice(const spmv__pagerank_job &job, const spmv__pull_slice &s,
                                 const T *hubs, const spmv__teleport *to, spmv__pagerank_sums *sums)
{
    const int lane = lane_id(), rows = s.piece ? 0 : (int)s.rows;
    row_state<T> old = {};
    if (lane / K < rows) old = load_row<T, K>(job, s.first + lane / K);
    double sum[K] = {};
    pull_lane<V, T, K>(job, s, hubs, sum);
#pragma unroll
    for (int v = 0; v < K; v++) sum[v] = sum_lanes(sum[v], 1 << s.log_lanes);
    for (int turn = 0; turn < K && turn * (WARP / K) < rows; turn++) {
        const int i = turn * (WARP / K) + lane / K;
        const double pulled = sum_of<K>(sum, i << s.log_lanes & (WARP - 1));
        if (turn > 0 && i < rows) old = load_row<T, K>(job, s.first + i);
        if (i < rows) renew<T, K>(job, to, s.first + i, old, pulled, sums);
    }
    if (s.piece && lane == 0)
        for (int v = 0; v < K; v++) job.piece_sum[(int64_t)s.first * K + v] = sum[v];
}

__device__ inline spmv__pull_slice load_slice(const spmv__pull_graph &g, int i)
{
    return i < g.slices ? g.slice[i] : spmv__pull_slice{};
}

/* Pulls for all slices, then renews the rows without edges. */
template <class V, class T, int K>
__global__ void __launch_bounds__(PAGERANK_BLOCK, 1) pull(spmv__pagerank_job job)
{
    if (job.state->stop) return;
    const int threads = (int)(gridDim.x * blockDim.x), thread = (int)global_thread();
    const int warps = threads / WARP;
    spmv__pull_slice s = load_slice(job.graph, thread / WARP);
    spmv__pull_slice next = load_slice(job.graph, thread / WARP + warps);
    __shared__ spmv__teleport to[K];
    T *hubs = shared_hubs<T, K>();
    for (int i = (int)threadIdx.x; i < job.graph.hubs * K; i += (int)blockDim.x)
        hubs[i] = ((const T *)job.x)[i];
    if (threadIdx.x < K) {
        hubs[job.graph.hubs * K + threadIdx.x] = 0;
        to[threadIdx.x] = job.state->to[threadIdx.x];
    }
    __syncthreads();

    spmv__pagerank_sums sums = {};
    for (int i = thread / WARP; i < job.graph.slices; i += warps) {
        const spmv__pull_slice later = load_slice(job.graph, i + 2 * warps);
        run_slice<V, T, K>(job, s, hubs, to, &sums);
        s = next;
        next = later;
    }
    for (int r = (int)job.graph.filled + thread / K; r < job.graph.rows; r += threads / K)
        renew<T, K>(job, to, r, load_row<T, K>(job, r), 0, &sums);
    sums = sum_block<K>(sums);
    if (threadIdx.x < K) job.parts[blockIdx.x * K + threadIdx.x] = sums;
}

/* ---- What is left --------------------------------------------------------------------------- */

/* One warp adds up the pieces of one long row. */
template <class T, int K>
__global__ void __launch_bounds__(PAGERANK_BLOCK) join(spmv__pagerank_job job)
{
    if (job.state->stop) return;
    const int lane = lane_id();
    const int r = (int)(global_thread() / WARP);
    const bool any = r < job.graph.long_rows;
    spmv__pagerank_sums sums = {};
    double sum = 0;
    if (any)
        for (int p = job.graph.piece[r] * K + lane; p < job.graph.piece[r + 1] * K; p += WARP)
            sum += job.piece_sum[p];
    sum = sum_warp<K>(sum);
    if (any && lane < K) renew<T, K>(job, job.state->to, r, load_row<T, K>(job, r), sum, &sums);
    sums = sum_block<K>(sums);
    if (threadIdx.x < K) job.parts[(job.pull_blocks + blockIdx.x) * K + threadIdx.x] = sums;
}

/* Stores the residual of the iteration, and decides whether it was the last. */
__device__ inline void decide(const spmv__pagerank_job &job)
{
    spmv__pagerank_state *state = job.state;
    double residual = 0;
    for (int v = 0; v < job.rankings; v++) {
        const spmv__pagerank_sums &sums = state->sums[v];
        residual = fmax(residual, job.norm == SPMV_NORM_L1 ? sums.change : sums.largest);
    }
    state->residual[state->iterations % SPMV__BATCH] = residual;
    state->iterations++;
    state->stop = residual < job.tolerance || state->iterations >= job.max_iterations ||
                  (job.team.gpus > 1 && job.team.state[SPMV__TEAM_LATE] != 0);
}

/* Adds up the sums of all.  It runs as one block. */
template <int K>
__global__ void __launch_bounds__(PAGERANK_BLOCK) conclude(spmv__pagerank_job job)
{
    if (job.state->stop) return;
    const spmv__pagerank_sums sums = all_sums<K>(job, job.pull_blocks + job.join_blocks);
    if (threadIdx.x < K) {
        job.state->sums[threadIdx.x] = sums;
        job.state->to[threadIdx.x] = teleport(job, sums.dangling);
    }
    __syncthreads();
    if (threadIdx.x == 0) decide(job);
}

/* ---- Launching ------------------------------------------------------------------------------ */

template <class V, class T, int K>
spmv_status enqueue(const spmv__pagerank_job *job, int step, cudaStream_t stream, spmv_error *err)
{
    const int bytes = (int)(job->graph.hubs + 1) * K * (int)sizeof(T), block = job->block_size;
    const unsigned blocks = (unsigned)job->pull_blocks;
    const spmv_status st =
        allow_shared(pull<V, T, K>, bytes, "PageRank with so much shared memory", err);
    if (st != SPMV_SUCCESS) return st;
    if (step == 0) {
        launch_kernel(pull<V, T, K>, blocks, block, bytes, stream, *job);
        if (job->join_blocks > 0)
            launch_kernel(join<T, K>, (unsigned)job->join_blocks, block, 0, stream, *job);
        if (job->team.gpus > 1)
            launch_kernel(write_round<T, K, MAIL_SUMS>, blocks, block, 0, stream, *job,
                          job->pull_blocks + job->join_blocks, true);
    } else {
        launch_kernel(conclude<K>, 1, block, 0, stream, *job);
    }
    return check_launch("PageRank", err);
}

} // namespace

spmv_status spmv__pagerank_hubs(spmv_type precision, int width, int64_t *hubs, spmv_error *err)
{
    int most = LEFT;
    const spmv_status st = device_has(cudaDevAttrMaxSharedMemoryPerBlockOptin, &most, err);
    *hubs = max(most - LEFT, 0) / (width * (int64_t)spmv_type_size(precision));
    if (*hubs > UINT16_MAX) *hubs = UINT16_MAX;
    return st;
}

spmv_status spmv__pagerank_blocks(spmv__pagerank_job *job, spmv_error *err)
{
    int most = PAGERANK_BLOCK;
    spmv_status st;
    SPMV__TRY(device_has(cudaDevAttrMaxThreadsPerBlock, &most, err));
    SPMV__TRY(device_has(cudaDevAttrMultiProcessorCount, &job->pull_blocks, err));
    job->block_size = most < PAGERANK_BLOCK ? most : PAGERANK_BLOCK;
    job->join_blocks = (int32_t)blocks_for(job->graph.long_rows * WARP, job->block_size);
done:
    return st;
}

spmv_status spmv__pagerank_enqueue(spmv__gpu *gpu, const spmv__pagerank_job *job, int step,
                                   spmv_error *err)
{
    const cudaStream_t stream = spmv__gpu_stream(gpu);
    const bool weighted = job->graph.share_size > 0;
    return by_width(job, [=](auto width) {
        constexpr int K = decltype(width)::value;
        if (job->precision == SPMV_F32)
            return weighted ? enqueue<float, float, K>(job, step, stream, err)
                            : enqueue<unit_value, float, K>(job, step, stream, err);
        return weighted ? enqueue<double, double, K>(job, step, stream, err)
                        : enqueue<unit_value, double, K>(job, step, stream, err);
    });
}
