/* cuda_runtime_api.h -- the part of CUDA that says where memory is, see cuda_runtime.h. */
#pragma once

#include "cuda/emulated/cuda_runtime.h"
#include "cuda/emulated/emulated_places.h"

enum cudaMemoryType { cudaMemoryTypeUnregistered, cudaMemoryTypeDevice };
struct cudaPointerAttributes {
    cudaMemoryType type;
    int device;
};
inline cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *of, const void *p)
{
    of->type = p == emulated_of_host ? cudaMemoryTypeUnregistered : cudaMemoryTypeDevice;
    of->device = emulated_owner(p);
    return cudaSuccess;
}
