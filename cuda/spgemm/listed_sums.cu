/* listed_sums.cu -- the values of C from lists of products.
 *
 * A thread adds up one entry of C, in the order of its list.  Since lists are of very different
 * lengths, the threads of a block load and multiply the products of all their lists together, as
 * many as shared memory holds at a time, and only the adding up is left to each.  Where twins share
 * lists, which are short then, a thread goes through one by itself. */
#include "cuda/device/warp.cuh"
#include "cuda/spgemm/product_lists.cuh"

using namespace spmv;

constexpr int SUMS_BLOCK = 256; /* threads */
constexpr int STAGED = 2048;    /* products in shared memory */

template <class K>
static __global__ void __launch_bounds__(SUMS_BLOCK)
    sum(csr_rows A, csr_rows B, spmv__product_lists lists, product_rows C)
{
    using S = typename K::sum;
    alignas(16) __shared__ double2 memory[STAGED * sizeof(S) / sizeof(double2)];
    S *staged = (S *)memory;
    const int64_t first = (int64_t)blockIdx.x * blockDim.x, k = first + threadIdx.x;
    const int stop = lists.start[min((int64_t)lists.entries, first + blockDim.x)];
    const bool there = k < lists.entries;
    const int end = there ? lists.start[k + 1] : stop;
    int own = there ? lists.start[k] : stop;
    S total = {};
    for (int begin = lists.start[first]; begin < stop; begin += min(STAGED, stop - begin)) {
        const int behind = begin + min(STAGED, stop - begin);
#pragma unroll 4
        for (int t = begin + (int)threadIdx.x; t < behind; t += (int)blockDim.x) {
            const listed_product p = lists.product[t];
            staged[t - begin] = product<K>(K::left(A, p.a), B, p.b);
        }
        __syncthreads();
        for (; own < min(end, behind); own++) total += staged[own - begin];
        __syncthreads();
    }
    if (there) put_sum(C, k, total);
}

/* ---- Twins ----------------------------------------------------------------------------------- */

template <class K>
static __global__ void __launch_bounds__(SUMS_BLOCK)
    sum_twins(csr_rows A, csr_rows B, spmv__product_lists lists, product_rows C)
{
    const int64_t k = global_thread();
    if (k >= lists.entries) return;
    const listed_place place = lists.place[k];
    const int length = (int)(offset(A, place.row + 1) - offset(A, place.row));
    typename K::sum total[TWINS_LISTED] = {};
    int count = 1;
    while (count < TWINS_LISTED && place.row + count < A.rows && is_twin(A, place.row + count))
        count++;
    for (int t = lists.start[k], end = lists.start[k + 1]; t < end; t++) {
        const listed_product p = lists.product[t];
        const typename K::factor right = K::right(B, p.b);
#pragma unroll
        for (int r = 0; r < TWINS_LISTED; r++)
            if (r < count) total[r] += K::times(K::left(A, (int64_t)p.a + r * length), right, B);
    }
    for (int r = 0; r < count; r++)
        put_sum(C, offset(C.offsets, place.row + r) + place.offset, total[r]);
}

spmv_status spmv__product_lists_enqueue(const spmv__product_lists *lists,
                                        const spmv__gpu_product *p, void *val, spmv__gpu *gpu,
                                        spmv_error *err)
{
    csr_rows A = rows_of(p->A);
    const csr_rows B = rows_beside(A, p->B);
    product_rows C = {};
    C.offsets = offsets_of(p);
    C.val = val;
    C.type = p->type;
    A.twin = p->twin_a;
    by_product(B.type, p->type, [&](auto kind) {
        using K = decltype(kind);
        if constexpr (!K::PLACES)
            launch_kernel(lists->twins ? sum_twins<K> : sum<K>,
                          blocks_for(lists->entries, SUMS_BLOCK), SUMS_BLOCK, 0,
                          spmv__gpu_stream(gpu), A, B, *lists, C);
    });
    return check_launch("adding up lists of products", err);
}
