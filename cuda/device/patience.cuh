/* patience.cuh -- words that another GPU writes, and waiting for them, but not for ever. */
#pragma once

#include "cuda/device/warp.cuh"

#include <cuda/atomic>

namespace spmv
{

using shared_word = cuda::atomic_ref<uint32_t, cuda::thread_scope_system>;
using device_word = cuda::atomic_ref<uint32_t, cuda::thread_scope_device>;

constexpr uint64_t PATIENCE = 10000000000; /* ns */

/* Returns the time in ns.  Where a GPU is emulated it flies, as nobody else runs meanwhile. */
__device__ inline uint64_t now()
{
#ifdef __CUDA_ARCH__
    uint64_t ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    return ns;
#else
    static uint64_t ns;
    return ns += PATIENCE;
#endif
}

/* Waits until the word has come to `least`, counting modulo 2^32: what its writer had written
 * before is there then.  Sets *late, and waits no longer, where that takes too long. */
__device__ inline void wait_for(uint32_t *word, uint32_t least, uint32_t *late)
{
    const uint64_t start = now();
    while ((int32_t)(shared_word(*word).load(cuda::memory_order_acquire) - least) < 0) {
        if (device_word(*late).load(cuda::memory_order_relaxed) != 0) return;
        if (now() - start >= PATIENCE) device_word(*late).store(1, cuda::memory_order_relaxed);
    }
}

/* Writes a word that another GPU waits for, behind all that this thread has written or seen. */
__device__ inline void tell(uint32_t *word, uint32_t value)
{
    shared_word(*word).store(value, cuda::memory_order_release);
}

/* Returns the number that comes after those that a kernel has counted, in one thread of it. */
__device__ inline uint32_t next_of(uint32_t *counted)
{
    return device_word(*counted).load(cuda::memory_order_relaxed) + 1;
}

/* Counts it, when all threads of the kernel know the number. */
__device__ inline void count(uint32_t *counted, uint32_t number)
{
    device_word(*counted).store(number, cuda::memory_order_relaxed);
}

} // namespace spmv
