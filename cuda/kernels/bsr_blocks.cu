/* bsr_blocks.cu -- dense blocks, one thread per row.
 *
 * Idea     the rows of a block lie side by side in each of its columns: their threads read
 *          neighbouring values and the same element of x, and a column index serves the whole block
 * Good at  several unknowns at one place, dense blocks at random places
 * Bad at   blocks with few entries; rows of very different lengths
 * Traffic  per place of a block, entry or not: value and 1 bit; per block: 4 bytes of column, and x
 *          of its columns; per row: y; per group of rows: 2 offsets
 * Result   deterministic: each row is summed in the order of its columns
 * Source   the format: Saad, Iterative Methods for Sparse Linear Systems, 2003, section 3.4 */
#include "cuda/device/warp.cuh"

using namespace spmv;

namespace
{

constexpr int BLOCK = 128;

/* Returns whether all places of a block are entries; `last` are the bits of its last word. */
__device__ inline bool is_full(const int32_t *__restrict__ mask, int words, uint32_t last)
{
    for (int w = 0; w + 1 < words; w++)
        if (mask[w] != -1) return false;
    return (uint32_t)mask[words - 1] == last;
}

/* The blocks have `size` rows and columns; 0: A has `any` of them. */
template <class K, class I, int SIZE>
__global__ void bsr(int64_t rows, int any, const I *__restrict__ row_ptr,
                    const int32_t *__restrict__ col_idx, const int32_t *__restrict__ mask,
                    const typename K::V *__restrict__ val, typename K::S alpha,
                    const typename K::T *x, typename K::S beta, typename K::T *__restrict__ y)
{
    const int size = SIZE > 0 ? SIZE : any, words = (size * size + 31) / 32;
    const uint32_t last = 0xffffffffu >> (31 - (size * size - 1) % 32);
    const int64_t r = global_thread();
    if (r >= rows) return;
    const int64_t g = r / size, end = row_ptr[g + 1];
    const int i = (int)(r - g * size);
    typename K::S sum = {};
    for (int64_t k = row_ptr[g]; k < end; k++) {
        const int64_t c = (int64_t)col_idx[k] * size;
        const int32_t *bits = mask + k * words;
        const typename K::V *values = val + k * size * size + i;
        const bool full = is_full(bits, words, last);
#pragma unroll(SIZE > 0 ? SIZE : 4)
        for (int j = 0; j < size; j++) {
            const int place = j * size + i;
            if (full || ((uint32_t)bits[place / 32] >> place % 32 & 1) != 0)
                sum += widen(load_streaming(values + j * size)) * load_x<K>(x, c + j);
        }
    }
    finish(y, r, alpha, sum, beta);
}

template <int SIZE>
void enqueue(const spmv__launch *run)
{
    const spmv_bsr *A = &run->A->shape.bsr;
    const int block = run->options->block_size;
    by_types(run, [&](auto kind) {
        by_index(run->A, [&](auto index) {
            using K = decltype(kind);
            using I = decltype(index);
            launch_kernel(bsr<K, I, SIZE>, blocks_for(A->rows, block), block, 0, run->stream,
                          A->rows, (int)A->block, (const I *)A->row_ptr, A->col_idx, A->mask,
                          (const typename K::V *)A->val, factor<K>(run->alpha),
                          (const typename K::T *)run->x, factor<K>(run->beta),
                          (typename K::T *)run->y);
        });
    });
}

spmv_status launch(const spmv__launch *run, spmv_error *err)
{
    const int64_t size = run->A->shape.bsr.block;
    if (size == 2)
        enqueue<2>(run);
    else if (size == 3)
        enqueue<3>(run);
    else if (size == 4)
        enqueue<4>(run);
    else if (size == 8)
        enqueue<8>(run);
    else
        enqueue<0>(run);
    return check_launch("bsr", err);
}

} // namespace

extern "C" const spmv__gpu_kernel spmv__bsr_kernel = {NULL,  NULL, launch, BLOCK,
                                                      BLOCK, NULL, NULL,   false};
