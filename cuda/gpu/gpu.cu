/* gpu.cu -- one GPU with its stream: copies, waiting and timing. */
#include "cuda/gpu/cuda_errors.cuh"
#include "cuda/gpu/device_memory.h"

#include <cstdlib>

using namespace spmv;

struct spmv__gpu {
    int device;
    cudaStream_t stream; /* ordered with the default stream, so that a caller's own work there
                            on vectors that it hands to us needs no further care; or the caller's */
    bool of_caller;      /* which then stays, and */
    spmv__lender lender; /* gives memory */
    cudaEvent_t start, stop;
    cudaStream_t side[SPMV__SIDE_STREAMS - 1]; /* NULL until they are wanted */
    cudaEvent_t forked, joined[SPMV__SIDE_STREAMS - 1];
    int sides;             /* that have joined in since the last fork */
    cudaEvent_t passed;    /* NULL until others follow */
    cudaStream_t recorder; /* NULL until something is recorded */
    cudaStream_t usual;    /* what the stream is otherwise, while something is recorded for */
    spmv__gpu *recording;  /* that one: itself, or one that it follows; else NULL */
    spmv__gpu *also;       /* the next one whose work the same recording holds */
};

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
    if (!gpu->of_caller) {
        spmv__gpu_keep_released();
        SPMV__TRY(
            check(cudaStreamCreate(&gpu->stream), SPMV_ERROR_NO_DEVICE, "creating a stream", err));
    }
    SPMV__TRY(check(cudaEventCreate(&gpu->start), SPMV_ERROR_NO_DEVICE, "creating an event", err));
    SPMV__TRY(check(cudaEventCreate(&gpu->stop), SPMV_ERROR_NO_DEVICE, "creating an event", err));
done:
    return st;
}

spmv_status spmv__gpu_open(spmv__gpu **out, int device, const spmv__lender *lender, spmv_error *err)
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
    gpu->of_caller = lender != NULL;
    if (lender != NULL) {
        gpu->lender = *lender;
        gpu->stream = (cudaStream_t)lender->stream;
        if (lender->allocator.allocate == NULL) spmv__gpu_lend_from_pool(&gpu->lender);
    }
    SPMV__TRY(open(gpu, err));
    *out = gpu;
    gpu = NULL;
done:
    spmv__gpu_close(gpu);
    return st;
}

static void drop_recording(spmv__gpu *gpu);

void spmv__gpu_close(spmv__gpu *gpu)
{
    if (gpu == NULL) return;
    drop_recording(gpu);
    for (int k = 0; k < SPMV__SIDE_STREAMS - 1; k++) {
        if (gpu->joined[k] != NULL) ignore(cudaEventDestroy(gpu->joined[k]));
        if (gpu->side[k] != NULL) ignore(cudaStreamDestroy(gpu->side[k]));
    }
    if (gpu->recorder != NULL) ignore(cudaStreamDestroy(gpu->recorder));
    if (gpu->forked != NULL) ignore(cudaEventDestroy(gpu->forked));
    if (gpu->passed != NULL) ignore(cudaEventDestroy(gpu->passed));
    if (gpu->stop != NULL) ignore(cudaEventDestroy(gpu->stop));
    if (gpu->start != NULL) ignore(cudaEventDestroy(gpu->start));
    if (!gpu->of_caller) {
        if (gpu->stream != NULL) ignore(cudaStreamDestroy(gpu->stream));
        if (cudaSetDevice(gpu->device) == cudaSuccess) spmv__gpu_give_back_released();
    }
    free(gpu);
}

