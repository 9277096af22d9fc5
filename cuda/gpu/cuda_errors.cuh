/* cuda_errors.cuh -- CUDA's error codes in our terms. */
#pragma once

#include "core/base/base.h"
#include "cuda/gpu/gpu.h"

#include <cuda_runtime.h>

namespace spmv
{

/* Turns `code` into `status` with a sentence.  CUDA remembers an error until it is asked for it:
 * asking here keeps the next call from reporting this one again. */
inline spmv_status check(cudaError_t code, spmv_status status, const char *what, spmv_error *err)
{
    if (code == cudaSuccess) return SPMV_SUCCESS;
    cudaGetLastError();
    return spmv__fail(err, status, "%s: %s", what, cudaGetErrorString(code));
}

/* For calls that may fail: the next check of a launch does not report their error. */
inline void ignore(cudaError_t code)
{
    if (code != cudaSuccess) cudaGetLastError();
}

/* Says whether the launches since the last check have started.  It is called right after them. */
inline spmv_status check_launch(const char *kernel, spmv_error *err)
{
    return check(cudaGetLastError(), SPMV_ERROR_KERNEL_LAUNCH, kernel, err);
}

/* Allocates n numbers on the device, see spmv__gpu_alloc. */
template <class T>
spmv_status device_array(T **out, int64_t n, const char *what, spmv_error *err)
{
    return spmv__gpu_alloc((void **)out, n * (int64_t)sizeof(T), what, err);
}

/* Asks how much of something the current device has. */
inline spmv_status device_has(cudaDeviceAttr which, int *out, spmv_error *err)
{
    int device = 0;
    cudaError_t code = cudaGetDevice(&device);
    if (code == cudaSuccess) code = cudaDeviceGetAttribute(out, which, device);
    return check(code, SPMV_ERROR_NO_DEVICE, "asking what the GPU has", err);
}

} // namespace spmv
