/* order_names.c -- the names of the nodes of a graph by ascending bytes.
 *
 * Some names, sorted, cut the order of bytes into ranges with about as many names each.  The names
 * of each shard are distributed to the ranges; then each range is put in order by one thread alone,
 * and stands after those before it. */
#include "core/matrix/format.h"
#include "formats/common/name.h"
#include "formats/names/node_names.h"

#include <stdlib.h>
#include <string.h>

enum { RANGES_PER_THREAD = 4, SAMPLE_PER_RANGE = 16, RANGE_MIN = 1 << 10 };

/* The names of a shard by range. */
typedef struct shard_names {
    int64_t n;
    int64_t *slot;  /* [n] of names by range, */
    int64_t *begin; /* [ranges + 1] each of which begins here */
    int64_t *size;  /* [ranges] bytes of text, with a 0 after each name */
} shard_names;

typedef struct ordering {
    const spmv__node_names *names;
    shard_names *shard; /* [shards] */
    int64_t shards;
    spmv__node_name *cut; /* [ranges - 1] where ranges begin, but the first */
    int64_t ranges;
    int64_t *first; /* [ranges + 1] the number of the first name of a range */
    int64_t *text;  /* [ranges + 1] where its text begins */
    int64_t *rank;
    spmv_labels labels;
} ordering;

/* ---- Ranges --------------------------------------------------------------------------------- */

static int compare_names(const void *a, const void *b)
{
    const spmv__node_name *x = a, *y = b;
    const int64_t both = x->length < y->length ? x->length : y->length;
    const int order = memcmp(x->p, y->p, (size_t)both);
    return order != 0 ? order : (x->length > y->length) - (x->length < y->length);
}

/* Take names out of slots that are spread evenly over all; hashes have no order. */
static spmv_status choose_cuts(ordering *o, int64_t names, spmv_error *err)
{
    const int64_t wanted = o->ranges * SAMPLE_PER_RANGE, step = names / wanted + 1;
    spmv__node_name *sample = NULL;
    int64_t slots = 0, n = 0;
    spmv_status st;
    for (int64_t s = 0; s < o->shards; s++) slots += spmv__node_names_slots(o->names, s) / step + 1;
    SPMV__TRY(spmv__alloc(&sample, slots, sizeof *sample, "some names", err));
    SPMV__TRY(spmv__alloc(&o->cut, o->ranges, sizeof *o->cut, "ranges of names", err));
    for (int64_t s = 0; s < o->shards; s++)
        for (int64_t k = 0; k < spmv__node_names_slots(o->names, s); k += step)
            n += spmv__node_names_at(o->names, s, k, &sample[n]);
    qsort(sample, (size_t)n, sizeof *sample, compare_names);
    if (n < o->ranges) o->ranges = 1;
    for (int64_t r = 1; r < o->ranges; r++) o->cut[r - 1] = sample[r * n / o->ranges];
done:
    free(sample);
    return st;
}

