/* measure_slices.cu -- what the choice of forms needs to know of rows and slices.
 *
 * Whether rows have the columns, or the distances from the diagonal, of the row before is found out
 * for all rows at once, so that afterwards a warp visits only those that have not. */
#include "cuda/kernels/csell_build/csell_build.cuh"
#include "core/csell/csell_sizes.h"

using namespace spmv;

namespace
{

constexpr int BLOCK = 256;

/* Entries of a row in the mean, up to which a thread has one, and up to which four threads have. */
constexpr int SHORT = 16, MEDIUM = 128;

/* What is known of rows, see csell_known. */
struct compared_rows {
    uint8_t *same;
    int32_t *run;
};

/* Says in all LANES lanes that share a row what its entries have in common with those of the row
 * before, which begin at q, and what divides *run and its runs. */
template <int LANES>
__device__ inline void compare(const int32_t *__restrict__ col_idx, int64_t p, int64_t q, int64_t n,
                               int64_t apart, int *same, int32_t *run)
{
    for (int64_t k = lane_id() % LANES; k < n && (*same != 0 || *run != 1); k += LANES) {
        const int64_t col = col_idx[p + k];
        const int64_t above = *same != 0 ? col_idx[q + k] : 0;
        if (above != col) *same &= ~SAME_COLUMNS;
        if (above + apart != col) *same &= ~SAME_DISTANCES;
        if (k > 0 && *run != 1 && col_idx[p + k - 1] + 1 != col)
            *run = k == 1 ? 1 : greatest_divisor((int32_t)k, *run);
    }
    for (int o = LANES / 2; o > 0; o /= 2) {
        *same &= __shfl_xor_sync(ALL_LANES, *same, o);
        const int32_t other = __shfl_xor_sync(ALL_LANES, *run, o);
        if (other != *run) *run = greatest_divisor(other, *run);
    }
}

/* Where rows are sorted, `before` says what divides their runs, and the rest of those that still
 * follow the same row. */
template <int LANES, class I>
__global__ void __launch_bounds__(BLOCK)
    compare_rows(csell_source<I> from, compared_rows now, compared_rows before)
{
    const int64_t i = global_thread() / LANES, last = from.rows - 1, at = min(i, last);
    const int64_t previous = max(at - 1, (int64_t)0);
    const int64_t r = from.perm != nullptr ? from.perm[at] : at;
    const int64_t above = from.perm != nullptr ? from.perm[previous] : previous;
    const bool is_sorted = from.perm != nullptr, is_known = is_sorted && above == r - 1;
    const int64_t p = from.row_ptr[r], q = from.row_ptr[above], n = from.row_end[r] - p;
    int same = from.row_end[above] - q == n ? SAME_COLUMNS | SAME_DISTANCES : 0;
    int32_t run = is_sorted ? 1 : (int32_t)n;
    compare<LANES>(from.col_idx, p, q, is_known ? 0 : n, r - above, &same, &run);
    if (i > last || lane_id() % LANES > 0) return;
    now.same[i] = is_known ? before.same[r] : (uint8_t)same;
    now.run[i] = is_sorted ? before.run[r] : run;
}

/* Returns the columns that a union may have at most: as many as FAR takes no fewer bytes for. */
template <class I>
__device__ inline int64_t room_for_union(const csell_source<I> &from, const csell_bounds &b)
{
    const int64_t slot = slot_cost(from.value_size), most = b.width * (slot + 4) / slot;
    return min(min(most, (int64_t)SPMV__CSELL_STEPS), b.nnz);
}

template <class I>
__global__ void __launch_bounds__(CSELL_BLOCK) measure_slices(csell_source<I> from, csell_known of)
{
    const int64_t s = global_thread() / WARP;
    if (s >= from.slices) return;
    const int64_t first = s * from.slice, end = min(first + from.slice, from.rows);
    int64_t width = 0, nnz = 0, low = INT32_MAX, high = -1;
    int64_t left = INT32_MAX, right = -(int64_t)INT32_MAX;
    for (int64_t i = first + lane_id(); i < end; i += WARP) {
        const int64_t r = from.perm != nullptr ? from.perm[i] : i;
        const int64_t begin = from.row_ptr[r], n = from.row_end[r] - begin;
        if (n == 0) continue;
        const int64_t a = from.col_idx[begin], z = from.col_idx[begin + n - 1];
        nnz += n;
        width = max(width, n);
        low = min(low, a);
        high = max(high, z);
        left = min(left, a - r);
        right = max(right, z - r);
    }
    nnz = sum_of_lanes(nnz);
    csell_bounds b = {};
    b.width = (int32_t)max_of_lanes(width);
    b.nnz = nnz;
    b.low = nnz > 0 ? (int32_t)min_of_lanes(low) : 0;
    b.left = nnz > 0 ? min_of_lanes(left) : 0;
    b.high = (int32_t)max_of_lanes(high);
    b.right = max_of_lanes(right);
    if (lane_id() > 0) return;
    const int64_t most = room_for_union(from, b);
    of.bounds[s] = b;
    of.room[s] = b.width <= most ? 2 * most + b.width : 0;
}

} // namespace

template <class I>
spmv_status spmv::csell_measure(const csell_source<I> *from, const csell_known *of,
                                const csell_known *unsorted, int64_t nnz, spmv__gpu *gpu,
                                spmv_error *err)
{
    if (from->slices == 0) return SPMV_SUCCESS;
    const int64_t mean = nnz / from->rows;
    const bool is_sorted = from->perm != nullptr; /* there is little to compare */
    const int lanes = is_sorted || mean <= SHORT ? 1 : mean <= MEDIUM ? 4 : WARP;
    launch_kernel(lanes == 1   ? compare_rows<1, I>
                  : lanes == 4 ? compare_rows<4, I>
                               : compare_rows<WARP, I>,
                  blocks_for(from->rows * lanes, BLOCK), BLOCK, 0, spmv__gpu_stream(gpu), *from,
                  compared_rows{of->same, of->run}, compared_rows{unsorted->same, unsorted->run});
    return for_slices(measure_slices<I>, from, of, gpu, err);
}

#define X(I)                                                                               \
    template spmv_status spmv::csell_measure(const csell_source<I> *, const csell_known *, \
                                             const csell_known *, int64_t, spmv__gpu *,    \
                                             spmv_error *);
X(int32_t)
X(int64_t)
#undef X
