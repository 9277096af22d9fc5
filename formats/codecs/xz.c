/* xz.c -- xz through liblzma, packed in blocks by several threads: the same bytes for any number.
 */
#include "formats/stream/packing.h"

#include <lzma.h>
#include <stdlib.h>

static void enter(lzma_stream *z, const spmv__window *window)
{
    z->next_in = window->in;
    z->avail_in = window->in_size;
    z->next_out = window->out;
    z->avail_out = window->out_size;
}

static void leave(const lzma_stream *z, spmv__window *window)
{
    *window =
        (spmv__window){z->next_in, z->next_out, (uint32_t)z->avail_in, (uint32_t)z->avail_out};
}

static spmv_status create(lzma_stream **out, const char *what, spmv_error *err)
{
    spmv_status st = spmv__alloc(out, 1, sizeof **out, what, err);
    if (st == SPMV_SUCCESS) **out = (lzma_stream)LZMA_STREAM_INIT;
    return st;
}

static void destroy(void *state)
{
    lzma_end(state);
    free(state);
}

/* ---- Unpacking ------------------------------------------------------------------------------ */

/* Also what makes a used state ready for the next member. */
static bool begin(lzma_stream *z)
{
    return lzma_stream_decoder(z, SPMV__DECODE_LIMIT, LZMA_TELL_UNSUPPORTED_CHECK) == LZMA_OK;
}

static spmv_status open_decoder(void **out, spmv_error *err)
{
    lzma_stream *z;
    spmv_status st = create(&z, "unpacking xz", err);
    if (st != SPMV_SUCCESS) return st;
    *out = z;
    if (begin(z)) return SPMV_SUCCESS;
    destroy(z);
    return spmv__packing_memory(err);
}

static spmv__decoded decode(void *state, spmv__window *window)
{
    lzma_stream *z = state;
    enter(z, window);
    const lzma_ret result = lzma_code(z, LZMA_RUN);
    leave(z, window);

    switch (result) {
    case LZMA_OK:
    case LZMA_BUF_ERROR:
        return SPMV__DECODE_ON;
    case LZMA_STREAM_END:
        return begin(z) ? SPMV__DECODE_END : SPMV__DECODE_MEMORY;
    case LZMA_MEM_ERROR:
    case LZMA_MEMLIMIT_ERROR:
        return SPMV__DECODE_MEMORY;
    case LZMA_OPTIONS_ERROR:
    case LZMA_UNSUPPORTED_CHECK:
        return SPMV__DECODE_FOREIGN;
    default:
        return SPMV__DECODE_DAMAGED;
    }
}

const spmv__decoder spmv__xz_decoder = {open_decoder, decode, destroy};

/* ---- Packing -------------------------------------------------------------------------------- */

enum {
    BLOCK = 1 << 23, /* bytes of input that one thread packs: as far as the preset looks back */
    THREADS = 8      /* at most: each takes 110 MB */
};

static spmv_status open_encoder(void **out, spmv_error *err)
{
    const int threads = spmv__threads_at_once(spmv__threads(0));
    const lzma_mt how = {.threads = (uint32_t)(threads < THREADS ? threads : THREADS),
                         .block_size = BLOCK,
                         .preset = LZMA_PRESET_DEFAULT,
                         .check = LZMA_CHECK_CRC64};
    lzma_stream *z;
    spmv_status st = create(&z, "packing xz", err);
    if (st != SPMV_SUCCESS) return st;
    *out = z;
    if (lzma_stream_encoder_mt(z, &how) == LZMA_OK) return SPMV_SUCCESS;
    destroy(z);
    return spmv__packing_memory(err);
}

static bool encode(void *state, spmv__window *window, bool last, bool *done)
{
    lzma_stream *z = state;
    enter(z, window);
    const lzma_ret result = lzma_code(z, last ? LZMA_FINISH : LZMA_RUN);
    leave(z, window);
    *done = last ? result == LZMA_STREAM_END : window->in_size == 0;
    return result == LZMA_OK || result == LZMA_STREAM_END || result == LZMA_BUF_ERROR;
}

const spmv__encoder spmv__xz_encoder = {open_encoder, encode, destroy};
