/* input.h -- the bytes of an input, plain or packed, whole or in pieces. */
#pragma once

#include "core/base/base.h"

#include <errno.h>

/* An input.  What a plain file or a pipe holds lies in memory as a whole (a file is mapped); of a
 * packed one, `data` is the beginning until spmv__source_next or spmv__source_whole is called.
 * Memory is released when the last of the source and the matrices that live in it is gone. */
typedef struct spmv__source {
    char name[256]; /* as the user wrote it; "<stdin>" for "-" */
    bool is_stdin;
    const unsigned char *data; /* [size]; not NUL-terminated; aligned as malloc aligns, or better */
    int64_t size;
    const void *mapped;      /* where the file lies; NULL: it is not mapped */
    spmv_storage *storage;   /* owns data; hand it to a matrix by setting it to NULL here */
    struct spmv__feed *feed; /* unpacks the rest; NULL: data is everything */
    int64_t given;           /* bytes that spmv__source_next has given out */
    const char *compression; /* "gzip", ...; NULL: none */
    char member[128];        /* of the archive that it is; "": it is none */
} spmv__source;

extern const spmv_read_options spmv__read_defaults; /* what NULL stands for */

/* Open a file or standard input.  options: for the progress, and to be checked; NULL is
 * the default.  Errors: FILE_IO, OUT_OF_MEMORY, INVALID_ARGUMENT (a value that is none of its
 * enumeration). */
spmv_status spmv__source_open(spmv__source *src, const char *path, const spmv_read_options *options,
                              spmv_error *err);
void spmv__source_close(spmv__source *src);

/* A stretch of the text: whole lines, some MiB of them. */
typedef struct spmv__piece {
    const unsigned char *begin, *end; /* equal: the text is over */
    int64_t offset;                   /* bytes of text before it */
    int64_t taken, whole;      /* of packed text: bytes of the file up to its end, and in all */
    struct spmv__block *block; /* that holds it; NULL: it lies in src->data */
} spmv__piece;

/* The next piece, in the order of the text; packed input is unpacked meanwhile by a thread of its
 * own.  Every piece but the last ends with a line end (LF; CR where there is no LF far and wide).
 * Calls must not overlap, but may come from different threads; src->data of packed input is gone
 * after the first.  A piece stays where it is until it is released; a thread that asks for the next
 * one may hold no other, or all of them may wait forever.
 * Errors: those of unpacking; INVALID_FORMAT for a line of packed text beyond 1 MiB. */
spmv_status spmv__source_next(spmv__source *src, spmv__piece *out, spmv_error *err);

/* Any thread, any order; a piece at the end of the text needs no release, but may have one. */
void spmv__source_release(spmv__source *src, const spmv__piece *piece);

/* These bytes of src->data are not going to be read again.  Where they lie in a mapped file, their
 * pages leave the process: threads that have read them do that side by side, which one alone would
 * have to do at the end.  Reading them all the same brings them back. */
void spmv__source_leave(const spmv__source *src, const unsigned char *begin,
                        const unsigned char *end);

/* The text is over and all pieces were released: what packed text went through goes back. */
void spmv__source_empty(spmv__source *src);

/* Is what has come so far no more than a file of that size unpacks to?  spmv__source_whole says
 * what is wrong if not. */
bool spmv__source_believes(const spmv__source *src);

/* Returns whether src->data is only the beginning. */
bool spmv__source_is_partial(const spmv__source *src);

/* Begin again with the first piece; all were released, and src->data is the beginning again.
 * Errors: as for spmv__source_unpack. */
spmv_status spmv__source_rewind(spmv__source *src, spmv_error *err);

/* Fill *err with a place in the source; returns status. */
spmv_status spmv__source_fail(const spmv__source *src, spmv_error *err, spmv_status status,
                              int64_t line, int64_t column, const char *format, ...)
    SPMV__PRINTF(6, 7);

/* Fill *err for a failed call of the system, which has left its reason in errno; returns the
 * status. */
spmv_status spmv__source_fail_errno(const spmv__source *src, spmv_error *err, const char *what);

/* A failure that names no file, as one of memory, is of this source; returns status. */
spmv_status spmv__source_blame(const spmv__source *src, spmv_status status, spmv_error *err);

/* The status that a value of errno stands for. */
static inline spmv_status spmv__errno_status(int why)
{
    return why == ENOMEM ? SPMV_ERROR_OUT_OF_MEMORY : SPMV_ERROR_FILE_IO;
}

/* Deflate makes at most so many bytes of one: no memory on the word of a file that holds less. */
enum { SPMV__DEFLATE_LIMIT = 1032 };

/* Report a remark on the input: calls options->warn, or fails when options->strict is set. */
spmv_status spmv__warn(const spmv__source *src, const spmv_read_options *options, int64_t line,
                       int64_t column, spmv_error *err, const char *format, ...) SPMV__PRINTF(6, 7);
