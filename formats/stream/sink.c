/* sink.c -- the bytes of an output, buffered, compressed where its name asks for it, and reported.
 */
#define _GNU_SOURCE /* TEMP_FAILURE_RETRY */
#include "formats/stream/sink.h"
#include "formats/stream/input.h"
#include "formats/stream/memory_file.h"
#include "formats/stream/output_file.h"
#include "formats/stream/packing.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    BUFFER_SIZE = 1 << 20,
    AT_ONCE = 1 << 24, /* bytes between two reports, */
    BY_ALL = 1 << 26,  /* also where all threads bring them */
    FOR_ALL = 1 << 22, /* the least that all threads bring together, */
    THREADS = 8        /* and the least of them that do: fewer are no faster than one */
};

struct spmv__sink {
    spmv__output_file file;
    bool by_all; /* a file in memory, to which all threads may bring bytes */
    spmv_write_options options;
    int64_t given, expected; /* bytes so far, and in all as far as is known */
    spmv__packer *packer;    /* NULL: bytes go to the file as they are */
    unsigned char *buffer;
    size_t used;
    spmv_status status; /* the first failure, and its words */
    spmv_error error;
};

/* ---- Opening -------------------------------------------------------------------------------- */

/* A sink without a file yet. */
static spmv_status create_sink(spmv__sink **out, const char *name,
                               const spmv_write_options *options, spmv_error *err)
{
    spmv__sink *sink = NULL;
    spmv_status st;
    *out = NULL;
    SPMV__TRY(spmv__alloc(&sink, 1, sizeof *sink, "an output", err));
    if (options != NULL) sink->options = *options;
    spmv__output_none(&sink->file, name, sink->options.overwrite);
    SPMV__TRY(spmv__alloc(&sink->buffer, BUFFER_SIZE, 1, "an output buffer", err));
    *out = sink;
    sink = NULL;
done:
    free(sink);
    return st;
}

static spmv_status open_packer(spmv__sink *sink, const char *path, spmv_error *err)
{
    const spmv_status st = spmv__packer_open(&sink->packer, path, err);
    if (st != SPMV_SUCCESS && err != NULL) memcpy(err->file, sink->file.name, sizeof err->file);
    return st;
}

spmv_status spmv__sink_open(spmv__sink **out, const char *path, const spmv_write_options *options,
                            spmv_error *err)
{
    const bool is_stdout = spmv__is_stdout(path);
    spmv__sink *sink = NULL;
    spmv_status st;
    *out = NULL;
    SPMV__TRY(create_sink(&sink, is_stdout ? "<stdout>" : path, options, err));
    if (!is_stdout) SPMV__TRY(open_packer(sink, path, err));
    SPMV__TRY(spmv__output_open(&sink->file, path, err));
    sink->by_all = spmv__sink_has_places(sink) && spmv__threads(0) >= THREADS &&
                   spmv__memory_file_is(sink->file.fd);
    *out = sink;
    sink = NULL;

done:
    spmv__sink_discard(sink);
    return st;
}

spmv_status spmv__sink_share(const spmv__sink *sink, char *path, size_t size, spmv_error *err)
{
    return spmv__output_share(&sink->file, path, size, err);
}

spmv_status spmv__sink_join(spmv__sink **out, const char *path, const char *name,
                            const spmv_write_options *options, spmv_error *err)
{
    spmv__sink *sink = NULL;
    spmv_status st;
    *out = NULL;
    SPMV__TRY(create_sink(&sink, name, options, err));
    SPMV__TRY(spmv__output_join(&sink->file, path, err));
    *out = sink;
    sink = NULL;
done:
    spmv__sink_discard(sink);
    return st;
}

/* ---- Writing -------------------------------------------------------------------------------- */

static void keep_failure(spmv__sink *sink, spmv_status status, const char *what, const char *why)
{
    if (sink->status == SPMV_SUCCESS)
        sink->status = spmv__output_fail(&sink->file, &sink->error, status, what, why);
}

void spmv__sink_fail(spmv__sink *sink, int why)
{
    if (why != 0) keep_failure(sink, spmv__errno_status(why), "cannot write", strerror(why));
}

static void write_all(void *user, const unsigned char *data, size_t size)
{
    spmv__sink *sink = user;
    while (size > 0 && sink->status == SPMV_SUCCESS) {
        ssize_t n = TEMP_FAILURE_RETRY(write(sink->file.fd, data, size));
        if (n < 0) {
            spmv__sink_fail(sink, errno);
            return;
        }
        data += n;
        size -= (size_t)n;
    }
}

/* So many more bytes are in the file, or have their place there. */
static void advance(spmv__sink *sink, size_t size)
{
    sink->given += (int64_t)size;
    spmv__report(sink->options.progress, sink->options.user, "writing", sink->given,
                 sink->given > sink->expected ? 0 : sink->expected);
}

/* On to the file, compressed where its name asks for it. */
static void put_some(spmv__sink *sink, const unsigned char *data, size_t size, bool last)
{
    if (sink->packer == NULL)
        write_all(sink, data, size);
    else if (!spmv__packer_write(sink->packer, data, size, last, write_all, sink))
        keep_failure(sink, SPMV_ERROR_OUT_OF_MEMORY, "cannot compress", "out of memory");
    advance(sink, size);
}

