/* buckets.c -- chains of blocks, and reading them turn by turn. */
#include "core/assemble/buckets.h"
#include "core/base/pages.h"

#include <stdlib.h>

enum { RELEASED_AT_ONCE = 64 }; /* slabs */

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

/* Those of its first block, before that, the address of the slab that the group had before. */
static uintptr_t *slab_before(const spmv__dealer *dealer, uintptr_t slab)
{
    return next_block(dealer, slab) - 1;
}

static int64_t groups(const spmv__dealing *how)
{
    return ((how->buckets - 1) >> how->group_shift) + 1;
}

static int64_t sets(const spmv__dealing *how)
{
    return ((groups(how) - 1) >> how->set_shift) + 1;
}

/* ---- Dealing -------------------------------------------------------------------------------- */

static spmv_status open_dealer(spmv__dealer *dealer, const spmv__dealing *how, spmv__chunks *chunks,
                               spmv_error *err)
{
    spmv_status st;
    uintptr_t written;
    *dealer = (spmv__dealer){.how = *how, .chunks = chunks};
    dealer->key = spmv__key_of(how);
    dealer->record = (uintptr_t)dealer->key.bytes + spmv_type_size(how->type);
    dealer->mask = (uintptr_t)how->block - 1;
    /* A key is written as eight bytes, whatever it has. */
    written = dealer->record > sizeof(uint64_t) ? dealer->record : sizeof(uint64_t);
    dealer->last = dealer->mask + 1 - 2 * sizeof(uintptr_t) - written;
    dealer->last -= dealer->last % dealer->record;
    SPMV__TRY(spmv__alloc(&dealer->at, how->buckets, sizeof *dealer->at, "buckets", err));
    SPMV__TRY(spmv__alloc(&dealer->from, how->buckets, sizeof *dealer->from, "buckets", err));
    SPMV__TRY(spmv__alloc(&dealer->blocks, how->buckets, sizeof *dealer->blocks, "buckets", err));
    SPMV__TRY(spmv__alloc(&dealer->group, groups(how), sizeof *dealer->group, "buckets", err));
    for (int64_t k = 0; k < how->buckets; k++) dealer->at[k] = dealer->mask;
done:
    return st;
}

static void close_dealer(spmv__dealer *dealer)
{
    for (spmv__turn *turn = dealer->turn; turn != NULL;) {
        spmv__turn *before = turn->before;
        free(turn);
        turn = before;
    }
    free(dealer->at);
    free(dealer->from);
    free(dealer->blocks);
    free(dealer->group);
}

spmv_status spmv__deck_open(spmv__deck *deck, const spmv__dealing *how, int dealers,
                            spmv_error *err)
{
    const size_t lots = (size_t)sets(how) * sizeof *deck->chunks->set;
    spmv_status st;
    *deck = (spmv__deck){0};
    SPMV__TRY(spmv__alloc(&deck->chunks, 1, sizeof *deck->chunks + lots, "entries", err));
    SPMV__TRY(spmv__alloc(&deck->dealer, dealers, sizeof *deck->dealer, "buckets", err));
    while (deck->dealers < dealers)
        SPMV__TRY(open_dealer(&deck->dealer[deck->dealers++], how, deck->chunks, err));
done:
    return st;
}

void spmv__deck_close(spmv__deck *deck)
{
    for (int t = 0; t < deck->dealers; t++) close_dealer(&deck->dealer[t]);
    for (void *chunk = deck->chunks == NULL ? NULL : deck->chunks->last; chunk != NULL;) {
        void *before = *(void **)chunk;
        free(chunk);
        chunk = before;
    }
    free(deck->chunks);
    free(deck->dealer);
    free(deck->turn);
    free(deck->unread);
    *deck = (spmv__deck){0};
}

/* Another chunk where there is none with a free lot; false: out of memory. */
static bool add_chunk(spmv__chunks *chunks, const spmv__dealing *how)
{
    const uintptr_t lot = (uintptr_t)how->lot, size = (uintptr_t)how->chunk + lot;
    void *chunk;
    if (chunks->spare < chunks->end) return true;
    if (spmv__alloc(&chunk, 1, size, "entries", NULL) != SPMV_SUCCESS) return false;
    *(void **)chunk = chunks->last;
    chunks->last = chunk;
    chunks->spare = ((uintptr_t)chunk | (lot - 1)) + 1;
    chunks->end = ((uintptr_t)chunk + size) & -lot;
    return true;
}

/* Another lot for a set where there is none with a free slab; false: out of memory. */
static bool add_lot(spmv__chunks *chunks, const spmv__dealing *how, spmv__lot *set)
{
    if (set->spare < set->end) return true;
    if (!add_chunk(chunks, how)) return false;
    set->spare = chunks->spare;
    set->end = chunks->spare += (uintptr_t)how->lot;
    return true;
}

