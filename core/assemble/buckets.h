/* buckets.h -- entries dealt into buckets of rows by many threads, in the order of a file, before
 * anybody knows how many there are.
 *
 * Each thread has a dealer: a chain of blocks of memory for every bucket, which it fills with
 * records: a key (row within the bucket and column, in as few bytes as hold them) and a value.  It
 * takes stretches of the file, called turns, in ascending order, and notes at the end of each where
 * its chains end.  Read turn by turn, the chains give the entries of a bucket in the order of the
 * file, whoever dealt them.
 *
 * A matrix grows while its entries go: the memory of some neighbouring buckets, a group, goes back
 * to the system when the last of them was read.  To give back each block by itself took 0.1 s of
 * 0.27 for a file of 200 MB and two threads.  So blocks come from slabs of one group each, and
 * these from few large allocations, which the system fills with huge pages.
 *
 * A huge page serves the matrix only when all of it came back, and fresh memory is dear where the
 * system has to fetch it first.  So neighbouring groups, a set, have huge pages of their own, lots,
 * where that wastes little. */
#ifndef SPMV_CORE_ASSEMBLE_BUCKETS_H
#define SPMV_CORE_ASSEMBLE_BUCKETS_H

#include "core/base/base.h"

enum {
    SPMV__BUCKET_BITS = 16, /* of a row within its bucket, at most */
    SPMV__DEAL_BLOCK_MIN = 1 << 11,
    SPMV__DEAL_BLOCK_MAX = 1 << 12,
    SPMV__DEAL_SLAB_MIN = 1 << 12, /* a page */
    SPMV__DEAL_SLAB_MAX = 1 << 20,
    SPMV__DEAL_LOT_MAX = 1 << 21, /* a huge page */
    SPMV__DEAL_CHUNK_MAX = 1 << 26
};

/* How entries are dealt. */
typedef struct spmv__dealing {
    spmv_type type; /* f64, c128 or pattern */
    int shift;      /* row r belongs to bucket r >> shift */
    int col_bits;   /* of a column, at most 31 */
    int64_t buckets;
    int group_shift; /* bucket k belongs to group k >> group_shift */
    int set_shift;   /* group g belongs to set g >> set_shift */
    /* Bytes of a block, a slab, a lot and an allocation: powers of two, none less than the one
     * before. */
    int64_t block, slab, lot, chunk;
} spmv__dealing;

/* The key of a record. */
typedef struct spmv__key {
    int bytes, col_bits;
    uint64_t cols, rows; /* masks of the column, and of the row within the bucket above that */
} spmv__key;

static inline spmv__key spmv__key_of(const spmv__dealing *how)
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
typedef struct spmv__lot {
    uintptr_t spare, end; /* free slabs of the last one */
} spmv__lot;

/* Memory of all sets, shared by the dealers. */
typedef struct spmv__chunks {
    void *last;           /* the last one; NULL: there is none */
    uintptr_t spare, end; /* its free lots */
    spmv__lot set[];      /* [sets] */
} spmv__chunks;

/* Memory of a group. */
typedef struct spmv__slabs {
    uintptr_t last;       /* the last one; 0: there is none */
    uintptr_t spare, end; /* its free blocks */
} spmv__slabs;

typedef struct spmv__turn spmv__turn;

typedef struct spmv__dealer {
    spmv__dealing how;
    spmv__key key;
    uintptr_t record;     /* bytes of one */
    uintptr_t mask, last; /* offset within a block, and the largest one at which a record fits */
    uintptr_t *at;        /* [buckets] where the next record goes; up to mask: nowhere yet */
    uintptr_t *from;      /* [buckets] the first record, where there is one */
    int64_t *blocks;      /* [buckets] how many */
    spmv__slabs *group;   /* [groups] */
    spmv__chunks *chunks; /* where slabs come from */
    spmv__turn *turn;     /* the last one */
} spmv__dealer;

/* The turn with this number is over; the next has a larger one.  Errors: OUT_OF_MEMORY. */
spmv_status spmv__dealer_end_turn(spmv__dealer *dealer, int64_t number, spmv_error *err);

/* A further block for bucket k; 0: out of memory. */
uintptr_t spmv__dealer_block(spmv__dealer *dealer, int64_t k);

/* What dealing looks at, in a copy of its own: the compiler knows that no record overwrites it. */
typedef struct spmv__hand {
    spmv__dealer *dealer;
    uintptr_t *at;
    uintptr_t record, mask, last;
    spmv__key key;
    int shift;
} spmv__hand;

static inline spmv__hand spmv__hand_of(spmv__dealer *dealer)
{
    return (spmv__hand){dealer,       dealer->at,  dealer->record,   dealer->mask,
                        dealer->last, dealer->key, dealer->how.shift};
}

/* Deal one entry; false: out of memory. */
SPMV__INLINE bool spmv__deal(const spmv__hand *hand, spmv_type type, uint64_t row, uint64_t col,
                             spmv_scalar value)
{
    const int64_t k = (int64_t)(row >> hand->shift);
    const uint64_t key = spmv__key_order((row & hand->key.rows) << hand->key.col_bits | col);
    uintptr_t at = hand->at[k];
    if ((at & hand->mask) > hand->last && (at = spmv__dealer_block(hand->dealer, k)) == 0)
        return false;
    unsigned char *p = (unsigned char *)at;
    memcpy(p, &key, sizeof key); /* and bytes behind it, where nothing is yet */
    p += hand->key.bytes;
    if (type != SPMV_PATTERN) memcpy(p, &value.re, sizeof value.re);
    if (type == SPMV_C128) memcpy(p + sizeof value.re, &value.im, sizeof value.im);
    hand->at[k] = at + hand->record;
    return true;
}

/* All that was dealt. */
typedef struct spmv__deck {
    spmv__chunks *chunks; /* memory of all sets */
    spmv__dealer *dealer; /* [dealers], dealing alike */
    int dealers;
    int64_t turns;     /* numbers 0 .. turns - 1, each ended by one dealer */
    spmv__turn **turn; /* [turns] */
    int64_t *unread;   /* [groups] buckets */
} spmv__deck;

/* Errors: OUT_OF_MEMORY; the deck is to be closed in any case. */
spmv_status spmv__deck_open(spmv__deck *deck, const spmv__dealing *how, int dealers,
                            spmv_error *err);
void spmv__deck_close(spmv__deck *deck);

/* When nobody deals any more: put the turns in order.  Errors: OUT_OF_MEMORY. */
spmv_status spmv__deck_order(spmv__deck *deck, int64_t turns, spmv_error *err);

/* Entries of bucket k. */
int64_t spmv__deck_count(const spmv__deck *deck, int64_t k);

/* Records of a bucket that lie one behind the other; all zero: before the first. */
typedef struct spmv__run {
    const unsigned char *record; /* [n] */
    int64_t n;
    uintptr_t next, end; /* of what is left of a turn */
    int64_t turn;        /* the one behind that */
} spmv__run;

/* The next run of bucket k; false: there is none.  Different threads may read different buckets. */
bool spmv__deck_next(const spmv__deck *deck, int64_t k, spmv__run *run);

/* What a record says but for its value. */
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

/* Bucket k is not read again. */
void spmv__deck_drop(spmv__deck *deck, int64_t k);

#endif
