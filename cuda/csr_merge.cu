/* csr_merge.cu -- CSR, merge path: equal shares of rows + nonzeros for every warp.
 *
 * Idea     merging the list of row ends with the list of nonzeros visits both in the order in which
 *          a serial loop would: take a nonzero, or finish a row.  The path is cut once, between
 *          rows, into tiles of at most as many nonzeros as a warp loads at once and at most 255
 *          rows, however long or empty they are; a longer row is cut into pieces.  A warp marks in
 *          shared memory where in its tile the rows end; each lane sums its neighbouring products
 *          up to the marks, and a segmented scan brings it what lower lanes left open.  Sums of
 *          pieces go to a workspace; the warp that finds all of a row there adds them up, always
 *          in the same order
 * Good at  any distribution of row lengths: power laws, enormous rows, empty rows
 * Bad at   rows of one length, which need neither marks nor a scan
 * Traffic  per nonzero: value + 4 bytes of column + x; per row: one offset and one of y; per tile
 *          8 or 16 bytes
 * Result   deterministic
 * Source   Merrill and Garland, "Merge-based parallel sparse matrix-vector multiplication",
 *          SC 2016; the scan: Blelloch, Heroux and Zagha, CMU-CS-93-173 */
#include "merge_tile.cuh"

using namespace spmv;

namespace
{

constexpr int BLOCK = 128;
constexpr int LARGEST = 2048;  /* entries of a piece of a long row, at most */
constexpr int WARPS = 1 << 13; /* that fill a GPU */

/* The share of one warp. */
template <class S>
struct workspace {
    S sums[MERGE_ROWS + 1]; /* of the rows of the tile */
    merge_marks marks;
};
__device__ inline workspace<double> *shared_workspace(double)
{
    return (workspace<double> *)dynamic_shared;
}
__device__ inline workspace<c128> *shared_workspace(c128)
{
    return (workspace<c128> *)dynamic_shared_pairs;
}

template <class K, class I, class S = typename K::S>
__global__ void __launch_bounds__(1024)
    csr_merge(int64_t tiles, const merge_tile<I> *__restrict__ tile, operand<K, I, int32_t> A,
              S alpha, S beta, typename K::T *__restrict__ y, S *pieces, merge_long_row *long_rows)
{
    const int lane = lane_id();
    const int64_t t = global_thread() / WARP;
    if (t >= tiles) return;
    const merge_tile<I> from = tile[t], to = tile[t + 1];
    if (from.row < 0) {
        finish_piece(pieces, t, sum_piece(A, from.p, to.p), long_rows + ~from.row, alpha, beta, y);
        return;
    }

    const int rows = (int)(end_row(to, long_rows) - from.row);
    workspace<S> *mine = shared_workspace(S()) + threadIdx.x / WARP;
    sum_rows(A, from, to.p, rows, mine->marks, [&](int i, S sum) { mine->sums[i] = sum; });
    for (int i = lane; i < rows; i += WARP) finish(y, from.row + i, alpha, mine->sums[i], beta);
}

template <class K, class I>
spmv_status enqueue(const spmv__launch *run, spmv_error *err)
{
    using T = typename K::T;
    using S = typename K::S;
    const spmv_csr *A = &run->A->shape.csr;
    const operand<K, I, int32_t> device = {(const I *)A->row_ptr, A->col_idx,
                                           (const typename K::V *)A->val, (const T *)run->x};
    const merge_plan *plan = (const merge_plan *)run->plan;
    const int block = run->config->block_size;
    const int bytes = block / WARP * (int)sizeof(workspace<S>);

    const spmv_status st =
        allow_shared(csr_merge<K, I>, bytes, "csr-merge with this block size", err);
    if (st != SPMV_SUCCESS) return st;
    start(csr_merge<K, I>, blocks_for(plan->tiles * WARP, block), block, bytes,
          (cudaStream_t)run->stream, plan->tiles, (const merge_tile<I> *)plan->tile, device,
          factor<K>(run->alpha), factor<K>(run->beta), (T *)run->y, (S *)plan->sums,
          plan->long_row);
    return check_launch("csr-merge", err);
}

spmv_status launch(const spmv__launch *run, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    by_kind(run, [&](auto k) {
        by_index(run->A, [&](auto i) { st = enqueue<decltype(k), decltype(i)>(run, err); });
    });
    return st;
}

/* As long as a GPU stays full with pieces alone. */
int piece_for(int64_t nnz)
{
    int64_t share = nnz / WARPS / MERGE_ROOM * MERGE_ROOM;
    share = share > MERGE_ROOM ? share : MERGE_ROOM;
    return share < LARGEST ? (int)share : LARGEST;
}

spmv_status create_plan(void **out, spmv__gpu *gpu, const spmv_gpu_matrix *A, const spmv_config *,
                        spmv_error *err)
{
    return merge_plan_create((merge_plan **)out, gpu, A, piece_for(A->shape.csr.nnz), err);
}

} // namespace

extern "C" const spmv__gpu_kernel spmv__csr_merge_kernel = {create_plan, merge_plan_destroy, launch,
                                                            BLOCK, &merge_spmm};
