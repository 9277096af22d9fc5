/* lot_queue.c -- what threads make of the buckets, in the order in which they take it: a bucket, or
 * a lot of one with many entries.
 *
 * The thread that takes such a bucket counts its rows and cuts it, and its lots come before further
 * buckets.  So threads work on neighbours, and the memory of what they have read goes back; none
 * begins a bucket as long as one far before it is not made.
 *
 * Neighbours share huge pages, for which all would wait while one of them is made: threads make
 * those of the matrix some way ahead, a portion each.  Reading a Matrix Market file of 541 MB takes
 * a seventh less time so with 16 threads. */
#include "core/assemble/lot_queue.h"
#include "core/base/pages.h"

#include <sched.h>
#include <stdlib.h>

enum { WINDOW = 24 }; /* of how many parts of all buckets one is worked on at a time */
enum { AHEAD = 8 };   /* of how many parts of all entries one has pages before its time, at most */

/* Cut a bucket whose rows are counted; returns the lots. */
static int64_t cut(const spmv__assembly *job, spmv__lot bucket, int64_t most, spmv__lot *lot)
{
    const int64_t *count = job->A.row_ptr + 1, end = bucket.row + bucket.rows;
    int64_t n = 0;
    for (int64_t row = bucket.row, place = bucket.begin; row < end; n++) {
        lot[n] = (spmv__lot){.bucket = bucket.bucket,
                             .row = row,
                             .rows = 1,
                             .begin = place,
                             .end = place + count[row],
                             .counted = true};
        while (++row < end && lot[n].end + count[row] - place <= most) {
            lot[n].end += count[row];
            lot[n].rows++;
        }
        place = lot[n].end;
    }
    return n;
}

/* The most lots that a bucket of n entries becomes: two neighbours have more than `most` together.
 */
static int64_t lots_of(int64_t n, int64_t most)
{
    return 1 + 2 * (n / most);
}

/* How many portions there are of pages ahead: half of the threads make one at a time. */
static void plan_pages(spmv__lot_queue *queue, int threads)
{
    const spmv_csr *A = &queue->job->A;
    const size_t value = spmv_type_size(A->type);
    const int64_t most = A->nnz / AHEAD;
    queue->portion =
        SPMV__HUGE_PAGE / (int64_t)(value > sizeof *A->col_idx ? value : sizeof *A->col_idx);
    queue->ahead = threads / 2 * queue->portion;
    if (queue->ahead > most) queue->ahead = most;
}

spmv_status spmv__lot_queue_open(spmv__lot_queue *queue, spmv__assembly *job, const int64_t *begin,
                                 int64_t most, int threads, spmv_error *err)
{
    const spmv__bucket_layout *how = &job->store->writer->how;
    const int64_t full = (int64_t)1 << how->shift;
    int64_t n = 0;
    spmv_status st;
    *queue = (spmv__lot_queue){.job = job,
                               .begin = begin,
                               .buckets = how->buckets,
                               .most = most,
                               .enough = most * threads};
    plan_pages(queue, threads);
    SPMV__TRY(spmv__alloc(&queue->first, how->buckets, sizeof *queue->first, "sorting", err));
    SPMV__TRY(spmv__alloc(&queue->left, how->buckets, sizeof *queue->left, "sorting", err));
    SPMV__TRY(spmv__alloc(&queue->cut, how->buckets, sizeof *queue->cut, "sorting", err));
    for (int64_t k = 0; k < how->buckets; k++) {
        queue->first[k] = n;
        n += lots_of(begin[k + 1] - begin[k], most);
    }
    SPMV__TRY(spmv__alloc(&job->lot, n, sizeof *job->lot, "sorting", err));
    job->lots = n;
    for (int64_t k = 0; k < how->buckets; k++) {
        const int64_t row = k << how->shift, rows = job->A.rows - row;
        job->lot[queue->first[k]] = (spmv__lot){.bucket = k,
                                                .row = row,
                                                .rows = rows < full ? rows : full,
                                                .begin = begin[k],
                                                .end = begin[k + 1]};
    }
done:
    return st;
}

