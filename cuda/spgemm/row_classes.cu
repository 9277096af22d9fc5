/* row_classes.cu -- a look at the rows of a product, and their classes. */
#include "cuda/spgemm/row_classes.cuh"

namespace spmv
{

PLAN_LIMIT(MOST_COUNTED, 128);  /* products that a thread merges to count them */
PLAN_LIMIT(MOST_MERGED, 32);    /* and to sum them: others would not stay in the cache */
PLAN_LIMIT(MOST_ANYWHERE, 128); /* products of a row of which only the products are looked at */
PLAN_LIMIT(MOST_SORTED, 512);
PLAN_LIMIT(MOST_OF_WARP, 1 << 15); /* products that a warp goes through */
PLAN_LIMIT(MOST_OF_BLOCK, 1 << 17);
PLAN_LIMIT(WORD_PRODUCTS, 2); /* for each word of a span, in which columns are marked one by one */
PLAN_LIMIT(MOST_WINDOWS, 4);  /* after each other, before sums lie outside shared memory instead */

class_rules rules_for(spmv_type C, bool counting, const product_job *job)
{
    const block_limits *limits = &job->limits;
    const spmv_type type = counting ? SPMV_PATTERN : C;
    const auto available = [&](int words) {
        return hash_count_bytes(words) <= limits->shared ? words : 0;
    };
    class_rules r;
    r.merged = counting ? MOST_COUNTED : MOST_MERGED;
    r.merged_rows = counting ? MERGE_ROWS : MERGE_SUM_ROWS;
    r.near = MOST_ANYWHERE;
    r.sorted = MOST_SORTED;
    r.sorted_lane = sort_lane_products(C, limits);
    r.of_warp = MOST_OF_WARP;
    r.of_block = MOST_OF_BLOCK;
    for (int s = 0; s < COUNT_SIZES; s++) r.words[s] = available(count_words(s));
    r.hashed = WARP * hash_lane_entries(C, limits);
    r.packed = job->packed;
    r.above_most = job->above_most;
    for (int s = 0; s < WORD_SIZES; s++) r.worded[s] = words_fit(s, C, limits) ? word_bytes(s) : 0;
    for (int s = 0; s < RANK_SIZES; s++)
        r.ranked[s] = rank_room_bytes(type, rank_shape_of(s, limits), false);
    r.searched = rank_room_bytes(type, rank_shape_of(RANK_LARGE, limits), true);
    r.large = rank_shape_of(RANK_LARGE, limits).block;
    r.word = counting ? COUNTED_WORD : RANKED_WORD;
    by_product(SPMV_F64, type, [&](auto k) { r.sum = sum_bytes<decltype(k)>(); });
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
    for (int o = lanes / 2; o > 0; o /= 2) {
        seen->products += __shfl_xor_sync(ALL_LANES, seen->products, o);
        seen->first = min(seen->first, __shfl_xor_sync(ALL_LANES, seen->first, o));
        seen->last = max(seen->last, __shfl_xor_sync(ALL_LANES, seen->last, o));
    }
}

/* Adds up what the blocks have seen. */
__device__ inline void count_seen(unsigned long long products, int32_t span, class_counts *counts)
{
    __shared__ unsigned long long of_block;
    __shared__ int widest;
    if (threadIdx.x == 0) of_block = 0;
    if (threadIdx.x == 0) widest = 0;
    __syncthreads();
    for (int o = WARP / 2; o > 0; o /= 2) {
        products += __shfl_xor_sync(ALL_LANES, products, o);
        span = max(span, __shfl_xor_sync(ALL_LANES, span, o));
    }
    if (lane_id() == 0 && products > 0) atomicAdd(&of_block, products);
    if (lane_id() == 0 && span > 0) atomicMax(&widest, span);
    __syncthreads();
    if (threadIdx.x == 0 && of_block > 0) atomicAdd(&counts->products, of_block);
    if (threadIdx.x == 0 && widest > 0) atomicMax(&counts->widest, widest);
}

/* So many lanes take a row, and all of the warp together one that is long for them.  Where the
 * columns of a short row with few products lie is of no interest, unless B has so many columns that
 * they could not be sorted: then they may lie anywhere. */
constexpr int LONG_LOOK = 32; /* entries for each lane */
static __global__ void look(csr_rows A, csr_rows B, int lanes, int sorted, uint32_t *products,
                            int32_t *low, int32_t *span, int64_t *entries, class_counts *counts)
{
    const int64_t i = global_thread() / lanes;
    const int lane = (int)threadIdx.x % lanes;
    const int64_t begin = i < A.rows ? offset(A, i) : 0, end = i < A.rows ? offset(A, i + 1) : 0;
    const bool is_long = end - begin > lanes * LONG_LOOK;
    const bool may_sort =
        2 * (end - begin) <= WARP && sorts(sorted, B.cols, (sorted + WARP - 1) / WARP);
    rows_seen seen = look_along(A, B, begin + lane, is_long ? begin : end, lanes, !may_sort);
    join_lanes(&seen, lanes);
    if (__any_sync(ALL_LANES, may_sort && seen.products > (unsigned)sorted)) {
        const bool again = may_sort && seen.products > (unsigned)sorted;
        rows_seen all = look_along(A, B, begin + lane, again ? end : begin, lanes, true);
        join_lanes(&all, lanes);
        if (again) seen = all;
    }
    for (unsigned left = __ballot_sync(ALL_LANES, is_long && lane == 0); left != 0;
         left &= left - 1) {
        const int of = __ffs((int)left) - 1;
        const int64_t from = __shfl_sync(ALL_LANES, begin, of),
                      to = __shfl_sync(ALL_LANES, end, of);
        rows_seen all = look_along(A, B, from + lane_id(), to, WARP, true);
        join_lanes(&all, WARP);
        if (lane_id() == of) seen = all;
    }
    const bool own = i < A.rows && lane == 0, anywhere = seen.last < 0;
    const unsigned long long n = own ? seen.products : 0;
    const int32_t first = anywhere ? 0 : seen.first,
                  last = anywhere ? (int32_t)B.cols - 1 : seen.last;
    if (own) {
        products[i] = n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
        low[i] = first;
        span[i] = max(last - first, 0);
        entries[i] = end - begin == 1 ? (int64_t)n : 0; /* others are counted */
    }
    count_seen(n, own && !anywhere ? last - first : 0, counts);
}

spmv_status look_at_rows(const product_job *job, spmv__gpu_product *p, class_counts *counts,
                         spmv__gpu *gpu, spmv_error *err)
{
    const csr_rows &A = job->A;
    const int block = (int)min((int64_t)256, job->limits.block);
    int lanes = 1;
    spmv_status st;
    while (lanes < WARP && 8 * lanes * A.rows < A.nnz) lanes *= 2;
    launch_kernel(look, blocks_for(A.rows * lanes, block), block, 0, job->stream, A, job->B, lanes,
                  (int)MOST_ANYWHERE, p->products, p->low, p->span, p->row_ptr,
                  (class_counts *)p->counts);
    SPMV__TRY(check_launch("looking at rows", err));
    SPMV__TRY(spmv__gpu_download(gpu, counts, p->counts, sizeof *counts, err));
    p->all_products = (int64_t)counts->products;
done:
    return st;
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
    for (int o = lanes / 2; o > 0; o /= 2) same &= __shfl_xor_sync(ALL_LANES, same, o);
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

static __global__ void copy_counts(csr_rows A, int64_t *counts, uint8_t *words)
{
    const int64_t i = global_thread();
    if (i >= A.rows || !is_twin(A, i)) return;
    const int64_t first = first_twin(A, i, 0);
    counts[i] = counts[first];
    words[i] = words[first];
}

spmv_status count_twins(const product_job *job, int64_t *counts, uint8_t *words, spmv_error *err)
{
    const int block = (int)min((int64_t)256, job->limits.block);
    launch_kernel(copy_counts, blocks_for(job->A.rows, block), block, 0, job->stream, job->A,
                  counts, words);
    return check_launch("counting twins", err);
}

/* ---- Classes --------------------------------------------------------------------------------- */

/* Returns the class of a row that a block ranks, n entries in so many columns, or NO_CLASS
 * where it is summed together with a row before it. */
__device__ inline int ranked_class(const row_numbers &rows, int64_t i, int64_t columns, int64_t n)
{
    const class_rules &rules = rows.rules;
    const int64_t marked = columns + WORD_COLUMNS - 1; /* at most, from the first of a word on */
    const auto fits = [&](int size, int64_t sum) {
        return rules.ranked[size] > 0 &&
               window_width(marked, n, rules.ranked[size], rules.word, sum) == marked;
    };
    const int64_t first = first_twin(rows.A, i, rows.begin);
    const bool twins = first < i || (i + 1 < rows.end && is_twin(rows.A, i + 1));
    int size = RANK_LARGE;
    if (rows.row_ptr != NULL && twins && fits(RANK_TWINS, TWINS * rules.sum)) {
        if ((i - first) % TWINS != 0) return NO_CLASS;
        size = RANK_TWINS;
    } else if (rows.products[i] < rules.of_block) {
        size = fits(RANK_SMALL, rules.sum)    ? RANK_SMALL
               : fits(RANK_MIDDLE, rules.sum) ? RANK_MIDDLE
                                              : RANK_LARGE;
    }
    const int64_t of_a = offset(rows.A, i + 1) - offset(rows.A, i);
    const bool searched = is_searched(rows.products[i], of_a, rules.large);
    const int64_t bytes = searched ? rules.searched : rules.ranked[RANK_LARGE];
    const int64_t window = window_width(marked, n, bytes, rules.word, rules.sum);
    if (size == RANK_LARGE && rows.row_ptr != NULL && marked > MOST_WINDOWS * window)
        size = RANK_OUTSIDE;
    return RANKED * CLASS_SIZES + size;
}

/* Returns the class of a row while entries are counted. */
__device__ inline int counted_class(const row_numbers &rows, int64_t i, int64_t products,
                                    int64_t columns)
{
    const class_rules &rules = rows.rules;
    const int64_t above = columns / ABOVE_COLUMNS + 2;
    const bool near = rules.packed || products >= WORD_PRODUCTS * (columns / WARP + 1);
    int otherwise = -1;
    for (int s = 0; s < COUNT_SIZES && otherwise < 0 && products <= rules.of_warp; s++)
        if (hash_counts(products, columns, rules.words[s])) otherwise = HASHED * CLASS_SIZES + s;
    if (otherwise < 0) otherwise = ranked_class(rows, i, columns, 0);
    if (products <= rules.near || products > rules.of_warp || above > rules.above_most || !near)
        return otherwise;
    const int size = otherwise % CLASS_SIZES;
    return WORDED * CLASS_SIZES + (otherwise / CLASS_SIZES == HASHED ? size : WORDED_RANKED + size);
}

/* Returns the class of a row that may be sorted, so many products for each lane at most. */
__device__ inline int sorted_class(int64_t products, int64_t columns, int most)
{
    for (int s = 0; s < SORT_SIZES && 1 << s <= most; s++)
        if (sorts(products, columns, 1 << s)) return SORTED * CLASS_SIZES + s;
    return NO_CLASS;
}

/* Returns the class of a row of n entries that is summed. */
__device__ inline int summed_class(const row_numbers &rows, int64_t i, int64_t products,
                                   int64_t columns, int64_t n)
{
    const class_rules &rules = rows.rules;
    const int64_t bytes = bytes_of_words(columns, rows.words[i]) + n * rules.sum;
    const int64_t of_a = offset(rows.A, i + 1) - offset(rows.A, i);
    const int sorted = of_a <= WARP && products <= rules.sorted && products <= 2 * n
                           ? sorted_class(products, columns, rules.sorted_lane)
                           : NO_CLASS;
    if (sorted != NO_CLASS && (products <= rules.near || rows.words[i] == 0)) return sorted;
    for (int s = 0; s < WORD_SIZES && rows.words[i] > 0; s++)
        if (bytes <= rules.worded[s]) return WORDED * CLASS_SIZES + s;
    if (products <= rules.of_warp && n <= rules.hashed)
        return HASHED * CLASS_SIZES + (n > WARP) + (n > 2 * WARP) + (n > 4 * WARP);
    return ranked_class(rows, i, columns, n);
}

/* Returns the class of a row, or NO_CLASS where there is nothing to do. */
__device__ inline int class_of(const row_numbers &rows, int64_t i)
{
    const class_rules &rules = rows.rules;
    const int64_t of_a = offset(rows.A, i + 1) - offset(rows.A, i);
    const int64_t products = rows.products[i], columns = (int64_t)rows.span[i] + 1;
    const bool counted = rows.row_ptr != NULL;
    if (products == 0 || (!counted && (of_a == 1 || is_twin(rows.A, i)))) return NO_CLASS;
    if (of_a <= rules.merged_rows && products <= rules.merged)
        return MERGED * CLASS_SIZES + (of_a > 2) + (of_a > 4) + (of_a > 6);
    if (!counted) return counted_class(rows, i, products, columns);
    return summed_class(rows, i, products, columns, rows.row_ptr[i + 1] - rows.row_ptr[i]);
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

static __global__ void find_classes(row_numbers rows, uint8_t *class_of_row, class_counts *counts)
{
    __shared__ int32_t in_class[CLASSES];
    const int64_t row = rows.begin + global_thread();
    const int own = row < rows.end ? class_of(rows, row) : NO_CLASS;
    if (row < rows.end) class_of_row[row] = (uint8_t)own;
    place_in_block(own, in_class);
    if (own == RANKED * CLASS_SIZES + RANK_OUTSIDE)
        atomicMax(&counts->longest,
                  (unsigned long long)(rows.row_ptr[row + 1] - rows.row_ptr[row]));
    for (int c = (int)threadIdx.x; c < CLASSES; c += (int)blockDim.x)
        if (in_class[c] > 0) atomicAdd(counts->rows + c, in_class[c]);
}

/* Puts rows begin .. end - 1 into the lists of their classes, which lie one after the other. */
static __global__ void fill_lists(const uint8_t *class_of_row, int64_t begin, int64_t end,
                                  int32_t *list, class_counts *counts)
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

spmv_status list_rows(class_lists *out, const row_numbers *rows, const block_limits *limits,
                      const spmv__gpu_product *p, spmv__gpu *gpu, spmv_error *err)
{
    const int block = (int)min((int64_t)LIST_BLOCK, limits->block);
    const unsigned blocks = blocks_for(rows->end - rows->begin, block);
    const cudaStream_t stream = (cudaStream_t)spmv__gpu_stream(gpu);
    class_counts *counts = (class_counts *)p->counts, found;
    spmv_status st;
    SPMV__TRY(spmv__gpu_clear(gpu, counts, sizeof *counts, err));
    launch_kernel(find_classes, blocks, block, 0, stream, *rows, p->class_of_row, counts);
    launch_kernel(fill_lists, blocks, block, 0, stream, (const uint8_t *)p->class_of_row,
                  rows->begin, rows->end, p->list, counts);
    SPMV__TRY(check_launch("listing rows", err));
    SPMV__TRY(spmv__gpu_download(gpu, &found, counts, sizeof found, err));
    out->row = p->list;
    out->longest = (int64_t)found.longest;
    out->first[0] = 0;
    for (int c = 0; c < CLASSES; c++) out->first[c + 1] = out->first[c] + found.rows[c];
done:
    return st;
}

} // namespace spmv
