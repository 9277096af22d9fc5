/* sell_rows.cu -- sliced ELLPACK, one thread per sorted row.
 *
 * Idea     ELL for every slice of rows: at step k neighbouring threads read neighbouring entries,
 *          and a row is padded to the longest of its slice only
 * Good at  rows of nearly equal length in every slice, sorted or by nature
 * Bad at   a single enormous row (one thread, and padding for its slice)
 * Traffic  per slot, padding included: value + 4 bytes of column; per nonzero: x; per row: y, and
 *          4 bytes of permutation where rows were sorted; per slice: 2 offsets
 * Result   deterministic: each row is summed in storage order, and stored in its original place
 * Source   Kreutzer, Hager, Wellein, Fehske and Bishop, SISC 36, 2014 */
#include "cuda/kernels/ell_row.cuh"

using namespace spmv;

namespace
{

constexpr int BLOCK = 256;

/* perm is NULL where the rows are in their own order. */
template <class K, class I>
__global__ void sell(int64_t rows, int32_t slice, const int32_t *__restrict__ perm,
                     const I *__restrict__ slice_ptr, const int32_t *__restrict__ col_idx,
                     const typename K::V *__restrict__ val, typename K::S alpha,
                     const typename K::T *x, typename K::S beta, typename K::T *__restrict__ y)
{
    const int64_t i = global_thread();
    if (i >= rows) return;
    const int32_t s = (int32_t)i / slice, lane = (int32_t)i % slice;
    const int64_t begin = slice_ptr[s], width = ((int64_t)slice_ptr[s + 1] - begin) / slice;
    const typename K::S sum = ell_row_sum<K>(slice, width, lane, col_idx + begin, val + begin, x);
    finish(y, perm != nullptr ? perm[i] : i, alpha, sum, beta);
}

spmv_status launch(const spmv__launch *run, spmv_error *err)
{
    const spmv_sell *A = &run->A->shape.sell;
    const int block = run->options->block_size;
    by_types(run, [&](auto k) {
        by_index(run->A, [&](auto i) {
            using K = decltype(k);
            using I = decltype(i);
            launch_kernel(sell<K, I>, blocks_for(A->rows, block), block, 0, run->stream, A->rows,
                          (int32_t)A->slice, A->window > 1 ? A->perm : nullptr,
                          (const I *)A->slice_ptr, A->col_idx, (const typename K::V *)A->val,
                          factor<K>(run->alpha), (const typename K::T *)run->x,
                          factor<K>(run->beta), (typename K::T *)run->y);
        });
    });
    return check_launch("sell", err);
}

} // namespace

extern "C" const spmv__gpu_kernel spmv__sell_kernel = {NULL,  NULL, launch, BLOCK,
                                                       BLOCK, NULL, NULL,   false};
