/* word_rows.cu -- rows of C whose columns come in clusters, each by a warp.
 *
 * A word is 32 neighbouring columns.  The warp keeps a table of the words in which the row has
 * entries, with a bit for each column, so that the table is far smaller than the row.  Once the
 * words are sorted, the bits before a column are its place in the row: then the warp goes through
 * the products again, and adds each to the sum in its place. */
#include "cuda/spgemm/hash_table.cuh"
#include "cuda/spgemm/sort_lanes.cuh"
#include "cuda/spgemm/warp_products.cuh"
#include "cuda/spgemm/ways.cuh"

namespace spmv
{

constexpr int WORD_WARPS = 4;            /* of a block */
constexpr int32_t SLOTS = 128;           /* of a table */
constexpr uint32_t NO_WORD = 0xffffffff; /* comes after all words */
static_assert(WORDS_MOST + WARP <= SLOTS, "32 columns more find slots");

struct word_table {
    int32_t word[SLOTS]; /* FREE, or columns 32 word .. 32 word + 31 */
    uint32_t bits[SLOTS];
};

__device__ inline void clear(word_table *table)
{
    for (int s = lane_id(); s < SLOTS; s += WARP) {
        table->word[s] = FREE;
        table->bits[s] = 0;
    }
    __syncwarp();
}

/* Sets the bit of each lane's column; returns how many words are new.  All lanes call it. */
__device__ inline int mark(word_table *table, bool there, int32_t column)
{
    bool fresh = false;
    if (there) {
        const unsigned s = slot_of(table->word, SLOTS, column / WARP, &fresh);
        const uint32_t bit = 1u << column % WARP;
        if (!(*(volatile uint32_t *)(table->bits + s) & bit)) atomicOr(table->bits + s, bit);
    }
    return __popc(__ballot_sync(ALL_LANES, fresh));
}

/* Sets the bits of the columns of row i.  Returns its words; more than WORDS_MOST: it was given up.
 */
__device__ inline int mark_row(word_table *table, row_batch<no_sum> *batch, const csr_rows &A,
                               const csr_rows &B, int64_t i, bool columns)
{
    int words = 0;
    if (columns)
        each_column<places_only>(batch, A, B, i,
                                 [&](bool there, int32_t c, int, const twin_rows &) {
                                     words += mark(table, there, c);
                                     return words <= WORDS_MOST;
                                 });
    else
        each_product<places_only>(batch, A, B, i, [&](bool there, int64_t q, no_sum) {
            words += mark(table, there, there ? __ldg(B.col + q) : 0);
            return words <= WORDS_MOST;
        });
    __syncwarp();
    return words;
}

/* ---- Counting -------------------------------------------------------------------------------- */

struct count_room {
    row_batch<no_sum> batch;
    word_table table;
};

static __global__ void count(csr_rows A, csr_rows B, const uint32_t *products, const int32_t *span,
                             uint32_t most, row_list list, int64_t *counts, uint8_t *words,
                             int32_t *others, int32_t *left)
{
    __shared__ count_room rooms[WORD_WARPS];
    count_room *room = rooms + threadIdx.x / WARP;
    const int64_t number = global_thread() / WARP;
    if (number >= list.n) return;
    const int64_t i = list.row[number];
    const bool tried = products[i] <= most && span[i] < WORD_SPAN;
    const bool columns = by_columns(products[i], offset(A, i + 1) - offset(A, i));
    int n = 0, found = WORDS_MOST + 1;
    clear(&room->table);
    if (tried) found = mark_row(&room->table, &room->batch, A, B, i, columns);
    for (int s = lane_id(); s < SLOTS; s += WARP) n += __popc(room->table.bits[s]);
    n = sum_of_lanes(n);
    if (lane_id() > 0) return;
    if (found > WORDS_MOST) {
        others[atomicAdd(left, 1)] = (int32_t)i;
    } else {
        counts[i] = n;
        words[i] = (uint8_t)found;
    }
}

spmv_status word_count(const product_job *job, int64_t most, row_list list, int64_t *counts,
                       uint8_t *words, int32_t *others, int32_t *left, spmv_error *err)
{
    const int warps = (int)max((int64_t)1, min((int64_t)WORD_WARPS, job->limits.block / WARP));
    launch_kernel(count, blocks_for(list.n, warps), warps * WARP, 0, job->stream, job->A, job->B,
                  job->products, job->span, (uint32_t)most, list, counts, words, others, left);
    return check_launch("counting words", err);
}

/* ---- Summing --------------------------------------------------------------------------------- */

/* Shared memory of a warp; sums follow it. */
template <class S>
struct word_room {
    row_batch<S> batch;
    word_table table;
    uint32_t found[SLOTS]; /* words, in no order, and their slots */
    uint16_t before[SLOTS];
};

/* Collects the words of the table, numbered from `low` on. */
template <class S>
__device__ inline void collect_words(word_room<S> *room, int32_t low)
{
    int filled = 0;
    for (int s = lane_id(); s < SLOTS; s += WARP) {
        const int32_t word = room->table.word[s];
        const unsigned taken = __ballot_sync(ALL_LANES, word != FREE);
        if (word != FREE)
            room->found[filled + __popc(taken & lanes_below())] =
                (uint32_t)(word - low) * SLOTS + (uint32_t)s;
        filled += __popc(taken);
    }
    __syncwarp();
}

/* Counts the columns before each of up to 32 M words, and writes those of the row. */
template <int M, class S>
__device__ inline void rank_words(word_room<S> *room, int words, int32_t low, int32_t *col)
{
    uint32_t x[M];
    int before = 0;
#pragma unroll
    for (int j = 0; j < M; j++)
        x[j] = j * WARP + lane_id() < words ? room->found[j * WARP + lane_id()] : NO_WORD;
    sort_lanes(x);
#pragma unroll
    for (int j = 0; j < M; j++) {
        const uint32_t s = x[j] % SLOTS;
        uint32_t bits = j * WARP + lane_id() < words ? room->table.bits[s] : 0;
        const int through = before + sum_before(__popc(bits));
        int at = through - __popc(bits);
        if (bits != 0) room->before[s] = (uint16_t)at;
        for (; bits != 0; bits &= bits - 1)
            col[at++] = (int32_t)(x[j] / SLOTS + (uint32_t)low) * WARP + __ffs((int)bits) - 1;
        before = __shfl_sync(ALL_LANES, through, WARP - 1);
    }
    __syncwarp();
}

/* Returns the place of a column that has been marked. */
template <class S>
__device__ inline unsigned rank_of(const word_room<S> *room, int32_t column)
{
    const int32_t word = column / WARP;
    unsigned s = first_slot(word, SLOTS);
    while (room->table.word[s] != word) s = s + 1 < SLOTS ? s + 1 : 0;
    return room->before[s] + (unsigned)__popc(room->table.bits[s] & ((1u << column % WARP) - 1));
}

template <class K>
__device__ inline void sum_columns(word_room<typename K::sum> *room, typename K::sum *sums,
                                   const csr_rows &A, const csr_rows &B, int64_t i, bool columns)
{
    using S = typename K::sum;
    if (columns)
        each_column<K>(&room->batch, A, B, i,
                       [&](bool there, int32_t c, int at, const twin_rows &r) {
                           if (there) add_twins<K>(sums + rank_of(room, c), room->batch, B, at, r);
                           __syncwarp();
                       });
    else
        each_product<K>(&room->batch, A, B, i, [&](bool there, int64_t q, S left) {
            S added = {};
            unsigned rank = 0;
            if (there) {
                added = product<K>(left, B, q);
                rank = rank_of(room, __ldg(B.col + q));
            }
            add_in_order(sums, there, rank, added);
        });
    __syncwarp();
}

template <class K>
static __global__ void sum(csr_rows A, csr_rows B, product_rows C, int64_t bytes, row_list list)
{
    using S = typename K::sum;
    const int64_t number = global_thread() / WARP;
    char *at = (char *)dynamic_shared_pairs + threadIdx.x / WARP * bytes;
    word_room<S> *room = (word_room<S> *)at;
    S *sums = (S *)(room + 1);
    if (number >= list.n) return;
    const int64_t i = list.row[number], to = C.row_ptr[i] - C.first;
    const int n = (int)(C.row_ptr[i + 1] - C.row_ptr[i]), words = C.words[i];
    const int32_t low = C.low[i] / WARP;
    const bool columns = by_columns(C.products[i], offset(A, i + 1) - offset(A, i));

    for (int k = lane_id(); !K::PLACES && k < n; k += WARP) sums[k] = S{};
    clear(&room->table);
    mark_row(&room->table, (row_batch<no_sum> *)&room->batch, A, B, i, columns);
    collect_words(room, low);
    if (words <= WARP)
        rank_words<1>(room, words, low, C.col + to);
    else if (words <= 2 * WARP)
        rank_words<2>(room, words, low, C.col + to);
    else
        rank_words<4>(room, words, low, C.col + to);
    if (K::PLACES) return;
    sum_columns<K>(room, sums, A, B, i, columns);
    for (int k = lane_id(); k < n; k += WARP) put_sum(C, to + k, sums[k]);
}

int64_t word_entries(int size)
{
    return (int64_t)128 << size;
}

/* Bytes of a warp. */
template <class K>
static int64_t warp_bytes(int size)
{
    return (int64_t)sizeof(word_room<typename K::sum>) + word_entries(size) * sum_bytes<K>();
}

bool words_fit(int size, spmv_type C, const block_limits *limits)
{
    bool fit = false;
    by_product(SPMV_F64, C, [&](auto k) { fit = warp_bytes<decltype(k)>(size) <= limits->shared; });
    return fit;
}

spmv_status word_sum(const product_job *job, int size, row_list list, product_rows C,
                     spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    by_product(job->B.type, C.type, [&](auto k) {
        using K = decltype(k);
        const int64_t bytes = warp_bytes<K>(size);
        const int warps = warps_that_fit(job->limits, WORD_WARPS, bytes);
        st = allow_shared(sum<K>, (int)(warps * bytes), "rows of few words", err);
        if (st != SPMV_SUCCESS) return;
        launch_kernel(sum<K>, blocks_for(list.n, warps), warps * WARP, warps * bytes, job->stream,
                      job->A, job->B, C, bytes, list);
        st = check_launch("rows of few words", err);
    });
    return st;
}

} // namespace spmv
