/* pagerank.cu -- an iteration of PageRank in one pass over the graph.
 *
 * Idea     each row pulls what its sources hand on, and from the sum come in the same breath its
 * new score, how much that changed, what it hands on next and what it adds to the score of the
 *          dangling nodes.  Sources are numbered by falling out-degree: what the first of them hand
 *          on, half of all reads on power-law graphs, is copied to shared memory and read by codes
 *          of 16 bits; the others are gathered, most of them from the second-level cache, where
 *          nothing else may stay.  A row has as many lanes as it is long, see pagerank_layout.c;
 *          pieces of longer rows are put together by a second kernel, and a third one of one block
 *          adds up what the blocks have found and decides whether to go on
 * Good at  power laws; graphs without weights
 * Bad at   graphs whose nodes are numbered such that neighbours lie close: that is lost
 * Traffic  per edge: 2 or 4 bytes of code (and its share), and 4 of what the source hands on unless
 *          it is a hub; per node: 8 of score, 8 of source and degree, 4 of what it hands on (in
 *          single precision)
 * Result   deterministic; sums in double precision
 * Source   pull-based PageRank with rows binned by degree; hubs in shared memory: our own */
#include "pagerank_gpu.h"
#include "warp.cuh"

using namespace spmv;

namespace
{

constexpr int BLOCK =
    1024;                /* threads that share a copy of the hubs: one block per multiprocessor */
constexpr int STEPS = 4; /* in flight together */
/* Bytes of shared memory that hubs leave to the kernels, and to the first-level cache, where
 * gathers wait: with 57,344 hubs an iteration on an R-MAT graph takes 30 % longer than with 49,152.
 */
constexpr int LEFT = 35 << 10;

/* ---- Sums over a block ---------------------------------------------------------------------- */

__device__ inline double max_lanes(double v)
{
    for (int o = WARP / 2; o > 0; o /= 2) v = fmax(v, __shfl_down_sync(ALL_LANES, v, o));
    return v;
}

__device__ inline spmv__rank_sums sum_warp(spmv__rank_sums p)
{
    return {sum_lanes(p.change, WARP), sum_lanes(p.dangling, WARP), max_lanes(p.largest)};
}

/* In a fixed order; thread 0 has the sum. */
__device__ inline spmv__rank_sums sum_block(spmv__rank_sums p)
{
    __shared__ spmv__rank_sums of_warp[WARP];
    const int lane = lane_id(), warp = (int)(threadIdx.x / WARP);
    p = sum_warp(p);
    if (lane == 0) of_warp[warp] = p;
    __syncthreads();
    p = warp == 0 && lane < (int)(blockDim.x / WARP) ? of_warp[lane] : spmv__rank_sums{0, 0, 0};
    return sum_warp(p);
}

/* ---- A row ---------------------------------------------------------------------------------- */

/* What is wanted of a row beside its sum. */
template <class T>
struct row_state {
    T score;
    int32_t degree, source;
};

template <class T>
__device__ inline row_state<T> load_row(const spmv__rank_job &job, int r)
{
    return {((const T *)job.score)[r], load_once(job.graph.degree + r),
            load_once(job.graph.source + r)};
}

/* The new score of row r, which pulled so much. */
template <class T>
__device__ inline void renew(const spmv__rank_job &job, const spmv__teleport &to, int r,
                             row_state<T> old, double pulled, spmv__rank_sums *sums)
{
    double score = job.damping * pulled + to.uniform;
    if (job.restart != nullptr) score += to.personal * job.restart[r];
    if (job.to_self && old.degree == 0) score += job.damping * widen(old.score);
    const double change = fabs(score - widen(old.score));
    sums->change += change;
    sums->largest = fmax(sums->largest, change);
    store((T *)job.score + r, score);
    if (old.degree > 0)
        store((T *)job.next + old.source, score / old.degree);
    else
        sums->dangling += score;
}

/* ---- Pulling -------------------------------------------------------------------------------- */

__device__ inline float *shared_hubs(float)
{
    return (float *)dynamic_shared;
}
__device__ inline double *shared_hubs(double)
{
    return dynamic_shared;
}

/* What this lane pulls for its part of a slice. */
template <class V, class T>
__device__ inline double pull_lane(const spmv__rank_job &job, const spmv__slice &s, const T *hubs)
{
    const int lane = lane_id();
    const int steps = max((int)s.hub_steps, (int)s.far_steps);
    const int64_t hub = (int64_t)s.hub * WARP + lane, far = (int64_t)s.far * WARP + lane;
    const V *hub_share = (const V *)job.graph.hub_share,
            *far_share = (const V *)job.graph.far_share;
    const T *x = (const T *)job.x;
    double sum = 0;
    for (int k = 0; k < steps; k += STEPS) {
        int32_t source[STEPS] = {};
        uint32_t codes[STEPS];
        double given[STEPS];
#pragma unroll
        for (int u = 0; u < STEPS; u++)
            if (k + u < (int)s.far_steps)
                source[u] = load_once(job.graph.far + far + (k + u) * WARP);
#pragma unroll
        for (int u = 0; u < STEPS; u++)
            if (k + u < (int)s.hub_steps)
                codes[u] = load_once(job.graph.hub + hub + (k + u) * WARP);
#pragma unroll
        for (int u = 0; u < STEPS; u++)
            given[u] = k + u < (int)s.far_steps ? widen(load_readonly(x + source[u])) : 0;
#pragma unroll
        for (int u = 0; u < STEPS; u++)
            if (k + u < (int)s.hub_steps) {
                const V *share = hub_share + 2 * (hub + (k + u) * WARP);
                sum += widen(load_once(share)) * widen(hubs[codes[u] & 0xffff]);
                sum += widen(load_once(share + 1)) * widen(hubs[codes[u] >> 16]);
            }
#pragma unroll
        for (int u = 0; u < STEPS; u++)
            if (k + u < (int)s.far_steps)
                sum += widen(load_once(far_share + far + (k + u) * WARP)) * given[u];
    }
    return sum;
}

__device__ inline spmv__slice load_slice(const spmv__pull_graph &g, int i)
{
    return i < g.slices ? g.slice[i] : spmv__slice{};
}

/* All slices, then the rows without edges. */
template <class V, class T>
__global__ void __launch_bounds__(BLOCK, 1) pull(spmv__rank_job job)
{
    if (job.state->stop) return;
    const int warps = (int)(gridDim.x * blockDim.x) / WARP, thread = (int)global_thread();
    spmv__slice s = load_slice(job.graph, thread / WARP);
    spmv__slice next = load_slice(job.graph, thread / WARP + warps);
    __shared__ spmv__teleport to;
    T *hubs = shared_hubs(T());
    for (int i = (int)threadIdx.x; i < job.graph.hubs; i += (int)blockDim.x)
        hubs[i] = ((const T *)job.x)[i];
    if (threadIdx.x == 0) {
        hubs[job.graph.hubs] = 0;
        to = job.state->to[job.ranking];
    }
    __syncthreads();

    const int lane = lane_id();
    spmv__rank_sums sums = {0, 0, 0};
    for (int i = thread / WARP; i < job.graph.slices; i += warps) {
        const spmv__slice later = load_slice(job.graph, i + 2 * warps);
        const int mine = lane >> s.log_lanes, r = s.first + mine;
        const bool first = !s.piece && lane == mine << s.log_lanes && mine < (int)s.rows;
        row_state<T> old = {};
        if (first) old = load_row<T>(job, r);
        const double sum = sum_lanes(pull_lane<V>(job, s, hubs), 1 << s.log_lanes);
        if (first) renew(job, to, r, old, sum, &sums);
        if (s.piece && lane == 0) job.piece_sum[s.first] = sum;
        s = next;
        next = later;
    }
    for (int r = (int)job.graph.filled + thread; r < job.graph.nodes; r += warps * WARP)
        renew(job, to, r, load_row<T>(job, r), 0, &sums);
    sums = sum_block(sums);
    if (threadIdx.x == 0) job.parts[blockIdx.x] = sums;
}

/* ---- What is left --------------------------------------------------------------------------- */

/* One warp adds up the pieces of one long row. */
template <class T>
__global__ void __launch_bounds__(BLOCK) join(spmv__rank_job job)
{
    if (job.state->stop) return;
    const int lane = lane_id();
    const int r = (int)(global_thread() / WARP);
    const bool any = r < job.graph.long_rows;
    spmv__rank_sums sums = {0, 0, 0};
    double sum = 0;
    for (int p = any ? job.graph.piece[r] + lane : 0; any && p < job.graph.piece[r + 1]; p += WARP)
        sum += job.piece_sum[p];
    sum = sum_lanes(sum, WARP);
    if (any && lane == 0)
        renew(job, job.state->to[job.ranking], r, load_row<T>(job, r), sum, &sums);
    sums = sum_block(sums);
    if (threadIdx.x == 0) job.parts[job.pull_blocks + blockIdx.x] = sums;
}

/* After the last ranking: the residual of the iteration, and whether it was the last. */
__device__ inline void decide(const spmv__rank_job &job)
{
    spmv__rank_state *state = job.state;
    double residual = 0;
    for (int v = 0; v < job.rankings; v++) {
        const spmv__rank_sums &sums = state->sums[v];
        residual = fmax(residual, job.norm == SPMV_NORM_L1 ? sums.change : sums.largest);
    }
    state->residual[state->iterations % SPMV__BATCH] = residual;
    state->iterations++;
    state->stop = residual < job.tolerance || state->iterations >= job.max_iterations;
}

/* One block: the sums of a ranking. */
__global__ void __launch_bounds__(BLOCK) conclude(spmv__rank_job job)
{
    if (job.state->stop) return;
    spmv__rank_sums sums = {0, 0, 0};
    for (int i = (int)threadIdx.x; i < job.pull_blocks + job.join_blocks; i += (int)blockDim.x) {
        sums.change += job.parts[i].change;
        sums.dangling += job.parts[i].dangling;
        sums.largest = fmax(sums.largest, job.parts[i].largest);
    }
    sums = sum_block(sums);
    if (threadIdx.x > 0) return;
    job.state->sums[job.ranking] = sums;
    job.state->to[job.ranking] = {job.fixed.personal + job.slope.personal * sums.dangling,
                                  job.fixed.uniform + job.slope.uniform * sums.dangling};
    if (job.ranking == job.rankings - 1) decide(job);
}

/* ---- Launching ------------------------------------------------------------------------------ */

template <class V, class T>
spmv_status enqueue(const spmv__rank_job *job, cudaStream_t stream, spmv_error *err)
{
    const int bytes = (int)(job->graph.hubs + 1) * (int)sizeof(T), block = job->block_size;
    const spmv_status st =
        allow_shared(pull<V, T>, bytes, "PageRank with so much shared memory", err);
    if (st != SPMV_SUCCESS) return st;
    start(pull<V, T>, (unsigned)job->pull_blocks, block, bytes, stream, *job);
    if (job->join_blocks > 0) start(join<T>, (unsigned)job->join_blocks, block, 0, stream, *job);
    start(conclude, 1, block, 0, stream, *job);
    return check_launch("PageRank", err);
}

} // namespace

