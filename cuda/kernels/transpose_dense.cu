/* transpose_dense.cu -- dense arrays, rows made columns: transpose_dense.h.
 *
 * A block brings a tile into shared memory and takes it out the other way, so that neighbouring
 * threads load, and store, neighbouring elements.  A tile is square, or as wide as it takes where
 * the array has few rows, or few columns. */
#include "cuda/kernels/transpose_dense.h"
#include "cuda/device/warp.cuh"

using namespace spmv;

namespace
{

constexpr int BLOCK = 256, SIDE = 32, TILE = SIDE * SIDE;
constexpr int ROOM =
    TILE + TILE / 2; /* one more for each row, of which there are TILE / 2 at most */

struct dense_transpose {
    spmv__dense_rows to, from;
    int64_t rows, cols, tiles_across;
    int height, width; /* of a tile: TILE together, powers of two from 2 on */
};

template <class T>
__global__ void __launch_bounds__(BLOCK) transpose(const dense_transpose d)
{
    __shared__ T tile[ROOM];
    const int64_t top = blockIdx.x / d.tiles_across * d.height;
    const int64_t left = blockIdx.x % d.tiles_across * d.width;
    for (int i = (int)threadIdx.x; i < TILE; i += BLOCK) {
        const int r = i / d.width, c = i % d.width;
        if (top + r < d.rows && left + c < d.cols)
            tile[r * (d.width + 1) + c] =
                load_streaming((const T *)d.from.data + (top + r) * d.from.ld + left + c);
    }
    __syncthreads();
    for (int i = (int)threadIdx.x; i < TILE; i += BLOCK) {
        const int r = i % d.height, c = i / d.height;
        if (top + r < d.rows && left + c < d.cols)
            ((T *)d.to.data)[(left + c) * d.to.ld + top + r] = tile[r * (d.width + 1) + c];
    }
}

/* Returns the power of two that holds n, from 2 to SIDE. */
int side_for(int64_t n)
{
    int side = 2;
    while (side < SIDE && side < n) side *= 2;
    return side;
}

} // namespace

spmv_status spmv__gpu_transpose(spmv__gpu *gpu, spmv__dense_rows to, spmv__dense_rows from,
                                int64_t rows, int64_t cols, int64_t size, spmv_error *err)
{
    const auto kernel = size == 4 ? transpose<int> : size == 8 ? transpose<int2> : transpose<int4>;
    dense_transpose d = {to, from, rows, cols, 0, side_for(rows), side_for(cols)};
    if (rows == 0 || cols == 0) return SPMV_SUCCESS;
    if (d.width < SIDE)
        d.height = TILE / d.width;
    else
        d.width = TILE / d.height;
    d.tiles_across = (cols + d.width - 1) / d.width;
    launch_kernel(kernel, (unsigned)((rows + d.height - 1) / d.height * d.tiles_across), BLOCK, 0,
                  spmv__gpu_stream(gpu), d);
    return check_launch("transposing vectors", err);
}
