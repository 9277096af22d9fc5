/* deal.c -- chains of blocks, and reading them turn by turn. */
#include "deal.h"

#include <stdlib.h>

enum { CHUNK = 64 }; /* blocks that are allocated at a time */

struct spmv__turn {
    spmv__turn *before; /* of the same dealer */
    spmv__dealer *dealer;
    int64_t number;
    uintptr_t end[]; /* [buckets] */
};

/* The last bytes of a block hold the address of the next one. */
static uintptr_t *next_block(const spmv__dealer *dealer, uintptr_t at)
{
    return (uintptr_t *)((at | dealer->mask) + 1 - sizeof(uintptr_t));
}

/* ---- Dealing -------------------------------------------------------------------------------- */

spmv_status spmv__dealer_open(spmv__dealer *dealer, const spmv__dealing *how, spmv_error *err)
{
    spmv_status st;
    *dealer = (spmv__dealer){.how = *how};
    dealer->record = sizeof(int32_t) + sizeof(uint16_t) + spmv_type_size(how->type);
    dealer->mask = (uintptr_t)how->block - 1;
    dealer->last = (dealer->mask + 1 - sizeof(uintptr_t)) / dealer->record - 1;
    dealer->last *= dealer->record;
    SPMV__TRY(spmv__alloc(&dealer->at, how->buckets, sizeof *dealer->at, "buckets", err));
    SPMV__TRY(spmv__alloc(&dealer->from, how->buckets, sizeof *dealer->from, "buckets", err));
    for (int64_t k = 0; k < how->buckets; k++) dealer->at[k] = dealer->mask;
done:
    return st;
}

void spmv__dealer_close(spmv__dealer *dealer)
{
    for (spmv__turn *turn = dealer->turn; turn != NULL;) {
        spmv__turn *before = turn->before;
        free(turn);
        turn = before;
    }
    for (void *chunk = dealer->chunks; chunk != NULL;) {
        void *before = *(void **)chunk;
        free(chunk);
        chunk = before;
    }
    free(dealer->at);
    free(dealer->from);
    *dealer = (spmv__dealer){0};
}

static bool add_chunk(spmv__dealer *dealer)
{
    void *chunk;
    if (spmv__alloc(&chunk, CHUNK + 1, (size_t)dealer->how.block, "entries", NULL) != SPMV_SUCCESS)
        return false;
    *(void **)chunk = dealer->chunks;
    dealer->chunks = chunk;
    dealer->spare = ((uintptr_t)chunk | dealer->mask) + 1;
    dealer->end = ((uintptr_t)chunk + (CHUNK + 1) * (dealer->mask + 1)) & ~dealer->mask;
    return true;
}

uintptr_t spmv__dealer_block(spmv__dealer *dealer, int64_t k)
{
    if (dealer->spare == dealer->end && !add_chunk(dealer)) return 0;
    const uintptr_t block = dealer->spare;
    dealer->spare += dealer->mask + 1;
    if (dealer->at[k] > dealer->mask)
        *next_block(dealer, dealer->at[k]) = block;
    else
        dealer->from[k] = block;
    return block;
}

spmv_status spmv__dealer_end_turn(spmv__dealer *dealer, int64_t number, spmv_error *err)
{
    const size_t ends = (size_t)dealer->how.buckets * sizeof *dealer->at;
    spmv__turn *turn;
    const spmv_status st = spmv__alloc(&turn, 1, sizeof *turn + ends, "buckets", err);
    if (st != SPMV_SUCCESS) return st;
    turn->before = dealer->turn;
    turn->dealer = dealer;
    turn->number = number;
    memcpy(turn->end, dealer->at, ends);
    dealer->turn = turn;
    return SPMV_SUCCESS;
}

/* ---- Reading -------------------------------------------------------------------------------- */

