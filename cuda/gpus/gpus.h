/* gpus.h -- what several GPUs that multiply together have, each and all. */
#pragma once

#include "cuda/gpu/context.h"
#include "cuda/gpus/swap.h"

/* Rows of a part that are multiplied together. */
typedef struct spmv__strip {
    int64_t first, rows; /* of the part */
    spmv_operator *op;   /* owned; NULL: no rows */
} spmv__strip;

/* The strips of a part: the rows of the middle one read own elements of x only. */
enum { SPMV__BEFORE, SPMV__INNER, SPMV__BEHIND, SPMV__STRIPS };

/* One GPU and its part: rows, and x as they read it, elements of lower GPUs, its own, elements of
 * higher ones.  So the columns of a row ascend as they did. */
typedef struct spmv__partner {
    spmv_context *ctx;
    spmv_gpu_share share;
    int64_t owns;      /* elements of x that it has, */
    int64_t own, cols; /* where they lie in its x, and how many that has */
    void *open;        /* owned: x, and words, which others write */
    void *x, *y;       /* y is owned */
    uint32_t *words;   /* in open: [2][GPUs] what each other one has given, and taken */
    void *lists;       /* owned: what swap needs on the GPU */
    spmv__swap swap;
    spmv__strip strip[SPMV__STRIPS];
} spmv__partner;

struct spmv_gpus {
    int count;
    spmv__partner *partner;         /* [count] */
    int64_t *row_begin, *col_begin; /* [count + 1] whose rows and elements of x are whose */
    spmv_type type;                 /* of the vectors */
    bool swaps;                     /* anything is exchanged at all */
};

/* Cut A, and give each partner, which has its contexts, all else. */
spmv_status spmv__gpus_cut(spmv_gpus *gpus, const spmv_csr *A, spmv_partition by,
                           const spmv_kernel_config *config, spmv_error *err);

/* Make the GPU of a partner the current one. */
static inline spmv_status spmv__partner_select(const spmv__partner *m, spmv_error *err)
{
    return spmv__gpu_select(m->ctx->gpu, err);
}
