/* csr_merge.cuh -- how csr-merge divides a matrix: what its plan makes and its kernel reads. */
#ifndef SPMV_CSR_MERGE_CUH
#define SPMV_CSR_MERGE_CUH

#include "wide.cuh"

#include <cuda/atomic>

namespace spmv
{

constexpr int MERGE_LOADS = 2;                         /* wide loads of each lane for a tile */
constexpr int MERGE_ROOM = MERGE_LOADS * WARP * WIDTH; /* entries that they reach */
constexpr int MERGE_ROWS = 255;                        /* in a tile, at most: counted in bytes */

/* A tile goes up to the next one: whole rows from `row` on, or when row < 0 a piece of long row
 * number ~row.  Its entries begin at p. */
template <class I>
struct merge_tile {
    I row, p;
};

/* A row whose pieces are the tiles first to last; that of tile `first` is number `piece` of all. */
struct merge_long_row {
    int64_t row, first, last, piece;
    unsigned done; /* pieces, during a launch; 0 before and after */
};

/* One past the last row of a tile of whole rows: where the next one begins. */
template <class I>
__device__ inline I end_row(merge_tile<I> next, const merge_long_row *long_rows)
{
    return next.row < 0 ? (I)long_rows[~next.row].row : next.row;
}

/* On the device. */
struct merge_plan {
    int64_t tiles, pieces;
    void *tile;               /* merge_tile<I> [tiles + 1] */
    merge_long_row *long_row; /* [long rows] */
    void *sums;               /* [pieces], with room for complex ones */
};

/* `longest` entries of a tile at most, a multiple of MERGE_ROOM. */
spmv_status merge_plan_create(merge_plan **out, spmv__gpu *gpu, const spmv_gpu_matrix *A,
                              int longest, spmv_error *err);
void merge_plan_destroy(void *plan); /* NULL is fine */

/* Several vectors stored by rows: csr_merge_spmm.cu. */
extern const spmv__gpu_spmm merge_spmm;

/* A piece of a long row is done, its sums, by all lanes, in the workspace.  True in all lanes of
 * the warp that comes last, which finds those of the others there.  Only that one waits for their
 * writes: an acquire empties the cache. */
__device__ inline bool is_last_piece(merge_long_row *row)
{
    using counter = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;
    bool last = false;
    __syncwarp();
    if (lane_id() == 0)
        last =
            counter(row->done).fetch_add(1, cuda::memory_order_release) == row->last - row->first;
    if (!__any_sync(ALL_LANES, last)) return false;
    cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
    return true;
}

} // namespace spmv

#endif
