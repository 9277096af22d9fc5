/* ell_rows.cu -- ELLPACK, one thread per row.
 *
 * Idea     column-major storage: at step k neighbouring threads read neighbouring entries
 * Good at  rows of equal length; there are no offsets to read
 * Bad at   rows of unequal length: padding is stored and read
 * Traffic  per slot, padding included: value + 4 bytes of column; per nonzero: x; per row: y
 * Result   deterministic: each row is summed in storage order
 * Source   Bell and Garland, SC 2009 */
#include "cuda/kernels/ell_row.cuh"

using namespace spmv;

namespace
{

constexpr int BLOCK = 256;

template <class K>
__global__ void ell(int64_t rows, int64_t width, const int32_t *__restrict__ col_idx,
                    const typename K::V *__restrict__ val, typename K::S alpha,
                    const typename K::T *x, typename K::S beta, typename K::T *__restrict__ y)
{
    const int64_t r = global_thread();
    if (r >= rows) return;
    finish(y, r, alpha, ell_row_sum<K>(rows, width, r, col_idx, val, x), beta);
}

spmv_status launch(const spmv__launch *run, spmv_error *err)
{
    const spmv_ell *A = &run->A->shape.ell;
    const int block = run->options->block_size;
    by_kind(run, [&](auto k) {
        using K = decltype(k);
        launch_kernel(ell<K>, blocks_for(A->rows, block), block, 0, run->stream, A->rows, A->width,
                      A->col_idx, (const typename K::V *)A->val, factor<K>(run->alpha),
                      (const typename K::T *)run->x, factor<K>(run->beta), (typename K::T *)run->y);
    });
    return check_launch("ell", err);
}

} // namespace

extern "C" const spmv__gpu_kernel spmv__ell_kernel = {NULL,  NULL, launch, BLOCK,
                                                      BLOCK, NULL, NULL,   false};
