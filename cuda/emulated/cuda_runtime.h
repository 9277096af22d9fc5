/* cuda_runtime.h -- the part of CUDA that the files of cuda/ use, on a CPU.
 *
 * With this header in the place of the real one, the .cu files are ordinary C++ and the GPU tests
 * run anywhere, under AddressSanitizer too.  The threads of a block are fibers of one thread, and
 * blocks run one after the other; a fiber runs until it meets the others at a barrier or a shuffle.
 * So the tests see every index, mask and sum of a kernel, and a barrier or shuffle that not all
 * threads reach ends the program.  What they cannot see: races, the order of memory accesses, the
 * limits of a real launch, and speed.  Threads of the host that drive several GPUs launch and
 * allocate one at a time. */
#pragma once

#include "cuda/emulated/emulated_memory.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <malloc.h>
#include <mutex>
#include <vector>

/* ---- Language ------------------------------------------------------------------------------- */

#define __global__
#define __host__
#define __device__
#define __shared__ thread_local /* one block at a time */
#define __launch_bounds__(...)

struct dim3 {
    unsigned x = 1, y = 1, z = 1;
};
extern dim3 threadIdx, blockIdx, blockDim, gridDim;

struct int2 {
    int x, y;
};
struct float2 {
    float x, y;
};
struct double2 {
    double x, y;
};
struct int4 {
    int x, y, z, w;
};
using std::max;
using std::min;

/* ---- Device code ---------------------------------------------------------------------------- */

void __syncthreads();
void __syncwarp();

/* Returns the votes of the lanes of the warp, one bit each; all must call. */
unsigned emulated_ballot(bool vote);

/* What a thread can show to its warp at once. */
struct emulated_word {
    uint64_t low, high;
};

/* Returns what `word` is in another lane of the warp, which all must call. */
emulated_word emulated_exchange(emulated_word word, int from);

template <class T>
__attribute__((no_sanitize("address", "undefined"))) T emulated_shuffle(T value, int from)
{
    emulated_word word = {};
    static_assert(sizeof value <= sizeof word);
    memcpy(&word, &value, sizeof value);
    word = emulated_exchange(word, from);
    memcpy(&value, &word, sizeof value);
    return value;
}
template <class T>
T __shfl_up_sync(unsigned, T value, int by, int width = 32)
{
    const int lane = (int)(threadIdx.x % 32);
    return emulated_shuffle(value, lane % width < by ? lane : lane - by);
}
template <class T>
T __shfl_down_sync(unsigned, T value, int by, int width = 32)
{
    const int lane = (int)(threadIdx.x % 32);
    return emulated_shuffle(value, lane % width + by >= width ? lane : lane + by);
}

template <class T>
T __shfl_xor_sync(unsigned, T value, int other)
{
    return emulated_shuffle(value, (int)(threadIdx.x % 32) ^ other);
}
template <class T>
T __shfl_sync(unsigned, T value, int from)
{
    return emulated_shuffle(value, from);
}
inline unsigned __ballot_sync(unsigned, bool vote)
{
    return emulated_ballot(vote);
}
inline bool __any_sync(unsigned lanes, bool vote)
{
    return __ballot_sync(lanes, vote) != 0;
}
/* Returns the lanes that show the same. */
unsigned emulated_match(unsigned value);
inline unsigned __match_any_sync(unsigned, unsigned value)
{
    return emulated_match(value);
}
inline int __popc(unsigned v)
{
    return __builtin_popcount(v);
}
inline int __clz(int word)
{
    return word == 0 ? 32 : __builtin_clz((unsigned)word);
}

inline int __popcll(unsigned long long v)
{
    return __builtin_popcountll(v);
}
inline int __ffsll(long long word)
{
    return __builtin_ffsll(word);
}
inline int __ffs(int word)
{
    return __builtin_ffs(word);
}
inline unsigned __umulhi(unsigned a, unsigned b)
{
    return (unsigned)((uint64_t)a * b >> 32);
}

template <class T>
T __ldcs(const T *p)
{
    return *p;
}
template <class T>
T __ldg(const T *p)
{
    return *p;
}
template <class T>
T __ldcg(const T *p)
{
    return *p;
}
template <class T>
T atomicAdd(T *p, T value)
{
    const T old = *p;
    *p += value;
    return old;
}

inline void __threadfence_system() {}

