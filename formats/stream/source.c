/* source.c -- the whole input as one read-only piece of memory.
 *
 * A regular file is mapped: nothing is copied, and pages that are never looked at are never read.
 * What cannot be mapped (a pipe, a FIFO, a terminal, a file in /sys or one in /proc, whose size
 * reads as 0) is read to its end. */
#define _GNU_SOURCE /* TEMP_FAILURE_RETRY */
#include "formats/stream/mapping.h"
#include "formats/stream/feed.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const spmv_read_options spmv__read_defaults = {0};

/* A stream of the bytes of an open descriptor. */
typedef struct descriptor {
    spmv__stream base;
    const spmv__source *src;
    int fd;
} descriptor;

static spmv_status read_descriptor(spmv__stream *self, unsigned char *out, int64_t room,
                                   int64_t *got, spmv_error *err)
{
    descriptor *d = (descriptor *)self;
    for (*got = 0; *got < room;) {
        ssize_t n = TEMP_FAILURE_RETRY(read(d->fd, out + *got, (size_t)(room - *got)));
        if (n < 0) return spmv__source_fail_errno(d->src, err, "cannot read");
        if (n == 0) break;
        *got += n;
    }
    self->taken += *got;
    return SPMV_SUCCESS;
}

static spmv_status load(spmv__source *src, int fd, const spmv_read_options *options,
                        spmv_error *err)
{
    descriptor d = {.base = {.read = read_descriptor, .stage = "reading"}, .src = src, .fd = fd};
    struct stat info;
    if (fstat(fd, &info) != 0) return spmv__source_fail_errno(src, err, "cannot read");
    if (S_ISDIR(info.st_mode)) {
        errno = EISDIR;
        return spmv__source_fail_errno(src, err, "cannot read");
    }
    /* Standard input may be a file of which the caller's script has already read a part. */
    if (S_ISREG(info.st_mode) && info.st_size > 0 && lseek(fd, 0, SEEK_CUR) == 0) {
        const spmv_status st = spmv__map_file(src, fd, &info, err);
        if (st != SPMV_SUCCESS || src->mapped != NULL) return st;
    }
    return spmv__stream_load(&d.base, NULL, 0, options, &src->data, &src->size, &src->storage, err);
}

/* The option, if any, whose value is none of its enumeration. */
static const char *find_unnamed(const spmv_read_options *options)
{
    if ((unsigned)options->duplicates > SPMV_DUPLICATES_COUNT) return "duplicates";
    if ((unsigned)options->complex_values > SPMV_COMPLEX_ABS) return "complex_values";
    if ((unsigned)options->index_base > SPMV_BASE_1) return "index_base";
    if ((unsigned)options->headings > SPMV_HEADINGS_YES) return "headings";
    return NULL;
}

static bool names_stdin(const char *path)
{
    return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdin") == 0;
}

spmv_status spmv__source_open(spmv__source *src, const char *path, const spmv_read_options *options,
                              spmv_error *err)
{
    memset(src, 0, sizeof *src);
    if (options == NULL) options = &spmv__read_defaults;
    const char *unnamed = find_unnamed(options);
    if (unnamed != NULL)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                          "the option %s has a value that its enumeration does not name", unnamed);
    spmv__source opened = {0};
    const bool is_stdin = opened.is_stdin = names_stdin(path);

    snprintf(opened.name, sizeof opened.name, "%s", is_stdin ? "<stdin>" : path);
    const int fd =
        is_stdin ? STDIN_FILENO : (int)TEMP_FAILURE_RETRY(open(path, O_RDONLY | O_CLOEXEC));
    if (fd < 0) return spmv__source_fail_errno(&opened, err, "cannot open");
    const spmv_status st = spmv__source_blame(&opened, load(&opened, fd, options, err), err);
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
