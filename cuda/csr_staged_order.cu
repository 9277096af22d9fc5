/* csr_staged_order.cu -- the entries of csr-staged by column, then by block and column.
 *
 * Entries are numbered block after block.  A sort that keeps the order of what is equal therefore
 * needs the bits of the columns only, and later, when blocks have been joined, those of the blocks.
 */
#include "csr_staged.cuh"

using namespace spmv;

namespace
{

constexpr char ORDER[] = "sorting the entries for csr-staged";
constexpr int BLOCK = 256;

/* One block of threads for each small block. */
__global__ void key_by_column(staged_plan plan, staged_order to,
                              const int32_t *__restrict__ col_idx)
{
    const int64_t b = blockIdx.x, end = plan.block[b + 1].entry;
    for (int64_t p = plan.block[b].entry + threadIdx.x; p < end; p += blockDim.x) {
        to.entry.key[p] = (uint64_t)col_idx[p] << to.block_bits | (uint64_t)b;
        to.entry.value[p] = (int32_t)p;
    }
}

__global__ void key_by_block(staged_order of)
{
    const int64_t i = global_thread();
    if (i >= of.entry.n) return;
    const uint64_t key = of.entry.key[i], small = ((uint64_t)1 << of.block_bits) - 1;
    of.entry.key[i] = (uint64_t)of.joined[key & small] << of.col_bits | key >> of.block_bits;
}

} // namespace

spmv_status spmv::staged_order_by_column(staged_order *out, const staged_plan *plan, spmv__gpu *gpu,
                                         const spmv_csr *A, spmv_error *err)
{
    spmv_status st;
    out->col_bits = bits_of(A->cols);
    out->block_bits = bits_of(plan->blocks);
    SPMV__TRY(pairs_create(&out->entry, A->nnz, ORDER, err));
    SPMV__TRY(device_array(&out->joined, plan->blocks, ORDER, err));
    start(key_by_column, (unsigned)plan->blocks, BLOCK, 0, (cudaStream_t)spmv__gpu_stream(gpu),
          *plan, *out, A->col_idx);
    SPMV__TRY(check_launch(ORDER, err));
    st = pairs_sort(&out->entry, out->block_bits, out->block_bits + out->col_bits, gpu, ORDER, err);
done:
    return st;
}

spmv_status spmv::staged_order_by_block(staged_order *order, const staged_plan *plan,
                                        spmv__gpu *gpu, spmv_error *err)
{
    const int bits = bits_of(plan->blocks);
    spmv_status st;
    start(key_by_block, blocks_for(order->entry.n, BLOCK), BLOCK, 0,
          (cudaStream_t)spmv__gpu_stream(gpu), *order);
    SPMV__TRY(check_launch(ORDER, err));
    st = pairs_sort(&order->entry, order->col_bits, order->col_bits + bits, gpu, ORDER, err);
done:
    return st;
}

void spmv::staged_order_destroy(staged_order *order)
{
    pairs_destroy(&order->entry);
    spmv__gpu_free(order->joined);
    order->joined = NULL;
}
