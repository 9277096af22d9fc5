/* sweep_test.h -- the parts of the sweep, which multiplies random matrices with every kernel of a
 * GPU and compares each result with exact sums on the CPU. */
#pragma once

#include "spmv.h"
#include "dice_test.h"

#include <stdio.h>

/* Says what a case is to be like, beside those that are small in every way.  Only the adversary
 * knows the others. */
typedef enum sweep_kind {
    SWEEP_ORDINARY,
    SWEEP_LONG_ROW, /* one of nearly all entries, whose pieces keep a warp busy */
    SWEEP_CROWDED,  /* more columns in a block than there is room for */
    SWEEP_WIDE,     /* too many columns for 16 bits */
    SWEEP_WIDE_ROWS /* and in them rows that several warps share */
} sweep_kind;

/* Says what the cases may be like. */
typedef struct sweep_size {
    sweep_kind kind;
    int64_t rows, cols, nnz; /* at most */
    int64_t limits[8];       /* where plans cut the columns, on this device; 0 ends the list */
} sweep_size;

/* A matrix of a type, in CSR, and what it is; release it with spmv_destroy.  sweep_adversary builds
 * what lies at the limits of kernels, sweep_generated asks a generator of the suite. */
typedef struct sweep_matrix {
    spmv_matrix A;
    const char *what;
} sweep_matrix;
sweep_matrix sweep_adversary(dice *d, const sweep_size *size, spmv_type type);
sweep_matrix sweep_generated(dice *d, const sweep_size *size, spmv_type type);

/* Puts random values in a pattern of entries: numbers of their type, or of single precision, or
 * ones. */
void sweep_fill(dice *d, spmv_matrix *A);

/* Says how a matrix is made ready for one kernel. */
typedef struct sweep_setting {
    const spmv_kernel *kernel;
    spmv_kernel_options
        options; /* may say nothing of the vectors, so that they are not planned for */
    spmv_convert_options build;
    spmv_type vector;
    bool transpose;
} sweep_setting;

/* One multiplication with it. */
typedef struct sweep_product {
    spmv_scalar alpha, beta;
    int64_t vectors;
    bool by_rows, on_gpu;
    int replays;      /* of a recording; 0: it is not recorded */
    int odd_elements; /* of x that are NaN or infinite */
    uint64_t seed;    /* of x and y */
} sweep_product;

enum { SWEEP_PRODUCTS = 5 }; /* with one setting */

sweep_setting sweep_draw_setting(dice *d, const spmv_kernel *kernel, spmv_type vector);
sweep_product sweep_draw_product(dice *d, const sweep_setting *s);

typedef enum sweep_outcome { SWEEP_RIGHT, SWEEP_WRONG, SWEEP_REFUSED } sweep_outcome;

/* Multiplies A, or its transpose, n times with one operator.  REFUSED: the format would be nearly
 * all padding, or memory is short.  `why` is filled in unless all is RIGHT; *products counts. */
sweep_outcome sweep_multiply(spmv_context *ctx, const spmv_matrix *A, const sweep_setting *s,
                             const sweep_product *p, int n, int64_t *products, char why[256]);

/* Takes rows, columns and entries away from A, in CSR, while it is still wrong. */
typedef bool sweep_is_wrong(void *user, const spmv_matrix *A);
void sweep_shrink(spmv_matrix *A, sweep_is_wrong *is_wrong, void *user);

/* Does something with A on the CPU and on the GPU that the dice say: ranks the nodes of a graph of
 * its pattern, or multiplies it by another sparse matrix. */
typedef sweep_outcome sweep_comparison(dice *d, spmv_context *ctx, const spmv_matrix *A,
                                       char why[256]);
sweep_comparison sweep_rank, sweep_pair;

/* A case, and where to begin with it again. */
typedef struct sweep_case {
    spmv_context *ctx;
    uint64_t seed;
    int64_t number, nnz; /* nnz: as it was asked for, or 0 */
    bool emulated;
    bool hurried; /* nothing is made smaller */
} sweep_case;

/* Says what is wrong, and makes m smaller as long as it is: with the products, or with the
 * comparison that begins with these dice. */
void sweep_show_product(const sweep_case *c, sweep_matrix *m, const sweep_setting *s,
                        const sweep_product *p, int n, const char *why);
void sweep_show_comparison(const sweep_case *c, sweep_matrix *m, const char *name,
                           sweep_comparison *compare, const dice *d, const char *why);
