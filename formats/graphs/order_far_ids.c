/* order_far_ids.c -- the ids that threads met are put in order.
 *
 * Their first bits divide them into parts, which threads sort one by one, in the cache: a radix
 * sort of the bits that are left.  Where ids are so uneven that most are in one part, one thread
 * sorts those, in as many steps for each. */
#include "formats/graphs/far_ids.h"
#include "core/matrix/format.h"

#include <stdlib.h>
#include <string.h>

enum { PART_IDS = 1 << 12, PARTS_MAX = 1 << 11 }; /* so many ids in a part, where they are even */
enum { DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS, SHORT = 32 };

typedef struct met_id {
    uint64_t id;   /* less the least one */
    int64_t place; /* of its number among those of all threads */
} met_id;

/* Some memory of a thread. */
typedef struct spare {
    met_id *met; /* [room] */
    int64_t room;
} spare;

typedef struct far_ordering {
    spmv__far_ids *ids; /* [tables] */
    int tables;
    uint64_t least;
    int shift;       /* bits in which the ids of a part differ */
    int64_t parts;   /* these have the same bits above */
    int64_t *first;  /* [tables + 1] where the numbers of a thread begin */
    int64_t *next;   /* [tables][parts] where the next id of a thread and a part goes */
    int64_t *begin;  /* [parts + 1] */
    int64_t *before; /* [parts + 1] different ids in the parts before */
    met_id *met;     /* [first[tables]] by parts */
} far_ordering;

/* ---- Parts ---------------------------------------------------------------------------------- */

/* As many parts as there are ids for, or more by a factor of two. */
static void divide(far_ordering *o, uint64_t range)
{
    const int64_t all = o->first[o->tables];
    o->shift = 0;
    while ((range >> o->shift) >= PARTS_MAX ||
           (range >> o->shift) / 2 >= (uint64_t)all / PART_IDS + 1)
        o->shift++;
    o->parts = (int64_t)(range >> o->shift) + 1;
}

static int64_t part_of(const far_ordering *o, uint64_t key)
{
    return (int64_t)((key - 1 - o->least) >> o->shift);
}

static void count_parts(const far_ordering *o, int t)
{
    const spmv__far_ids *ids = &o->ids[t];
    int64_t *count = o->next + t * o->parts;
    for (int64_t i = 0; ids->n > 0 && i < (int64_t)1 << ids->bits; i++)
        if (ids->key[i] != 0) count[part_of(o, ids->key[i])]++;
}

/* Counts become the places where ids go. */
static void counts_to_places(far_ordering *o)
{
    int64_t place = 0;
    for (int64_t part = 0; part < o->parts; part++) {
        o->begin[part] = place;
        for (int t = 0; t < o->tables; t++) {
            int64_t *next = &o->next[t * o->parts + part];
            const int64_t count = *next;
            *next = place;
            place += count;
        }
    }
    o->begin[o->parts] = place;
}

/* Ids go into their parts, and the table is used up. */
static void spread(const far_ordering *o, int t)
{
    spmv__far_ids *ids = &o->ids[t];
    int64_t *next = o->next + t * o->parts;
    for (int64_t i = 0; ids->n > 0 && i < (int64_t)1 << ids->bits; i++)
        if (ids->key[i] != 0)
            o->met[next[part_of(o, ids->key[i])]++] =
                (met_id){ids->key[i] - 1 - o->least, o->first[t] + ids->number[i]};
    spmv__far_ids_destroy(ids);
}

/* ---- Order ---------------------------------------------------------------------------------- */

static void sort_short(met_id *met, int64_t n)
{
    for (int64_t i = 1; i < n; i++) {
        const met_id one = met[i];
        int64_t k = i;
        for (; k > 0 && met[k - 1].id > one.id; k--) met[k] = met[k - 1];
        met[k] = one;
    }
}

/* Move by the digit above `low` bits; false: all have the same. */
static bool move_by_digit(const met_id *from, met_id *to, int64_t n, int low)
{
    int64_t next[DIGITS] = {0}, place = 0;
    for (int64_t i = 0; i < n; i++) next[from[i].id >> low & (DIGITS - 1)]++;
    if (next[from->id >> low & (DIGITS - 1)] == n) return false;
    for (int d = 0; d < DIGITS; d++) {
        const int64_t count = next[d];
        next[d] = place;
        place += count;
    }
    for (int64_t i = 0; i < n; i++) to[next[from[i].id >> low & (DIGITS - 1)]++] = from[i];
    return true;
}

static void sort_long(met_id *met, met_id *other, int64_t n, int bits)
{
    met_id *from = met, *to = other;
    for (int low = 0; low < bits; low += DIGIT_BITS) {
        if (!move_by_digit(from, to, n, low)) continue;
        met_id *swap = from;
        from = to;
        to = swap;
    }
    if (from != met) memcpy(met, from, (size_t)n * sizeof *met);
}

