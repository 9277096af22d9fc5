/* slice_sum.cuh -- sums of the rows of a slice, whose steps lie one after the other.
 *
 * Columns tell what a step is multiplied with: load<N>() reads those of the next N steps, then
 * x(u, r) is the element of x for step u and row r of the thread, 0 where there is no entry, and
 * next<N>() goes on.  N is a power of two, STEPS at most. */
#pragma once

#include "cuda/device/warp.cuh"

namespace spmv
{

/* Adds the next N steps, `slice` values each, of R rows that are WARP apart. */
template <int N, class K, int R, class COLUMNS>
__device__ inline void add_batch(COLUMNS &columns, const typename K::V *__restrict__ &val,
                                 int32_t slice, typename K::S (&sum)[R])
{
    typename K::V v[N][R];
    typename K::T x[N][R];
#pragma unroll
    for (int u = 0; u < N; u++)
#pragma unroll
        for (int r = 0; r < R; r++) v[u][r] = load_streaming(val + (int64_t)u * slice + WARP * r);
    columns.template load<N>();
#pragma unroll
    for (int u = 0; u < N; u++)
#pragma unroll
        for (int r = 0; r < R; r++) x[u][r] = columns.x(u, r);
#pragma unroll
    for (int u = 0; u < N; u++)
#pragma unroll
        for (int r = 0; r < R; r++) sum[r] += widen(v[u][r]) * widen(x[u][r]);
    val += (int64_t)N * slice;
    columns.template next<N>();
}

/* Adds the next `steps` steps, fewer than 2 N. */
template <int N, class K, int R, class COLUMNS>
__device__ inline void add_rest(COLUMNS &columns, const typename K::V *__restrict__ &val,
                                int32_t slice, int steps, typename K::S (&sum)[R])
{
    if (steps >= N) {
        add_batch<N, K>(columns, val, slice, sum);
        steps -= N;
    }
    if constexpr (N > 1) add_rest<N / 2, K>(columns, val, slice, steps, sum);
}

/* Adds any number of steps. */
template <class K, int R, class COLUMNS>
__device__ inline void add_steps(COLUMNS columns, const typename K::V *__restrict__ val,
                                 int32_t slice, int32_t steps, typename K::S (&sum)[R])
{
    constexpr int STEPS = COLUMNS::STEPS;
    for (; steps >= STEPS; steps -= STEPS) add_batch<STEPS, K>(columns, val, slice, sum);
    if constexpr (STEPS > 1) add_rest<STEPS / 2, K>(columns, val, slice, steps, sum);
}

} // namespace spmv
