/* gpu.cu -- one GPU with its stream: memory, copies, waiting and timing. */
#include "cuda/gpu/cuda_errors.cuh"

#include <cstdlib>

using namespace spmv;

struct spmv__gpu {
    int device;
    cudaStream_t stream; /* ordered with the default stream, so that a caller's own work there
                            on vectors that it hands to us needs no further care */
    cudaEvent_t start, stop;
    cudaStream_t side[SPMV__SIDE_STREAMS - 1]; /* NULL until they are wanted */
    cudaEvent_t forked, joined[SPMV__SIDE_STREAMS - 1];
    int sides;          /* that have joined in since the last fork */
    cudaEvent_t passed; /* NULL until others follow */
};

/* ---- Memory from the pool of the device -------------------------------------------------------
 */

/* Memory comes from the default pool of the device, which keeps what is released for the next
 * allocation of this process, since to map memory anew takes CUDA 50 us and 80 us more for each GB.
 * What is allocated otherwise may take it, and it is given back when a context is closed.  Where a
 * device has no pool there is nothing to keep. */
static cudaMemPool_t current_pool()
{
    int device = 0;
    cudaMemPool_t pool = NULL;
    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetDefaultMemPool(&pool, device) != cudaSuccess) {
        cudaGetLastError();
        return NULL;
    }
    return pool;
}

static void keep_released()
{
    uint64_t most = UINT64_MAX;
    const cudaMemPool_t pool = current_pool();
    if (pool != NULL) cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &most);
}

static void give_back_released()
{
    const cudaMemPool_t pool = current_pool();
    if (pool != NULL && cudaStreamSynchronize(0) == cudaSuccess) cudaMemPoolTrimTo(pool, 0);
}

/* Asks for the memory that is free, for so many bytes: if it has less, after what the pool keeps
 * has been given back. */
static cudaError_t free_memory(int64_t wanted, size_t *available, size_t *total)
{
    const cudaError_t code = cudaMemGetInfo(available, total);
    if (code != cudaSuccess || wanted <= (int64_t)*available) return code;
    give_back_released();
    return cudaMemGetInfo(available, total);
}

/* ---- One GPU --------------------------------------------------------------------------------- */

/* Asking for its attributes tells whether this build has code for a device. */
static __global__ void probe() {}

static spmv_status open(spmv__gpu *gpu, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    cudaFuncAttributes attributes;

    SPMV__TRY(spmv__gpu_select(gpu, err));
    SPMV__TRY(check(cudaFuncGetAttributes(&attributes, probe), SPMV_ERROR_NO_DEVICE,
                    "this build has no code for the GPU", err));
    keep_released();
    SPMV__TRY(
        check(cudaStreamCreate(&gpu->stream), SPMV_ERROR_NO_DEVICE, "creating a stream", err));
    SPMV__TRY(check(cudaEventCreate(&gpu->start), SPMV_ERROR_NO_DEVICE, "creating an event", err));
    SPMV__TRY(check(cudaEventCreate(&gpu->stop), SPMV_ERROR_NO_DEVICE, "creating an event", err));
done:
    return st;
}

spmv_status spmv__gpu_open(spmv__gpu **out, int device, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    spmv__gpu *gpu = NULL;
    const int count = spmv_gpu_count();

    *out = NULL;
    if (device < 0 || device >= count)
        return spmv__fail(err, SPMV_ERROR_NO_DEVICE, "there is no GPU %d; there are %d", device,
                          count);
    SPMV__TRY(spmv__alloc(&gpu, 1, sizeof *gpu, "the GPU's stream", err));
    gpu->device = device;
    SPMV__TRY(open(gpu, err));
    *out = gpu;
    gpu = NULL;
done:
    spmv__gpu_close(gpu);
    return st;
}

void spmv__gpu_close(spmv__gpu *gpu)
{
    if (gpu == NULL) return;
    for (int k = 0; k < SPMV__SIDE_STREAMS - 1; k++) {
        if (gpu->joined[k] != NULL) cudaEventDestroy(gpu->joined[k]);
        if (gpu->side[k] != NULL) cudaStreamDestroy(gpu->side[k]);
    }
    if (gpu->forked != NULL) cudaEventDestroy(gpu->forked);
    if (gpu->passed != NULL) cudaEventDestroy(gpu->passed);
    if (gpu->stop != NULL) cudaEventDestroy(gpu->stop);
    if (gpu->start != NULL) cudaEventDestroy(gpu->start);
    if (gpu->stream != NULL) cudaStreamDestroy(gpu->stream);
    if (cudaSetDevice(gpu->device) == cudaSuccess) give_back_released();
    free(gpu);
}

