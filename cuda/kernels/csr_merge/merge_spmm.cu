/* merge_spmm.cu -- CSR and several vectors stored by rows, with the tiles of csr-merge.
 *
 * Idea     a warp takes a tile, as in csr-merge, and brings its columns and values into shared
 *          memory, so that no load of x waits for one of a column.  The elements that one nonzero
 *          meets lie side by side, and as many lanes as hold them take them, in wide loads where
 *          their number and place allow it.  What is left of the warp takes further rows of the
 *          tile, or, when there are fewer rows than that or one is much longer than the others,
 *          further nonzeros of the same ones, whose sums are added with shuffles.  Where rows are
 *          so uneven that some are longer than a tile, sets of lanes take equal shares of the
 *          tile's nonzeros instead, or all lanes one after the other (spmm_shares.cuh).  Of more
 *          vectors than a warp takes, the tile is walked again for the next ones; so it is for each
 *          256 bytes of a row of x where rows are of about one length, and for each 128 where their
 *          columns are scattered, too.  Sums of pieces of long rows go to a workspace
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

constexpr int SOME = 16;  /* vectors of doubles from which on, */
constexpr int MANY = 256; /* or bytes of others beyond which, uneven rows take 16 bytes a lane */

/* Are there tiles of whole rows whose lengths are likely to differ much?  One row that is in pieces
 * for 64 tiles says so, unless nearly all tiles are pieces. */
bool is_uneven(const merge_plan *plan)
{
    return plan->long_rows * 64 > plan->tiles && plan->pieces * 8 < plan->tiles * 7;
}

/* Uneven rows, with N vectors a lane: by tiles where a row of x takes all lanes, else in shares. */
template <int N, class K, class I>
spmv_status enqueue_lanes(const spmv__launch *run, const merge_plan *plan, spmv_error *err)
{
    constexpr int64_t ALL = WARP * N; /* vectors that take all lanes, */
    const spmv_csr *A = &run->A->shape.csr;
    const int64_t rest = run->vectors % ALL; /* or more than half of them */
    if (rest == 0 || rest > ALL / 2)
        return enqueue_spmm<spmm_lane<N, 1, TILE>, K, I, 1>(run, A, A->rows, plan, err);
    return enqueue_spmm<spmm_lane<N, 1, SHARES>, K, I, 1>(run, A, A->rows, plan, err);
}

/* Uneven rows, with 16 or 8 bytes of x per lane and load where they are aligned so. */
template <class K, class I>
spmv_status enqueue_uneven(const spmv__launch *run, const merge_plan *plan, spmv_error *err)
{
    using T = typename K::T;
    constexpr int SIZE = sizeof(T), N = SIZE < 8 ? 8 / SIZE : 1;
    const bool wide = std::is_same_v<T, double> ? run->vectors >= SOME : run->vectors * SIZE > MANY;
    if (wide && is_aligned(run, SIZE, 16)) return enqueue_lanes<16 / SIZE, K, I>(run, plan, err);
    if (is_aligned(run, SIZE, N * SIZE)) return enqueue_lanes<N, K, I>(run, plan, err);
    return enqueue_lanes<1, K, I>(run, plan, err);
}

/* Whole rows, with 16 bytes of x per lane and load where they are aligned so; numbers of 8 bytes
 * twice, where there are many vectors. */
template <class K, class I>
spmv_status enqueue_rows(const spmv__launch *run, const merge_plan *plan, spmv_error *err)
{
    using T = typename K::T;
    constexpr int N = 16 / sizeof(T);
    const spmv_csr *A = &run->A->shape.csr;
    if (!is_aligned(run, sizeof(T), 16))
        return enqueue_spmm<spmm_lane<1, 1>, K, I, 1>(run, A, A->rows, plan, err);
    if constexpr (std::is_same_v<T, double>)
        if (run->vectors >= WARP)
            return enqueue_spmm<spmm_lane<N, 2>, K, I, 1>(run, A, A->rows, plan, err);
    return enqueue_spmm<spmm_lane<N, 1>, K, I, 1>(run, A, A->rows, plan, err);
}

spmv_status launch(const spmv__launch *run, spmv_error *err)
{
    const merge_plan *plan = (const merge_plan *)run->plan;
    spmv_status st = SPMV_SUCCESS;
    by_types(run, [&](auto k) {
        by_index(run->A, [&](auto i) {
            using K = decltype(k);
            using I = decltype(i);
            st = is_uneven(plan) ? enqueue_uneven<K, I>(run, plan, err)
                                 : enqueue_rows<K, I>(run, plan, err);
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

const spmv__gpu_spmm spmv::merge_spmm = {launch, workspace, 0};
