/* buckets.h -- entries that many threads put into buckets of rows, in the order of a file, before
 * anybody knows how many there are.
 *
 * Each thread has a bucket writer: for every bucket a chain of blocks of memory, which it fills
 * with records.  A record is a key (row within the bucket and column, in as few bytes as hold them)
 * and a value.  The writer takes stretches of the file in ascending order, and notes at the end of
 * each where its chains end.  Read stretch by stretch, the chains give the entries of a bucket in
 * the order of the file, whichever writer put them there.
 *
 * A matrix grows while its entries go: the memory of some neighbouring buckets, a group, goes back
 * to the system when the last of them was read.  To give back each block by itself took 0.1 s of
 * 0.27 for a file of 200 MB and two threads.  So memory comes in four sizes, each cut from the
 * next: a block belongs to one bucket, a slab (a page or more) to one group, an extent (a huge page
 * at most) to one set of neighbouring groups, and a chunk is what the system gives.
 *
 * The system can use a huge page for the matrix only when all of it came back, and fresh memory is
 * dear where it has to be fetched first.  So a set has extents of its own where that wastes little.
 * Many writers that share a huge page would wait for each other's first byte in it: who begins an
 * extent makes the pages of the next one then.
 */
#pragma once

#include "core/base/base.h"
#include "core/base/pages.h"

enum {
    SPMV__BUCKET_BITS = 16, /* of a row within its bucket, at most */
    SPMV__BUCKET_BLOCK_MIN = 1 << 9,
    SPMV__BUCKET_BLOCK_MAX = 1 << 12,
    SPMV__BUCKET_SLAB_MIN = 1 << 12, /* a page */
    SPMV__BUCKET_SLAB_MAX = 1 << 20,
    SPMV__BUCKET_EXTENT_MAX = SPMV__HUGE_PAGE,
    SPMV__BUCKET_CHUNK_MAX = 1 << 26
};

/* The layout of the buckets, of their records and of the memory for them. */
typedef struct spmv__bucket_layout {
    spmv_type type; /* f64, c128 or pattern */
    int shift;      /* row r belongs to bucket r >> shift */
    int col_bits;   /* of a column, at most 31 */
    int64_t buckets;
    int group_shift; /* bucket k belongs to group k >> group_shift */
    int set_shift;   /* group g belongs to set g >> set_shift */
    /* Bytes of a block, a slab, an extent and a chunk: powers of two, none less than the one
     * before. */
    int64_t block, slab, extent, chunk;
    bool ahead; /* a set has the extent that comes next, and its pages are made before its time */
} spmv__bucket_layout;

/* The key of a record. */
typedef struct spmv__key {
    int bytes, col_bits;
    uint64_t cols, rows; /* masks of the column, and of the row within the bucket above that */
} spmv__key;

static inline spmv__key spmv__key_of(const spmv__bucket_layout *how)
{
    const int bits = how->shift + how->col_bits;
    return (spmv__key){bits > 8 ? (bits + 7) / 8 : 1, how->col_bits,
                       ((uint64_t)1 << how->col_bits) - 1, ((uint64_t)1 << how->shift) - 1};
}

/* The lowest byte comes first: what is no part of the key comes behind it. */
static inline uint64_t spmv__key_order(uint64_t key)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return __builtin_bswap64(key);
#else
    return key;
#endif
}

/* Memory of a set. */
typedef struct spmv__extent {
    uintptr_t spare; /* the next free slab, where an extent begins: there is none; any thread moves
                        it on */
    uintptr_t ahead; /* the extent that comes then; 0: none yet */
} spmv__extent;

/* Memory of all sets, shared by the writers. */
typedef struct spmv__chunks {
    void *last;           /* the last one; NULL: there is none */
    uintptr_t spare, end; /* its free extents */
    spmv__extent set[];   /* [sets] */
} spmv__chunks;

/* Memory of a group. */
typedef struct spmv__slabs {
    uintptr_t last;       /* the last one; 0: there is none */
    uintptr_t spare, end; /* its free blocks */
} spmv__slabs;

typedef struct spmv__stretch spmv__stretch;

typedef struct spmv__bucket_writer {
    spmv__bucket_layout how;
    spmv__key key;
    uintptr_t record;       /* bytes of one */
    uintptr_t mask, last;   /* offset within a block, and the largest one at which a record fits */
    uintptr_t *at;          /* [buckets] where the next record goes; up to mask: nowhere yet */
    uintptr_t *from;        /* [buckets] the first record, where there is one */
    int64_t *blocks;        /* [buckets] how many */
    spmv__slabs *group;     /* [groups] */
    spmv__chunks *chunks;   /* where slabs come from */
    spmv__stretch *stretch; /* the last one */
} spmv__bucket_writer;

