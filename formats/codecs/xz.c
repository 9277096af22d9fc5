/* xz.c -- xz through liblzma. */
#include "formats/stream/packing.h"

#include <lzma.h>
#include <stdlib.h>

/* Also what makes a used state ready for the next member. */
static bool begin(lzma_stream *z)
{
    return lzma_stream_decoder(z, SPMV__DECODE_LIMIT, LZMA_TELL_UNSUPPORTED_CHECK) == LZMA_OK;
}

static void close_state(void *state)
{
    lzma_end(state);
    free(state);
}

static spmv_status open_state(void **out, spmv_error *err)
{
    lzma_stream *z;
    spmv_status st = spmv__alloc(&z, 1, sizeof *z, "unpacking xz", err);
    if (st != SPMV_SUCCESS) return st;
    *z = (lzma_stream)LZMA_STREAM_INIT;
    *out = z;
    if (begin(z)) return SPMV_SUCCESS;
    close_state(z);
    return spmv__packing_memory(err);
}

static spmv__decoded step(void *state, spmv__window *window)
{
    lzma_stream *z = state;
    z->next_in = window->in;
    z->avail_in = window->in_size;
    z->next_out = window->out;
    z->avail_out = window->out_size;
    const lzma_ret result = lzma_code(z, LZMA_RUN);
    *window =
        (spmv__window){z->next_in, z->next_out, (uint32_t)z->avail_in, (uint32_t)z->avail_out};

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

const spmv__decoder spmv__xz_decoder = {open_state, step, close_state};