/* How many cuts are not beyond that name. */
static int64_t range_of(const ordering *o, const spmv__node_name *name)
{
    int64_t low = 0, high = o->ranges - 1;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (compare_names(&o->cut[middle], name) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Sort the names of shard s by range: count, then put each into its place. */
static spmv_status sort_by_range(const ordering *o, int64_t s)
{
    const int64_t slots = spmv__node_names_slots(o->names, s);
    shard_names *shard = &o->shard[s];
    spmv__node_name name;
    int32_t *range = NULL;
    int64_t *next = NULL;
    spmv_status st;
    SPMV__TRY(spmv__alloc(&shard->begin, o->ranges + 1, sizeof *shard->begin, "names", NULL));
    SPMV__TRY(spmv__alloc(&shard->size, o->ranges, sizeof *shard->size, "names", NULL));
    SPMV__TRY(spmv__alloc(&next, o->ranges, sizeof *next, "names", NULL));
    SPMV__TRY(spmv__alloc_unset(&range, slots, sizeof *range, "names", NULL));
    for (int64_t k = 0; k < slots; k++) {
        range[k] = -1;
        if (!spmv__node_names_at(o->names, s, k, &name)) continue;
        range[k] = (int32_t)range_of(o, &name);
        shard->begin[range[k] + 1]++;
        shard->size[range[k]] += name.length + 1;
    }
    spmv__counts_to_offsets(shard->begin, o->ranges);
    shard->n = shard->begin[o->ranges];
    SPMV__TRY(spmv__alloc_unset(&shard->slot, shard->n, sizeof *shard->slot, "names", NULL));
    memcpy(next, shard->begin, (size_t)o->ranges * sizeof *next);
    for (int64_t k = 0; k < slots; k++)
        if (range[k] >= 0) shard->slot[next[range[k]]++] = k;
done:
    free(range);
    free(next);
    return st;
}

/* ---- One range ------------------------------------------------------------------------------ */

/* Copy the names of a range, and their numbers, in some order. */
static void gather_range(const ordering *o, int64_t r, spmv_labels *some, int64_t *number)
{
    spmv__node_name name;
    int64_t n = 0;
    some->name_ptr[0] = 0;
    for (int64_t s = 0; s < o->shards; s++) {
        const shard_names *shard = &o->shard[s];
        for (int64_t i = shard->begin[r]; i < shard->begin[r + 1]; i++, n++) {
            spmv__node_names_at(o->names, s, shard->slot[i], &name);
            char *p = some->names + some->name_ptr[n];
            memcpy(p, name.p, (size_t)name.length);
            p[name.length] = '\0';
            some->name_ptr[n + 1] = some->name_ptr[n] + name.length + 1;
            number[n] = name.number;
        }
    }
}

/* Give the names of a range their places among all, in that order. */
static void place_range(const ordering *o, int64_t r, const spmv_labels *some, const int64_t *order,
                        const int64_t *number)
{
    enum { AHEAD = 16 };
    int64_t place = o->first[r], text = o->text[r];
    for (int64_t i = 0; i < some->n; i++, place++) {
        const int64_t begin = some->name_ptr[order[i]];
        const int64_t size = some->name_ptr[order[i] + 1] - begin;
        if (i + AHEAD < some->n) __builtin_prefetch(some->names + some->name_ptr[order[i + AHEAD]]);
        memcpy(o->labels.names + text, some->names + begin, (size_t)size);
        o->labels.name_ptr[place] = text;
        text += size;
        o->rank[number[order[i]]] = place;
    }
}

static spmv_status order_range(const ordering *o, int64_t r)
{
    spmv_labels some = {.n = o->first[r + 1] - o->first[r], .first = 1};
    int64_t *number = NULL, *order = NULL;
    spmv_status st;
    SPMV__TRY(spmv__alloc_unset(&some.name_ptr, some.n + 1, sizeof *some.name_ptr, "names", NULL));
    SPMV__TRY(spmv__alloc_unset(&some.names, o->text[r + 1] - o->text[r], 1, "names", NULL));
    SPMV__TRY(spmv__alloc_unset(&number, some.n, sizeof *number, "names", NULL));
    gather_range(o, r, &some, number);
    SPMV__TRY(spmv__name_order(&order, &some, NULL));
    place_range(o, r, &some, order, number);
done:
    spmv_labels_destroy(&some);
    free(number);
    free(order);
    return st;
}

/* ---- All of them ---------------------------------------------------------------------------- */

/* Where the names of each range go; returns how many numbers there are. */
static int64_t add_up(ordering *o)
{
    int64_t longest = 0;
    for (int64_t s = 0; s < o->shards; s++) {
        const shard_names *shard = &o->shard[s];
        for (int64_t r = 0; r < o->ranges; r++) {
            o->first[r + 1] += shard->begin[r + 1] - shard->begin[r];
            o->text[r + 1] += shard->size[r];
        }
        if (shard->n > longest) longest = shard->n;
    }
    spmv__counts_to_offsets(o->first, o->ranges);
    spmv__counts_to_offsets(o->text, o->ranges);
    return longest * o->shards;
}

static spmv_status order_ranges(ordering *o, int threads, spmv_error *err)
{
    spmv_labels *labels = &o->labels;
    bool enough = true;
    spmv_status st;
    SPMV__TRY(spmv__alloc(&o->first, o->ranges + 1, sizeof *o->first, "ranges of names", err));
    SPMV__TRY(spmv__alloc(&o->text, o->ranges + 1, sizeof *o->text, "ranges of names", err));
    SPMV__TRY(spmv__alloc_unset(&o->rank, add_up(o), sizeof *o->rank, "names in order", err));
    labels->n = o->first[o->ranges];
    SPMV__TRY(spmv__alloc_unset(&labels->name_ptr, labels->n + 1, sizeof *labels->name_ptr,
                                "labels", err));
    SPMV__TRY(spmv__alloc_unset(&labels->names, o->text[o->ranges], 1, "labels", err));
    labels->name_ptr[labels->n] = o->text[o->ranges];
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) reduction(&& : enough)
    for (int64_t r = 0; r < o->ranges; r++) enough = enough && order_range(o, r) == SPMV_SUCCESS;
    if (!enough)
        st = spmv__fail(err, SPMV_ERROR_OUT_OF_MEMORY, "no memory for the names of the nodes");
done:
    return st;
}

static spmv_status sort_all_by_range(ordering *o, int threads, spmv_error *err)
{
    bool enough = true;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) reduction(&& : enough)
    for (int64_t s = 0; s < o->shards; s++) enough = enough && sort_by_range(o, s) == SPMV_SUCCESS;
    return enough
               ? SPMV_SUCCESS
               : spmv__fail(err, SPMV_ERROR_OUT_OF_MEMORY, "no memory for the names of the nodes");
}

static void destroy(ordering *o)
{
    for (int64_t s = 0; o->shard != NULL && s < o->shards; s++) {
        free(o->shard[s].slot);
        free(o->shard[s].begin);
        free(o->shard[s].size);
    }
    free(o->shard);
    free(o->cut);
    free(o->first);
    free(o->text);
    free(o->rank);
    spmv_labels_destroy(&o->labels);
}

spmv_status spmv__node_names_settle(spmv__node_names *names, int threads, const int64_t **rank,
                                    spmv_labels *labels, spmv_error *err)
{
    const int64_t n = spmv__node_names_count(names);
    const int64_t most = (int64_t)threads * RANGES_PER_THREAD, worth = n / RANGE_MIN + 1;
    ordering o = {.names = names,
                  .shards = spmv__node_names_shards(names),
                  .ranges = worth < most ? worth : most,
                  .labels = {.first = 1}};
    spmv_status st;
    spmv__node_names_close(names);
    SPMV__TRY(spmv__alloc(&o.shard, o.shards, sizeof *o.shard, "names in order", err));
    if (o.ranges > 1) SPMV__TRY(choose_cuts(&o, n, err));
    SPMV__TRY(sort_all_by_range(&o, threads, err));
    SPMV__TRY(order_ranges(&o, threads, err));
    *rank = o.rank;
    *labels = o.labels;
    spmv__node_names_renumber(names, o.rank);
    o.rank = NULL;
    o.labels = (spmv_labels){0};
done:
    destroy(&o);
    return st;
}
