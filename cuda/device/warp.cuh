/* warp.cuh -- device code of all kernels: the types that they are compiled for, sums over lanes,
 * the last step and the launch. */
#pragma once

#include "core/base/types.h"
#include "cuda/gpu/kernel.h"
#include "cuda/device/device_values.cuh"

#include <type_traits>

namespace spmv
{

constexpr unsigned ALL_LANES = 0xffffffffu;
constexpr int WARP = 32;

/* A number that decides how a plan cuts a matrix, and that sizes no array: where the GPU is
 * emulated it can be made smaller, so that small matrices cross it. */
#ifndef PLAN_LIMIT
#define PLAN_LIMIT(name, value) constexpr int name = value
#endif

/* ---- Types a kernel is compiled for -------------------------------------------------------- */

/* Names the C++ type of a value type, and of sums of products with vectors of that type. */
template <spmv_type TYPE>
struct number;
template <>
struct number<SPMV_PATTERN> {
    using type = unit_value;
};
template <>
struct number<SPMV_F32> {
    using type = float;
    using sum = double;
};
template <>
struct number<SPMV_F64> {
    using type = double;
    using sum = double;
};
template <>
struct number<SPMV_C64> {
    using type = c64;
    using sum = c128;
};
template <>
struct number<SPMV_C128> {
    using type = c128;
    using sum = c128;
};

/* V of the values, T of the vectors, S of the sums; READONLY: x through the read-only data path. */
template <spmv_type VALUES, spmv_type VECTORS, bool READONLY_>
struct kind {
    using readonly = kind<VALUES, VECTORS, true>;
    using V = typename number<VALUES>::type;
    using T = typename number<VECTORS>::type;
    using S = typename number<VECTORS>::sum;
    static constexpr bool READONLY = READONLY_;
};

/* Calls enqueue(kind) with the types of a launch, x loaded plainly. */
template <class F>
void by_types(const spmv__launch *run, F enqueue)
{
#define X(name, values, vectors)                                          \
    if (run->A->shape.head.type == values && run->vector_type == vectors) \
        return enqueue(kind<values, vectors, false>());
    SPMV__TYPES_TABLE(X)
#undef X
}

/* Does as by_types, but real vectors go through the read-only path where that is asked for. */
template <class F>
void by_kind(const spmv__launch *run, F enqueue)
{
    by_types(run, [&](auto k) {
        using K = decltype(k);
        if constexpr (std::is_same_v<typename K::S, double>)
            if (run->options->x_readonly) return enqueue(typename K::readonly());
        enqueue(k);
    });
}

/* Returns a factor as the kernel takes it: that of real sums has no imaginary part. */
template <class K>
typename K::S factor(spmv_scalar f)
{
    if constexpr (std::is_same_v<typename K::S, c128>)
        return {f.re, f.im};
    else
        return f.re;
}

/* Calls enqueue(index) with a value of the type that offsets have on the device. */
template <class F>
void by_index(const spmv_gpu_matrix *A, F enqueue)
{
    A->narrow ? enqueue(int32_t()) : enqueue(int64_t());
}

/* Returns this thread's place in its warp. */
__device__ inline int lane_id()
{
    return (int)(threadIdx.x % WARP);
}

/* ---- Sums ----------------------------------------------------------------------------------- */

/* Loads an element of x, in the way that K asks for. */
template <class K>
__device__ inline typename K::T fetch(const typename K::T *x)
{
    return K::READONLY ? load_readonly(x) : *x;
}
template <class K>
__device__ inline typename K::S load_x(const typename K::T *x, int64_t c)
{
    return widen(fetch<K>(x + c));
}

/* Returns the sum of the lane that is `by` above, within groups of `lanes`, or below. */
__device__ inline double shift_down(double v, int by, int lanes)
{
    return __shfl_down_sync(ALL_LANES, v, by, lanes);
}
__device__ inline c128 shift_down(c128 v, int by, int lanes)
{
    return {shift_down(v.re, by, lanes), shift_down(v.im, by, lanes)};
}
__device__ inline double shift_up(double v, int by)
{
    return __shfl_up_sync(ALL_LANES, v, by);
}
__device__ inline c128 shift_up(c128 v, int by)
{
    return {shift_up(v.re, by), shift_up(v.im, by)};
}

/* Returns the value of lane `from` in all lanes. */
__device__ inline double broadcast(double v, int from)
{
    return __shfl_sync(ALL_LANES, v, from);
}
__device__ inline c128 broadcast(c128 v, int from)
{
    return {broadcast(v.re, from), broadcast(v.im, from)};
}

/* Sums over groups of `lanes` (a power of two) neighbouring lanes, in a fixed order; the first lane
 * of each group has it.  All lanes of the warp must call. */
template <class S>
__device__ inline S sum_lanes(S sum, int lanes)
{
    for (int o = lanes / 2; o > 0; o /= 2) sum += shift_down(sum, o, lanes);
    return sum;
}

/* Return the sum, the least or the greatest of the numbers of groups of `lanes` (a power of two)
 * neighbouring lanes, in each of them.  All lanes of the warp must call. */
template <class T>
__device__ inline T sum_of_lanes(T v, int lanes = WARP)
{
    for (int o = lanes / 2; o > 0; o /= 2) v += __shfl_xor_sync(ALL_LANES, v, o);
    return v;
}
template <class T>
__device__ inline T min_of_lanes(T v, int lanes = WARP)
{
    for (int o = lanes / 2; o > 0; o /= 2) v = min(v, __shfl_xor_sync(ALL_LANES, v, o));
    return v;
}
template <class T>
__device__ inline T max_of_lanes(T v, int lanes = WARP)
{
    for (int o = lanes / 2; o > 0; o /= 2) v = max(v, __shfl_xor_sync(ALL_LANES, v, o));
    return v;
}

/* Returns the sum of the numbers of lanes up to this one. */
template <class T>
__device__ inline T sum_through(T v)
{
    for (int o = 1; o < WARP; o *= 2) {
        const T below = __shfl_up_sync(ALL_LANES, v, o);
        if (lane_id() >= o) v += below;
    }
    return v;
}

/* Returns alpha sum + beta y, without reading y when beta is 0 (it may hold NaN). */
template <class T, class S>
__device__ inline S result(S alpha, S sum, S beta, const T *y)
{
    return is_zero(beta) ? scaled(alpha, sum) : scaled(alpha, sum) + scaled(beta, widen(*y));
}

/* Sets y[r] to alpha sum + beta y[r]. */
template <class T, class S>
__device__ inline void finish(T *y, int64_t r, S alpha, S sum, S beta)
{
    store(y + r, result(alpha, sum, beta, y + r));
}

/* ---- Launching ------------------------------------------------------------------------------ */

__device__ inline int64_t global_thread()
{
    return (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
}

/* Returns how many blocks of `block` threads n threads need. */
inline unsigned blocks_for(int64_t n, int block)
{
    return (unsigned)((n + block - 1) / block);
}

/* Gives each thread of a kernel n registers at most, where the compiler can be told. */
#if defined(CUDART_VERSION) && CUDART_VERSION >= 12040
#define AT_MOST_REGISTERS(n) __maxnreg__(n)
#else
#define AT_MOST_REGISTERS(n) __launch_bounds__(1024)
#endif

/* The shared memory of a block whose size the launch decides, under two names: it is aligned as the
 * one in use asks, and what is aligned to 16 bytes is loaded in a way that takes more registers. */
extern __shared__ double dynamic_shared[];
extern __shared__ double2 dynamic_shared_pairs[];

/* Returns what ask() says of a kernel on the device in use; it asks again only when one of them is
 * another. */
template <class... P, class F>
auto once(void (*kernel)(P...), F ask) -> decltype(ask())
{
    static thread_local void (*asked)(P...) = NULL;
    static thread_local int on = -1;
    static thread_local decltype(ask()) answer = {};
    int device = -1;
    if (cudaGetDevice(&device) != cudaSuccess) return {};
    if (kernel != asked || device != on) answer = ask();
    asked = kernel;
    on = device;
    return answer;
}

/* Lets a kernel have so much dynamic shared memory.  Every GPU grants a block 48 KB without being
 * asked, from which the static variables of the kernel go, 16 KB at most.  Beyond that it is
 * allowed all that there is: the limit is one for all threads of the process, so that one who set
 * it to what he needs would take it from others. */
template <class... P>
spmv_status allow_shared(void (*kernel)(P...), int bytes, const char *what, spmv_error *err)
{
    if (bytes <= 32 << 10) return SPMV_SUCCESS;
    const int most = once(kernel, [=]() {
        cudaFuncAttributes compiled = {};
        int all = 0;
        if (device_has(cudaDevAttrMaxSharedMemoryPerBlockOptin, &all, NULL) != SPMV_SUCCESS)
            return 0;
        cudaError_t code = cudaFuncGetAttributes(&compiled, kernel);
        all -= (int)compiled.sharedSizeBytes;
        if (code == cudaSuccess)
            code = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, all);
        ignore(code);
        return code == cudaSuccess ? all : 0;
    });
    if (bytes <= most) return SPMV_SUCCESS;
    return check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
                 SPMV_ERROR_KERNEL_LAUNCH, what, err);
}

