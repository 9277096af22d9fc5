/* gpu_product.cu -- the steps of a product: look at the rows, count their entries, sum them. */
#include "cuda/device/plan.cuh"
#include "cuda/spgemm/product_memory.cuh"
#include "cuda/spgemm/row_words.cuh"

#include <cstdlib>

using namespace spmv;

constexpr int LEAST_SHARED =
    8 << 10;                     /* every GPU has more; an emulated one may say that it has less */
PLAN_LIMIT(FEWEST_PRODUCTS, 64); /* of a row in the mean, for which a look at all of B pays */
PLAN_LIMIT(FEWEST_PACKED, 1 << 16);          /* entries of B, for which it pays to pack them */
constexpr int64_t COUNTED_AT_ONCE = 1 << 24; /* bytes for products of rows that are spread */

/* Returns how many words of words rows may have that are counted by words. */
static int64_t above_most(const block_limits *limits, int64_t widest)
{
    return min(most_above(limits), (widest + 1) / ABOVE_COLUMNS + 2);
}

static csr_rows words_of_b(const csr_rows &B, const spmv__gpu_product *p)
{
    return {p->word_ptr,   p->word,      p->word_bits, B.rows, B.cols,
            p->words_of_b, SPMV_PATTERN, true,         B.twin, B.left};
}

static spmv_status job_of(product_job *job, const spmv__gpu_product *p, spmv__gpu *gpu,
                          spmv_error *err)
{
    int block = 0, shared = 0;
    spmv_status st;
    SPMV__TRY(device_has(cudaDevAttrMaxThreadsPerBlock, &block, err));
    SPMV__TRY(device_has(cudaDevAttrMaxSharedMemoryPerBlockOptin, &shared, err));
    *job = {};
    job->A = rows_of(p->A);
    job->B = rows_beside(job->A, p->B);
    job->A.twin = p->twin_a;
    job->B.twin = p->twin_b;
    job->words = words_of_b(job->B, p);
    job->packed = p->words_of_b > 0;
    job->products = p->products;
    job->spans = {p->spans, max(bits_of(max(job->B.cols - 1, (int64_t)0)) - SPAN_BITS, 0)};
    job->limits = {block, max(shared, LEAST_SHARED),
                   WORD_COLUMNS * spmv__product_limits_now.window};
    job->above_most = above_most(&job->limits, p->widest);
    job->stream = spmv__gpu_stream(gpu);
done:
    return st;
}

/* ---- Looking --------------------------------------------------------------------------------- */

/* Returns how many words B is packed in, or 0 where it is not since it has too many. */
static int64_t words_to_pack(const csr_rows &B, int64_t words)
{
    if (!may_pack(B) || B.nnz < FEWEST_PACKED || PACKED_PART * words > B.nnz) return 0;
    return words + B.rows;
}

static spmv_status pack_rows(const product_job *job, const spmv__gpu_product *p, spmv_error *err)
{
    const csr_rows of_b = words_of_b(job->B, p);
    return write_row_words(&of_b, job, &memory_of(p)->rows, err);
}

static spmv_status find_twins(const product_job *job, const spmv__gpu_product *p, spmv_error *err)
{
    spmv_status st;
    SPMV__TRY(find_twin_rows(&job->B, p->twin_b, job, err));
    if (p->A != p->B) st = find_twin_rows(&job->A, p->twin_a, job, err);
done:
    return st;
}

/* Enqueues listing rows begin .. end - 1 by the ways that count them, or, if they have been
 * counted, sum them. */
static spmv_status list_range(const product_job *job, const spmv__gpu_product *p, bool counted,
                              int64_t begin, int64_t end, list_counts *lists, spmv_error *err)
{
    row_numbers rows = {job->A,        p->products, job->spans, p->words, counted,
                        offsets_of(p), begin,       end,        {}};
    spmv_status st;
    SPMV__TRY(rules_for(&rows.rules, p->type, !counted, job, err));
    st = list_rows(&rows, job, p, (const product_counts *)p->counts, lists, err);
done:
    return st;
}

/* Looks at the rows, and lists them by the ways that count them. */
static spmv_status look(const product_job *job, spmv__gpu_product *p, product_counts *found,
                        spmv__gpu *gpu, spmv_error *err)
{
    product_counts *counts = (product_counts *)p->counts;
    spmv_status st;
    SPMV__TRY(spmv__gpu_clear(gpu, counts, sizeof *counts, err));
    if (may_pack(job->B) && job->B.nnz >= FEWEST_PACKED) SPMV__TRY(look_at_words(job, counts, err));
    SPMV__TRY(look_at_rows(job, p, counts, err));
    SPMV__TRY(list_range(job, p, false, 0, job->A.rows, &counts->counted, err));
    st = spmv__gpu_download(gpu, found, counts, sizeof *found, err);
done:
    return st;
}

