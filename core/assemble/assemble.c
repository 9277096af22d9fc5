/* assemble.c -- from buckets of entries to CSR. */
#include "core/matrix/format.h"
#include "core/assemble/assembly.h"

#include <stdlib.h>

int spmv__bucket_shift(int64_t rows, int64_t buckets)
{
    int shift = 0;
    while (shift < SPMV__BUCKET_BITS && (rows - 1) >> shift >= buckets) shift++;
    return shift;
}

enum { SORT_AT_ONCE = 1 << 12 }; /* entries that a thread should at least have at hand */
enum { STEPS = 16 };             /* about, where buckets are cut: so that little is there twice */

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

/* Find out where the first entry of lot i that is given again stands, unless a lot before has one.
 */
static void find_again(spmv__assembly *job, int64_t i)
{
    const spmv__lot *lot = &job->lot[i];
    const int64_t row = lot->settled.row - (lot->bucket << job->store->writer->how.shift);
    const spmv__indices sought = {(int32_t)lot->settled.col, (uint16_t)row};
    int nth = 2;
    const int64_t stretch = spmv__bucket_store_find(job->store, lot->bucket, sought, &nth);
#pragma omp critical(spmv__first_again)
    if (i < job->again) {
#pragma omp atomic write
        job->again = i;
        job->stretch = stretch;
        job->nth = nth;
    }
}

/* Sort and settle the lots from number `first` on. */
static void finish_lots(spmv__assembly *job, int64_t first, const spmv__lot_scratch *scratch,
                        int threads)
{
    const bool drop = job->drop_zeros && job->A.type != SPMV_PATTERN;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (int64_t i = first; i < job->lots; i++) {
        spmv__lot *lot = &job->lot[i];
        const int64_t n = lot->end - lot->begin;
        int64_t again;
#pragma omp atomic read
        again = job->again;
        const bool equals = spmv__lot_sort(job, lot, &scratch[spmv__thread()]);
        lot->settled = equals || drop ? spmv__lot_settle(job, lot) : (spmv__settled){.kept = n};
        if (lot->settled.merged > 0 && i < again) find_again(job, i);
        spmv__bucket_store_drop(job->store, lot->bucket);
        spmv__meter_advance(&job->meter, n);
    }
}

/* Returns the end of the step that begins with bucket k: of neighbours that are not cut, however
 * many there are, or with a part of all entries. */
static int64_t step_end(const spmv__assembly *job, const int64_t *begin, int64_t k, int64_t usual)
{
    const int64_t place = begin[k];
    bool whole = true;
    do {
        whole = whole && begin[k + 1] - begin[k] <= usual;
        k++;
    } while (k < job->store->writer->how.buckets && ((whole && begin[k + 1] - begin[k] <= usual) ||
                                                     begin[k + 1] - place <= job->A.nnz / STEPS));
    return k;
}

/* Bring all buckets into the matrix, some neighbours in each step.  Each thread has memory at hand
 * for a row of `usual` entries. */
static spmv_status finish_buckets(spmv__assembly *job, const int64_t *begin, int64_t usual,
                                  int threads, spmv_error *err)
{
    const int64_t buckets = job->store->writer->how.buckets;
    const int64_t size = usual * (spmv__assembly_parts(job) + 1);
    spmv__long_rows longer = {.err = err};
    spmv__lot_scratch *scratch = NULL;
    double *entry = NULL;
    spmv_status st;
    SPMV__TRY(spmv__alloc(&scratch, threads, sizeof *scratch, "sorting", err));
    SPMV__TRY(spmv__alloc(&entry, 2 * size * threads, sizeof *entry, "sorting", err));
    for (int t = 0; t < threads; t++) {
        double *own = entry + 2 * size * t;
        scratch[t] = (spmv__lot_scratch){own, own + size, usual, &longer};
    }
    for (int64_t k = 0, to; k < buckets; k = to) {
        const int64_t first = job->lots;
        to = step_end(job, begin, k, usual);
        spmv__cut_lots(job, begin, k, to, usual, threads);
        finish_lots(job, first, scratch, threads);
    }
    st = longer.status;
done:
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
    if (job->merged > 0) {
        job->row = job->lot[job->again].settled.row;
        job->col = job->lot[job->again].settled.col;
    }
    return kept < job->A.nnz ? spmv__close_gaps(job, threads, err) : SPMV_SUCCESS;
}

spmv_status spmv__assemble(spmv__assembly *job, int threads, spmv_error *err)
{
    /* What the threads have at hand is an entry for every 32 of the matrix. */
    int64_t *begin = NULL, at_hand, usual, largest;
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
    if (usual > largest) usual = largest;
    SPMV__TRY(
        spmv__alloc(&job->lot, spmv__lots_most(job, usual), sizeof *job->lot, "sorting", err));
    SPMV__TRY(finish_buckets(job, begin, usual, threads, err));
    SPMV__TRY(settle(job, threads, err));
done:
    if (st != SPMV_SUCCESS) spmv_csr_destroy(&job->A);
    free(job->lot);
    free(begin);
    job->lot = NULL;
    return st;
}
