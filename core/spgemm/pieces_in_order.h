/* pieces_in_order.h -- pieces of rows made by all threads and taken in their order. */
#pragma once

#include "core/base/base.h"

/* Where a piece lies from when it is made until it is taken. */
typedef struct spmv__piece_slot {
    spmv_row_piece piece;
    int32_t *col; /* [room] owned, for a piece whose rows are made here */
    void *val;    /* [room] likewise */
    int64_t room;
    spmv_piece_memory memory;
    bool ready; /* to be taken */
} spmv__piece_slot;

/* Make piece number k; several threads do so at a time, of which each has a number. */
typedef spmv_status spmv__piece_maker(void *job, int64_t k, int thread, spmv__piece_slot *slot,
                                      spmv_error *err);

/* Make, prepare and take pieces 0 .. count - 1.  While one thread takes a piece the others make
 * the next ones, of which no more than two for each thread wait.  The first failure ends all.
 * Errors: OUT_OF_MEMORY, those of `make` and of the consumer. */
spmv_status spmv__pieces_in_order(spmv__piece_maker *make, void *job, int64_t count, int threads,
                                  const spmv_row_consumer *to, spmv_error *err);