/* Another slab for group g; false: out of memory. */
static bool add_slab(const spmv__dealer *dealer, int64_t g)
{
    spmv__slabs *group = &dealer->group[g];
    spmv__lot *set = &dealer->chunks->set[g >> dealer->how.set_shift];
    uintptr_t slab = 0;
#pragma omp critical(spmv__slab)
    if (add_lot(dealer->chunks, &dealer->how, set)) {
        slab = set->spare;
        set->spare += (uintptr_t)dealer->how.slab;
    }
    if (slab == 0) return false;
    *slab_before(dealer, slab) = group->last;
    group->last = group->spare = slab;
    group->end = slab + (uintptr_t)dealer->how.slab;
    return true;
}

uintptr_t spmv__dealer_block(spmv__dealer *dealer, int64_t k)
{
    const int64_t g = k >> dealer->how.group_shift;
    spmv__slabs *group = &dealer->group[g];
    if (group->spare == group->end && !add_slab(dealer, g)) return 0;
    const uintptr_t block = group->spare;
    group->spare += dealer->mask + 1;
    dealer->blocks[k]++;
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
    const spmv__dealing *how = &deck->dealer->how;
    spmv_status st;
    SPMV__TRY(spmv__alloc(&deck->turn, turns, sizeof *deck->turn, "turns", err));
    SPMV__TRY(spmv__alloc(&deck->unread, groups(how), sizeof *deck->unread, "buckets", err));
    deck->turns = turns;
    for (void *chunk = deck->chunks->last; chunk != NULL; chunk = *(void **)chunk)
        spmv__pages_stay_small(chunk, how->chunk + how->lot);
    for (int64_t k = 0; k < how->buckets; k++) deck->unread[k >> how->group_shift]++;
    for (int t = 0; t < deck->dealers; t++)
        for (spmv__turn *turn = deck->dealer[t].turn; turn != NULL; turn = turn->before)
            deck->turn[turn->number] = turn;
done:
    return st;
}

int64_t spmv__deck_count(const spmv__deck *deck, int64_t k)
{
    uintptr_t n = 0;
    for (int t = 0; t < deck->dealers; t++) {
        const spmv__dealer *dealer = &deck->dealer[t];
        if (dealer->blocks[k] == 0) continue;
        n += (uintptr_t)(dealer->blocks[k] - 1) * (dealer->last / dealer->record + 1);
        n += (dealer->at[k] & dealer->mask) / dealer->record;
    }
    return (int64_t)n;
}

/* Where a turn begins in bucket k: where the one before it ends. */
static uintptr_t turn_begin(const spmv__turn *turn, int64_t k)
{
    const spmv__dealer *dealer = turn->dealer;
    const bool first = turn->before == NULL || turn->before->end[k] <= dealer->mask;
    return first ? dealer->from[k] : turn->before->end[k];
}

/* Blocks lie anywhere: the processor foresees the next one only when it is told, which saves a
 * seventh of the time for sorting.  What is no block yet does no harm. */
static void prefetch_next(const spmv__dealer *dealer, uintptr_t at)
{
    enum { CACHE_LINE = 64 };
    const uintptr_t next = *next_block(dealer, at);
    for (uintptr_t i = 0; i <= dealer->mask; i += CACHE_LINE)
        __builtin_prefetch((const void *)(next + i));
}

bool spmv__deck_next(const spmv__deck *deck, int64_t k, spmv__run *run)
{
    const spmv__dealer *like = deck->dealer;
    const uintptr_t mask = like->mask, full = like->last + like->record;
    while (run->next == run->end) {
        if (run->turn == deck->turns) return false;
        const spmv__turn *turn = deck->turn[run->turn++];
        run->end = turn->end[k];
        run->next = run->end > mask ? turn_begin(turn, k) : run->end;
    }
    uintptr_t p = run->next;
    if ((p & mask) == full) p = *next_block(like, p);
    run->next = (p | mask) == (run->end | mask) ? run->end : (p & ~mask) + full;
    prefetch_next(like, p);
    run->record = (const unsigned char *)p;
    run->n = (int64_t)((run->next - p) / like->record);
    return true;
}

/* The memory of a group that was read. */
static void release_group(const spmv__deck *deck, int64_t g)
{
    struct iovec slabs[RELEASED_AT_ONCE];
    int n = 0;
    for (int t = 0; t < deck->dealers; t++) {
        const spmv__dealer *dealer = &deck->dealer[t];
        for (uintptr_t slab = dealer->group[g].last; slab != 0;) {
            if (n == RELEASED_AT_ONCE) spmv__pages_release(slabs, n);
            n %= RELEASED_AT_ONCE;
            slabs[n++] = (struct iovec){(void *)slab, (size_t)dealer->how.slab};
            slab = *slab_before(dealer, slab);
        }
    }
    spmv__pages_release(slabs, n);
}

void spmv__deck_drop(spmv__deck *deck, int64_t k)
{
    const int64_t g = k >> deck->dealer->how.group_shift;
    int64_t unread;
#pragma omp atomic capture acq_rel
    unread = --deck->unread[g];
    if (unread == 0) release_group(deck, g);
}
