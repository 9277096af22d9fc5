/* node_names.c -- nodes that are words: a hash table of their names that threads share.
 *
 * A slot holds all of a name of up to 24 bytes, as nearly all are, so that a look-up waits for
 * memory once; of longer ones it holds the hash, and where the text is.  A name that is there is
 * found without a lock: what a slot holds is complete before its key is, and never changes.
 *
 * A new name is added under the lock of its shard: the hash divides the names into shards, each
 * with a table of its own, which grows for itself.  While others may still look into the table of
 * before, it is kept; who does not find a name there looks again under the lock. */
#include "formats/names/node_names.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIRST_SLOTS = 1 << 6, FIRST_TEXT = 1 << 10, TEXT_MAX = 1 << 20, NUMBER_BITS = 40 };
enum { SHARDS_PER_THREAD = 4, CACHE_LINE = 64 };
#define NUMBER_MASK ((UINT64_C(1) << NUMBER_BITS) - 1)
#define LONGEST (UINT64_MAX >> NUMBER_BITS) /* stands for all lengths from there on */

typedef struct name_slot {
    uint64_t key; /* number within the shard + 1, and the length above it; 0: the slot is empty */
    uint64_t part[SPMV__NAME_PARTS]; /* of the digest; of a long name the hash, and its address */
} name_slot;

typedef struct name_table {
    struct name_table *before; /* which others may still look into */
    void *memory;              /* of this and the slots */
    uint64_t slots;            /* a power of two */
    _Alignas(
        CACHE_LINE) name_slot slot[]; /* [slots] none of which lies in two lines of the cache */
} name_table;

/* Text of long names, a 0 after each. */
typedef struct name_text {
    struct name_text *before;
    size_t size, room;
    char text[];
} name_text;

/* What all threads read and what one of them writes lies in different lines of the cache. */
typedef struct name_shard {
    _Alignas(CACHE_LINE) name_table *table;
    _Alignas(CACHE_LINE) pthread_mutex_t lock; /* of what follows, and of adding to the table */
    int64_t n;
    name_text *text; /* the last one */
} name_shard;

struct spmv__node_names {
    name_shard *shard; /* [shards] */
    int shard_bits;    /* shards are 2^shard_bits */
    int threads;       /* that ask; one alone shares nothing */
    bool failed;       /* there was no memory for a name, and none is numbered any more */
    uint64_t seed[2];
    int64_t *rank; /* NULL: numbers are as they were met */
    void *memory;  /* of the shards */
};

/* ---- Looking up ----------------------------------------------------------------------------- */

static name_shard *shard_of(const spmv__node_names *names, uint64_t hash)
{
    return &names->shard[names->shard_bits > 0 ? hash >> (64 - names->shard_bits) : 0];
}

static name_table *table_of(const name_shard *shard)
{
    return __atomic_load_n(&shard->table, __ATOMIC_ACQUIRE);
}

static name_slot *first_slot(name_table *table, uint64_t hash)
{
    return &table->slot[hash & (table->slots - 1)];
}

static uint64_t length_in_key(uint64_t length)
{
    return (length < LONGEST ? length : LONGEST) << NUMBER_BITS;
}

static bool is_called(const name_slot *slot, uint64_t key, const spmv__name_question *q)
{
    const spmv__name_digest *digest = &q->digest;
    const uint64_t other =
        ((key & ~NUMBER_MASK) ^ length_in_key(digest->length)) | (slot->part[0] ^ digest->part[0]);
    if (digest->length <= SPMV__SHORT_NAME)
        return (other | (slot->part[1] ^ digest->part[1]) | (slot->part[2] ^ digest->part[2])) == 0;
    const char *name = (const char *)(uintptr_t)slot->part[1];
    return other == 0 && strncmp(name, q->name, digest->length) == 0 &&
           name[digest->length] == '\0';
}

