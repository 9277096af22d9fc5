/* load_stream.c -- a stream as a whole, in memory that doubles as it comes.
 *
 * What is packed may be made to unpack to a thousand times its size and more.  Text of matrices
 * comes to 50 times at most, so that far beyond that nothing is believed any more. */
#include "formats/stream/stream.h"

#include <stdlib.h>

enum {
    FIRST_ROOM = 1 << 16,
    AT_ONCE = 1 << 24,  /* bytes between two reports */
    MOST_TIMES = 256,   /* its size that something packed may come to, */
    MOST_OVER = 1 << 26 /* and so many bytes more */
};

typedef struct loaded {
    spmv_storage base;
    unsigned char *data;
    int64_t room;
} loaded;

static void release(spmv_storage *self)
{
    loaded *held = (loaded *)self;
    free(held->data);
    free(held);
}

/* Make room for `room` bytes, of which the first `used` are kept. */
static spmv_status grow(loaded *held, int64_t room, int64_t used, spmv_error *err)
{
    unsigned char *larger;
    spmv_status st = spmv__alloc(&larger, room, 1, "the input", err);
    if (st != SPMV_SUCCESS) return st;
    if (used > 0) memcpy(larger, held->data, (size_t)used);
    free(held->data);
    held->data = larger;
    held->room = room;
    return SPMV_SUCCESS;
}

spmv_status spmv__growth_check(int64_t whole, int64_t used, spmv_error *err)
{
    if ((used - MOST_OVER) / MOST_TIMES < whole) return SPMV_SUCCESS;
    return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT,
                      "%lld bytes unpack to more than %d times as many, which no matrix does; if "
                      "that is meant, unpack the file first",
                      (long long)whole, MOST_TIMES);
}

spmv_status spmv__stream_check(const spmv__stream *stream, int64_t used, spmv_error *err)
{
    return stream->whole == 0 ? SPMV_SUCCESS : spmv__growth_check(stream->whole, used, err);
}

spmv_status spmv__stream_load(spmv__stream *stream, const void *begin, int64_t size,
                              const spmv_read_options *options, const unsigned char **data,
                              int64_t *total, spmv_storage **storage, spmv_error *err)
{
    spmv_status st;
    loaded *held = NULL;
    int64_t used = size;

    SPMV__TRY(spmv__alloc(&held, 1, sizeof *held, "the input", err));
    held->base.release = release;
    SPMV__TRY(grow(held, size > 0 ? 2 * size : FIRST_ROOM, 0, err));
    if (size > 0) memcpy(held->data, begin, (size_t)size);
    for (;;) {
        const int64_t left = held->room - used, asked = left < AT_ONCE ? left : AT_ONCE;
        int64_t got;
        SPMV__TRY(stream->read(stream, held->data + used, asked, &got, err));
        used += got;
        spmv__report(options->progress, options->user, stream->stage, stream->taken, stream->whole);
        if (got < asked) break;
        SPMV__TRY(spmv__stream_check(stream, used, err));
        if (used == held->room) SPMV__TRY(grow(held, 2 * held->room, used, err));
    }
    *data = held->data;
    *total = used;
    *storage = &held->base;
    held = NULL;
done:
    if (held != NULL) release(&held->base);
    return st;
}
