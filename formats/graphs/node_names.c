/* node_names.c -- nodes that are words: a hash table of their names.
 *
 * A slot holds all of a name of up to 16 bytes, as nearly all are, so that a look-up waits for
 * memory once; of longer ones it holds the hash, and where the text is.  Names are asked for ahead
 * of their answers: one that is asked for has its slot fetched, a long one halfway through the
 * queue its text.  The hash begins at random: no file can be made whose names all meet. */
#include "formats/graphs/node_names.h"
#include "core/base/random.h"
#include "formats/common/name.h"

#include <stdlib.h>
#include <unistd.h>

enum { FIRST_SLOTS = 1 << 12, FIRST_TEXT = 1 << 16, NUMBER_BITS = 40, SHORT = 16, QUEUE = 32 };
#define NUMBER_MASK ((UINT64_C(1) << NUMBER_BITS) - 1)
#define LONGEST (UINT64_MAX >> NUMBER_BITS) /* stands for all lengths from there on */

/* What a slot and a question compare of a name: of one that is short its first and last bytes,
 * which are all of them; else the hash first. */
typedef struct name_image {
    uint64_t length, hash, first, last;
} name_image;

typedef struct name_slot {
    uint64_t key;         /* number + 1, and the length above it; 0: the slot is empty */
    uint64_t first, last; /* of the image; last of a long name: where it begins in text */
} name_slot;

typedef struct name_question {
    const char *name;
    name_image image;
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
    spmv_status status; /* no name is added any more */
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
static name_image image_of(uint64_t seed, const char *p, size_t length)
{
    if (length < 8) {
        const uint64_t few = load_few(p, length);
        return (name_image){length, spmv__mix(seed ^ length ^ few), few, 0};
    }
    const char *end = p + length - 8;
    const uint64_t first = load_eight(p), last = load_eight(end);
    uint64_t h = spmv__mix(seed ^ length ^ first);
    for (p += 8; p < end; p += 8) h = spmv__mix(h ^ load_eight(p));
    h = spmv__mix(h ^ last);
    return (name_image){length, h, length > SHORT ? h : first, last};
}

static int64_t most_names(int64_t slots)
{
    return slots / 3 * 2;
}

static name_slot *first_slot(const spmv__node_names *names, uint64_t hash)
{
    return &names->slot[hash & (uint64_t)(names->slots - 1)];
}

static uint64_t length_in_slot(const name_image *image)
{
    return image->length < LONGEST ? image->length : LONGEST;
}

static bool is_called(const spmv__node_names *names, const name_slot *slot, const char *name,
                      const name_image *image)
{
    const uint64_t length = image->length, begin = slot->last;
    if (slot->key >> NUMBER_BITS != length_in_slot(image) || slot->first != image->first)
        return false;
    if (length <= SHORT) return slot->last == image->last;
    return (uint64_t)names->size - begin > length && names->text[begin + length] == '\0' &&
           memcmp(names->text + begin, name, length) == 0;
}

/* The slot of that name: its own, or the empty one where it belongs. */
static name_slot *find_slot(const spmv__node_names *names, const char *name,
                            const name_image *image)
{
    name_slot *slot = first_slot(names, image->hash), *end = names->slot + names->slots;
    while (slot->key != 0 && !is_called(names, slot, name, image))
        slot = slot + 1 < end ? slot + 1 : names->slot;
    return slot;
}

static void fill_slot(const spmv__node_names *names, name_slot *slot, const name_image *image,
                      int64_t number)
{
    slot->key = length_in_slot(image) << NUMBER_BITS | (uint64_t)(number + 1);
    slot->first = image->first;
    slot->last = image->length > SHORT ? (uint64_t)names->begin[number] : image->last;
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

static void put_name(spmv__node_names *names, const name_image *image, int64_t number)
{
    name_slot *slot = first_slot(names, image->hash), *end = names->slot + names->slots;
    while (slot->key != 0) slot = slot + 1 < end ? slot + 1 : names->slot;
    fill_slot(names, slot, image, number);
}

/* Put all names, which are different, into empty slots; these are fetched ahead. */
static void put_all_names(spmv__node_names *names)
{
    name_image image[QUEUE];
    for (int64_t i = 0; i < names->n + QUEUE; i++) {
        if (i >= QUEUE) put_name(names, &image[i % QUEUE], i - QUEUE);
        if (i >= names->n) continue;
        const int64_t begin = names->begin[i];
        image[i % QUEUE] =
            image_of(names->seed, names->text + begin, (size_t)(names->begin[i + 1] - begin) - 1);
        __builtin_prefetch(first_slot(names, image[i % QUEUE].hash));
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
    put_all_names(names);
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
    const size_t length = (size_t)q->image.length;
    const spmv_status st = make_room(names, length, err);
    if (st != SPMV_SUCCESS) return st;
    fill_slot(names, find_slot(names, q->name, &q->image), &q->image, names->n);
    memcpy(names->text + names->size, q->name, length);
    names->text[names->size + (int64_t)length] = '\0';
    names->size += (int64_t)length + 1;
    *q->number = names->n++;
    names->begin[names->n] = names->size;
    return SPMV_SUCCESS;
}

/* ---- Questions and answers ------------------------------------------------------------------ */

static spmv_status answer_one(spmv__node_names *names, spmv_error *err)
{
    const name_question *q = &names->queue[names->answered++ % QUEUE];
    const name_slot *slot = find_slot(names, q->name, &q->image);
    if (slot->key == 0) return names->status = add_name(names, q, err);
    *q->number = (int64_t)(slot->key & NUMBER_MASK) - 1;
    if (names->rank != NULL) *q->number = names->rank[*q->number];
    return SPMV_SUCCESS;
}

static void fetch_text(const spmv__node_names *names, const name_slot *slot)
{
    if (slot->key >> NUMBER_BITS > SHORT) __builtin_prefetch(names->text + slot->last);
}

static spmv_status fail_again(const spmv__node_names *names, spmv_error *err)
{
    return spmv__fail(err, names->status, "no memory for the names of the nodes");
}

spmv_status spmv__node_names_ask(spmv__node_names *names, const char *name, size_t length,
                                 int64_t *number, spmv_error *err)
{
    const name_image image = image_of(names->seed, name, length);
    const name_slot *slot = first_slot(names, image.hash);
    spmv_status st = SPMV_SUCCESS;
    if (names->status != SPMV_SUCCESS) return fail_again(names, err);
    __builtin_prefetch(slot);
    __builtin_prefetch((const char *)(slot + 1) - 1); /* it may be in two lines of the cache */
    if (names->asked - names->answered == QUEUE) st = answer_one(names, err);
    names->queue[names->asked++ % QUEUE] = (name_question){name, image, number};
    if (names->asked - names->answered > QUEUE / 2) {
        const name_question *q = &names->queue[(names->asked - QUEUE / 2) % QUEUE];
        if (q->image.length > SHORT) fetch_text(names, first_slot(names, q->image.hash));
    }
    return st;
}

spmv_status spmv__node_names_answer(spmv__node_names *names, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    if (names->status != SPMV_SUCCESS) return fail_again(names, err);
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

spmv_labels spmv__node_names_list(const spmv__node_names *names)
{
    return (spmv_labels){.n = names->n, .name_ptr = names->begin, .names = names->text};
}

spmv_status spmv__node_names_settle(spmv__node_names *names, const int64_t **rank,
                                    spmv_labels *labels, spmv_error *err)
{
    const int64_t n = names->n;
    const spmv_labels given = spmv__node_names_list(names);
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