spmv_status spmv__gpu_select(spmv__gpu *gpu, spmv_error *err)
{
    return check(cudaSetDevice(gpu->device), SPMV_ERROR_NO_DEVICE, "selecting the GPU", err);
}

spmv_status spmv__gpu_free_bytes(int64_t *bytes, spmv_error *err)
{
    size_t available = 0, total = 0;
    const spmv_status st = check(free_memory(INT64_MAX, &available, &total), SPMV_ERROR_CUDA_MALLOC,
                                 "asking for the free memory of the GPU", err);
    *bytes = (int64_t)available;
    return st;
}

spmv_status spmv__gpu_fits(int64_t bytes, const char *what, spmv_error *err)
{
    size_t available = 0, total = 0;
    spmv_status st = check(free_memory(bytes, &available, &total), SPMV_ERROR_CUDA_MALLOC,
                           "asking for the free memory of the GPU", err);
    if (st != SPMV_SUCCESS || bytes <= (int64_t)available) return st;
    char needed[SPMV__BYTES_TEXT], left[SPMV__BYTES_TEXT], all[SPMV__BYTES_TEXT];
    return spmv__fail(
        err, SPMV_ERROR_OUT_OF_MEMORY, "%s needs %s on the GPU, which has %s free of %s", what,
        spmv__bytes_text((double)bytes, needed), spmv__bytes_text((double)available, left),
        spmv__bytes_text((double)total, all));
}

/* What is watched is told through no argument, since whoever allocates does not know of it. */
static thread_local int64_t *least_free;

void spmv__gpu_watch(int64_t *least)
{
    least_free = least;
}

void spmv__gpu_look_at_memory(void)
{
    size_t available = 0, total = 0;
    if (least_free == NULL) return;
    if (cudaMemGetInfo(&available, &total) != cudaSuccess)
        cudaGetLastError();
    else if ((int64_t)available < *least_free)
        *least_free = (int64_t)available;
}

/* What is watched does not come from the pool, which takes more than it is asked for.  The default
 * stream orders what comes from there before all that the streams of a context do with it, and what
 * goes back there behind it: cudaFree would not wait for kernels. */
static cudaError_t allocate(void **out, size_t size)
{
    if (least_free != NULL) return cudaMalloc(out, size);
    const cudaError_t code = cudaMallocAsync(out, size, 0);
    if (code == cudaSuccess || current_pool() != NULL) return code;
    cudaGetLastError();
    return cudaMalloc(out, size);
}

static spmv_status cannot_allocate(void **out, int64_t bytes, const char *what, spmv_error *err)
{
    char text[SPMV__BYTES_TEXT];
    cudaGetLastError();
    *out = NULL;
    return spmv__fail(err, SPMV_ERROR_CUDA_MALLOC, "cannot allocate %s on the GPU for %s",
                      spmv__bytes_text((double)bytes, text), what);
}

spmv_status spmv__gpu_alloc(void **out, int64_t bytes, const char *what, spmv_error *err)
{
    *out = NULL;
    if (allocate(out, bytes > 0 ? (size_t)bytes : 1) == cudaSuccess) {
        spmv__gpu_look_at_memory();
        return SPMV_SUCCESS;
    }
    return cannot_allocate(out, bytes, what, err);
}

spmv_status spmv__gpu_alloc_open(void **out, int64_t bytes, const char *what, spmv_error *err)
{
    const size_t size = bytes > 0 ? (size_t)bytes : 1;
    *out = NULL;
    if (cudaMalloc(out, size) != cudaSuccess) return cannot_allocate(out, bytes, what, err);
    spmv__gpu_look_at_memory();
    const spmv_status st =
        check(cudaMemset(*out, 0, size), SPMV_ERROR_CUDA_MALLOC, "clearing memory of the GPU", err);
    if (st == SPMV_SUCCESS) return st;
    spmv__gpu_free(*out);
    *out = NULL;
    return st;
}

