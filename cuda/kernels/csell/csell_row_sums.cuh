/* csell_row_sums.cuh -- the kernel of csell: several rows of a slice in a thread.
 *
 * There are two of them.  With MANY_LISTS, slices of rows that share lists go by csell_listed.cuh,
 * with so much code in the loops that other slices get slower, too, as registers do not suffice;
 * without, lists are looked up slot by slot, which is slow, and in few slices no matter. */
#pragma once

#include "cuda/kernels/csell/csell_rows.cuh"
#include "cuda/kernels/csell/csell_listed.cuh"

#include <algorithm>

namespace spmv
{

PLAN_LIMIT(FEW, 32);       /* warps of a multiprocessor, too few to have several rows in a thread */
PLAN_LIMIT(FEW_LONG, 16);  /* the same for long rows of values of 4 bytes, which warps divide */
PLAN_LIMIT(FULL, 1 << 13); /* warps that fill a GPU */
constexpr int LEAST = 16;  /* steps at least, where warps divide a slice */
constexpr int LONG = 104;  /* bytes of a row's values, from which on half the rows are faster */

/* A block has at most LARGEST threads, and a multiprocessor at least RESIDENT blocks, for R rows in
 * a thread.  With MANY_LISTS some registers are spilled; five blocks, which need not, took 1.05 to
 * 1.26 of the time on large finite elements and blocks, but for one that took 0.96. */
template <int R>
constexpr int LARGEST = R > 1 ? 128 : 512;
template <class K, int R>
constexpr int RESIDENT = R == 1                                ? 2
                         : R == 2                              ? 7
                         : R == 4 && sizeof(typename K::T) > 4 ? 7
                                                               : 8;

/* ---- Sums ----------------------------------------------------------------------------------- */

/* Divides by one multiplication: n / d is exact for 1 <= d <= 32 and n < 2^27. */
struct divisor {
    uint64_t reciprocal;
    explicit divisor(int64_t d) : reciprocal((1ull << 32) / (uint64_t)d + 1) {}
    __device__ int32_t quotient(int32_t n) const
    {
        return (int32_t)((uint64_t)n * reciprocal >> 32);
    }
};
constexpr int64_t DIVISIBLE = 1 << 27;

/* A matrix on the device. */
template <class K, class I>
struct matrix {
    int32_t rows, slice, slices;
    divisor warps;       /* of 32 lanes in a slice */
    const int32_t *perm; /* NULL: rows are in their own order */
    const int32_t *encoding, *code;
    const I *slice_ptr, *code_ptr;
    const typename K::V *val;
};

/* A warp adds up steps [begin, begin + count) of slice s, from `lane` on; 32 bits do for steps, as
 * 2^31 of them would have 2^36 slots.  row holds the R rows; those that do not exist are the last
 * one, and what is added up there goes nowhere. */
template <class K, class I, int R>
struct task {
    int32_t s, encoding, lane, steps, begin, count, row[R];
    I slot, slots;
    const int32_t *code;
    const typename K::V *val;
    const typename K::T *x;
};

/* Adds the steps of a slice whose slots have BITS bits each.  Here and below the words lie as
 * core/csell/csell.h has them, in numbers of type I. */
template <int BITS, class K, class I, int R>
__device__ inline void add_near(const matrix<K, I> &A, const task<K, I, R> &t,
                                typename K::S (&sum)[R])
{
    using columns_of = near_columns<K, R, BITS>;
    columns_of columns;
    columns.word = t.code + (I)(t.begin / columns_of::EACH) * A.slice + t.lane;
    columns.slice = A.slice;
    columns.k = 0;
    const int32_t base =
        t.code[(int64_t)((t.steps + columns_of::EACH - 1) / columns_of::EACH) * A.slice];
#pragma unroll
    for (int r = 0; r < columns_of::ORIGINS; r++)
        columns.origin[r] = t.x + base + (BITS < 16 ? t.row[r] : 0);
    add_steps<K>(columns, t.val, A.slice, t.count, sum);
}

/* The groups that the threads of a warp stand in for lists. */
template <int GROUPS>
__device__ inline int group_of()
{
    return GROUPS > 1 ? lane_id() / (WARP / GROUPS) : 0;
}

/* Returns where the R rows of this thread begin among those of its warp. */
template <class K, int R>
__device__ inline int listed_lane()
{
    constexpr int W = CSELL_NEIGHBOURS<K, R>, GROUPS = W / R;
    return lane_id() % (WARP / GROUPS) * W + group_of<GROUPS>() * R;
}

/* Adds the steps of a slice of rows that share lists. */
template <int BITS, bool RUNS, bool MASKED, class K, class I, int R>
__device__ inline void add_lists(const matrix<K, I> &A, const task<K, I, R> &t,
                                 typename K::S (&sum)[R])
{
    if (t.count <= 0) return; /* warps divide the steps, and have left none for this one */
    constexpr int W = CSELL_NEIGHBOURS<K, R>, GROUPS = W / R;
    const int run = RUNS ? t.code[2] : 1, group = group_of<GROUPS>();
    const int32_t lane = t.lane - group * R;
    const list_words words(t.code, A.slice, t.steps, run);
    listed_rows<BITS, RUNS, MASKED> rows;
    rows.begins = words.begins[lane / 32] >> lane % 32;
    rows.run = run;
    rows.room = words.room;
    rows.codes =
        (const typename decltype(rows)::code *)words.lists + words.list_of(lane) * rows.room;
    rows.mask = words.mask + (I)(t.begin / 8) * A.slice + lane;
    typename K::S part[W] = {};
    add_all_listed<GROUPS, K, I>(rows, group_steps{t.begin, t.count, group}, t.x + t.code[0],
                                 t.val - group * R, A.slice, part);
    add_groups(part, sum);
}

/* Adds the steps of a slice that has one number for a step. */
template <class K, class I, int R>
__device__ inline void add_shared(const matrix<K, I> &A, const task<K, I, R> &t, bool relative,
                                  bool masked, typename K::S (&sum)[R])
{
    const int32_t *number = t.code + t.begin;
    if (masked || (relative && (A.perm != nullptr || (t.s + 1) * (int64_t)A.slice > A.rows))) {
        masked_columns<K, R> columns;
        columns.number = number;
        columns.mask = masked ? (const uint8_t *)(t.code + spmv__whole_bytes(t.steps)) +
                                    (I)(t.begin / 8) * A.slice + t.lane
                              : nullptr;
        columns.slice = A.slice;
        columns.k = 0; /* portions begin with whole words */
#pragma unroll
        for (int r = 0; r < R; r++) columns.origin[r] = t.x + (relative ? t.row[r] : 0);
        add_steps<K>(columns, t.val, A.slice, t.count, sum);
    } else if (relative) {
        shared_columns<K, R, WARP> columns;
        columns.number = number;
        columns.origin = t.x + t.row[0];
        add_steps<K>(columns, t.val, A.slice, t.count, sum);
    } else {
        shared_columns<K, R, 0> columns;
        columns.number = number;
        columns.origin = t.x;
        add_steps<K>(columns, t.val, A.slice, t.count, sum);
    }
}

/* Adds the steps of a slice of rows that share lists, all in one way. */
template <class K, class I, int R>
__device__ inline void add_any_lists(const matrix<K, I> &A, const task<K, I, R> &t,
                                     typename K::S (&sum)[R])
{
    if (t.encoding == SPMV_CSELL_LISTS_MASKED)
        add_lists<32, false, true>(A, t, sum);
    else if (t.encoding == SPMV_CSELL_LISTS)
        t.code[2] > 1 ? add_lists<16, true, false>(A, t, sum)
                      : add_lists<16, false, false>(A, t, sum);
    else
        t.code[2] > 1 ? add_lists<32, true, false>(A, t, sum)
                      : add_lists<32, false, false>(A, t, sum);
}

/* The same slot by slot, of rows that are WARP apart. */
template <class K, class I, int R>
__device__ inline void add_few_lists(const matrix<K, I> &A, const task<K, I, R> &t,
                                     typename K::S (&sum)[R])
{
    looked_up_columns<K, R> columns;
    columns.begin(t.code, A.slice, t.steps, t.lane, t.begin, t.x, t.encoding);
    add_steps<K>(columns, t.val, A.slice, t.count, sum);
}

/* Adds this warp's steps of a slice of any form. */
template <bool MANY_LISTS, class K, class I, int R>
__device__ inline void add_slice(const matrix<K, I> &A, task<K, I, R> &t, int portion, int split,
                                 typename K::S (&sum)[R])
{
    const int32_t encoding = t.encoding;
    const I full = t.slots / WARP;
    t.steps = full < DIVISIBLE ? A.warps.quotient((int32_t)full) : (int32_t)(t.slots / (I)A.slice);
    const int32_t each = (((t.steps - 1) >> split) + 8) / 8 * 8;
    t.begin = portion * each;
    t.count = t.steps - t.begin < each ? t.steps - t.begin : each;
    t.val = A.val + t.slot + (I)t.begin * A.slice + t.lane;

    if (encoding == SPMV_CSELL_FAR) {
        far_columns<K, R> columns;
        columns.col = t.code + (I)t.begin * A.slice + t.lane;
        columns.slice = A.slice;
        columns.all = t.x;
        add_steps<K>(columns, t.val, A.slice, t.count, sum);
    } else if (encoding == SPMV_CSELL_NEAR) {
        add_near<16>(A, t, sum);
    } else if (encoding == SPMV_CSELL_BYTE) {
        add_near<8>(A, t, sum);
    } else if (encoding < SPMV_CSELL_LISTS) {
        add_shared(A, t, encoding == SPMV_CSELL_DIAGONAL || encoding == SPMV_CSELL_DIAGONAL_MASKED,
                   encoding == SPMV_CSELL_DIAGONAL_MASKED || encoding == SPMV_CSELL_COLUMN_MASKED,
                   sum);
    } else if constexpr (MANY_LISTS) {
        add_any_lists(A, t, sum);
    } else {
        add_few_lists(A, t, sum);
    }
}

/* 1 << split warps divide the steps of `parts`, R * 32 rows each, of a slice. */
template <bool MANY_LISTS, class K, class I, int R>
__global__ void __launch_bounds__(LARGEST<R>, (RESIDENT<K, R>))
    csell(matrix<K, I> A, divisor parts, int split, typename K::S alpha, const typename K::T *x,
          typename K::S beta, typename K::T *__restrict__ y)
{
    pdl_trigger();
    const int warp = (int)(threadIdx.x / WARP), portion = warp & ((1 << split) - 1);
    const int32_t part = (int32_t)(blockIdx.x * (blockDim.x / WARP) + warp) >> split;
    const int32_t s = parts.quotient(part);
    task<K, I, R> t;
    t.encoding = SPMV_CSELL_FAR;
    if (s < A.slices) { /* all that says where a slice is is loaded at once */
        t.encoding = A.encoding[s];
        t.slot = A.slice_ptr[s];
        t.slots = A.slice_ptr[s + 1] - t.slot;
        t.code = A.code + A.code_ptr[s];
    }
    const bool listed = MANY_LISTS && t.encoding >= SPMV_CSELL_LISTS;
    const int apart = listed ? 1 : WARP; /* the rows of a thread */
    const int64_t first = (int64_t)part * (WARP * R) + (listed ? listed_lane<K, R>() : lane_id());
    t.s = s;
    t.lane = (int32_t)(first - (int64_t)s * A.slice);
    t.x = x;
    typename K::S sum[R] = {};
#pragma unroll
    for (int r = 0; r < R; r++) {
        const int32_t i = (int32_t)min(first + apart * r, (int64_t)A.rows - 1);
        t.row[r] = A.perm != nullptr ? A.perm[i] : i;
    }
    pdl_wait();
    if (s < A.slices) add_slice<MANY_LISTS>(A, t, portion, split, sum);
    if (split > 0) {
        typename K::S *sums = (typename K::S *)dynamic_shared_pairs; /* one of each thread */
#pragma unroll
        for (int r = 0; r < R; r++) {
            sums[threadIdx.x] = sum[r];
            __syncthreads();
            for (int i = 1; portion == 0 && i >> split == 0; i++)
                sum[r] += sums[(int)threadIdx.x + WARP * i];
            __syncthreads();
        }
    }
#pragma unroll
    for (int r = 0; r < R; r++)
        if (portion == 0 && first + apart * r < A.rows) finish(y, t.row[r], alpha, sum[r], beta);
}

/* ---- Launching ------------------------------------------------------------------------------ */

/* Returns the logarithm of the number of warps that divide the steps of R * 32 rows. */
template <int R>
int split_of(const spmv_csell *A)
{
    const int64_t lanes = csell_slices(A) * A->slice, warps = lanes / (WARP * R);
    int split = 0;
    while (WARP << split < LARGEST<R> && warps << split < FULL &&
           A->slots >= (2 * LEAST << split) * lanes)
        split++;
    return split;
}

template <bool MANY_LISTS, class K, class I, int R>
void launch_rows(const spmv__launch *run)
{
    const spmv_csell *A = &run->A->shape.csell;
    const int64_t slices = csell_slices(A), parts = A->slice / (WARP * R), warps = slices * parts;
    const int split = split_of<R>(A);
    const int block = std::max(std::min(run->options->block_size, LARGEST<R>), WARP << split);
    const matrix<K, I> B = {(int32_t)A->rows,
                            (int32_t)A->slice,
                            (int32_t)slices,
                            divisor(A->slice / WARP),
                            A->window > 1 ? A->perm : nullptr,
                            A->encoding,
                            A->code,
                            (const I *)A->slice_ptr,
                            (const I *)A->code_ptr,
                            (const typename K::V *)A->val};
    launch_dependent(true, csell<MANY_LISTS, K, I, R>, blocks_for((warps << split) * WARP, block),
                     block, split > 0 ? block * (int64_t)sizeof(typename K::S) : 0, run->stream, B,
                     divisor(parts), split, factor<K>(run->alpha), (const typename K::T *)run->x,
                     factor<K>(run->beta), (typename K::T *)run->y);
}

/* A thread has several rows where there are enough of them, and fewer where they are long. */
template <bool MANY_LISTS, class K, class I>
void choose_rows(const spmv__launch *run, int multiprocessors)
{
    constexpr int MOST = CSELL_ROWS<K>, LESS = MOST > 1 ? MOST / 2 : 1;
    const spmv_csell *A = &run->A->shape.csell;
    const bool is_long = A->nnz * CSELL_VALUE<K> >= LONG * A->rows;
    const bool divides = is_long && CSELL_VALUE<K> == 4;
    const int64_t warps =
        divides ? A->rows / (LESS * WARP) << split_of<LESS>(A) : A->rows / (MOST * WARP);
    const int64_t few = (int64_t)(divides ? FEW_LONG : FEW) * multiprocessors;
    if (A->slice % (MOST * WARP) != 0 || warps < few)
        launch_rows<MANY_LISTS, K, I, 1>(run);
    else if (is_long)
        launch_rows<MANY_LISTS, K, I, LESS>(run);
    else
        launch_rows<MANY_LISTS, K, I, MOST>(run);
}

template <bool MANY_LISTS>
void launch_types(const spmv__launch *run, int multiprocessors)
{
    by_types(run, [&](auto k) {
        by_index(run->A, [&](auto i) {
            choose_rows<MANY_LISTS, decltype(k), decltype(i)>(run, multiprocessors);
        });
    });
}

} // namespace spmv
