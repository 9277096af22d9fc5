/* parcel.cuh -- sums that warps leave for one that waits for them.
 *
 * A parcel says by itself that it is there: each of its words has a part of the sum and a mark.
 * That takes a microsecond less than to count what has come, which needs the writes of all warps to
 * be in order.  Blocks begin in the order of their numbers, so that only warps of earlier ones, or
 * of the same, may be waited for. */
#ifndef SPMV_CUDA_DEVICE_PARCEL_CUH
#define SPMV_CUDA_DEVICE_PARCEL_CUH

#include "cuda/device/warp.cuh"

#include <cuda/atomic>

namespace spmv
{

/* Empty when all is 0. */
template <class S>
struct parcel {
    static constexpr int WORDS = sizeof(S) / sizeof(uint32_t);
    unsigned long long word[WORDS];
};
using parcel_word = cuda::atomic_ref<unsigned long long, cuda::thread_scope_device>;
constexpr unsigned long long PARCEL_MARK = 1ull << 32;

/* By one thread. */
template <class S>
__device__ inline void leave(parcel<S> *p, S sum)
{
    uint32_t part[parcel<S>::WORDS];
    memcpy(part, &sum, sizeof sum);
#pragma unroll
    for (int i = 0; i < parcel<S>::WORDS; i++)
        parcel_word(p->word[i]).store(PARCEL_MARK | part[i], cuda::memory_order_relaxed);
}

/* Is it there? */
template <class S>
__device__ inline bool look_into(parcel<S> *p, S *sum)
{
    uint32_t part[parcel<S>::WORDS];
    unsigned long long marks = PARCEL_MARK;
#pragma unroll
    for (int i = 0; i < parcel<S>::WORDS; i++) {
        const unsigned long long word = parcel_word(p->word[i]).load(cuda::memory_order_relaxed);
        part[i] = (uint32_t)word;
        marks &= word;
    }
    memcpy(sum, part, sizeof part);
    return marks != 0;
}

/* The sum of n parcels, in an order of its own but always the same; waits for those that are not
 * there, and leaves all of them empty.  By a warp; its first lane has the sum. */
template <class S>
__device__ inline S collect(parcel<S> *first, int64_t n)
{
    constexpr int BATCH = 64 / sizeof(parcel<S>);
    S sum = {};
    for (int64_t top = lane_id(); __any_sync(ALL_LANES, top < n); top += BATCH * WARP) {
        S part[BATCH];
        bool wait;
        do {
            wait = false;
#pragma unroll
            for (int u = 0; u < BATCH; u++) {
                part[u] = {};
                if (top + u * WARP < n) wait |= !look_into(first + top + u * WARP, &part[u]);
            }
        } while (__any_sync(ALL_LANES, wait));
#pragma unroll
        for (int u = 0; u < BATCH; u++) {
            sum += part[u];
            if (top + u * WARP < n) first[top + u * WARP] = {};
        }
    }
    return sum_lanes(sum, WARP);
}

} // namespace spmv

#endif