/* Leaves all but `bytes` of the shared memory of a multiprocessor to its cache, for a kernel. */
template <class... P>
void leave_to_cache(void (*kernel)(P...), int bytes)
{
    once(kernel, [=] {
        int all = 0;
        if (device_has(cudaDevAttrMaxSharedMemoryPerMultiprocessor, &all, NULL) != SPMV_SUCCESS)
            return false;
        const cudaError_t code =
            cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                 min(100, bytes / (all / 100) + 1));
        ignore(code);
        return code == cudaSuccess;
    });
}

inline cudaLaunchConfig_t launch_config(unsigned blocks, int block, int64_t bytes,
                                        cudaStream_t stream)
{
    cudaLaunchConfig_t config = {};
    config.gridDim.x = blocks;
    config.blockDim.x = (unsigned)block;
    config.dynamicSmemBytes = (size_t)bytes;
    config.stream = stream;
    return config;
}

/* Enqueues kernel(args...) on `blocks` blocks of `block` threads, each with so many bytes of
 * dynamic_shared.  A check_launch must follow. */
template <class... P, class... A>
void launch_kernel(void (*kernel)(P...), unsigned blocks, int block, int64_t bytes,
                   cudaStream_t stream, A... args)
{
    const cudaLaunchConfig_t config = launch_config(blocks, block, bytes, stream);
    cudaLaunchKernelEx(&config, kernel, args...);
}

