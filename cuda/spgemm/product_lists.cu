/* product_lists.cu -- the products of each entry of C, listed for plans.
 *
 * Where C has been multiplied once, every entry can know which entries of A and B it is the sum of.
 * A repeated product then loads values and adds them: nothing is looked up, hashed or ranked.  The
 * products are expanded row by row, with a key, their row and column, and a stable sort leaves
 * those of one entry in the order of A, in which they are added.  This is done for some rows after
 * the other, so that it takes little memory.  Rows of A that are twins share their lists. */
#include "cuda/device/plan.cuh"
#include "cuda/spgemm/product_lists.cuh"

#include <cub/device/device_radix_sort.cuh>

#include <cstdlib>

using namespace spmv;

constexpr int LISTS_BLOCK = 256, LISTS_EACH = 8; /* products of a thread */
constexpr int64_t MOST_LISTED = INT32_MAX - 1;   /* products, numbered by 32 bits */
constexpr int MOST_EACH = 16;        /* of an entry in the mean: more take too much memory */
constexpr int SHARED_PART = 3;       /* of the products, that twins have to save at least, */
constexpr int LONGEST_SHARED = 1024; /* and entries of a row of A, as many as a list may have */
PLAN_LIMIT(PIECE_LEAST, 1 << 20);    /* products of a piece, */
constexpr int PIECES = 16;           /* of which there are not many more */

/* ---- How much there is ----------------------------------------------------------------------- */

/* What is known while lists are made. */
struct list_job {
    csr_rows A, B;
    row_offsets offsets; /* of C */
    int64_t entries;     /* of A */
    int32_t *row;        /* [entries] of A */
    int32_t *start;      /* [entries + 1] the first product of each */
    int32_t *of_row;     /* [rows + 1] the first product of each row, */
    int32_t *before;     /* [rows + 1] and the entries with lists before it */
    int32_t *longest;    /* entries of a row of A */
    int column_bits;
    cudaStream_t stream;
};

/* Says whether row i has lists of its own. */
__device__ inline bool leads(const csr_rows &A, int64_t i)
{
    return (i - first_twin(A, i, 0)) % TWINS_LISTED == 0;
}

static __global__ void measure_entries(list_job job)
{
    const int64_t p = global_thread();
    if (p >= job.entries) return;
    const int64_t i = last_where(job.A.rows, [&](int64_t k) { return offset(job.A, k) <= p; });
    const int64_t k = __ldg(job.A.col + p);
    job.row[p] = (int32_t)i;
    job.start[p] = leads(job.A, i) ? (int32_t)(offset(job.B, k + 1) - offset(job.B, k)) : 0;
}

static __global__ void measure_rows(list_job job)
{
    const int64_t i = global_thread();
    if (i > job.A.rows) return;
    if (i < job.A.rows) atomicMax(job.longest, (int32_t)(offset(job.A, i + 1) - offset(job.A, i)));
    job.of_row[i] = job.start[offset(job.A, i)];
    job.before[i] = i < job.A.rows && leads(job.A, i) ? (int32_t)entries_of(job.offsets, i) : 0;
}

/* Finds how many products and entries have lists. */
static spmv_status measure(const list_job *job, spmv__product_lists *lists, spmv__gpu *gpu,
                           arena *a, spmv_error *err)
{
    spmv_status st;
    launch_kernel(measure_entries, blocks_for(job->entries, LISTS_BLOCK), LISTS_BLOCK, 0,
                  job->stream, *job);
    SPMV__TRY(check_launch("measuring products", err));
    SPMV__TRY(exclusive_sum(job->start, job->entries, gpu, a, &lists->products, err));
    SPMV__TRY(spmv__gpu_clear(gpu, job->longest, sizeof *job->longest, err));
    launch_kernel(measure_rows, blocks_for(job->A.rows + 1, LISTS_BLOCK), LISTS_BLOCK, 0,
                  job->stream, *job);
    SPMV__TRY(check_launch("measuring products", err));
    st = exclusive_sum(job->before, job->A.rows, gpu, a, &lists->entries, err);
done:
    return st;
}

