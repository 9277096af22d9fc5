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
    int64_t row, col;           /* out, when merged > 0: the first coordinate given again, */
    int64_t stretch;            /* the stretch of the store in which it is, */
    int nth;                    /* and its number (from 1) among those of its kind there */
    struct spmv__lot *lot;      /* [lots] while assembling */
    int64_t lots;
    bool scattered; /* rows of some lot did not ascend once its entries were there */
    int64_t again;  /* where the first lot begins that has any, of those made; INT64_MAX: none */
} spmv__assembly;

/* The shift for at most `buckets` buckets (at least one); more, where the rows are too many. */
int spmv__bucket_shift(int64_t rows, int64_t buckets);

/* As many of the threads as are worth the memory of a writer each, for about `entries` entries. */
int spmv__bucket_threads(int64_t entries, int threads);

/* The layout for about `entries` entries from `writers` writers; cols is at least 1. */
spmv__bucket_layout spmv__bucket_layout_for(spmv_type type, int64_t rows, int64_t cols,
                                            int64_t entries, int writers);

/* Make the matrix; the same for every number of threads.  Errors: OUT_OF_MEMORY.
 * Time O(nnz + rows).  Memory: the matrix grows as the store shrinks; scratch of two records (8
 * bytes and a value) for a 32nd of the entries (4096 at least), and for those of the longest row
 * that does not come sorted. */
spmv_status spmv__assemble(spmv__assembly *job, int threads, spmv_error *err);

/* ---- Steps of it ---------------------------------------------------------------------------- */

/* The outcome of merging the duplicates of a lot. */
typedef struct spmv__settled {
    int64_t kept;     /* entries */
    int64_t merged;   /* reported ones that went into another */
    int64_t row, col; /* when merged > 0: the first coordinate given again */
} spmv__settled;

/* Rows of a bucket that one thread makes: all of them, or some where entries are many. */
typedef struct spmv__lot {
    int64_t bucket;
    int64_t row, rows;  /* the first, and how many */
    int64_t begin, end; /* places */
    bool counted;       /* row_ptr holds the numbers of entries */
    spmv__settled settled;
} spmv__lot;

/* Doubles that a value consists of: 0, 1 or 2. */
static inline int spmv__assembly_parts(const spmv__assembly *job)
{
    return (int)(spmv_type_size(job->A.type) / sizeof(double));
}

/* Memory for one row at a time of all that are longer than what a thread has at hand; taken by the
 * first of them that is not sorted, and as large as the longest. */
typedef struct spmv__long_rows {
    double *entry; /* [2 * n * (parts + 1)] */
    int64_t n;
    spmv_status status; /* once there was none: OUT_OF_MEMORY, and such rows stay as they are */
    spmv_error *err;
} spmv__long_rows;

/* Memory for two records, of a value and a column, for each entry of a row. */
typedef struct spmv__lot_scratch {
    double *entry, *other; /* [n * (parts + 1)], one behind the other */
    int64_t n;
    spmv__long_rows *longer; /* of all threads */
} spmv__lot_scratch;

/* Count the entries of each row of a bucket, for which row_ptr holds 0. */
void spmv__count_rows(spmv__assembly *job, int64_t bucket);

/* Put the entries of a lot into their place by row, then column, equals staying in their order.
 * Its part of row_ptr is 0 unless they are counted, and gets the ends of
 * the rows.  Returns whether columns of a row are equal. */
bool spmv__lot_sort(spmv__assembly *job, const spmv__lot *lot, const spmv__lot_scratch *scratch);

/* The same for a lot of a pattern by the digits of whole keys, whatever the rows have: entries in
 * no order need no branches so.  False: the keys have more than 32 bits, or the entries are too few
 * or too many for that, and nothing was done. */
bool spmv__lot_sort_keys(spmv__assembly *job, const spmv__lot *lot,
                         const spmv__lot_scratch *scratch);

/* Settle duplicates and zeros of a sorted lot; what is kept moves up to its beginning. */
spmv__settled spmv__lot_settle(spmv__assembly *job, const spmv__lot *lot);

/* Move what is kept of each lot up to where those before it end; sets nnz, and corrects row_ptr.
 * Errors: OUT_OF_MEMORY.  Memory: up to a 32nd of the entries. */
spmv_status spmv__close_gaps(spmv__assembly *job, int threads, spmv_error *err);
