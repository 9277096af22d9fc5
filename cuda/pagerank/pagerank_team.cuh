/* pagerank_team.cuh -- rounds in which several GPUs tell each other what they have found.
 *
 * Sums over all GPUs are made by each of them from the same numbers in the same order: so all have
 * the same bits, and decide alike. */
#pragma once

#include "cuda/device/patience.cuh"
#include "cuda/pagerank/gpu_iteration.cuh"

namespace spmv
{

/* ---- Writing -------------------------------------------------------------------------------- */

/* Writes what the own nodes hand on next into the memory of the others. */
template <class T, int K>
__device__ inline void hand_over(const spmv__pagerank_job &job)
{
    const spmv__pagerank_team &team = job.team;
    const int64_t each = team.each * K, end = job.graph.nodes * K;
    const T *from = (const T *)job.next;
    for (int g = team.begin; g < team.end; g++) {
        T *to = (T *)(job.odd ? team.box[g].x : team.box[g].next);
        if (g == team.me) continue;
        for (int64_t b = blockIdx.x; b < team.blocks; b += gridDim.x) {
            const int64_t begin = team.block[b] * each;
            for (int64_t i = threadIdx.x; i < each && begin + i < end; i += blockDim.x)
                to[begin + i] = from[begin + i];
        }
    }
}

/* Says whether all other blocks of the kernel have come here, too: what they have written is seen
 * everywhere then.  All threads call it. */
__device__ inline bool is_last_block(uint32_t *blocks)
{
    __shared__ bool last;
    __threadfence_system();
    __syncthreads();
    if (threadIdx.x == 0) {
        last = atomicAdd(blocks, 1u) + 1 == gridDim.x;
        if (last) *blocks = 0;
    }
    __syncthreads();
    return last;
}

/* The place of number i of a ranking among those that GPU `from` has written to GPU `to`. */
__device__ inline double *mail_place(const spmv__pagerank_team &team, int to, int from,
                                     uint32_t round, int i)
{
    return team.box[to].mail[round % 2] + from * SPMV__PAGERANK_MAIL + i;
}

/* Writes number i of a ranking to all.  The first K threads call it. */
template <int K>
__device__ inline void write_number(const spmv__pagerank_team &team, uint32_t round, int i,
                                    double number)
{
    for (int g = team.begin; g < team.end; g++)
        *mail_place(team, g, team.me, round, i * K + (int)threadIdx.x) = number;
}

/* The numbers of a round. */
enum mail { MAIL_NOTHING, MAIL_SUMS, MAIL_PRODUCTS };

/* Writes in a round: numbers that the last block adds up, those of `parts` blocks, and with `over`
 * what nodes hand on. */
template <class T, int K, mail WHAT>
__global__ void __launch_bounds__(PAGERANK_BLOCK)
    write_round(spmv__pagerank_job job, int parts, bool over)
{
    if (job.state->stop) return;
    const spmv__pagerank_team &team = job.team;
    const uint32_t round = next_of(&team.state[SPMV__TEAM_WRITTEN]);
    if (over) hand_over<T, K>(job);
    if (!is_last_block(&team.state[SPMV__TEAM_BLOCKS])) return;
    if (WHAT == MAIL_SUMS) {
        const spmv__pagerank_sums sums = sum_parts<K>(job.parts, parts);
        if (threadIdx.x < K) {
            write_number<K>(team, round, 0, sums.change);
            write_number<K>(team, round, 1, sums.dangling);
            write_number<K>(team, round, 2, sums.largest);
        }
    }
    for (int p = 0; WHAT == MAIL_PRODUCTS && p < SPMV__PAGERANK_PRODUCTS; p++) {
        const double sum = sum_products<K>(job, p);
        if (threadIdx.x < K) write_number<K>(team, round, p, sum);
    }
    __threadfence_system();
    __syncthreads();
    if (threadIdx.x == 0) count(&team.state[SPMV__TEAM_WRITTEN], round);
    for (int g = team.begin + (int)threadIdx.x; g < team.end; g += (int)blockDim.x)
        tell(team.box[g].told + team.me, round);
}

/* ---- Reading -------------------------------------------------------------------------------- */

/* Waits until all whose boxes this GPU reaches have written in the round that comes next, and
 * returns its number: what comes by a relay is there.  All threads of the block call it, and no
 * other block. */
__device__ inline uint32_t await_round(const spmv__pagerank_team &team)
{
    const uint32_t round = next_of(&team.state[SPMV__TEAM_AWAITED]);
    for (int g = team.begin + (int)threadIdx.x; g < team.end; g += (int)blockDim.x)
        wait_for(team.box[team.me].told + g, round, &team.state[SPMV__TEAM_LATE]);
    __syncthreads();
    if (threadIdx.x == 0) count(&team.state[SPMV__TEAM_AWAITED], round);
    return round;
}

/* Returns number i of this thread's ranking, from GPU `from`.  The first K threads call it. */
template <int K>
__device__ inline double read_number(const spmv__pagerank_team &team, int from, uint32_t round,
                                     int i)
{
    return __ldcg(mail_place(team, team.me, from, round, i * K + (int)threadIdx.x));
}

/* Returns the sums of all GPUs: of the parts of n blocks where there is one.  All threads of the
 * block call it; the first K have them. */
template <int K>
__device__ inline spmv__pagerank_sums all_sums(const spmv__pagerank_job &job, int n)
{
    spmv__pagerank_sums sums = {};
    if (job.team.gpus == 1) return sum_parts<K>(job.parts, n);
    const uint32_t round = await_round(job.team);
    for (int g = 0; g < job.team.gpus && threadIdx.x < K; g++)
        sums += {read_number<K>(job.team, g, round, 0), read_number<K>(job.team, g, round, 1),
                 read_number<K>(job.team, g, round, 2)};
    return sums;
}

} // namespace spmv
