/* jds_rows.cu -- jagged diagonals, one thread per sorted row.
 *
 * Idea     rows sorted by falling length: the threads of a warp have nearly equal work, and at
 *          step k they read neighbouring entries of diagonal k
 * Good at  unequal rows without padding
 * Bad at   a single enormous row (one thread); matrices whose neighbouring rows share x, since
 *          the sorting parts them
 * Traffic  per nonzero: value + 4 bytes of column + x; per row: 4 bytes of permutation and y
 * Result   deterministic: each row is summed in storage order, and stored in its original place
 * Source   Saad, "Krylov subspace methods on supercomputers", SISSC 10, 1989 */
#include "cuda/device/warp.cuh"

using namespace spmv;

namespace
{

constexpr int BLOCK = 256;
constexpr int BATCH = 4; /* entries loaded before the first is used */

template <class K, class I>
__global__ void jds(int64_t rows, int64_t diags, const int32_t *__restrict__ perm,
                    const I *__restrict__ diag_ptr, const int32_t *__restrict__ col_idx,
                    const typename K::V *__restrict__ val, typename K::S alpha,
                    const typename K::T *x, typename K::S beta, typename K::T *__restrict__ y)
{
    const int64_t i = global_thread();
    if (i >= rows) return;
    typename K::S sum = {};
    bool more = true;
    for (int64_t k = 0; more && k < diags; k += BATCH) {
        int32_t c[BATCH];
        typename K::V v[BATCH];
#pragma unroll
        for (int u = 0; u < BATCH; u++) {
            /* Diagonals only get shorter: past the first that ends before i there is nothing. */
            const int64_t d = k + u < diags ? k + u : diags - 1;
            const int64_t p = (int64_t)diag_ptr[d] + i;
            more = more && k + u < diags && p < (int64_t)diag_ptr[d + 1];
            c[u] = more ? load_streaming(col_idx + p) : -1;
            if (more) v[u] = load_streaming(val + p);
        }
#pragma unroll
        for (int u = 0; u < BATCH; u++)
            if (c[u] >= 0) sum += widen(v[u]) * load_x<K>(x, c[u]);
    }
    finish(y, perm[i], alpha, sum, beta);
}

spmv_status launch(const spmv__launch *run, spmv_error *err)
{
    const spmv_jds *A = &run->A->shape.jds;
    const int block = run->options->block_size;
    by_types(run, [&](auto k) {
        by_index(run->A, [&](auto i) {
            using K = decltype(k);
            using I = decltype(i);
            launch_kernel(jds<K, I>, blocks_for(A->rows, block), block, 0, run->stream, A->rows,
                          A->diags, A->perm, (const I *)A->diag_ptr, A->col_idx,
                          (const typename K::V *)A->val, factor<K>(run->alpha),
                          (const typename K::T *)run->x, factor<K>(run->beta),
                          (typename K::T *)run->y);
        });
    });
    return check_launch("jds", err);
}

} // namespace

extern "C" const spmv__gpu_kernel spmv__jds_kernel = {NULL,  NULL, launch, BLOCK,
                                                      BLOCK, NULL, NULL,   false};
