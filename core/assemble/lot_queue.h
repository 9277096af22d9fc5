/* lot_queue.h -- which lot a thread makes next. */
#pragma once

#include "core/assemble/assembly.h"

/* Lots of a bucket that was cut, next .. end - 1, which no thread has taken yet. */
typedef struct spmv__lot_range {
    int64_t next, end;
} spmv__lot_range;

typedef struct spmv__lot_queue {
    spmv__assembly *job;
    int64_t buckets, taken, made; /* all buckets; those begun; and those made, up to the first that
                                     is not */
    const int64_t *begin;         /* [buckets + 1] the place of the first entry of each */
    int64_t most;                 /* entries of a lot, but for single rows that have more */
    int64_t enough;               /* entries for all threads */
    int64_t *first;               /* [buckets] the place of the first lot of each */
    int64_t *left;                /* [buckets] lots of those begun that are not made yet */
    spmv__lot_range *cut;         /* [tail] of which those before head are used up */
    int64_t head, tail;
    int64_t counted; /* buckets that are being cut */
    /* Entries of the matrix whose pages are made, or being made: so many portions, and so many
     * entries more than were taken; 0: pages come as they are written to. */
    int64_t ready, portion, ahead;
} spmv__lot_queue;

/* Make job->lot, with room for all lots of up to `most` entries, 1 or more.
 *
 *   begin [buckets + 1]  the place of the first entry of each bucket
 *
 * The queue is to be closed in any case.  Errors: OUT_OF_MEMORY. */
spmv_status spmv__lot_queue_open(spmv__lot_queue *queue, spmv__assembly *job, const int64_t *begin,
                                 int64_t most, int threads, spmv_error *err);

/* The next lot for a thread that has made the lot before, NULL: none; NULL: there will be none. */
spmv__lot *spmv__lot_queue_next(spmv__lot_queue *queue, const spmv__lot *made);

/* Once all are made: job->lot has just these, in the order of their rows. */
void spmv__lot_queue_close(spmv__lot_queue *queue);
