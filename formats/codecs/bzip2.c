/* bzip2.c -- bzip2 through libbzip2.  Its input ends with each member: the next one needs a fresh
 * state. */
#include "formats/stream/packing.h"

#include <bzlib.h>
#include <stdlib.h>

static void enter(bz_stream *z, const spmv__window *window)
{
    z->next_in = (char *)(uintptr_t)window->in;
    z->avail_in = window->in_size;
    z->next_out = (char *)window->out;
    z->avail_out = window->out_size;
}

static void leave(const bz_stream *z, spmv__window *window)
{
    *window = (spmv__window){(unsigned char *)z->next_in, (unsigned char *)z->next_out, z->avail_in,
                             z->avail_out};
}

/* ---- Unpacking ------------------------------------------------------------------------------ */

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

static void close_decoder(void *state)
{
    bzip2_state *s = state;
    if (s->ready) BZ2_bzDecompressEnd(&s->stream);
    free(s);
}

static spmv_status open_decoder(void **out, spmv_error *err)
{
    bzip2_state *s;
    spmv_status st = spmv__alloc(&s, 1, sizeof *s, "unpacking bzip2", err);
    if (st != SPMV_SUCCESS) return st;
    *out = s;
    if (begin(s)) return SPMV_SUCCESS;
    free(s);
    return spmv__packing_memory(err);
}

static spmv__decoded decode(void *state, spmv__window *window)
{
    bzip2_state *s = state;
    if (!s->ready && !begin(s)) return SPMV__DECODE_MEMORY;
    enter(&s->stream, window);
    const int result = BZ2_bzDecompress(&s->stream);
    leave(&s->stream, window);

    if (result == BZ_OK) return SPMV__DECODE_ON;
    if (result == BZ_MEM_ERROR) return SPMV__DECODE_MEMORY;
    if (result != BZ_STREAM_END) return SPMV__DECODE_DAMAGED;
    BZ2_bzDecompressEnd(&s->stream);
    s->ready = false;
    return SPMV__DECODE_END;
}

const spmv__decoder spmv__bzip2_decoder = {open_decoder, decode, close_decoder};

/* ---- Packing -------------------------------------------------------------------------------- */

enum { BLOCK_SIZE = 9 }; /* in 100 kB, as of `bzip2` */

static spmv_status open_encoder(void **out, spmv_error *err)
{
    bz_stream *z;
    spmv_status st = spmv__alloc(&z, 1, sizeof *z, "packing bzip2", err);
    if (st != SPMV_SUCCESS) return st;
    *out = z;
    if (BZ2_bzCompressInit(z, BLOCK_SIZE, 0, 0) == BZ_OK) return SPMV_SUCCESS;
    free(z);
    return spmv__packing_memory(err);
}

/* To run without input is an error of the library. */
static bool encode(void *state, spmv__window *window, bool last, bool *done)
{
    bz_stream *z = state;
    int result = BZ_RUN_OK;
    enter(z, window);
    if (last || window->in_size > 0) result = BZ2_bzCompress(z, last ? BZ_FINISH : BZ_RUN);
    leave(z, window);
    *done = last ? result == BZ_STREAM_END : window->in_size == 0;
    return result == BZ_RUN_OK || result == BZ_FINISH_OK || result == BZ_STREAM_END;
}

static void close_encoder(void *state)
{
    BZ2_bzCompressEnd(state);
    free(state);
}

const spmv__encoder spmv__bzip2_encoder = {open_encoder, encode, close_encoder};
