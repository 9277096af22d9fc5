/* feed.h -- the thread that runs a stream, and the blocks that it fills.
 *
 *     source (memory) -> stream (decoder) -> feed (blocks) -> pieces (whole lines)
 *
 * The feed knows no formats. */
#pragma once

#include "formats/stream/stream.h"

enum { SPMV__BLOCK_SIZE = 1 << 20 };

typedef struct spmv__block {
    unsigned char *data; /* [SPMV__BLOCK_SIZE], with as much room before it */
    int64_t size;        /* less than SPMV__BLOCK_SIZE: the last */
    int64_t taken;       /* bytes of the file up to its end */
    bool free;
} spmv__block;

typedef struct spmv__feed spmv__feed;

/* Take over a stream (also on failure) and the memory that it reads (not on failure).  The stream
 * has given begin[size] already: less than SPMV__BLOCK_SIZE bytes. */
spmv_status spmv__feed_open(spmv__feed **out, spmv__stream *stream, const unsigned char *begin,
                            int64_t size, spmv_storage *memory, spmv_error *err);
void spmv__feed_close(spmv__feed *feed); /* NULL is allowed */

/* The beginning of what the stream gives, as long as no block was taken. */
const spmv__block *spmv__feed_first(const spmv__feed *feed);

/* The next block, which stays until it is released. */
spmv_status spmv__feed_take(spmv__feed *feed, spmv__block **out, spmv_error *err);
void spmv__feed_release(spmv__feed *feed, spmv__block *block);

/* The stream has ended and all blocks were released: their memory goes back. */
void spmv__feed_empty(spmv__feed *feed);

/* Begin again; all blocks were released. */
spmv_status spmv__feed_rewind(spmv__feed *feed, spmv_error *err);

/* The stream itself, after its first block, where no blocks are taken. */
spmv__stream *spmv__feed_stream(spmv__feed *feed);

/* Room for what is left of a line at the end of a block. */
typedef struct spmv__rest {
    unsigned char *data; /* [SPMV__BLOCK_SIZE] */
    int64_t size;
    bool over; /* the last block was taken */
} spmv__rest;
spmv__rest *spmv__feed_rest(spmv__feed *feed);
