/* last_piece.cuh -- who comes last of those that sum pieces of a long row, and adds them up. */
#pragma once

#include "cuda/kernels/csr_merge/csr_merge.cuh"

#include <cuda/atomic>

namespace spmv
{

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

/* Lane 0 of a warp has the sum of a piece, which is kept in *own.  True in lane 0 of the warp that
 * comes last: it has the sum of all n pieces, of which number i was kept in *kept(i). */
template <class S, class F>
__device__ inline bool sum_pieces(merge_long_row *row, int64_t n, F kept, S *own, S &sum)
{
    if (lane_id() == 0) *own = sum;
    if (!is_last_piece(row)) return false;
    sum = {};
#pragma unroll 8
    for (int64_t i = lane_id(); i < n; i += WARP) sum += load_fresh(kept(i));
    sum = sum_lanes(sum, WARP);
    if (lane_id() > 0) return false;
    row->done = 0;
    return true;
}

} // namespace spmv
