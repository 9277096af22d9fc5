/* assemble.h -- CSR from entries in any order: the two steps of a counting sort.
 *
 * Rows are dealt into buckets of 2^shift neighbours.  Whoever has the entries counts how many go
 * into each bucket, gives every bucket a stretch of the arrays, and puts each entry at the next
 * free place of its bucket.  So few places are written to at a time that they stay in the cache,
 * and as they follow from the counts, many threads may write, each its part of the entries, and
 * still leave them in the order in which they were given.  spmv__assemble then sorts each bucket by
 * row and column, in the cache too, and settles duplicates. */
#ifndef SPMV_ASSEMBLE_H
#define SPMV_ASSEMBLE_H

#include "internal.h"

enum { SPMV__BUCKET_BITS = 16 }; /* a row within its bucket is a uint16_t */

typedef struct spmv__assembly {
    /* f64, c128 or pattern.  Before: row_ptr all zero, col_idx and val by bucket and, in each, in
     * the order given.  After: the finished matrix; with entries gone, its arrays keep their size.
     */
    spmv_csr A;
    uint16_t *low;        /* [A.nnz] row r of each entry as r - (bucket << shift) */
    int shift;            /* row r belongs to bucket r >> shift */
    int64_t buckets;      /* all rows belong to one */
    const int64_t *begin; /* [buckets + 1] places at which they begin, and A.nnz */
    /* Entries above the diagonal are images of those below it, as this symmetry has them (GENERAL:
     * they are not): duplicates among them come to the image of what those below come to, and are
     * not reported. */
    spmv_symmetry images;
    spmv_duplicates duplicates; /* ERROR is taken as FIRST: the caller looks at `merged` */
    bool drop_zeros;            /* leave out what is 0 after that */
    int64_t merged;             /* out: entries that went into another */
    int64_t row, col;           /* out, when merged > 0: the first coordinate given again */
} spmv__assembly;

/* The shift for at most so many buckets (at least one); more, where the rows are too many. */
int spmv__bucket_shift(int64_t rows, int64_t buckets);

/* Finish the matrix; the same for every number of threads.  Errors: OUT_OF_MEMORY.
 * Time O(nnz + rows); scratch: 8 bytes and a value per entry of a bucket that is not in order yet,
 * of as many buckets as there are threads, or of the largest if that is more, and 4 bytes per row.
 */
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

typedef struct spmv__bucket_scratch {
    double *entry; /* [entries of the bucket * (parts + 1)] */
    int32_t *last; /* [rows of the bucket] */
} spmv__bucket_scratch;

/* Sort the bucket by row, then column, equals staying in their order, and fill in its part of
 * row_ptr.  Returns whether columns might be equal. */
bool spmv__bucket_sort(spmv__assembly *job, const spmv__bucket *bucket,
                       const spmv__bucket_scratch *scratch);

/* What settling a bucket came to. */
typedef struct spmv__settled {
    int64_t kept;     /* entries */
    int64_t merged;   /* reported ones that went into another */
    int64_t row, col; /* when merged > 0: the first coordinate given again */
} spmv__settled;

/* Settle duplicates and zeros of a sorted bucket; what is kept moves up to its beginning. */
spmv__settled spmv__bucket_settle(spmv__assembly *job, const spmv__bucket *bucket);

#endif
