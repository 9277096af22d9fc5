/* warp.cuh -- what the kernels share: their types, loads, sums over lanes, and the last step.
 *
 * All sums are kept in double precision: the kernels wait for memory, so that it costs nothing. */
#ifndef SPMV_WARP_CUH
#define SPMV_WARP_CUH

#include "check.cuh"
#include "kernel.h"

namespace spmv
{

constexpr unsigned ALL_LANES = 0xffffffffu;
constexpr int WARP = 32;

/* ---- Types a kernel is compiled for -------------------------------------------------------- */

/* The value type of a pattern: never loaded, every entry counts as 1. */
struct one {
};

/* V of the values, T of the vectors; READONLY: x through the read-only data path. */
template <class V_, class T_, bool READONLY_>
struct kind {
    using V = V_;
    using T = T_;
    static constexpr bool READONLY = READONLY_;
};

/* Call enqueue(kind) with the types of a launch. */
template <class F>
void by_kind(const spmv__launch *run, F enqueue)
{
    const bool readonly = run->config->x_readonly, f32 = run->vector_type == SPMV_F32;
    if (run->A->shape.head.type == SPMV_PATTERN) {
        if (f32)
            readonly ? enqueue(kind<one, float, true>()) : enqueue(kind<one, float, false>());
        else
            readonly ? enqueue(kind<one, double, true>()) : enqueue(kind<one, double, false>());
    } else {
        if (f32)
            readonly ? enqueue(kind<float, float, true>()) : enqueue(kind<float, float, false>());
        else
            readonly ? enqueue(kind<double, double, true>())
                     : enqueue(kind<double, double, false>());
    }
}

/* Call enqueue(index) with a value of the type that offsets have on the device. */
template <class F>
void by_index(const spmv_gpu_matrix *A, F enqueue)
{
    A->narrow ? enqueue(int32_t()) : enqueue(int64_t());
}

/* ---- Loads ---------------------------------------------------------------------------------- */

/* The matrix passes by once; marked so, it does not push x out of the caches. */
template <class V>
__device__ inline V load_once(const V *p)
{
    return __ldcs(p);
}
template <>
__device__ inline one load_once(const one *)
{
    return {};
}

template <class V>
__device__ inline double as_double(V v)
{
    return (double)v;
}
template <>
__device__ inline double as_double(one)
{
    return 1.0;
}

template <class K>
__device__ inline double load_x(const typename K::T *x, int64_t c)
{
    return (double)(K::READONLY ? __ldg(x + c) : x[c]);
}

/* ---- Sums ----------------------------------------------------------------------------------- */

/* Sum over groups of `lanes` (a power of two) neighbouring lanes, in a fixed order; the first lane
 * of each group has it.  All lanes of the warp must call. */
__device__ inline double sum_lanes(double sum, int lanes)
{
    for (int o = lanes / 2; o > 0; o /= 2) sum += __shfl_down_sync(ALL_LANES, sum, o, lanes);
    return sum;
}

/* y[r] = alpha sum + beta y[r], without reading y when beta is 0 (it may hold NaN). */
template <class T>
__device__ inline void finish(T *y, int64_t r, double alpha, double sum, double beta)
{
    y[r] = (T)(beta == 0.0 ? alpha * sum : alpha * sum + beta * (double)y[r]);
}

/* ---- Launching ------------------------------------------------------------------------------ */

__device__ inline int64_t global_thread()
{
    return (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
}

/* Blocks of `block` threads for n threads. */
inline unsigned blocks_for(int64_t n, int block)
{
    return (unsigned)((n + block - 1) / block);
}

/* The shared memory of a block whose size the launch decides. */
extern __shared__ double dynamic_shared[];

/* Enqueue kernel(args...) on `blocks` blocks of `block` threads, each with so many bytes of
 * dynamic_shared.  To be followed by check_launch. */
template <class... P, class... A>
void start(void (*kernel)(P...), unsigned blocks, int block, int64_t bytes, cudaStream_t stream,
           A... args)
{
    cudaLaunchConfig_t config = {};
    config.gridDim.x = blocks;
    config.blockDim.x = (unsigned)block;
    config.dynamicSmemBytes = (size_t)bytes;
    config.stream = stream;
    cudaLaunchKernelEx(&config, kernel, args...);
}

} // namespace spmv

#endif