static spmv_status sort_part(const far_ordering *o, int64_t part, spare *own)
{
    met_id *met = o->met + o->begin[part];
    const int64_t n = o->begin[part + 1] - o->begin[part];
    spmv_status st = SPMV_SUCCESS;
    if (n <= SHORT) {
        sort_short(met, n);
        return st;
    }
    if (n > own->room) {
        free(own->met);
        own->met = NULL;
        own->room = 0;
        SPMV__TRY(spmv__alloc_unset(&own->met, n, sizeof *own->met, "ids", NULL));
        own->room = n;
    }
    sort_long(met, own->met, n, o->shift);
done:
    return st;
}

/* Whether an id of a part is the first of its kind. */
static bool is_new(const far_ordering *o, int64_t part, int64_t i)
{
    return i == o->begin[part] || o->met[i].id != o->met[i - 1].id;
}

static int64_t count_different(const far_ordering *o, int64_t part)
{
    int64_t n = 0;
    for (int64_t i = o->begin[part]; i < o->begin[part + 1]; i++) n += is_new(o, part, i);
    return n;
}

/* Sort all parts, and count their ids. */
static spmv_status sort_parts(const far_ordering *o, int threads, spmv_error *err)
{
    bool enough = true;
#pragma omp parallel num_threads(threads) reduction(&& : enough)
    {
        spare own = {0};
#pragma omp for schedule(dynamic, 1)
        for (int64_t part = 0; part < o->parts; part++) {
            enough = enough && sort_part(o, part, &own) == SPMV_SUCCESS;
            if (enough) o->before[part + 1] = count_different(o, part);
        }
        free(own.met);
    }
    if (!enough) return spmv__fail(err, SPMV_ERROR_OUT_OF_MEMORY, "no memory to sort ids");
    spmv__counts_to_offsets(o->before, o->parts);
    return SPMV_SUCCESS;
}

static void give_ranks(const far_ordering *o, int64_t part, spmv__far_order *out)
{
    int64_t n = o->before[part];
    for (int64_t i = o->begin[part]; i < o->begin[part + 1]; i++) {
        if (is_new(o, part, i)) out->id[n++] = (int64_t)(o->met[i].id + o->least);
        out->rank[o->met[i].place] = (int32_t)(n - 1);
    }
}

/* ---- All of it ------------------------------------------------------------------------------ */

static spmv_status open(far_ordering *o, uint64_t range, spmv_error *err)
{
    spmv_status st;
    SPMV__TRY(spmv__alloc(&o->first, o->tables + 1, sizeof *o->first, "numbers of ids", err));
    for (int t = 0; t < o->tables; t++) o->first[t + 1] = o->first[t] + o->ids[t].n;
    divide(o, range);
    SPMV__TRY(spmv__alloc(&o->next, o->tables * o->parts, sizeof *o->next, "numbers of ids", err));
    SPMV__TRY(spmv__alloc(&o->begin, o->parts + 1, sizeof *o->begin, "numbers of ids", err));
    SPMV__TRY(spmv__alloc(&o->before, o->parts + 1, sizeof *o->before, "numbers of ids", err));
    SPMV__TRY(spmv__alloc_unset(&o->met, o->first[o->tables], sizeof *o->met, "ids", err));
done:
    return st;
}

static void make_parts(far_ordering *o, int threads)
{
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (int t = 0; t < o->tables; t++) count_parts(o, t);
    counts_to_places(o);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (int t = 0; t < o->tables; t++) spread(o, t);
}

static spmv_status give_numbers(const far_ordering *o, int threads, spmv__far_order *out,
                                spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    out->nodes = o->before[o->parts];
    if (out->nodes > INT32_MAX) return st;
    SPMV__TRY(
        spmv__alloc_unset(&out->id, out->nodes, sizeof *out->id, "the ids of the nodes", err));
    SPMV__TRY(spmv__alloc_unset(&out->rank, o->first[o->tables], sizeof *out->rank,
                                "numbers of nodes", err));
    for (int t = 0; t < o->tables; t++) o->ids[t].rank = out->rank + o->first[t];
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (int64_t part = 0; part < o->parts; part++) give_ranks(o, part, out);
done:
    return st;
}

spmv_status spmv__far_ids_order(spmv__far_ids *ids, int tables, uint64_t least, uint64_t most,
                                spmv__far_order *out, spmv_error *err)
{
    far_ordering o = {.ids = ids, .tables = tables, .least = least};
    spmv_status st;
    *out = (spmv__far_order){0};
    SPMV__TRY(open(&o, most - least, err));
    make_parts(&o, tables);
    SPMV__TRY(sort_parts(&o, tables, err));
    SPMV__TRY(give_numbers(&o, tables, out, err));
done:
    free(o.first);
    free(o.next);
    free(o.begin);
    free(o.before);
    free(o.met);
    return st;
}
