/* gpu_product.h -- the product of two sparse matrices on a GPU: what its files share.
 *
 * A row of C is made in one of six ways, chosen by its numbers: by merging the rows of B where
 * there are few (merge_rows.cu), by sorting the products where these are few (sort_rows.cu), in a
 * hash table of a warp (hash_rows.cu), by marking and ranking columns that are near each other or
 * in clusters (word_rows.cu), by a block that does so for any columns (rank_rows.cu), or by all
 * blocks that sort its products, where it is long (spread_rows.cu).  Entries
 * are counted first, and summed once C has been allocated.  All leave columns in ascending order,
 * and add up what falls on one column in the order of the entries of A, beginning with 0, as on the
 * CPU. */
#pragma once

#include "cuda/gpu/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Entries of rows of A, and products. */
typedef struct spmv__row_sizes {
    int64_t entries, products;
} spmv__row_sizes;

/* Rows by their classes: first[c] .. first[c + 1] - 1 of a list, see row_classes.cuh. */
enum { SPMV__ROW_CLASSES = 36 };
typedef struct spmv__class_lists {
    const int32_t *row;
    int32_t first[SPMV__ROW_CLASSES + 1];
    int64_t longest;        /* row that is summed outside shared memory */
    spmv__row_sizes spread; /* of all rows that blocks share */
} spmv__class_lists;

/* A product in the making.  Arrays are on the GPU, in memory that products of a context take over
 * from each other. */
typedef struct spmv__gpu_product {
    void **memory;                /* the context's, see spmv__gpu_product_memory_free */
    const spmv_gpu_matrix *A, *B; /* CSR */
    spmv_type type;               /* of C; SPMV_PATTERN: sums are not needed */
    uint32_t *products;           /* [rows] of each row of C, or UINT32_MAX */
    uint32_t *spans;              /* [rows] where its columns lie, see csr_rows.cuh */
    uint8_t *class_of_row;        /* [rows] see row_classes.cuh */
    int32_t *list;                /* [rows] rows by their classes */
    uint8_t *words;  /* [rows] of 32 columns, of a row that was counted so, or 0; NULL: none */
    int32_t *others; /* rows counted so that have too many, and are counted otherwise */
    int32_t *word_ptr, *word; /* [rows of B + 1], [words_of_b] and */
    uint32_t *word_bits;      /* [words_of_b] see row_words.cuh */
    int64_t words_of_b;       /* 0: B is not packed */
    int64_t widest;           /* span of a row that was looked at */
    uint8_t *twin_a, *twin_b; /* [rows] of A and B, whether the columns are those of the row before;
                                 NULL where it is of no interest */
    void *counts;             /* what kernels count, see row_classes.cuh */
    uint32_t *lent;           /* [rows + 1] room for row_counts, or NULL: in *memory */
    uint32_t *row_counts;     /* [rows + 1] entries of each row of C, until they are added up */
    void *row_ptr;            /* [rows + 1] of C then: row_counts where it is narrow, or int64_t */
    bool narrow;              /* as where no more products than SPMV__NARROW_MOST */
    int64_t nnz;              /* of C */
    int64_t loads;            /* of its longest row, see spmv_gpu_matrix */
    int64_t all_products;
    spmv__class_lists summed; /* all rows, as long as no others are listed */
} spmv__gpu_product;

/* Count the entries of all rows: everything but `memory`, `A`, `B`, `type` and `lent` is filled in.
 * Waits for the GPU two to four times.  Errors: OUT_OF_MEMORY, CUDA_MALLOC, KERNEL_LAUNCH. */
spmv_status spmv__gpu_product_count(spmv__gpu_product *p, spmv__gpu *gpu, spmv_error *err);

/* Rows begin .. end - 1 of a product made ready to be summed, as often as one likes. */
typedef struct spmv__gpu_sums spmv__gpu_sums;

/* List the rows by the ways that sum them, in p->list, and allocate what their sums need; *out is
 * NULL on failure.  It is of use until rows of p are listed again.  Waits for the GPU where rows
 * are not listed yet, or some are long.
 * Errors: OUT_OF_MEMORY, CUDA_MALLOC, KERNEL_LAUNCH. */
spmv_status spmv__gpu_sums_prepare(spmv__gpu_sums **out, spmv__gpu_product *p, int64_t begin,
                                   int64_t end, spmv__gpu *gpu, spmv_error *err);
void spmv__gpu_sums_free(spmv__gpu_sums *sums); /* NULL is fine */

/* Enqueue summing them from the values that A and B hold then: entry k of C goes to col_idx[k -
 * first] and val[k - first], where first is the number of entries before row `begin`.  Nothing is
 * allocated, copied or waited for.  Errors: KERNEL_LAUNCH. */
spmv_status spmv__gpu_sums_enqueue(const spmv__gpu_sums *sums, const spmv__gpu_product *p,
                                   int64_t first, int32_t *col_idx, void *val, spmv__gpu *gpu,
                                   spmv_error *err);

/* The products of each entry of C, for products that are repeated with other values. */
typedef struct spmv__product_lists spmv__product_lists;

/* List them, for a product whose rows are prepared to be summed, all of them.  *out is NULL on
 * failure, and where it would not pay or take too much memory: more than half of what is free, more
 * than 16 products for an entry in the mean, more than INT32_MAX in all.  Waits for the GPU.
 * Time: two to four products of long rows, ten of twins.  Memory: 8 bytes for a product (of up to
 * four twins, once), 4 for an entry of C (12 for one of twins); while lists are made, 3 more for a
 * product, but at least 40 MB, and 8 for an entry of A.
 * Errors: OUT_OF_MEMORY, CUDA_MALLOC, CUDA_MEMCPY, KERNEL_LAUNCH. */
spmv_status spmv__product_lists_create(spmv__product_lists **out, const spmv__gpu_product *p,
                                       spmv__gpu *gpu, spmv_error *err);
void spmv__product_lists_free(spmv__product_lists *lists); /* NULL is fine */

/* Enqueue summing all values of C from those that A and B hold then, with the bits of
 * spmv__gpu_sums_enqueue.  Nothing is allocated, copied or waited for.  Errors: KERNEL_LAUNCH. */
spmv_status spmv__product_lists_enqueue(const spmv__product_lists *lists,
                                        const spmv__gpu_product *p, void *val, spmv__gpu *gpu,
                                        spmv_error *err);

/* Prepare and enqueue in one. */
spmv_status spmv__gpu_product_sum(spmv__gpu_product *p, int64_t begin, int64_t end, int64_t first,
                                  int32_t *col_idx, void *val, spmv__gpu *gpu, spmv_error *err);

/* Copy the row offsets of C to the host, [rows + 1].  CUDA_MEMCPY. */
spmv_status spmv__gpu_product_download(const spmv__gpu_product *p, int64_t *row_ptr, spmv__gpu *gpu,
                                       spmv_error *err);

/* Enqueue writing the row offsets of C, of 32 bits when `narrow`.  Errors: KERNEL_LAUNCH. */
spmv_status spmv__gpu_product_offsets(const spmv__gpu_product *p, void *row_ptr, bool narrow,
                                      spmv__gpu *gpu, spmv_error *err);

/* Release what products have kept in *memory; NULL is fine. */
void spmv__gpu_product_memory_free(void *memory);

#ifdef __cplusplus
}
#endif