void spmv__gpu_free(void *data)
{
    /* Even freeing nothing would start CUDA, which takes a program that stays on the CPU a while.
     */
    if (data == NULL || cudaFreeAsync(data, 0) == cudaSuccess) return;
    cudaGetLastError();
    if (cudaFree(data) != cudaSuccess) cudaGetLastError();
}

static spmv_status copy(spmv__gpu *gpu, void *to, const void *from, int64_t bytes,
                        cudaMemcpyKind kind, const char *what, spmv_error *err)
{
    cudaError_t code = cudaSuccess;
    if (bytes > 0) code = cudaMemcpyAsync(to, from, (size_t)bytes, kind, gpu->stream);
    if (bytes > 0 && code == cudaSuccess) code = cudaStreamSynchronize(gpu->stream);
    return check(code, SPMV_ERROR_CUDA_MEMCPY, what, err);
}

spmv_status spmv__gpu_upload(spmv__gpu *gpu, void *to, const void *from, int64_t bytes,
                             spmv_error *err)
{
    return copy(gpu, to, from, bytes, cudaMemcpyHostToDevice, "copying to the GPU", err);
}

spmv_status spmv__gpu_download(spmv__gpu *gpu, void *to, const void *from, int64_t bytes,
                               spmv_error *err)
{
    return copy(gpu, to, from, bytes, cudaMemcpyDeviceToHost, "copying from the GPU", err);
}

spmv_status spmv__gpu_clear(spmv__gpu *gpu, void *data, int64_t bytes, spmv_error *err)
{
    return check(cudaMemsetAsync(data, 0, (size_t)bytes, gpu->stream), SPMV_ERROR_CUDA_MEMCPY,
                 "clearing memory of the GPU", err);
}

spmv_status spmv__gpu_synchronize(spmv__gpu *gpu, spmv_error *err)
{
    return check(cudaStreamSynchronize(gpu->stream), SPMV_ERROR_KERNEL_LAUNCH,
                 "waiting for the GPU", err);
}

spmv_status spmv__gpu_timer_start(spmv__gpu *gpu, spmv_error *err)
{
    return check(cudaEventRecord(gpu->start, gpu->stream), SPMV_ERROR_KERNEL_LAUNCH,
                 "starting the timer", err);
}

spmv_status spmv__gpu_timer_stop(spmv__gpu *gpu, double *seconds, spmv_error *err)
{
    float ms = 0;
    cudaError_t code = cudaEventRecord(gpu->stop, gpu->stream);
    if (code == cudaSuccess) code = cudaEventSynchronize(gpu->stop);
    if (code == cudaSuccess) code = cudaEventElapsedTime(&ms, gpu->start, gpu->stop);
    *seconds = ms * 1e-3;
    return check(code, SPMV_ERROR_KERNEL_LAUNCH, "running the kernel", err);
}

/* A recording is a graph that CUDA can launch; we only ever see its address. */
static cudaGraphExec_t graph_of(const spmv_recording *recording)
{
    return (cudaGraphExec_t)(void *)recording;
}

spmv_status spmv__gpu_record_begin(spmv__gpu *gpu, spmv_error *err)
{
    return check(cudaStreamBeginCapture(gpu->stream, cudaStreamCaptureModeThreadLocal),
                 SPMV_ERROR_KERNEL_LAUNCH, "recording kernels", err);
}

spmv_status spmv__gpu_record_end(spmv__gpu *gpu, spmv_recording **out, spmv_error *err)
{
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec = NULL;
    cudaError_t code = cudaStreamEndCapture(gpu->stream, &graph);
    if (code == cudaSuccess) code = cudaGraphInstantiate(&exec, graph, 0);
    if (graph != NULL) cudaGraphDestroy(graph);
    *out = (spmv_recording *)(void *)exec;
    return check(code, SPMV_ERROR_KERNEL_LAUNCH, "recording kernels", err);
}

spmv_status spmv__gpu_replay(spmv__gpu *gpu, const spmv_recording *recording, spmv_error *err)
{
    return check(cudaGraphLaunch(graph_of(recording), gpu->stream), SPMV_ERROR_KERNEL_LAUNCH,
                 "replaying kernels", err);
}

