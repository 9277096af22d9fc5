/* row_classes.cu -- a look at the rows of a product, and their classes. */
#include "cuda/spgemm/row_classes.cuh"

namespace spmv
{

PLAN_LIMIT(MOST_COUNTED, 128);  /* products that a thread merges to count them */
PLAN_LIMIT(MOST_MERGED, 32);    /* and to sum them: others would not stay in the cache */
PLAN_LIMIT(MOST_ANYWHERE, 128); /* products of a row of which only the products are looked at */
PLAN_LIMIT(MOST_SORTED, 512);
/* Products that a warp goes through, and a small block: not less than the least, and so many that a
 * multiprocessor goes through several such rows at once. */
PLAN_LIMIT(LEAST_OF_WARP, 1 << 10);
PLAN_LIMIT(MOST_OF_WARP, 1 << 15);
PLAN_LIMIT(MOST_OF_WIDE_WARP, 1 << 11); /* that is counted with so many words that few warps fit */
PLAN_LIMIT(LEAST_OF_BLOCK, 1 << 13);
PLAN_LIMIT(MOST_OF_BLOCK, 1 << 17);
PLAN_LIMIT(MOST_SPREAD, 1 << 26); /* products of a row that blocks share: sorting takes memory */
constexpr int WINDOWED = 32;      /* times sooner so, where a block would need several windows */
constexpr int WARPS_AT_ONCE = 64, BLOCKS_AT_ONCE = 2; /* of a multiprocessor */
PLAN_LIMIT(WORD_PRODUCTS, 2); /* for each word of a span, in which columns are marked one by one */
PLAN_LIMIT(MOST_WINDOWS, 4);  /* after each other, before sums lie outside shared memory instead */

spmv_status rules_for(class_rules *out, spmv_type C, bool counting, const product_job *job,
                      spmv_error *err)
{
    const block_limits *limits = &job->limits;
    const spmv_type type = counting ? SPMV_PATTERN : C;
    const auto available = [&](int words) {
        return hash_count_bytes(words) <= limits->shared ? words : 0;
    };
    class_rules r = {};
    r.limits = spmv__product_limits_now;
    spmv_status st;
    SPMV__TRY(device_has(cudaDevAttrMultiProcessorCount, &r.processors, err));
    r.merged = counting ? MOST_COUNTED : MOST_MERGED;
    r.merged_rows = counting ? MERGE_ROWS : MERGE_SUM_ROWS;
    r.near = MOST_ANYWHERE;
    r.sorted = MOST_SORTED;
    r.sorted_lane = sort_lane_products(C, limits);
    for (int s = 0; s < COUNT_SIZES; s++) r.words[s] = available(count_words(s));
    r.hashed = WARP * hash_lane_entries(C, limits);
    r.packed = job->packed;
    r.above_most = most_above(limits);
    for (int s = 0; s < WORD_SIZES; s++) r.worded[s] = words_fit(s, C, limits) ? word_bytes(s) : 0;
    for (int s = 0; s < RANK_SIZES; s++)
        r.ranked[s] = rank_room_bytes(type, rank_shape_of(s, limits), false);
    r.searched = rank_room_bytes(type, rank_shape_of(RANK_LARGE, limits), true);
    r.large = rank_shape_of(RANK_LARGE, limits).block;
    r.word = counting ? COUNTED_WORD : RANKED_WORD;
    by_product(SPMV_F64, type, [&](auto k) { r.sum = sum_bytes<decltype(k)>(); });
    *out = r;
done:
    return st;
}

/* Returns the rules for so many products in all. */
__device__ inline class_rules rules_for_products(class_rules r, int64_t products)
{
    const auto share = [&](int at_once, int64_t least, int64_t most) {
        return min(max(products / (at_once * r.processors), least), most);
    };
    r.few = products <= r.limits.few;
    r.of_warp = share(WARPS_AT_ONCE, LEAST_OF_WARP, MOST_OF_WARP);
    r.of_block = share(BLOCKS_AT_ONCE, LEAST_OF_BLOCK, MOST_OF_BLOCK);
    r.spread = share(BLOCKS_AT_ONCE, r.limits.spread, INT64_MAX);
    return r;
}

/* ---- Looking --------------------------------------------------------------------------------- */

/* What is known of the rows of B that some entries of A meet. */
struct rows_seen {
    unsigned long long products;
    int32_t first, last; /* columns */
};

/* Looks at every so-and-so-manyth entry of A from p on; at columns only if they are asked for. */
__device__ inline rows_seen look_along(const csr_rows &A, const csr_rows &B, int64_t p, int64_t end,
                                       int step, bool columns)
{
    rows_seen seen = {0, INT32_MAX, -1};
#pragma unroll 4
    for (; p < end; p += step) {
        const int64_t k = __ldg(A.col + p), q = offset(B, k), to = offset(B, k + 1);
        seen.products += (unsigned long long)(to - q);
        if (!columns || q == to) continue;
        seen.first = min(seen.first, __ldg(B.col + q));
        seen.last = max(seen.last, __ldg(B.col + to - 1));
    }
    return seen;
}

/* Joins what groups of so many lanes have seen. */
__device__ inline void join_lanes(rows_seen *seen, int lanes)
{
    seen->products = sum_of_lanes(seen->products, lanes);
    seen->first = min_of_lanes(seen->first, lanes);
    seen->last = max_of_lanes(seen->last, lanes);
}

/* Adds up what the blocks have seen. */
__device__ inline void count_seen(unsigned long long products, int32_t span, product_counts *counts)
{
    __shared__ unsigned long long of_block;
    __shared__ int widest;
    if (threadIdx.x == 0) of_block = 0;
    if (threadIdx.x == 0) widest = 0;
    __syncthreads();
    products = sum_of_lanes(products);
    span = max_of_lanes(span);
    if (lane_id() == 0 && products > 0) atomicAdd(&of_block, products);
    if (lane_id() == 0 && span > 0) atomicMax(&widest, span);
    __syncthreads();
    if (threadIdx.x == 0 && of_block > 0) atomicAdd(&counts->products, of_block);
    if (threadIdx.x == 0 && widest > 0) atomicMax(&counts->widest, widest);
}

/* Joins what all threads of a block have seen, for its first thread. */
__device__ inline void join_block(rows_seen *seen)
{
    __shared__ rows_seen of_warp[WARP];
    join_lanes(seen, WARP);
    __syncthreads();
    if (lane_id() == 0) of_warp[threadIdx.x / WARP] = *seen;
    __syncthreads();
    *seen = {0, INT32_MAX, -1};
    if (threadIdx.x < blockDim.x / WARP) *seen = of_warp[threadIdx.x];
    join_lanes(seen, WARP);
}

/* What is found out about rows of C. */
struct look_result {
    uint32_t *products;
    row_spans spans;
    uint32_t *entries;
};

/* Keeps what has been seen of row i; *all sums up what this thread keeps. */
__device__ inline void keep_seen(const look_result &to, const csr_rows &A, const csr_rows &B,
                                 int64_t i, const rows_seen &seen, rows_seen *all)
{
    const bool anywhere = seen.last < 0;
    const int32_t first = anywhere ? 0 : seen.first,
                  last = anywhere ? (int32_t)B.cols - 1 : seen.last;
    to.products[i] = seen.products < UINT32_MAX ? (uint32_t)seen.products : UINT32_MAX;
    const column_span columns = keep_span(to.spans, i, first, last);
    to.entries[i] = offset(A, i + 1) - offset(A, i) == 1 ? (uint32_t)seen.products : 0;
    all->products += seen.products;
    if (!anywhere) all->last = max(all->last, columns.span);
}

/* So many lanes take a row, one of all warps of the block a row that is long for them, and all of
 * the block one that is long for a warp, or every row where there are as many lanes.  Where the
 * columns of a short row with few products lie is of no interest, unless B has so many columns that
 * they could not be sorted: then they may lie anywhere. */
constexpr int LOOK_BLOCK = 256;    /* threads */
constexpr int LONG_LOOK = 16;      /* entries for each lane */
constexpr int LONGEST_LOOK = 2048; /* entries for a warp, at least */
static __global__ void look(csr_rows A, csr_rows B, int lanes, int sorted, look_result to,
                            product_counts *counts)
{
    __shared__ int64_t listed[LOOK_BLOCK]; /* long rows, and from the end on the longest */
    __shared__ int long_rows, longest_rows;
    if (threadIdx.x == 0) long_rows = longest_rows = 0;
    const int64_t i = global_thread() / lanes;
    const int lane = (int)threadIdx.x % lanes;
    const int64_t begin = i < A.rows ? offset(A, i) : 0, end = i < A.rows ? offset(A, i + 1) : 0;
    const bool is_long = lanes > WARP || end - begin > lanes * LONG_LOOK;
    const bool is_longest = lanes > WARP || (is_long && end - begin > LONGEST_LOOK);
    const bool may_sort =
        2 * (end - begin) <= WARP && sorts(sorted, B.cols, (sorted + WARP - 1) / WARP);
    rows_seen seen = look_along(A, B, begin + lane, is_long ? begin : end, lanes, !may_sort);
    rows_seen mine = {0, 0, 0};
    join_lanes(&seen, min(lanes, WARP));
    if (__any_sync(ALL_LANES, may_sort && seen.products > (unsigned)sorted)) {
        const bool again = may_sort && seen.products > (unsigned)sorted;
        rows_seen all = look_along(A, B, begin + lane, again ? end : begin, lanes, true);
        join_lanes(&all, min(lanes, WARP));
        if (again) seen = all;
    }
    __syncthreads();
    if (i < A.rows && lane == 0) {
        if (is_longest)
            listed[LOOK_BLOCK - 1 - atomicAdd(&longest_rows, 1)] = i;
        else if (is_long)
            listed[atomicAdd(&long_rows, 1)] = i;
        else
            keep_seen(to, A, B, i, seen, &mine);
    }
    __syncthreads();
    for (int k = (int)threadIdx.x / WARP; k < long_rows; k += (int)blockDim.x / WARP) {
        const int64_t row = listed[k];
        rows_seen all =
            look_along(A, B, offset(A, row) + lane_id(), offset(A, row + 1), WARP, true);
        join_lanes(&all, WARP);
        if (lane_id() == 0) keep_seen(to, A, B, row, all, &mine);
    }
    for (int k = 0; k < longest_rows; k++) {
        const int64_t row = listed[LOOK_BLOCK - 1 - k];
        rows_seen all = look_along(A, B, offset(A, row) + threadIdx.x, offset(A, row + 1),
                                   (int)blockDim.x, true);
        join_block(&all);
        if (threadIdx.x == 0) keep_seen(to, A, B, row, all, &mine);
    }
    count_seen(mine.products, mine.last, counts);
}

spmv_status look_at_rows(const product_job *job, const spmv__gpu_product *p, product_counts *counts,
                         spmv_error *err)
{
    const csr_rows &A = job->A;
    const int block = (int)min((int64_t)LOOK_BLOCK, job->limits.block);
    int lanes = 1;
    while (lanes < WARP && 8 * lanes * A.rows < A.nnz) lanes *= 2;
    if (LONG_LOOK * WARP * A.rows < A.nnz) lanes = block;
    launch_kernel(look, blocks_for(A.rows * lanes, block), block, 0, job->stream, A, job->B, lanes,
                  (int)MOST_ANYWHERE, look_result{p->products, job->spans, p->row_counts}, counts);
    return check_launch("looking at rows", err);
}

/* ---- Twins ----------------------------------------------------------------------------------- */

/* So many lanes compare two rows. */
static __global__ void find_twins(csr_rows B, int lanes, uint8_t *twin)
{
    const int64_t k = global_thread() / lanes;
    const int lane = (int)threadIdx.x % lanes;
    int same = k > 0 && k < B.rows;
    if (same) {
        const int64_t before = offset(B, k - 1), begin = offset(B, k), n = offset(B, k + 1) - begin;
        same = n > 0 && begin - before == n;
        for (int64_t q = lane; q < n && same; q += lanes)
            same = __ldg(B.col + before + q) == __ldg(B.col + begin + q);
    }
    same = min_of_lanes(same, lanes);
    if (lane == 0 && k < B.rows) twin[k] = (uint8_t)same;
}

spmv_status find_twin_rows(const csr_rows *of, uint8_t *twin, const product_job *job,
                           spmv_error *err)
{
    const int block = (int)min((int64_t)256, job->limits.block);
    if (of->rows == 0) return SPMV_SUCCESS;
    const int lanes = lanes_for_rows(*of);
    launch_kernel(find_twins, blocks_for(of->rows * lanes, block), block, 0, job->stream, *of,
                  lanes, twin);
    return check_launch("finding twin rows", err);
}

static __global__ void copy_counts(csr_rows A, uint32_t *counts, uint8_t *words)
{
    const int64_t i = global_thread();
    if (i >= A.rows || !is_twin(A, i)) return;
    const int64_t first = first_twin(A, i, 0);
    counts[i] = counts[first];
    if (words != NULL) words[i] = words[first];
}

spmv_status count_twins(const product_job *job, uint32_t *counts, uint8_t *words, spmv_error *err)
{
    const int block = (int)min((int64_t)256, job->limits.block);
    launch_kernel(copy_counts, blocks_for(job->A.rows, block), block, 0, job->stream, job->A,
                  counts, words);
    return check_launch("counting twins", err);
}

/* ---- Classes --------------------------------------------------------------------------------- */

/* Returns the class of a row that blocks rank or sort, n entries in so many columns, or NO_CLASS
 * where it is summed together with a row before it. */
__device__ inline int ranked_class(const row_numbers &rows, const class_rules &rules, int64_t i,
                                   int64_t columns, int64_t n)
{
    const int64_t marked = columns + WORD_COLUMNS - 1; /* at most, from the first of a word on */
    const auto fits = [&](int size, int64_t sum) {
        return rules.ranked[size] > 0 &&
               window_width(marked, n, rules.ranked[size], rules.word, sum) == marked;
    };
    const int64_t products = rows.products[i], of_a = offset(rows.A, i + 1) - offset(rows.A, i);
    const bool searched = is_searched(products, of_a, rules.large);
    const int64_t bytes = searched ? rules.searched : rules.ranked[RANK_LARGE];
    const int64_t window = window_width(marked, n, bytes, rules.word, rules.sum);
    const int64_t windows = window < marked ? (marked + window - 1) / window : 1;
    const int64_t least = windows > 1 && !searched ? rules.limits.spread / WINDOWED : rules.spread;
    if (products <= MOST_SPREAD && products * min(windows, (int64_t)MOST_WINDOWS) >= least)
        return SPREAD * CLASS_SIZES;
    const int64_t first = first_twin(rows.A, i, rows.begin);
    const bool twins = first < i || (i + 1 < rows.end && is_twin(rows.A, i + 1));
    int size = RANK_LARGE;
    if (rows.counted && twins && fits(RANK_TWINS, TWINS * rules.sum)) {
        if ((i - first) % TWINS != 0) return NO_CLASS;
        size = RANK_TWINS;
    } else if (products < rules.of_block) {
        size = fits(RANK_SMALL, rules.sum)    ? RANK_SMALL
               : fits(RANK_MIDDLE, rules.sum) ? RANK_MIDDLE
                                              : RANK_LARGE;
    }
    if (size == RANK_LARGE && rows.counted && windows > MOST_WINDOWS) size = RANK_OUTSIDE;
    return RANKED * CLASS_SIZES + size;
}

/* Returns the class of a row while entries are counted. */
__device__ inline int counted_class(const row_numbers &rows, const class_rules &rules, int64_t i,
                                    int64_t products, int64_t columns)
{
    const int64_t above = columns / ABOVE_COLUMNS + 2;
    const bool near = rules.packed || products >= WORD_PRODUCTS * (columns / WARP + 1);
    int otherwise = -1;
    for (int s = 0; s < COUNT_SIZES && otherwise < 0 && products <= rules.of_warp;
         s += rules.few ? 2 : 1)
        if ((s + 1 < COUNT_SIZES || products <= MOST_OF_WIDE_WARP) &&
            hash_counts(products, columns, rules.words[s]))
            otherwise = HASHED * CLASS_SIZES + s;
    if (otherwise < 0) otherwise = ranked_class(rows, rules, i, columns, 0);
    if (rules.few || products <= rules.near || products > rules.of_warp ||
        above > rules.above_most || !near)
        return otherwise;
    const int size = otherwise % CLASS_SIZES;
    return WORDED * CLASS_SIZES + (otherwise / CLASS_SIZES == HASHED ? size : WORDED_RANKED + size);
}

/* Returns the class of a row that may be sorted, so many products for each lane at most. */
__device__ inline int sorted_class(int64_t products, int64_t columns, int most, bool few)
{
    for (int s = 0; s < SORT_SIZES && 1 << s <= most; s += few ? 2 : 1)
        if (sorts(products, columns, 1 << s)) return SORTED * CLASS_SIZES + s;
    return NO_CLASS;
}

/* Returns the words of a row that was counted by them, or 0. */
__device__ inline int64_t words_of_row(const row_numbers &rows, int64_t i)
{
    return rows.words != NULL ? rows.words[i] : 0;
}

/* Returns the class of a row of n entries that is summed. */
__device__ inline int summed_class(const row_numbers &rows, const class_rules &rules, int64_t i,
                                   int64_t products, int64_t columns, int64_t n)
{
    const int64_t words = words_of_row(rows, i);
    const int64_t bytes = bytes_of_words(columns, words) + n * rules.sum;
    const int64_t of_a = offset(rows.A, i + 1) - offset(rows.A, i);
    const int sorted = of_a <= WARP && products <= rules.sorted && (rules.few || products <= 2 * n)
                           ? sorted_class(products, columns, rules.sorted_lane, rules.few)
                           : NO_CLASS;
    if (sorted != NO_CLASS && (products <= rules.near || words == 0)) return sorted;
    for (int s = 0; s < WORD_SIZES && words > 0; s++)
        if (bytes <= rules.worded[s]) return WORDED * CLASS_SIZES + s;
    if (products <= (rules.few ? rules.sorted : rules.of_warp) && n <= rules.hashed)
        return HASHED * CLASS_SIZES + (n > WARP) + (n > 2 * WARP) + (n > 4 * WARP);
    return ranked_class(rows, rules, i, columns, n);
}

/* Returns the class of a row, or NO_CLASS where there is nothing to do. */
__device__ inline int class_of(const row_numbers &rows, const class_rules &rules, int64_t i)
{
    const int64_t of_a = offset(rows.A, i + 1) - offset(rows.A, i);
    const int64_t products = rows.products[i], columns = (int64_t)span_of(rows.spans, i).span + 1;
    if (products == 0 || (!rows.counted && (of_a == 1 || is_twin(rows.A, i)))) return NO_CLASS;
    if (!rules.few && of_a <= rules.merged_rows && products <= rules.merged)
        return MERGED * CLASS_SIZES;
    if (!rows.counted) return counted_class(rows, rules, i, products, columns);
    return summed_class(rows, rules, i, products, columns, entries_of(rows.offsets, i));
}

/* Returns this thread's place among those of its block with the same class, where it has one;
 * in_class[c] becomes the threads of the block in class c. */
__device__ inline int place_in_block(int own, int32_t *in_class)
{
    for (int c = (int)threadIdx.x; c < CLASSES; c += (int)blockDim.x) in_class[c] = 0;
    __syncthreads();
    const unsigned same = __match_any_sync(ALL_LANES, (unsigned)own);
    const int before = __popc(same & ((1u << lane_id()) - 1));
    int first = 0;
    if (own != NO_CLASS && before == 0) first = atomicAdd(in_class + own, (int32_t)__popc(same));
    const int place = __shfl_sync(ALL_LANES, first, __ffs((int)same) - 1) + before;
    __syncthreads();
    return place;
}

/* Keeps the loads of the longest row of C, and its entries. */
__device__ inline void count_entries(const row_numbers &rows, int64_t row, list_counts *counts)
{
    int loads = 0;
    if (row + 1 == rows.end) counts->nnz = offset(rows.offsets, row + 1);
    if (row < rows.end)
        loads = (int)spmv__row_loads(offset(rows.offsets, row), offset(rows.offsets, row + 1));
    loads = max_of_lanes(loads);
    if (lane_id() == 0 && loads > *(volatile int *)&counts->loads) atomicMax(&counts->loads, loads);
}

static __global__ void find_classes(row_numbers rows, uint8_t *class_of_row,
                                    const product_counts *of_all, list_counts *counts)
{
    __shared__ int32_t in_class[CLASSES];
    __shared__ class_rules rules;
    if (threadIdx.x == 0) rules = rules_for_products(rows.rules, (int64_t)of_all->products);
    __syncthreads();
    const int64_t row = rows.begin + global_thread();
    const int own = row < rows.end ? class_of(rows, rules, row) : NO_CLASS;
    if (row < rows.end) class_of_row[row] = (uint8_t)own;
    place_in_block(own, in_class);
    if (own == RANKED * CLASS_SIZES + RANK_OUTSIDE)
        atomicMax(&counts->longest, (unsigned long long)(entries_of(rows.offsets, row)));
    if (own == SPREAD * CLASS_SIZES) {
        const int64_t of_a = offset(rows.A, row + 1) - offset(rows.A, row);
        atomicAdd(&counts->spread_entries, (unsigned long long)of_a);
        atomicAdd(&counts->spread_products, (unsigned long long)rows.products[row]);
    }
    if (rows.counted) count_entries(rows, row, counts);
    for (int c = (int)threadIdx.x; c < CLASSES; c += (int)blockDim.x)
        if (in_class[c] > 0) atomicAdd(counts->rows + c, in_class[c]);
}

/* Puts rows begin .. end - 1 into the lists of their classes, which lie one after the other. */
static __global__ void fill_lists(const uint8_t *class_of_row, int64_t begin, int64_t end,
                                  int32_t *list, list_counts *counts)
{
    __shared__ int32_t in_class[CLASSES], first[CLASSES];
    const int64_t row = begin + global_thread();
    const int own = row < end ? class_of_row[row] : NO_CLASS;
    const int place = place_in_block(own, in_class);
    for (int c = (int)threadIdx.x; c < CLASSES; c += (int)blockDim.x) {
        if (in_class[c] == 0) continue;
        first[c] = atomicAdd(counts->taken + c, in_class[c]);
        for (int before = 0; before < c; before++) first[c] += counts->rows[before];
    }
    __syncthreads();
    if (own != NO_CLASS) list[first[own] + place] = (int32_t)row;
}

spmv_status list_rows(const row_numbers *rows, const product_job *job, const spmv__gpu_product *p,
                      const product_counts *counts, list_counts *lists, spmv_error *err)
{
    const int64_t n = rows->end - rows->begin;
    const int find = (int)min((int64_t)FIND_BLOCK, job->limits.block);
    const int list = (int)min((int64_t)LIST_BLOCK, job->limits.block);
    launch_kernel(find_classes, blocks_for(n, find), find, 0, job->stream, *rows, p->class_of_row,
                  counts, lists);
    launch_kernel(fill_lists, blocks_for(n, list), list, 0, job->stream,
                  (const uint8_t *)p->class_of_row, rows->begin, rows->end, p->list, lists);
    return check_launch("listing rows", err);
}

class_lists lists_of(const list_counts &counts, const spmv__gpu_product *p)
{
    class_lists lists = {p->list,
                         {0},
                         (int64_t)counts.longest,
                         {(int64_t)counts.spread_entries, (int64_t)counts.spread_products}};
    for (int c = 0; c < CLASSES; c++) lists.first[c + 1] = lists.first[c] + counts.rows[c];
    return lists;
}

} // namespace spmv
