/* plan.cu -- see plan.cuh.  CUB is compiled here once for all who add up. */
#include "cuda/device/plan.cuh"

#include <cub/device/device_scan.cuh>

namespace spmv
{

template <class T>
cudaError_t sum_before(void *scratch, size_t &bytes, T *of, int64_t n, cudaStream_t stream)
{
    return cub::DeviceScan::ExclusiveSum(scratch, bytes, of, of, (int)n, stream);
}

template cudaError_t sum_before(void *, size_t &, int32_t *, int64_t, cudaStream_t);
template cudaError_t sum_before(void *, size_t &, int64_t *, int64_t, cudaStream_t);

} // namespace spmv
