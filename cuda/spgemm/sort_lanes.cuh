/* sort_lanes.cuh -- sorting in the registers of a warp. */
#pragma once

#include "cuda/device/warp.cuh"

namespace spmv
{

/* Sorts 32 M numbers: those of a warp, number j * 32 + lane in x[j].  Bitonic sort (K. E. Batcher,
 * AFIPS 1968). */
template <int M>
__device__ inline void sort_lanes(uint32_t (&x)[M])
{
    const int lane = lane_id();
#pragma unroll
    for (int k = 2; k <= WARP * M; k *= 2) {
#pragma unroll
        for (int d = k / 2; d >= WARP; d /= 2) {
#pragma unroll
            for (int j = 0; j < M; j++) {
                const int other = j ^ (d / WARP);
                if (other < j) continue;
                const uint32_t a = min(x[j], x[other]), b = max(x[j], x[other]);
                const bool rising = (j * WARP & k) == 0;
                x[j] = rising ? a : b;
                x[other] = rising ? b : a;
            }
        }
#pragma unroll
        for (int d = min(k / 2, WARP / 2); d > 0; d /= 2) {
#pragma unroll
            for (int j = 0; j < M; j++) {
                const uint32_t other = __shfl_xor_sync(ALL_LANES, x[j], d);
                const bool rising = ((j * WARP + lane) & k) == 0;
                x[j] = ((lane & d) == 0) == rising ? min(x[j], other) : max(x[j], other);
            }
        }
    }
}

} // namespace spmv
