/* gzip.c -- gzip through zlib; unpacked in this way where there is no ISA-L. */
#include "unpack.h"

#include <stdlib.h>
#include <zlib.h>

enum { GZIP_ONLY = 16 }; /* added to the window bits: expect a gzip header, verify its checksum */

static void *open_state(void)
{
    z_stream *z = calloc(1, sizeof *z);
    if (z == NULL || inflateInit2(z, MAX_WBITS + GZIP_ONLY) == Z_OK) return z;
    free(z);
    return NULL;
}

static spmv__decoded step(void *state, spmv__window *window)
{
    z_stream *z = state;
    z->next_in = (unsigned char *)(uintptr_t)window->in;
    z->avail_in = window->in_size;
    z->next_out = window->out;
    z->avail_out = window->out_size;
    const int result = inflate(z, Z_NO_FLUSH);
    *window = (spmv__window){z->next_in, z->next_out, z->avail_in, z->avail_out};

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

static void close_state(void *state)
{
    inflateEnd(state);
    free(state);
}

const spmv__decoder spmv__gzip_decoder = {open_state, step, close_state};
