/* last_piece.cuh -- who comes last of those that sum pieces of a long row. */
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

} // namespace spmv
