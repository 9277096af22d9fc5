/* plan.cuh -- what the planning of several kernels shares: searches, sums and calls of CUB. */
#pragma once

#include "cuda/device/arena.cuh"
#include "cuda/device/warp.cuh"

namespace spmv
{

/* Returns the first of n numbers for which before(number) is not true; they are ordered so. */
template <class F>
__device__ inline int64_t partition_point(int64_t n, F before)
{
    int64_t low = 0, high = n;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (before(middle))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns the last of n numbers for which is(number) is true, as it is for those before. */
template <class F>
__device__ inline int64_t last_where(int64_t n, F is)
{
    return partition_point(n, is) - 1;
}

/* Returns the number of bits that hold n. */
inline int bits_of(int64_t n)
{
    int bits = 1;
    while (n >> bits != 0) bits++;
    return bits;
}

/* Returns the type of the vectors that a plan is made for, and the bytes of an element. */
inline spmv_type planned_type(const spmv_gpu_matrix *M, const spmv_kernel_options *options)
{
    const spmv_type type = M->shape.head.type;
    if (options->vector_type != SPMV_PATTERN) return options->vector_type;
    return type == SPMV_PATTERN ? SPMV_F64 : type;
}
inline int planned_size(const spmv_gpu_matrix *M, const spmv_kernel_options *options)
{
    return (int)spmv_type_size(planned_type(M, options));
}

/* Calls enqueue with a number of so many bytes, those of a value. */
template <class F>
void by_size(int64_t size, F enqueue)
{
    size == 16 ? enqueue(int4()) : size == 8 ? enqueue(int2()) : enqueue(int());
}

/* Calls a function of CUB, call(memory, bytes): once to ask how much it needs, and once with it. */
template <class F>
spmv_status with_scratch(arena *s, const char *what, spmv_error *err, F call)
{
    size_t bytes = 0;
    char *memory = NULL;
    spmv_status st;

    SPMV__TRY(check(call(NULL, bytes), SPMV_ERROR_KERNEL_LAUNCH, what, err));
    SPMV__TRY(arena_take(s, &memory, (int64_t)bytes, what, err));
    st = check(call(memory, bytes), SPMV_ERROR_KERNEL_LAUNCH, what, err);
done:
    return st;
}

/* Enqueues replacing each of n numbers, int32_t or int64_t, by the sum of those before it.  With
 * scratch NULL it only says how many bytes of it there must be. */
template <class T>
cudaError_t sum_before(void *scratch, size_t &bytes, T *of, int64_t n, cudaStream_t stream);

/* Enqueues replacing each of n numbers by the sum of those before it; the sum of all comes behind
 * them. */
template <class T>
spmv_status enqueue_exclusive_sum(T *of, int64_t n, spmv__gpu *gpu, arena *s, spmv_error *err)
{
    spmv_status st;
    SPMV__TRY(spmv__gpu_clear(gpu, of + n, sizeof *of, err));
    st = with_scratch(s, "adding up a plan", err, [&](void *memory, size_t &bytes) {
        return sum_before(memory, bytes, of, n + 1, spmv__gpu_stream(gpu));
    });
done:
    return st;
}

/* Does so, and gives the sum of all. */
template <class T>
spmv_status exclusive_sum(T *of, int64_t n, spmv__gpu *gpu, arena *s, T *sum, spmv_error *err)
{
    spmv_status st;
    SPMV__TRY(enqueue_exclusive_sum(of, n, gpu, s, err));
    st = spmv__gpu_download(gpu, sum, of + n, sizeof *sum, err);
done:
    return st;
}

} // namespace spmv