/* Does so for twins together where that saves enough, and else for each row. */
static spmv_status measure_all(list_job *job, spmv__product_lists *lists,
                               const spmv__gpu_product *p, spmv__gpu *gpu, arena *a,
                               spmv_error *err)
{
    const char *what = "products of a plan";
    int32_t longest = 0;
    spmv_status st;
    SPMV__TRY(arena_take(a, &job->row, job->entries, what, err));
    SPMV__TRY(arena_take(a, &job->start, job->entries + 1, what, err));
    SPMV__TRY(arena_take(a, &job->of_row, job->A.rows + 1, what, err));
    SPMV__TRY(arena_take(a, &job->before, job->A.rows + 1, what, err));
    SPMV__TRY(arena_take(a, &job->longest, 1, what, err));
    SPMV__TRY(measure(job, lists, gpu, a, err));
    if (job->A.twin == NULL) goto done;
    SPMV__TRY(spmv__gpu_download(gpu, &longest, job->longest, sizeof longest, err));
    lists->twins = longest <= LONGEST_SHARED &&
                   p->all_products - lists->products >= p->all_products / SHARED_PART;
    if (lists->twins) goto done;
    job->A.twin = NULL;
    st = measure(job, lists, gpu, a, err);
done:
    return st;
}

/* ---- Pieces ---------------------------------------------------------------------------------- */

/* Rows first .. end - 1, and their products. */
struct list_piece {
    int64_t first, end, before, products;
};

/* Arrays for the products of a piece. */
struct piece_room {
    uint64_t *key[2];
    listed_product *product[2];
    int32_t *firsts;
};

/* Returns the piece that begins at row `first`: of at most so many products, or one row. */
static list_piece piece_from(int64_t first, const int32_t *of_row, int64_t rows, int64_t most)
{
    int64_t end = first + 1;
    while (end < rows && of_row[end + 1] - of_row[first] <= most) end++;
    return {first, end, of_row[first], of_row[end] - of_row[first]};
}

/* A block makes so many products. */
static __global__ void expand(list_job job, list_piece piece, uint64_t *key,
                              listed_product *product)
{
    __shared__ int64_t range[2];
    const int64_t tile = (int64_t)LISTS_EACH * blockDim.x, first = blockIdx.x * tile;
    const int64_t end = min(piece.products, first + tile);
    const int32_t *start = job.start;
    if (threadIdx.x < 2) {
        const int64_t begin = offset(job.A, piece.first), t = threadIdx.x == 0 ? first : end - 1;
        range[threadIdx.x] = begin + last_where(offset(job.A, piece.end) - begin, [&](int64_t e) {
                                 return start[begin + e] - piece.before <= t;
                             });
    }
    __syncthreads();
    for (int64_t t = first + threadIdx.x; t < end; t += blockDim.x) {
        const int64_t p = range[0] + last_where(range[1] - range[0] + 1, [&](int64_t e) {
                              return start[range[0] + e] - piece.before <= t;
                          });
        const int64_t q = offset(job.B, __ldg(job.A.col + p)) + t + piece.before - start[p];
        key[t] = (uint64_t)(job.row[p] - piece.first) << job.column_bits |
                 (uint64_t)__ldg(job.B.col + q);
        product[t] = {(int32_t)p, (int32_t)q};
    }
}

__device__ inline bool is_first(const uint64_t *key, int64_t t)
{
    return t == 0 || key[t - 1] != key[t];
}

static __global__ void mark_firsts(int64_t n, const uint64_t *key, int32_t *firsts)
{
    const int64_t t = global_thread();
    if (t < n) firsts[t] = is_first(key, t);
}

/* Puts the products into lists, which begin with the first one of each entry of C. */
static __global__ void write_lists(list_job job, list_piece piece, const uint64_t *key,
                                   const listed_product *product, const int32_t *firsts,
                                   spmv__product_lists lists)
{
    const int64_t t = global_thread();
    if (t >= piece.products) return;
    lists.product[piece.before + t] = product[t];
    if (!is_first(key, t)) return;
    const int64_t k = job.before[piece.first] + firsts[t];
    const int64_t i = piece.first + (int64_t)(key[t] >> job.column_bits);
    lists.start[k] = (int32_t)(piece.before + t);
    if (lists.twins) lists.place[k] = {(int32_t)i, (int32_t)(k - job.before[i])};
}

