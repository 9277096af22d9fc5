/* sort_rows.cu -- rows of C with few products, each by a warp: expand, sort, compress.
 *
 * A product has a key, its column and below that its number in the order of A.  The keys are sorted
 * in registers; then those of one column stand side by side, in the order in which they are added.
 */
#include "cuda/spgemm/sort_lanes.cuh"
#include "cuda/spgemm/warp_products.cuh"
#include "cuda/spgemm/ways.cuh"

namespace spmv
{

constexpr int SORT_WARPS = 4;            /* of a block */
constexpr uint32_t NO_KEY = 0xffffffffu; /* comes after all keys */

/* Shared memory of a warp, for rows of up to 32 M products. */
template <class K, int M>
struct sort_room {
    typename K::sum product[K::PLACES ? 1 : WARP * M];
    row_batch<typename K::sum> batch;
    uint32_t key[WARP * M];
};

/* Multiplies: keys go to the lanes, products into the room. */
template <class K, int M>
__device__ inline void expand(sort_room<K, M> *room, const csr_rows &A, const csr_rows &B,
                              int64_t i, int32_t low, uint32_t (&key)[M])
{
    const int64_t begin = offset(A, i);
    int rows;
    const int n =
        fill_batch<K>(&room->batch, A, B, begin, begin, offset(A, i + 1), all_columns(), &rows);
    const int start = lane_id() < rows ? room->batch.start[lane_id()] : n;
#pragma unroll
    for (int j = 0; j < M; j++) {
        const int t = j * WARP + lane_id(), row = row_of_product(start, rows, j * WARP);
        key[j] = NO_KEY;
        if (t >= n) continue;
        const int64_t q = room->batch.base[row] + t;
        key[j] = (uint32_t)(__ldg(B.col + q) - low) * (WARP * M) + (uint32_t)t;
        if (!K::PLACES) room->product[t] = product<K>(room->batch.left[row], B, q);
    }
}

/* Adds up the products of each column from sorted keys, and writes them to entry `to` and on. */
template <class K, int M>
__device__ inline void compress(sort_room<K, M> *room, const product_rows &C, int64_t to,
                                int32_t low, const uint32_t (&key)[M])
{
    constexpr uint32_t MOST = WARP * M;
    int last = -1; /* column of the key before those of this round */
#pragma unroll
    for (int j = 0; j < M; j++) room->key[j * WARP + lane_id()] = key[j];
    __syncwarp();
#pragma unroll
    for (int j = 0; j < M; j++) {
        const int column = (int)(key[j] / MOST);
        int before = __shfl_up_sync(ALL_LANES, column, 1);
        if (lane_id() == 0) before = last;
        last = __shfl_sync(ALL_LANES, column, WARP - 1);
        const bool head = key[j] != NO_KEY && column != before;
        const unsigned heads = __ballot_sync(ALL_LANES, head);
        if (head) {
            const int64_t at = to + __popc(heads & lanes_below());
            typename K::sum sum = {};
            for (uint32_t k = (uint32_t)(j * WARP + lane_id());
                 !K::PLACES && k < MOST && (int)(room->key[k] / MOST) == column; k++)
                sum += room->product[room->key[k] % MOST];
            C.col[at] = low + column;
            put_sum(C, at, sum);
        }
        to += __popc(heads);
    }
}

template <class K, int M>
static __global__ void sum(csr_rows A, csr_rows B, product_rows C, row_list list)
{
    const int64_t number = global_thread() / WARP;
    sort_room<K, M> *room = (sort_room<K, M> *)dynamic_shared_pairs + threadIdx.x / WARP;
    if (number >= list.n) return;
    const int64_t i = list.row[number];
    const int32_t low = span_of(C.spans, i).low;
    uint32_t key[M];
    expand(room, A, B, i, low, key);
    sort_lanes(key);
    compress(room, C, first_entry(C, i), low, key);
}

/* Calls each(constant) with the numbers of products for a lane that there are. */
template <class F>
static void each_lane_products(F each)
{
    each(std::integral_constant<int, 1>());
    each(std::integral_constant<int, 2>());
    each(std::integral_constant<int, 4>());
    each(std::integral_constant<int, 8>());
    each(std::integral_constant<int, 16>());
}

spmv_status sort_sum(const product_job *job, int lane_products, row_list list, product_rows C,
                     spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    by_product(job->B.type, C.type, [&](auto k) {
        each_lane_products([&](auto m) {
            using K = decltype(k);
            constexpr int M = decltype(m)::value;
            if (lane_products == M)
                st = launch_row_warps(job, list, SORT_WARPS, sizeof(sort_room<K, M>),
                                      "sorting rows", err, sum<K, M>, job->B, C, list);
        });
    });
    return st;
}

int sort_lane_products(spmv_type C, const block_limits *limits)
{
    int most = 0;
    by_product(SPMV_F64, C, [&](auto k) {
        each_lane_products([&](auto m) {
            constexpr int M = decltype(m)::value;
            if ((int64_t)sizeof(sort_room<decltype(k), M>) <= limits->shared) most = M;
        });
    });
    return most;
}

} // namespace spmv
