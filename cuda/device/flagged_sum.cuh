/* flagged_sum.cuh -- sums that warps publish for one warp that waits for them.
 *
 * A flagged sum says by itself that it is there: each of its words has a part of the sum and a
 * flag. That takes a microsecond less than to count what has come, which needs the writes of all
 * warps to be in order.  Blocks begin in the order of their numbers, so that only warps of earlier
 * ones, or of the same, may be waited for. */
#pragma once

#include "cuda/device/warp.cuh"

#include <cuda/atomic>

namespace spmv
{

/* Empty when all is 0. */
template <class S>
struct flagged_sum {
    static constexpr int WORDS = sizeof(S) / sizeof(uint32_t);
    unsigned long long word[WORDS];
};
using flagged_word = cuda::atomic_ref<unsigned long long, cuda::thread_scope_device>;
constexpr unsigned long long SUM_FLAG = 1ull << 32;

/* Publishes a sum.  One thread calls it. */
template <class S>
__device__ inline void publish_sum(flagged_sum<S> *p, S sum)
{
    uint32_t part[flagged_sum<S>::WORDS];
    memcpy(part, &sum, sizeof sum);
#pragma unroll
    for (int i = 0; i < flagged_sum<S>::WORDS; i++)
        flagged_word(p->word[i]).store(SUM_FLAG | part[i], cuda::memory_order_relaxed);
}

/* Says whether the sum is there, and if so what it is. */
template <class S>
__device__ inline bool poll_sum(flagged_sum<S> *p, S *sum)
{
    uint32_t part[flagged_sum<S>::WORDS];
    unsigned long long marks = SUM_FLAG;
#pragma unroll
    for (int i = 0; i < flagged_sum<S>::WORDS; i++) {
        const unsigned long long word = flagged_word(p->word[i]).load(cuda::memory_order_relaxed);
        part[i] = (uint32_t)word;
        marks &= word;
    }
    memcpy(sum, part, sizeof part);
    return marks != 0;
}

/* Adds n flagged sums, in an order of its own that is always the same; waits for those that are not
 * there, and leaves all of them empty.  A warp calls it; its first lane has the result. */
template <class S>
__device__ inline S gather_sums(flagged_sum<S> *first, int64_t n)
{
    constexpr int BATCH = 64 / sizeof(flagged_sum<S>);
    S sum = {};
    for (int64_t top = lane_id(); __any_sync(ALL_LANES, top < n); top += BATCH * WARP) {
        S part[BATCH];
        bool wait;
        do {
            wait = false;
#pragma unroll
            for (int u = 0; u < BATCH; u++) {
                part[u] = {};
                if (top + u * WARP < n) wait |= !poll_sum(first + top + u * WARP, &part[u]);
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
