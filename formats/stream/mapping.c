/* mapping.c -- files as memory, and which file an address belongs to.
 *
 * The names stand in a table of fixed size, because whoever asks may be a signal handler.  Each
 * file stays open, so that its time and size can be looked at again. */
#define _GNU_SOURCE /* st_mtim */
#include "formats/stream/mapping.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAPPINGS = 64, NAME_SIZE = 256 };

/* A mapped file; begin is 0 where there is none, and TAKEN until the rest is filled in. */
struct known {
    atomic_uintptr_t begin;
    uintptr_t end;
    char name[NAME_SIZE];
    int fd; /* -1: there was no descriptor left for it */
    struct timespec written;
    off_t size;
};

enum { TAKEN = 1 };
static struct known known[MAPPINGS];

typedef struct mapping {
    spmv_storage base;
    void *data;
    size_t size;
    struct known *known; /* NULL: the table was full */
} mapping;

static struct known *make_known(const mapping *held, int fd, const struct stat *file,
                                const char *name)
{
    for (int i = 0; i < MAPPINGS; i++) {
        uintptr_t none = 0;
        if (!atomic_compare_exchange_strong(&known[i].begin, &none, TAKEN)) continue;
        memcpy(known[i].name, name, NAME_SIZE);
        known[i].end = (uintptr_t)held->data + held->size;
        known[i].fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
        known[i].written = file->st_mtim;
        known[i].size = file->st_size;
        atomic_store(&known[i].begin, (uintptr_t)held->data);
        return &known[i];
    }
    return NULL;
}

/* The file that the address lies in, or the first one after *i where the address is NULL. */
static const struct known *find(const void *address, int *i)
{
    const uintptr_t at = (uintptr_t)address;
    for (; *i < MAPPINGS; ++*i) {
        const uintptr_t begin = atomic_load(&known[*i].begin);
        if (begin > TAKEN && (at == 0 || (at >= begin && at < known[*i].end))) return &known[*i];
    }
    return NULL;
}

const char *spmv_mapped_file(const void *address)
{
    int i = 0;
    const struct known *file = address != NULL ? find(address, &i) : NULL;
    return file != NULL ? file->name : NULL;
}

static bool is_changed(const struct known *file)
{
    struct stat now;
    if (file->fd < 0 || fstat(file->fd, &now) != 0) return false;
    return now.st_size != file->size || now.st_mtim.tv_sec != file->written.tv_sec ||
           now.st_mtim.tv_nsec != file->written.tv_nsec;
}

const char *spmv_changed_file(const void *address)
{
    const struct known *file;
    for (int i = 0; (file = find(address, &i)) != NULL; i++)
        if (is_changed(file)) return file->name;
    return NULL;
}

static void unmap(spmv_storage *self)
{
    mapping *held = (mapping *)self;
    if (held->known != NULL) {
        const int fd = held->known->fd;
        atomic_store(&held->known->begin, 0);
        if (fd >= 0) close(fd);
    }
    munmap(held->data, held->size);
    free(held);
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
    held->known = make_known(held, fd, file, src->name);
    src->data = src->mapped = held->data;
    src->size = size;
    src->storage = &held->base;
    return SPMV_SUCCESS;
}
