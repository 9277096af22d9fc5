/* warp_products.cuh -- a warp goes through the products of a row, 32 at a time.
 *
 * Where rows of B are short, the 32 come from several of them, in the order of A (each_product).
 * Where they are long, they are 32 columns of one row of B, and of the rows behind it that have the
 * same columns, its twins, if the row of A has entries for those too: a column is looked up once
 * for all of them (each_column).  Twins in A can be gone through together.  All this can be
 * confined to some of the columns, for which the rows of B are searched. */
#pragma once

#include "cuda/spgemm/csr_rows.cuh"

namespace spmv
{

/* Holds entries of a row of A, WARP of them at most, and those of R - 1 twins. */
template <class S, int R = 1>
struct row_batch {
    int64_t base[WARP];           /* where their rows of B begin */
    alignas(16) S left[WARP * R]; /* entry e of twin r at e * R + r */
    int32_t start[WARP];
};

/* Columns low .. high - 1, or all.  Of the entries of a row of B, about a part `before` lies before
 * them, and a part `through` before their end: the search begins there. */
struct column_range {
    int64_t low, high;
    bool all;
    float before, through;
};
__device__ inline column_range all_columns()
{
    return {0, 0, true, 0, 1};
}

/* Returns the first of n ascending columns that is not before `column`, which is looked for from
 * number `guess` on. */
__device__ inline int first_from(const int32_t *col, int n, int64_t column, int guess)
{
    int low = 0, high = n, step = 2; /* which grows no further than what it has passed */
    const auto is_before = [&](int k) { return __ldg(col + k) < column; };
    if (n == 0) return 0;
    guess = max(0, min(guess, n - 1));
    if (is_before(guess)) {
        low = guess + 1;
        for (; step < high - low && is_before(low + step); step *= 2) low += step + 1;
        high = low + min(step, high - low);
    } else {
        high = guess;
        for (; step < high - low && !is_before(high - step); step *= 2) high -= step;
        low = high - min(step, high - low);
    }
    while (low < high) {
        const int middle = (int)((unsigned)(low + high) / 2);
        if (is_before(middle))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Gives the entries of row k of B in some columns: *begin .. *end - 1. */
__device__ inline void find_part(const csr_rows &B, int64_t k, const column_range &range,
                                 int64_t *begin, int64_t *end)
{
    *begin = offset(B, k);
    *end = offset(B, k + 1);
    if (range.all) return;
    const int n = (int)(*end - *begin);
    const int32_t *col = B.col + *begin;
    const int first = first_from(col, n, range.low, (int)(range.before * (float)n));
    const int after =
        first_from(col + first, n - first, range.high, (int)(range.through * (float)n) - first);
    *end = *begin + first + after;
    *begin += first;
}

/* Returns the lanes below this one. */
__device__ inline unsigned lanes_below()
{
    return (1u << lane_id()) - 1;
}

/* Returns the bits of all lanes together. */
__device__ inline unsigned any_bits(unsigned bits)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return __reduce_or_sync(ALL_LANES, bits);
#else
    for (int o = WARP / 2; o > 0; o /= 2) bits |= __shfl_xor_sync(ALL_LANES, bits, o);
    return bits;
#endif
}

/* Returns the sum of the numbers of threads before this one; *all of all threads.  All call it. */
template <class T>
__device__ inline T block_sum_before(T v, T *all)
{
    __shared__ T of_warp[WARP];
    const int warp = (int)threadIdx.x / WARP, warps = (int)blockDim.x / WARP;
    const T through = sum_through(v);
    __syncthreads();
    if (lane_id() == WARP - 1) of_warp[warp] = through;
    __syncthreads();
    const T of_warps = sum_through(lane_id() < warps ? of_warp[lane_id()] : 0);
    const T before = __shfl_sync(ALL_LANES, of_warps, max(warp - 1, 0));
    *all = __shfl_sync(ALL_LANES, of_warps, WARP - 1);
    return (warp > 0 ? before : 0) + through - v;
}

/* Puts entries p .. p + 31 of A, of a row from `begin` to `end`, whose rows of B are not empty into
 * the batch: product t is entry base + t of B, and start the first product of each.  With ONCE
 * entries are left out whose row of B is the twin of the one before.  Returns the products. */
template <class K, bool ONCE = false>
__device__ inline int fill_batch(row_batch<typename K::sum> *batch, const csr_rows &A,
                                 const csr_rows &B, int64_t p, int64_t begin, int64_t end,
                                 const column_range &range, int *rows)
{
    int64_t q = 0, stop = 0;
    const bool known =
        ONCE && p + lane_id() > begin && p + lane_id() < end && meets_twin(A, B, p + lane_id());
    if (p + lane_id() < end && !known) find_part(B, __ldg(A.col + p + lane_id()), range, &q, &stop);
    const int n = (int)(stop - q), through = sum_through(n);
    const unsigned filled = __ballot_sync(ALL_LANES, n > 0);
    __syncwarp(); /* nobody reads the batch before any more */
    if (n > 0) {
        const int to = __popc(filled & lanes_below());
        batch->start[to] = through - n;
        batch->base[to] = q - (through - n);
        batch->left[to] = K::left(A, p + lane_id());
    }
    __syncwarp();
    *rows = __popc(filled);
    return __shfl_sync(ALL_LANES, through, WARP - 1);
}

/* Returns the row of B, of `rows` in the batch, that product t + lane comes from; `start` is the
 * first product of row `lane`. */
__device__ inline int row_of_product(int start, int rows, int t)
{
    const int lane = lane_id();
    const int first = __popc(__ballot_sync(ALL_LANES, start <= t && lane < rows)) - 1;
    const unsigned begins =
        any_bits(start > t && start < t + WARP && lane < rows ? 1u << (start - t) : 0);
    return first + __popc(begins & (lanes_below() | 1u << lane));
}

/* Calls use(what ...); returns whether to go on, which it may say. */
template <class F, class... P>
__device__ inline bool goes_on(F use, P... what)
{
    if constexpr (std::is_void_v<decltype(use(what...))>) {
        use(what...);
        return true;
    } else {
        return use(what...);
    }
}

/* Calls use(there, q, left) in all lanes for the n products of a batch of so many rows in their
 * order: entry q of B times `left`; it is not there in the lanes beyond the last one.  Returns
 * whether to go on. */
template <class S, class F>
__device__ inline bool each_of_batch(const row_batch<S> *batch, int rows, int n, F use)
{
    const int lane = lane_id(), start = lane < rows ? batch->start[lane] : n;
    for (int t = 0; t < n; t += WARP) {
        const int row = row_of_product(start, rows, t);
        if (!goes_on(use, t + lane < n, batch->base[row] + t + lane, batch->left[row]))
            return false;
    }
    return true;
}

/* Does so for the products of row i in some columns.  A row has less than 2^31 in 32 of its
 * entries.
 */
template <class K, bool ONCE = false, class F>
__device__ inline void each_product(row_batch<typename K::sum> *batch, const csr_rows &A,
                                    const csr_rows &B, int64_t i, const column_range &range, F use)
{
    const int64_t begin = offset(A, i), end = offset(A, i + 1);
    for (int64_t p = begin; p < end; p += WARP) {
        int rows;
        const int n = fill_batch<K, ONCE>(batch, A, B, p, begin, end, range, &rows);
        if (!each_of_batch(batch, rows, n, use)) return;
    }
}

/* Rows of B of this mean length and longer are gone through by their columns. */
constexpr int LONG_ROW = 16;

__device__ inline bool by_columns(int64_t products, int64_t entries)
{
    return products >= LONG_ROW * entries;
}

/* Entries of a row of A that meet a row of B and its twins: `count` of the batch from `first` on.
 * Each row has `length` columns, and its entry of B with column number `at` is base + at. */
struct twin_rows {
    int first, count, length;
};

/* Returns the first lane whose bit is set, or 0. */
__device__ inline int first_lane(unsigned mask)
{
    return max(__ffs((int)mask) - 1, 0);
}

/* Calls use as each_column does for rows of up to WARP columns, of which none is a twin: those of
 * the lanes `firsts` of a batch.  The column that comes next is loaded before this one is used. */
template <class F>
__device__ inline void each_short_row(const int64_t *base, const csr_rows &B, unsigned firsts,
                                      int own_length, F use)
{
    const int lane = lane_id();
    const auto column = [&](int e, int n) { return lane < n ? __ldg(B.col + base[e] + lane) : 0; };
    int e = first_lane(firsts), n = __shfl_sync(ALL_LANES, own_length, e), c = column(e, n);
    while (firsts != 0) {
        firsts &= firsts - 1;
        const int next = first_lane(firsts);
        const int next_n = __shfl_sync(ALL_LANES, own_length, next), next_c = column(next, next_n);
        use(lane < n, c, lane, twin_rows{e, 1, n});
        e = next;
        n = next_n;
        c = next_c;
    }
}

/* Does so for rows of any length, behind some of which come the twins `others`. */
template <class F>
__device__ inline void each_long_row(const int64_t *base, const csr_rows &B, unsigned firsts,
                                     unsigned others, int own_length, F use)
{
    const int lane = lane_id();
    const auto rows_from = [&](unsigned mask) {
        const int first = first_lane(mask);
        twin_rows r = {first, 1, __shfl_sync(ALL_LANES, own_length, first)};
        if (mask == 0) r.length = 0;
        if (first + 1 < WARP) r.count = __ffs((int)~(others >> (first + 1)));
        return r;
    };
    const auto column = [&](const twin_rows &r, int at) {
        return at < r.length ? __ldg(B.col + base[r.first] + at) : 0;
    };
    twin_rows r = rows_from(firsts);
    int at = lane, c = column(r, at);
    while (firsts != 0) {
        twin_rows next = r;
        int next_at = at + WARP;
        if (next_at - lane >= r.length) {
            firsts &= firsts - 1;
            next = rows_from(firsts);
            next_at = lane;
        }
        const int next_c = column(next, next_at);
        use(at < r.length, c, at, r);
        __syncwarp(); /* in the next row another lane may have this column */
        r = next;
        at = next_at;
        c = next_c;
    }
}

/* Calls use(there, column, at, rows) in all lanes for some columns of row i, which has `twins` with
 * itself, those of the first entries of A first: what a lane does comes before what any lane does
 * with the rows behind. */
template <class K, int R = 1, class F>
__device__ inline void each_column(row_batch<typename K::sum, R> *batch, const csr_rows &A,
                                   const csr_rows &B, int64_t i, int twins,
                                   const column_range &range, F use)
{
    const int64_t begin = offset(A, i), end = offset(A, i + 1);
    const int lane = lane_id();
    for (int64_t p = begin; p < end; p += WARP) {
        int64_t q = 0, stop = 0;
        if (p + lane < end) find_part(B, __ldg(A.col + p + lane), range, &q, &stop);
        const int own_length = (int)(stop - q);
        const bool after = q < stop && lane > 0 && meets_twin(A, B, p + lane);
        const unsigned firsts = __ballot_sync(ALL_LANES, q < stop && !after);
        const unsigned others = __ballot_sync(ALL_LANES, after);
        const bool is_long = __any_sync(ALL_LANES, own_length > WARP);
        __syncwarp(); /* nobody reads the batch before any more */
        batch->base[lane] = q;
        for (int r = 0; r < R && q < stop; r++)
            batch->left[lane * R + r] =
                K::left(A, p + lane + (R == 1 ? 0 : min(r, twins - 1) * (end - begin)));
        __syncwarp();
        if (R == 1 && others == 0 && !is_long)
            each_short_row(batch->base, B, firsts, own_length, use);
        else
            each_long_row(batch->base, B, firsts, others, own_length, use);
    }
}

/* Adds what the rows have in the column at `at` of each to a sum. */
template <class K>
__device__ inline void add_column(typename K::sum *to, const row_batch<typename K::sum> &batch,
                                  const csr_rows &B, int at, const twin_rows &rows)
{
    typename K::sum sum = *to;
    sum += product<K>(batch.left[rows.first], B, batch.base[rows.first] + at);
    for (int k = 1; k < rows.count; k++)
        sum += product<K>(batch.left[rows.first + k], B, batch.base[rows.first + k] + at);
    *to = sum;
}

/* Does so for R twins in A, whose sums are `apart`.  Values are loaded before those before them are
 * used. */
template <class K, int R>
__device__ inline void add_column_of_twins(typename K::sum *to, int64_t apart,
                                           const row_batch<typename K::sum, R> &batch,
                                           const csr_rows &B, int at, const twin_rows &rows)
{
    constexpr int AHEAD = 8;
    const int end = rows.first + rows.count;
    typename K::factor now[AHEAD], next[AHEAD];
    typename K::sum sum[R];
    const auto load = [&](typename K::factor(&values)[AHEAD], int e) {
#pragma unroll
        for (int j = 0; j < AHEAD; j++) values[j] = K::right(B, batch.base[e + j] + at);
    };
    const auto add = [&](int e, typename K::factor value) {
#pragma unroll
        for (int r = 0; r < R; r++) sum[r] += K::times(batch.left[e * R + r], value, B);
    };
#pragma unroll
    for (int r = 0; r < R; r++) sum[r] = to[r * apart];
    int e = rows.first;
    if (e + AHEAD <= end) load(now, e);
    for (; e + AHEAD <= end; e += AHEAD) {
        if (e + 2 * AHEAD <= end) load(next, e + AHEAD);
#pragma unroll
        for (int j = 0; j < AHEAD; j++) {
            add(e + j, now[j]);
            now[j] = next[j];
        }
    }
    for (; e < end; e++) add(e, K::right(B, batch.base[e] + at));
#pragma unroll
    for (int r = 0; r < R; r++) to[r * apart] = sum[r];
}

/* Adds a number to the sum in each lane's place; lanes with the same place one after the other. */
template <class S>
__device__ inline void add_in_order(S *sums, bool there, unsigned place, S number)
{
    const unsigned same = __match_any_sync(ALL_LANES, there ? place : ~(unsigned)lane_id());
    const int before = __popc(same & lanes_below());
    for (int turn = 0; __any_sync(ALL_LANES, there && before >= turn); turn++) {
        if (there && before == turn) sums[place] += number;
        __syncwarp();
    }
}

} // namespace spmv
