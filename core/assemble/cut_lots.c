/* cut_lots.c -- the rows that one thread makes: a bucket, or some rows of one with many entries. */
#include "core/assemble/assembly.h"

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

int64_t spmv__lots_most(const spmv__assembly *job, int64_t most)
{
    /* Two neighbouring lots of one bucket have more than `most` entries together. */
    return job->store->writer->how.buckets + 2 * (job->A.nnz / most);
}

void spmv__cut_lots(spmv__assembly *job, const int64_t *begin, int64_t from, int64_t to,
                    int64_t most, int threads)
{
    const spmv__bucket_layout *how = &job->store->writer->how;
    const int64_t full = (int64_t)1 << how->shift;
    int64_t large = 0;
    for (int64_t k = from; k < to; k++) large += begin[k + 1] - begin[k] > most;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) if (large > 1)
    for (int64_t k = from; k < to; k++)
        if (begin[k + 1] - begin[k] > most) spmv__count_rows(job, k);

    for (int64_t k = from; k < to; k++) {
        const int64_t row = k << how->shift, rows = job->A.rows - row;
        const spmv__lot all = {.bucket = k,
                               .row = row,
                               .rows = rows < full ? rows : full,
                               .begin = begin[k],
                               .end = begin[k + 1]};
        spmv__lot *lot = &job->lot[job->lots];
        *lot = all;
        const int64_t n = all.end - all.begin > most ? cut(job, all, most, lot) : 1;
        spmv__bucket_store_share(job->store, k, n);
        job->lots += n;
    }
}
