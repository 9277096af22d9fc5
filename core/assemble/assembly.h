/* assembly.h -- CSR from entries in any order: the two steps of a counting sort.
 *
 * Entries are put into buckets of 2^shift neighbours (buckets.h): so few places are written to at a
 * time that they stay in the cache.  spmv__assemble then sorts each bucket by row and column, in
 * the cache too, and settles duplicates. */
#pragma once

#include "core/assemble/buckets.h"
#include "core/base/meter.h"

typedef struct spmv__assembly {
    spmv_csr A; /* before: empty but for type, rows and cols; after: the finished matrix; with
                   entries gone, its arrays keep their size */
    spmv__bucket_store *store; /* the entries, in order; they are used up */
    /* Entries above the diagonal are images of those below it, as this symmetry has them (GENERAL:
     * they are not): duplicates among them come to the image of what those below come to, and are
     * not reported. */
    spmv_symmetry images;
    spmv_duplicates duplicates; /* ERROR is taken as SUM: the caller looks at `merged` */
    bool drop_zeros;            /* leave out what is 0 after that */
    spmv__meter meter;          /* goes through a stage of "sorting" */
    int64_t merged;             /* out: entries that went into another */
    int64_t row, col;           /* out, when merged > 0: the first coordinate given again */
    int shift;                  /* while assembling: row r belongs to bucket r >> shift, */
    int64_t buckets;            /* one of so many, */
    int64_t *begin;             /* [buckets + 1] which begin at these places */
} spmv__assembly;

/* The shift for at most so many buckets (at least one); more, where the rows are too many. */
int spmv__bucket_shift(int64_t rows, int64_t buckets);

/* As many of the threads as are worth the memory of a writer each, for about so many entries. */
int spmv__bucket_threads(int64_t entries, int threads);

/* The layout for about so many entries from so many writers; cols is at least 1. */
spmv__bucket_layout spmv__bucket_layout_for(spmv_type type, int64_t rows, int64_t cols,
                                            int64_t entries, int writers);

/* Make the matrix; the same for every number of threads.  Errors: OUT_OF_MEMORY.
 * Time O(nnz + rows).  Memory: the matrix grows as the store shrinks; scratch of two records (8
 * bytes and a value) per entry of as many buckets as there are threads, or of the largest if that
 * is more. */
spmv_status spmv__assemble(spmv__assembly *job, int threads, spmv_error *err);

/* ---- Steps of it ---------------------------------------------------------------------------- */

/* One bucket. */
typedef struct spmv__bucket {
    int64_t row, rows;  /* the first, and how many */
    int64_t begin, end; /* places */
} spmv__bucket;

/* Doubles that a value consists of: 0, 1 or 2. */
static inline int spmv__assembly_parts(const spmv__assembly *job)
{
    return (int)(spmv_type_size(job->A.type) / sizeof(double));
}

/* Memory for two records, of a value and a column, for each entry of a bucket. */
typedef struct spmv__bucket_scratch {
    double *entry, *other; /* [entries of the bucket * (parts + 1)] */
} spmv__bucket_scratch;

/* Put the entries of bucket k of the store into their place by row, then column, equals staying in
 * their order.  Its part of row_ptr is 0, and gets the ends of the rows.  Returns whether columns
 * of a row are equal. */
bool spmv__bucket_sort(spmv__assembly *job, int64_t k, const spmv__bucket *bucket,
                       const spmv__bucket_scratch *scratch);

/* The outcome of merging the duplicates of a bucket. */
typedef struct spmv__settled {
    int64_t kept;     /* entries */
    int64_t merged;   /* reported ones that went into another */
    int64_t row, col; /* when merged > 0: the first coordinate given again */
} spmv__settled;

/* Settle duplicates and zeros of a sorted bucket; what is kept moves up to its beginning. */
spmv__settled spmv__bucket_settle(spmv__assembly *job, const spmv__bucket *bucket);
