/* choose_forms.cu -- for every slice the form that takes the fewest bytes.
 *
 * A warp asks about one form after the other, in the order of core/csell/csell_choice.c. */
#include "cuda/kernels/csell_build/slice_rows.cuh"
#include "core/csell/csell_sizes.h"

using namespace spmv;

namespace
{

constexpr int64_t MOST_STEPS = SPMV__CSELL_STEPS;

/* The bytes of a slot of `value` bytes, and one for the work. */
__device__ inline int64_t slot_cost(int value)
{
    return 1 + value;
}

/* Returns the columns that a union may have at most: as many as FAR takes no fewer bytes for. */
template <class I>
__device__ inline int64_t room_for_union(const csell_source<I> &from, const csell_bounds &b)
{
    const int64_t slot = slot_cost(from.value_size), most = b.width * (slot + 4) / slot;
    return min(min(most, MOST_STEPS), b.nnz);
}

template <class T>
__device__ inline T least_of_warp(T v)
{
    for (int o = WARP / 2; o > 0; o /= 2) v = min(v, __shfl_xor_sync(ALL_LANES, v, o));
    return v;
}

template <class I>
__global__ void measure_slices(csell_source<I> from, csell_slices of)
{
    const int64_t s = global_thread() / WARP;
    if (s >= from.slices) return;
    const int64_t first = s * from.slice, end = min(first + from.slice, from.rows);
    int64_t width = 0, nnz = 0, low = INT32_MAX, high = -1;
    int64_t left = INT32_MAX, right = -(int64_t)INT32_MAX;
    for (int64_t i = first + lane_id(); i < end; i += WARP) {
        const int64_t r = from.perm != nullptr ? from.perm[i] : i;
        const int64_t begin = from.row_ptr[r], n = from.row_ptr[r + 1] - begin;
        if (n == 0) continue;
        const int64_t a = from.col_idx[begin], z = from.col_idx[begin + n - 1];
        nnz += n;
        width = max(width, n);
        low = min(low, a);
        high = max(high, z);
        left = min(left, a - r);
        right = max(right, z - r);
    }
    for (int o = WARP / 2; o > 0; o /= 2) nnz += __shfl_xor_sync(ALL_LANES, nnz, o);
    csell_bounds b = {};
    b.width = (int32_t)-least_of_warp(-width);
    b.nnz = nnz;
    b.low = nnz > 0 ? (int32_t)least_of_warp(low) : 0;
    b.left = nnz > 0 ? least_of_warp(left) : 0;
    b.high = (int32_t)-least_of_warp(-high);
    b.right = -least_of_warp(-right);
    if (lane_id() > 0) return;
    const int64_t most = room_for_union(from, b);
    of.bounds[s] = b;
    of.room[s] = b.width <= most ? 2 * most + b.width : 0;
}

/* A slice, and what is chosen for it. */
struct chosen_form {
    int32_t encoding, steps;
    int64_t words, cost;
};

/* Every row has all steps, which are those of the first row. */
template <class I>
__device__ inline bool all_share(const csell_source<I> &from, int64_t s, const csell_bounds &b,
                                 bool relative)
{
    slice_row before = {};
    bool same = b.nnz == (int64_t)b.width * from.slice;
    if (!same || b.nnz == 0) return same;
    for_rows(from, s, [&](int lane, const slice_row &r) {
        same = lane == 0 || are_equal(from, r, before, relative ? r.row - before.row : 0);
        before = r;
        return same;
    });
    return same;
}

/* Returns whether lists can hold the rows, and how many codes they take. */
template <class I>
__device__ inline bool count_codes(const csell_source<I> &from, int64_t s, const csell_bounds &b,
                                   int encoding, int64_t *codes)
{
    const bool fits = (int64_t)b.high - b.low < UINT16_MAX;
    int64_t lists = 0;
    if (fits != (encoding == SPMV_CSELL_LISTS) || b.nnz == 0) return false;
    const int32_t run = for_lists(from, s, [&](int, const slice_row &) { lists++; });
    *codes = lists * whole_bytes(b.width / run);
    return true;
}

/* The same for lists of which each row has a part; the longest has *steps columns. */
template <class I>
__device__ inline bool count_united(const csell_source<I> &from, int64_t s, number_union u,
                                    int64_t most, int32_t *steps, int64_t *codes)
{
    int64_t lists = 0;
    int longest = 0;
    const bool fits = unite_alike(
        &u, from, s, most, [&](int) { lists++; }, [&]() { longest = max(longest, u.n); });
    *steps = longest;
    *codes = lists * whole_bytes(longest);
    return fits && longest > 0;
}

/* Returns whether a form can hold the rows in `most` steps, in how many, and with how many codes of
 * lists. */
template <class I>
__device__ inline bool count_steps(const csell_source<I> &from, int64_t s, const csell_bounds &b,
                                   number_union u, int encoding, int64_t most, int32_t *steps,
                                   int64_t *codes)
{
    *steps = b.width;
    if (b.width > most) return false;
    if (encoding == SPMV_CSELL_LISTS_MASKED) return count_united(from, s, u, most, steps, codes);
    if (is_listed(encoding)) return count_codes(from, s, b, encoding, codes);
    if (encoding == SPMV_CSELL_NEAR) return (int64_t)b.high - b.low < UINT16_MAX;
    if (encoding == SPMV_CSELL_BYTE) return b.right - b.left < UINT8_MAX;
    if (encoding == SPMV_CSELL_FAR) return true;
    if (!has_gaps(encoding)) return all_share(from, s, b, is_relative(encoding));
    const bool fits = unite_all(&u, from, s, is_relative(encoding), from.slice, most);
    *steps = u.n;
    return fits;
}

/* The cheapest form; of equal ones that without gaps, and the first. */
template <class I>
__device__ inline chosen_form choose(const csell_source<I> &from, int64_t s, const csell_bounds &b,
                                     const number_union &u)
{
    const int64_t slot = slot_cost(from.value_size) * from.slice;
    chosen_form best = {0, 0, 0, INT64_MAX};
    for (int i = 0; i < 2 * SPMV_CSELL_ENCODINGS; i++) {
        const int e = i % SPMV_CSELL_ENCODINGS;
        if (has_gaps(e) != (i >= SPMV_CSELL_ENCODINGS)) continue;
        if (b.width * slot + 4 * count_words(e, from.slice, b.width, 0) >= best.cost) continue;
        int64_t most = (best.cost - 1) / slot, codes = 0;
        chosen_form c = {e, 0, 0, 0};
        if (e != SPMV_CSELL_FAR) most = min(most, MOST_STEPS);
        if (!count_steps(from, s, b, u, e, most, &c.steps, &codes)) continue;
        c.words = count_words(e, from.slice, c.steps, codes);
        c.cost = c.steps * slot + 4 * c.words;
        if (c.cost < best.cost) best = c;
        /* Nothing takes less than one number for each step of the longest row. */
        if (c.steps == b.width && c.words <= whole_bytes(c.steps)) break;
    }
    return best;
}

template <class I>
__global__ void __launch_bounds__(CSELL_BLOCK) choose_slices(csell_source<I> from, csell_slices of)
{
    const int64_t s = global_thread() / WARP;
    if (s >= from.slices) return;
    const csell_bounds b = of.bounds[s];
    const chosen_form c = choose(from, s, b, scratch_of(of, s));
    if (lane_id() > 0) return;
    of.encoding[s] = c.encoding;
    of.slots[s] = (int64_t)c.steps * from.slice;
    of.words[s] = c.words;
}

/* Enqueues kernel with a warp for each slice. */
template <class I>
spmv_status for_slices(void (*kernel)(csell_source<I>, csell_slices), const csell_source<I> *from,
                       const csell_slices *of, spmv__gpu *gpu, spmv_error *err)
{
    if (from->slices == 0) return SPMV_SUCCESS;
    launch_kernel(kernel, blocks_for(from->slices * WARP, CSELL_BLOCK), CSELL_BLOCK, 0,
                  (cudaStream_t)spmv__gpu_stream(gpu), *from, *of);
    return check_launch(CSELL_BUILD, err);
}

} // namespace

template <class I>
spmv_status spmv::csell_measure(const csell_source<I> *from, const csell_slices *of, spmv__gpu *gpu,
                                spmv_error *err)
{
    return for_slices(measure_slices<I>, from, of, gpu, err);
}

template <class I>
spmv_status spmv::csell_choose(const csell_source<I> *from, const csell_slices *of, spmv__gpu *gpu,
                               spmv_error *err)
{
    return for_slices(choose_slices<I>, from, of, gpu, err);
}

#define X(I)                                                                                \
    template spmv_status spmv::csell_measure(const csell_source<I> *, const csell_slices *, \
                                             spmv__gpu *, spmv_error *);                    \
    template spmv_status spmv::csell_choose(const csell_source<I> *, const csell_slices *,  \
                                            spmv__gpu *, spmv_error *);
X(int32_t)
X(int64_t)
#undef X
