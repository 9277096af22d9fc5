/* product_offsets.cu -- the row offsets of C, from the entries of its rows. */
#include "cuda/device/plan.cuh"
#include "cuda/spgemm/product_memory.cuh"

#include <cstring>

namespace spmv
{

constexpr int COPY_BLOCK = 256;

template <class F, class T>
static __global__ void copy(const F *from, T *to, int64_t n)
{
    if (global_thread() < n) to[global_thread()] = (T)from[global_thread()];
}

template <class F, class T>
static spmv_status copy_numbers(const F *from, T *to, int64_t n, spmv__gpu *gpu, spmv_error *err)
{
    launch_kernel(copy<F, T>, blocks_for(n, COPY_BLOCK), COPY_BLOCK, 0, spmv__gpu_stream(gpu), from,
                  to, n);
    return check_launch("copying row offsets", err);
}

spmv_status add_up_counts(spmv__gpu_product *p, spmv__gpu *gpu, spmv_error *err)
{
    const int64_t rows = p->A->shape.head.rows;
    arena *scratch = &memory_of(p)->rows;
    spmv_status st;
    SPMV__TRY(take_offsets(p, err));
    if (p->narrow) return enqueue_exclusive_sum((int32_t *)p->row_ptr, rows, gpu, scratch, err);
    SPMV__TRY(copy_numbers(p->row_counts, (int64_t *)p->row_ptr, rows, gpu, err));
    st = enqueue_exclusive_sum((int64_t *)p->row_ptr, rows, gpu, scratch, err);
done:
    return st;
}

} // namespace spmv

using namespace spmv;

spmv_status spmv__gpu_product_offsets(const spmv__gpu_product *p, void *row_ptr, bool narrow,
                                      spmv__gpu *gpu, spmv_error *err)
{
    const int64_t n = p->A->shape.head.rows + 1;
    const int32_t *in_32 = (const int32_t *)p->row_ptr;
    const int64_t *in_64 = (const int64_t *)p->row_ptr;
    int32_t *to_32 = (int32_t *)row_ptr;
    int64_t *to_64 = (int64_t *)row_ptr;
    if (p->narrow)
        return narrow ? copy_numbers(in_32, to_32, n, gpu, err)
                      : copy_numbers(in_32, to_64, n, gpu, err);
    return narrow ? copy_numbers(in_64, to_32, n, gpu, err)
                  : copy_numbers(in_64, to_64, n, gpu, err);
}

/* Narrow offsets lie behind those that they become, which come up with them at the last one. */
spmv_status spmv__gpu_product_download(const spmv__gpu_product *p, int64_t *row_ptr, spmv__gpu *gpu,
                                       spmv_error *err)
{
    const int64_t n = p->A->shape.head.rows + 1;
    const int64_t bytes = n * (int64_t)(p->narrow ? sizeof(int32_t) : sizeof(int64_t));
    char *to = (char *)(row_ptr + n) - bytes;
    spmv_status st;
    SPMV__TRY(spmv__gpu_download(gpu, to, p->row_ptr, bytes, err));
    for (int64_t i = 0; p->narrow && i < n; i++) {
        int32_t offset;
        memcpy(&offset, to + i * (int64_t)sizeof offset, sizeof offset);
        row_ptr[i] = offset;
    }
done:
    return st;
}
