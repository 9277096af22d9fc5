/* bzip2.c -- bzip2 through libbzip2, whose input ends with each member: the next one needs a fresh
 * state. */
#include "formats/stream/packing.h"

#include <bzlib.h>
#include <stdlib.h>

typedef struct bzip2_state {
    bz_stream stream;
    bool ready; /* for input */
} bzip2_state;

static bool begin(bzip2_state *s)
{
    s->stream = (bz_stream){0};
    s->ready = BZ2_bzDecompressInit(&s->stream, 0, 0) == BZ_OK;
    return s->ready;
}

static void close_state(void *state)
{
    bzip2_state *s = state;
    if (s->ready) BZ2_bzDecompressEnd(&s->stream);
    free(s);
}

static spmv_status open_state(void **out, spmv_error *err)
{
    bzip2_state *s;
    spmv_status st = spmv__alloc(&s, 1, sizeof *s, "unpacking bzip2", err);
    if (st != SPMV_SUCCESS) return st;
    *out = s;
    if (begin(s)) return SPMV_SUCCESS;
    free(s);
    return spmv__packing_memory(err);
}

static spmv__decoded step(void *state, spmv__window *window)
{
    bzip2_state *s = state;
    if (!s->ready && !begin(s)) return SPMV__DECODE_MEMORY;
    s->stream.next_in = (char *)(uintptr_t)window->in;
    s->stream.avail_in = window->in_size;
    s->stream.next_out = (char *)window->out;
    s->stream.avail_out = window->out_size;
    const int result = BZ2_bzDecompress(&s->stream);
    window->in = (unsigned char *)s->stream.next_in;
    window->in_size = s->stream.avail_in;
    window->out = (unsigned char *)s->stream.next_out;
    window->out_size = s->stream.avail_out;

    if (result == BZ_OK) return SPMV__DECODE_ON;
    if (result == BZ_MEM_ERROR) return SPMV__DECODE_MEMORY;
    if (result != BZ_STREAM_END) return SPMV__DECODE_DAMAGED;
    BZ2_bzDecompressEnd(&s->stream);
    s->ready = false;
    return SPMV__DECODE_END;
}

const spmv__decoder spmv__bzip2_decoder = {open_state, step, close_state};
