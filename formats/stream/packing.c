/* packing.c -- the table of compressions. */
#include "core/base/ascii.h"
#include "formats/stream/packing.h"

/* pzstd begins its files with a skippable frame, which the decoder of zstd understands. */
static const spmv__packing packings[] = {
    {"gzip", ".gz", "gzip -dc", "\x1f\x8b", NULL, 2,
     SPMV_HAVE_ISAL   ? &spmv__gzip_isal_decoder
     : SPMV_HAVE_ZLIB ? &spmv__gzip_decoder
                      : NULL,
     SPMV_HAVE_ZLIB ? &spmv__gzip_encoder : NULL},
    {"bzip2", ".bz2", "bzip2 -dc", "BZh", NULL, 3, SPMV_HAVE_BZIP2 ? &spmv__bzip2_decoder : NULL,
     SPMV_HAVE_BZIP2 ? &spmv__bzip2_encoder : NULL},
    {"xz", ".xz", "xz -dc", "\xfd\x37zXZ\0", NULL, 6, SPMV_HAVE_XZ ? &spmv__xz_decoder : NULL,
     SPMV_HAVE_XZ ? &spmv__xz_encoder : NULL},
    {"zstd", ".zst", "zstd -dc", "\x28\xb5\x2f\xfd", "\x50\x2a\x4d\x18", 4,
     SPMV_HAVE_ZSTD ? &spmv__zstd_decoder : NULL, SPMV_HAVE_ZSTD ? &spmv__zstd_encoder : NULL},
};

enum { PACKINGS = sizeof packings / sizeof packings[0] };

const spmv__packing *spmv__packing_by_content(const unsigned char *data, int64_t size)
{
    for (int i = 0; i < PACKINGS; i++) {
        const spmv__packing *p = &packings[i];
        if (size < (int64_t)p->length) continue;
        if (memcmp(data, p->magic, p->length) == 0) return p;
        if (p->other != NULL && memcmp(data, p->other, p->length) == 0) return p;
    }
    return NULL;
}

const spmv__packing *spmv__packing_by_suffix(const char *path)
{
    const size_t length = strlen(path);
    for (int i = 0; i < PACKINGS; i++) {
        const size_t tail = strlen(packings[i].suffix);
        if (length > tail && spmv__alike(path + length - tail, packings[i].suffix, tail))
            return &packings[i];
    }
    return NULL;
}

const char *spmv_path_compression(const char *path)
{
    const spmv__packing *packing = spmv__packing_by_suffix(path);
    return packing != NULL ? packing->name : NULL;
}

const char *spmv_path_suffix(const char *path, char suffix[SPMV_SUFFIX_SIZE])
{
    const spmv__packing *packing = spmv__packing_by_suffix(path);
    const char *end = path + strlen(path) - (packing != NULL ? strlen(packing->suffix) : 0);
    const char *dot = end;
    while (dot > path && dot[-1] != '/' && (dot == end || *dot != '.')) dot--;
    const bool found = dot < end && *dot == '.' && end - dot < SPMV_SUFFIX_SIZE;
    const size_t length = found ? (size_t)(end - dot) : 0;
    for (size_t i = 0; i < length; i++)
        suffix[i] = dot[i] >= 'A' && dot[i] <= 'Z' ? (char)(dot[i] + 'a' - 'A') : dot[i];
    suffix[length] = '\0';
    return suffix;
}
