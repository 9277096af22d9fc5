/* word_rows.cu -- rows of C whose columns lie near each other, or in clusters, each by a warp.
 *
 * A word has a bit for each of 32 neighbouring columns, and a word above a bit for each of 32 such
 * words.  The warp marks which words the row has, numbers them, marks its columns in them, and
 * counts those before each word: then two looks tell the place of a column in the row, and nothing
 * is hashed or sorted.  With these places it goes through the products, and adds each to the sum in
 * its place.
 *
 * Columns are marked by the words of B where these are few (row_words.cuh), and one by one
 * otherwise. */
#include "cuda/spgemm/row_words.cuh"
#include "cuda/spgemm/warp_products.cuh"
#include "cuda/spgemm/ways.cuh"

namespace spmv
{

constexpr int WORD_WARPS = 4; /* of a block */
PLAN_LIMIT(MOST_ABOVE, 1024); /* words of words of a row */

struct alignas(8) word_above {
    uint32_t used;  /* a bit for each word */
    int32_t before; /* words of the row before these */
};
struct alignas(8) word_below {
    uint32_t bits;  /* a bit for each column */
    int32_t before; /* columns of the row before these */
};

/* The words of a row, in shared memory. */
struct row_levels {
    word_above *above; /* [above_count] by number, from `first` on */
    word_below *below; /* [words of the row] */
    int32_t first, above_count;
};

__device__ inline int32_t number_above(int32_t column)
{
    return (int32_t)((unsigned)column / (WORD * WORD));
}

/* Returns which of the words below the word with this number is; it has been marked above. */
__device__ inline int place_of_word(const row_levels &levels, unsigned number)
{
    const word_above up = levels.above[number / WORD - (unsigned)levels.first];
    return up.before + __popc(up.used & ((1u << number % WORD) - 1));
}

/* Returns the place in the row of a column that has been marked. */
__device__ inline unsigned place_of_column(const row_levels &levels, unsigned column)
{
    const word_below low = levels.below[place_of_word(levels, column / WORD)];
    return (unsigned)(low.before + __popc(low.bits & ((1u << column % WORD) - 1)));
}

/* Sets bits; returns whether none was set before. */
__device__ inline bool set_bits(uint32_t *word, uint32_t bits)
{
    return (*(volatile uint32_t *)word & bits) != bits && atomicOr(word, bits) == 0;
}

/* A way through the words of a row, those of twins in B once.  Where the row has one batch of
 * entries, it is filled once for all passes. */
template <bool PACKED>
struct word_pass {
    row_batch<no_sum> *batch;
    const csr_rows &A, &words;
    int64_t i;
    bool one;    /* there is one batch, */
    int rows, n; /* which has been filled */

    __device__ word_pass(row_batch<no_sum> *to, const csr_rows &a, const csr_rows &of, int64_t row)
        : batch(to), A(a), words(of), i(row), rows(0), n(0)
    {
        const int64_t begin = offset(A, i), end = offset(A, i + 1);
        one = end - begin <= WARP;
        if (one)
            n = fill_batch<places_only, true>(batch, A, words, begin, begin, end, all_columns(),
                                              &rows);
    }

