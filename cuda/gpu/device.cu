/* device.cu -- which GPUs there are, and what they can do. */
#include "cuda/gpu/cuda_errors.cuh"

#include <cstdio>

using namespace spmv;

int spmv_gpu_count(void)
{
    int count = 0;
    if (cudaGetDeviceCount(&count) == cudaSuccess) return count;
    cudaGetLastError();
    return 0;
}

static int attribute(cudaDeviceAttr which, int device)
{
    int value = 0;
    if (cudaDeviceGetAttribute(&value, which, device) != cudaSuccess) cudaGetLastError();
    return value;
}

spmv_status spmv__gpu_describe(int device, spmv_device_info *out, spmv_error *err)
{
    const int count = spmv_gpu_count();
    cudaDeviceProp properties;

    if (device < 0 || device >= count)
        return spmv__fail(err, SPMV_ERROR_NO_DEVICE, "there is no GPU %d; there are %d", device,
                          count);
    spmv_status st = check(cudaGetDeviceProperties(&properties, device), SPMV_ERROR_NO_DEVICE,
                           "cannot describe the GPU", err);
    if (st != SPMV_SUCCESS) return st;

    *out = spmv_device_info{};
    out->device = device;
    snprintf(out->name, sizeof out->name, "%.127s", properties.name);
    out->memory = (int64_t)properties.totalGlobalMem;
    out->cache = attribute(cudaDevAttrL2CacheSize, device);
    out->multiprocessors = attribute(cudaDevAttrMultiProcessorCount, device);
    out->clock_khz = attribute(cudaDevAttrClockRate, device);
    out->memory_clock_khz = attribute(cudaDevAttrMemoryClockRate, device);
    out->compute_capability = 10 * properties.major + properties.minor;
    /* Two transfers per clock, and as many bits in each as the bus is wide. */
    out->bandwidth = 2.0 * 1e3 * out->memory_clock_khz *
                     attribute(cudaDevAttrGlobalMemoryBusWidth, device) / 8.0;
    if (cudaDriverGetVersion(&out->driver_version) != cudaSuccess ||
        cudaRuntimeGetVersion(&out->runtime_version) != cudaSuccess)
        cudaGetLastError();
    return SPMV_SUCCESS;
}
