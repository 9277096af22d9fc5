/* partners.h -- what several GPUs that multiply together have, each and all. */
#pragma once

#include "core/parts/halo.h"
#include "cuda/comm/relay.h"
#include "cuda/gpu/context.h"
#include "cuda/gpus/swap.h"

/* Rows of a part that are multiplied together. */
typedef struct spmv__strip {
    int64_t first, rows; /* of the part */
    spmv_operator *op;   /* owned; NULL: no rows */
} spmv__strip;

/* The strips of a part: the rows of the middle one read own elements of x only. */
enum { SPMV__BEFORE, SPMV__INNER, SPMV__BEHIND, SPMV__STRIPS };

/* What a partner gives by the memory of the process (carry.h). */
typedef struct spmv__carried {
    spmv__swap_peer *peer; /* owned: [peers] as in its swap, but here; NULL: nothing is carried */
    void *packed;          /* owned, on the GPU: the elements that go to others, and ... */
    char *host;            /* ... owned: the same here */
} spmv__carried;

/* One GPU and its part: rows, and x as they read it, elements of lower GPUs, its own, elements of
 * higher ones.  So the columns of a row ascend as they did. */
typedef struct spmv__partner {
    spmv_context *ctx;
    spmv_gpu_share share;
    int64_t owns;      /* elements of x that it has, */
    int64_t own, cols; /* where they lie in its x, and how many that has */
    void *open;        /* owned: x, and words, which others write */
    void *x, *y;       /* y is owned */
    uint32_t *words;   /* in open: [2][peers] what each other one has given, and taken */
    void *lists;       /* owned: what swap needs on the GPU */
    spmv__swap swap;
    spmv__carried carried;
    spmv__strip strip[SPMV__STRIPS];
} spmv__partner;

struct spmv_gpus {
    int count;                      /* of this process */
    int peers;                      /* of all processes */
    spmv__partner *partner;         /* [count] */
    int64_t *row_begin, *col_begin; /* [count + 1] whose rows and elements of x are whose */
    spmv_type type;                 /* of the vectors */
    bool swaps;                     /* anything is exchanged with swap.h, or, ... */
    bool apart; /* ... as some do not reach the memory of others, with carry.h */
    /* Of several processes, each of which has one partner: */
    spmv_comm *comm;    /* NULL: there are no others */
    spmv__halo halo;    /* who needs what */
    void **there;       /* [peers] open memory of all; NULL: not reached, and then ... */
    spmv__relay *relay; /* ... all goes another way */
};

/* Check matrix and kernel, and make room for so many partners.  Errors: those of spmv_gpus_create.
 */
spmv_status spmv__gpus_begin(spmv_gpus **out, int count, int peers, const spmv_csr *A,
                             const spmv_kernel_options *options, spmv_error *err);

/* Open the GPU of a partner.  NO_DEVICE. */
spmv_status spmv__partner_open(spmv__partner *m, int device, spmv_error *err);

/* Cut A, and give each partner, which has its contexts, all else. */
spmv_status spmv__gpus_cut(spmv_gpus *gpus, const spmv_csr *A, spmv_partition by,
                           const spmv_kernel_options *options, spmv_error *err);

/* ---- A partner (partner.c), whose GPU is open ------------------------------------------------ */

/* Bytes of its x, with what is behind that in open memory: the words begin there. */
int64_t spmv__partner_x_bytes(const spmv_gpus *gpus, const spmv__partner *m);

/* Allocate x, words and y, when m->cols and m->share are known. */
spmv_status spmv__partner_open_memory(const spmv_gpus *gpus, spmv__partner *m, spmv_error *err);

/* Put what swap needs on its GPU: peer [gpus->peers] or NULL, and give [gives] of its elements. */
spmv_status spmv__partner_set_lists(const spmv_gpus *gpus, spmv__partner *m,
                                    const spmv__swap_peer *peer, const int32_t *give, int64_t gives,
                                    spmv_error *err);

/* Cut its rows into strips, and make their operators.
 *
 *   row_ptr  [rows + 1] may begin with another number than 0
 *   col_idx  [entries of the rows] as x of the partner has them
 *   val      the same, or NULL */
typedef struct spmv__partner_rows {
    spmv_type type;
    const int64_t *row_ptr;
    const int32_t *col_idx;
    const void *val;
} spmv__partner_rows;
spmv_status spmv__partner_set_rows(spmv__partner *m, const spmv__partner_rows *rows,
                                   const spmv_kernel_options *options, spmv_error *err);

/* Make the GPU of a partner the current one. */
static inline spmv_status spmv__partner_select(const spmv__partner *m, spmv_error *err)
{
    return spmv__gpu_select(m->ctx->gpu, err);
}
