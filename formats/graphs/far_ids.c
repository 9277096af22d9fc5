/* far_ids.c -- the table of the ids that one thread met.
 *
 * The first bits of the hash are the place where an id is looked for, so that a table that grows is
 * read and written from its beginning to its end.  Ids are looked for in batches: while one is
 * compared, the slots of the next ones come from memory. */
#include "formats/graphs/far_ids.h"
#include "core/base/random.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIRST_BITS = 12 };

static int64_t most_ids(int bits)
{
    return ((int64_t)1 << bits) / 3 * 2;
}

SPMV__INLINE uint64_t first_slot(uint64_t key, uint64_t seed, int bits)
{
    return spmv__mix(key ^ seed) >> (64 - bits);
}

/* The slot of a key: its own, or the empty one where it belongs. */
SPMV__INLINE uint64_t find_slot(const uint64_t *keys, uint64_t mask, uint64_t key, uint64_t slot)
{
    while (keys[slot] != key && keys[slot] != 0) slot = (slot + 1) & mask;
    return slot;
}

/* ---- Growing -------------------------------------------------------------------------------- */

/* Put what is in one table into a larger one. */
static void move_slots(const spmv__far_ids *from, spmv__far_ids *to)
{
    const uint64_t slots = from->bits > 0 ? UINT64_C(1) << from->bits : 0;
    const uint64_t mask = (UINT64_C(1) << to->bits) - 1;
    for (uint64_t i = 0; i < slots; i++) {
        const uint64_t key = from->key[i];
        if (key == 0) continue;
        const uint64_t slot = find_slot(to->key, mask, key, first_slot(key, to->seed, to->bits));
        to->key[slot] = key;
        to->number[slot] = from->number[i];
    }
}

static void free_slots(spmv__far_ids *ids)
{
    free(ids->key);
    free(ids->number);
    ids->key = NULL;
    ids->number = NULL;
    ids->bits = 0;
}

static uint64_t make_seed(const spmv__far_ids *ids)
{
    uint64_t seed;
    return getentropy(&seed, sizeof seed) == 0 ? seed : spmv__mix((uintptr_t)ids);
}

static spmv_status grow(spmv__far_ids *ids)
{
    spmv__far_ids larger = *ids;
    spmv_status st;
    larger.key = NULL;
    larger.number = NULL;
    larger.bits = ids->bits > 0 ? ids->bits + 1 : FIRST_BITS;
    if (ids->bits == 0) larger.seed = make_seed(ids);
    const int64_t slots = (int64_t)1 << larger.bits;
    SPMV__TRY(spmv__alloc_unset(&larger.key, slots, sizeof *larger.key, "ids", NULL));
    SPMV__TRY(spmv__alloc_unset(&larger.number, slots, sizeof *larger.number, "ids", NULL));
    memset(larger.key, 0, (size_t)slots * sizeof *larger.key);
    move_slots(ids, &larger);
    free_slots(ids);
    *ids = larger;
    larger = (spmv__far_ids){0};
done:
    free_slots(&larger);
    return st;
}

/* ---- Numbers -------------------------------------------------------------------------------- */

spmv_status spmv__far_ids_number(spmv__far_ids *ids, const uint64_t *id, int n, uint32_t *number)
{
    uint64_t first[SPMV__FAR_BATCH];
    spmv_status st = SPMV_SUCCESS;
    while (st == SPMV_SUCCESS && (ids->bits == 0 || ids->n + n > most_ids(ids->bits)))
        st = grow(ids);
    if (st != SPMV_SUCCESS) return st;

    const spmv__far_ids all = *ids;
    const uint64_t mask = (UINT64_C(1) << all.bits) - 1;
    uint32_t met = (uint32_t)all.n;
    for (int i = 0; i < n; i++) {
        first[i] = first_slot(id[i] + 1, all.seed, all.bits);
        __builtin_prefetch(&all.key[first[i]]);
        __builtin_prefetch(&all.number[first[i]]);
    }
    for (int i = 0; i < n; i++) {
        const uint64_t key = id[i] + 1, slot = find_slot(all.key, mask, key, first[i]);
        if (all.key[slot] == 0) {
            all.key[slot] = key;
            all.number[slot] = met++;
        }
        number[i] = all.number[slot];
    }
    ids->n = met;
    return SPMV_SUCCESS;
}

void spmv__far_ids_destroy(spmv__far_ids *ids)
{
    free_slots(ids);
}
