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
};

constexpr int L2_LINE = 128;         /* bytes */
constexpr int64_t L2_MOST = 1 << 15; /* lines: beyond, asking for what the cache has, as it does
                                        from one product to the next, takes longer than it saves
                                        where the cache has none of it */

/* Bytes of each array that a product with kind K and index I reads. */
struct bytes_read {
    int64_t row_ptr, col_idx, val, x;
    int64_t sum() const { return row_ptr + col_idx + val + x; }
};

template <class K, class I>
bytes_read bytes_read_by(const spmv_csr *A)
{
    constexpr int64_t value = std::is_empty_v<typename K::V> ? 0 : sizeof(typename K::V);
    return {(A->rows + 1) * (int64_t)sizeof(I), A->nnz * (int64_t)sizeof(int32_t), A->nnz * value,
            A->cols * (int64_t)sizeof(typename K::T)};
}

/* Returns the lines to prefetch. */
inline l2_lines lines_ahead(const bytes_read &of)
{
    const auto lines = [](int64_t bytes) { return (int32_t)((bytes + L2_LINE - 1) / L2_LINE); };
    if (of.sum() > L2_MOST * L2_LINE) return {};
    return {lines(of.row_ptr), lines(of.col_idx), lines(of.val), lines(of.x)};
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
    if (lines.row_ptr == 0) return; /* there may be more threads than lines can be counted */
    const int32_t i = (int32_t)global_thread();
    prefetch_line(row_ptr, lines.row_ptr, i);
    prefetch_line(col_idx, lines.col_idx, i);
    prefetch_line(val, lines.val, i);
    prefetch_line(x, lines.x, i);
}

} // namespace spmv
