/* pack.h -- for tests: bytes in memory, compressed with the libraries' own encoders. */
#ifndef SPMV_FORMATS_PACK_H
#define SPMV_FORMATS_PACK_H

#include <criterion/criterion.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

typedef struct bytes {
    unsigned char *data;
    size_t size;
} bytes;

static inline bytes pack_gzip(const void *data, size_t size)
{
    z_stream z = {0};
    cr_assert_eq(deflateInit2(&z, 1, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    bytes out = {malloc(deflateBound(&z, size)), deflateBound(&z, size)};
    z.next_in = (unsigned char *)(uintptr_t)data;
    z.avail_in = (uInt)size;
    z.next_out = out.data;
    z.avail_out = (uInt)out.size;
    cr_assert_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
    out.size = z.total_out;
    deflateEnd(&z);
    return out;
}

#endif
