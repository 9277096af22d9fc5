/* assemble.c -- from buckets of entries to CSR. */
#include "core/matrix/format.h"
#include "core/assemble/lot_queue.h"

#include <stdlib.h>

int spmv__bucket_shift(int64_t rows, int64_t buckets)
{
    int shift = 0;
    while (shift < SPMV__BUCKET_BITS && (rows - 1) >> shift >= buckets) shift++;
    return shift;
}

enum { SORT_AT_ONCE = 1 << 12 }; /* entries that a thread should at least have at hand */

/* Work out where each bucket begins in the matrix, and make room for all of them; *largest is the
 * most entries of one. */
static spmv_status make_room(spmv__assembly *job, int64_t **begin, int64_t *largest,
                             spmv_error *err)
{
    const int64_t buckets = job->store->writer->how.buckets;
    spmv_status st;
    SPMV__TRY(spmv__alloc(begin, buckets + 1, sizeof **begin, "buckets", err));
    *largest = 1;
    for (int64_t k = 0; k < buckets; k++) {
        const int64_t n = (*begin)[k + 1] = spmv__bucket_store_count(job->store, k);
        if (n > *largest) *largest = n;
    }
    spmv__counts_to_offsets(*begin, buckets);
    SPMV__TRY(
        spmv_csr_create(&job->A, job->A.type, job->A.rows, job->A.cols, (*begin)[buckets], err));
    spmv__meter_begin(&job->meter, "sorting", job->A.nnz, sizeof *job->A.col_idx, job->A.type);
done:
    return st;
}

/* Find out where the first entry of a lot that is given again stands, unless a lot before has one.
 */
static void find_again(spmv__assembly *job, const spmv__lot *lot)
{
    const int64_t row = lot->settled.row - (lot->bucket << job->store->writer->how.shift);
    const spmv__indices sought = {(int32_t)lot->settled.col, (uint16_t)row};
    int nth = 2;
    const int64_t stretch = spmv__bucket_store_find(job->store, lot->bucket, sought, &nth);
#pragma omp critical(spmv__first_again)
    if (lot->begin < job->again) {
#pragma omp atomic write
        job->again = lot->begin;
        job->row = lot->settled.row;
        job->col = lot->settled.col;
        job->stretch = stretch;
        job->nth = nth;
    }
}

/* Sort and settle a lot. */
static void finish_lot(spmv__assembly *job, spmv__lot *lot, const spmv__lot_scratch *scratch)
{
    const bool drop = job->drop_zeros && job->A.type != SPMV_PATTERN;
    const int64_t n = lot->end - lot->begin;
    int64_t again;
#pragma omp atomic read
    again = job->again;
    const bool equals = spmv__lot_sort(job, lot, scratch);
    lot->settled = equals || drop ? spmv__lot_settle(job, lot) : (spmv__settled){.kept = n};
    if (lot->settled.merged > 0 && lot->begin < again) find_again(job, lot);
    spmv__bucket_store_drop(job->store, lot->bucket);
    spmv__meter_advance(&job->meter, n);
}

static void finish_lots(spmv__lot_queue *queue, const spmv__lot_scratch *scratch, int threads)
{
#pragma omp parallel num_threads(threads)
    for (spmv__lot *lot = NULL; (lot = spmv__lot_queue_next(queue, lot)) != NULL;)
        finish_lot(queue->job, lot, &scratch[spmv__thread()]);
}

/* Bring all buckets into the matrix.  Each thread has memory at hand for a row of `usual` entries.
 */
static spmv_status finish_buckets(spmv__assembly *job, const int64_t *begin, int64_t most,
                                  int64_t usual, int threads, spmv_error *err)
{
    const int64_t size = usual * (spmv__assembly_parts(job) + 1);
    spmv__long_rows longer = {.err = err};
    spmv__lot_scratch *scratch = NULL;
    spmv__lot_queue queue = {.job = job};
    double *entry = NULL;
    spmv_status st;
    SPMV__TRY(spmv__lot_queue_open(&queue, job, begin, most, threads, err));
    SPMV__TRY(spmv__alloc(&scratch, threads, sizeof *scratch, "sorting", err));
    SPMV__TRY(spmv__alloc(&entry, 2 * size * threads, sizeof *entry, "sorting", err));
    for (int t = 0; t < threads; t++) {
        double *own = entry + 2 * size * t;
        scratch[t] = (spmv__lot_scratch){own, own + size, usual, &longer};
    }
    finish_lots(&queue, scratch, threads);
    st = longer.status;
done:
    spmv__lot_queue_close(&queue);
    free(longer.entry);
    free(entry);
    free(scratch);
    return st;
}

/* Find out what was merged, and close the gaps that it left. */
static spmv_status settle(spmv__assembly *job, int threads, spmv_error *err)
{
    int64_t kept = 0;
    job->merged = 0;
    for (int64_t i = 0; i < job->lots; i++) {
        job->merged += job->lot[i].settled.merged;
        kept += job->lot[i].settled.kept;
    }
    return kept < job->A.nnz ? spmv__close_gaps(job, threads, err) : SPMV_SUCCESS;
}

spmv_status spmv__assemble(spmv__assembly *job, int threads, spmv_error *err)
{
    /* What the threads have at hand is an entry for every 32 of the matrix. */
    int64_t *begin = NULL, at_hand, usual, most, largest;
    spmv_status st;

    job->lot = NULL;
    job->lots = 0;
    job->scattered = false;
    job->again = INT64_MAX;
    threads = spmv__threads_at_once(threads);
    SPMV__TRY(make_room(job, &begin, &largest, err));
    at_hand = job->A.nnz / 32;
    usual = at_hand / threads;
    if (usual < SORT_AT_ONCE) {
        usual = SORT_AT_ONCE;
        threads = at_hand < SORT_AT_ONCE ? 1 : (int)(at_hand / SORT_AT_ONCE);
    }
    /* A lot needs what is at hand only for long rows, or for keys, which take a quarter of it
     * (sort_keys.c). */
    most = 4 * usual;
    if (usual > largest) usual = largest;
    SPMV__TRY(finish_buckets(job, begin, most, usual, threads, err));
    SPMV__TRY(settle(job, threads, err));
done:
    if (st != SPMV_SUCCESS) spmv_csr_destroy(&job->A);
    free(job->lot);
    free(begin);
    job->lot = NULL;
    return st;
}
