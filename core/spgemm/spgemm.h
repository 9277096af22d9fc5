/* spgemm.h -- the product of two sparse matrices: what its files share.
 *
 * A row of C is the sum of rows of B, each multiplied by an entry of the row of A.  There are these
 * ways to add them up: in an array with a place for each column (dense_row.c), by merging the
 * columns of these rows (merge_row.c), or by comparing each column with each where there are few
 * (few_row.c).  All leave columns in ascending order, and add up what falls on one column in the
 * order of the entries of A, beginning with 0. */
#pragma once

#include "core/base/base.h"
#include "core/base/meter.h"
#include "core/matrix/value.h"

/* One product. */
typedef struct spmv__spgemm {
    spmv_csr A, B;
    spmv_type type; /* of C; SPMV_PATTERN: sums are not needed */
    int kind;       /* of its products, see product.h */
    const spmv_csr *mask;
    bool drop_zeros;
    int64_t top;
    bool plain; /* each row in the plainest way */
} spmv__spgemm;

/* A row of A, and the rows of B that it multiplies. */
typedef struct spmv__spgemm_row {
    int64_t begin, end;
    int64_t products;
    int64_t low, high; /* only columns low .. high - 1 may have entries */
} spmv__spgemm_row;

/* Entries of rows of C, one row after the other, each by ascending column. */
typedef struct spmv__product_row {
    int64_t n, room;
    int32_t *col;   /* [room] */
    double *sum;    /* [room * parts]; the parts of a complex number follow each other */
    uint64_t *size; /* [room] for selecting the largest */
} spmv__product_row;

/* What a thread works with.  All zero is empty. */
typedef struct spmv__spgemm_worker {
    spmv__product_row row; /* where rows are put */
    int64_t room;          /* products that can be merged */
    uint64_t *key, *spare; /* [room] */
    double *product;       /* [room * parts] */
    int64_t *place;        /* [places] where the columns of a row of B begin, or go on */
    int64_t places;
    double *sum;           /* [columns * parts] 0 between rows */
    uint8_t *marks, *used; /* not 0 where a column, a block of columns, has an entry */
    int64_t columns;
} spmv__spgemm_worker;

/* Whether not all entries of a product are kept. */
static inline bool spmv__selects(const spmv__spgemm *job)
{
    return job->mask != NULL || job->drop_zeros || job->top > 0;
}

/* Whether there is a mask that has nothing in row i of C. */
static inline bool spmv__mask_is_empty(const spmv__spgemm *job, int64_t i)
{
    return job->mask != NULL && job->mask->row_ptr[i] == job->mask->row_ptr[i + 1];
}

/* Whether the entries of A and B lie in the same places, as they have the same arrays; their values
 * may be others. */
static inline bool spmv__same_places(const spmv_csr *A, const spmv_csr *B)
{
    return A->row_ptr == B->row_ptr && A->col_idx == B->col_idx && A->rows == B->rows &&
           A->cols == B->cols;
}

/* ---- Rows ----------------------------------------------------------------------------------- */

/* Make a row of C, which is put after what is in w->row, or is in it alone; where the mask has
 * nothing in it, no products are made.
 * Errors: OUT_OF_MEMORY. */
spmv_status spmv__spgemm_add_row(spmv__spgemm_worker *w, const spmv__spgemm *job, int64_t i,
                                 spmv_error *err);
spmv_status spmv__spgemm_sum_row(spmv__spgemm_worker *w, const spmv__spgemm *job, int64_t i,
                                 spmv_error *err);
void spmv__spgemm_worker_close(spmv__spgemm_worker *w);

/* Make room for n entries after those that are there. */
spmv_status spmv__product_row_reserve(spmv__product_row *row, int64_t n, int parts,
                                      spmv_error *err);
void spmv__product_row_free(spmv__product_row *row);

/* Make room in w->place for n rows of B; what it held is lost. */
spmv_status spmv__spgemm_reserve_places(spmv__spgemm_worker *w, int64_t n, spmv_error *err);

/* The products of a row in their order: col [r->products], and product [r->products * parts] unless
 * C is a pattern. */
void spmv__spgemm_list_products(const spmv__spgemm *job, const spmv__spgemm_row *r, int32_t *col,
                                double *product);

enum { SPMV__FEW_PRODUCTS = 16 };

/* The way of a row of one entry of A, and that of up to SPMV__FEW_PRODUCTS.  w->row has room for an
 * entry more than there can be. */
void spmv__spgemm_scaled_row(spmv__spgemm_worker *w, const spmv__spgemm *job,
                             const spmv__spgemm_row *r);
void spmv__spgemm_few_row(spmv__spgemm_worker *w, const spmv__spgemm *job,
                          const spmv__spgemm_row *r);

/* The two ways of any row, and the plain one. */
spmv_status spmv__spgemm_dense_row(spmv__spgemm_worker *w, const spmv__spgemm *job,
                                   const spmv__spgemm_row *r, spmv_error *err);
