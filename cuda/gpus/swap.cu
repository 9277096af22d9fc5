/* swap.cu -- the kernels of swap.h. */
#include "cuda/gpus/swap.h"
#include "cuda/device/patience.cuh"

using namespace spmv;

namespace
{

constexpr int BLOCK = 256;
constexpr int EACH = 4; /* elements for a thread, where they are few */
constexpr unsigned MOST_BLOCKS = 128;

/* Writes into the memory of all others, one after the other. */
template <class T>
__device__ inline void write_all(const spmv__swap &s, uint32_t product)
{
    for (int k = 0; k < s.peers; k++) {
        const spmv__swap_peer p = s.peer[k];
        if (p.tell_given == nullptr) continue;
        if (threadIdx.x == 0) wait_for(p.taken, product - 1, &s.state->late);
        __syncthreads();
        for (int64_t i = global_thread(); i < p.gives; i += (int64_t)gridDim.x * BLOCK)
            ((T *)p.to)[i] = ((const T *)s.own)[s.give[p.begin + i]];
    }
}

/* The last block tells the others.  It waits for the kernel ahead only at the end, so that what
 * comes behind waits for both. */
template <class T>
__global__ void __launch_bounds__(BLOCK) give(spmv__swap s)
{
    pdl_trigger();
    const uint32_t product = next_of(&s.state->given);
    write_all<T>(s, product);
    __threadfence_system();
    __syncthreads();
    if (threadIdx.x == 0 && atomicAdd(&s.state->blocks, 1u) + 1 == gridDim.x) {
        s.state->blocks = 0;
        count(&s.state->given, product);
        __threadfence_system();
        for (int k = 0; k < s.peers; k++)
            if (s.peer[k].tell_given != nullptr) tell(s.peer[k].tell_given, product);
    }
    pdl_wait();
}

/* One warp waits. */
__global__ void __launch_bounds__(WARP) wait_for_all(spmv__swap s)
{
    pdl_trigger();
    const uint32_t product = next_of(&s.state->awaited);
    for (int k = (int)threadIdx.x; k < s.peers; k += WARP)
        if (s.peer[k].tell_taken != nullptr) wait_for(s.peer[k].given, product, &s.state->late);
    __syncwarp();
    if (threadIdx.x == 0) count(&s.state->awaited, product);
    pdl_wait();
}

/* One warp tells.  The next product begins only now. */
__global__ void __launch_bounds__(WARP) done(spmv__swap s)
{
    pdl_wait();
    pdl_trigger();
    const uint32_t product = next_of(&s.state->done);
    for (int k = (int)threadIdx.x; k < s.peers; k += WARP)
        if (s.peer[k].tell_taken != nullptr) tell(s.peer[k].tell_taken, product);
    __syncwarp();
    if (threadIdx.x == 0) count(&s.state->done, product);
}

unsigned blocks_that_give(const spmv__swap *swap)
{
    return std::min(blocks_for(swap->gives / EACH + 1, BLOCK), MOST_BLOCKS);
}

} // namespace

spmv_status spmv__swap_give(spmv__gpu *gpu, const spmv__swap *swap, spmv_error *err)
{
    const unsigned blocks = blocks_that_give(swap);
    const auto kernel = swap->size == 4   ? give<float>
                        : swap->size == 8 ? give<double>
                                          : give<double2>;
    launch_dependent(true, kernel, blocks, BLOCK, 0, spmv__gpu_stream(gpu), *swap);
    return check_launch("giving elements of x", err);
}

spmv_status spmv__swap_wait(spmv__gpu *gpu, const spmv__swap *swap, spmv_error *err)
{
    launch_dependent(true, wait_for_all, 1, WARP, 0, spmv__gpu_stream(gpu), *swap);
    return check_launch("waiting for elements of x", err);
}

spmv_status spmv__swap_done(spmv__gpu *gpu, const spmv__swap *swap, spmv_error *err)
{
    launch_dependent(true, done, 1, WARP, 0, spmv__gpu_stream(gpu), *swap);
    return check_launch("releasing elements of x", err);
}
