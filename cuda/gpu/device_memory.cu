/* device_memory.cu -- memory of the current GPU: from its pool, or from whoever lends it. */
#include "cuda/gpu/device_memory.h"
#include "cuda/gpu/cuda_errors.cuh"

#include <cuda_runtime_api.h>

using namespace spmv;

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

void spmv__gpu_keep_released(void)
{
    uint64_t most = UINT64_MAX;
    const cudaMemPool_t pool = current_pool();
    if (pool != NULL) ignore(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &most));
}

void spmv__gpu_give_back_released(void)
{
    const cudaMemPool_t pool = current_pool();
    if (pool == NULL) return;
    const cudaError_t code = cudaStreamSynchronize(0);
    ignore(code == cudaSuccess ? cudaMemPoolTrimTo(pool, 0) : code);
}

/* Asks for the memory that is free, for so many bytes: if it has less, after what the pool keeps
 * has been given back, unless the memory is of somebody else. */
static cudaError_t free_memory(int64_t wanted, size_t *available, size_t *total)
{
    const cudaError_t code = cudaMemGetInfo(available, total);
    if (code != cudaSuccess || wanted <= (int64_t)*available || spmv__lender_is_selected())
        return code;
    spmv__gpu_give_back_released();
    return cudaMemGetInfo(available, total);
}

spmv_status spmv__gpu_free_bytes(int64_t *bytes, spmv_error *err)
{
    size_t available = 0, total = 0;
    const spmv_status st = check(free_memory(INT64_MAX, &available, &total), SPMV_ERROR_CUDA_MALLOC,
                                 "asking for the free memory of the GPU", err);
    *bytes = (int64_t)available;
    return st;
}

spmv_status spmv__gpu_left(int64_t *bytes, spmv_error *err)
{
    *bytes = INT64_MAX;
    return spmv__lender_is_selected() ? SPMV_SUCCESS : spmv__gpu_free_bytes(bytes, err);
}

spmv_status spmv__gpu_fits(int64_t bytes, const char *what, spmv_error *err)
{
    size_t available = 0, total = 0;
    if (spmv__lender_is_selected()) return SPMV_SUCCESS;
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

void spmv__gpu_unwatch(const int64_t *least)
{
    if (least_free == least) least_free = NULL;
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

static void *take_from_pool(int64_t bytes, void *stream, void *)
{
    void *data = NULL;
    if (cudaMallocAsync(&data, (size_t)bytes, (cudaStream_t)stream) == cudaSuccess) return data;
    cudaGetLastError();
    return NULL;
}

static void give_to_pool(void *data, int64_t, void *stream, void *)
{
    ignore(cudaFreeAsync(data, (cudaStream_t)stream));
}

void spmv__gpu_lend_from_pool(spmv__lender *lender)
{
    lender->allocator = {take_from_pool, give_to_pool, NULL};
}

spmv_status spmv__gpu_alloc(void **out, int64_t bytes, const char *what, spmv_error *err)
{
    const int64_t size = bytes > 0 ? bytes : 1;
    *out = NULL;
    if (spmv__lender_is_selected())
        spmv__lender_allocate(out, size);
    else if (allocate(out, (size_t)size) != cudaSuccess)
        *out = NULL;
    if (*out != NULL) {
        spmv__gpu_look_at_memory();
        return SPMV_SUCCESS;
    }
    return cannot_allocate(out, bytes, what, err);
}

spmv_status spmv__gpu_alloc_apart(void **out, int64_t bytes, const char *what, spmv_error *err)
{
    *out = NULL;
    if (cudaMalloc(out, (size_t)bytes) != cudaSuccess)
        return cannot_allocate(out, bytes, what, err);
    spmv__gpu_look_at_memory();
    return SPMV_SUCCESS;
}

namespace
{

/* Has the GPU that memory is of selected, and then the one that was. */
struct owner_selected {
    int before = 0;
    bool changed = false;

    explicit owner_selected(const void *data)
    {
        cudaPointerAttributes of = {};
        if (cudaGetDevice(&before) != cudaSuccess ||
            cudaPointerGetAttributes(&of, data) != cudaSuccess)
            cudaGetLastError();
        else
            changed = of.device != before && cudaSetDevice(of.device) == cudaSuccess;
    }
    ~owner_selected()
    {
        if (changed) ignore(cudaSetDevice(before));
    }
};

} // namespace

void spmv__gpu_free(void *data)
{
    /* Even freeing nothing would start CUDA, which takes a program that stays on the CPU a while.
     */
    if (data == NULL) return;
    const owner_selected owner(data);
    if (spmv__lender_release(data) || cudaFreeAsync(data, 0) == cudaSuccess) return;
    cudaGetLastError();
    ignore(cudaFree(data));
}
