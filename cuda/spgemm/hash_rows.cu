/* hash_rows.cu -- rows of C that a warp gathers in a hash table in shared memory.
 *
 * The warp goes through the products 32 at a time.  Each lane finds the place of its column; lanes
 * with the same column add one after the other, so that sums follow the order of A.  Then the
 * columns are sorted in registers, and each finds its sum again in the table. */
#include "cuda/spgemm/hash_table.cuh"
#include "cuda/spgemm/sort_lanes.cuh"
#include "cuda/spgemm/warp_products.cuh"
#include "cuda/spgemm/ways.cuh"

namespace spmv
{

constexpr int HASH_WARPS = 4; /* of a block */

/* The slots of a table for 32 M entries: twice as many where it leaves enough warps. */
template <int M>
constexpr int slots_for = WARP *(M > 4 ? M + M / 2 : 2 * M);

/* ---- Counting -------------------------------------------------------------------------------- */

/* A row whose columns are near each other is counted with bits, others with a table. */
struct column_counter {
    int32_t *word;
    int words, begin;
    bool bits;
    __device__ bool is_new(int32_t c) const
    {
        bool fresh;
        if (bits) {
            const int32_t bit = (int32_t)(1u << (c - begin) % 32);
            int32_t *at = word + (c - begin) / 32;
            return !(*(volatile int32_t *)at & bit) && !(atomicOr(at, bit) & bit);
        }
        slot_of(word, (unsigned)words, c, &fresh);
        return fresh;
    }
};

/* Counts a row, with so many words. */
__device__ inline int count_columns(row_batch<no_sum> *batch, int32_t *word, int words,
                                    const csr_rows &A, const csr_rows &B, int64_t i,
                                    const column_span &columns, int64_t products)
{
    const bool bits = columns.span < 32 * words;
    if (!bits) words = min(words, (int)(2 * products)); /* the fewer, the sooner they are free */
    const column_counter counter = {word, words, columns.low, bits};
    const int used = bits ? columns.span / 32 + 1 : words;
    int n = 0;
    __syncwarp();
    for (int w = lane_id(); w < used; w += WARP) word[w] = bits ? 0 : FREE;
    __syncwarp();
    if (by_columns(products, offset(A, i + 1) - offset(A, i)))
        each_column<places_only>(batch, A, B, i, 1, all_columns(),
                                 [&](bool there, int32_t c, int, const twin_rows &) {
                                     n += there && counter.is_new(c);
                                 });
    else
        each_product<places_only>(
            batch, A, B, i, all_columns(),
            [&](bool there, int64_t q, no_sum) { n += there && counter.is_new(__ldg(B.col + q)); });
    return sum_of_lanes(n);
}

static __global__ void count(csr_rows A, csr_rows B, row_spans spans, const uint32_t *products,
                             int words, row_list list, uint32_t *counts)
{
    const int warp = (int)threadIdx.x / WARP, warps = (int)blockDim.x / WARP;
    row_batch<no_sum> *batches = (row_batch<no_sum> *)dynamic_shared;
    int32_t *word = (int32_t *)(batches + warps) + warp * words;
    for (int64_t k = global_thread() / WARP; k < length(list); k += (int64_t)gridDim.x * warps) {
        const int64_t i = list.row[k];
        const int n =
            count_columns(batches + warp, word, words, A, B, i, span_of(spans, i), products[i]);
        if (lane_id() == 0) counts[i] = (uint32_t)n;
    }
}

int64_t hash_count_bytes(int words)
{
    return (int64_t)sizeof(row_batch<no_sum>) + words * (int64_t)sizeof(int32_t);
}

spmv_status hash_count(const product_job *job, int words, row_list list, uint32_t *counts,
                       spmv_error *err)
{
    const int64_t bytes = hash_count_bytes(words);
    const int warps = warps_that_fit(job->limits, HASH_WARPS, bytes);
    spmv_status st;
    SPMV__TRY(allow_shared(count, (int)(warps * bytes), "counting hashed rows", err));
    launch_kernel(count, blocks_for_list(list, warps), warps * WARP, warps * bytes, job->stream,
                  job->A, job->B, job->spans, job->products, words, list, counts);
    st = check_launch("counting hashed rows", err);
done:
    return st;
}

/* ---- Summing --------------------------------------------------------------------------------- */

/* Writes the entries of the table in the order of their columns. */
template <class K, int M>
__device__ inline void write_row(const product_rows &C, int64_t i, int32_t *table, int slots,
                                 const typename K::sum *sums, uint32_t *column)
{
    const int64_t to = first_entry(C, i);
    const int n = (int)entries_of(C.offsets, i);
    int filled = 0;
    uint32_t x[M];
    for (int s = 0; s < slots; s += WARP) {
        const int32_t c = s + lane_id() < slots ? table[s + lane_id()] : FREE;
        const unsigned full = __ballot_sync(ALL_LANES, c != FREE);
        if (c != FREE) column[filled + __popc(full & lanes_below())] = (uint32_t)c;
        filled += __popc(full);
    }
    __syncwarp();
#pragma unroll
    for (int j = 0; j < M; j++)
        x[j] = j * WARP + lane_id() < n ? column[j * WARP + lane_id()] : 0xffffffffu;
    sort_lanes(x);
#pragma unroll
    for (int j = 0; j < M; j++) {
        const int k = j * WARP + lane_id();
        bool fresh;
        if (k >= n) continue;
        C.col[to + k] = (int32_t)x[j];
        if (!K::PLACES)
            put_sum(C, to + k, sums[slot_of(table, (unsigned)slots, (int32_t)x[j], &fresh)]);
    }
}

/* Shared memory of a warp, for rows of up to 32 M entries. */
template <class K, int M>
struct hash_room {
    typename K::sum sums[K::PLACES ? 1 : slots_for<M>];
    row_batch<typename K::sum> batch;
    int32_t table[slots_for<M>];
    uint32_t column[WARP * M];
};

/* Sums the products of row i in the table. */
template <class K, int M>
__device__ inline void fill_table(hash_room<K, M> *room, const csr_rows &A, const csr_rows &B,
                                  int64_t i, bool columns)
{
    constexpr unsigned SLOTS = slots_for<M>;
    using S = typename K::sum;
    bool fresh;
    if (columns) {
        each_column<K>(&room->batch, A, B, i, 1, all_columns(),
                       [&](bool there, int32_t c, int at, const twin_rows &r) {
                           const unsigned slot = there ? slot_of(room->table, SLOTS, c, &fresh) : 0;
                           if (there && !K::PLACES)
                               add_column<K>(room->sums + slot, room->batch, B, at, r);
                       });
    } else {
        each_product<K>(&room->batch, A, B, i, all_columns(), [&](bool there, int64_t q, S left) {
            S added = {};
            unsigned slot = 0;
            if (there) {
                added = product<K>(left, B, q);
                slot = slot_of(room->table, SLOTS, __ldg(B.col + q), &fresh);
            }
            if (!K::PLACES) add_in_order(room->sums, there, slot, added);
        });
    }
    __syncwarp();
}

template <class K, int M>
static __global__ void sum(csr_rows A, csr_rows B, product_rows C, row_list list)
{
    constexpr int SLOTS = slots_for<M>;
    const int64_t number = global_thread() / WARP;
    hash_room<K, M> *room = (hash_room<K, M> *)dynamic_shared_pairs + threadIdx.x / WARP;
    if (number >= list.n) return;
    const int64_t i = list.row[number];

    for (int s = lane_id(); s < SLOTS; s += WARP) {
        room->table[s] = FREE;
        if (!K::PLACES) room->sums[s] = typename K::sum{};
    }
    __syncwarp();
    fill_table(room, A, B, i, by_columns(C.products[i], offset(A, i + 1) - offset(A, i)));
    write_row<K, M>(C, i, room->table, SLOTS, room->sums, room->column);
}

/* Calls each(constant) with the numbers of entries for a lane that there are. */
template <class F>
static void each_lane_entries(F each)
{
    each(std::integral_constant<int, 1>());
    each(std::integral_constant<int, 2>());
    each(std::integral_constant<int, 4>());
    each(std::integral_constant<int, HASH_LANE_MOST>());
}

spmv_status hash_sum(const product_job *job, int lane_entries, row_list list, product_rows C,
                     spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    by_product(job->B.type, C.type, [&](auto k) {
        each_lane_entries([&](auto m) {
            using K = decltype(k);
            constexpr int M = decltype(m)::value;
            if (lane_entries == M)
                st = launch_row_warps(job, list, HASH_WARPS, sizeof(hash_room<K, M>),
                                      "hashing rows", err, sum<K, M>, job->B, C, list);
        });
    });
    return st;
}

int hash_lane_entries(spmv_type C, const block_limits *limits)
{
    int most = 0;
    by_product(SPMV_F64, C, [&](auto k) {
        each_lane_entries([&](auto m) {
            constexpr int M = decltype(m)::value;
            if ((int64_t)sizeof(hash_room<decltype(k), M>) <= limits->shared) most = M;
        });
    });
    return most;
}

} // namespace spmv