/* The slot of a name: its own, or the empty one where it belongs; *key is what it holds. */
SPMV__INLINE name_slot *find_slot(name_table *table, const spmv__name_question *q, uint64_t *key)
{
    name_slot *slot = first_slot(table, q->digest.hash), *end = table->slot + table->slots;
    while ((*key = __atomic_load_n(&slot->key, __ATOMIC_ACQUIRE)) != 0 && !is_called(slot, *key, q))
        slot = slot + 1 < end ? slot + 1 : table->slot;
    return slot;
}

/* ---- Growing -------------------------------------------------------------------------------- */

static int64_t most_names(uint64_t slots)
{
    return (int64_t)(slots / 3 * 2);
}

/* Put what is in one table into a larger one. */
static void move_slots(const spmv__node_names *names, const name_table *from, name_table *to)
{
    for (uint64_t i = 0; i < from->slots; i++) {
        const name_slot *old = &from->slot[i];
        const uint64_t length = old->key >> NUMBER_BITS;
        if (old->key == 0) continue;
        const uint64_t hash = length <= SPMV__SHORT_NAME
                                  ? spmv__name_hash(names->seed, old->part, length)
                                  : old->part[0];
        uint64_t k = hash & (to->slots - 1);
        while (to->slot[k].key != 0) k = (k + 1) & (to->slots - 1);
        to->slot[k] = *old;
    }
}

/* The first line of the cache that begins in some memory. */
static void *first_line(void *memory)
{
    return (void *)(((uintptr_t)memory + CACHE_LINE - 1) & -(uintptr_t)CACHE_LINE);
}

static spmv_status grow_table(const spmv__node_names *names, name_shard *shard, uint64_t slots,
                              spmv_error *err)
{
    name_table *before = shard->table, *larger;
    const size_t bytes = CACHE_LINE + sizeof *larger + slots * sizeof *larger->slot;
    void *memory;
    spmv_status st;
    SPMV__TRY(spmv__alloc(&memory, 1, bytes, "the names of the nodes", err));
    larger = first_line(memory);
    larger->memory = memory;
    larger->slots = slots;
    if (before != NULL) move_slots(names, before, larger);
    if (names->threads > 1)
        larger->before = before;
    else if (before != NULL)
        free(before->memory);
    __atomic_store_n(&shard->table, larger, __ATOMIC_RELEASE);
done:
    return st;
}

/* Keep the text of a name; *kept is its address. */
static spmv_status keep_text(name_shard *shard, const char *name, size_t length, uint64_t *kept)
{
    name_text *text = shard->text;
    if (text == NULL || text->room - text->size <= length) {
        const size_t usual = text == NULL            ? FIRST_TEXT
                             : text->room < TEXT_MAX ? 2 * text->room
                                                     : TEXT_MAX;
        const size_t room = length < usual ? usual : length + 1;
        const spmv_status st =
            spmv__alloc_unset(&text, 1, sizeof *text + room, "the names of the nodes", NULL);
        if (st != SPMV_SUCCESS) return st;
        *text = (name_text){.before = shard->text, .room = room};
        shard->text = text;
    }
    char *p = text->text + text->size;
    memcpy(p, name, length);
    p[length] = '\0';
    text->size += length + 1;
    *kept = (uintptr_t)p;
    return SPMV_SUCCESS;
}

/* Add a name, unless another thread has; *key is that of its slot. */
static spmv_status add_name(const spmv__node_names *names, name_shard *shard,
                            const spmv__name_question *q, uint64_t *key)
{
    const spmv__name_digest *digest = &q->digest;
    name_slot *slot = find_slot(shard->table, q, key);
    spmv_status st = SPMV_SUCCESS;
    if (*key != 0) return st;
    if (shard->n == most_names(shard->table->slots)) {
        SPMV__TRY(grow_table(names, shard, 2 * shard->table->slots, NULL));
        slot = find_slot(shard->table, q, key);
    }
    memcpy(slot->part, digest->part, sizeof slot->part);
    if (digest->length > SPMV__SHORT_NAME)
        SPMV__TRY(keep_text(shard, q->name, digest->length, &slot->part[1]));
    *key = length_in_key(digest->length) | (uint64_t)++shard->n;
    __atomic_store_n(&slot->key, *key, __ATOMIC_RELEASE);
done:
    return st;
}

