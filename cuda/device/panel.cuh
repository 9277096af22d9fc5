/* panel.cuh -- a panel of x, neighbouring elements that fit into shared memory. */
#pragma once

#include "cuda/device/warp.cuh"

#include <cuda_pipeline.h>

namespace spmv
{

/* Begin to copy n elements into shared memory, 16 bytes at a time where x is aligned so. */
template <class T>
__device__ inline void stage_panel(T *staged, const T *x, int64_t n)
{
    constexpr int PER = 16 / (int)sizeof(T);
    const int64_t whole = (uintptr_t)x % 16 == 0 ? n / PER * PER : 0;
    for (int64_t i = threadIdx.x * PER; i < whole; i += blockDim.x * PER)
        __pipeline_memcpy_async(staged + i, x + i, 16);
    for (int64_t i = whole + threadIdx.x; i < n; i += blockDim.x)
        __pipeline_memcpy_async(staged + i, x + i, sizeof(T));
}

} // namespace spmv
