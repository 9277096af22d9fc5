/* node_names.c -- nodes that are words: a hash table of their names.
 *
 * Each look-up waits for memory twice, for a slot and for the name that it points to.  Names are
 * therefore asked for ahead of their answers: one that is asked for has its slot fetched, one
 * halfway through the queue its name.  That took reading 4 million edges between 174,000 nodes
 * from 1.2 s to 0.7 s. The hash begins at random: no file can be made whose names all meet. */
#include "formats/graphs/node_names.h"
#include "core/base/random.h"
#include "formats/common/name.h"

#include <stdlib.h>
#include <unistd.h>

enum { FIRST_SLOTS = 1 << 12, FIRST_TEXT = 1 << 16, NUMBER_BITS = 40, QUEUE = 32 };
#define NUMBER_MASK ((UINT64_C(1) << NUMBER_BITS) - 1)

/* Where a name is. */
typedef struct name_slot {
    uint64_t key;  /* number + 1, and the highest bits of the hash; 0: the slot is empty */
    int64_t begin; /* in text */
} name_slot;

typedef struct name_question {
    const char *name;
    size_t length;
    uint64_t hash;
    int64_t *number;
} name_question;

struct spmv__node_names {
    char *text; /* the names, a 0 behind each */
    int64_t size, room;
    int64_t *begin; /* [most of slots + 1] where each begins in text; begin[n] is size */
    int64_t n;
    name_slot *slot; /* [slots] */
    int64_t slots;   /* a power of two */
    uint64_t seed;
    int64_t *rank; /* [n] NULL: numbers are in the order of text */
    name_question queue[QUEUE];
    int64_t asked, answered;
};

/* ---- Looking up ----------------------------------------------------------------------------- */

static uint64_t load_eight(const char *p)
{
    uint64_t eight;
    memcpy(&eight, p, sizeof eight);
    return eight;
}

/* Up to 8 bytes, in some order: two fours that may overlap, or three single ones. */
static uint64_t load_few(const char *p, size_t length)
{
    const unsigned char *u = (const unsigned char *)p;
    uint32_t first, last;
    if (length < 4) return (uint64_t)u[0] << 16 | (uint64_t)u[length / 2] << 8 | u[length - 1];
    memcpy(&first, p, sizeof first);
    memcpy(&last, p + length - 4, sizeof last);
    return (uint64_t)first << 32 | last;
}

/* By eights, of which the last may overlap the one before it; length > 0. */
static uint64_t hash_of(uint64_t seed, const char *p, size_t length)
{
    uint64_t h = seed ^ length;
    if (length < 8) return spmv__mix(h ^ load_few(p, length));
    const char *last = p + length - 8;
    for (; p < last; p += 8) h = spmv__mix(h ^ load_eight(p));
    return spmv__mix(h ^ load_eight(last));
}

static bool equal_bytes(const char *a, const char *b, size_t length)
{
    if (length < 8) return load_few(a, length) == load_few(b, length);
    const size_t last = length - 8;
    for (size_t i = 0; i < last; i += 8)
        if (load_eight(a + i) != load_eight(b + i)) return false;
    return load_eight(a + last) == load_eight(b + last);
}

static int64_t most_names(int64_t slots)
{
    return slots / 3 * 2;
}

static name_slot *first_slot(const spmv__node_names *names, uint64_t hash)
{
    return &names->slot[hash & (uint64_t)(names->slots - 1)];
}

static bool is_called(const spmv__node_names *names, int64_t begin, const char *name, size_t length)
{
    const char *word = names->text + begin;
    return names->size - begin > (int64_t)length && word[length] == '\0' &&
           equal_bytes(word, name, length);
}

/* The slot of that name: its own, or the empty one where it belongs. */
static name_slot *find_slot(const spmv__node_names *names, uint64_t hash, const char *name,
                            size_t length)
{
    name_slot *slot = first_slot(names, hash), *end = names->slot + names->slots;
    while (slot->key != 0 &&
           ((slot->key ^ hash) >> NUMBER_BITS != 0 || !is_called(names, slot->begin, name, length)))
        slot = slot + 1 < end ? slot + 1 : names->slot;
    return slot;
}