/* Lists the products of a piece. */
static spmv_status list_piece_of(const list_job *job, const list_piece &piece,
                                 const piece_room *room, const spmv__product_lists *lists,
                                 spmv__gpu *gpu, spmv_error *err)
{
    const char *what = "listing products";
    const int64_t n = piece.products;
    const int bits = job->column_bits + bits_of(piece.end - piece.first - 1);
    cub::DoubleBuffer<uint64_t> key(room->key[0], room->key[1]);
    cub::DoubleBuffer<listed_product> product(room->product[0], room->product[1]);
    arena scratch = {};
    spmv_status st = SPMV_SUCCESS;
    if (n == 0) return st;
    launch_kernel(expand, blocks_for(n, LISTS_EACH * LISTS_BLOCK), LISTS_BLOCK, 0, job->stream,
                  *job, piece, key.Current(), product.Current());
    SPMV__TRY(check_launch(what, err));
    SPMV__TRY(with_scratch(&scratch, what, err, [&](void *memory, size_t &bytes) {
        return cub::DeviceRadixSort::SortPairs(memory, bytes, key, product, (int)n, 0, bits,
                                               job->stream);
    }));
    launch_kernel(mark_firsts, blocks_for(n, LISTS_BLOCK), LISTS_BLOCK, 0, job->stream, n,
                  (const uint64_t *)key.Current(), room->firsts);
    SPMV__TRY(enqueue_exclusive_sum(room->firsts, n, gpu, &scratch, err));
    launch_kernel(write_lists, blocks_for(n, LISTS_BLOCK), LISTS_BLOCK, 0, job->stream, *job, piece,
                  (const uint64_t *)key.Current(), (const listed_product *)product.Current(),
                  (const int32_t *)room->firsts, *lists);
    st = check_launch(what, err);
done:
    arena_release(&scratch);
    return st;
}

/* Lists all products; of_row holds the first of each row. */
static spmv_status list_all(const list_job *job, const int32_t *of_row,
                            const spmv__product_lists *lists, spmv__gpu *gpu, spmv_error *err)
{
    const char *what = "products of a piece";
    const int64_t rows = job->A.rows;
    const int64_t most = max((int64_t)PIECE_LEAST, (int64_t)lists->products / PIECES);
    int64_t largest = 0;
    piece_room room = {};
    arena a = {};
    spmv_status st;
    for (list_piece piece = {}; piece.end < rows;) {
        piece = piece_from(piece.end, of_row, rows, most);
        largest = max(largest, piece.products);
    }
    arena_expect(&a, 5, (largest + 1) * (2 * sizeof(uint64_t) + 2 * sizeof(listed_product) + 4));
    for (int k = 0; k < 2; k++) {
        SPMV__TRY(arena_take(&a, &room.key[k], largest, what, err));
        SPMV__TRY(arena_take(&a, &room.product[k], largest, what, err));
    }
    SPMV__TRY(arena_take(&a, &room.firsts, largest + 1, what, err));
    for (list_piece piece = {}; piece.end < rows;) {
        piece = piece_from(piece.end, of_row, rows, most);
        SPMV__TRY(list_piece_of(job, piece, &room, lists, gpu, err));
    }
    st = spmv__gpu_upload(gpu, lists->start + lists->entries, &lists->products,
                          sizeof *lists->start, err);
done:
    arena_release(&a);
    return st;
}

/* ---- What is worth it ------------------------------------------------------------------------ */

/* Adds the products of rows that a thread or a warp sums to *light. */
static __global__ void count_light(int64_t rows, const uint32_t *products, const uint8_t *of_row,
                                   unsigned long long *light)
{
    const int64_t i = global_thread();
    unsigned long long own = 0;
    if (i < rows && of_row[i] < RANKED * CLASS_SIZES) own = products[i];
    own = sum_of_lanes(own);
    if (lane_id() == 0 && own > 0) atomicAdd(light, own);
}

/* Says whether most products are of rows that take a block or more. */
static spmv_status most_are_long(bool *out, const spmv__gpu_product *p, spmv__gpu *gpu, arena *a,
                                 spmv_error *err)
{
    const int64_t rows = p->A->shape.head.rows;
    unsigned long long *count, light;
    spmv_status st;
    SPMV__TRY(arena_take(a, &count, 1, "products of rows", err));
    SPMV__TRY(spmv__gpu_clear(gpu, count, sizeof *count, err));
    launch_kernel(count_light, blocks_for(rows, LISTS_BLOCK), LISTS_BLOCK, 0, spmv__gpu_stream(gpu),
                  rows, (const uint32_t *)p->products, (const uint8_t *)p->class_of_row, count);
    SPMV__TRY(check_launch("counting products", err));
    SPMV__TRY(spmv__gpu_download(gpu, &light, count, sizeof light, err));
    *out = light <= (unsigned long long)p->all_products / 2;
done:
    return st;
}

