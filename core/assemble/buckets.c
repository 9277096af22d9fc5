/* buckets.c -- chains of blocks, and reading them stretch by stretch. */
#include "core/assemble/buckets.h"

#include <stdlib.h>

enum { RELEASED_AT_ONCE = 64 }; /* slabs */

struct spmv__stretch {
    spmv__stretch *before; /* of the same writer */
    spmv__bucket_writer *writer;
    int64_t number;
    uintptr_t end[]; /* [buckets] */
};

/* The last bytes of a block hold the address of the next one. */
static uintptr_t *next_block(const spmv__bucket_writer *writer, uintptr_t at)
{
    return (uintptr_t *)((at | writer->mask) + 1 - sizeof(uintptr_t));
}

/* In the first block of a slab, the bytes before that hold the address of the slab that the group
 * had before. */
static uintptr_t *slab_before(const spmv__bucket_writer *writer, uintptr_t slab)
{
    return next_block(writer, slab) - 1;
}

static int64_t groups(const spmv__bucket_layout *how)
{
    return ((how->buckets - 1) >> how->group_shift) + 1;
}

static int64_t sets(const spmv__bucket_layout *how)
{
    return ((groups(how) - 1) >> how->set_shift) + 1;
}

/* ---- Writing -------------------------------------------------------------------------------- */

static spmv_status open_writer(spmv__bucket_writer *writer, const spmv__bucket_layout *how,
                               spmv__chunks *chunks, spmv_error *err)
{
    spmv_status st;
    uintptr_t written;
    *writer = (spmv__bucket_writer){.how = *how, .chunks = chunks};
    writer->key = spmv__key_of(how);
    writer->record = (uintptr_t)writer->key.bytes + spmv_type_size(how->type);
    writer->mask = (uintptr_t)how->block - 1;
    /* A key is written as eight bytes, whatever it has. */
    written = writer->record > sizeof(uint64_t) ? writer->record : sizeof(uint64_t);
    writer->last = writer->mask + 1 - 2 * sizeof(uintptr_t) - written;
    writer->last -= writer->last % writer->record;
    SPMV__TRY(spmv__alloc(&writer->at, how->buckets, sizeof *writer->at, "buckets", err));
    SPMV__TRY(spmv__alloc(&writer->from, how->buckets, sizeof *writer->from, "buckets", err));
    SPMV__TRY(spmv__alloc(&writer->blocks, how->buckets, sizeof *writer->blocks, "buckets", err));
    SPMV__TRY(spmv__alloc(&writer->group, groups(how), sizeof *writer->group, "buckets", err));
    for (int64_t k = 0; k < how->buckets; k++) writer->at[k] = writer->mask;
done:
    return st;
}

static void close_writer(spmv__bucket_writer *writer)
{
    for (spmv__stretch *stretch = writer->stretch; stretch != NULL;) {
        spmv__stretch *before = stretch->before;
        free(stretch);
        stretch = before;
    }
    free(writer->at);
    free(writer->from);
    free(writer->blocks);
    free(writer->group);
}

spmv_status spmv__bucket_store_open(spmv__bucket_store *store, const spmv__bucket_layout *how,
                                    int writers, spmv_error *err)
{
    const size_t extents = (size_t)sets(how) * sizeof *store->chunks->set;
    spmv_status st;
    *store = (spmv__bucket_store){0};
    SPMV__TRY(spmv__alloc(&store->chunks, 1, sizeof *store->chunks + extents, "entries", err));
    SPMV__TRY(spmv__alloc(&store->writer, writers, sizeof *store->writer, "buckets", err));
    while (store->writers < writers)
        SPMV__TRY(open_writer(&store->writer[store->writers++], how, store->chunks, err));
done:
    return st;
}

void spmv__bucket_store_close(spmv__bucket_store *store)
{
    for (int t = 0; t < store->writers; t++) close_writer(&store->writer[t]);
    for (void *chunk = store->chunks == NULL ? NULL : store->chunks->last; chunk != NULL;) {
        void *before = *(void **)chunk;
        free(chunk);
        chunk = before;
    }
    free(store->chunks);
    free(store->writer);
    free(store->stretch);
    free(store->unread);
    *store = (spmv__bucket_store){0};
}

/* Another chunk where there is none with a free extent; false: out of memory. */
static bool add_chunk(spmv__chunks *chunks, const spmv__bucket_layout *how)
{
    const uintptr_t extent = (uintptr_t)how->extent, size = (uintptr_t)how->chunk + extent;
    void *chunk;
    if (chunks->spare < chunks->end) return true;
    if (spmv__alloc(&chunk, 1, size, "entries", NULL) != SPMV_SUCCESS) return false;
    *(void **)chunk = chunks->last;
    chunks->last = chunk;
    chunks->spare = ((uintptr_t)chunk | (extent - 1)) + 1;
    chunks->end = ((uintptr_t)chunk + size) & -extent;
    return true;
}

