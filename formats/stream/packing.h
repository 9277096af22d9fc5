/* packing.h -- compressions: how each is recognised, unpacked and packed.
 *
 * A decoder turns more input into more output, an encoder likewise; neither sees a file. */
#pragma once

#include "core/base/base.h"

/* The message of both when their library has no memory. */
static inline spmv_status spmv__packing_memory(spmv_error *err)
{
    return spmv__fail(err, SPMV_ERROR_OUT_OF_MEMORY, "no memory for compression");
}

/* The input and the output that are left; a step moves both on. */
typedef struct spmv__window {
    const unsigned char *in;
    unsigned char *out;
    uint32_t in_size, out_size;
} spmv__window;

/* ---- Unpacking ------------------------------------------------------------------------------ */

/* The outcome of one step. */
typedef enum spmv__decoded {
    SPMV__DECODE_ON,  /* input or output is used up */
    SPMV__DECODE_END, /* a member ended, and was as its checksum says */
    SPMV__DECODE_DAMAGED,
    SPMV__DECODE_CHECKSUM,
    SPMV__DECODE_FOREIGN, /* made with something that the library does not know */
    SPMV__DECODE_MEMORY,  /* the system has no more, or it asks for more than SPMV__DECODE_LIMIT */
    SPMV__DECODE_RESULTS
} spmv__decoded;

enum { SPMV__DECODE_LIMIT = 1 << 27 }; /* bytes that a decoder may allocate: `xz -9` takes half */

/* A way to unpack. */
typedef struct spmv__decoder {
    spmv_status (*open)(void **state, spmv_error *err); /* Errors: OUT_OF_MEMORY */
    /* Turn more input into more output.  After SPMV__DECODE_END a further member may follow. */
    spmv__decoded (*step)(void *state, spmv__window *window);
    void (*close)(void *state);
} spmv__decoder;

extern const spmv__decoder spmv__gzip_isal_decoder, spmv__gzip_decoder, spmv__bzip2_decoder,
    spmv__xz_decoder, spmv__zstd_decoder;
extern const spmv__decoder spmv__zlib_decoder; /* of what stands within other files */

/* ---- Packing -------------------------------------------------------------------------------- */

/* A way to pack: equal input makes equal output, whatever the time. */
typedef struct spmv__encoder {
    spmv_status (*open)(void **state, spmv_error *err); /* Errors: OUT_OF_MEMORY */
    /* Turn more input into more output; with `last`, there is no input after this one.
     * *done: all input was taken and, with `last`, all output given.  Returns false when that
     * failed. */
    bool (*step)(void *state, spmv__window *window, bool last, bool *done);
    void (*close)(void *state);
} spmv__encoder;

extern const spmv__encoder spmv__gzip_encoder, spmv__bzip2_encoder, spmv__xz_encoder,
    spmv__zstd_encoder;

/* Compression of what is written to a file. */
typedef struct spmv__packer spmv__packer;

/* *out is NULL when the suffix of path asks for none.
 * Errors: UNSUPPORTED (not written by this build), OUT_OF_MEMORY. */
spmv_status spmv__packer_open(spmv__packer **out, const char *path, spmv_error *err);
void spmv__packer_close(spmv__packer *packer); /* NULL is allowed */

/* Compress data[size], `last` or not, and call `to` with what comes out; false: out of memory. */
typedef void spmv__packed_to(void *user, const unsigned char *data, size_t size);
bool spmv__packer_write(spmv__packer *packer, const unsigned char *data, size_t size, bool last,
                        spmv__packed_to *to, void *user);

/* ---- The table ------------------------------------------------------------------------------ */

typedef struct spmv__packing {
    const char *name;    /* "gzip" */
    const char *suffix;  /* ".gz" */
    const char *command; /* that unpacks it */
    const char *magic;   /* [length], the first bytes */
    const char *other;   /* [length], with which files begin, too; NULL: with nothing else */
    size_t length;
    const spmv__decoder *decoder; /* NULL: not read by this build */
    const spmv__encoder *encoder; /* NULL: not written by this build */
} spmv__packing;

/* NULL: none of those that are known. */
const spmv__packing *spmv__packing_by_content(const unsigned char *data, int64_t size);
const spmv__packing *spmv__packing_by_suffix(const char *path);
