/* deal.h -- entries dealt into buckets of rows by many threads, in the order of a file, before
 * anybody knows how many there are.
 *
 * Each thread has a dealer: a chain of blocks of memory for every bucket, which it fills with
 * records (column, row within the bucket, value).  It takes stretches of the file, called turns,
 * in ascending order, and notes at the end of each where its chains end.  Read turn by turn, the
 * chains give the entries of a bucket in the order of the file, whoever dealt them; and each block
 * goes back to the system as soon as it is read, so that a matrix can grow while its entries go. */
#ifndef SPMV_DEAL_H
#define SPMV_DEAL_H

#include "internal.h"

enum {
    SPMV__BUCKET_BITS = 16, /* a row within its bucket is a uint16_t */
    SPMV__DEAL_BLOCK_MIN = 1 << 12,
    SPMV__DEAL_BLOCK_MAX = 1 << 16
};

/* How entries are dealt. */
typedef struct spmv__dealing {
    spmv_type type; /* f64, c128 or pattern */
    int shift;      /* row r belongs to bucket r >> shift */
    int64_t buckets;
    int64_t block; /* bytes of a block, a power of two */
} spmv__dealing;

typedef struct spmv__turn spmv__turn;

typedef struct spmv__dealer {
    spmv__dealing how;
    uintptr_t record;     /* bytes of one */
    uintptr_t mask, last; /* offset within a block, and the largest one at which a record fits */
    uintptr_t *at;        /* [buckets] where the next record goes; up to mask: nowhere yet */
    uintptr_t *from;      /* [buckets] the first that was not yet read */
    uintptr_t spare, end; /* blocks that are still free */
    void *chunks;         /* memory of all blocks */
    spmv__turn *turn;     /* the last one */
} spmv__dealer;

/* Errors: OUT_OF_MEMORY; the dealer is to be closed in any case. */
spmv_status spmv__dealer_open(spmv__dealer *dealer, const spmv__dealing *how, spmv_error *err);
void spmv__dealer_close(spmv__dealer *dealer);

/* The turn with this number is over; the next has a larger one.  Errors: OUT_OF_MEMORY. */
spmv_status spmv__dealer_end_turn(spmv__dealer *dealer, int64_t number, spmv_error *err);

/* A further block for bucket k; 0: out of memory. */
uintptr_t spmv__dealer_block(spmv__dealer *dealer, int64_t k);

/* What dealing looks at, in a copy of its own: the compiler knows that no record overwrites it. */
typedef struct spmv__hand {
    spmv__dealer *dealer;
    uintptr_t *at;
    uintptr_t record, mask, last;
    int shift;
} spmv__hand;

static inline spmv__hand spmv__hand_of(spmv__dealer *dealer)
{
    return (spmv__hand){dealer,       dealer->at,   dealer->record,
                        dealer->mask, dealer->last, dealer->how.shift};
}

/* Deal one entry; false: out of memory. */
SPMV__INLINE bool spmv__deal(const spmv__hand *hand, spmv_type type, uint64_t row, uint64_t col,
                             spmv_scalar value)
{
    const int64_t k = (int64_t)(row >> hand->shift);
    const uint16_t low = (uint16_t)(row & (((uint64_t)1 << hand->shift) - 1));
    const int32_t column = (int32_t)col;
    uintptr_t at = hand->at[k];
    if ((at & hand->mask) > hand->last && (at = spmv__dealer_block(hand->dealer, k)) == 0)
        return false;
    unsigned char *p = (unsigned char *)at;
    memcpy(p, &column, sizeof column);
    memcpy(p + sizeof column, &low, sizeof low);
    p += sizeof column + sizeof low;
    if (type != SPMV_PATTERN) memcpy(p, &value.re, sizeof value.re);
    if (type == SPMV_C128) memcpy(p + sizeof value.re, &value.im, sizeof value.im);
    hand->at[k] = at + hand->record;
    return true;
}

/* All that was dealt. */
typedef struct spmv__deck {
    spmv__dealer *dealer; /* [dealers], dealing alike */
    int dealers;
    int64_t turns;     /* numbers 0 .. turns - 1, each ended by one dealer */
    spmv__turn **turn; /* [turns] */
} spmv__deck;

/* When nobody deals any more: put the turns in order.  Errors: OUT_OF_MEMORY. */
spmv_status spmv__deck_order(spmv__deck *deck, int64_t turns, spmv_error *err);
void spmv__deck_close(spmv__deck *deck); /* and its dealers */

/* Entries of bucket k. */
int64_t spmv__deck_count(const spmv__deck *deck, int64_t k);

/* Read bucket k, once: low, col and val (NULL for a pattern) are [spmv__deck_count].  Different
 * threads may read different buckets. */
void spmv__deck_read(spmv__deck *deck, int64_t k, uint16_t *low, int32_t *col, void *val);

#endif