/* The next bytes of the file come from elsewhere: returns their place. */
static int64_t step_over(spmv__sink *sink, size_t size)
{
    const int64_t at = sink->given;
    if (lseek(sink->file.fd, at + (int64_t)size, SEEK_SET) < 0) spmv__sink_fail(sink, errno);
    advance(sink, size);
    return at;
}

static void put_by_all(spmv__sink *sink, const unsigned char *data, size_t size)
{
    const int64_t at = step_over(sink, size);
    if (sink->status != SPMV_SUCCESS) return;
    spmv__sink_fail(sink, spmv__memory_file_put(sink->file.fd, data, size, at));
}

/* In portions, so that the progress shows. */
static void put(spmv__sink *sink, const unsigned char *data, size_t size, bool last)
{
    for (size_t n; sink->by_all && size >= FOR_ALL; data += n, size -= n) {
        n = size < BY_ALL ? size : BY_ALL;
        put_by_all(sink, data, n);
    }
    for (; size > AT_ONCE; data += AT_ONCE, size -= AT_ONCE) put_some(sink, data, AT_ONCE, false);
    put_some(sink, data, size, last);
}

void spmv__sink_expect(spmv__sink *sink, int64_t bytes)
{
    sink->expected = sink->given + (int64_t)sink->used + bytes;
}

static void flush(spmv__sink *sink, bool last)
{
    put(sink, sink->buffer, sink->used, last);
    sink->used = 0;
}

void spmv__sink_write(spmv__sink *sink, const void *data, size_t size)
{
    if (size > BUFFER_SIZE - sink->used) flush(sink, false);
    if (size >= BUFFER_SIZE) {
        put(sink, data, size, false);
    } else if (size > 0) {
        memcpy(sink->buffer + sink->used, data, size);
        sink->used += size;
    }
}

bool spmv__sink_reserve(spmv__sink *sink, size_t size, int64_t *at)
{
    if (!sink->by_all) return false;
    flush(sink, false);
    *at = step_over(sink, size);
    if (sink->status == SPMV_SUCCESS)
        spmv__sink_fail(sink, spmv__memory_file_extend(sink->file.fd, size, *at));
    return sink->status == SPMV_SUCCESS;
}

int spmv__sink_fill(const spmv__sink *sink, const void *data, size_t size, int64_t at)
{
    return spmv__memory_file_fill(sink->file.fd, data, size, at);
}

bool spmv__sink_has_places(const spmv__sink *sink)
{
    return sink->file.temp != NULL && sink->packer == NULL;
}

void spmv__sink_write_at(spmv__sink *sink, const void *data, size_t size, int64_t at)
{
    if (sink->status == SPMV_SUCCESS)
        spmv__sink_fail(sink, spmv__write_at(sink->file.fd, data, size, at));
    if (sink->status == SPMV_SUCCESS) advance(sink, size);
}

spmv_status spmv__sink_status(const spmv__sink *sink, spmv_error *err)
{
    if (sink->status != SPMV_SUCCESS && err != NULL) *err = sink->error;
    return sink->status;
}

void spmv__sink_printf(spmv__sink *sink, const char *format, ...)
{
    char text[4096];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (length < 0 || (size_t)length >= sizeof text)
        keep_failure(sink, SPMV_ERROR_FILE_IO, "cannot write", "a line of more than 4095 bytes");
    else
        spmv__sink_write(sink, text, (size_t)length);
}

/* ---- Closing -------------------------------------------------------------------------------- */

/* Refuse output that may come from an input which was changed meanwhile. */
static spmv_status check_inputs(const spmv__sink *sink, spmv_error *err)
{
    const char *changed = spmv_changed_file(NULL);
    if (changed == NULL) return SPMV_SUCCESS;
    spmv__output_fail(&sink->file, err, SPMV_ERROR_FILE_IO, "cannot read",
                      "the file was changed while it was used");
    if (err != NULL) snprintf(err->file, sizeof err->file, "%s", changed);
    return SPMV_ERROR_FILE_IO;
}

spmv_status spmv__sink_commit(spmv__sink **out, spmv_error *err)
{
    spmv__sink *sink = *out;
    spmv_error *told = &sink->error;
    flush(sink, true);
    spmv_status st = sink->status, closed;
    closed = spmv__output_close(&sink->file, st == SPMV_SUCCESS, st == SPMV_SUCCESS ? told : NULL);
    if (st == SPMV_SUCCESS) st = closed;
    if (st == SPMV_SUCCESS && sink->options.unchanged) st = check_inputs(sink, told);
    if (st == SPMV_SUCCESS) st = spmv__output_publish(&sink->file, told);
    if (st != SPMV_SUCCESS && err != NULL) *err = *told;
    spmv__sink_discard(sink);
    *out = NULL;
    return st;
}

void spmv__sink_discard(spmv__sink *sink)
{
    if (sink == NULL) return;
    spmv__output_discard(&sink->file);
    spmv__packer_close(sink->packer);
    free(sink->buffer);
    free(sink);
}