    /* Calls use(there, word) for all words, in all lanes, as long as it wants to go on. */
    template <class F>
    __device__ void each(F use) const
    {
        const auto take = [&](bool there, int64_t q, no_sum) {
            return use(there, there ? word_at<PACKED>(words, q) : column_word{});
        };
        if (one)
            each_of_batch(batch, rows, n, take);
        else
            each_product<places_only, true>(batch, A, words, i, all_columns(), take);
        __syncwarp();
    }
};

/* Marks the words of row i above, and numbers them.  Returns how many there are; more than `most`:
 * it was given up. */
template <bool PACKED>
__device__ inline int mark_above(const row_levels &levels, const word_pass<PACKED> &row, int most)
{
    int found = 0;
    for (int u = lane_id(); u < levels.above_count; u += WARP) levels.above[u].used = 0;
    __syncwarp();
    row.each([&](bool there, column_word word) {
        bool fresh = false;
        if (there) {
            const uint32_t bit = 1u << word.number % WORD;
            uint32_t *used = &levels.above[word.number / WORD - (unsigned)levels.first].used;
            fresh = !(*(volatile uint32_t *)used & bit) && !(atomicOr(used, bit) & bit);
        }
        found += __popc(__ballot_sync(ALL_LANES, fresh));
        return found <= most;
    });
    if (found > most) return found;
    int before = 0;
    for (int u = lane_id(); u - lane_id() < levels.above_count; u += WARP) {
        const int own = u < levels.above_count ? __popc(levels.above[u].used) : 0;
        const int through = before + sum_through(own);
        if (u < levels.above_count) levels.above[u].before = through - own;
        before = __shfl_sync(ALL_LANES, through, WARP - 1);
    }
    __syncwarp();
    return found;
}

/* ---- Counting -------------------------------------------------------------------------------- */

/* Shared memory of a warp that counts; words above follow it. */
struct count_room {
    row_batch<no_sum> batch;
    uint32_t bits[WORDS_MOST];
};

/* Counts the columns of row i; returns its words, or more than WORDS_MOST. */
template <bool PACKED>
__device__ inline int count_row(count_room *room, const row_levels &levels, const csr_rows &A,
                                const csr_rows &words, int64_t i, int *columns)
{
    const word_pass<PACKED> row(&room->batch, A, words, i);
    const int found = mark_above(levels, row, WORDS_MOST);
    *columns = 0;
    if (found > WORDS_MOST) return found;
    for (int w = lane_id(); w < found; w += WARP) room->bits[w] = 0;
    __syncwarp();
    row.each([&](bool there, column_word word) {
        if (there) set_bits(room->bits + place_of_word(levels, word.number), word.bits);
    });
    for (int w = lane_id(); w < found; w += WARP) *columns += __popc(room->bits[w]);
    *columns = sum_of_lanes(*columns);
    return found;
}

template <bool PACKED>
static __global__ void count(csr_rows A, csr_rows words, row_spans spans, int64_t bytes,
                             row_list list, uint32_t *counts, uint8_t *of_row, int32_t *others,
                             int32_t *left)
{
    char *at = (char *)dynamic_shared_pairs + threadIdx.x / WARP * bytes;
    count_room *room = (count_room *)at;
    const int64_t number = global_thread() / WARP;
    if (number >= list.n) return;
    const int64_t i = list.row[number];
    const column_span lies = span_of(spans, i);
    const int32_t first = number_above(lies.low);
    const row_levels levels = {(word_above *)(room + 1), NULL, first,
                               number_above(lies.low + lies.span) - first + 1};
    int columns;
    const int found = count_row<PACKED>(room, levels, A, words, i, &columns);
    if (lane_id() > 0) return;
    if (found > WORDS_MOST) {
        others[atomicAdd(left, 1)] = (int32_t)i;
    } else {
        counts[i] = (uint32_t)columns;
        of_row[i] = (uint8_t)found;
    }
}

/* Returns the shared memory of a warp that counts rows with so many words above. */
static int64_t word_count_bytes(int64_t above)
{
    return ((int64_t)sizeof(count_room) + above * (int64_t)sizeof(word_above) + 15) / 16 * 16;
}

int64_t most_above(const block_limits *limits)
{
    int64_t most = MOST_ABOVE;
    while (most > 0 && word_count_bytes(most) > limits->shared) most /= 2;
    return most;
}

spmv_status word_count(const product_job *job, row_list list, uint32_t *counts, uint8_t *words,
                       int32_t *others, int32_t *left, spmv_error *err)
{
    const int64_t bytes = word_count_bytes(job->above_most);
    return launch_row_warps(job, list, WORD_WARPS, bytes, "counting words", err,
                            job->packed ? count<true> : count<false>,
                            job->packed ? job->words : job->B, job->spans, bytes, list, counts,
                            words, others, left);
}

/* ---- Summing --------------------------------------------------------------------------------- */

/* What a warp has in shared memory. */
template <class S>
struct word_room {
    row_batch<S> *batch;
    S *sums; /* [entries] */
    row_levels levels;
    int32_t *number; /* [words] */
};

template <class S>
__device__ inline word_room<S> room_of_warp(int64_t bytes, int64_t n, int words,
                                            const column_span &columns)
{
    char *at = (char *)dynamic_shared_pairs + threadIdx.x / WARP * bytes;
    word_room<S> room;
    room.levels.first = number_above(columns.low);
    room.levels.above_count = number_above(columns.low + columns.span) - room.levels.first + 1;
    room.batch = (row_batch<S> *)at;
    room.sums = (S *)(room.batch + 1);
    room.levels.above = (word_above *)(room.sums + (std::is_empty_v<S> ? 0 : n));
    room.levels.below = (word_below *)(room.levels.above + room.levels.above_count);
    room.number = (int32_t *)(room.levels.below + words);
    return room;
}

/* Marks the columns of row i, counts those before each word, and writes them to col. */
template <bool PACKED, class S>
__device__ inline void mark_columns(const word_room<S> &room, const csr_rows &A,
                                    const csr_rows &of_words, int64_t i, int words, int32_t *col)
{
    const row_levels &levels = room.levels;
    const word_pass<PACKED> row((row_batch<no_sum> *)room.batch, A, of_words, i);
    mark_above(levels, row, words);
    for (int w = lane_id(); w < words; w += WARP) levels.below[w].bits = 0;
    __syncwarp();
    row.each([&](bool there, column_word word) {
        if (!there) return;
        const int at = place_of_word(levels, word.number);
        if (set_bits(&levels.below[at].bits, word.bits)) room.number[at] = (int32_t)word.number;
    });
    int before = 0;
    for (int w = lane_id(); w - lane_id() < words; w += WARP) {
        uint32_t bits = w < words ? levels.below[w].bits : 0;
        const int through = before + sum_through(__popc(bits));
        int at = through - __popc(bits);
        if (w < words) levels.below[w].before = at;
        for (; bits != 0; bits &= bits - 1)
            col[at++] = room.number[w] * WORD + __ffs((int)bits) - 1;
        before = __shfl_sync(ALL_LANES, through, WARP - 1);
    }
    __syncwarp();
}

template <class K>
__device__ inline void sum_columns(const word_room<typename K::sum> &room, const csr_rows &A,
                                   const csr_rows &B, int64_t i, bool columns)
{
    using S = typename K::sum;
    if (columns)
        each_column<K>(room.batch, A, B, i, 1, all_columns(),
                       [&](bool there, int32_t c, int at, const twin_rows &r) {
                           if (!there) return;
                           const unsigned place = place_of_column(room.levels, (unsigned)c);
                           add_column<K>(room.sums + place, *room.batch, B, at, r);
                       });
    else
        each_product<K>(room.batch, A, B, i, all_columns(), [&](bool there, int64_t q, S left) {
            S added = {};
            unsigned place = 0;
            if (there) {
                added = product<K>(left, B, q);
                place = place_of_column(room.levels, (unsigned)__ldg(B.col + q));
            }
            add_in_order(room.sums, there, place, added);
        });
    __syncwarp();
}

template <class K, bool PACKED>
static __global__ void __launch_bounds__(WORD_WARPS *WARP, 12)
    sum(csr_rows A, csr_rows B, csr_rows of_words, product_rows C, int64_t bytes, row_list list)
{
    using S = typename K::sum;
    const int64_t number = global_thread() / WARP;
    if (number >= list.n) return;
    const int64_t i = list.row[number];
    const int n = (int)entries_of(C.offsets, i), words = C.words[i];
    const word_room<S> room = room_of_warp<S>(bytes, n, words, span_of(C.spans, i));

    for (int k = lane_id(); !K::PLACES && k < n; k += WARP) room.sums[k] = S{};
    mark_columns<PACKED>(room, A, of_words, i, words, C.col + first_entry(C, i));
    if (K::PLACES) return;
    sum_columns<K>(room, A, B, i, by_columns(C.products[i], offset(A, i + 1) - offset(A, i)));
    /* What the row is, and where it goes, is asked again: no registers are left to keep it in. */
    const int64_t row = list.row[number], to = first_entry(C, row);
    const int entries = (int)entries_of(C.offsets, row);
    for (int k = lane_id(); k < entries; k += WARP) put_sum(C, to + k, room.sums[k]);
}

int64_t word_bytes(int size)
{
    static const int bytes[WORD_SIZES] = {3 << 10, 11 << 9, 15 << 9, 12 << 10};
    return bytes[size];
}

/* Bytes of a warp. */
template <class K>
static int64_t warp_bytes(int size)
{
    return word_bytes(size) + (int64_t)sizeof(row_batch<typename K::sum>);
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
        st = launch_row_warps(job, list, WORD_WARPS, bytes, "rows of words", err,
                              job->packed ? sum<K, true> : sum<K, false>, job->B,
                              job->packed ? job->words : job->B, C, bytes, list);
    });
    return st;
}

} // namespace spmv
