/* view_arrays.cu -- arrays of indices as others hold them: looked through, and copied into the
 * integers that kernels read.
 *
 * Idea     one thread per element; what is looked for is the smallest or largest of what the
 *          threads find, by atomics on one word
 * Traffic  the array once
 * Result   deterministic */
#include "cuda/kernels/view_arrays.h"
#include "cuda/device/plan.cuh"

#include <cuda_runtime_api.h>

using namespace spmv;

namespace
{

constexpr int BLOCK = 256;
using word = unsigned long long; /* for which CUDA has atomics */

template <class From, class To>
__global__ void copy_indices(int64_t n, const From *__restrict__ from, int base,
                             To *__restrict__ to)
{
    const int64_t i = global_thread();
    if (i < n) to[i] = (To)(from[i] - base);
}

template <class I>
__global__ void find_fall(int64_t n, const I *__restrict__ from, word *place)
{
    const int64_t i = global_thread() + 1;
    if (i < n && from[i] < from[i - 1]) atomicMin(place, (word)i);
}

template <class I>
__global__ void find_outside(int64_t n, const I *__restrict__ from, int base, int64_t count,
                             word *place)
{
    const int64_t i = global_thread();
    if (i < n && (from[i] < base || from[i] - base >= count)) atomicMin(place, (word)i);
}

/* Where a row begins, its first column may be any. */
template <class I>
__global__ void find_unordered(int64_t rows, const I *__restrict__ row_ptr,
                               const int32_t *__restrict__ col_idx, int64_t nnz, word *place)
{
    const int64_t p = global_thread() + 1;
    if (p >= nnz || col_idx[p] > col_idx[p - 1]) return;
    const int64_t r = partition_point(rows, [&](int64_t i) { return row_ptr[i] < p; });
    if (row_ptr[r] != p) atomicMin(place, (word)p);
}

template <class I>
__global__ void longest_loads(int64_t n, const I *__restrict__ row_ptr, volatile word *loads)
{
    const int64_t r = global_thread();
    const word of_row = r + 1 < n ? (word)spmv__row_loads(row_ptr[r], row_ptr[r + 1]) : 0;
    if (of_row > *loads) atomicMax((word *)loads, of_row);
}

/* Calls enqueue(data, blocks) with a pointer of the type that the array has, unless it is empty. */
template <class F>
spmv_status by_bits(const spmv__gpu_indices *from, spmv_error *err, F enqueue)
{
    const unsigned blocks = blocks_for(from->n, BLOCK);
    if (from->n == 0) return SPMV_SUCCESS;
    if (from->bits == 64)
        enqueue((const int64_t *)from->data, blocks);
    else
        enqueue((const int32_t *)from->data, blocks);
    return check_launch("a kernel for arrays of indices", err);
}

/* *found = what enqueue(data, blocks, place) makes of the word at `place`, which is first so. */
template <class F>
spmv_status search(spmv__gpu *gpu, const spmv__gpu_indices *from, int64_t first, int64_t *found,
                   spmv_error *err, F enqueue)
{
    spmv_status st;
    word *place = NULL;
    *found = first;
    SPMV__TRY(device_array(&place, 1, "what is looked for", err));
    SPMV__TRY(spmv__gpu_upload(gpu, place, found, sizeof *place, err));
    SPMV__TRY(
        by_bits(from, err, [&](auto *data, unsigned blocks) { enqueue(data, blocks, place); }));
    SPMV__TRY(spmv__gpu_download(gpu, found, place, sizeof *place, err));
done:
    spmv__gpu_free(place);
    return st;
}

} // namespace

spmv_status spmv__gpu_indices_copy(spmv__gpu *gpu, void *to, int bits,
                                   const spmv__gpu_indices *from, spmv_error *err)
{
    return by_bits(from, err, [&](auto *data, unsigned blocks) {
        using From = std::remove_const_t<std::remove_pointer_t<decltype(data)>>;
        if (bits == 64)
            launch_kernel(copy_indices<From, int64_t>, blocks, BLOCK, 0, spmv__gpu_stream(gpu),
                          from->n, data, from->base, (int64_t *)to);
        else
            launch_kernel(copy_indices<From, int32_t>, blocks, BLOCK, 0, spmv__gpu_stream(gpu),
                          from->n, data, from->base, (int32_t *)to);
    });
}

