/* source.c -- the whole input as one read-only piece of memory.
 *
 * A regular file is mapped: nothing is copied, and pages that are never looked at are never read.
 * What cannot be mapped (a pipe, a FIFO, a terminal, a file in /proc whose size reads as 0) is read
 * to its end.  A file that another program shortens while it
 * is mapped raises SIGBUS, as with every mapped file. */
#include "unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct mapping {
    spmv_storage base;
    void *data;
    size_t size;
} mapping;

static void unmap(spmv_storage *self)
{
    mapping *held = (mapping *)self;
    munmap(held->data, held->size);
    free(held);
}

spmv_status spmv__source_fail(const spmv__source *src, spmv_error *err, spmv_status status,
                              int64_t line, int64_t column, const char *format, ...)
{
    if (err != NULL) {
        va_list args;
        memset(err, 0, sizeof *err);
        va_start(args, format);
        vsnprintf(err->message, sizeof err->message, format, args);
        va_end(args);
        memcpy(err->file, src->name, sizeof err->file);
        err->line = line;
        err->column = column;
    }
    return status;
}

static spmv_status fail_errno(const spmv__source *src, spmv_error *err, const char *what)
{
    return spmv__source_fail(src, err, SPMV_ERROR_FILE_IO, 0, 0, "%s: %s", what, strerror(errno));
}

static spmv_status map_file(spmv__source *src, int fd, int64_t size, spmv_error *err)
{
    mapping *held;
    spmv_status st = spmv__alloc(&held, 1, sizeof *held, "an open file", err);
    if (st != SPMV_SUCCESS) return st;
    held->data = mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (held->data == MAP_FAILED) {
        free(held);
        return fail_errno(src, err, "cannot map the file");
    }
    held->size = (size_t)size;
    held->base.release = unmap;
    src->data = held->data;
    src->size = size;
    src->storage = &held->base;
    return SPMV_SUCCESS;
}

/* What an open descriptor gives. */
typedef struct descriptor {
    spmv__stream base;
    const spmv__source *src;
    int fd;
} descriptor;

static spmv_status read_descriptor(spmv__stream *self, unsigned char *out, int64_t room,
                                   int64_t *got, spmv_error *err)
{
    const descriptor *d = (const descriptor *)self;
    for (*got = 0; *got < room;) {
        ssize_t n = read(d->fd, out + *got, (size_t)(room - *got));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return fail_errno(d->src, err, "cannot read");
        if (n == 0) break;
        *got += n;
    }
    return SPMV_SUCCESS;
}

static spmv_status load(spmv__source *src, int fd, spmv_error *err)
{
    descriptor d = {.base.read = read_descriptor, .src = src, .fd = fd};
    struct stat info;
    if (fstat(fd, &info) != 0) return fail_errno(src, err, "cannot read");
    if (S_ISDIR(info.st_mode)) {
        errno = EISDIR;
        return fail_errno(src, err, "cannot read");
    }
    /* Standard input may be a file of which the caller's script has already read a part. */
    if (S_ISREG(info.st_mode) && info.st_size > 0 && lseek(fd, 0, SEEK_CUR) == 0)
        return map_file(src, fd, info.st_size, err);
    return spmv__stream_load(&d.base, NULL, 0, &src->data, &src->size, &src->storage, err);
}

spmv_status spmv__source_open(spmv__source *src, const char *path, spmv_error *err)
{
    spmv__source opened = {0};
    const bool is_stdin = strcmp(path, "-") == 0;

    memset(src, 0, sizeof *src);
    snprintf(opened.name, sizeof opened.name, "%s", is_stdin ? "<stdin>" : path);
    const int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return fail_errno(&opened, err, "cannot open");
    const spmv_status st = load(&opened, fd, err);
    if (st == SPMV_SUCCESS) *src = opened;
    if (!is_stdin) close(fd);
    return st;
}

void spmv__source_close(spmv__source *src)
{
    spmv__feed_close(src->feed);
    if (src->storage != NULL) src->storage->release(src->storage);
    memset(src, 0, sizeof *src);
}
