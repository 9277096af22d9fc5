/* source.c -- the whole input as one read-only piece of memory.
 *
 * A regular file is mapped: nothing is copied, and pages that are never looked at are never read.
 * What cannot be mapped (a pipe, a FIFO, a terminal, a file in /proc whose size reads as 0) is read
 * to its end into memory that doubles as it grows.  A file that another program shortens while it
 * is mapped raises SIGBUS, as with every mapped file. */
#include "io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_READ = 1 << 16 };

typedef struct held_bytes {
    spmv_storage base;
    void *data;
    size_t size;
    bool mapped;
} held_bytes;

static void release(spmv_storage *self)
{
    held_bytes *held = (held_bytes *)self;
    if (held->mapped)
        munmap(held->data, held->size);
    else
        free(held->data);
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

static spmv_status map_file(spmv__source *src, held_bytes *held, int fd, int64_t size,
                            spmv_error *err)
{
    held->data = mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (held->data == MAP_FAILED) {
        held->data = NULL;
        return fail_errno(src, err, "cannot map the file");
    }
    held->size = (size_t)size;
    held->mapped = true;
    return SPMV_SUCCESS;
}

/* Double the room for what is read: *data [*room], of which the first `used` bytes are kept. */
static spmv_status grow(void **data, int64_t *room, int64_t used, spmv_error *err)
{
    void *larger;
    int64_t wanted = *room > 0 ? *room * 2 : FIRST_READ;
    spmv_status st = spmv__alloc(&larger, wanted, 1, "input read from a pipe", err);
    if (st != SPMV_SUCCESS) return st;
    if (used > 0) memcpy(larger, *data, (size_t)used);
    free(*data);
    *data = larger;
    *room = wanted;
    return SPMV_SUCCESS;
}

static spmv_status read_to_end(spmv__source *src, held_bytes *held, int fd, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    int64_t room = 0, used = 0;
    for (;;) {
        if (used == room) SPMV__TRY(grow(&held->data, &room, used, err));
        ssize_t n = read(fd, (char *)held->data + used, (size_t)(room - used));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) {
            st = fail_errno(src, err, "cannot read");
            goto done;
        }
        if (n == 0) break;
        used += n;
    }
    held->size = (size_t)used;
done:
    return st;
}

static spmv_status load(spmv__source *src, held_bytes *held, int fd, spmv_error *err)
{
    struct stat info;
    if (fstat(fd, &info) != 0) return fail_errno(src, err, "cannot read");
    if (S_ISDIR(info.st_mode)) {
        errno = EISDIR;
        return fail_errno(src, err, "cannot read");
    }
    /* Standard input may be a file of which the caller's script has already read a part. */
    if (S_ISREG(info.st_mode) && info.st_size > 0 && lseek(fd, 0, SEEK_CUR) == 0)
        return map_file(src, held, fd, info.st_size, err);
    return read_to_end(src, held, fd, err);
}

spmv_status spmv__source_open(spmv__source *src, const char *path, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    spmv__source opened = {0};
    held_bytes *held = NULL;
    bool is_stdin = strcmp(path, "-") == 0;
    int fd = -1;

    memset(src, 0, sizeof *src);
    snprintf(opened.name, sizeof opened.name, "%s", is_stdin ? "<stdin>" : path);
    fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return fail_errno(&opened, err, "cannot open");

    SPMV__TRY(spmv__alloc(&held, 1, sizeof *held, "an open file", err));
    held->base.release = release;
    SPMV__TRY(load(&opened, held, fd, err));
    opened.data = held->data;
    opened.size = (int64_t)held->size;
    opened.storage = &held->base;
    held = NULL;
    *src = opened;

done:
    if (held != NULL) release(&held->base);
    if (!is_stdin) close(fd);
    return st;
}

void spmv__source_close(spmv__source *src)
{
    if (src->storage != NULL) src->storage->release(src->storage);
    memset(src, 0, sizeof *src);
}