template <class T>
T atomicCAS(T *p, T expected, T value)
{
    const T old = *p;
    if (old == expected) *p = value;
    return old;
}
template <class T>
T atomicOr(T *p, T value)
{
    const T old = *p;
    *p |= value;
    return old;
}
template <class T>
T atomicMax(T *p, T value)
{
    const T old = *p;
    *p = std::max(old, value);
    return old;
}
template <class T>
T atomicMin(T *p, T value)
{
    const T old = *p;
    *p = std::min(old, value);
    return old;
}

/* ---- Runtime: devices that share the memory of the host -------------------------------------- */

enum cudaError_t {
    cudaSuccess,
    cudaErrorMemoryAllocation,
    cudaErrorStreamCaptureUnsupported,
    cudaErrorPeerAccessAlreadyEnabled,
    cudaErrorNotSupported
};
typedef struct CUstream_st *cudaStream_t;
typedef struct emulated_event *cudaEvent_t;
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };
enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize,
    cudaFuncAttributePreferredSharedMemoryCarveout
};
struct cudaFuncAttributes {
    int ptxVersion;
    size_t sharedSizeBytes;
};
enum cudaDeviceAttr {
    cudaDevAttrL2CacheSize,
    cudaDevAttrMaxSharedMemoryPerBlockOptin,
    cudaDevAttrMaxSharedMemoryPerMultiprocessor,
    cudaDevAttrMaxThreadsPerBlock,
    cudaDevAttrMultiProcessorCount,
    cudaDevAttrClockRate,
    cudaDevAttrMemoryClockRate,
    cudaDevAttrGlobalMemoryBusWidth
};
struct cudaDeviceProp {
    char name[256];
    size_t totalGlobalMem;
    int major, minor;
};

/* Says how much the device has of something: $NAME, where a test wants other than the usual. */
long long emulated_number(const char *name, long long usual);

/* Limits of plans, divided by what the test says. */
struct emulated_limit {
    int value;
    operator int() const
    {
        return std::max(1, value / (int)emulated_number("EMULATED_DIVISOR", 1));
    }
};
#define PLAN_LIMIT(name, value) const emulated_limit name = {value}

inline size_t emulated_memory()
{
    return (size_t)emulated_number("EMULATED_MEMORY", (long long)4 << 30);
}

/* A graph is the list of its launches. */
typedef std::vector<std::function<void()>> *cudaGraph_t, *cudaGraphExec_t;
enum cudaStreamCaptureMode { cudaStreamCaptureModeThreadLocal };
extern cudaGraph_t emulated_capture; /* where launches go; NULL: they take place */
extern bool emulated_spoilt;         /* a call came meanwhile that cannot be captured */

/* Is called by what would wait or allocate: it spoils a capture, and says whether there is one. */
inline bool emulated_spoils()
{
    if (emulated_capture != nullptr) emulated_spoilt = true;
    return emulated_capture != nullptr;
}

/* Is called by what works on a stream. */
inline void emulated_work(cudaStream_t stream)
{
    emulated_strays += emulated_only_stream != nullptr && emulated_capture == nullptr &&
                       stream != emulated_only_stream;
}

/* Is called by what waits for a stream; says whether that spoils a capture. */
inline bool emulated_wait()
{
    emulated_waits++;
    return emulated_spoils();
}

extern size_t emulated_taken;            /* bytes that are allocated */
extern thread_local int emulated_device; /* the current one */
void emulated_own(const void *p);        /* memory becomes that of the current device, */
void emulated_disown(const void *p);     /* from which it is released */
int emulated_owner(const void *p);       /* the current device, where it is nobody's */
extern std::mutex emulated_turn;         /* of the thread that launches or allocates */

