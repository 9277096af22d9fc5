/* spread_rows.cu -- the longest rows of C, by all blocks together: expand, sort, compress.
 *
 * A row that would keep one block busy while the others are done is divided by its products.  A
 * product has a key, its row and its column; a stable sort puts those of one column side by side,
 * in the order of A in which they are added.  Rows are taken in batches, so that what is sorted
 * fits into the memory that it may have, and the key into 32 bits. */
#include "cuda/device/plan.cuh"
#include "cuda/spgemm/warp_products.cuh"
#include "cuda/spgemm/ways.cuh"

#include <cub/device/device_radix_sort.cuh>

#include <cstdlib>

namespace spmv
{

constexpr int SPREAD_BLOCK = 256, SPREAD_EACH = 8; /* products of a thread */
constexpr int KEY_BITS = 32;
constexpr int64_t MOST_AT_ONCE = INT32_MAX - 1; /* that CUB takes, and one more, as an int */
constexpr unsigned MOST_BLOCKS = 1u << 13;      /* that add up */

using row_sizes = spmv__row_sizes;

/* Rows of the list that are sorted together: `first` .. first + rows - 1. */
struct row_group {
    int64_t first, rows;
    row_sizes before, sizes;
};

/* Entries of A whose rows of B are expanded, [entries] each. */
struct spread_entries {
    int32_t *start;  /* [+ 1] the first product of each */
    int64_t *from;   /* which of B that is */
    int64_t *number; /* the entry of A */
    int32_t *row;    /* of the group */
};

/* What one group after another works in. */
struct spread_room {
    spread_entries entries;
    uint32_t *key[2];
    void *product[2];
    char *scratch; /* of CUB */
    size_t scratch_bytes;
};

struct spread_rows {
    spmv_type type; /* of C */
    row_list list;
    row_group *groups;
    int64_t count;     /* of them */
    row_sizes *before; /* [rows of the list] on the GPU: of those before */
    int column_bits;
    arena memory;
    spread_room room;
};

/* ---- Groups ---------------------------------------------------------------------------------- */

/* One block finds what comes before each row of the list. */
static __global__ void __launch_bounds__(1024)
    place(csr_rows A, const uint32_t *products, row_list list, row_sizes *before)
{
    row_sizes done = {0, 0}, all;
    for (int64_t first = 0; first < list.n; first += blockDim.x) {
        const int64_t k = first + threadIdx.x, i = k < list.n ? list.row[k] : 0;
        const int64_t entries = k < list.n ? offset(A, i + 1) - offset(A, i) : 0;
        const row_sizes own = {
            block_sum_before(entries, &all.entries),
            block_sum_before(k < list.n ? (int64_t)products[i] : 0, &all.products)};
        if (k < list.n) before[k] = {done.entries + own.entries, done.products + own.products};
        done = {done.entries + all.entries, done.products + all.products};
    }
}

/* Returns the bytes for each product. */
static int64_t bytes_of_product(spmv_type C)
{
    int64_t sum = 0;
    by_product(SPMV_F64, C, [&](auto k) { sum = sum_bytes<decltype(k)>(); });
    return 2 * ((int64_t)sizeof(uint32_t) + sum);
}

/* Returns whether what lies between may be one group. */
static bool fits_together(row_sizes before, row_sizes after, int64_t most)
{
    return after.products - before.products <= most && after.entries - before.entries <= most;
}

/* Divides the list of rows, of which so much comes before each. */
static void divide(spread_rows *s, const row_sizes *before, row_sizes all, int64_t most_rows,
                   int64_t most)
{
    row_group *g = NULL;
    for (int64_t k = 0; k < s->list.n; k++) {
        const row_sizes after = k + 1 < s->list.n ? before[k + 1] : all;
        if (g == NULL || g->rows == most_rows || !fits_together(g->before, after, most)) {
            g = s->groups + s->count++;
            *g = {k, 0, before[k], {0, 0}};
        }
        g->rows++;
        g->sizes = {after.entries - g->before.entries, after.products - g->before.products};
    }
}

/* Calls the sort of CUB; with scratch NULL it says how much it needs. */
template <class K>
static cudaError_t sort_products(void *scratch, size_t &bytes, int64_t n, int bits,
                                 cudaStream_t stream, cub::DoubleBuffer<uint32_t> &key,
                                 cub::DoubleBuffer<typename K::sum> &product)
{
    if constexpr (K::PLACES)
        return cub::DeviceRadixSort::SortKeys(scratch, bytes, key, (int)n, 0, bits, stream);
    else
        return cub::DeviceRadixSort::SortPairs(scratch, bytes, key, product, (int)n, 0, bits,
                                               stream);
}

/* Returns the scratch of CUB for groups of up to such sizes. */
static spmv_status ask_for_scratch(size_t *out, spmv_type C, row_sizes most, cudaStream_t stream,
                                   spmv_error *err)
{
    size_t bytes[3] = {0, 0, 0};
    cudaError_t code = cudaSuccess;
    by_product(SPMV_F64, C, [&](auto kind) {
        using K = decltype(kind);
        cub::DoubleBuffer<uint32_t> key(NULL, NULL);
        cub::DoubleBuffer<typename K::sum> product(NULL, NULL);
        code = sort_products<K>(NULL, bytes[0], most.products, KEY_BITS, stream, key, product);
    });
    if (code == cudaSuccess)
        code = sum_before(NULL, bytes[1], (int32_t *)NULL, most.entries + 1, stream);
    if (code == cudaSuccess)
        code = sum_before(NULL, bytes[2], (int32_t *)NULL, most.products + 1, stream);
    *out = max(bytes[0], max(bytes[1], bytes[2]));
    return check(code, SPMV_ERROR_KERNEL_LAUNCH, "products of long rows", err);
}

/* Room for groups of up to such sizes, and for what comes before each row, is taken next. */
static spmv_status expect_room(spread_rows *s, row_sizes most, cudaStream_t stream, spmv_error *err)
{
    constexpr int64_t OF_ENTRY = 2 * sizeof(int64_t) + 2 * sizeof(int32_t);
    spmv_status st;
    SPMV__TRY(ask_for_scratch(&s->room.scratch_bytes, s->type, most, stream, err));
    arena_expect(&s->memory, 10,
                 s->list.n * (int64_t)sizeof(row_sizes) + (most.entries + 1) * OF_ENTRY +
                     (most.products + 1) * bytes_of_product(s->type) +
                     (int64_t)s->room.scratch_bytes);
done:
    return st;
}

/* Takes room for groups of up to such sizes. */
static spmv_status take_room(spread_rows *s, row_sizes most, spmv_error *err)
{
    const char *what = "products of long rows";
    spread_room *r = &s->room;
    spmv_status st;
    SPMV__TRY(arena_take(&s->memory, &r->entries.start, most.entries + 1, what, err));
    SPMV__TRY(arena_take(&s->memory, &r->entries.from, most.entries, what, err));
    SPMV__TRY(arena_take(&s->memory, &r->entries.number, most.entries, what, err));
    SPMV__TRY(arena_take(&s->memory, &r->entries.row, most.entries, what, err));
    for (int k = 0; k < 2; k++) {
        SPMV__TRY(arena_take(&s->memory, &r->key[k], most.products + 1, what, err));
        by_product(SPMV_F64, s->type, [&](auto kind) {
            using K = decltype(kind);
            if constexpr (!K::PLACES)
                st = arena_take(&s->memory, (typename K::sum **)&r->product[k], most.products + 1,
                                what, err);
        });
        if (st != SPMV_SUCCESS) goto done;
    }
    st = arena_take(&s->memory, &r->scratch, (int64_t)r->scratch_bytes, what, err);
done:
    return st;
}

/* Makes one group of all rows, or several of at most so many products, and entries of A, where that
 * is too much. */
static spmv_status make_groups(spread_rows *s, row_sizes all, int64_t most, spmv__gpu *gpu,
                               spmv_error *err)
{
    const int64_t most_rows = (int64_t)1 << (KEY_BITS - s->column_bits);
    const int64_t bytes = s->list.n * (int64_t)sizeof(row_sizes);
    row_sizes *before = NULL;
    spmv_status st;
    SPMV__TRY(spmv__alloc(&s->groups, s->list.n, sizeof *s->groups, "long rows", err));
    if (s->list.n <= most_rows && fits_together({0, 0}, all, most)) {
        s->groups[s->count++] = {0, s->list.n, {0, 0}, all};
    } else {
        SPMV__TRY(spmv__alloc(&before, s->list.n, sizeof *before, "long rows", err));
        SPMV__TRY(spmv__gpu_download(gpu, before, s->before, bytes, err));
        divide(s, before, all, most_rows, most);
    }
done:
    free(before);
    return st;
}

static row_sizes largest_group(const spread_rows *s)
{
    row_sizes most = {0, 0};
    for (int64_t g = 0; g < s->count; g++) {
        most.entries = max(most.entries, s->groups[g].sizes.entries);
        most.products = max(most.products, s->groups[g].sizes.products);
    }
    return most;
}

/* All comes from one allocation where all rows are one group. */
static spmv_status prepare(spread_rows *s, const product_job *job, row_sizes all, int64_t bytes,
                           spmv__gpu *gpu, spmv_error *err)
{
    const int block = (int)min((int64_t)1024, job->limits.block);
    const int64_t most = min(bytes / bytes_of_product(s->type), MOST_AT_ONCE);
    const bool together = fits_together({0, 0}, all, most);
    row_sizes largest;
    spmv_status st = SPMV_SUCCESS;
    if (together) SPMV__TRY(expect_room(s, all, job->stream, err));
    SPMV__TRY(arena_take(&s->memory, &s->before, s->list.n, "long rows", err));
    launch_kernel(place, 1u, block, 0, job->stream, job->A, job->products, s->list, s->before);
    SPMV__TRY(check_launch("placing long rows", err));
    SPMV__TRY(make_groups(s, all, most, gpu, err));
    largest = largest_group(s);
    if (!together) SPMV__TRY(expect_room(s, largest, job->stream, err));
    st = take_room(s, largest, err);
done:
    return st;
}

spmv_status spread_prepare(spread_rows **out, const product_job *job, spmv_type C, row_list list,
                           row_sizes all, int64_t bytes, spmv__gpu *gpu, spmv_error *err)
{
    spread_rows *s = NULL;
    spmv_status st = SPMV_SUCCESS;
    *out = NULL;
    if (list.n == 0) return st;
    SPMV__TRY(spmv__alloc(&s, 1, sizeof *s, "long rows", err));
    s->type = C;
    s->list = list;
    s->column_bits = bits_of(job->B.cols - 1);
    SPMV__TRY(prepare(s, job, all, bytes, gpu, err));
    *out = s;
    s = NULL;
done:
    spread_free(s);
    return st;
}

void spread_free(spread_rows *rows)
{
    if (rows == NULL) return;
    arena_release(&rows->memory);
    free(rows->groups);
    free(rows);
}

/* ---- Expanding ------------------------------------------------------------------------------- */

/* What kernels know of a group. */
struct group_view {
    spread_entries entries;
    const int32_t *row;      /* [rows] of C */
    const row_sizes *before; /* [rows] */
    row_group group;
    int column_bits;
};

/* Finds the rows of B that entries of A meet; start becomes their lengths. */
static __global__ void list_entries(csr_rows A, csr_rows B, group_view v)
{
    const int64_t e = global_thread();
    if (e > v.group.sizes.entries) return;
    if (e == v.group.sizes.entries) {
        v.entries.start[e] = 0;
        return;
    }
    const int64_t at = v.group.before.entries + e;
    const int64_t r =
        last_where(v.group.rows, [&](int64_t k) { return v.before[k].entries <= at; });
    const int64_t p = offset(A, v.row[r]) + at - v.before[r].entries;
    const int64_t k = __ldg(A.col + p), from = offset(B, k);
    v.entries.start[e] = (int32_t)(offset(B, k + 1) - from);
    v.entries.from[e] = from;
    v.entries.number[e] = p;
    v.entries.row[e] = (int32_t)r;
}

/* A block makes so many products. */
template <class K>
static __global__ void expand(csr_rows A, csr_rows B, group_view v, uint32_t *key,
                              typename K::sum *made)
{
    __shared__ int64_t range[2];
    const int64_t n = v.group.sizes.products, entries = v.group.sizes.entries;
    const int64_t tile = (int64_t)SPREAD_EACH * blockDim.x, first = blockIdx.x * tile;
    const int64_t end = min(n, first + tile);
    if (threadIdx.x < 2) {
        const int64_t t = threadIdx.x == 0 ? first : end - 1;
        range[threadIdx.x] =
            last_where(entries, [&](int64_t e) { return v.entries.start[e] <= t; });
    }
    __syncthreads();
    /* The threads look for the entries of several products at a time, each by steps of halves. */
    const int32_t *start = v.entries.start + range[0];
    const int most = (int)(range[1] - range[0]);
    int of[SPREAD_EACH] = {};
    for (int step = 1 << (31 - __clz(most | 1)); step > 0; step /= 2) {
#pragma unroll
        for (int j = 0; j < SPREAD_EACH; j++) {
            const int64_t t = first + j * (int64_t)blockDim.x + threadIdx.x;
            if (of[j] + step <= most && start[of[j] + step] <= t) of[j] += step;
        }
    }
#pragma unroll
    for (int j = 0; j < SPREAD_EACH; j++) {
        const int64_t t = first + j * (int64_t)blockDim.x + threadIdx.x, e = range[0] + of[j];
        if (t >= end) break;
        const int64_t q = v.entries.from[e] + t - v.entries.start[e];
        key[t] = (uint32_t)v.entries.row[e] << v.column_bits | (uint32_t)__ldg(B.col + q);
        if constexpr (!K::PLACES) made[t] = product<K>(K::left(A, v.entries.number[e]), B, q);
    }
}

/* ---- Compressing ----------------------------------------------------------------------------- */

__device__ inline bool is_first(const uint32_t *key, int64_t t)
{
    return t == 0 || key[t - 1] != key[t];
}

/* Adds the entries of each row to its count. */
static __global__ void count(group_view v, const uint32_t *key, uint32_t *counts)
{
    const int64_t t = global_thread();
    const bool there = t < v.group.sizes.products && is_first(key, t);
    const int r = there ? (int)((uint64_t)key[t] >> v.column_bits) : -1;
    const unsigned same = __match_any_sync(ALL_LANES, (unsigned)r);
    if (there && lane_id() == __ffs((int)same) - 1)
        atomicAdd(counts + v.row[r], (uint32_t)__popc(same));
}

static __global__ void mark_firsts(int64_t n, const uint32_t *key, int32_t *firsts)
{
    const int64_t t = global_thread();
    if (t <= n) firsts[t] = t < n && is_first(key, t);
}

/* Lists the first products of columns; before[t] is the number of them before product t. */
static __global__ void list_firsts(int64_t n, const uint32_t *key, const int32_t *before,
                                   int32_t *firsts)
{
    const int64_t t = global_thread();
    if (t == n || (t < n && is_first(key, t))) firsts[before[t]] = (int32_t)t;
}

/* Returns the sum of products first .. end - 1, of which a lane loads one in 32. */
template <class S>
__device__ inline S sum_by_warp(const S *made, int first, int end)
{
    __shared__ double2 memory[SPREAD_BLOCK];
    S *room = (S *)memory + threadIdx.x / WARP * WARP;
    S all = {}, next = first + lane_id() < end ? made[first + lane_id()] : S{};
    for (int k = first; k < end; k += WARP) {
        const int ahead = k + WARP + lane_id();
        __syncwarp();
        room[lane_id()] = next;
        next = ahead < end ? made[ahead] : S{};
        __syncwarp();
#pragma unroll
        for (int j = 0; j < WARP; j++) all += room[j]; /* beyond the end 0, which changes nothing */
    }
    return all;
}

/* Writes an entry of C, number c of the group, whose first product is `first`. */
template <class S>
__device__ inline void write_entry(const group_view &v, const uint32_t *key, const int32_t *before,
                                   int64_t c, int first, S total, const product_rows &C)
{
    const uint64_t own = key[first];
    const int r = (int)(own >> v.column_bits);
    const int64_t begins = v.before[r].products - v.group.before.products;
    const int64_t at = first_entry(C, v.row[r]) + c - before[begins];
    C.col[at] = (int32_t)(own & (((uint64_t)1 << v.column_bits) - 1));
    put_sum(C, at, total);
}

/* So many lanes, one or all of a warp, add up the products of a column, if these are few or many.
 */
template <class K, int LANES>
static __global__ void sum(group_view v, const uint32_t *key, const int32_t *before,
                           const int32_t *firsts, const typename K::sum *made, product_rows C)
{
    constexpr int MOST = 16; /* products that a lane adds up by itself */
    using S = typename K::sum;
    const int columns = before[v.group.sizes.products];
    const int64_t step = (int64_t)gridDim.x * blockDim.x / LANES;
    for (int64_t c = global_thread() / LANES; c < columns; c += step) {
        const int first = firsts[c], end = firsts[c + 1];
        S total = {};
        if ((end - first > MOST) != (LANES > 1)) continue;
        if constexpr (LANES > 1)
            total = sum_by_warp(made, first, end);
        else
            for (int k = first; k < end; k++) total += made[k];
        if (LANES == 1 || lane_id() == 0) write_entry(v, key, before, c, first, total, C);
    }
}

/* Writes the columns, where these are all. */
static __global__ void write_columns(group_view v, const uint32_t *key, const int32_t *before,
                                     product_rows C)
{
    const int64_t t = global_thread();
    if (t < v.group.sizes.products && is_first(key, t))
        write_entry(v, key, before, before[t], (int)t, no_sum(), C);
}

/* ---- A group --------------------------------------------------------------------------------- */

static int block_of(const product_job *job)
{
    return (int)min((int64_t)SPREAD_BLOCK, job->limits.block);
}

/* Expands a group and sorts its products, whose keys and values are in the first of the buffers
 * then. */
template <class K>
static spmv_status sort_group(const spread_rows *s, const product_job *job, const group_view &v,
                              cub::DoubleBuffer<uint32_t> &key,
                              cub::DoubleBuffer<typename K::sum> &product, spmv_error *err)
{
    const int block = block_of(job);
    const int64_t n = v.group.sizes.products;
    const int bits = v.column_bits + (v.group.rows > 1 ? bits_of(v.group.rows - 1) : 0);
    size_t bytes = s->room.scratch_bytes;
    spmv_status st;
    launch_kernel(list_entries, blocks_for(v.group.sizes.entries + 1, block), block, 0, job->stream,
                  job->A, job->B, v);
    SPMV__TRY(check(
        sum_before(s->room.scratch, bytes, v.entries.start, v.group.sizes.entries + 1, job->stream),
        SPMV_ERROR_KERNEL_LAUNCH, "adding up products of long rows", err));
    launch_kernel(expand<K>, blocks_for(n, SPREAD_EACH * block), block, 0, job->stream, job->A,
                  job->B, v, key.Current(), product.Current());
    SPMV__TRY(check_launch("expanding long rows", err));
    bytes = s->room.scratch_bytes;
    st = check(
        sort_products<K>(s->room.scratch, bytes, n, min(bits, KEY_BITS), job->stream, key, product),
        SPMV_ERROR_KERNEL_LAUNCH, "sorting products of long rows", err);
done:
    return st;
}

static group_view view_of(const spread_rows *s, int64_t g)
{
    const row_group *group = s->groups + g;
    return {s->room.entries, s->list.row + group->first, s->before + group->first, *group,
            s->column_bits};
}

spmv_status spread_count(const spread_rows *rows, const product_job *job, uint32_t *counts,
                         spmv_error *err)
{
    const int block = block_of(job);
    spmv_status st = SPMV_SUCCESS;
    for (int64_t g = 0; g < rows->count; g++) {
        const group_view v = view_of(rows, g);
        cub::DoubleBuffer<uint32_t> key(rows->room.key[0], rows->room.key[1]);
        cub::DoubleBuffer<no_sum> product(NULL, NULL);
        SPMV__TRY(sort_group<places_only>(rows, job, v, key, product, err));
        launch_kernel(count, blocks_for(v.group.sizes.products, block), block, 0, job->stream, v,
                      (const uint32_t *)key.Current(), counts);
        SPMV__TRY(check_launch("counting long rows", err));
    }
done:
    return st;
}

template <class K>
static spmv_status sum_groups(const spread_rows *s, const product_job *job, const product_rows &C,
                              spmv_error *err)
{
    using S = typename K::sum;
    const int block = block_of(job);
    spmv_status st = SPMV_SUCCESS;
    for (int64_t g = 0; g < s->count; g++) {
        const group_view v = view_of(s, g);
        const int64_t n = v.group.sizes.products;
        const unsigned blocks = blocks_for(n + 1, block);
        size_t bytes = s->room.scratch_bytes;
        cub::DoubleBuffer<uint32_t> key(s->room.key[0], s->room.key[1]);
        cub::DoubleBuffer<S> product((S *)s->room.product[0], (S *)s->room.product[1]);
        SPMV__TRY(sort_group<K>(s, job, v, key, product, err));
        const uint32_t *keys = key.Current();
        int32_t *before = (int32_t *)key.Alternate(); /* which is free now */
        launch_kernel(mark_firsts, blocks, block, 0, job->stream, n, keys, before);
        SPMV__TRY(check(sum_before(s->room.scratch, bytes, before, n + 1, job->stream),
                        SPMV_ERROR_KERNEL_LAUNCH, "adding up entries of long rows", err));
        if constexpr (K::PLACES) {
            launch_kernel(write_columns, blocks, block, 0, job->stream, v, keys,
                          (const int32_t *)before, C);
        } else {
            int32_t *firsts = (int32_t *)product.Alternate();
            launch_kernel(list_firsts, blocks, block, 0, job->stream, n, keys,
                          (const int32_t *)before, firsts);
            const auto add = [&](auto kernel) {
                launch_kernel(kernel, min(blocks, MOST_BLOCKS), block, 0, job->stream, v, keys,
                              (const int32_t *)before, (const int32_t *)firsts,
                              (const S *)product.Current(), C);
            };
            add(sum<K, 1>);
            add(sum<K, WARP>);
        }
        SPMV__TRY(check_launch("summing long rows", err));
    }
done:
    return st;
}

spmv_status spread_sum(const spread_rows *rows, const product_job *job, product_rows C,
                       spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    by_product(job->B.type, C.type,
               [&](auto k) { st = sum_groups<decltype(k)>(rows, job, C, err); });
    return st;
}

} // namespace spmv