/* ---- Growing -------------------------------------------------------------------------------- */

/* Move *array of `used` elements to room for `count`. */
static spmv_status grow(void *array, int64_t used, int64_t count, size_t size, spmv_error *err)
{
    void **old = array, *larger;
    const spmv_status st = spmv__alloc_unset(&larger, count, size, "the names of the nodes", err);
    if (st != SPMV_SUCCESS) return st;
    if (used > 0) memcpy(larger, *old, (size_t)used * size);
    free(*old);
    *old = larger;
    return SPMV_SUCCESS;
}

static void put_slot(spmv__node_names *names, uint64_t hash, int64_t number)
{
    name_slot *slot = first_slot(names, hash), *end = names->slot + names->slots;
    while (slot->key != 0) slot = slot + 1 < end ? slot + 1 : names->slot;
    *slot = (name_slot){(uint64_t)(number + 1) | (hash & ~NUMBER_MASK), names->begin[number]};
}

/* Put all names, which are different, into empty slots; these are fetched ahead. */
static void fill_slots(spmv__node_names *names)
{
    uint64_t hash[QUEUE];
    for (int64_t i = 0; i < names->n + QUEUE; i++) {
        if (i >= QUEUE) put_slot(names, hash[i % QUEUE], i - QUEUE);
        if (i >= names->n) continue;
        const int64_t begin = names->begin[i];
        hash[i % QUEUE] =
            hash_of(names->seed, names->text + begin, (size_t)(names->begin[i + 1] - begin) - 1);
        __builtin_prefetch(first_slot(names, hash[i % QUEUE]));
    }
}

static spmv_status grow_slots(spmv__node_names *names, int64_t slots, spmv_error *err)
{
    name_slot *larger;
    spmv_status st;
    SPMV__TRY(grow(&names->begin, names->n > 0 ? names->n + 1 : 0, most_names(slots) + 1,
                   sizeof *names->begin, err));
    SPMV__TRY(spmv__alloc(&larger, slots, sizeof *larger, "the names of the nodes", err));
    free(names->slot);
    names->slot = larger;
    names->slots = slots;
    fill_slots(names);
done:
    return st;
}

static spmv_status make_room(spmv__node_names *names, size_t length, spmv_error *err)
{
    const int64_t needed = names->size + (int64_t)length + 1;
    if (needed > names->room) {
        const int64_t room = needed + names->room;
        const spmv_status st = grow(&names->text, names->size, room, 1, err);
        if (st != SPMV_SUCCESS) return st;
        names->room = room;
    }
    return names->n < most_names(names->slots) ? SPMV_SUCCESS
                                               : grow_slots(names, 2 * names->slots, err);
}

static spmv_status add_name(spmv__node_names *names, const name_question *q, spmv_error *err)
{
    const spmv_status st = make_room(names, q->length, err);
    if (st != SPMV_SUCCESS) return st;
    name_slot *slot = find_slot(names, q->hash, q->name, q->length);
    *q->number = names->n++;
    *slot = (name_slot){(uint64_t)names->n | (q->hash & ~NUMBER_MASK), names->size};
    memcpy(names->text + names->size, q->name, q->length);
    names->text[names->size + (int64_t)q->length] = '\0';
    names->size += (int64_t)q->length + 1;
    names->begin[names->n] = names->size;
    return SPMV_SUCCESS;
}

/* ---- Questions and answers ------------------------------------------------------------------ */

static spmv_status answer_one(spmv__node_names *names, spmv_error *err)
{
    const name_question *q = &names->queue[names->answered++ % QUEUE];
    const name_slot *slot = find_slot(names, q->hash, q->name, q->length);
    if (slot->key == 0) return add_name(names, q, err);
    *q->number = (int64_t)(slot->key & NUMBER_MASK) - 1;
    if (names->rank != NULL) *q->number = names->rank[*q->number];
    return SPMV_SUCCESS;
}

