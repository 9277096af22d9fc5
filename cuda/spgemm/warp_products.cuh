/* warp_products.cuh -- a warp goes through the products of a row, 32 at a time.
 *
 * Where rows of B are short, the 32 come from several of them, in the order of A (each_product).
 * Where they are long, they are 32 columns of one row of B, and of the rows behind it that have the
 * same columns, its twins, if the row of A has entries for those too: a column is looked up once
 * for all of them (each_column). */
#pragma once

#include "cuda/spgemm/csr_rows.cuh"

namespace spmv
{

/* Holds entries of a row of A whose rows of B are not empty, WARP of them at most. */
template <class S>
struct row_batch {
    int64_t base[WARP]; /* product t of the batch is entry base + t of B */
    S left[WARP];
    int32_t start[WARP]; /* the first product of each */
};

/* Returns the lanes below this one. */
__device__ inline unsigned lanes_below()
{
    return (1u << lane_id()) - 1;
}

/* Returns the bits of all lanes together. */
__device__ inline unsigned any_bits(unsigned bits)
{
#if defined(__CUDA_ARCH__)
    return __reduce_or_sync(ALL_LANES, bits);
#else
    for (int o = WARP / 2; o > 0; o /= 2) bits |= __shfl_xor_sync(ALL_LANES, bits, o);
    return bits;
#endif
}

__device__ inline int sum_of_lanes(int v)
{
    for (int o = WARP / 2; o > 0; o /= 2) v += __shfl_xor_sync(ALL_LANES, v, o);
    return v;
}

/* Returns the sum of the numbers of lanes up to this one. */
__device__ inline int sum_before(int v)
{
    for (int o = 1; o < WARP; o *= 2) {
        const int below = __shfl_up_sync(ALL_LANES, v, o);
        if (lane_id() >= o) v += below;
    }
    return v;
}

/* Puts entries p .. p + 31 of A, before `end`, into the batch.  Returns its products. */
template <class K>
__device__ inline int fill_batch(row_batch<typename K::sum> *batch, const csr_rows &A,
                                 const csr_rows &B, int64_t p, int64_t end, int *rows)
{
    int64_t q = 0;
    int n = 0;
    if (p + lane_id() < end) {
        const int64_t k = __ldg(A.col + p + lane_id());
        q = offset(B, k);
        n = (int)(offset(B, k + 1) - q);
    }
    const int through = sum_before(n);
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

/* Calls use(there, q, left) in all lanes for the products of row i in their order: entry q of B
 * times `left`; it is not there in the lanes beyond the last one.  A row has less than 2^31. */
template <class K, class F>
__device__ inline void each_product(row_batch<typename K::sum> *batch, const csr_rows &A,
                                    const csr_rows &B, int64_t i, F use)
{
    const int64_t end = offset(A, i + 1);
    const int lane = lane_id();
    for (int64_t p = offset(A, i); p < end; p += WARP) {
        int rows;
        const int n = fill_batch<K>(batch, A, B, p, end, &rows);
        const int start = lane < rows ? batch->start[lane] : n;
        for (int t = 0; t < n; t += WARP) {
            const int row = row_of_product(start, rows, t);
            if (!goes_on(use, t + lane < n, batch->base[row] + t + lane, batch->left[row])) return;
        }
    }
}

/* Rows of B of this mean length and longer are gone through by their columns. */
constexpr int LONG_ROW = 16;

__device__ inline bool by_columns(int64_t products, int64_t entries)
{
    return products >= LONG_ROW * entries;
}

/* Entries of a row of A that meet a row of B and its twins. */
struct twin_rows {
    int first, count; /* entries of the batch */
    int64_t begin;    /* entry of B with which the first row begins */
    int length;       /* of each; they lie one after the other */
};

/* Calls use(there, column, at, rows) in all lanes for all columns of row i, those of the first
 * entries of A first: the column is that of entries rows.begin + at + k * rows.length of B. */
template <class K, class F>
__device__ inline void each_column(row_batch<typename K::sum> *batch, const csr_rows &A,
                                   const csr_rows &B, int64_t i, F use)
{
    const int64_t end = offset(A, i + 1);
    const int lane = lane_id();
    for (int64_t p = offset(A, i); p < end; p += WARP) {
        const bool any = p + lane < end;
        const int64_t k = any ? __ldg(A.col + p + lane) : -1;
        const int64_t q = any ? offset(B, k) : 0;
        const int n = any ? (int)(offset(B, k + 1) - q) : 0;
        const bool after = n > 0 && lane > 0 && meets_twin(A, B, p + lane);
        unsigned firsts = __ballot_sync(ALL_LANES, n > 0 && !after);
        const unsigned others = __ballot_sync(ALL_LANES, after);
        __syncwarp(); /* nobody reads the batch before any more */
        batch->base[lane] = q;
        batch->start[lane] = n;
        if (any) batch->left[lane] = K::left(A, p + lane);
        __syncwarp();
        const auto rows_from = [&](unsigned mask) {
            twin_rows r = {__ffs((int)mask) - 1, 0, 0, 0};
            if (mask == 0) return r;
            r.count = r.first + 1 < WARP ? __ffs((int)~(others >> (r.first + 1))) : 1;
            r.begin = batch->base[r.first];
            r.length = batch->start[r.first];
            return r;
        };
        /* The column that comes next is loaded before this one is used. */
        const auto column = [&](const twin_rows &r, int at) {
            return at < r.length ? __ldg(B.col + r.begin + at) : 0;
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
            if (!goes_on(use, at < r.length, c, at, r)) return;
            r = next;
            at = next_at;
            c = next_c;
        }
    }
}

/* Adds what the rows have in the column at `at` of each to a sum. */
template <class K>
__device__ inline void add_twins(typename K::sum *to, const row_batch<typename K::sum> &batch,
                                 const csr_rows &B, int at, const twin_rows &rows)
{
    typename K::sum sum = *to;
    for (int k = 0; k < rows.count; k++)
        sum +=
            product<K>(batch.left[rows.first + k], B, rows.begin + at + (int64_t)k * rows.length);
    *to = sum;
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