/* ---- Questions and answers ------------------------------------------------------------------ */

static bool has_failed(const spmv__node_names *names)
{
    return __atomic_load_n(&names->failed, __ATOMIC_RELAXED);
}

static spmv_status fail(spmv__node_names *names, spmv_error *err)
{
    __atomic_store_n(&names->failed, true, __ATOMIC_RELAXED);
    return spmv__fail(err, SPMV_ERROR_OUT_OF_MEMORY, "no memory for the names of the nodes");
}

static void take_number(const spmv__node_names *names, const name_shard *shard, uint64_t key,
                        int64_t *out)
{
    const int64_t number =
        ((int64_t)(key & NUMBER_MASK) - 1) << names->shard_bits | (shard - names->shard);
    *out = names->rank == NULL ? number : names->rank[number];
}

/* Answer a question where the name is there. */
SPMV__INLINE bool find_name(const spmv__node_names *names, const spmv__name_question *q)
{
    const name_shard *shard = shard_of(names, q->digest.hash);
    uint64_t key;
    find_slot(table_of(shard), q, &key);
    if (key != 0) take_number(names, shard, key, q->number);
    return key != 0;
}

/* Answer a question whose name may have to be added.  Unless it may wait, *busy may come of it, and
 * no answer. */
static spmv_status answer(spmv__node_names *names, const spmv__name_question *q, bool *busy,
                          spmv_error *err)
{
    name_shard *shard = shard_of(names, q->digest.hash);
    const bool may_wait = busy == NULL;
    uint64_t key;
    if (may_wait) pthread_mutex_lock(&shard->lock);
    if (!may_wait && (*busy = pthread_mutex_trylock(&shard->lock) != 0)) return SPMV_SUCCESS;
    const spmv_status st = add_name(names, shard, q, &key);
    pthread_mutex_unlock(&shard->lock);
    if (st != SPMV_SUCCESS) return fail(names, err);
    take_number(names, shard, key, q->number);
    return SPMV_SUCCESS;
}

spmv_status spmv__node_names_number(spmv__node_names *names, const char *name, size_t length,
                                    int64_t *number, spmv_error *err)
{
    char copy[SPMV__SHORT_NAME] = {0};
    spmv__name_question q = {name, number, {0}};
    if (length <= sizeof copy) memcpy(copy, name, length);
    spmv__name_digest_of(names->seed, length <= sizeof copy ? copy : name, length, &q.digest);
    if (has_failed(names)) return fail(names, err);
    return find_name(names, &q) ? SPMV_SUCCESS : answer(names, &q, NULL, err);
}

/* Make the digests of names, and fetch the slots where they are looked for. */
static void prepare(const spmv__node_names *names, spmv__name_question *q, int n)
{
    const uint64_t seed[2] = {names->seed[0], names->seed[1]};
    for (int i = 0; i < n; i++) {
        spmv__name_digest *digest = &q[i].digest;
        spmv__name_digest_of(seed, q[i].name, digest->length, digest);
        __builtin_prefetch(first_slot(table_of(shard_of(names, digest->hash)), digest->hash));
    }
}

/* What is not there is added; first where no other thread holds the lock, as one may hold it for as
 * long as a table grows. */
spmv_status spmv__name_queue_answer(spmv__name_queue *queue, spmv_error *err)
{
    spmv__node_names *names = queue->names;
    spmv__name_question *q = queue->question;
    int missing = 0, waiting = 0;
    spmv_status st = has_failed(names) ? fail(names, err) : SPMV_SUCCESS;
    prepare(names, q, queue->n);
    for (int i = 0; i < queue->n; i++)
        if (!find_name(names, &q[i])) q[missing++] = q[i];
    for (int i = 0; i < missing && st == SPMV_SUCCESS; i++) {
        bool busy;
        st = answer(names, &q[i], &busy, err);
        if (busy) q[waiting++] = q[i];
    }
    for (int i = 0; i < waiting && st == SPMV_SUCCESS; i++) st = answer(names, &q[i], NULL, err);
    queue->n = 0;
    return st;
}