/* Looks at what rows of B have in common, and lists the rows again.  *job becomes what is known
 * then. */
static spmv_status look_closer(product_job *job, spmv__gpu_product *p, product_counts *found,
                               spmv__gpu *gpu, spmv_error *err)
{
    product_counts *counts = (product_counts *)p->counts;
    spmv_status st;
    SPMV__TRY(take_closer(p, words_to_pack(job->B, (int64_t)found->words), err));
    SPMV__TRY(find_twins(job, p, err));
    if (p->words_of_b > 0) SPMV__TRY(pack_rows(job, p, err));
    SPMV__TRY(job_of(job, p, gpu, err));
    SPMV__TRY(spmv__gpu_clear(gpu, &counts->counted, sizeof counts->counted, err));
    SPMV__TRY(list_range(job, p, false, 0, job->A.rows, &counts->counted, err));
    st = spmv__gpu_download(gpu, found, counts, sizeof *found, err);
done:
    return st;
}

/* ---- Counting -------------------------------------------------------------------------------- */

/* The rows of a class. */
static row_list class_list(const class_lists *lists, int c)
{
    return {lists->row + lists->first[c], lists->first[c + 1] - lists->first[c], NULL};
}

/* The rows of all sizes of a way. */
static row_list way_list(const class_lists *lists, int way)
{
    const int first = lists->first[way * CLASS_SIZES];
    return {lists->row + first, lists->first[(way + 1) * CLASS_SIZES] - first, NULL};
}

/* The n-th class to be enqueued, up to LAST: rows that are merged are many and short, and fill the
 * GPU while the host enqueues the others, which overtake them; spread rows are last, as the host
 * has many kernels to start for them. */
constexpr int LAST = SPREAD * CLASS_SIZES;
static int class_in_order(int n)
{
    if (n == 0) return MERGED * CLASS_SIZES;
    return n < LAST ? LAST - n : LAST;
}

static spmv_status count_class(const product_job *job, const class_rules *rules, int way, int size,
                               row_list list, uint32_t *counts, spmv_error *err)
{
    if (way == MERGED) return merge_count(job, list, counts, err);
    if (way == HASHED) return hash_count(job, rules->words[size], list, counts, err);
    return rank_count(job, rank_shape_of(size, &job->limits), list, counts, err);
}

/* Counts rows by their words, and those that have too many in another way. */
static spmv_status count_words(const product_job *job, const class_rules *rules, int size,
                               row_list list, const spmv__gpu_product *p, const class_lists *lists,
                               spmv_error *err)
{
    const int way = size < WORDED_RANKED ? HASHED : RANKED;
    int32_t *left = ((product_counts *)p->counts)->counted.left + size;
    int32_t *others = p->others + (list.row - way_list(lists, WORDED).row);
    const row_list rest = {others, list.n, left};
    spmv_status st;
    SPMV__TRY(word_count(job, list, p->row_counts, p->words, others, left, err));
    st = count_class(job, rules, way, way == HASHED ? size : size - WORDED_RANKED, rest,
                     p->row_counts, err);
done:
    return st;
}

/* Waits for the side streams, also where one has failed: what they use is freed then. */
static spmv_status join_sides(spmv__gpu *gpu, spmv_status st, spmv_error *err)
{
    const spmv_status joined = spmv__gpu_join(gpu, st == SPMV_SUCCESS ? err : NULL);
    return st == SPMV_SUCCESS ? joined : st;
}

static spmv_status count_lists(product_job *job, const class_rules *rules, const class_lists *lists,
                               const spread_rows *spread, spmv__gpu_product *p, spmv__gpu *gpu,
                               spmv_error *err)
{
    spmv_status st;
    SPMV__TRY(spmv__gpu_fork(gpu, err));
    for (int n = 0, side = 0; n <= LAST; n++) {
        const int c = class_in_order(n), way = c / CLASS_SIZES, size = c % CLASS_SIZES;
        const row_list list = class_list(lists, c);
        if (list.n == 0) continue;
        SPMV__TRY(spmv__gpu_side_stream(gpu, side++, (void **)&job->stream, err));
        if (way == SPREAD)
            SPMV__TRY(spread_count(spread, job, p->row_counts, err));
        else if (way == WORDED)
            SPMV__TRY(count_words(job, rules, size, list, p, lists, err));
        else
            SPMV__TRY(count_class(job, rules, way, size, list, p->row_counts, err));
    }
done:
    st = join_sides(gpu, st, err);
    job->stream = spmv__gpu_stream(gpu);
    return st;
}

