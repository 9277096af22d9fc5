/* move_elements.cu -- the kernels of move_elements.h. */
#include "cuda/comm/move_elements.h"
#include "cuda/device/warp.cuh"
#include "cuda/gpu/cuda_errors.cuh"

using namespace spmv;

namespace
{

constexpr int BLOCK = 256;
constexpr int EACH = 4; /* elements for a thread, where they are few */
constexpr unsigned MOST_BLOCKS = 1024;

template <class T>
__global__ void __launch_bounds__(BLOCK) move(spmv__element_moves m, const void *x, void *to)
{
    for (int64_t i = global_thread(); i < m.n; i += (int64_t)gridDim.x * BLOCK)
        ((T *)to)[m.place != nullptr ? m.place[i] : i] = ((const T *)x)[m.from[i]];
}

__global__ void pass() {}

} // namespace

spmv_status spmv__move_elements(spmv__gpu *gpu, const spmv__element_moves *m, const void *x,
                                void *to, spmv_error *err)
{
    if (m->n == 0) return SPMV_SUCCESS;
    const auto kernel = m->size == 4 ? move<float> : m->size == 8 ? move<double> : move<double2>;
    const unsigned blocks = std::min(blocks_for(m->n / EACH + 1, BLOCK), MOST_BLOCKS);
    launch_kernel(kernel, blocks, BLOCK, 0, spmv__gpu_stream(gpu), *m, x, to);
    return check_launch("moving elements of vectors", err);
}

spmv_status spmv__pass(spmv__gpu *gpu, spmv_error *err)
{
    launch_kernel(pass, 1, WARP, 0, spmv__gpu_stream(gpu));
    return check_launch("a kernel without work", err);
}
