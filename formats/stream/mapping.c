/* mapping.c -- files as memory, and which file an address belongs to.
 *
 * The names stand in a table of fixed size, because a signal handler may ask, which cannot wait for
 * a lock.  So readers never wait: the thread that frees a place waits until nothing reads it.  Each
 * file stays open, so that its time and size can be looked at again.  A matrix knows its own
 * mapping, however many there are. */
#define _GNU_SOURCE /* st_mtim */
#include "formats/stream/mapping.h"

#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAPPINGS = 64, NAME_SIZE = 256 };

/* A place for a mapped file; the fields after the first three tell of it while it is known. */
static struct place {
    atomic_flag taken;
    atomic_bool known;
    atomic_int looking; /* how many do */
    uintptr_t begin, end;
    int fd; /* -1: there was no descriptor left for it */
    struct timespec written;
    off_t size;
    char name[NAME_SIZE];
} places[MAPPINGS];

typedef struct mapping {
    spmv_storage base;
    void *data;
    size_t size;
    struct place *place; /* NULL: the table was full */
} mapping;

static struct place *take_place(const mapping *held, int fd, const struct stat *file,
                                const char *name)
{
    for (struct place *place = places; place < places + MAPPINGS; place++) {
        if (atomic_flag_test_and_set(&place->taken)) continue;
        memcpy(place->name, name, NAME_SIZE);
        place->begin = (uintptr_t)held->data;
        place->end = (uintptr_t)held->data + held->size;
        place->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
        place->written = file->st_mtim;
        place->size = file->st_size;
        place->known = true;
        return place;
    }
    return NULL;
}

static void leave_place(struct place *place)
{
    place->known = false;
    while (place->looking > 0) sched_yield();
    if (place->fd >= 0) close(place->fd);
    atomic_flag_clear(&place->taken);
}

static bool is_at(const struct place *place, uintptr_t address)
{
    return address >= place->begin && address < place->end;
}

static bool is_changed(const struct place *place)
{
    struct stat now;
    if (place->fd < 0 || fstat(place->fd, &now) != 0) return false;
    return now.st_size != place->size || now.st_mtim.tv_sec != place->written.tv_sec ||
           now.st_mtim.tv_nsec != place->written.tv_nsec;
}

/* The name of the file that the address is in, or of the first one where the address is NULL; of
 * those that were changed, if only they are asked for. */
static const char *find(const void *address, bool changed)
{
    const char *name = NULL;
    for (struct place *place = places; place < places + MAPPINGS && name == NULL; place++) {
        place->looking++;
        if (place->known && (address == NULL || is_at(place, (uintptr_t)address)) &&
            (!changed || is_changed(place)))
            name = place->name;
        place->looking--;
    }
    return name;
}

const char *spmv_mapped_file(const void *address)
{
    return address != NULL ? find(address, false) : NULL;
}

const char *spmv_changed_file(const void *address)
{
    return find(address, true);
}

static void unmap(spmv_storage *self)
{
    mapping *held = (mapping *)self;
    if (held->place != NULL) leave_place(held->place);
    munmap(held->data, held->size);
    free(held);
}

bool spmv__is_mapping(const spmv_storage *storage, const void *address)
{
    if (storage->release != unmap) return false;
    const mapping *held = (const mapping *)storage;
    return (uintptr_t)address - (uintptr_t)held->data < held->size;
}

spmv_status spmv__map_file(spmv__source *src, int fd, const struct stat *file, spmv_error *err)
{
    const int64_t size = file->st_size;
    mapping *held;
    spmv_status st = spmv__alloc(&held, 1, sizeof *held, "an open file", err);
    if (st != SPMV_SUCCESS) return st;
    held->data = mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (held->data == MAP_FAILED) {
        if (errno == ENOMEM) st = spmv__source_fail_errno(src, err, "cannot map the file");
        free(held);
        return st;
    }
    held->size = (size_t)size;
    held->base.release = unmap;
    held->place = take_place(held, fd, file, src->name);
    src->data = src->mapped = held->data;
    src->size = size;
    src->storage = &held->base;
    return SPMV_SUCCESS;
}