/* ---- From the first to the last ------------------------------------------------------------- */

static spmv_status open_shards(spmv__node_names *names, spmv_error *err)
{
    const int64_t shards = spmv__node_names_shards(names);
    spmv_status st;
    SPMV__TRY(spmv__alloc(&names->memory, shards + 1, sizeof *names->shard,
                          "the names of the nodes", err));
    names->shard = first_line(names->memory);
    for (int64_t s = 0; s < shards; s++) pthread_mutex_init(&names->shard[s].lock, NULL);
    for (int64_t s = 0; s < shards; s++)
        SPMV__TRY(grow_table(names, &names->shard[s], FIRST_SLOTS, err));
done:
    return st;
}

spmv_status spmv__node_names_create(spmv__node_names **out, int threads, spmv_error *err)
{
    spmv__node_names *names = NULL;
    spmv_status st;
    SPMV__TRY(spmv__alloc(&names, 1, sizeof *names, "the names of the nodes", err));
    if (getentropy(names->seed, sizeof names->seed) != 0) {
        names->seed[0] = (uintptr_t)names;
        names->seed[1] = spmv__mix(names->seed[0]);
    }
    names->threads = threads;
    while (threads > 1 && 1 << names->shard_bits < SHARDS_PER_THREAD * threads) names->shard_bits++;
    SPMV__TRY(open_shards(names, err));
    *out = names;
    names = NULL;
done:
    spmv__node_names_destroy(names);
    return st;
}

static void free_tables(name_table *table)
{
    while (table != NULL) {
        name_table *before = table->before;
        free(table->memory);
        table = before;
    }
}

static void close_shard(name_shard *shard)
{
    free_tables(shard->table);
    while (shard->text != NULL) {
        name_text *before = shard->text->before;
        free(shard->text);
        shard->text = before;
    }
    pthread_mutex_destroy(&shard->lock);
}

void spmv__node_names_destroy(spmv__node_names *names)
{
    if (names == NULL) return;
    const int64_t shards = names->shard == NULL ? 0 : spmv__node_names_shards(names);
#pragma omp parallel for schedule(dynamic, 1) num_threads(names->threads)
    for (int64_t s = 0; s < shards; s++) close_shard(&names->shard[s]);
    free(names->memory);
    free(names->rank);
    free(names);
}

/* ---- All of them ---------------------------------------------------------------------------- */

int64_t spmv__node_names_shards(const spmv__node_names *names)
{
    return (int64_t)1 << names->shard_bits;
}

int64_t spmv__node_names_slots(const spmv__node_names *names, int64_t shard)
{
    return (int64_t)names->shard[shard].table->slots;
}

bool spmv__node_names_at(const spmv__node_names *names, int64_t shard, int64_t slot,
                         spmv__node_name *out)
{
    const name_slot *at = &names->shard[shard].table->slot[slot];
    const int64_t length = (int64_t)(at->key >> NUMBER_BITS);
    if (at->key == 0) return false;
    out->number = ((int64_t)(at->key & NUMBER_MASK) - 1) << names->shard_bits | shard;
    out->p =
        length <= SPMV__SHORT_NAME ? (const char *)at->part : (const char *)(uintptr_t)at->part[1];
    out->length = (uint64_t)length < LONGEST ? length : (int64_t)strlen(out->p);
    return true;
}

int64_t spmv__node_names_count(const spmv__node_names *names)
{
    int64_t n = 0;
    for (int64_t s = 0; s < spmv__node_names_shards(names); s++) n += names->shard[s].n;
    return n;
}

void spmv__node_names_close(spmv__node_names *names)
{
    for (int64_t s = 0; s < spmv__node_names_shards(names); s++) {
        name_table *last = names->shard[s].table;
        free_tables(last->before);
        last->before = NULL;
    }
}

void spmv__node_names_renumber(spmv__node_names *names, int64_t *rank)
{
    free(names->rank);
    names->rank = rank;
}
