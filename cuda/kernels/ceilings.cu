/* ceilings.cu -- what no kernel can beat: reading memory in order, and gathering.
 *
 * Idea     every thread reads 16 bytes at a time, a whole grid apart; or numbers at places that an
 *          integer hash makes, so that no index has to be loaded
 * Traffic  the memory once; one number per gather
 * Result   a rate: the fastest of a few passes */
#include "cuda/device/warp.cuh"

using namespace spmv;

namespace
{

constexpr int BLOCK = 256, BLOCKS_PER_SM = 8, GATHERS = 64, PASSES = 4;

/* The sums are written where they cannot be what they are: the compiler has to keep the reads. */
__global__ void read_all(const int4 *__restrict__ data, int64_t n, int *sink)
{
    int sum = 0;
    const int64_t stride = (int64_t)gridDim.x * blockDim.x;
#pragma unroll 4
    for (int64_t i = global_thread(); i < n; i += stride) {
        const int4 v = data[i];
        sum |= v.x | v.y | v.z | v.w;
    }
    if (sum != 0) *sink = sum;
}

__device__ inline uint32_t hash(uint32_t i)
{
    i = (i ^ (i >> 16)) * 0x7feb352du;
    i = (i ^ (i >> 15)) * 0x846ca68bu;
    return i ^ (i >> 16);
}

template <class T>
__global__ void gather(const T *__restrict__ x, uint32_t n, T *sink)
{
    T sum = 0;
    const uint32_t first = (uint32_t)global_thread() * GATHERS;
#pragma unroll 16
    for (uint32_t i = 0; i < GATHERS; i++)
        sum += x[(uint32_t)(((uint64_t)hash(first + i) * n) >> 32)];
    if (sum != 0) *sink = sum;
}

/* Seconds of the fastest pass of what `enqueue` launches, the first not counted. */
template <class F>
spmv_status fastest(spmv__gpu *gpu, double *seconds, F enqueue, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    double time, best = 0;
    for (int pass = -1; pass < PASSES; pass++) {
        SPMV__TRY(spmv__gpu_timer_start(gpu, err));
        enqueue();
        SPMV__TRY(check_launch("measuring the GPU", err));
        SPMV__TRY(spmv__gpu_timer_stop(gpu, &time, err));
        if (pass == 0 || (pass > 0 && time < best)) best = time;
    }
    *seconds = best;
done:
    return st;
}

} // namespace

extern "C" spmv_status spmv__gpu_ceilings(spmv__gpu *gpu, int64_t bytes, size_t size, int64_t n,
                                          int multiprocessors, spmv_peak_rates *out,
                                          spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    const unsigned blocks = (unsigned)(multiprocessors * BLOCKS_PER_SM);
    const cudaStream_t stream = spmv__gpu_stream(gpu);
    const int64_t places = n < 1 ? 1 : n > UINT32_MAX ? UINT32_MAX : n;
    const int64_t chunks = bytes / (int64_t)sizeof(int4);
    void *data = NULL, *sink = NULL;
    double seconds;

    const int64_t vector = places * (int64_t)size, room = vector > bytes ? vector : bytes;
    SPMV__TRY(spmv__gpu_fits(room, "measuring the GPU", err));
    SPMV__TRY(spmv__gpu_alloc(&data, room, "measuring the GPU", err));
    SPMV__TRY(spmv__gpu_alloc(&sink, sizeof(double), "measuring the GPU", err));
    SPMV__TRY(spmv__gpu_clear(gpu, data, room, err));
    SPMV__TRY(fastest(
        gpu, &seconds,
        [&] {
            launch_kernel(read_all, blocks, BLOCK, 0, stream, (const int4 *)data, chunks,
                          (int *)sink);
        },
        err));
    out->stream = (double)(chunks * (int64_t)sizeof(int4)) / seconds;
    SPMV__TRY(fastest(
        gpu, &seconds,
        [&] {
            if (size == sizeof(double))
                launch_kernel(gather<double>, blocks, BLOCK, 0, stream, (const double *)data,
                              (uint32_t)places, (double *)sink);
            else
                launch_kernel(gather<float>, blocks, BLOCK, 0, stream, (const float *)data,
                              (uint32_t)places, (float *)sink);
        },
        err));
    out->gather = (double)blocks * BLOCK * GATHERS / seconds;
done:
    spmv__gpu_free(data);
    spmv__gpu_free(sink);
    return st;
}
