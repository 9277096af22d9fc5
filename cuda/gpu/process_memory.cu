/* process_memory.cu -- see process_memory.h. */
#include "cuda/gpu/process_memory.h"
#include "cuda/gpu/cuda_errors.cuh"

#include <cstring>

using namespace spmv;

spmv_status spmv__gpu_name_address(spmv__gpu_address *out, int device, spmv_error *err)
{
    *out = spmv__gpu_address{};
    return check(cudaDeviceGetPCIBusId(out->text, (int)sizeof out->text, device),
                 SPMV_ERROR_NO_DEVICE, "asking for the address of the GPU", err);
}

spmv_status spmv__gpu_export(spmv__gpu_handle *out, void *open, spmv_error *err)
{
    cudaIpcMemHandle_t handle = {};
    static_assert(sizeof handle == sizeof *out, "a handle is handed on as it is");
    const spmv_status st = check(cudaIpcGetMemHandle(&handle, open), SPMV_ERROR_NO_DEVICE,
                                 "opening memory of the GPU to other processes", err);
    memcpy(out, &handle, sizeof handle);
    return st;
}

spmv_status spmv__gpu_import(void **out, const spmv__gpu_handle *handle, spmv_error *err)
{
    cudaIpcMemHandle_t theirs;
    memcpy(&theirs, handle, sizeof theirs);
    *out = NULL;
    return check(cudaIpcOpenMemHandle(out, theirs, cudaIpcMemLazyEnablePeerAccess),
                 SPMV_ERROR_NO_DEVICE, "reaching the memory of a GPU of another process", err);
}

void spmv__gpu_close_import(void *imported)
{
    if (imported != NULL && cudaIpcCloseMemHandle(imported) != cudaSuccess) cudaGetLastError();
}

void spmv__gpu_pin(void *data, int64_t bytes)
{
    if (bytes > 0 && cudaHostRegister(data, (size_t)bytes, cudaHostRegisterDefault) != cudaSuccess)
        cudaGetLastError();
}

void spmv__gpu_unpin(void *data, int64_t bytes)
{
    if (bytes > 0 && cudaHostUnregister(data) != cudaSuccess) cudaGetLastError();
}
