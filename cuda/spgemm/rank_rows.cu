/* rank_rows.cu -- long rows of C, each by a block: columns are marked, ranked, and summed.
 *
 * First all threads set the bit of each column that has an entry.  The number of bits before it,
 * which is known as soon as those of each word have been counted, is the place of the column in the
 * row: so the row needs no sorting, and as much room for sums as it has entries.
 *
 * Then the threads take the products as they come, one each.  Those of one row of B meet different
 * columns, and are added together; rows of B take turns, in the order of A.  Where they are short,
 * that would be many turns: then warps claim columns, and of all that want one at a time the first
 * warp adds what it has.  Twins in B, rows with the same columns, share a turn: a thread adds what
 * they have in its column.  Twins in A, which have the same columns in C, are summed together, so
 * that B is read once for all of them.
 *
 * Where bits and sums do not fit into shared memory, this is done for a window of columns at a
 * time, and rows of B are searched for their parts in it.  Where that would take many windows, the
 * sums lie outside. */
#include "cuda/device/plan.cuh"
#include "cuda/spgemm/ways.cuh"

namespace spmv
{

constexpr int OUTSIDE_PART = 3; /* blocks on a multiprocessor whose sums lie outside */

/* The shared memory of a block that sums R rows. */
template <class S>
struct rank_room {
    S *left;         /* [batch * R] entries of A, */
    int64_t *begin;  /* [batch] and their rows of B: the first entry in the window, */
    int32_t *length; /* [batch] how many are in it; -1: they are the twins of those before */
    int32_t *start;  /* [batch] and the columns of those before in the batch */
    S *sums;         /* [R * columns with entries] */
    uint64_t *bits;  /* [words] by column */
    uint32_t *before;
    uint32_t *claims; /* [CLAIMS for each thread] see add_claimed */
};
constexpr int CLAIMS = 2;   /* a power of 2 */
PLAN_LIMIT(MOST_TURNS, 48); /* of rows of B, before columns are claimed */

template <class T>
__device__ inline T *take(char **at, int64_t n)
{
    *at += -(uintptr_t)*at % alignof(T);
    T *first = (T *)*at;
    *at += n * (int64_t)sizeof(T);
    return first;
}

/* Divides the shared memory, for so many sums and words; batch_bytes go to all the rest. */
template <class S, int R>
__device__ inline rank_room<S> divide_room(int batch, int64_t sums, int64_t words)
{
    rank_room<S> r;
    char *at = (char *)dynamic_shared_pairs;
    r.left = take<S>(&at, batch * R);
    r.sums = take<S>(&at, sums);
    r.begin = take<int64_t>(&at, batch);
    r.length = take<int32_t>(&at, batch);
    r.start = take<int32_t>(&at, batch);
    r.bits = take<uint64_t>(&at, words);
    r.before = take<uint32_t>(&at, words);
    r.claims = R == 1 && !std::is_empty_v<S> ? take<uint32_t>(&at, CLAIMS * blockDim.x) : NULL;
    return r;
}

template <class S, int R>
__host__ __device__ constexpr int64_t batch_bytes(int64_t batch, int64_t threads)
{
    const int64_t claims = R == 1 && !std::is_empty_v<S> ? threads * CLAIMS * sizeof(uint32_t) : 0;
    return batch * (int64_t)(R * sizeof(S) + sizeof(int64_t) + 2 * sizeof(int32_t)) + claims + 32;
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

/* Puts entries p .. p + n - 1 of the first row into the room, and those of its twins, and the parts
 * of their rows of B in columns low .. high - 1; with `whole` these are whole rows. */
template <class K, int R>
__device__ inline void load_batch(const rank_room<typename K::sum> &room, const csr_rows &A,
                                  const csr_rows &B, const twin_group &group, int64_t p, int n,
                                  int64_t low, int64_t high, bool whole)
{
    const int64_t entries = offset(A, group.i + 1) - offset(A, group.i);
    for (int e = (int)threadIdx.x; e < n; e += (int)blockDim.x) {
        const int64_t k = __ldg(A.col + p + e);
        int64_t begin = offset(B, k), end = offset(B, k + 1);
        if (!whole) {
            const auto first_from = [&](int64_t column) {
                return begin + partition_point(end - begin, [&](int64_t q) {
                           return __ldg(B.col + begin + q) < column;
                       });
            };
            end = first_from(high);
            begin = first_from(low);
        }
        room.begin[e] = begin;
        room.length[e] = e > 0 && meets_twin(A, B, p + e) ? -1 : (int32_t)(end - begin);
        for (int r = 0; r < R; r++)
            room.left[e * R + r] = K::left(A, p + e + min(r, group.count - 1) * entries);
    }
}

/* Returns the sum of the numbers of threads before this one; *all of all threads.  All call it. */
__device__ inline int block_sum_before(int v, int *all)
{
    __shared__ int of_warp[WARP];
    int through = v;
    for (int o = 1; o < WARP; o *= 2) {
        const int below = __shfl_up_sync(ALL_LANES, through, o);
        if (lane_id() >= o) through += below;
    }
    __syncthreads();
    if (lane_id() == WARP - 1) of_warp[threadIdx.x / WARP] = through;
    __syncthreads();
    int before = 0;
    *all = 0;
    for (int w = 0; w < (int)blockDim.x / WARP; w++) {
        if (w < (int)threadIdx.x / WARP) before += of_warp[w];
        *all += of_warp[w];
    }
    return before + through - v;
}

/* Sets the bits of all columns of the batch, from `low` on.  A warp takes a row of B. */
template <class S>
__device__ inline void mark_batch(const rank_room<S> &room, const csr_rows &B, int n, int64_t low)
{
    const int warps = (int)blockDim.x / WARP;
    for (int e = (int)threadIdx.x / WARP; e < n; e += warps) {
#pragma unroll 4
        for (int q = lane_id(); q < room.length[e]; q += WARP) {
            const int64_t c = __ldg(B.col + room.begin[e] + q) - low;
            const uint32_t bit = 1u << c % 32;
            uint32_t *half = (uint32_t *)room.bits + c / 32;
            if (!(*(volatile uint32_t *)half & bit)) atomicOr(half, bit);
        }
    }
}

/* Marks the columns low .. high - 1 of a row. */
template <class K, int R>
__device__ inline void mark_window(const rank_room<typename K::sum> &room, int batch,
                                   const csr_rows &A, const csr_rows &B, const twin_group &group,
                                   int64_t low, int64_t high, bool whole)
{
    const int64_t end = offset(A, group.i + 1);
    for (int64_t w = threadIdx.x; w < words_of(high - low); w += blockDim.x) room.bits[w] = 0;
    for (int64_t p = offset(A, group.i); p < end; p += batch) {
        const int n = (int)min((int64_t)batch, end - p);
        __syncthreads();
        load_batch<K, R>(room, A, B, group, p, n, low, high, whole);
        __syncthreads();
        mark_batch(room, B, n, low);
    }
    __syncthreads();
}

/* ---- Counting -------------------------------------------------------------------------------- */

/* Counts row i. */
__device__ inline int64_t count_columns(const csr_rows &A, const csr_rows &B, int64_t i,
                                        int64_t begin, int64_t end, const rank_shape &shape)
{
    const int64_t width =
        window_width(end - begin, 0, shape.bytes - batch_bytes<no_sum, 1>(shape.batch, shape.block),
                     COUNTED_WORD, 0);
    const rank_room<no_sum> room = divide_room<no_sum, 1>(shape.batch, 0, 0);
    int64_t n = 0;
    for (int64_t c = begin; c < end; c += width) {
        const int64_t high = min(end, c + width);
        int all, own = 0;
        mark_window<places_only, 1>(room, shape.batch, A, B, {i, 1}, c, high,
                                    high - c == end - begin);
        for (int64_t w = threadIdx.x; w < words_of(high - c); w += blockDim.x)
            own += __popcll(room.bits[w]);
        block_sum_before(own, &all);
        n += all;
    }
    return n;
}

static __global__ void __launch_bounds__(1024)
    count(csr_rows A, csr_rows B, const int32_t *low, const int32_t *span, rank_shape shape,
          row_list list, int64_t *counts)
{
    for (int64_t k = blockIdx.x; k < length(list); k += gridDim.x) {
        const int64_t i = list.row[k], begin = low[i];
        const int64_t n = count_columns(A, B, i, begin, begin + span[i] + 1, shape);
        if (threadIdx.x == 0) counts[i] = n;
    }
}

spmv_status rank_count(const product_job *job, rank_shape shape, row_list list, int64_t *counts,
                       spmv_error *err)
{
    spmv_status st;
    SPMV__TRY(allow_shared(count, (int)shape.bytes, "counting ranked rows", err));
    launch_kernel(count, blocks_for_list(list, 1), shape.block, shape.bytes, job->stream, job->A,
                  job->B, job->low, job->span, shape, list, counts);
    st = check_launch("counting ranked rows", err);
done:
    return st;
}

/* ---- Summing --------------------------------------------------------------------------------- */

/* Counts the bits before each word.  Returns the number of all bits. */
template <class S>
__device__ inline int rank_words(const rank_room<S> &room, int words)
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

/* One column of a row of B, and of its twins, which a thread adds. */
template <class S>
struct column_part {
    int entry; /* of the batch; -1: there is none */
    int at;    /* in the row of B */
    int rank;
    S first; /* its product with the first row of A, unless there are twins */
};

/* Returns the entry of the batch that has column t. */
template <class S>
__device__ inline int entry_of(const rank_room<S> &room, int t, int n)
{
    int low = 0;
    for (int high = n; high - low > 1;) {
        const int middle = (low + high) / 2;
        if (room.start[middle] <= t)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Returns column t of the batch, where it has so many. */
template <class K, int R>
__device__ inline column_part<typename K::sum> part_of(const rank_room<typename K::sum> &room,
                                                       const csr_rows &B, int t, int columns, int n,
                                                       int64_t low)
{
    column_part<typename K::sum> part = {-1, 0, 0, {}};
    if (t >= columns) return part;
    part.entry = entry_of(room, t, n);
    part.at = t - room.start[part.entry];
    const int64_t q = room.begin[part.entry] + part.at;
    const int c = (int)(__ldg(B.col + q) - low);
    const uint64_t below = ((uint64_t)1 << c % WORD_COLUMNS) - 1;
    part.rank = (int)room.before[c / WORD_COLUMNS] + __popcll(room.bits[c / WORD_COLUMNS] & below);
    if (R == 1) part.first = product<K>(room.left[part.entry], B, q);
    return part;
}

/* Adds a column to the sums; `found` columns have entries. */
template <class K, int R>
__device__ inline void add_part(const rank_room<typename K::sum> &room, const csr_rows &B,
                                const column_part<typename K::sum> &part, int n, int found)
{
    using S = typename K::sum;
    int e = part.entry;
    S sum[R];
#pragma unroll
    for (int r = 0; r < R; r++) sum[r] = room.sums[r * found + part.rank];
    if (R == 1) {
        sum[0] += part.first;
        e++;
    }
    /* Twins come four at a time, so that loads do not wait for each other. */
    const int after = room.start[part.entry] + room.length[part.entry];
    while (R > 1 && e + 3 < n && room.length[e + 3] < 0 && room.start[e + 3] == after) {
#pragma unroll
        for (int k = 0; k < 4; k++, e++) {
            const int64_t q = room.begin[e] + part.at;
#pragma unroll
            for (int r = 0; r < R; r++) sum[r] += product<K>(room.left[e * R + r], B, q);
        }
    }
    for (; e < n && (e == part.entry || room.length[e] < 0); e++) {
        const int64_t q = room.begin[e] + part.at;
#pragma unroll
        for (int r = 0; r < R; r++) sum[r] += product<K>(room.left[e * R + r], B, q);
    }
#pragma unroll
    for (int r = 0; r < R; r++) room.sums[r * found + part.rank] = sum[r];
}

/* Adds the columns of all threads, which may come from many rows of B, in the order of the threads.
 * In each round the warps claim the places of their columns, the first one wins, and its lanes add;
 * the others try again.  A claim is less than all of the rounds before.  Two columns may share a
 * claim: then one of them comes a round later. */
template <class K>
__device__ inline void add_claimed(const rank_room<typename K::sum> &room, const csr_rows &B,
                                   const column_part<typename K::sum> &part, int n, int found,
                                   uint32_t *rounds)
{
    uint32_t *claim = room.claims + ((unsigned)part.rank & (CLAIMS * blockDim.x - 1));
    bool waits = part.entry >= 0;
    do {
        const uint32_t own = --*rounds * WARP + threadIdx.x / WARP;
        if (waits) atomicMin(claim, own);
        __syncthreads();
        const bool adds = waits && *(volatile uint32_t *)claim == own;
        const unsigned same =
            __match_any_sync(ALL_LANES, adds ? (unsigned)part.rank : ~(unsigned)lane_id());
        const int before = __popc(same & ((1u << lane_id()) - 1));
        for (int turn = 0; __any_sync(ALL_LANES, adds && before >= turn); turn++) {
            if (adds && before == turn) add_part<K, 1>(room, B, part, n, found);
            __syncwarp();
        }
        waits = waits && !adds;
    } while (__syncthreads_or(waits));
}

/* Adds the products of a batch, as many columns at a time as there are threads. */
template <class K, int R>
__device__ inline void sum_batch(const rank_room<typename K::sum> &room, const csr_rows &B, int n,
                                 int64_t low, int found, uint32_t *rounds)
{
    __shared__ int turns[2][2]; /* the first and the last entry, of this round and the next */
    const int thread = (int)threadIdx.x, threads = (int)blockDim.x;
    int columns;
    const int own = thread < n ? max(room.length[thread], 0) : 0;
    const int start = block_sum_before(own, &columns);
    if (thread < n) room.start[thread] = start;
    __syncthreads();
    const auto part_from = [&](int t, int slot) {
        const auto part = part_of<K, R>(room, B, t + thread, columns, n, low);
        if (thread == 0) turns[slot][0] = part.entry;
        if (thread == min(threads, columns - t) - 1) turns[slot][1] = part.entry;
        return part;
    };
    column_part<typename K::sum> part = part_from(0, 0);
    for (int t = 0, slot = 0; t < columns; t += threads, slot = 1 - slot) {
        __syncthreads();
        const int first = turns[slot][0], last = turns[slot][1];
        const column_part<typename K::sum> next = part_from(t + threads, 1 - slot);
        if constexpr (R == 1)
            if (last - first > MOST_TURNS) {
                add_claimed<K>(room, B, part, n, found, rounds);
                part = next;
                continue;
            }
        for (int turn = first; turn <= last; turn++) {
            if (room.length[turn] <= 0) continue;
            if (part.entry == turn) add_part<K, R>(room, B, part, n, found);
            if (turn < last) __syncthreads();
        }
        part = next;
    }
}

/* Adds the products of the rows in columns low .. high - 1 to the sums. */
template <class K, int R>
__device__ inline void sum_window(const rank_room<typename K::sum> &room, int batch,
                                  const csr_rows &A, const csr_rows &B, const twin_group &group,
                                  int64_t low, int64_t high, bool whole, int found)
{
    const int64_t end = offset(A, group.i + 1);
    uint32_t rounds = UINT32_MAX / WARP;
    for (unsigned k = threadIdx.x; R == 1 && k < CLAIMS * blockDim.x; k += blockDim.x)
        room.claims[k] = UINT32_MAX;
    for (int64_t p = offset(A, group.i); p < end; p += batch) {
        const int n = (int)min((int64_t)batch, end - p);
        __syncthreads();
        load_batch<K, R>(room, A, B, group, p, n, low, high, whole);
        __syncthreads();
        sum_batch<K, R>(room, B, n, low, found, &rounds);
    }
    __syncthreads();
}

/* Writes `found` entries of a row, which begin at `to`. */
template <class K>
__device__ inline void write_window(const rank_room<typename K::sum> &room, int words, int found,
                                    const typename K::sum *sums, const product_rows &C, int64_t to,
                                    int64_t low)
{
    for (int w = (int)threadIdx.x; w < words; w += (int)blockDim.x) {
        int64_t at = to + room.before[w];
        for (uint64_t bits = room.bits[w]; bits != 0; bits &= bits - 1)
            C.col[at++] = (int32_t)(low + WORD_COLUMNS * w + __ffsll((long long)bits) - 1);
    }
    if (K::PLACES) return;
    for (int k = (int)threadIdx.x; k < found; k += (int)blockDim.x) put_sum(C, to + k, sums[k]);
}

template <class K, int R>
__device__ inline void sum_row(const csr_rows &A, const csr_rows &B, const product_rows &C,
                               const rank_shape &shape, int64_t i)
{
    using S = typename K::sum;
    const bool inside = !shape.outside && !K::PLACES;
    const int64_t begin = C.low[i], end = begin + C.span[i] + 1;
    const int64_t n = C.row_ptr[i + 1] - C.row_ptr[i];
    const twin_group group = group_from(A, i, C.end, R);
    const int64_t width =
        window_width(end - begin, n, shape.bytes - batch_bytes<S, R>(shape.batch, shape.block),
                     RANKED_WORD, inside ? R * sum_bytes<K>() : 0);
    int64_t done = 0;
    for (int64_t c = begin; c < end; c += width) {
        const int64_t high = min(end, c + width);
        const bool whole = high - c == end - begin;
        const int words = (int)words_of(high - c);
        rank_room<S> room = divide_room<S, R>(shape.batch, inside ? R * min(n, width) : 0, words);
        if (shape.outside) room.sums = (S *)shape.sums + blockIdx.x * shape.longest;
        mark_window<K, R>(room, shape.batch, A, B, group, c, high, whole);
        const int found = rank_words(room, words);
        if (!K::PLACES) {
            for (int k = (int)threadIdx.x; k < R * found; k += (int)blockDim.x) room.sums[k] = S{};
            sum_window<K, R>(room, shape.batch, A, B, group, c, high, whole, found);
        }
        __syncthreads();
        for (int r = 0; r < group.count; r++)
            write_window<K>(room, words, found, room.sums + r * found, C,
                            C.row_ptr[i + r] - C.first + done, c);
        done += found;
        __syncthreads();
    }
}

template <class K, int R>
static __global__ void __launch_bounds__(1024)
    sum(csr_rows A, csr_rows B, product_rows C, rank_shape shape, row_list list)
{
    for (int64_t k = blockIdx.x; k < list.n; k += gridDim.x)
        sum_row<K, R>(A, B, C, shape, list.row[k]);
}

spmv_status rank_sum(const product_job *job, rank_shape shape, row_list list, product_rows C,
                     spmv_error *err)
{
    const unsigned blocks = (unsigned)(shape.outside ? shape.blocks : list.n);
    spmv_status st = SPMV_SUCCESS;
    by_product(job->B.type, C.type, [&](auto k) {
        using K = decltype(k);
        const auto kernel = shape.rows == 1 ? sum<K, 1> : sum<K, TWINS>;
        st = allow_shared(kernel, (int)shape.bytes, "ranking rows", err);
        if (st != SPMV_SUCCESS) return;
        launch_kernel(kernel, blocks, shape.block, shape.bytes, job->stream, job->A, job->B, C,
                      shape, list);
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
        int block, batch, part, rows;
    } shapes[RANK_SIZES] = {{256, 128, 6, 1},
                            {256, 128, 3, 1},
                            {1024, 256, 1, 1},
                            {1024, 64, 1, TWINS},
                            {512, 128, OUTSIDE_PART, 1}};
    constexpr int64_t LEAST = 4 << 10, OTHER = 256; /* bytes; of static shared memory */
    const int64_t all = limits->shared - OTHER;
    rank_shape s = {};
    s.outside = size == RANK_OUTSIDE;
    s.rows = shapes[size].rows;
    s.block = (int)min((int64_t)shapes[size].block, limits->block);
    s.bytes = max(all / shapes[size].part, LEAST) / 16 * 16;
    s.batch = (int)max((int64_t)1, min((int64_t)shapes[size].batch, s.bytes / (128 * s.rows)));
    s.batch = min(s.batch, s.block);
    return s;
}

int64_t rank_room_bytes(spmv_type C, rank_shape shape)
{
    int64_t bytes = 0;
    by_product(SPMV_F64, C, [&](auto k) {
        using S = typename decltype(k)::sum;
        bytes = shape.bytes - (shape.rows == 1 ? batch_bytes<S, 1>(shape.batch, shape.block)
                                               : batch_bytes<S, TWINS>(shape.batch, shape.block));
    });
    return bytes;
}

} // namespace spmv
