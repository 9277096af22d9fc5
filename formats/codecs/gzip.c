/* gzip.c -- gzip unpacked through zlib, where there is no ISA-L. */
#include "formats/stream/packing.h"

#include <stdlib.h>
#include <zlib.h>

enum { GZIP_ONLY = 16 }; /* added to the window bits: gzip, and no other of zlib's formats */

static void enter(z_stream *z, const spmv__window *window)
{
    z->next_in = (unsigned char *)(uintptr_t)window->in;
    z->avail_in = window->in_size;
    z->next_out = window->out;
    z->avail_out = window->out_size;
}

static void leave(const z_stream *z, spmv__window *window)
{
    *window = (spmv__window){z->next_in, z->next_out, z->avail_in, z->avail_out};
}

static spmv_status open_window(void **out, int bits, spmv_error *err)
{
    z_stream *z;
    spmv_status st = spmv__alloc(&z, 1, sizeof *z, "unpacking gzip", err);
    if (st != SPMV_SUCCESS) return st;
    *out = z;
    if (inflateInit2(z, bits) == Z_OK) return SPMV_SUCCESS;
    free(z);
    *out = NULL;
    return spmv__packing_memory(err);
}

static spmv_status open_decoder(void **out, spmv_error *err)
{
    return open_window(out, MAX_WBITS + GZIP_ONLY, err);
}

static spmv_status open_zlib(void **out, spmv_error *err)
{
    return open_window(out, MAX_WBITS, err);
}

static spmv__decoded decode(void *state, spmv__window *window)
{
    z_stream *z = state;
    enter(z, window);
    const int result = inflate(z, Z_NO_FLUSH);
    leave(z, window);

    if (result == Z_STREAM_END)
        return inflateReset(z) == Z_OK ? SPMV__DECODE_END : SPMV__DECODE_DAMAGED;
    if (result == Z_OK || result == Z_BUF_ERROR) return SPMV__DECODE_ON;
    if (result == Z_MEM_ERROR) return SPMV__DECODE_MEMORY;
    const char *why = z->msg != NULL ? z->msg : "";
    if (strcmp(why, "incorrect data check") == 0 || strcmp(why, "incorrect length check") == 0)
        return SPMV__DECODE_CHECKSUM;
    return strcmp(why, "unknown compression method") == 0 ? SPMV__DECODE_FOREIGN
                                                          : SPMV__DECODE_DAMAGED;
}

static void close_decoder(void *state)
{
    inflateEnd(state);
    free(state);
}

const spmv__decoder spmv__gzip_decoder = {open_decoder, decode, close_decoder};
const spmv__decoder spmv__zlib_decoder = {open_zlib, decode, close_decoder};