/* The stretch of this number is over; the next one has a larger number.  Errors: OUT_OF_MEMORY. */
spmv_status spmv__bucket_end_stretch(spmv__bucket_writer *writer, int64_t number, spmv_error *err);

/* A further block for bucket k; 0: out of memory. */
uintptr_t spmv__bucket_new_block(spmv__bucket_writer *writer, int64_t k);

/* The ends of the chains of a writer, and what else putting an entry needs, in a copy of its own:
 * the compiler knows that no record overwrites it. */
typedef struct spmv__bucket_ends {
    spmv__bucket_writer *writer;
    uintptr_t *at;
    uintptr_t record, mask, last;
    spmv__key key;
    int shift;
} spmv__bucket_ends;

static inline spmv__bucket_ends spmv__bucket_ends_of(spmv__bucket_writer *writer)
{
    return (spmv__bucket_ends){writer,       writer->at,  writer->record,   writer->mask,
                               writer->last, writer->key, writer->how.shift};
}

/* Put one entry into its bucket; false: out of memory. */
SPMV__INLINE bool spmv__bucket_put(const spmv__bucket_ends *ends, spmv_type type, uint64_t row,
                                   uint64_t col, spmv_scalar value)
{
    const int64_t k = (int64_t)(row >> ends->shift);
    const uint64_t key = spmv__key_order((row & ends->key.rows) << ends->key.col_bits | col);
    uintptr_t at = ends->at[k];
    if ((at & ends->mask) > ends->last && (at = spmv__bucket_new_block(ends->writer, k)) == 0)
        return false;
    unsigned char *p = (unsigned char *)at;
    memcpy(p, &key, sizeof key); /* and bytes behind it, where nothing is yet */
    p += ends->key.bytes;
    if (type != SPMV_PATTERN) memcpy(p, &value.re, sizeof value.re);
    if (type == SPMV_C128) memcpy(p + sizeof value.re, &value.im, sizeof value.im);
    ends->at[k] = at + ends->record;
    return true;
}

/* All that the writers have put into buckets. */
typedef struct spmv__bucket_store {
    spmv__chunks *chunks;        /* memory of all sets */
    spmv__bucket_writer *writer; /* [writers], of one layout */
    int writers;
    int64_t stretches;       /* numbers 0 .. stretches - 1, each ended by one writer */
    spmv__stretch **stretch; /* [stretches] */
    int64_t *unread;         /* [groups] readers of its buckets */
} spmv__bucket_store;

/* Errors: OUT_OF_MEMORY; the store is to be closed in any case. */
spmv_status spmv__bucket_store_open(spmv__bucket_store *store, const spmv__bucket_layout *how,
                                    int writers, spmv_error *err);
void spmv__bucket_store_close(spmv__bucket_store *store);

/* When all is written: put the stretches in order.  Errors: OUT_OF_MEMORY. */
spmv_status spmv__bucket_store_order(spmv__bucket_store *store, int64_t stretches, spmv_error *err);

/* Entries of bucket k. */
int64_t spmv__bucket_store_count(const spmv__bucket_store *store, int64_t k);

/* A reader's place in a bucket, and the records there, which lie one behind the other; all zero is
 * the place before the first. */
typedef struct spmv__bucket_cursor {
    const unsigned char *record; /* [n] */
    int64_t n;
    uintptr_t next, end; /* of what is left of a stretch */
    int64_t stretch;     /* the one behind that */
} spmv__bucket_cursor;

/* Move on to the next records of bucket k; false: there are none.  Different threads may read
 * different buckets. */
bool spmv__bucket_store_next(const spmv__bucket_store *store, int64_t k,
                             spmv__bucket_cursor *cursor);

/* The row and the column of a record. */
typedef struct spmv__indices {
    int32_t col;
    uint16_t low; /* row within the bucket */
} spmv__indices;

SPMV__INLINE spmv__indices spmv__indices_of(const unsigned char *record, const spmv__key *how)
{
    uint64_t key;
    memcpy(&key, record, sizeof key);
    key = spmv__key_order(key);
    return (spmv__indices){(int32_t)(key & how->cols),
                           (uint16_t)(key >> how->col_bits & how->rows)};
}

/* Find the nth record of bucket k (from 1) with that row and column, which is there; returns the
 * stretch that it is from, and *nth becomes its number among those of that stretch. */
int64_t spmv__bucket_store_find(const spmv__bucket_store *store, int64_t k, spmv__indices sought,
                                int *nth);

/* Bucket k has n readers instead of one, each of which drops it. */
void spmv__bucket_store_share(spmv__bucket_store *store, int64_t k, int64_t n);

/* A reader of bucket k does not read it again. */
void spmv__bucket_store_drop(spmv__bucket_store *store, int64_t k);