spmv_status spmv__gpu_indices_get(spmv__gpu *gpu, const spmv__gpu_indices *from, int64_t i,
                                  int64_t *value, spmv_error *err)
{
    int32_t narrow = 0;
    if (from->bits == 64)
        return spmv__gpu_download(gpu, value, (const int64_t *)from->data + i, sizeof *value, err);
    const spmv_status st =
        spmv__gpu_download(gpu, &narrow, (const int32_t *)from->data + i, sizeof narrow, err);
    *value = narrow;
    return st;
}

spmv_status spmv__gpu_indices_find_fall(spmv__gpu *gpu, const spmv__gpu_indices *from,
                                        int64_t *place, spmv_error *err)
{
    return search(gpu, from, from->n, place, err, [&](auto *data, unsigned blocks, word *at) {
        using I = std::remove_const_t<std::remove_pointer_t<decltype(data)>>;
        launch_kernel(find_fall<I>, blocks, BLOCK, 0, spmv__gpu_stream(gpu), from->n, data, at);
    });
}

spmv_status spmv__gpu_indices_find_outside(spmv__gpu *gpu, const spmv__gpu_indices *from,
                                           int64_t count, int64_t *place, spmv_error *err)
{
    return search(gpu, from, from->n, place, err, [&](auto *data, unsigned blocks, word *at) {
        using I = std::remove_const_t<std::remove_pointer_t<decltype(data)>>;
        launch_kernel(find_outside<I>, blocks, BLOCK, 0, spmv__gpu_stream(gpu), from->n, data,
                      from->base, count, at);
    });
}

spmv_status spmv__gpu_indices_find_unordered(spmv__gpu *gpu, const spmv__gpu_indices *row_ptr,
                                             const int32_t *col_idx, int64_t nnz, int64_t *place,
                                             spmv_error *err)
{
    return search(gpu, row_ptr, nnz, place, err, [&](auto *data, unsigned, word *at) {
        using I = std::remove_const_t<std::remove_pointer_t<decltype(data)>>;
        if (nnz > 0)
            launch_kernel(find_unordered<I>, blocks_for(nnz, BLOCK), BLOCK, 0,
                          spmv__gpu_stream(gpu), row_ptr->n - 1, data, col_idx, nnz, at);
    });
}

spmv_status spmv__gpu_array_check(const void *data, const char *name, spmv_error *err)
{
    cudaPointerAttributes of = {};
    int current = 0;
    spmv_status st = SPMV_SUCCESS;
    if (data == NULL) return st;
    SPMV__TRY(check(cudaPointerGetAttributes(&of, data), SPMV_ERROR_INVALID_ARGUMENT,
                    "asking where an array is", err));
    SPMV__TRY(check(cudaGetDevice(&current), SPMV_ERROR_NO_DEVICE, "asking for the device", err));
    if (of.type == cudaMemoryTypeUnregistered)
        st = spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "%s is not in memory of a GPU", name);
    else if (of.type == cudaMemoryTypeDevice && of.device != current)
        st = spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                        "%s is in memory of GPU %d, and the context is of GPU %d", name, of.device,
                        current);
done:
    return st;
}

spmv_status spmv__gpu_indices_longest_loads(spmv__gpu *gpu, const spmv__gpu_indices *row_ptr,
                                            int64_t *loads, spmv_error *err)
{
    return search(gpu, row_ptr, 0, loads, err, [&](auto *data, unsigned blocks, word *at) {
        using I = std::remove_const_t<std::remove_pointer_t<decltype(data)>>;
        launch_kernel(longest_loads<I>, blocks, BLOCK, 0, spmv__gpu_stream(gpu), row_ptr->n, data,
                      at);
    });
}