/* Adds up the entries of all rows, and lists these by the ways that sum them. */
static spmv_status add_up(const product_job *job, spmv__gpu_product *p, spmv__gpu *gpu,
                          spmv_error *err)
{
    product_counts *counts = (product_counts *)p->counts, found;
    spmv_status st;
    SPMV__TRY(add_up_counts(p, gpu, err));
    SPMV__TRY(list_range(job, p, true, 0, job->A.rows, &counts->summed, err));
    SPMV__TRY(spmv__gpu_download(gpu, &found, counts, sizeof found, err));
    p->nnz = found.summed.nnz;
    p->loads = found.summed.loads;
    p->summed = lists_of(found.summed, p);
done:
    return st;
}

static spmv_status count_rows(product_job *job, spmv__gpu_product *p, const class_lists *lists,
                              spmv__gpu *gpu, spmv_error *err)
{
    spread_rows *spread = NULL;
    class_rules rules;
    spmv_status st;
    SPMV__TRY(rules_for(&rules, p->type, true, job, err));
    SPMV__TRY(spread_prepare(&spread, job, SPMV_PATTERN, way_list(lists, SPREAD), lists->spread,
                             COUNTED_AT_ONCE, gpu, err));
    SPMV__TRY(count_lists(job, &rules, lists, spread, p, gpu, err));
    if (job->A.twin != NULL) SPMV__TRY(count_twins(job, p->row_counts, p->words, err));
    st = add_up(job, p, gpu, err);
done:
    spread_free(spread);
    return st;
}

spmv_status spmv__gpu_product_count(spmv__gpu_product *p, spmv__gpu *gpu, spmv_error *err)
{
    product_counts found;
    class_lists lists;
    product_job job;
    spmv_status st;
    if (p->A->shape.head.rows >= INT32_MAX)
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                          "a GPU multiplies sparse matrices of up to %d rows", INT32_MAX - 1);
    SPMV__TRY(take_rows(p, err));
    SPMV__TRY(job_of(&job, p, gpu, err));
    if (job.A.rows == 0) return add_up_counts(p, gpu, err);
    SPMV__TRY(look(&job, p, &found, gpu, err));
    p->all_products = (int64_t)found.products;
    p->widest = found.widest;
    SPMV__TRY(job_of(&job, p, gpu, err));
    if (p->all_products > spmv__product_limits_now.few &&
        p->all_products >= FEWEST_PRODUCTS * job.A.rows)
        SPMV__TRY(look_closer(&job, p, &found, gpu, err));
    lists = lists_of(found.counted, p);
    SPMV__TRY(take_counted_by_words(p, way_list(&lists, WORDED).n, gpu, err));
    st = count_rows(&job, p, &lists, gpu, err);
done:
    return st;
}

/* ---- Summing --------------------------------------------------------------------------------- */

constexpr int64_t LEAST_OUTSIDE = 1 << 24; /* bytes */
constexpr int OUTSIDE_PART_OF_C = 8; /* of which C takes so many times as much, or it is more */

struct spmv__gpu_sums {
    int64_t end; /* behind the last row */
    class_lists lists;
    rank_shape outside;  /* of rows whose sums do not fit into shared memory; owns these sums */
    spread_rows *spread; /* owned */
};

static spmv_status sum_class(const product_job *job, const spmv__gpu_sums *s, int way, int size,
                             row_list list, const product_rows *C, spmv_error *err)
{
    if (way == MERGED) return merge_sum(job, list, *C, err);
    if (way == SORTED) return sort_sum(job, 1 << size, list, *C, err);
    if (way == HASHED) return hash_sum(job, size < 3 ? 1 << size : HASH_LANE_MOST, list, *C, err);
    if (way == WORDED) return word_sum(job, size, list, *C, err);
    if (way == SPREAD) return spread_sum(s->spread, job, *C, err);
    return rank_sum(job, size == RANK_OUTSIDE ? s->outside : rank_shape_of(size, &job->limits),
                    list, *C, err);
}

