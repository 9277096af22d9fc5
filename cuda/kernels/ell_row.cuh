/* ell_row.cuh -- the sum of one row of ELLPACK storage, for the kernels that walk it. */
#pragma once

#include "cuda/device/warp.cuh"

namespace spmv
{

/* The entries loaded before the first is used: these loads are all that a thread has in flight. */
constexpr int ELL_BATCH = 4;

/* Returns the sum of row r.  Padding (column -1) is last in its row, so that the first one ends it.
 */
template <class K>
__device__ inline typename K::S
ell_row_sum(int64_t rows, int64_t width, int64_t r, const int32_t *__restrict__ col_idx,
            const typename K::V *__restrict__ val, const typename K::T *x)
{
    typename K::S sum = {};
    for (int64_t k = 0; k < width; k += ELL_BATCH) {
        int32_t c[ELL_BATCH];
        typename K::V v[ELL_BATCH];
#pragma unroll
        for (int u = 0; u < ELL_BATCH; u++) {
            const int64_t slot = (k + u) * rows + r;
            c[u] = k + u < width ? load_streaming(col_idx + slot) : -1;
            if (k + u < width) v[u] = load_streaming(val + slot);
        }
#pragma unroll
        for (int u = 0; u < ELL_BATCH; u++)
            if (c[u] >= 0) sum += widen(v[u]) * load_x<K>(x, c[u]);
        if (c[ELL_BATCH - 1] < 0) break;
    }
    return sum;
}

} // namespace spmv