spmv_status spmv__rank_hubs(spmv_type precision, int64_t *hubs, spmv_error *err)
{
    int most = LEFT;
    const spmv_status st = device_has(cudaDevAttrMaxSharedMemoryPerBlockOptin, &most, err);
    *hubs = (most - LEFT) / (int64_t)spmv_type_size(precision);
    if (*hubs > UINT16_MAX) *hubs = UINT16_MAX;
    return st;
}

spmv_status spmv__rank_blocks(spmv__rank_job *job, spmv_error *err)
{
    int most = BLOCK;
    spmv_status st;
    SPMV__TRY(device_has(cudaDevAttrMaxThreadsPerBlock, &most, err));
    SPMV__TRY(device_has(cudaDevAttrMultiProcessorCount, &job->pull_blocks, err));
    job->block_size = most < BLOCK ? most : BLOCK;
    job->join_blocks = (int32_t)blocks_for(job->graph.long_rows * WARP, job->block_size);
done:
    return st;
}

spmv_status spmv__rank_enqueue(spmv__gpu *gpu, const spmv__rank_job *job, spmv_error *err)
{
    const cudaStream_t stream = (cudaStream_t)spmv__gpu_stream(gpu);
    const bool weighted = job->graph.share_size > 0;
    if (job->precision == SPMV_F32)
        return weighted ? enqueue<float, float>(job, stream, err)
                        : enqueue<one, float>(job, stream, err);
    return weighted ? enqueue<double, double>(job, stream, err)
                    : enqueue<one, double>(job, stream, err);
}