/* Allocates what sums take that do not fit into shared memory, where there are any. */
static spmv_status allocate_sums(spmv__gpu_sums *s, const product_job *job,
                                 const spmv__gpu_product *p, spmv__gpu *gpu, spmv_error *err)
{
    const int64_t entry = (int64_t)(sizeof(int32_t) + spmv_type_size(p->type));
    const int64_t bytes = max(LEAST_OUTSIDE, p->nnz * entry / OUTSIDE_PART_OF_C);
    const row_list list = class_list(&s->lists, RANKED * CLASS_SIZES + RANK_OUTSIDE);
    spmv_status st;
    SPMV__TRY(spread_prepare(&s->spread, job, p->type, way_list(&s->lists, SPREAD), s->lists.spread,
                             bytes, gpu, err));
    s->outside = rank_shape_of(RANK_OUTSIDE, &job->limits);
    if (list.n > 0)
        st = rank_sums_outside(&s->outside, p->type, list.n, s->lists.longest, bytes, err);
done:
    return st;
}

/* Lists rows begin .. end - 1, instead of all. */
static spmv_status list_some(class_lists *out, const product_job *job, spmv__gpu_product *p,
                             int64_t begin, int64_t end, spmv__gpu *gpu, spmv_error *err)
{
    product_counts *counts = (product_counts *)p->counts;
    list_counts found;
    spmv_status st;
    SPMV__TRY(spmv__gpu_clear(gpu, &counts->summed, sizeof counts->summed, err));
    SPMV__TRY(list_range(job, p, true, begin, end, &counts->summed, err));
    SPMV__TRY(spmv__gpu_download(gpu, &found, &counts->summed, sizeof found, err));
    p->summed.row = NULL;
    *out = lists_of(found, p);
done:
    return st;
}

spmv_status spmv__gpu_sums_prepare(spmv__gpu_sums **out, spmv__gpu_product *p, int64_t begin,
                                   int64_t end, spmv__gpu *gpu, spmv_error *err)
{
    spmv__gpu_sums *s = NULL;
    product_job job;
    spmv_status st;
    *out = NULL;
    SPMV__TRY(spmv__alloc(&s, 1, sizeof *s, "lists of rows", err));
    s->end = end;
    if (begin < end) {
        SPMV__TRY(job_of(&job, p, gpu, err));
        if (begin == 0 && end == job.A.rows && p->summed.row != NULL)
            s->lists = p->summed;
        else
            SPMV__TRY(list_some(&s->lists, &job, p, begin, end, gpu, err));
        SPMV__TRY(allocate_sums(s, &job, p, gpu, err));
    }
    *out = s;
    s = NULL;
done:
    spmv__gpu_sums_free(s);
    return st;
}

void spmv__gpu_sums_free(spmv__gpu_sums *sums)
{
    if (sums == NULL) return;
    spmv__gpu_free(sums->outside.sums);
    spread_free(sums->spread);
    free(sums);
}

spmv_status spmv__gpu_sums_enqueue(const spmv__gpu_sums *sums, const spmv__gpu_product *p,
                                   int64_t first, int32_t *col_idx, void *val, spmv__gpu *gpu,
                                   spmv_error *err)
{
    product_rows C = {offsets_of(p), col_idx,     val, first,   sums->end,
                      p->type,       p->products, {},  p->words};
    product_job job;
    spmv_status st;
    SPMV__TRY(job_of(&job, p, gpu, err));
    C.spans = job.spans;
    SPMV__TRY(spmv__gpu_fork(gpu, err));
    for (int n = 0, side = 0; n <= LAST; n++) {
        const int c = class_in_order(n);
        const row_list list = class_list(&sums->lists, c);
        if (list.n == 0) continue;
        SPMV__TRY(spmv__gpu_side_stream(gpu, side++, (void **)&job.stream, err));
        SPMV__TRY(sum_class(&job, sums, c / CLASS_SIZES, c % CLASS_SIZES, list, &C, err));
    }
done:
    return join_sides(gpu, st, err);
}

spmv_status spmv__gpu_product_sum(spmv__gpu_product *p, int64_t begin, int64_t end, int64_t first,
                                  int32_t *col_idx, void *val, spmv__gpu *gpu, spmv_error *err)
{
    spmv__gpu_sums *sums = NULL;
    spmv_status st;
    SPMV__TRY(spmv__gpu_sums_prepare(&sums, p, begin, end, gpu, err));
    st = spmv__gpu_sums_enqueue(sums, p, first, col_idx, val, gpu, err);
done:
    spmv__gpu_sums_free(sums);
    return st;
}
