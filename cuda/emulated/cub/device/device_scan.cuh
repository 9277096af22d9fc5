/* device_scan.cuh -- the prefix sum of CUB that the files of cuda/ use. */
#pragma once

#include <cuda_runtime.h>

namespace cub
{

struct DeviceScan {
    /* Works in place too.  With scratch NULL it only asks how much of it there must be. */
    template <class T>
    static cudaError_t ExclusiveSum(void *scratch, size_t &bytes, const T *in, T *out, int n,
                                    cudaStream_t)
    {
        bytes = 1;
        if (scratch == nullptr) return cudaSuccess;
        T sum = 0;
        for (int i = 0; i < n; i++) {
            const T mine = in[i];
            out[i] = sum;
            sum += mine;
        }
        return cudaSuccess;
    }
};

} // namespace cub