/* Memory that kernels must write, or must not read, is filled with a pattern that makes NaNs. */
inline cudaError_t cudaMalloc(void **out, size_t size)
{
    if (emulated_spoils()) return cudaErrorStreamCaptureUnsupported;
    const std::lock_guard<std::mutex> turn(emulated_turn);
    const bool fails = emulated_until_failure >= 0 && emulated_until_failure-- == 0;
    *out = nullptr;
    if (fails || size > emulated_memory() || posix_memalign(out, 256, size) != 0)
        return cudaErrorMemoryAllocation;
    emulated_live++;
    emulated_taken += malloc_usable_size(*out);
    memset(*out, 0xff, size);
    emulated_own(*out);
    return cudaSuccess;
}
inline cudaError_t cudaMallocAsync(void **out, size_t size, cudaStream_t stream)
{
    emulated_work(stream);
    return cudaMalloc(out, size);
}
inline cudaError_t cudaFree(void *p)
{
    if (emulated_spoils()) return cudaErrorStreamCaptureUnsupported;
    const std::lock_guard<std::mutex> turn(emulated_turn);
    emulated_live -= p != nullptr;
    emulated_taken -= malloc_usable_size(p);
    emulated_disown(p);
    free(p);
    return cudaSuccess;
}
inline cudaError_t cudaFreeAsync(void *p, cudaStream_t stream)
{
    emulated_work(stream);
    return cudaFree(p);
}
inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size, cudaMemcpyKind,
                                   cudaStream_t stream)
{
    emulated_work(stream);
    if (emulated_spoils()) return cudaErrorStreamCaptureUnsupported;
    memcpy(to, from, size);
    return cudaSuccess;
}
inline cudaError_t cudaMemsetAsync(void *p, int value, size_t size, cudaStream_t stream)
{
    emulated_work(stream);
    if (emulated_capture != nullptr)
        emulated_capture->push_back([=] { memset(p, value, size); });
    else
        memset(p, value, size);
    return cudaSuccess;
}
inline cudaError_t cudaMemset(void *p, int value, size_t size)
{
    if (emulated_spoils()) return cudaErrorStreamCaptureUnsupported;
    memset(p, value, size);
    return cudaSuccess;
}
inline cudaError_t cudaMemGetInfo(size_t *available, size_t *total)
{
    const std::lock_guard<std::mutex> turn(emulated_turn);
    *available = *total = emulated_memory();
    if (emulated_number("EMULATED_TAKES", 0) != 0)
        *available -= std::min(*total, emulated_taken); /* else it stays as free as it was */
    return cudaSuccess;
}
/* The pool of the device keeps nothing. */
typedef struct emulated_pool {
} * cudaMemPool_t;
enum cudaMemPoolAttr { cudaMemPoolAttrReleaseThreshold };
inline cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int)
{
    static emulated_pool the_pool;
    *pool = &the_pool;
    return cudaSuccess;
}
inline cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void *)
{
    return cudaSuccess;
}
inline cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t)
{
    return cudaSuccess;
}
inline cudaError_t cudaGetDeviceCount(int *count)
{
    *count = (int)emulated_number("EMULATED_GPUS", 1);
    return cudaSuccess;
}
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp *out, int)
{
    *out = {"emulated", emulated_memory(), 0, 0};
    return cudaSuccess;
}
/* Little of everything, so that small cases meet what does not fit. */
inline cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr which, int)
{
    const long long shared = emulated_number("EMULATED_SHARED", 37 << 10);
    *value = which == cudaDevAttrMaxSharedMemoryPerBlockOptin       ? (int)shared
             : which == cudaDevAttrMaxSharedMemoryPerMultiprocessor ? (int)shared
             : which == cudaDevAttrMaxThreadsPerBlock               ? 64
             : which == cudaDevAttrMultiProcessorCount
                 ? (int)emulated_number("EMULATED_MULTIPROCESSORS", 2)
                 : 2;
    return cudaSuccess;
}
inline cudaError_t cudaGetDevice(int *device)
{
    *device = emulated_device;
    return cudaSuccess;
}
/* GPUs with numbers that are both even or both odd reach each other, or all of them. */
inline cudaError_t cudaDeviceCanAccessPeer(int *reachable, int device, int peer)
{
    *reachable = emulated_number("EMULATED_APART", 0) == 0 || device % 2 == peer % 2;
    return cudaSuccess;
}
inline cudaError_t cudaDeviceEnablePeerAccess(int, unsigned)
{
    return cudaErrorPeerAccessAlreadyEnabled;
}
/* Processes do not reach each other's emulated memory. */
enum { cudaIpcMemLazyEnablePeerAccess = 1, cudaHostRegisterDefault = 0 };
struct cudaIpcMemHandle_t {
    char reserved[64];
};
inline cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *, void *)
{
    return cudaErrorNotSupported;
}
inline cudaError_t cudaIpcOpenMemHandle(void **, cudaIpcMemHandle_t, unsigned)
{
    return cudaErrorNotSupported;
}
inline cudaError_t cudaIpcCloseMemHandle(void *)
{
    return cudaErrorNotSupported;
}
inline cudaError_t cudaDeviceGetPCIBusId(char *out, int size, int device)
{
    snprintf(out, (size_t)size, "emulated:%02x", (unsigned)device);
    return cudaSuccess;
}
inline cudaError_t cudaHostRegister(void *, size_t, unsigned)
{
    return cudaSuccess;
}
inline cudaError_t cudaHostUnregister(void *)
{
    return cudaSuccess;
}
inline cudaError_t emulated_version(int *version)
{
    *version = 0;
    return cudaSuccess;
}
inline cudaError_t cudaDriverGetVersion(int *version)
{
    return emulated_version(version);
}
inline cudaError_t cudaRuntimeGetVersion(int *version)
{
    return emulated_version(version);
}
inline cudaError_t cudaGetLastError()
{
    return cudaSuccess;
}
inline const char *cudaGetErrorString(cudaError_t code)
{
    return code == cudaErrorNotSupported ? "not emulated"
                                         : "no emulated memory, or none while capturing";
}
inline cudaError_t cudaSetDevice(int device)
{
    emulated_device = device;
    return cudaSuccess;
}

