/* halo.h -- the elements of x that a part needs of other ranks. */
#pragma once

#include "core/comm/transport.h"

/* x as a part reads it: elements of lower ranks, its own, elements of higher ranks, each in the
 * order of the whole vector.  So the columns of a row ascend as they did, and what another rank
 * sends arrives where it is read. */
typedef struct spmv__halo {
    int64_t cols;      /* elements of x */
    int64_t own, owns; /* where its own begin, and how many they are */
    int64_t gives;     /* elements that are packed for others */
    int32_t *give;     /* [gives] among its own, for one neighbour after the other */
    size_t size;       /* of an element */
    void *x, *packed;  /* [cols], [gives] */
    int64_t *place;    /* [ranks + 1] where elements of each rank lie in x */
    int64_t *asked;    /* [ranks] elements that each takes, in the order of `give`, or all */
    int64_t received, sent;
    int neighbours; /* that something comes from */
    int receivers;  /* that something goes to */
    spmv__exchange exchange;
} spmv__halo;

/* Returns how many of `owned` elements a rank takes of another one, of which it needs `needed`: all
 * from a share of 60 % on, as packing reads and writes each of them, and its number. */
static inline int64_t spmv__halo_takes(int64_t needed, int64_t owned)
{
    return (double)needed < 0.6 * (double)owned ? needed : owned;
}

/* Number the columns of a part anew: col_idx [n], each below `cols` before, and below halo->cols
 * after.  All ranks together; col_begin [size + 1] says whose the columns are, with elements of x
 * of `size` bytes.  Columns from col_begin[size] on are no rank's: their elements stay 0. Errors:
 * OUT_OF_MEMORY. */
spmv_status spmv__halo_create(spmv__halo *out, spmv_comm *comm, int32_t *col_idx, int64_t n,
                              int64_t cols, const int64_t *col_begin, size_t size, spmv_error *err);
void spmv__halo_destroy(spmv__halo *halo);

/* The messages of an exchange for an x and packed elements that lie elsewhere than halo->x and
 * halo->packed: receive and send [ranks] are filled as far as there are neighbours and receivers.
 */
void spmv__halo_messages(const spmv__halo *halo, const spmv_comm *comm, void *x, void *packed,
                         spmv__message *receive, spmv__message *send);

/* Where its own elements of x lie. */
static inline void *spmv__halo_own(const spmv__halo *halo)
{
    return (char *)halo->x + (size_t)halo->own * halo->size;
}

/* Between the two calls x holds its own elements only, which stay as they are. */
void spmv__halo_start(spmv__halo *halo);
static inline void spmv__halo_finish(spmv__halo *halo)
{
    spmv__exchange_finish(&halo->exchange);
}
