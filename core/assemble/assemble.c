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

static spmv__bucket bucket_at(const spmv__assembly *job, int64_t k)
{
    const int64_t row = k << job->shift, rows = job->A.rows - row;
    const int64_t most = (int64_t)1 << job->shift;
    return (spmv__bucket){row, rows < most ? rows : most, job->begin[k], job->begin[k + 1]};
}

/* Read, sort and settle the buckets of more than `above` and at most `most` entries. */
static spmv_status finish_buckets(spmv__assembly *job, spmv__settled *settled, int64_t above,
                                  int64_t most, int threads, spmv_error *err)
{
    const bool drop = job->drop_zeros && job->A.type != SPMV_PATTERN;
    const int64_t record = spmv__assembly_parts(job) + 1;
    double *entry = NULL;
    spmv_status st;
    SPMV__TRY(spmv__alloc(&entry, 2 * most * threads * record, sizeof *entry, "sorting", err));

#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (int64_t k = 0; k < job->buckets; k++) {
        const spmv__bucket bucket = bucket_at(job, k);
        const int64_t n = bucket.end - bucket.begin;
        double *own = entry + 2 * most * spmv__thread() * record;
        const spmv__bucket_scratch scratch = {own, own + most * record};
        if (n <= above || n > most) continue;
        const bool equals = spmv__bucket_sort(job, k, &bucket, &scratch);
        spmv__bucket_store_drop(job->store, k);
        settled[k] =
            equals || drop ? spmv__bucket_settle(job, &bucket) : (spmv__settled){.kept = n};
        spmv__meter_advance(&job->meter, n);
    }
done:
    free(entry);
    return st;
}

/* Move everything up to where the entries before it end. */
static void close_gaps(spmv__assembly *job, const spmv__settled *settled)
{
    spmv_csr *A = &job->A;
    int64_t place = 0;
    for (int64_t k = 0; k < job->buckets; k++) {
        const spmv__bucket bucket = bucket_at(job, k);
        const int64_t gap = bucket.begin - place;
        const size_t kept = (size_t)settled[k].kept, size = spmv_type_size(A->type);
        memmove(A->col_idx + place, A->col_idx + bucket.begin, kept * sizeof *A->col_idx);
        if (size > 0)
            memmove((char *)A->val + (size_t)place * size,
                    (char *)A->val + (size_t)bucket.begin * size, kept * size);
        for (int64_t r = bucket.row; r < bucket.row + bucket.rows; r++) A->row_ptr[r + 1] -= gap;
        place += settled[k].kept;
    }
    A->nnz = place;
}

/* Work out where each bucket begins in the matrix, and make room for all of them. */
static spmv_status make_room(spmv__assembly *job, spmv_error *err)
{
    spmv_status st;
    job->shift = job->store->writer->how.shift;
    job->buckets = job->store->writer->how.buckets;
    SPMV__TRY(spmv__alloc(&job->begin, job->buckets + 1, sizeof *job->begin, "buckets", err));
    for (int64_t k = 0; k < job->buckets; k++)
        job->begin[k + 1] = spmv__bucket_store_count(job->store, k);
    spmv__counts_to_offsets(job->begin, job->buckets);
    SPMV__TRY(spmv_csr_create(&job->A, job->A.type, job->A.rows, job->A.cols,
                              job->begin[job->buckets], err));
    spmv__meter_begin(&job->meter, "sorting", job->A.nnz, sizeof *job->A.col_idx, job->A.type);
done:
    return st;
}

spmv_status spmv__assemble(spmv__assembly *job, int threads, spmv_error *err)
{
    /* What the threads have at hand is an entry for every 32 of the matrix; larger buckets are
     * sorted one by one. */
    int64_t at_hand, largest = 0, kept = 0, usual;
    spmv__settled *settled = NULL;
    spmv_status st;

    SPMV__TRY(make_room(job, err));
    at_hand = job->A.nnz / 32;
    usual = at_hand / threads;
    if (usual < SORT_AT_ONCE) {
        usual = SORT_AT_ONCE;
        threads = at_hand < SORT_AT_ONCE ? 1 : (int)(at_hand / SORT_AT_ONCE);
    }
    for (int64_t k = 0; k < job->buckets; k++) {
        const int64_t n = job->begin[k + 1] - job->begin[k];
        if (n > largest) largest = n;
    }
    if (usual > largest) usual = largest;
    SPMV__TRY(spmv__alloc(&settled, job->buckets, sizeof *settled, "sorting", err));
    SPMV__TRY(finish_buckets(job, settled, -1, usual, threads, err));
    if (largest > usual) SPMV__TRY(finish_buckets(job, settled, usual, largest, 1, err));

    job->merged = 0;
    for (int64_t k = 0; k < job->buckets; k++) {
        if (job->merged == 0 && settled[k].merged > 0) {
            job->row = settled[k].row;
            job->col = settled[k].col;
        }
        job->merged += settled[k].merged;
        kept += settled[k].kept;
    }
    if (kept < job->A.nnz) close_gaps(job, settled);
done:
    if (st != SPMV_SUCCESS) spmv_csr_destroy(&job->A);
    free(settled);
    free(job->begin);
    job->begin = NULL;
    return st;
}
