/* ways.cuh -- the ways to make rows of C: functions that count the entries of listed rows into
 * counts[row], and functions that sum them. */
#pragma once

#include "cuda/spgemm/csr_rows.cuh"

namespace spmv
{

/* What a GPU lets a block have. */
struct block_limits {
    int64_t block;  /* threads */
    int64_t shared; /* bytes of dynamic shared memory */
    int64_t window; /* columns that it marks at a time */
};

/* Returns the warps of a block, `most` of them at most, of which each has so many bytes. */
inline int warps_that_fit(const block_limits &limits, int most, int64_t bytes)
{
    const int64_t warps = min(limits.block / WARP, limits.shared / bytes);
    return (int)max((int64_t)1, min((int64_t)most, warps));
}

struct product_job {
    csr_rows A, B;
    csr_rows words; /* of B, see row_words.cuh, where B is packed */
    bool packed;
    int64_t above_most;       /* see word_rows.cu, that a row which is counted by words may have */
    const uint32_t *products; /* see spmv__gpu_product */
    row_spans spans;
    block_limits limits;
    cudaStream_t stream;
};

/* Enqueues kernel(A, args...) with a warp for each row of the list, at most `most` in a block, each
 * with so many bytes of shared memory. */
template <class... P, class... Args>
spmv_status launch_row_warps(const product_job *job, const row_list &list, int most, int64_t bytes,
                             const char *what, spmv_error *err, void (*kernel)(P...), Args... args)
{
    const int warps = warps_that_fit(job->limits, most, bytes);
    const spmv_status st = allow_shared(kernel, (int)(warps * bytes), what, err);
    if (st != SPMV_SUCCESS) return st;
    launch_kernel(kernel, blocks_for(list.n, warps), warps * WARP, warps * bytes, job->stream,
                  job->A, args...);
    return check_launch(what, err);
}

constexpr int CLASS_SIZES = 6; /* of each way, at most */

/* Bytes of a word: bits for 64 columns, and when sums are ranked the number of those before. */
constexpr int COUNTED_WORD = sizeof(uint64_t), RANKED_WORD = sizeof(uint64_t) + sizeof(uint32_t);
constexpr int WORD_COLUMNS = 64;

__host__ __device__ inline int64_t words_of(int64_t columns)
{
    return (columns + WORD_COLUMNS - 1) / WORD_COLUMNS;
}

/* ---- Merging: a thread for a row ------------------------------------------------------------- */

constexpr int MERGE_ROWS = 8;     /* of B, at most, to count them, */
constexpr int MERGE_SUM_ROWS = 6; /* and to sum them: a warp sorts others sooner */
constexpr int MERGE_BLOCK = 128;

/* All short rows are of one class, so that rows of C that are neighbours are written together. */
spmv_status merge_count(const product_job *job, row_list list, uint32_t *counts, spmv_error *err);
spmv_status merge_sum(const product_job *job, row_list list, product_rows C, spmv_error *err);

/* ---- Sorting: a warp for a row --------------------------------------------------------------- */

enum { SORT_SIZES = 5 }; /* 1, 2, 4, 8 and 16 products of a row for each lane */

/* Returns how many products for each lane there may be on this GPU. */
int sort_lane_products(spmv_type C, const block_limits *limits);

/* Says whether a row with so many products in so wide a span can be sorted, `lane` for each lane.
 */
__device__ inline bool sorts(int64_t products, int64_t columns, int lane)
{
    return products <= lane * WARP && columns * lane * WARP <= UINT32_MAX;
}

spmv_status sort_sum(const product_job *job, int lane_products, row_list list, product_rows C,
                     spmv_error *err);

/* ---- Hashing: a warp for a row --------------------------------------------------------------- */

/* Words of shared memory that a warp counts with: a bit for each column, or a table of columns. */
enum { COUNT_SIZES = 3 };
constexpr int count_words(int size)
{
    return 512 << size;
}
constexpr int HASH_LANE_MOST = 16; /* entries of a row for each lane, at most */

/* Says whether a row with so many products in so wide a span can be counted with so many words. */
__device__ inline bool hash_counts(int64_t products, int64_t span, int64_t words)
{
    return span < 32 * words || 3 * products <= 2 * words;
}

/* Returns how many entries for each lane there may be on this GPU: 0, 1, 2, 4, or 16. */
int hash_lane_entries(spmv_type C, const block_limits *limits);

/* Returns the shared memory of a warp that counts with so many words. */
int64_t hash_count_bytes(int words);

spmv_status hash_count(const product_job *job, int words, row_list list, uint32_t *counts,
                       spmv_error *err);
spmv_status hash_sum(const product_job *job, int lane_entries, row_list list, product_rows C,
                     spmv_error *err);

/* ---- Ranking in words: a warp for a row ------------------------------------------------------ */

constexpr int WORDS_MOST = UINT8_MAX; /* of 32 columns, that a row has */
constexpr int ABOVE_COLUMNS = 32 * 32, ABOVE_BYTES = 8, WORD_BYTES = 12;

/* Returns the bytes of the words of a row, so wide. */
__host__ __device__ inline int64_t bytes_of_words(int64_t columns, int64_t words)
{
    return (columns / ABOVE_COLUMNS + 2) * ABOVE_BYTES + words * WORD_BYTES;
}

/* Bytes that a warp has for words and sums. */
enum { WORD_SIZES = 4 };
int64_t word_bytes(int size);
bool words_fit(int size, spmv_type C, const block_limits *limits); /* on this GPU */

/* Returns how many words above a row that is counted by words may have on this GPU, at most; 0:
 * none is. */
int64_t most_above(const block_limits *limits);

/* Counts those rows that have few words, which go to words[row]; the others are put into `others`,
 * and their number is added to *left. */
spmv_status word_count(const product_job *job, row_list list, uint32_t *counts, uint8_t *words,
                       int32_t *others, int32_t *left, spmv_error *err);
spmv_status word_sum(const product_job *job, int size, row_list list, product_rows C,
                     spmv_error *err);

/* ---- Spreading: all blocks for a row --------------------------------------------------------- */

/* What listed rows take. */
struct spread_rows;

/* Make it for counting entries (C a pattern) or for summing them, of rows with so many entries and
 * products in all, group by group in so many bytes or what the longest row takes; *out is NULL on
 * failure, or without rows.  Waits for the GPU where there are several groups.
 * Errors: OUT_OF_MEMORY, CUDA_MALLOC, KERNEL_LAUNCH. */
spmv_status spread_prepare(spread_rows **out, const product_job *job, spmv_type C, row_list list,
                           spmv__row_sizes all, int64_t bytes, spmv__gpu *gpu, spmv_error *err);
void spread_free(spread_rows *rows); /* NULL is fine */

/* Add the entries of each row to counts[row]. */
spmv_status spread_count(const spread_rows *rows, const product_job *job, uint32_t *counts,
                         spmv_error *err);
spmv_status spread_sum(const spread_rows *rows, const product_job *job, product_rows C,
                       spmv_error *err);

/* ---- Ranking: a block for a row -------------------------------------------------------------- */

/* Returns how many columns a block handles at a time, in a row of n entries in `columns` columns:
 * all of them where their words and sums of `sum` bytes fit into so many bytes. */
__device__ inline int64_t window_width(int64_t columns, int64_t n, int64_t bytes, int word,
                                       int64_t sum)
{
    if (words_of(columns) * word + n * sum <= bytes) return columns;
    const int64_t crowded = bytes / (word + WORD_COLUMNS * sum); /* if all columns are taken */
    return max((int64_t)1, max(crowded, (bytes - n * sum) / word)) * WORD_COLUMNS;
}

struct rank_shape {
    int rows;       /* of C, at most */
    int block;      /* threads */
    int64_t bytes;  /* of shared memory */
    int64_t window; /* columns at a time, at most */
    /* Sums lie in global memory: `longest` of them for each of the `blocks` that there are then. */
    bool outside;
    void *sums;
    int64_t longest;
    int blocks;
};
constexpr int TWINS = 8; /* rows of C that a block sums together */

/* Returns the shape of a class: */
enum { RANK_SMALL, RANK_MIDDLE, RANK_LARGE, RANK_TWINS, RANK_OUTSIDE, RANK_SIZES };
rank_shape rank_shape_of(int size, const block_limits *limits);

/* Allocates sums outside shared memory for rows of up to `longest` entries, in so many bytes or a
 * little more; free them with spmv__gpu_free.  CUDA_MALLOC. */
spmv_status rank_sums_outside(rank_shape *shape, spmv_type C, int64_t rows, int64_t longest,
                              int64_t bytes, spmv_error *err);

/* Returns the bytes that are left for bits and sums of a product of this type. */
int64_t rank_room_bytes(spmv_type C, rank_shape shape, bool searched);

/* Says whether each warp of a block searches the rows of B, which are long enough. */
PLAN_LIMIT(SEARCHED_PRODUCTS, 4); /* for each search */
__device__ inline bool is_searched(int64_t products, int64_t entries, int threads)
{
    return products >= SEARCHED_PRODUCTS * entries * (threads / WARP);
}

spmv_status rank_count(const product_job *job, rank_shape shape, row_list list, uint32_t *counts,
                       spmv_error *err);
spmv_status rank_sum(const product_job *job, rank_shape shape, row_list list, product_rows C,
                     spmv_error *err);

} // namespace spmv