spmv_status spmv__node_names_ask(spmv__node_names *names, const char *name, size_t length,
                                 int64_t *number, spmv_error *err)
{
    const uint64_t hash = hash_of(names->seed, name, length);
    spmv_status st = SPMV_SUCCESS;
    if (names->asked - names->answered == QUEUE) st = answer_one(names, err);
    names->queue[names->asked++ % QUEUE] = (name_question){name, length, hash, number};
    __builtin_prefetch(first_slot(names, hash));
    if (names->asked - names->answered > QUEUE / 2) {
        const name_question *q = &names->queue[(names->asked - QUEUE / 2) % QUEUE];
        __builtin_prefetch(names->text + first_slot(names, q->hash)->begin);
    }
    return st;
}

spmv_status spmv__node_names_answer(spmv__node_names *names, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    while (names->answered < names->asked && st == SPMV_SUCCESS) st = answer_one(names, err);
    names->answered = names->asked;
    return st;
}

/* ---- From the first to the last ------------------------------------------------------------- */

spmv_status spmv__node_names_create(spmv__node_names **out, spmv_error *err)
{
    spmv__node_names *names = NULL;
    spmv_status st;
    SPMV__TRY(spmv__alloc(&names, 1, sizeof *names, "the names of the nodes", err));
    if (getentropy(&names->seed, sizeof names->seed) != 0) names->seed = (uintptr_t)names;
    SPMV__TRY(grow(&names->text, 0, FIRST_TEXT, 1, err));
    names->room = FIRST_TEXT;
    SPMV__TRY(grow_slots(names, FIRST_SLOTS, err));
    names->begin[0] = 0;
    *out = names;
    names = NULL;
done:
    spmv__node_names_destroy(names);
    return st;
}

void spmv__node_names_destroy(spmv__node_names *names)
{
    if (names == NULL) return;
    free(names->text);
    free(names->begin);
    free(names->slot);
    free(names->rank);
    free(names);
}

bool spmv__node_names_have_word(const spmv__node_names *names)
{
    for (int64_t i = 0; i < names->n; i++) {
        const char *name = names->text + names->begin[i];
        if (name[strspn(name, "+-. 0123456789")] != '\0') return true;
    }
    return false;
}

spmv_status spmv__node_names_settle(spmv__node_names *names, const int64_t **rank,
                                    spmv_labels *labels, spmv_error *err)
{
    const int64_t n = names->n;
    const spmv_labels given = {.n = n, .name_ptr = names->begin, .names = names->text};
    spmv_labels made = {.n = n, .first = 1};
    int64_t *order = NULL;
    spmv_status st;

    SPMV__TRY(spmv__name_order(&order, &given, err));
    SPMV__TRY(spmv__alloc_unset(&names->rank, n, sizeof *names->rank, "names in order", err));
    SPMV__TRY(spmv__alloc_unset(&made.name_ptr, n + 1, sizeof *made.name_ptr, "labels", err));
    SPMV__TRY(spmv__alloc_unset(&made.names, names->size, 1, "labels", err));
    made.name_ptr[0] = 0;
    for (int64_t i = 0; i < n; i++) {
        const int64_t begin = names->begin[order[i]], size = names->begin[order[i] + 1] - begin;
        if (i + QUEUE < n) __builtin_prefetch(names->text + names->begin[order[i + QUEUE]]);
        memcpy(made.names + made.name_ptr[i], names->text + begin, (size_t)size);
        made.name_ptr[i + 1] = made.name_ptr[i] + size;
        names->rank[order[i]] = i;
    }
    *rank = names->rank;
    *labels = made;
    made = (spmv_labels){0};
done:
    free(order);
    spmv_labels_destroy(&made);
    return st;
}