spmv_status spmv__gpu_select(spmv__gpu *gpu, spmv_error *err)
{
    spmv__lender_select(gpu->of_caller ? &gpu->lender : NULL);
    return check(cudaSetDevice(gpu->device), SPMV_ERROR_NO_DEVICE, "selecting the GPU", err);
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

/* What is recorded is enqueued on a stream of its own, which is not ordered with the default
 * stream: that one cannot be recorded, and whatever another thread enqueued there meanwhile, such
 * as taking memory, would spoil the recording of a stream that is. */
static cudaError_t enter_recording(spmv__gpu *gpu, spmv__gpu *recording)
{
    cudaError_t code = cudaSuccess;
    if (gpu->recorder == NULL)
        code = cudaStreamCreateWithFlags(&gpu->recorder, cudaStreamNonBlocking);
    if (code != cudaSuccess) return code;
    gpu->usual = gpu->stream;
    gpu->stream = gpu->recorder;
    gpu->recording = recording;
    if (gpu != recording) {
        gpu->also = recording->also;
        recording->also = gpu;
    }
    return code;
}

/* All that it holds work of go back to their usual streams. */
static void leave_recording(spmv__gpu *recording)
{
    for (spmv__gpu *gpu = recording, *next; gpu != NULL; gpu = next) {
        next = gpu->also;
        gpu->stream = gpu->usual;
        gpu->recording = gpu->also = NULL;
    }
}

/* It is closed: what is recorded on it, or with it, is of no use. */
static void drop_recording(spmv__gpu *gpu)
{
    cudaGraph_t graph = NULL;
    if (gpu->recording == NULL) return;
    ignore(cudaStreamEndCapture(gpu->recording->stream, &graph));
    if (graph != NULL) ignore(cudaGraphDestroy(graph));
    leave_recording(gpu->recording);
}

spmv_status spmv__gpu_record_begin(spmv__gpu *gpu, spmv_error *err)
{
    cudaError_t code = cudaErrorStreamCaptureUnsupported;
    if (gpu->recording == NULL) code = enter_recording(gpu, gpu);
    if (code == cudaSuccess) {
        code = cudaStreamBeginCapture(gpu->stream, cudaStreamCaptureModeThreadLocal);
        if (code != cudaSuccess) leave_recording(gpu);
    }
    return check(code, SPMV_ERROR_KERNEL_LAUNCH, "recording kernels", err);
}

spmv_status spmv__gpu_record_end(spmv__gpu *gpu, spmv_recording **out, spmv_error *err)
{
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec = NULL;
    cudaError_t code = cudaStreamEndCapture(gpu->stream, &graph);
    leave_recording(gpu);
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

struct CUstream_st *spmv__gpu_stream(spmv__gpu *gpu)
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

static cudaError_t create_side(spmv__gpu *gpu, int k)
{
    int least = 0, greatest = 0;
    const cudaError_t code = cudaDeviceGetStreamPriorityRange(&least, &greatest);
    if (code != cudaSuccess) return code;
    return cudaStreamCreateWithPriority(&gpu->side[k], cudaStreamNonBlocking, greatest);
}

static cudaError_t open_side(spmv__gpu *gpu, int k)
{
    cudaError_t code = cudaSuccess;
    if (gpu->side[k] == NULL) code = create_side(gpu, k);
    if (code == cudaSuccess && gpu->joined[k] == NULL)
        code = cudaEventCreateWithFlags(&gpu->joined[k], cudaEventDisableTiming);
    if (code == cudaSuccess) code = cudaStreamWaitEvent(gpu->side[k], gpu->forked, 0);
    return code;
}

spmv_status spmv__gpu_side_stream(spmv__gpu *gpu, int number, void **stream, spmv_error *err)
{
    const int k = number > 0 ? (number - 1) % (SPMV__SIDE_STREAMS - 1) : -1;
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
    if (code == cudaSuccess && other->recording != NULL && gpu->recording == NULL)
        code = enter_recording(gpu, other->recording);
    if (code == cudaSuccess) code = cudaStreamWaitEvent(gpu->stream, other->passed, 0);
    return check(code, SPMV_ERROR_KERNEL_LAUNCH, "ordering the work of GPUs", err);
}

spmv_status spmv__gpu_reach(int device, bool *apart, spmv_error *err)
{
    int current = 0, reachable = 0;
    cudaError_t code = cudaGetDevice(&current);
    if (code == cudaSuccess && current == device) return SPMV_SUCCESS;
    if (code == cudaSuccess) code = cudaDeviceCanAccessPeer(&reachable, current, device);
    if (code == cudaSuccess && !reachable) {
        *apart = true;
        return SPMV_SUCCESS;
    }
    if (code == cudaSuccess) code = cudaDeviceEnablePeerAccess(device, 0);
    if (code == cudaErrorPeerAccessAlreadyEnabled) {
        cudaGetLastError();
        code = cudaSuccess;
    }
    return check(code, SPMV_ERROR_NO_DEVICE, "reaching the memory of another GPU", err);
}

spmv_status spmv__gpu_alloc_open(spmv__gpu *gpu, void **out, int64_t bytes, const char *what,
                                 spmv_error *err)
{
    const int64_t size = bytes > 0 ? bytes : 1;
    spmv_status st = spmv__gpu_alloc_apart(out, size, what, err);
    if (st != SPMV_SUCCESS) return st;
    st = spmv__gpu_clear(gpu, *out, size, err);
    if (st == SPMV_SUCCESS) st = spmv__gpu_synchronize(gpu, err); /* others write there */
    if (st == SPMV_SUCCESS) return st;
    spmv__gpu_free(*out);
    *out = NULL;
    return st;
}
