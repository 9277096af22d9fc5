/* span_rows.cu -- rows of C whose columns lie near each other, each by a warp.
 *
 * The warp sets a bit for each column that has an entry.  The number of bits before it is the place
 * of the column in the row: nothing is hashed, and nothing is sorted.  Then it goes through the
 * products again, and adds each to the sum in its place. */
#include "cuda/spgemm/warp_products.cuh"
#include "cuda/spgemm/ways.cuh"

namespace spmv
{

constexpr int SPAN_WARPS = 4; /* of a block */

/* The shared memory of a warp, for a row whose columns begin at `low`. */
template <class S>
struct span_room {
    row_batch<S> *batch;
    S *sums;        /* [entries] */
    uint64_t *bits; /* [words] by column */
    uint16_t *before;
    int32_t low;
};

template <class S>
__device__ inline span_room<S> room_of_warp(int64_t bytes, int64_t sums, int words, int32_t low)
{
    char *at = (char *)dynamic_shared_pairs + threadIdx.x / WARP * bytes;
    span_room<S> room;
    room.low = low;
    room.batch = (row_batch<S> *)at;
    room.sums = (S *)(room.batch + 1);
    room.bits = (uint64_t *)(room.sums + (std::is_empty_v<S> ? 0 : sums));
    room.before = (uint16_t *)(room.bits + words);
    return room;
}

/* Sets the bits of the columns of row i. */
template <class S>
__device__ inline void mark_columns(const span_room<S> &room, const csr_rows &A, const csr_rows &B,
                                    int64_t i, bool columns)
{
    row_batch<no_sum> *batch = (row_batch<no_sum> *)room.batch;
    const auto mark = [&](int32_t column) {
        const int c = column - room.low;
        const uint32_t bit = 1u << c % 32;
        uint32_t *half = (uint32_t *)room.bits + c / 32;
        if (!(*(volatile uint32_t *)half & bit)) atomicOr(half, bit);
    };
    if (columns)
        each_column<places_only>(batch, A, B, i,
                                 [&](bool there, int32_t c, int, const twin_rows &) {
                                     if (there) mark(c);
                                 });
    else
        each_product<places_only>(batch, A, B, i, [&](bool there, int64_t q, no_sum) {
            if (there) mark(__ldg(B.col + q));
        });
    __syncwarp();
}

/* Counts the bits before each word.  A lane takes words beside each other, an odd number of them,
 * so that lanes meet in no bank. */
template <class S>
__device__ inline void rank_columns(const span_room<S> &room, int words)
{
    const int each = (words + WARP - 1) / WARP | 1;
    const int first = min(words, lane_id() * each), last = min(words, first + each);
    int own = 0;
    for (int w = first; w < last; w++) own += __popcll(room.bits[w]);
    int before = sum_before(own) - own;
    for (int w = first; w < last; w++) {
        room.before[w] = (uint16_t)before;
        before += __popcll(room.bits[w]);
    }
    __syncwarp();
}

template <class S>
__device__ inline unsigned rank_in_span(const span_room<S> &room, int32_t column)
{
    const int c = column - room.low, w = c / WORD_COLUMNS;
    const uint64_t below = ((uint64_t)1 << c % WORD_COLUMNS) - 1;
    return room.before[w] + (unsigned)__popcll(room.bits[w] & below);
}

template <class K>
__device__ inline void sum_columns(const span_room<typename K::sum> &room, const csr_rows &A,
                                   const csr_rows &B, int64_t i, bool columns)
{
    using S = typename K::sum;
    if (columns)
        each_column<K>(room.batch, A, B, i, [&](bool there, int32_t c, int at, const twin_rows &r) {
            if (there) {
                S *sum = room.sums + rank_in_span(room, c);
                add_twins<K>(sum, *room.batch, B, at, r);
            }
            __syncwarp();
        });
    else
        each_product<K>(room.batch, A, B, i, [&](bool there, int64_t q, S left) {
            S added = {};
            unsigned rank = 0;
            if (there) {
                added = product<K>(left, B, q);
                rank = rank_in_span(room, __ldg(B.col + q));
            }
            add_in_order(room.sums, there, rank, added);
        });
    __syncwarp();
}

template <class K>
static __global__ void sum(csr_rows A, csr_rows B, product_rows C, int64_t bytes, row_list list)
{
    using S = typename K::sum;
    const int64_t number = global_thread() / WARP;
    if (number >= list.n) return;
    const int64_t i = list.row[number];
    const int64_t to = C.row_ptr[i] - C.first;
    const int n = (int)(C.row_ptr[i + 1] - C.row_ptr[i]);
    const int words = (int)words_of((int64_t)C.span[i] + 1);
    const bool columns = by_columns(C.products[i], offset(A, i + 1) - offset(A, i));
    const span_room<S> room = room_of_warp<S>(bytes, n, words, C.low[i]);

    for (int w = lane_id(); w < words; w += WARP) room.bits[w] = 0;
    for (int k = lane_id(); !K::PLACES && k < n; k += WARP) room.sums[k] = S{};
    __syncwarp();
    mark_columns(room, A, B, i, columns);
    rank_columns(room, words);
    if (!K::PLACES) sum_columns<K>(room, A, B, i, columns);
    for (int w = lane_id(); w < words; w += WARP) {
        int64_t at = to + room.before[w];
        for (uint64_t bits = room.bits[w]; bits != 0; bits &= bits - 1)
            C.col[at++] = room.low + WORD_COLUMNS * w + __ffsll((long long)bits) - 1;
    }
    for (int k = lane_id(); !K::PLACES && k < n; k += WARP) put_sum(C, to + k, room.sums[k]);
}

int64_t span_bytes(int size)
{
    static const int bytes[SPAN_SIZES] = {3 << 10, 11 << 9, 15 << 9, 12 << 10};
    return bytes[size];
}

/* Bytes of a warp. */
template <class K>
static int64_t warp_bytes(int size)
{
    return span_bytes(size) + (int64_t)sizeof(row_batch<typename K::sum>);
}

bool span_fits(int size, spmv_type C, const block_limits *limits)
{
    bool fits = false;
    by_product(SPMV_F64, C,
               [&](auto k) { fits = warp_bytes<decltype(k)>(size) <= limits->shared; });
    return fits;
}

spmv_status span_sum(const product_job *job, int size, row_list list, product_rows C,
                     spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    by_product(job->B.type, C.type, [&](auto k) {
        using K = decltype(k);
        const int64_t bytes = warp_bytes<K>(size);
        const int warps = warps_that_fit(job->limits, SPAN_WARPS, bytes);
        st = allow_shared(sum<K>, (int)(warps * bytes), "rows of near columns", err);
        if (st != SPMV_SUCCESS) return;
        launch_kernel(sum<K>, blocks_for(list.n, warps), warps * WARP, warps * bytes, job->stream,
                      job->A, job->B, C, bytes, list);
        st = check_launch("rows of near columns", err);
    });
    return st;
}

} // namespace spmv
