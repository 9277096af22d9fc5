/* unpack.h -- from packed bytes to text: streams, archives, and the thread that runs them.
 *
 *   source (memory) -> stream (decoder) -> feed (blocks, filled by a thread) -> pieces (whole
 * lines)
 *
 * A stream gives bytes when it is asked for them and knows no thread; the feed knows no formats. */
#ifndef SPMV_FORMATS_STREAM_UNPACK_H
#define SPMV_FORMATS_STREAM_UNPACK_H

#include "formats/stream/source.h"
#include "formats/stream/packing.h"

/* ---- Streams -------------------------------------------------------------------------------- */

typedef struct spmv__stream spmv__stream;
struct spmv__stream {
    /* Put bytes at out; *got < room only at the end.
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

/* INVALID_FORMAT when so many bytes of a stream, with more to come, are beyond belief. */
spmv_status spmv__stream_check(const spmv__stream *stream, int64_t used, spmv_error *err);

/* Everything that a stream gives, in memory that grows as it comes, behind the `size` bytes at
 * `begin` that have come already.
 * Errors: those of the stream, OUT_OF_MEMORY (at the latest at the size of the machine's memory),
 * INVALID_FORMAT (it was packed, and comes to more than 256 times its size and 64 MiB).
 */
spmv_status spmv__stream_load(spmv__stream *stream, const void *begin, int64_t size,
                              const spmv_read_options *options, const unsigned char **data,
                              int64_t *total, spmv_storage **storage, spmv_error *err);

/* ---- Compressed files ----------------------------------------------------------------------- */

/* Unpack data[size], which stays where it is while the stream is used. */
spmv_status spmv__decode_open(spmv__stream **out, const spmv__packing *packing,
                              const unsigned char *data, int64_t size, spmv_error *err);

/* ---- Archives ------------------------------------------------------------------------------- */

/* A tar or zip archive, file after file.  It comes from a stream, or lies in memory where that is
 * NULL; only the latter may be zip. */
typedef struct spmv__archive spmv__archive;

/* The stream is borrowed.  Errors: OUT_OF_MEMORY, INVALID_FORMAT (no archive). */
spmv_status spmv__archive_open(spmv__archive **out, spmv__stream *packed, const unsigned char *data,
                               int64_t size, spmv_error *err);
void spmv__archive_close(spmv__archive *archive); /* NULL is allowed */

/* Go to the next file, passing over folders, links and devices.  *name is NULL at the end of the
 * archive, else valid until the next call.
 * Errors: those of the stream, INVALID_FORMAT (damaged). */
spmv_status spmv__archive_next(spmv__archive *archive, const char **name, spmv_error *err);

/* Bytes of the archive up to what was read. */
int64_t spmv__archive_taken(const spmv__archive *archive);

/* Bytes of the file as the archive claims, true or not; negative: it says nothing. */
int64_t spmv__archive_claim(const spmv__archive *archive);

/* The next bytes of the file; *got < room only at its end.  Errors: also UNSUPPORTED (encrypted,
 * stored with holes). */
spmv_status spmv__archive_read(spmv__archive *archive, unsigned char *out, int64_t room,
                               int64_t *got, spmv_error *err);

/* How likely a file in an archive is the matrix. */
typedef enum spmv__rank {
    SPMV__RANK_NONE,    /* never */
    SPMV__RANK_FILE,    /* it is a file */
    SPMV__RANK_NUMBERS, /* its suffix may be that of an edge list, as .txt */
    SPMV__RANK_MATRIX,  /* its suffix is one of a matrix */
    SPMV__RANK_MAIN,    /* it is NAME/NAME.suffix, or the one that was asked for */
    SPMV__RANKS
} spmv__rank;

/* The files of one rank. */
typedef struct spmv__ranked {
    int64_t count, first; /* the number of the first among all files, from 0 */
    char names[192];      /* of the first few */
} spmv__ranked;

/* Which file is the matrix? */
typedef struct spmv__choice {
    const char *wanted; /* by this name; NULL: by rank */
    int64_t seen;
    spmv__ranked ranked[SPMV__RANKS];
} spmv__choice;

/* Consider the next file; true when it is the matrix: the first of the highest rank. */
bool spmv__choice_add(spmv__choice *choice, const char *name);

/* INVALID_FORMAT, with a list, when there is more than one file of that rank. */
spmv_status spmv__choice_check(const spmv__choice *choice, spmv__rank rank, spmv_error *err);

/* All were considered and none was the matrix: which one is it, nevertheless?
 * Errors: INVALID_FORMAT (none, or several). */
spmv_status spmv__choice_settle(const spmv__choice *choice, int64_t *index, spmv_error *err);

/* The matrix in an archive as a stream.  Takes over the stream that the archive comes from, also
 * on failure.  Errors: those above. */
spmv_status spmv__member_open(spmv__stream **out, spmv__stream *packed, const unsigned char *data,
                              int64_t size, const char *wanted, spmv_error *err);

/* ---- The feed ------------------------------------------------------------------------------- */

enum { SPMV__BLOCK_SIZE = 1 << 20 };

typedef struct spmv__block {
    unsigned char *data; /* [SPMV__BLOCK_SIZE], with as much room before it */
    int64_t size;        /* less than SPMV__BLOCK_SIZE: the last */
    int64_t taken;       /* bytes of the file up to its end */
    bool free;
} spmv__block;

typedef struct spmv__feed spmv__feed;

/* Take over a stream (also on failure) and the memory that it reads (not on failure). */
spmv_status spmv__feed_open(spmv__feed **out, spmv__stream *stream, spmv_storage *memory,
                            spmv_error *err);
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

/* The stream itself, behind its first block: for whoever takes no blocks. */
spmv__stream *spmv__feed_stream(spmv__feed *feed);

/* Room for what is left of a line at the end of a block. */
typedef struct spmv__rest {
    unsigned char *data; /* [SPMV__BLOCK_SIZE] */
    int64_t size;
    bool over; /* the last block was taken */
} spmv__rest;
spmv__rest *spmv__feed_rest(spmv__feed *feed);

#endif
