/* merge_spmm.cu -- CSR and several vectors stored by rows, with the tiles of csr-merge.
 *
 * Idea     a warp takes a tile, as in csr-merge, and brings its columns and values into shared
 *          memory, so that no load of x waits for one of a column.  The elements that one nonzero
 *          meets lie side by side, and as many lanes as hold them take them, in wide loads where
 *          their number and place allow it; what is left of the warp takes further rows of the
 *          tile, or, when there are fewer rows than that or one is much longer than the others,
 *          further nonzeros of the same ones, whose sums are added with shuffles.  Of more vectors
 *          than a warp takes, the tile is walked again for the next ones.  Sums of pieces of long
 *          rows go to a workspace
 * Good at  any distribution of row lengths, any number of vectors
 * Bad at   matrices of a few thousand nonzeros, which make too few tiles to fill a GPU
 * Traffic  per nonzero: value + 4 bytes of column + one row of x; per row: one offset and one row
 *          of y; per tile 8 or 16 bytes; the matrix once for all vectors
 * Result   deterministic: the order of a sum depends on the matrix and the number of vectors
 * Source   Yang, Buluc and Owens, "Design principles for sparse matrix multiplication on the
 *          GPU", Euro-Par 2018 (row splitting and merging, coalesced rows of x) */
#include "cuda/kernels/csr_merge/merge_spmm.cuh"

using namespace spmv;

namespace
{

spmv_status launch(const spmv__launch *run, spmv_error *err)
{
    const spmv_csr *A = &run->A->shape.csr;
    const merge_plan *plan = (const merge_plan *)run->plan;
    spmv_status st = SPMV_SUCCESS;
    by_types(run, [&](auto k) {
        by_index(run->A, [&](auto i) {
            using K = decltype(k);
            using I = decltype(i);
            st = is_wide(run, sizeof(typename K::T))
                     ? enqueue_wide<K, I, 1>(run, A, A->rows, plan, err)
                     : enqueue_spmm<spmm_lane<1, 1>, K, I, 1>(run, A, A->rows, plan, err);
        });
    });
    return st;
}

int64_t workspace(const void *plan, int64_t vectors)
{
    int64_t bytes = ((const merge_plan *)plan)->pieces * (int64_t)sizeof(c128);
    return spmv__product(bytes, vectors, &bytes) ? bytes : INT64_MAX;
}

} // namespace

const spmv__gpu_spmm spmv::merge_spmm = {launch, workspace};
