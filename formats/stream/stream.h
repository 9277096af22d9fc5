/* stream.h -- a stream gives bytes when it is asked for them, and knows no thread. */
#pragma once

#include "formats/stream/packing.h"
#include "formats/stream/input.h"

typedef struct spmv__stream spmv__stream;
struct spmv__stream {
    /* Put bytes at out; *got < room only at the end, and 0 from there on.
     * Errors: INVALID_FORMAT (damaged), UNSUPPORTED, OUT_OF_MEMORY; the message names the byte of
     * the file. */
    spmv_status (*read)(spmv__stream *self, unsigned char *out, int64_t room, int64_t *got,
                        spmv_error *err);
    spmv_status (*rewind)(spmv__stream *self, spmv_error *err);
    void (*close)(spmv__stream *self);
    const char *stage;         /* what to call this in reports */
    const unsigned char *file; /* [whole]; used by the feed */
    int64_t taken;             /* bytes of the file so far */
    int64_t whole;             /* all bytes of the file; 0: not known */
    char member[128];          /* of an archive, shortened; "" when it is none */
    char remark[160];          /* what was odd; "" when nothing was */
};

/* The one rule for what is packed, of whatever kind: INVALID_FORMAT when a file of `whole` bytes is
 * to come to `used`, more than 256 times its size and 64 MiB. */
spmv_status spmv__growth_check(int64_t whole, int64_t used, spmv_error *err);

/* INVALID_FORMAT when `used` bytes of a stream, with more to come, are too many by that rule. */
spmv_status spmv__stream_check(const spmv__stream *stream, int64_t used, spmv_error *err);

/* Everything that a stream gives, in memory that grows as it comes, after the `size` bytes at
 * `begin` that have come already.
 * Errors: those of the stream, OUT_OF_MEMORY (at the latest at the size of the machine's memory),
 * INVALID_FORMAT (it was packed, and comes to more than 256 times its size and 64 MiB).
 */
spmv_status spmv__stream_load(spmv__stream *stream, const void *begin, int64_t size,
                              const spmv_read_options *options, const unsigned char **data,
                              int64_t *total, spmv_storage **storage, spmv_error *err);

/* Unpack data[size], which stays where it is while the stream is used. */
spmv_status spmv__decode_open(spmv__stream **out, const spmv__packing *packing,
                              const unsigned char *data, int64_t size, spmv_error *err);