typedef enum taken {
    NOTHING, /* others must finish first */
    LOT,
    BUCKET, /* to be cut */
    OVER
} taken;

/* Whether more than some buckets are worked on, with as many entries as keep all threads busy. */
static bool is_far_ahead(const spmv__lot_queue *queue)
{
    return queue->taken - queue->made > queue->buckets / WINDOW &&
           queue->begin[queue->taken] - queue->begin[queue->made] >= queue->enough;
}

static taken take(spmv__lot_queue *queue, spmv__lot **lot)
{
    const spmv__assembly *job = queue->job;
    spmv__lot_range *range = &queue->cut[queue->head];
    if (queue->head < queue->tail) {
        *lot = &job->lot[range->next++];
        queue->head += range->next == range->end;
        return LOT;
    }
    if (queue->taken == queue->buckets) return queue->counted > 0 ? NOTHING : OVER;
    if (is_far_ahead(queue)) return NOTHING;
    queue->left[queue->taken] = 1;
    *lot = &job->lot[queue->first[queue->taken++]];
    if ((*lot)->end - (*lot)->begin <= queue->most) return LOT;
    queue->counted++;
    return BUCKET;
}

static void note_made(spmv__lot_queue *queue, const spmv__lot *lot)
{
    queue->left[lot->bucket]--;
    while (queue->made < queue->taken && queue->left[queue->made] == 0) queue->made++;
}

/* Cut a bucket into lots for all threads. */
static void cut_bucket(spmv__lot_queue *queue, spmv__lot *first)
{
    spmv__assembly *job = queue->job;
    const int64_t place = first - job->lot;
    spmv__count_rows(job, first->bucket);
    const int64_t n = cut(job, *first, queue->most, first);
    spmv__bucket_store_share(job->store, first->bucket, n);
#pragma omp critical(spmv__lot_queue)
    {
        queue->cut[queue->tail++] = (spmv__lot_range){place, place + n};
        queue->left[first->bucket] = n;
        queue->counted--;
    }
}

/* Take a portion of the entries whose pages are to be made; returns the first, or -1: none. */
static int64_t take_pages(spmv__lot_queue *queue)
{
    const int64_t ready = queue->ready, wanted = queue->begin[queue->taken] + queue->ahead;
    if (queue->ahead == 0 || ready >= wanted || ready >= queue->job->A.nnz) return -1;
    queue->ready += queue->portion;
    return ready;
}

static void make_pages(const spmv__lot_queue *queue, int64_t first)
{
    const spmv_csr *A = &queue->job->A;
    const int64_t value = (int64_t)spmv_type_size(A->type), col = sizeof *A->col_idx;
    const int64_t end = A->nnz - first < queue->portion ? A->nnz : first + queue->portion;
    spmv__pages_make(A->col_idx, first * col, end * col);
    if (value > 0) spmv__pages_make(A->val, first * value, end * value);
}

spmv__lot *spmv__lot_queue_next(spmv__lot_queue *queue, const spmv__lot *made)
{
    spmv__lot *lot = NULL;
    int64_t pages;
    taken what;
    do {
#pragma omp critical(spmv__lot_queue)
        {
            if (made != NULL) note_made(queue, made);
            what = take(queue, &lot);
            pages = take_pages(queue);
        }
        made = NULL;
        if (pages >= 0) make_pages(queue, pages);
        if (what == BUCKET) cut_bucket(queue, lot);
        if (what == NOTHING) sched_yield();
    } while (what == BUCKET || what == NOTHING);
    return what == LOT ? lot : NULL;
}

void spmv__lot_queue_close(spmv__lot_queue *queue)
{
    spmv__assembly *job = queue->job;
    int64_t n = 0;
    for (int64_t i = 0; i < job->lots; i++)
        if (job->lot[i].rows > 0) job->lot[n++] = job->lot[i];
    job->lots = n;
    free(queue->first);
    free(queue->left);
    free(queue->cut);
}