spmv_status spmv__deck_order(spmv__deck *deck, int64_t turns, spmv_error *err)
{
    const spmv_status st = spmv__alloc(&deck->turn, turns, sizeof *deck->turn, "turns", err);
    if (st != SPMV_SUCCESS) return st;
    deck->turns = turns;
    for (int t = 0; t < deck->dealers; t++)
        for (spmv__turn *turn = deck->dealer[t].turn; turn != NULL; turn = turn->before)
            deck->turn[turn->number] = turn;
    return SPMV_SUCCESS;
}

void spmv__deck_close(spmv__deck *deck)
{
    for (int t = 0; t < deck->dealers; t++) spmv__dealer_close(&deck->dealer[t]);
    free(deck->dealer);
    free(deck->turn);
    *deck = (spmv__deck){0};
}

int64_t spmv__deck_count(const spmv__deck *deck, int64_t k)
{
    uintptr_t n = 0;
    for (int t = 0; t < deck->dealers; t++) {
        const spmv__dealer *dealer = &deck->dealer[t];
        const uintptr_t at = dealer->at[k];
        if (at <= dealer->mask) continue;
        for (uintptr_t p = dealer->from[k]; (p | dealer->mask) != (at | dealer->mask);
             p = *next_block(dealer, p))
            n += dealer->last / dealer->record + 1;
        n += (at & dealer->mask) / dealer->record;
    }
    return (int64_t)n;
}

/* Take n records from p on apart. */
SPMV__INLINE void take_records(const unsigned char *p, int64_t n, const size_t size, uint16_t *low,
                               int32_t *col, unsigned char *val)
{
    for (int64_t i = 0; i < n; i++) {
        memcpy(&col[i], p, sizeof *col);
        memcpy(&low[i], p + sizeof *col, sizeof *low);
        if (size > 0) memcpy(val + (size_t)i * size, p + sizeof *col + sizeof *low, size);
        p += sizeof *col + sizeof *low + size;
    }
}

/* The records of bucket k up to `end`, from where the dealer's chain was left. */
static int64_t read_turn(spmv__dealer *dealer, int64_t k, uintptr_t end, uint16_t *low,
                         int32_t *col, unsigned char *val)
{
    const uintptr_t mask = dealer->mask, full = dealer->last + dealer->record;
    const size_t size = spmv_type_size(dealer->how.type);
    uintptr_t p = dealer->from[k];
    int64_t n = 0;
    while (end > mask && p != end) {
        if ((p & mask) == full) {
            const uintptr_t next = *next_block(dealer, p);
            spmv__release_pages((void *)(p & ~mask), dealer->how.block);
            p = next;
        }
        const uintptr_t stop = (p | mask) == (end | mask) ? end : (p & ~mask) + full;
        const int64_t more = (int64_t)((stop - p) / dealer->record);
        const unsigned char *records = (const unsigned char *)p;
        unsigned char *to = size == 0 ? NULL : val + (size_t)n * size;
        if (size == 0) take_records(records, more, 0, low + n, col + n, to);
        if (size == 8) take_records(records, more, 8, low + n, col + n, to);
        if (size == 16) take_records(records, more, 16, low + n, col + n, to);
        n += more;
        p = stop;
    }
    dealer->from[k] = p;
    return n;
}

void spmv__deck_read(spmv__deck *deck, int64_t k, uint16_t *low, int32_t *col, void *val)
{
    const size_t size = spmv_type_size(deck->dealer->how.type);
    int64_t n = 0;
    for (int64_t i = 0; i < deck->turns; i++) {
        const spmv__turn *turn = deck->turn[i];
        unsigned char *to = size == 0 ? NULL : (unsigned char *)val + (size_t)n * size;
        n += read_turn(turn->dealer, k, turn->end[k], low + n, col + n, to);
    }
    for (int t = 0; t < deck->dealers; t++) {
        const spmv__dealer *dealer = &deck->dealer[t];
        if (dealer->from[k] > dealer->mask)
            spmv__release_pages((void *)(dealer->from[k] & ~dealer->mask), dealer->how.block);
    }
}
