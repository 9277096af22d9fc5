/* planned_product.h -- many products of one pattern on the CPU: what their files share.
 *
 * Where C has entries is known, so that a row of C is made without marking or sorting columns: its
 * products are added to the places of a table where they are few (placed_row.c), and else in an
 * array with a place for each column, twin rows of A together (planned_row.c). */
#pragma once

#include "core/spgemm/spgemm.h"

/* ---- Operands ------------------------------------------------------------------------------- */

/* A matrix of the plan as compressed rows.  All zero is empty. */
typedef struct spmv__plan_operand {
    spmv_matrix like;  /* the matrix without its arrays, for others to be compared with */
    spmv_matrix rows;  /* CSR: the matrix or its transpose */
    int64_t *order;    /* [nnz] value p of rows is value order[p] of the matrix, and rows is owned;
                          NULL: the arrays of rows are those of the matrix */
    const void *given; /* [nnz] borrowed: the values of the matrix that was taken last */
} spmv__plan_operand;

/* Errors: INVALID_FORMAT (neither CSR nor CSC), OUT_OF_MEMORY.  On failure *out holds nothing. */
spmv_status spmv__plan_operand_open(spmv__plan_operand *out, const spmv_matrix *A, bool transpose,
                                    const char *name, spmv_error *err);
void spmv__plan_operand_close(spmv__plan_operand *operand);

/* Check that a matrix has the shape, entries, type and format of another.  INVALID_DIMENSION,
 * INVALID_ARGUMENT. */
spmv_status spmv__plan_matrix_check(const spmv_matrix *like, const spmv_matrix *A, const char *name,
                                    spmv_error *err);

/* Take the values of a matrix that was checked; NULL: those taken last, as they are by now. */
void spmv__plan_operand_set(spmv__plan_operand *operand, const spmv_matrix *A, int threads);

/* ---- Products ------------------------------------------------------------------------------- */

enum {
    SPMV__PLACES = 255,  /* entries of a row with a table of places, at most */
    SPMV__PLAN_LANES = 4 /* twins that are summed together, at most */
};

/* The first row of a piece, and the first of its places in the table. */
typedef struct spmv__plan_piece {
    int64_t row, place;
} spmv__plan_piece;

/* What a thread works with. */
typedef struct spmv__plan_worker {
    spmv__spgemm_worker rows; /* for rows that are made as if nothing were known */
    double *sum;              /* [sums of the product] */
} spmv__plan_worker;

/* All zero is empty. */
typedef struct spmv__planned_product {
    spmv__prepared_product p; /* whose operands are views of those of the plan */
    spmv_csr C;               /* a pattern: where the product has entries */
    /* [rows] of A and of B, whether the columns of a row are those of the row before; one array
     * where B is A */
    bool *twin_a, *twin_b;
    spmv__plan_piece *piece; /* [pieces + 1] */
    int64_t pieces;
    uint8_t *place; /* of the products of some rows, one after the other, in their row of C */
    int64_t sums;   /* of a worker */
    spmv__plan_worker *worker; /* [p.threads] */
} spmv__planned_product;

/* Plan for A and B in CSR; *out stays where it is.  Errors: those of spmv_spgemm.  On failure *out
 * holds nothing. */
spmv_status spmv__planned_product_open(spmv__planned_product *out, const spmv_matrix *A,
                                       const spmv_matrix *B, const spmv_spgemm_options *o,
                                       spmv_error *err);
void spmv__planned_product_close(spmv__planned_product *product);

/* val = the values of C from those of A and B, which are in the places of those that were planned
 * for.  Errors: OUT_OF_MEMORY. */
spmv_status spmv__planned_product_sum(spmv__planned_product *product, const void *a, const void *b,
                                      void *val, spmv_error *err);

/* ---- Rows ----------------------------------------------------------------------------------- */

/* How rows are made that begin at some row. */
typedef enum spmv__planned_way {
    SPMV__NO_ENTRIES, /* C has none there */
    SPMV__BY_PLACES,
    SPMV__BY_COLUMNS,
    SPMV__UNPLANNED, /* as spmv_spgemm makes them */
} spmv__planned_way;

typedef struct spmv__planned_rows {
    spmv__planned_way way;
    int64_t begin, count; /* twins, unless it is 1 */
    int64_t low;          /* by columns: that of the first sum */
    int64_t sums;         /* by columns: how many there are */
} spmv__planned_rows;

/* Set the places of the products of a row, and sum with them. */
void spmv__find_places(const spmv__planned_product *product, int64_t i, uint8_t *place);
void spmv__sum_placed_row(const spmv__spgemm *job, const spmv_csr *C, int64_t i,
                          const uint8_t *place, void *val);

/* twin [B.rows]: whether the columns of a row of B are those of the row before. */
void spmv__sum_planned_rows(const spmv__spgemm *job, const bool *twin, const spmv_csr *C,
                            const spmv__planned_rows *rows, double *sum, void *val);