spmv_status spmv__spgemm_merge_row(spmv__spgemm_worker *w, const spmv__spgemm *job,
                                   const spmv__spgemm_row *r, spmv_error *err);

spmv_status spmv__spgemm_plain_row(spmv__spgemm_worker *w, const spmv__spgemm *job, int64_t i,
                                   spmv_error *err);

/* val[at ..] = sums, rounded to the type. */
void spmv__put_sums(spmv_type type, void *val, int64_t at, const double *sum, int64_t n);

/* Keep of row i, whose entries are those from number `first` on, what the mask and the other wishes
 * let through. */
void spmv__spgemm_select(const spmv__spgemm *job, int64_t i, spmv__product_row *row, int64_t first);

/* ---- Memory --------------------------------------------------------------------------------- */

enum {
    SPMV__NEAR = 32, /* entries of A from which the first entries of rows of B are asked for, */
    SPMV__FAR = 64   /* and from which their places are */
};

/* Asks for what the entries of A need that come after entry p.  A row of B may lie anywhere. */
static inline void spmv__ask_ahead(const spmv__spgemm *job, int64_t p)
{
    const spmv_csr *A = &job->A, *B = &job->B;
    if (p + SPMV__FAR >= A->nnz) return;
    const int64_t q = B->row_ptr[A->col_idx[p + SPMV__NEAR]];
    __builtin_prefetch(B->row_ptr + A->col_idx[p + SPMV__FAR]);
    __builtin_prefetch(B->col_idx + q);
    if (B->val != NULL)
        __builtin_prefetch((const char *)B->val + (size_t)q * spmv_type_size(B->type));
}

/* Whether a row of A asks for what it needs itself, and not the row before. */
static inline bool spmv__is_long(const spmv__spgemm_row *r)
{
    return r->end - r->begin > SPMV__NEAR;
}

/* ---- Products ------------------------------------------------------------------------------- */

/* What was made for a product.  All zero is empty. */
typedef struct spmv__prepared_product {
    spmv__spgemm job;
    spmv_matrix A, B, mask; /* owned where they had to be converted */
    spmv_csr mask_rows;
    int64_t *before; /* [A.rows + 1] products */
    int threads;
    double counting; /* seconds that counting the products took */
} spmv__prepared_product;

/* Whether these shapes can be multiplied, and the mask (NULL: there is none) has that of C.
 * Errors: INVALID_DIMENSION, INVALID_ARGUMENT (a negative `top`). */
spmv_status spmv__product_check_shapes(const spmv_head *A, const spmv_head *B,
                                       const spmv_head *mask, const spmv_spgemm_options *o,
                                       spmv_error *err);

/* A and B as compressed rows; `before` is not made.  On failure *out holds nothing. */
spmv_status spmv__product_operands(spmv__prepared_product *out, const spmv_matrix *A,
                                   const spmv_matrix *B, const spmv_spgemm_options *o,
                                   spmv_error *err);

/* The same, and the products counted.  On failure *out holds nothing. */
spmv_status spmv__product_prepare(spmv__prepared_product *out, const spmv_matrix *A,
                                  const spmv_matrix *B, const spmv_spgemm_options *o,
                                  spmv_error *err);
void spmv__prepared_product_destroy(spmv__prepared_product *p);

/* The rows of a product, cut into pieces of about as many products and rows. */
typedef struct spmv__row_cut {
    const int64_t *before; /* [rows + 1] as in spmv__prepared_product, not owned */
    int64_t rows;
    int64_t weight; /* products and rows of a piece, at most but for its last row */
    int64_t count;  /* of the pieces */
} spmv__row_cut;

spmv__row_cut spmv__cut_rows(const spmv__prepared_product *p);

/* The first row of piece k; with k = count, the end of the last one. */
int64_t spmv__cut_begin(const spmv__row_cut *cut, int64_t k);

/* The entries of all rows, exactly: row_ptr [A.rows + 1] of C.  All rows are made, without their
 * values unless those decide.  Errors: OUT_OF_MEMORY. */
spmv_status spmv__spgemm_count_rows(int64_t *row_ptr, const spmv__prepared_product *p,
                                    spmv__meter *meter, spmv_error *err);

/* Bytes of C with nnz entries. */
int64_t spmv__product_bytes(const spmv__spgemm *job, double nnz);

spmv_status spmv__product_sample(spmv_spgemm_estimate *out, const spmv__prepared_product *p,
                                 spmv_error *err);

/* C in CSR, whose head is filled in but for nnz; `room`: entries that it probably has at most.  On
 * failure C holds what spmv_destroy releases. */
spmv_status spmv__spgemm_all_rows(spmv_csr *C, const spmv__prepared_product *p, int64_t room,
                                  spmv__meter *meter, spmv_error *err);