/* ---- Programmatic dependent launch -----------------------------------------------------------
 * A kernel begins while the one before it ends, from compute capability 9.0 on; elsewhere it begins
 * after it, as all others do. */

/* Is called in the kernel before: from here on blocks of the dependent kernel may take the room of
 * those that have ended. */
__device__ inline void pdl_trigger()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

/* Is called in the dependent kernel before it touches anything that the kernel before writes. */
__device__ inline void pdl_wait()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
}

/* Says whether the kernel calls pdl_wait as it was compiled for the device in use: code made for
 * an older GPU does not. */
template <class... P>
bool waits(void (*kernel)(P...))
{
    return once(kernel, [=] {
        cudaFuncAttributes compiled = {};
        return cudaFuncGetAttributes(&compiled, kernel) == cudaSuccess && compiled.ptxVersion >= 90;
    });
}

/* Does as launch_kernel, but with `early` the kernel may begin before the one before it has ended.
 * It then calls pdl_wait where it has to, and loads nothing that the one before may write through
 * the read-only path, which is for what does not change while a kernel runs. */
template <class... P, class... A>
void launch_dependent(bool early, void (*kernel)(P...), unsigned blocks, int block, int64_t bytes,
                      cudaStream_t stream, A... args)
{
    cudaLaunchAttribute attribute = {};
    cudaLaunchConfig_t config = launch_config(blocks, block, bytes, stream);
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    config.attrs = &attribute;
    if (early && waits(kernel)) config.numAttrs = 1;
    cudaLaunchKernelEx(&config, kernel, args...);
}

} // namespace spmv
