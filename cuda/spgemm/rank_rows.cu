/* rank_rows.cu -- long rows of C, each by a block: columns are marked, ranked, and summed.
 *
 * First all threads set the bit of each column that has an entry, by the words of B where it is
 * packed.  The number of bits before it, which is known as soon as those of each word have been
 * counted, is the place of the column in the row: so the row needs no sorting, and as much room for
 * sums as it has entries.
 *
 * Places are divided into stripes of as many entries each, one for each warp.  The block goes
 * through the products in tiles: they are multiplied, and sorted by stripes without changing their
 * order in one (counted, and put into their places); then each warp adds up its own.  Twins in A,
 * which have the same columns in C, are summed together, so that B is read once for all of them:
 * there each warp searches the rows of B for the columns of its stripe.
 *
 * Where bits and sums do not fit into shared memory, this is done for a window of columns at a
 * time.  Where that would take many windows, the sums lie outside. */
#include "cuda/device/plan.cuh"
#include "cuda/spgemm/row_words.cuh"
#include "cuda/spgemm/warp_products.cuh"
#include "cuda/spgemm/ways.cuh"

namespace spmv
{

constexpr int OUTSIDE_PART = 3;  /* blocks on a multiprocessor whose sums lie outside */
constexpr int TWINS_BLOCK = 512; /* threads, so that each has registers for sums of twins */

/* Parts of rows of B that are marked. */
struct marked_part {
    int64_t begin;
    int length;
};

/* A batch of entries of A whose rows of B are not empty, and a tile of their products, one for each
 * thread. */
template <class S>
struct tile_room {
    int64_t *base;   /* [threads] product t of the batch is entry base + t of B */
    int64_t *start;  /* [threads] the first product of each */
    S *left;         /* [threads] */
    S *product;      /* [threads] by stripes */
    uint32_t *place; /* [threads] */
    uint16_t *count; /* [warps * warps] products of a stripe in each warp's part, by stripe */
};

/* The shared memory of a block that sums R rows.  What is marked, the tile, and the batches of
 * warps are needed one after the other. */
template <class S, int R>
struct rank_room {
    marked_part *parts; /* [threads] */
    tile_room<S> tile;
    row_batch<S, R> *batches; /* [warps] */
    S *sums;                  /* [R * columns with entries] */
    uint64_t *bits;           /* [words] by column */
    uint32_t *before;
};

template <class T>
__device__ inline T *take(char **at, int64_t n)
{
    *at += -(uintptr_t)*at % alignof(T);
    T *first = (T *)*at;
    *at += n * (int64_t)sizeof(T);
    return first;
}

/* Returns the counters of a tile. */
__host__ __device__ constexpr int64_t tile_counters(int64_t threads)
{
    return threads / WARP * (threads / WARP);
}

/* Returns the bytes of a block for all but sums and bits; `searched`: no tiles are needed. */
template <class S, int R>
__host__ __device__ constexpr int64_t batch_bytes(int64_t threads, bool searched)
{
    const int64_t marking = threads * (int64_t)sizeof(marked_part) + 16;
    const int64_t stripes = threads / WARP * (int64_t)sizeof(row_batch<S, R>) + 16;
    const int64_t tiles = threads * (int64_t)(2 * sizeof(int64_t) + sizeof(S)) +
                          threads * (int64_t)(sizeof(S) + sizeof(uint32_t)) +
                          tile_counters(threads) * (int64_t)sizeof(uint16_t) + 16;
    if (std::is_empty_v<S>) return marking;
    return max(marking, searched || R > 1 ? stripes : tiles);
}

/* Divides the shared memory, for so many sums. */
template <class S, int R>
__device__ inline rank_room<S, R> divide_room(bool searched, int64_t sums, int64_t words)
{
    const int threads = (int)blockDim.x;
    rank_room<S, R> r = {};
    char *at = (char *)dynamic_shared_pairs;
    r.parts = (marked_part *)at;
    r.batches = (row_batch<S, R> *)at;
    if (!searched && R == 1 && !std::is_empty_v<S>) {
        r.tile.left = take<S>(&at, threads);
        r.tile.product = take<S>(&at, threads);
        r.tile.base = take<int64_t>(&at, threads);
        r.tile.start = take<int64_t>(&at, threads);
        r.tile.place = take<uint32_t>(&at, threads);
        r.tile.count = take<uint16_t>(&at, tile_counters(threads));
    }
    at = (char *)dynamic_shared_pairs + batch_bytes<S, R>(threads, searched) / 16 * 16;
    r.sums = take<S>(&at, sums);
    r.bits = take<uint64_t>(&at, words);
    r.before = take<uint32_t>(&at, words);
    return r;
}

/* The rows of A that a block works on: rows i .. i + count - 1, which are twins. */
struct twin_group {
    int64_t i;
    int count;
};

__device__ inline twin_group group_from(const csr_rows &A, int64_t i, int64_t end, int most)
{
    twin_group group = {i, 1};
    while (group.count < most && i + group.count < end && is_twin(A, i + group.count))
        group.count++;
    return group;
}

/* ---- Marking --------------------------------------------------------------------------------- */

/* Sets the bits of what parts of rows have, columns or words, from column `low` on, of which a
 * word begins.  A warp takes a part. */
template <bool PACKED>
__device__ inline void mark_parts(const marked_part *parts, int n, const csr_rows &of,
                                  uint64_t *bits, int64_t low)
{
    const int warps = (int)blockDim.x / WARP;
    for (int e = (int)threadIdx.x / WARP; e < n; e += warps) {
        const int64_t begin = parts[e].begin;
#pragma unroll 4
        for (int q = lane_id(); q < parts[e].length; q += WARP) {
            const column_word word = word_at<PACKED>(of, begin + q);
            uint32_t *half = (uint32_t *)bits + (word.number - low / WORD);
            if ((*(volatile uint32_t *)half & word.bits) != word.bits) atomicOr(half, word.bits);
        }
    }
}

/* Marks the columns low .. high - 1 of row i; `low` is the first one of a word. */
template <bool PACKED>
__device__ inline void mark_window(marked_part *parts, uint64_t *bits, const csr_rows &A,
                                   const csr_rows &of, int64_t i, int64_t low, int64_t high,
                                   bool whole)
{
    const int64_t begin = offset(A, i), end = offset(A, i + 1);
    const column_range range = {PACKED ? low / WORD : low, PACKED ? (high + WORD - 1) / WORD : high,
                                whole, 0.5f, 0.5f};
    for (int64_t w = threadIdx.x; w < words_of(high - low); w += blockDim.x) bits[w] = 0;
    for (int64_t p = begin; p < end; p += blockDim.x) {
        const int n = (int)min((int64_t)blockDim.x, end - p), own = (int)threadIdx.x;
        __syncthreads();
        if (own < n) {
            int64_t q = 0, stop = 0;
            if (p + own == begin || !meets_twin(A, of, p + own))
                find_part(of, __ldg(A.col + p + own), range, &q, &stop);
            parts[own] = {q, (int)(stop - q)};
        }
        __syncthreads();
        mark_parts<PACKED>(parts, n, of, bits, low);
    }
    __syncthreads();
}

/* The first column of a row that is marked. */
__device__ inline int64_t first_marked(int32_t low)
{
    return low / WORD_COLUMNS * WORD_COLUMNS;
}

__device__ inline int64_t behind_last(const column_span &columns)
{
    return (int64_t)columns.low + columns.span + 1;
}

/* ---- Counting -------------------------------------------------------------------------------- */

/* Counts row i, in columns begin .. end - 1. */
template <bool PACKED>
__device__ inline int64_t count_columns(const csr_rows &A, const csr_rows &of, int64_t i,
                                        int64_t begin, int64_t end, const rank_shape &shape)
{
    const int64_t bytes = shape.bytes - batch_bytes<no_sum, 1>(shape.block, true);
    const int64_t width = min(window_width(end - begin, 0, bytes, COUNTED_WORD, 0), shape.window);
    const rank_room<no_sum, 1> room = divide_room<no_sum, 1>(true, 0, 0);
    int64_t n = 0;
    for (int64_t c = begin; c < end; c += width) {
        const int64_t high = min(end, c + width);
        int all, own = 0;
        mark_window<PACKED>(room.parts, room.bits, A, of, i, c, high, high - c == end - begin);
        for (int64_t w = threadIdx.x; w < words_of(high - c); w += blockDim.x)
            own += __popcll(room.bits[w]);
        block_sum_before(own, &all);
        n += all;
    }
    return n;
}

template <bool PACKED>
static __global__ void __launch_bounds__(1024)
    count(csr_rows A, csr_rows of, row_spans spans, rank_shape shape, row_list list,
          uint32_t *counts)
{
    for (int64_t k = blockIdx.x; k < length(list); k += gridDim.x) {
        const int64_t i = list.row[k];
        const column_span columns = span_of(spans, i);
        const int64_t n =
            count_columns<PACKED>(A, of, i, first_marked(columns.low), behind_last(columns), shape);
        if (threadIdx.x == 0) counts[i] = (uint32_t)n;
    }
}

spmv_status rank_count(const product_job *job, rank_shape shape, row_list list, uint32_t *counts,
                       spmv_error *err)
{
    const auto kernel = job->packed ? count<true> : count<false>;
    spmv_status st;
    SPMV__TRY(allow_shared(kernel, (int)shape.bytes, "counting ranked rows", err));
    launch_kernel(kernel, blocks_for_list(list, 1), shape.block, shape.bytes, job->stream, job->A,
                  job->packed ? job->words : job->B, job->spans, shape, list, counts);
    st = check_launch("counting ranked rows", err);
done:
    return st;
}

/* ---- Summing --------------------------------------------------------------------------------- */

/* Counts the bits before each word.  Returns the number of all bits. */
template <class S, int R>
__device__ inline int rank_words(const rank_room<S, R> &room, int words)
{
    const int each = (words + (int)blockDim.x - 1) / (int)blockDim.x;
    const int first = min(words, (int)threadIdx.x * each), last = min(words, first + each);
    int own = 0, all;
    for (int w = first; w < last; w++) own += __popcll(room.bits[w]);
    int before = block_sum_before(own, &all);
    for (int w = first; w < last; w++) {
        room.before[w] = (uint32_t)before;
        before += __popcll(room.bits[w]);
    }
    return all;
}

/* A window of the columns of a row. */
struct row_window {
    int64_t low, high;
    bool whole;
    int words, found;     /* columns with entries */
    float before, inside; /* the part of the row that lies before it, and that is in it */
};

template <class S, int R>
__device__ inline int place_of_column(const rank_room<S, R> &room, int64_t low, int32_t column)
{
    const unsigned c = (unsigned)(column - low), w = c / WORD_COLUMNS;
    const uint64_t below = ((uint64_t)1 << c % WORD_COLUMNS) - 1;
    return (int)room.before[w] + __popcll(room.bits[w] & below);
}

/* Puts entries p .. of row i, before `end`, one for each thread, into the batch.  Returns how many
 * have a row of B in the window, and their products. */
template <class K>
__device__ inline int fill_tile_batch(const tile_room<typename K::sum> &tile, const csr_rows &A,
                                      const csr_rows &B, int64_t p, int64_t end,
                                      const column_range &range, int64_t *products)
{
    constexpr int ROWS = 2048; /* more than there are threads */
    int64_t q = 0, stop = 0, all;
    if (p + threadIdx.x < end) find_part(B, __ldg(A.col + p + threadIdx.x), range, &q, &stop);
    const int64_t n = stop - q, before = block_sum_before(n * ROWS + (n > 0), &all);
    if (n > 0) {
        const int to = (int)(before % ROWS);
        tile.start[to] = before / ROWS;
        tile.base[to] = q - before / ROWS;
        tile.left[to] = K::left(A, p + threadIdx.x);
    }
    *products = all / ROWS;
    __syncthreads();
    return (int)(all % ROWS);
}

/* A product of a tile. */
template <class S>
struct tile_item {
    S product;
    uint32_t place;
    int stripe; /* -1: there is none */
};

/* Makes product t + lane of the batch, of so many; product t belongs to `row`. */
template <class K>
__device__ inline tile_item<typename K::sum>
make_item(const rank_room<typename K::sum, 1> &room, const csr_rows &B, int64_t low, int64_t t,
          int64_t products, int rows, float stripes_each, int row)
{
    const int next = row + 1 + lane_id(), stripes = (int)blockDim.x / WARP;
    const int64_t begins = next < rows ? room.tile.start[next] - t : WARP + 1;
    const unsigned firsts = any_bits(begins < WARP ? 1u << begins : 0);
    const int own = row + __popc(firsts & (lanes_below() | 1u << lane_id()));
    tile_item<typename K::sum> item = {{}, 0, -1};
    if (t + lane_id() < products) {
        const int64_t q = room.tile.base[own] + t + lane_id();
        item.place = (uint32_t)place_of_column(room, low, __ldg(B.col + q));
        item.product = product<K>(room.tile.left[own], B, q);
        item.stripe = min(stripes - 1, (int)((float)item.place * stripes_each));
    }
    return item;
}

/* Replaces the counts of a tile by the sums of those before; returns all. */
template <class S>
__device__ inline int sum_counts(const tile_room<S> &tile, int counters)
{
    const int each = (counters + (int)blockDim.x - 1) / (int)blockDim.x;
    const int begin = min(counters, (int)threadIdx.x * each), end = min(counters, begin + each);
    int own = 0, all;
    for (int k = begin; k < end; k++) own += tile.count[k];
    int before = block_sum_before(own, &all);
    for (int k = begin; k < end; k++) {
        const int n = tile.count[k];
        tile.count[k] = (uint16_t)before;
        before += n;
    }
    __syncthreads();
    return all;
}

/* Adds the products of a batch, of so many rows of B, to the sums. */
template <class K>
__device__ inline void sum_batch(const rank_room<typename K::sum, 1> &room, const csr_rows &B,
                                 int rows, int64_t products, const row_window &window)
{
    using S = typename K::sum;
    const tile_room<S> &tile = room.tile;
    const int warps = (int)blockDim.x / WARP, warp = (int)threadIdx.x / WARP;
    const float stripes_each = (float)warps / (float)window.found;
    for (int64_t first = 0; first < products; first += blockDim.x) {
        const int64_t own = first + warp * WARP;
        const int row = (int)last_where(rows, [&](int64_t r) { return tile.start[r] <= own; });
        const tile_item<S> item =
            make_item<K>(room, B, window.low, own, products, rows, stripes_each, row);
        const unsigned same = __match_any_sync(ALL_LANES, (unsigned)item.stripe);
        const int before = __popc(same & lanes_below());
        if (lane_id() < warps) tile.count[lane_id() * warps + warp] = 0;
        __syncwarp();
        if (item.stripe >= 0 && before == 0)
            tile.count[item.stripe * warps + warp] = (uint16_t)__popc(same);
        __syncthreads();
        const int all = sum_counts(tile, warps * warps);
        if (item.stripe >= 0) {
            const int to = before + tile.count[item.stripe * warps + warp];
            tile.place[to] = item.place;
            tile.product[to] = item.product;
        }
        __syncthreads();
        const int stop = warp + 1 < warps ? tile.count[(warp + 1) * warps] : all;
        for (int k = tile.count[warp * warps] + lane_id(); k - lane_id() < stop; k += WARP)
            add_in_order(room.sums, k < stop, k < stop ? tile.place[k] : 0,
                         k < stop ? tile.product[k] : S{});
        __syncthreads();
    }
}

/* Returns the columns of a warp's stripe. */
template <class S, int R>
__device__ inline column_range columns_of_warp(const rank_room<S, R> &room,
                                               const row_window &window)
{
    const int stripes = (int)blockDim.x / WARP, stripe = (int)threadIdx.x / WARP;
    const auto word_from = [&](int64_t entry) {
        return partition_point(window.words, [&](int64_t w) { return room.before[w] < entry; });
    };
    const int64_t first = word_from((int64_t)window.found * stripe / stripes);
    const int64_t last = stripe + 1 < stripes
                             ? word_from((int64_t)window.found * (stripe + 1) / stripes)
                             : window.words;
    return {window.low + first * WORD_COLUMNS, min(window.high, window.low + last * WORD_COLUMNS),
            window.whole && stripes == 1,
            window.before + window.inside * (float)stripe / (float)stripes,
            window.before + window.inside * (float)(stripe + 1) / (float)stripes};
}

/* Adds the products of a warp's stripe to the sums. */
template <class K, int R>
__device__ inline void sum_stripe(const rank_room<typename K::sum, R> &room, const csr_rows &A,
                                  const csr_rows &B, const twin_group &group,
                                  const row_window &window, const column_range &range)
{
    using S = typename K::sum;
    row_batch<S, R> *batch = room.batches + threadIdx.x / WARP;
    if constexpr (R == 1)
        each_product<K>(batch, A, B, group.i, range, [&](bool there, int64_t q, S left) {
            S added = {};
            unsigned place = 0;
            if (there) {
                added = product<K>(left, B, q);
                place = (unsigned)place_of_column(room, window.low, __ldg(B.col + q));
            }
            add_in_order(room.sums, there, place, added);
        });
    else
        each_column<K, R>(batch, A, B, group.i, group.count, range,
                          [&](bool there, int32_t c, int at, const twin_rows &rows) {
                              if (!there) return;
                              const int place = place_of_column(room, window.low, c);
                              add_column_of_twins<K, R>(room.sums + place, window.found, *batch, B,
                                                        at, rows);
                          });
}

/* Adds the products of the rows in a window to the sums: each warp its stripe where rows of B are
 * long enough for it to search them, else tile by tile. */
template <class K, int R>
__device__ inline void sum_window(const rank_room<typename K::sum, R> &room, const csr_rows &A,
                                  const csr_rows &B, const twin_group &group,
                                  const row_window &window, bool searched)
{
    if (R > 1 || searched) {
        const column_range range = columns_of_warp(room, window);
        if (range.low < range.high) sum_stripe<K, R>(room, A, B, group, window, range);
        return;
    }
    if constexpr (R == 1) {
        const int64_t begin = offset(A, group.i), end = offset(A, group.i + 1);
        const column_range range = {window.low, window.high, window.whole, window.before,
                                    window.before + window.inside};
        for (int64_t p = begin; p < end; p += blockDim.x) {
            int64_t all;
            const int rows = fill_tile_batch<K>(room.tile, A, B, p, end, range, &all);
            sum_batch<K>(room, B, rows, all, window);
        }
    }
}

/* Writes the entries of a window, which begin at `to`. */
template <class K, int R>
__device__ inline void write_window(const rank_room<typename K::sum, R> &room,
                                    const row_window &window, const typename K::sum *sums,
                                    const product_rows &C, int64_t to)
{
    for (int w = (int)threadIdx.x; w < window.words; w += (int)blockDim.x) {
        int64_t at = to + room.before[w];
        for (uint64_t bits = room.bits[w]; bits != 0; bits &= bits - 1)
            C.col[at++] = (int32_t)(window.low + WORD_COLUMNS * w + __ffsll((long long)bits) - 1);
    }
    for (int k = (int)threadIdx.x; !K::PLACES && k < window.found; k += (int)blockDim.x)
        put_sum(C, to + k, sums[k]);
}

template <class K, int R, bool PACKED>
__device__ inline void sum_row(const csr_rows &A, const csr_rows &B, const csr_rows &words,
                               const product_rows &C, const rank_shape &shape, int64_t i)
{
    using S = typename K::sum;
    const bool inside = !shape.outside && !K::PLACES;
    const column_span columns = span_of(C.spans, i);
    const int64_t begin = first_marked(columns.low), end = behind_last(columns);
    const int64_t n = entries_of(C.offsets, i);
    const twin_group group = group_from(A, i, C.end, R);
    const bool searched =
        is_searched(C.products[i], offset(A, i + 1) - offset(A, i), (int)blockDim.x);
    const int64_t bytes = shape.bytes - batch_bytes<S, R>(shape.block, searched);
    const int64_t width =
        min(window_width(end - begin, n, bytes, RANKED_WORD, inside ? R * sum_bytes<K>() : 0),
            shape.window);
    int64_t done = 0;
    for (int64_t c = begin; c < end; c += width) {
        row_window window = {c, min(end, c + width), false, 0, 0, 0, 0};
        window.whole = window.high - c == end - begin;
        window.words = (int)words_of(window.high - c);
        rank_room<S, R> room =
            divide_room<S, R>(searched, inside ? R * min(n, width) : 0, window.words);
        if (shape.outside) room.sums = (S *)shape.sums + blockIdx.x * shape.longest;
        mark_window<PACKED>(room.parts, room.bits, A, PACKED ? words : B, i, c, window.high,
                            window.whole);
        window.found = rank_words(room, window.words);
        window.before = (float)done / (float)n;
        window.inside = (float)window.found / (float)n;
        if (!K::PLACES) {
            for (int k = (int)threadIdx.x; k < R * window.found; k += (int)blockDim.x)
                room.sums[k] = S{};
            __syncthreads();
            sum_window<K, R>(room, A, B, group, window, searched);
        }
        __syncthreads();
        for (int r = 0; r < group.count; r++)
            write_window<K, R>(room, window, room.sums + r * window.found, C,
                               first_entry(C, i + r) + done);
        done += window.found;
        __syncthreads();
    }
}

template <class K, int R, bool PACKED>
static __global__ void __launch_bounds__(R == 1 ? 1024 : TWINS_BLOCK)
    sum(csr_rows A, csr_rows B, csr_rows words, product_rows C, rank_shape shape, row_list list)
{
    for (int64_t k = blockIdx.x; k < list.n; k += gridDim.x)
        sum_row<K, R, PACKED>(A, B, words, C, shape, list.row[k]);
}

spmv_status rank_sum(const product_job *job, rank_shape shape, row_list list, product_rows C,
                     spmv_error *err)
{
    const unsigned blocks = (unsigned)(shape.outside ? shape.blocks : list.n);
    spmv_status st = SPMV_SUCCESS;
    by_product(job->B.type, C.type, [&](auto k) {
        using K = decltype(k);
        const auto kernel = shape.rows == 1 ? (job->packed ? sum<K, 1, true> : sum<K, 1, false>)
                            : job->packed   ? sum<K, TWINS, true>
                                            : sum<K, TWINS, false>;
        st = allow_shared(kernel, (int)shape.bytes, "ranking rows", err);
        if (st != SPMV_SUCCESS) return;
        launch_kernel(kernel, blocks, shape.block, shape.bytes, job->stream, job->A, job->B,
                      job->words, C, shape, list);
        st = check_launch("ranking rows", err);
    });
    return st;
}

spmv_status rank_sums_outside(rank_shape *shape, spmv_type C, int64_t rows, int64_t longest,
                              int64_t bytes, spmv_error *err)
{
    int processors = 0;
    int64_t sum = 0;
    spmv_status st;
    SPMV__TRY(device_has(cudaDevAttrMultiProcessorCount, &processors, err));
    by_product(SPMV_F64, C, [&](auto k) { sum = sum_bytes<decltype(k)>(); });
    shape->longest = longest;
    shape->blocks = (int)min(rows, (int64_t)(OUTSIDE_PART * processors));
    if (sum > 0)
        shape->blocks = (int)max((int64_t)1, min((int64_t)shape->blocks, bytes / (longest * sum)));
    st = spmv__gpu_alloc(&shape->sums, shape->blocks * longest * sum, "sums of long rows", err);
done:
    return st;
}

/* A small row leaves room for five others on a multiprocessor, a middle one for two. */
rank_shape rank_shape_of(int size, const block_limits *limits)
{
    static const struct {
        int block, part, rows;
    } shapes[RANK_SIZES] = {
        {256, 6, 1}, {256, 3, 1}, {1024, 1, 1}, {TWINS_BLOCK, 1, TWINS}, {512, OUTSIDE_PART, 1}};
    /* Bytes: of static shared memory, and of what CUDA takes for each block. */
    constexpr int64_t LEAST = 6 << 10, STATIC = 512, OF_CUDA = 1 << 10;
    rank_shape s = {};
    s.outside = size == RANK_OUTSIDE;
    s.rows = shapes[size].rows;
    s.block = (int)min((int64_t)shapes[size].block, limits->block);
    s.bytes = (limits->shared + OF_CUDA) / shapes[size].part - OF_CUDA - STATIC;
    s.bytes = max(s.bytes, LEAST) / 16 * 16;
    s.window = limits->window;
    return s;
}

int64_t rank_room_bytes(spmv_type C, rank_shape shape, bool searched)
{
    int64_t bytes = 0;
    by_product(SPMV_F64, C, [&](auto k) {
        using S = typename decltype(k)::sum;
        bytes = shape.bytes - (shape.rows == 1 ? batch_bytes<S, 1>(shape.block, searched)
                                               : batch_bytes<S, TWINS>(shape.block, searched));
    });
    return bytes;
}

} // namespace spmv
