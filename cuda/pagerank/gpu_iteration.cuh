/* gpu_iteration.cuh -- what the kernels of PageRank share.
 *
 * The numbers of K rankings lie side by side, and a thread has to do with those of one ranking
 * only: number v = its place in the warp modulo K. */
#pragma once

#include "cuda/pagerank/gpu_pagerank.h"
#include "cuda/device/warp.cuh"

namespace spmv
{

constexpr int PAGERANK_BLOCK =
    1024; /* threads that share a copy of the hubs: one block per multiprocessor */

/* ---- Sums over a block ---------------------------------------------------------------------- */

__device__ inline spmv__pagerank_sums shift_down(spmv__pagerank_sums p, int by, int lanes)
{
    return {shift_down(p.change, by, lanes), shift_down(p.dangling, by, lanes),
            shift_down(p.largest, by, lanes)};
}
__device__ inline void operator+=(spmv__pagerank_sums &a, spmv__pagerank_sums b)
{
    a = {a.change + b.change, a.dangling + b.dangling, fmax(a.largest, b.largest)};
}

/* Sums over the lanes of each ranking; the first K have the sums. */
template <int K, class S>
__device__ inline S sum_warp(S sum)
{
    for (int o = WARP / 2; o >= K; o /= 2) sum += shift_down(sum, o, WARP);
    return sum;
}

/* Sums over the block in a fixed order; the first K threads have the sums.  All threads of the
 * block must call. */
template <int K, class S>
__device__ inline S sum_block(S sum)
{
    __shared__ S of_warp[WARP * K];
    const int lane = lane_id(), warps = (int)blockDim.x / WARP;
    sum = sum_warp<K>(sum);
    __syncthreads(); /* an earlier call has been read */
    if (lane < K) of_warp[threadIdx.x / WARP * K + lane] = sum;
    __syncthreads();
    S all = {};
    if (threadIdx.x < WARP)
        for (int i = lane; i < warps * K; i += WARP) all += of_warp[i];
    return sum_warp<K>(all);
}

/* Returns the sums of n parts, each of K rankings. */
template <int K>
__device__ inline spmv__pagerank_sums sum_parts(const spmv__pagerank_sums *part, int n)
{
    spmv__pagerank_sums sum = {};
    for (int i = (int)threadIdx.x; i < n * K; i += (int)blockDim.x) sum += part[i];
    return sum_block<K>(sum);
}

/* Returns the sum of product number p over all blocks; the first K threads have it. */
template <int K>
__device__ inline double sum_products(const spmv__pagerank_job &job, int p)
{
    double sum = 0;
    for (int i = (int)threadIdx.x / K; i < job.pull_blocks; i += (int)blockDim.x / K)
        sum += job.products[(i * SPMV__PAGERANK_PRODUCTS + p) * K + (int)threadIdx.x % K];
    return sum_block<K>(sum);
}

/* Returns what an iteration adds after one in which dangling nodes had the score m. */
__device__ inline spmv__teleport teleport(const spmv__pagerank_job &job, double m)
{
    return {job.fixed.personal + job.slope.personal * m, job.fixed.uniform + job.slope.uniform * m};
}

/* ---- Launching ------------------------------------------------------------------------------ */

/* Calls enqueue with the number of rankings as a constant. */
template <class F>
spmv_status by_width(const spmv__pagerank_job *job, F enqueue)
{
    return job->width == 1   ? enqueue(std::integral_constant<int, 1>())
           : job->width == 2 ? enqueue(std::integral_constant<int, 2>())
           : job->width == 4 ? enqueue(std::integral_constant<int, 4>())
                             : enqueue(std::integral_constant<int, 8>());
}

} // namespace spmv