/* Says whether lists take no more memory than they may. */
static spmv_status fits(bool *out, const spmv__product_lists *lists, const spmv__gpu_product *p,
                        spmv_error *err)
{
    const int64_t bytes = lists->products * (int64_t)sizeof(listed_product) +
                          lists->entries * (int64_t)(sizeof(int32_t) + sizeof(listed_place));
    int64_t available = 0;
    const spmv_status st = spmv__gpu_left(&available, err);
    *out = lists->products <= MOST_EACH * p->nnz && bytes <= available / 2;
    return st;
}

/* ---- Lists ----------------------------------------------------------------------------------- */

/* Makes the lists that have been measured. */
static spmv_status make_lists(spmv__product_lists *lists, const list_job *job, spmv__gpu *gpu,
                              spmv_error *err)
{
    const char *what = "lists of products";
    const int64_t rows = job->A.rows, entries = lists->entries, products = lists->products;
    int32_t *of_row = NULL;
    spmv_status st;
    SPMV__TRY(spmv__alloc(&of_row, rows + 1, sizeof *of_row, what, err));
    SPMV__TRY(
        spmv__gpu_download(gpu, of_row, job->of_row, (rows + 1) * (int64_t)sizeof *of_row, err));
    SPMV__TRY(
        spmv__gpu_alloc((void **)&lists->start, (entries + 1) * sizeof *lists->start, what, err));
    SPMV__TRY(
        spmv__gpu_alloc((void **)&lists->product, products * sizeof *lists->product, what, err));
    if (lists->twins)
        SPMV__TRY(
            spmv__gpu_alloc((void **)&lists->place, entries * sizeof *lists->place, what, err));
    st = list_all(job, of_row, lists, gpu, err);
done:
    free(of_row);
    return st;
}

/* Makes *lists, if they are worth their memory and the time to make them: rows take blocks, twins
 * share lists, or all is so little that what takes time is to start kernels.  *out says so. */
static spmv_status list_products(bool *out, spmv__product_lists *lists, const spmv__gpu_product *p,
                                 spmv__gpu *gpu, arena *a, spmv_error *err)
{
    list_job job = {rows_of(p->A),
                    rows_of(p->B),
                    offsets_of(p),
                    p->A->shape.head.nnz,
                    NULL,
                    NULL,
                    NULL,
                    NULL,
                    NULL,
                    0,
                    spmv__gpu_stream(gpu)};
    bool wanted = p->all_products <= spmv__product_limits_now.few;
    spmv_status st = SPMV_SUCCESS;
    job.A.twin = p->twin_a;
    job.column_bits = bits_of(job.B.cols - 1);
    if (!wanted) SPMV__TRY(most_are_long(&wanted, p, gpu, a, err));
    if (!wanted && p->twin_a == NULL) goto done;
    SPMV__TRY(measure_all(&job, lists, p, gpu, a, err));
    if (!wanted && !lists->twins) goto done;
    SPMV__TRY(fits(out, lists, p, err));
    if (*out) st = make_lists(lists, &job, gpu, err);
done:
    return st;
}

spmv_status spmv__product_lists_create(spmv__product_lists **out, const spmv__gpu_product *p,
                                       spmv__gpu *gpu, spmv_error *err)
{
    const spmv_head *A = &p->A->shape.head, *B = &p->B->shape.head;
    spmv__product_lists *lists = NULL;
    bool worth = false;
    arena a = {};
    spmv_status st = SPMV_SUCCESS;
    *out = NULL;
    if (p->type == SPMV_PATTERN || p->nnz == 0 || p->all_products > MOST_LISTED ||
        A->nnz > MOST_LISTED || B->nnz > MOST_LISTED)
        return st;
    SPMV__TRY(spmv__alloc(&lists, 1, sizeof *lists, "lists of products", err));
    SPMV__TRY(list_products(&worth, lists, p, gpu, &a, err));
    if (!worth) goto done;
    *out = lists;
    lists = NULL;
done:
    spmv__product_lists_free(lists);
    arena_release(&a);
    return st;
}

void spmv__product_lists_free(spmv__product_lists *lists)
{
    if (lists == NULL) return;
    spmv__gpu_free(lists->start);
    spmv__gpu_free(lists->product);
    spmv__gpu_free(lists->place);
    free(lists);
}
