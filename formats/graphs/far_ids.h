/* far_ids.h -- integers that are too large, or lie too far apart, to count all that could be nodes.
 *
 * Each thread numbers the ids that it meets, as they come, in a table of its own: nobody waits for
 * another.  In the end the ids of all threads are put in order, so that it makes no difference who
 * met which of them first. */
#pragma once

#include "core/base/base.h"

/* The ids that one thread met: a hash table; all 0 is an empty one. */
typedef struct spmv__far_ids {
    uint64_t *key;    /* [2^bits] an id + 1; 0: the slot is empty */
    uint32_t *number; /* [2^bits] of that id */
    int bits;         /* 0: there is no slot yet */
    int64_t n;        /* ids */
    uint64_t seed;    /* of the hash: no file can be made whose ids all meet */
    int32_t *rank;    /* [n] once they are in order: what a number becomes */
} spmv__far_ids;

enum { SPMV__FAR_BATCH = 256 };

/* number[i] = the number of id[i], below INT64_MAX, a new one where it was not met before; there
 * are at most SPMV__FAR_BATCH.  Errors: OUT_OF_MEMORY. */
spmv_status spmv__far_ids_number(spmv__far_ids *ids, const uint64_t *id, int n, uint32_t *number);

void spmv__far_ids_destroy(spmv__far_ids *ids);

/* The ids of all threads, in order. */
typedef struct spmv__far_order {
    int64_t *id;   /* [nodes] ascending, each once */
    int32_t *rank; /* of the numbers of all threads, one thread after the other */
    int64_t nodes;
} spmv__far_order;

/* Put the ids in `tables` tables, all from `least` to `most`, in order; the tables keep no more
 * than their ranks, which stay with *out.  Where there are more nodes than an int32_t counts, *out
 * says no more than that.  Errors: OUT_OF_MEMORY.  Scratch: 16 bytes for each id of each thread. */
spmv_status spmv__far_ids_order(spmv__far_ids *ids, int tables, uint64_t least, uint64_t most,
                                spmv__far_order *out, spmv_error *err);
