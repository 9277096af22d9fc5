/* csr_scalar.cu -- CSR, one thread per row.
 *
 * Idea     each thread walks its row; nothing is shared between threads
 * Good at  very short rows of equal length
 * Bad at   rows of more than a few entries: neighbouring threads read far apart; skewed rows
 * Traffic  per nonzero: value + 4 bytes of column + x; per row: one offset and one of y
 * Result   deterministic: each row is summed in storage order
 * Source   Bell and Garland, "Implementing sparse matrix-vector multiplication on
 *          throughput-oriented processors", SC 2009 */
#include "cuda/device/prefetch.cuh"

using namespace spmv;

namespace
{

constexpr int BLOCK = 256;

template <class K, class I>
__global__ void
csr_scalar(int64_t rows, const I *__restrict__ row_ptr, const int32_t *__restrict__ col_idx,
           const typename K::V *__restrict__ val, typename K::S alpha, const typename K::T *x,
           typename K::S beta, typename K::T *__restrict__ y, l2_lines lines)
{
    const int64_t r = global_thread();
    pdl_trigger();
    const I begin = r < rows ? row_ptr[r] : 0, end = r < rows ? row_ptr[r + 1] : 0;
    prefetch_l2(lines, row_ptr, col_idx, val, x);
    pdl_wait();
    if (r >= rows) return;
    typename K::S sum = {};
    for (I p = begin; p < end; p++) sum += widen(val[p]) * load_x<K>(x, col_idx[p]);
    finish(y, r, alpha, sum, beta);
}

spmv_status launch(const spmv__launch *run, spmv_error *err)
{
    const spmv_csr *A = &run->A->shape.csr;
    const int block = run->options->block_size;
    by_kind(run, [&](auto k) {
        by_index(run->A, [&](auto i) {
            using K = decltype(k);
            using I = decltype(i);
            launch_dependent(
                !K::READONLY && !run->A->awaited, csr_scalar<K, I>, blocks_for(A->rows, block),
                block, 0, run->stream, A->rows, (const I *)A->row_ptr, A->col_idx,
                (const typename K::V *)A->val, factor<K>(run->alpha), (const typename K::T *)run->x,
                factor<K>(run->beta), (typename K::T *)run->y, lines_ahead(bytes_read_by<K, I>(A)));
        });
    });
    return check_launch("csr-scalar", err);
}

} // namespace

extern "C" const spmv__gpu_kernel spmv__csr_scalar_kernel = {NULL,  NULL, launch, BLOCK,
                                                             BLOCK, NULL, NULL,   true};
