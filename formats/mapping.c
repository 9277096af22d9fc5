/* mapping.c -- files as memory, and which file an address belongs to.
 *
 * The names stand in a table of fixed size, because whoever asks may be a signal handler. */
#include "mapping.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { MAPPINGS = 64, NAME_SIZE = 256 };

/* A mapped file; begin is 0 where there is none, and TAKEN until the rest is filled in. */
struct known {
    atomic_uintptr_t begin;
    uintptr_t end;
    char name[NAME_SIZE];
};

enum { TAKEN = 1 };
static struct known known[MAPPINGS];

typedef struct mapping {
    spmv_storage base;
    void *data;
    size_t size;
    struct known *known; /* NULL: the table was full */
} mapping;

static struct known *make_known(const mapping *held, const char *name)
{
    for (int i = 0; i < MAPPINGS; i++) {
        uintptr_t none = 0;
        if (!atomic_compare_exchange_strong(&known[i].begin, &none, TAKEN)) continue;
        memcpy(known[i].name, name, NAME_SIZE);
        known[i].end = (uintptr_t)held->data + held->size;
        atomic_store(&known[i].begin, (uintptr_t)held->data);
        return &known[i];
    }
    return NULL;
}

const char *spmv_mapped_file(const void *address)
{
    const uintptr_t at = (uintptr_t)address;
    for (int i = 0; i < MAPPINGS; i++) {
        const uintptr_t begin = atomic_load(&known[i].begin);
        if (begin > TAKEN && at >= begin && at < known[i].end) return known[i].name;
    }
    return NULL;
}

static void unmap(spmv_storage *self)
{
    mapping *held = (mapping *)self;
    if (held->known != NULL) atomic_store(&held->known->begin, 0);
    munmap(held->data, held->size);
    free(held);
}

spmv_status spmv__map_file(spmv__source *src, int fd, int64_t size, spmv_error *err)
{
    mapping *held;
    spmv_status st = spmv__alloc(&held, 1, sizeof *held, "an open file", err);
    if (st != SPMV_SUCCESS) return st;
    held->data = mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (held->data == MAP_FAILED) {
        free(held);
        return spmv__source_fail_errno(src, err, "cannot map the file");
    }
    held->size = (size_t)size;
    held->base.release = unmap;
    held->known = make_known(held, src->name);
    src->data = held->data;
    src->size = size;
    src->storage = &held->base;
    return SPMV_SUCCESS;
}
