/* pieces_in_order.c -- pieces of rows made by all threads and taken in their order.
 *
 * Threads make pieces in slots that go round.  The thread that has made the next piece to be taken
 * takes it, and all that are ready after it; the others only leave theirs there.  A thread sleeps
 * where its slot still holds a piece of the round before. */
#include "core/spgemm/pieces_in_order.h"

#include <pthread.h>
#include <stdlib.h>

enum { SLOTS = 2 }; /* for each thread */

typedef struct ordered_job {
    spmv__piece_maker *make;
    void *user;
    const spmv_row_consumer *to;
    int64_t count;
    spmv__piece_slot *slot; /* [slots] of piece k is k % slots */
    int64_t slots;

    pthread_mutex_t lock; /* of what follows, and of `ready` */
    pthread_cond_t changed;
    int64_t next;  /* the first piece that no thread makes yet */
    int64_t taken; /* the first piece that is not taken yet */
    bool taking;   /* some thread is taking pieces */
    spmv_status status;
    spmv_error error;
} ordered_job;

static spmv__piece_slot *slot_of(const ordered_job *j, int64_t k)
{
    return &j->slot[k % j->slots];
}

/* Keep the first failure; the lock is held. */
static void note_status(ordered_job *j, spmv_status st, const spmv_error *err)
{
    if (st == SPMV_SUCCESS || j->status != SPMV_SUCCESS) return;
    j->status = st;
    j->error = *err;
}

/* Returns the next piece to make once its slot is free; -1 where there is none, or all are to
 * stop.  The lock is held. */
static int64_t next_piece(ordered_job *j)
{
    while (j->status == SPMV_SUCCESS && j->next < j->count && j->next >= j->taken + j->slots)
        pthread_cond_wait(&j->changed, &j->lock);
    return j->status == SPMV_SUCCESS && j->next < j->count ? j->next++ : -1;
}

/* Take what is ready, unless another thread does so already.  The lock is held, but not while a
 * piece is taken. */
static void take_pieces(ordered_job *j)
{
    if (j->taking) return;
    j->taking = true;
    while (j->status == SPMV_SUCCESS && j->taken < j->count && slot_of(j, j->taken)->ready) {
        spmv__piece_slot *slot = slot_of(j, j->taken);
        spmv_error err = {0};
        pthread_mutex_unlock(&j->lock);
        const spmv_status st = j->to->take(j->to->user, &slot->piece, &slot->memory, &err);
        pthread_mutex_lock(&j->lock);
        note_status(j, st, &err);
        slot->ready = false;
        j->taken++;
        pthread_cond_broadcast(&j->changed);
    }
    j->taking = false;
}

static spmv_status make_and_prepare(const ordered_job *j, int64_t k, spmv_error *err)
{
    spmv__piece_slot *slot = slot_of(j, k);
    slot->memory.size = 0;
    spmv_status st = j->make(j->user, k, spmv__thread(), slot, err);
    if (st == SPMV_SUCCESS && j->to->prepare != NULL)
        st = j->to->prepare(j->to->user, &slot->piece, &slot->memory, err);
    return st;
}

/* What one thread does. */
static void work(ordered_job *j)
{
    int64_t k;
    pthread_mutex_lock(&j->lock);
    while ((k = next_piece(j)) >= 0) {
        spmv_error err = {0};
        pthread_mutex_unlock(&j->lock);
        const spmv_status st = make_and_prepare(j, k, &err);
        pthread_mutex_lock(&j->lock);
        note_status(j, st, &err);
        slot_of(j, k)->ready = st == SPMV_SUCCESS;
        take_pieces(j);
        if (j->status != SPMV_SUCCESS) pthread_cond_broadcast(&j->changed);
    }
    pthread_mutex_unlock(&j->lock);
}

spmv_status spmv__pieces_in_order(spmv__piece_maker *make, void *job, int64_t count, int threads,
                                  const spmv_row_consumer *to, spmv_error *err)
{
    ordered_job j = {.make = make,
                     .user = job,
                     .to = to,
                     .count = count,
                     .slots = (int64_t)threads * SLOTS,
                     .lock = PTHREAD_MUTEX_INITIALIZER,
                     .changed = PTHREAD_COND_INITIALIZER};
    const spmv_status st = spmv__alloc(&j.slot, j.slots, sizeof *j.slot, "pieces of a matrix", err);
    if (st != SPMV_SUCCESS) return st;
    if (threads > 1) spmv__threads_start();
#pragma omp parallel num_threads(threads) if (threads > 1)
    work(&j);
    for (int64_t k = 0; k < j.slots; k++) {
        free(j.slot[k].col);
        free(j.slot[k].val);
        free(j.slot[k].memory.data);
    }
    free(j.slot);
    if (j.status != SPMV_SUCCESS && err != NULL) *err = j.error;
    return j.status;
}