/* Another extent; 0: out of memory. */
static uintptr_t take_extent(spmv__chunks *chunks, const spmv__bucket_layout *how)
{
    if (!add_chunk(chunks, how)) return 0;
    const uintptr_t extent = chunks->spare;
    chunks->spare += (uintptr_t)how->extent;
    return extent;
}

/* The next slab of the extent that a set has; 0: it has none left. */
static uintptr_t next_slab(spmv__extent *set, const spmv__bucket_layout *how)
{
    const uintptr_t within = (uintptr_t)how->extent - 1;
    uintptr_t slab = __atomic_load_n(&set->spare, __ATOMIC_RELAXED);
    while ((slab & within) != 0 &&
           !__atomic_compare_exchange_n(&set->spare, &slab, slab + (uintptr_t)how->slab, true,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        continue;
    return (slab & within) != 0 ? slab : 0;
}

/* The first slab of another extent for a set; 0: out of memory.  *ahead: the one after that, if
 * its pages are to be made. */
static uintptr_t begin_extent(spmv__chunks *chunks, const spmv__bucket_layout *how,
                              spmv__extent *set, uintptr_t *ahead)
{
    const uintptr_t extent = set->ahead != 0 ? set->ahead : take_extent(chunks, how);
    if (extent == 0) return 0;
    __atomic_store_n(&set->spare, extent + (uintptr_t)how->slab, __ATOMIC_RELAXED);
    if (how->ahead) *ahead = set->ahead = take_extent(chunks, how);
    return extent;
}

/* A slab of a set; 0: out of memory. */
static uintptr_t take_slab(spmv__chunks *chunks, const spmv__bucket_layout *how, spmv__extent *set)
{
    uintptr_t slab = next_slab(set, how), ahead = 0;
    if (slab != 0) return slab;
#pragma omp critical(spmv__slab)
    {
        slab = next_slab(set, how);
        if (slab == 0) slab = begin_extent(chunks, how, set, &ahead);
    }
    if (ahead != 0) spmv__pages_make((void *)ahead, 0, how->extent);
    return slab;
}

/* Another slab for group g; false: out of memory. */
static bool add_slab(const spmv__bucket_writer *writer, int64_t g)
{
    spmv__slabs *group = &writer->group[g];
    const uintptr_t slab =
        take_slab(writer->chunks, &writer->how, &writer->chunks->set[g >> writer->how.set_shift]);
    if (slab == 0) return false;
    *slab_before(writer, slab) = group->last;
    group->last = group->spare = slab;
    group->end = slab + (uintptr_t)writer->how.slab;
    return true;
}

uintptr_t spmv__bucket_new_block(spmv__bucket_writer *writer, int64_t k)
{
    const int64_t g = k >> writer->how.group_shift;
    spmv__slabs *group = &writer->group[g];
    if (group->spare == group->end && !add_slab(writer, g)) return 0;
    const uintptr_t block = group->spare;
    group->spare += writer->mask + 1;
    writer->blocks[k]++;
    if (writer->at[k] > writer->mask)
        *next_block(writer, writer->at[k]) = block;
    else
        writer->from[k] = block;
    return block;
}

spmv_status spmv__bucket_end_stretch(spmv__bucket_writer *writer, int64_t number, spmv_error *err)
{
    const size_t ends = (size_t)writer->how.buckets * sizeof *writer->at;
    spmv__stretch *stretch;
    const spmv_status st = spmv__alloc(&stretch, 1, sizeof *stretch + ends, "buckets", err);
    if (st != SPMV_SUCCESS) return st;
    stretch->before = writer->stretch;
    stretch->writer = writer;
    stretch->number = number;
    memcpy(stretch->end, writer->at, ends);
    writer->stretch = stretch;
    return SPMV_SUCCESS;
}

/* ---- Reading -------------------------------------------------------------------------------- */

/* The memory of extents that were not needed. */
static void release_spare(const spmv__chunks *chunks, const spmv__bucket_layout *how)
{
    struct iovec spare[2];
    for (int64_t s = 0; s < sets(how); s++) {
        const spmv__extent *set = &chunks->set[s];
        const uintptr_t rest = -set->spare & ((uintptr_t)how->extent - 1);
        spare[0] = (struct iovec){(void *)set->spare, rest};
        spare[1] = (struct iovec){(void *)set->ahead, set->ahead != 0 ? (size_t)how->extent : 0};
        spmv__pages_release(spare, 2);
    }
}

spmv_status spmv__bucket_store_order(spmv__bucket_store *store, int64_t stretches, spmv_error *err)
{
    const spmv__bucket_layout *how = &store->writer->how;
    spmv_status st;
    SPMV__TRY(spmv__alloc(&store->stretch, stretches, sizeof *store->stretch, "stretches", err));
    SPMV__TRY(spmv__alloc(&store->unread, groups(how), sizeof *store->unread, "buckets", err));
    store->stretches = stretches;
    for (void *chunk = store->chunks->last; chunk != NULL; chunk = *(void **)chunk)
        spmv__pages_stay_small(chunk, how->chunk + how->extent);
    release_spare(store->chunks, how);
    for (int64_t k = 0; k < how->buckets; k++) store->unread[k >> how->group_shift]++;
    for (int t = 0; t < store->writers; t++)
        for (spmv__stretch *stretch = store->writer[t].stretch; stretch != NULL;
             stretch = stretch->before)
            store->stretch[stretch->number] = stretch;
done:
    return st;
}

int64_t spmv__bucket_store_count(const spmv__bucket_store *store, int64_t k)
{
    uintptr_t n = 0;
    for (int t = 0; t < store->writers; t++) {
        const spmv__bucket_writer *writer = &store->writer[t];
        if (writer->blocks[k] == 0) continue;
        n += (uintptr_t)(writer->blocks[k] - 1) * (writer->last / writer->record + 1);
        n += (writer->at[k] & writer->mask) / writer->record;
    }
    return (int64_t)n;
}

/* The place where a stretch begins in bucket k, which is where the one before it ends. */
static uintptr_t stretch_begin(const spmv__stretch *stretch, int64_t k)
{
    const spmv__bucket_writer *writer = stretch->writer;
    const bool first = stretch->before == NULL || stretch->before->end[k] <= writer->mask;
    return first ? writer->from[k] : stretch->before->end[k];
}

/* Blocks lie anywhere: the processor foresees the next one only when it is told, which saves a
 * seventh of the time for sorting.  What is no block yet does no harm. */
static void prefetch_next(const spmv__bucket_writer *writer, uintptr_t at)
{
    enum { CACHE_LINE = 64 };
    const uintptr_t next = *next_block(writer, at);
    for (uintptr_t i = 0; i <= writer->mask; i += CACHE_LINE)
        __builtin_prefetch((const void *)(next + i));
}

bool spmv__bucket_store_next(const spmv__bucket_store *store, int64_t k,
                             spmv__bucket_cursor *cursor)
{
    const spmv__bucket_writer *like = store->writer;
    const uintptr_t mask = like->mask, full = like->last + like->record;
    while (cursor->next == cursor->end) {
        if (cursor->stretch == store->stretches) return false;
        const spmv__stretch *stretch = store->stretch[cursor->stretch++];
        cursor->end = stretch->end[k];
        cursor->next = cursor->end > mask ? stretch_begin(stretch, k) : cursor->end;
    }
    uintptr_t p = cursor->next;
    if ((p & mask) == full) p = *next_block(like, p);
    cursor->next = (p | mask) == (cursor->end | mask) ? cursor->end : (p & ~mask) + full;
    prefetch_next(like, p);
    cursor->record = (const unsigned char *)p;
    cursor->n = (int64_t)((cursor->next - p) / like->record);
    return true;
}

int64_t spmv__bucket_store_find(const spmv__bucket_store *store, int64_t k, spmv__indices sought,
                                int *nth)
{
    const spmv__bucket_writer *like = store->writer;
    spmv__bucket_cursor cursor = {0};
    int64_t stretch = 0;
    int before = 0, found = 0; /* in other stretches, and in all */
    while (found < *nth && spmv__bucket_store_next(store, k, &cursor)) {
        if (cursor.stretch - 1 != stretch) before = found;
        stretch = cursor.stretch - 1;
        for (int64_t i = 0; i < cursor.n && found < *nth; i++) {
            const spmv__indices at =
                spmv__indices_of(cursor.record + (uintptr_t)i * like->record, &like->key);
            found += at.low == sought.low && at.col == sought.col;
        }
    }
    *nth -= before;
    return stretch;
}

/* The memory of a group that was read. */
static void release_group(const spmv__bucket_store *store, int64_t g)
{
    struct iovec slabs[RELEASED_AT_ONCE];
    int n = 0;
    for (int t = 0; t < store->writers; t++) {
        const spmv__bucket_writer *writer = &store->writer[t];
        for (uintptr_t slab = writer->group[g].last; slab != 0;) {
            if (n == RELEASED_AT_ONCE) spmv__pages_release(slabs, n);
            n %= RELEASED_AT_ONCE;
            slabs[n++] = (struct iovec){(void *)slab, (size_t)writer->how.slab};
            slab = *slab_before(writer, slab);
        }
    }
    spmv__pages_release(slabs, n);
}

void spmv__bucket_store_share(spmv__bucket_store *store, int64_t k, int64_t n)
{
#pragma omp atomic
    store->unread[k >> store->writer->how.group_shift] += n - 1;
}

void spmv__bucket_store_drop(spmv__bucket_store *store, int64_t k)
{
    const int64_t g = k >> store->writer->how.group_shift;
    int64_t unread;
#pragma omp atomic capture acq_rel
    unread = --store->unread[g];
    if (unread == 0) release_group(store, g);
}