void spmv_recording_destroy(spmv_recording *recording)
{
    if (recording != NULL && cudaGraphExecDestroy(graph_of(recording)) != cudaSuccess)
        cudaGetLastError();
}

void *spmv__gpu_stream(spmv__gpu *gpu)
{
    return gpu->stream;
}

/* ---- Side streams ---------------------------------------------------------------------------- */

/* The first of them is the stream itself, and each of the others costs some calls of CUDA: it joins
 * in only when it is asked for. */
spmv_status spmv__gpu_fork(spmv__gpu *gpu, spmv_error *err)
{
    cudaError_t code = cudaSuccess;
    if (gpu->forked == NULL) code = cudaEventCreateWithFlags(&gpu->forked, cudaEventDisableTiming);
    if (code == cudaSuccess) code = cudaEventRecord(gpu->forked, gpu->stream);
    gpu->sides = 0;
    return check(code, SPMV_ERROR_KERNEL_LAUNCH, "forking streams", err);
}

static cudaError_t open_side(spmv__gpu *gpu, int k)
{
    cudaError_t code = cudaSuccess;
    if (gpu->side[k] == NULL) code = cudaStreamCreate(&gpu->side[k]);
    if (code == cudaSuccess && gpu->joined[k] == NULL)
        code = cudaEventCreateWithFlags(&gpu->joined[k], cudaEventDisableTiming);
    if (code == cudaSuccess) code = cudaStreamWaitEvent(gpu->side[k], gpu->forked, 0);
    return code;
}

spmv_status spmv__gpu_side_stream(spmv__gpu *gpu, int number, void **stream, spmv_error *err)
{
    const int k = number % SPMV__SIDE_STREAMS - 1;
    cudaError_t code = cudaSuccess;
    if (k == gpu->sides) code = open_side(gpu, gpu->sides++);
    *stream = k < 0 ? gpu->stream : gpu->side[k];
    return check(code, SPMV_ERROR_KERNEL_LAUNCH, "forking streams", err);
}

spmv_status spmv__gpu_join(spmv__gpu *gpu, spmv_error *err)
{
    cudaError_t code = cudaSuccess;
    for (int k = 0; k < gpu->sides && code == cudaSuccess; k++) {
        code = cudaEventRecord(gpu->joined[k], gpu->side[k]);
        if (code == cudaSuccess) code = cudaStreamWaitEvent(gpu->stream, gpu->joined[k], 0);
    }
    return check(code, SPMV_ERROR_KERNEL_LAUNCH, "joining streams", err);
}

/* ---- Several GPUs ---------------------------------------------------------------------------- */

spmv_status spmv__gpu_follow(spmv__gpu *gpu, spmv__gpu *other, spmv_error *err)
{
    cudaError_t code = cudaSetDevice(other->device);
    if (code == cudaSuccess && other->passed == NULL)
        code = cudaEventCreateWithFlags(&other->passed, cudaEventDisableTiming);
    if (code == cudaSuccess) code = cudaEventRecord(other->passed, other->stream);
    if (code == cudaSuccess) code = cudaSetDevice(gpu->device);
    if (code == cudaSuccess) code = cudaStreamWaitEvent(gpu->stream, other->passed, 0);
    return check(code, SPMV_ERROR_KERNEL_LAUNCH, "ordering the work of GPUs", err);
}

spmv_status spmv__gpu_reach(int device, spmv_error *err)
{
    int current = 0, reachable = 0;
    cudaError_t code = cudaGetDevice(&current);
    if (code == cudaSuccess && current == device) return SPMV_SUCCESS;
    if (code == cudaSuccess) code = cudaDeviceCanAccessPeer(&reachable, current, device);
    if (code == cudaSuccess && !reachable)
        return spmv__fail(err, SPMV_ERROR_NO_DEVICE,
                          "GPU %d cannot reach the memory of GPU %d, so that they cannot work "
                          "together",
                          current, device);
    if (code == cudaSuccess) code = cudaDeviceEnablePeerAccess(device, 0);
    if (code == cudaErrorPeerAccessAlreadyEnabled) {
        cudaGetLastError();
        code = cudaSuccess;
    }
    return check(code, SPMV_ERROR_NO_DEVICE, "reaching the memory of another GPU", err);
}
