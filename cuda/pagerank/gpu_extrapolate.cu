/* gpu_extrapolate.cu -- a guess at the limit of PageRank, from the scores of the last iterations.
 *
 * Idea     core/pagerank/extrapolate.c says how.  Iterations have written their scores to arrays of
 *          their own: a pass over those adds up the products of their differences, one block finds
 *          the weights, a second pass makes the guess in the place of the oldest scores, one block
 *          looks whether a score of it is negative, and if not a third pass brings it in
 * Traffic  per node and ranking: 14 scores, every eight iterations
 * Result   deterministic; sums in double precision */
#include "cuda/pagerank/pagerank_team.cuh"

using namespace spmv;

namespace
{

constexpr int M = SPMV__EXTRAPOLATED, PRODUCTS = SPMV__PAGERANK_PRODUCTS;

/* The scores that this thread takes: each `step`-th from `first` on. */
struct score_range {
    int64_t first, step, n;
};

template <int K>
__device__ inline score_range my_scores(const spmv__pagerank_job &job)
{
    return {global_thread(), (int64_t)gridDim.x * blockDim.x, job.graph.rows * K};
}

template <class T, int K>
__global__ void __launch_bounds__(PAGERANK_BLOCK) multiply(spmv__pagerank_job job)
{
    if (job.state->stop) return;
    const score_range s = my_scores<K>(job);
    double product[PRODUCTS] = {};
    for (int64_t i = s.first; i < s.n; i += s.step) {
        double u[M], last = widen(((const T *)job.seen[0])[i]);
#pragma unroll
        for (int k = 0; k < M; k++) {
            const double next = widen(((const T *)job.seen[k + 1])[i]);
            u[k] = next - last;
            last = next;
        }
#pragma unroll
        for (int a = 0, p = 0; a < M; a++)
            for (int b = 0; b <= a; b++, p++) product[p] += u[a] * u[b];
    }
    for (int p = 0; p < PRODUCTS; p++) {
        const double sum = sum_block<K>(product[p]);
        if (threadIdx.x < K) job.products[(blockIdx.x * PRODUCTS + p) * K + threadIdx.x] = sum;
    }
}

/* Returns the residual of the iteration that has just been done. */
__device__ inline double last_residual(const spmv__pagerank_state *state)
{
    return state->residual[(state->iterations - 1) % SPMV__BATCH];
}

/* Finds the weights of the guess.  It runs as one block. */
template <int K>
__global__ void __launch_bounds__(PAGERANK_BLOCK) weigh(spmv__pagerank_job job)
{
    if (job.state->stop) return;
    const int v = (int)threadIdx.x % K;
    double G[M][M];
    const bool alone = job.team.gpus == 1;
    const uint32_t round = alone ? 0 : await_round(job.team);
    for (int a = 0, p = 0; a < M; a++)
        for (int b = 0; b <= a; b++, p++) {
            double sum = alone ? sum_products<K>(job, p) : 0;
            for (int g = 0; !alone && g < job.team.gpus && threadIdx.x < K; g++)
                sum += read_number<K>(job.team, g, round, p);
            G[a][b] = G[b][a] = sum;
        }
    const bool allowed = last_residual(job.state) < job.state->limit;
    if (threadIdx.x < K)
        job.state->guessed[v] = spmv__extrapolation_solve(G, job.state->weight[v]) && allowed;
}

template <class T, int K>
__global__ void __launch_bounds__(PAGERANK_BLOCK) guess(spmv__pagerank_job job)
{
    if (job.state->stop) return;
    const score_range s = my_scores<K>(job);
    const int v = (int)threadIdx.x % K;
    spmv__pagerank_sums sums = {};
    double weight[M];
#pragma unroll
    for (int k = 0; k < M; k++) weight[k] = job.state->weight[v][k];
    for (int64_t i = s.first; i < s.n; i += s.step) {
        double x = 0;
#pragma unroll
        for (int k = 0; k < M; k++) x += weight[k] * widen(((const T *)job.seen[k + 1])[i]);
        store((T *)job.seen[0] + i, x);
        sums += {0, job.graph.degree[i / K] > 0 ? 0 : x, x >= 0 ? 0.0 : 1.0};
    }
    sums = sum_block<K>(sums);
    if (threadIdx.x < K) job.parts[blockIdx.x * K + threadIdx.x] = sums;
}

/* Says whether the guess is a distribution.  It runs as one block. */
template <int K>
__global__ void __launch_bounds__(PAGERANK_BLOCK) judge(spmv__pagerank_job job)
{
    if (job.state->stop) return;
    const int v = (int)threadIdx.x;
    const spmv__pagerank_sums sums = all_sums<K>(job, job.pull_blocks);
    if (v < K) {
        job.state->guessed[v] = job.state->guessed[v] && sums.largest == 0;
        if (job.state->guessed[v]) job.state->to[v] = teleport(job, sums.dangling);
    }
    __syncthreads();
    for (int of = 0; of < job.rankings && v == 0; of++)
        if (job.state->guessed[of])
            job.state->limit = spmv__extrapolation_limit(last_residual(job.state));
}

template <class T, int K>
__global__ void __launch_bounds__(PAGERANK_BLOCK) replace(spmv__pagerank_job job)
{
    const int v = (int)threadIdx.x % K;
    if (job.state->stop || !job.state->guessed[v]) return;
    const score_range s = my_scores<K>(job);
    for (int64_t i = s.first; i < s.n; i += s.step) {
        const T x = ((const T *)job.seen[0])[i];
        const int32_t degree = job.graph.degree[i / K];
        ((T *)job.seen[M])[i] = x;
        if (degree > 0)
            store((T *)job.next + (int64_t)job.graph.source[i / K] * K + v, widen(x) / degree);
    }
}

/* Waits for what the nodes of others hand on.  One block runs it. */
__global__ void __launch_bounds__(PAGERANK_BLOCK) await_others(spmv__pagerank_job job)
{
    if (!job.state->stop) await_round(job.team);
}

template <class T, int K>
spmv_status enqueue(const spmv__pagerank_job *job, int step, cudaStream_t stream, spmv_error *err)
{
    const unsigned blocks = (unsigned)job->pull_blocks;
    const int block = job->block_size;
    const bool team = job->team.gpus > 1;
    if (step == 0) {
        launch_kernel(multiply<T, K>, blocks, block, 0, stream, *job);
        if (team)
            launch_kernel(write_round<T, K, MAIL_PRODUCTS>, 1, block, 0, stream, *job, 0, false);
    } else if (step == 1) {
        launch_kernel(weigh<K>, 1, block, 0, stream, *job);
        launch_kernel(guess<T, K>, blocks, block, 0, stream, *job);
        if (team)
            launch_kernel(write_round<T, K, MAIL_SUMS>, 1, block, 0, stream, *job, job->pull_blocks,
                          false);
    } else if (step == 2) {
        launch_kernel(judge<K>, 1, block, 0, stream, *job);
        launch_kernel(replace<T, K>, blocks, block, 0, stream, *job);
        if (team)
            launch_kernel(write_round<T, K, MAIL_NOTHING>, blocks, block, 0, stream, *job, 0, true);
    } else if (team) {
        launch_kernel(await_others, 1, block, 0, stream, *job);
    }
    return check_launch("extrapolation", err);
}

} // namespace

spmv_status spmv__pagerank_guess(spmv__gpu *gpu, const spmv__pagerank_job *job, int step,
                                 spmv_error *err)
{
    const cudaStream_t stream = spmv__gpu_stream(gpu);
    return by_width(job, [=](auto width) {
        constexpr int K = decltype(width)::value;
        return job->precision == SPMV_F32 ? enqueue<float, K>(job, step, stream, err)
                                          : enqueue<double, K>(job, step, stream, err);
    });
}