/* Nothing is asynchronous here. */
inline cudaError_t cudaStreamCreate(cudaStream_t *)
{
    return cudaSuccess;
}
enum { cudaStreamDefault, cudaStreamNonBlocking };
inline cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    *least = *greatest = 0;
    return cudaSuccess;
}
inline cudaError_t cudaStreamCreateWithPriority(cudaStream_t *, unsigned, int)
{
    return cudaSuccess;
}
inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t *, unsigned)
{
    return cudaSuccess;
}
inline cudaError_t cudaStreamDestroy(cudaStream_t)
{
    return cudaSuccess;
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    emulated_work(stream);
    if (emulated_wait()) return cudaErrorStreamCaptureUnsupported;
    return cudaSuccess;
}
inline cudaError_t cudaEventCreate(cudaEvent_t *)
{
    return cudaSuccess;
}
enum { cudaEventDisableTiming = 2 };
inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t *, unsigned)
{
    return cudaSuccess;
}
inline cudaError_t cudaEventDestroy(cudaEvent_t)
{
    return cudaSuccess;
}
inline cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t)
{
    return cudaSuccess;
}
inline cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned)
{
    return cudaSuccess;
}
inline cudaError_t cudaEventSynchronize(cudaEvent_t)
{
    if (emulated_wait()) return cudaErrorStreamCaptureUnsupported;
    return cudaSuccess;
}
inline cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t, cudaEvent_t)
{
    *ms = 0.01f; /* so short that benchmarks try graphs, too */
    return cudaSuccess;
}
template <class F>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *, F)
{
    return cudaSuccess;
}
template <class F>
cudaError_t cudaFuncSetAttribute(F, cudaFuncAttribute, int)
{
    return cudaSuccess;
}

enum cudaLaunchAttributeID { cudaLaunchAttributeProgrammaticStreamSerialization };
struct cudaLaunchAttribute {
    cudaLaunchAttributeID id;
    struct {
        int programmaticStreamSerializationAllowed;
    } val;
};
struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute *attrs;
    unsigned numAttrs;
};

/* Run body once for every thread of every block. */
void emulated_launch(const cudaLaunchConfig_t *config, const std::function<void()> &body);

template <class... P, class... A>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(P...), A... args)
{
    emulated_work(config->stream);
    const auto launch = [=, how = *config] { emulated_launch(&how, [=] { kernel(args...); }); };
    if (emulated_capture != nullptr)
        emulated_capture->push_back(launch);
    else
        launch();
    return cudaSuccess;
}
inline cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode)
{
    emulated_capture = new std::vector<std::function<void()>>;
    emulated_spoilt = false;
    return cudaSuccess;
}
inline cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t *out)
{
    *out = emulated_capture;
    emulated_capture = nullptr;
    return emulated_spoilt ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *out, cudaGraph_t graph, unsigned)
{
    *out = new std::vector<std::function<void()>>(*graph);
    return cudaSuccess;
}
inline cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t)
{
    for (const auto &launch : *graph) launch();
    return cudaSuccess;
}
inline cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    delete graph;
    return cudaSuccess;
}
inline cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph)
{
    return cudaGraphDestroy(graph);
}
