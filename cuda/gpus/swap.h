/* swap.h -- elements of x that GPUs give each other before each product.
 *
 * A GPU writes what another one needs straight into the memory where that one reads it, and then
 * the number of the product into a word there.  It does so only when the other one has written, in
 * a word of its own, that it is done with the product before.  Each word has one writer.
 *
 * Everything that a kernel waits for has been enqueued before it, in the order in which the host
 * enqueues: first all give, then all wait. */
#pragma once

#include "cuda/gpu/gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a GPU has to do with another one.  Numbers of products count from 1, modulo 2^32. */
typedef struct spmv__swap_peer {
    int64_t begin, gives; /* give[begin] and those behind it go there, */
    void *to;             /* to these places */
    uint32_t *tell_given; /* there: the product for which they are all there; NULL: none go */
    uint32_t *taken;      /* here: the last product for which the other one has read them */
    uint32_t *given;      /* here: the product for which what comes from there has come, */
    uint32_t *tell_taken; /* there: the last one for which it has been read; NULL: none comes */
} spmv__swap_peer;

/* What each kernel hands on to itself in the next product, as several may run at once. */
typedef struct spmv__swap_state {
    uint32_t given, awaited, done; /* products */
    uint32_t blocks;               /* that have given their part of this one */
    uint32_t late; /* 1: somebody did not come, and nothing is waited for any more */
} spmv__swap_state;

/* One GPU's side of the exchange; all pointers are on GPUs. */
typedef struct spmv__swap {
    const void *own; /* elements of x that this one has */
    int64_t size;    /* of an element: 4, 8 or 16 bytes */
    int64_t gives;
    int32_t *give; /* [gives] which of them go to others, for one after the other */
    int peers;
    spmv__swap_peer *peer; /* [peers] */
    spmv__swap_state *state;
} spmv__swap;

/* Enqueue, in this order for each product: to write into the memory of others, which begins while
 * the kernel ahead of it ends; to wait until they have written; and, when that has been read, to
 * tell them so.  Own elements have been there before the product began.  KERNEL_LAUNCH. */
spmv_status spmv__swap_give(spmv__gpu *gpu, const spmv__swap *swap, spmv_error *err);
spmv_status spmv__swap_wait(spmv__gpu *gpu, const spmv__swap *swap, spmv_error *err);
spmv_status spmv__swap_done(spmv__gpu *gpu, const spmv__swap *swap, spmv_error *err);

#ifdef __cplusplus
}
#endif
