/* packed_test.h -- for tests: bytes in memory, compressed with the libraries' own encoders. */
#pragma once

#include "formats/file/any_file.h"
#include "formats/codecs/unpack.h"

#include <bzlib.h>
#include <criterion/criterion.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

typedef struct bytes {
    unsigned char *data;
    size_t size;
} bytes;

static inline bytes copy_bytes(const void *data, size_t size)
{
    bytes out = {malloc(size > 0 ? size : 1), size};
    cr_assert_not_null(out.data);
    if (size > 0) memcpy(out.data, data, size);
    return out;
}

/* a and b one after the other; a is released. */
static inline bytes append(bytes a, const void *b, size_t size)
{
    bytes out = {malloc(a.size + size + 1), a.size + size};
    cr_assert_not_null(out.data);
    memcpy(out.data, a.data, a.size);
    if (size > 0) memcpy(out.data + a.size, b, size);
    free(a.data);
    return out;
}

static inline bytes pack_gzip(const void *data, size_t size)
{
    z_stream z = {0};
    cr_assert_eq(deflateInit2(&z, 1, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    const size_t room = deflateBound(&z, size);
    bytes out = {malloc(room), 0};
    z.next_in = (unsigned char *)(uintptr_t)data;
    z.avail_in = (uInt)size;
    z.next_out = out.data;
    z.avail_out = (uInt)room;
    cr_assert_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
    out.size = z.total_out;
    deflateEnd(&z);
    return out;
}

static inline bytes pack_bzip2(const void *data, size_t size)
{
    unsigned room = (unsigned)(size + size / 100 + 600);
    bytes out = {malloc(room), 0};
    cr_assert_eq(BZ2_bzBuffToBuffCompress((char *)out.data, &room, (char *)(uintptr_t)data,
                                          (unsigned)size, 1, 0, 0),
                 BZ_OK);
    out.size = room;
    return out;
}

static inline bytes pack_xz(const void *data, size_t size)
{
    const size_t room = lzma_stream_buffer_bound(size);
    bytes out = {malloc(room), 0};
    cr_assert_eq(
        lzma_easy_buffer_encode(0, LZMA_CHECK_CRC32, NULL, data, size, out.data, &out.size, room),
        LZMA_OK);
    return out;
}

static inline bytes pack_zstd(const void *data, size_t size)
{
    const size_t room = ZSTD_compressBound(size);
    bytes out = {malloc(room), 0};
    ZSTD_CCtx *z = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(z, ZSTD_c_checksumFlag, 1);
    out.size = ZSTD_compress2(z, out.data, room, data, size);
    cr_assert_not(ZSTD_isError(out.size));
    ZSTD_freeCCtx(z);
    return out;
}

enum { CODECS = 4 };

static const struct codec {
    const char *name, *suffix;
    bytes (*pack)(const void *data, size_t size);
} codecs[CODECS] = {
    {"gzip", ".gz", pack_gzip},
    {"bzip2", ".bz2", pack_bzip2},
    {"xz", ".xz", pack_xz},
    {"zstd", ".zst", pack_zstd},
};

/* What spmv__source_unpack and spmv__source_whole make of packed bytes. */
typedef struct unpacked {
    spmv_status status;
    spmv_error err;
    spmv__source src;
} unpacked;

static inline unpacked unpack(bytes packed, const char *member)
{
    const spmv_read_options options = {.member = member};
    unpacked u = {.src = {.name = "file", .data = packed.data, .size = (int64_t)packed.size}};
    u.status = spmv__source_unpack(&u.src, &spmv__known_files, &options, &u.err);
    if (u.status == SPMV_SUCCESS) u.status = spmv__source_whole(&u.src, &options, &u.err);
    return u;
}

static inline void assert_unpacks(bytes packed, const void *text, size_t size)
{
    unpacked u = unpack(packed, NULL);
    cr_assert_eq(u.status, SPMV_SUCCESS, "%s", u.err.message);
    cr_assert_eq(u.src.size, (int64_t)size);
    cr_assert_eq(memcmp(u.src.data, text, size), 0);
    spmv__source_close(&u.src);
}

static inline void assert_unpacking_fails(bytes packed, spmv_status status, const char *phrase)
{
    unpacked u = unpack(packed, NULL);
    cr_assert_eq(u.status, status, "%s: %s", spmv_status_name(u.status), u.err.message);
    cr_assert_not_null(strstr(u.err.message, phrase), "'%s' lacks '%s'", u.err.message, phrase);
    cr_assert_eq(strncmp(u.err.file, "file", 4), 0, "'%s'", u.err.file);
    spmv__source_close(&u.src);
}
