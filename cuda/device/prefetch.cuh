/* prefetch.cuh -- all threads together bring into the L2 cache at once what it can hold.
 *
 * Offsets lead to columns and columns to x: where the cache has none of them, each step is a trip
 * to memory.  So a kernel first asks for all of a small matrix and for x, every thread for another
 * line of each array, and its loads find them there or on the way. */
#pragma once

#include "cuda/device/warp.cuh"

namespace spmv
{

/* Lines of an array, or as many as there are threads; all 0 for what is too large. */
struct l2_lines {
    int32_t row_ptr, col_idx, val, x;
    bool any() const { return row_ptr > 0; }
};

constexpr int L2_LINE = 128;         /* bytes */
constexpr int64_t L2_MOST = 1 << 17; /* lines: a third of the cache of an H100 */

/* Returns the lines to prefetch in a launch with kind K and index I. */
template <class K, class I>
l2_lines lines_ahead(const spmv_csr *A)
{
    const auto lines = [](int64_t n, size_t size) {
        return (n * (int64_t)size + L2_LINE - 1) / L2_LINE;
    };
    const size_t value = std::is_empty_v<typename K::V> ? 0 : sizeof(typename K::V);
    const int64_t row_ptr = lines(A->rows + 1, sizeof(I)), col_idx = lines(A->nnz, sizeof(int32_t)),
                  val = lines(A->nnz, value), x = lines(A->cols, sizeof(typename K::T));
    if (row_ptr + col_idx + val + x > L2_MOST) return {};
    return {(int32_t)row_ptr, (int32_t)col_idx, (int32_t)val, (int32_t)x};
}

__device__ inline void prefetch_line([[maybe_unused]] const void *array,
                                     [[maybe_unused]] int32_t lines, [[maybe_unused]] int32_t i)
{
#ifdef __CUDA_ARCH__
    if (i < lines)
        asm volatile("prefetch.global.L2 [%0];" ::"l"((const char *)array + (int64_t)i * L2_LINE));
#endif
}

/* Prefetches the lines, one of each array by each thread: every thread calls it. */
__device__ inline void prefetch_l2(l2_lines lines, const void *row_ptr, const void *col_idx,
                                   const void *val, const void *x)
{
    const int32_t i = (int32_t)global_thread();
    prefetch_line(row_ptr, lines.row_ptr, i);
    prefetch_line(col_idx, lines.col_idx, i);
    prefetch_line(val, lines.val, i);
    prefetch_line(x, lines.x, i);
}

} // namespace spmv
