/* io.h -- bytes in and out, and the record of a file format. */
#ifndef SPMV_FORMATS_IO_H
#define SPMV_FORMATS_IO_H

#include "../core/internal.h"

#include <errno.h>

/* ---- Bytes in ------------------------------------------------------------------------------- */

/* An input.  What a plain file or a pipe holds lies in memory as a whole (a file is mapped); of a
 * packed one, `data` is the beginning until spmv__source_next or spmv__source_whole is called.
 * Memory is released when the last of the source and the matrices that live in it is gone. */
typedef struct spmv__source {
    char name[256];            /* as the user wrote it; "<stdin>" for "-" */
    const unsigned char *data; /* [size]; not NUL-terminated; aligned as malloc aligns, or better */
    int64_t size;
    const void *mapped;      /* where the file lies; NULL: it is not mapped */
    spmv_storage *storage;   /* owns data; hand it to a matrix by setting it to NULL here */
    struct spmv__feed *feed; /* unpacks the rest; NULL: data is everything */
    int64_t given;           /* bytes that spmv__source_next has given out */
    const char *compression; /* "gzip", ...; NULL: none */
    char member[128];        /* of the archive that it is; "": it is none */
} spmv__source;

/* options: NULL, or whoever is to be told of the progress. */
spmv_status spmv__source_open(spmv__source *src, const char *path, const spmv_read_options *options,
                              spmv_error *err);
void spmv__source_close(spmv__source *src);

/* See through compression and archives: from here on the source is what was packed.  Plain input
 * stays as it is.  Only the beginning is unpacked, without belief in any size that it claims.
 * Errors: UNSUPPORTED (not known to this build), INVALID_FORMAT (damaged; no member of the archive
 * is the matrix, or the one of options->member), OUT_OF_MEMORY. */
spmv_status spmv__source_unpack(spmv__source *src, const spmv_read_options *options,
                                spmv_error *err);

/* Unpack everything into memory: data[size] is the whole.  Nothing to do for plain input; not to be
 * mixed with spmv__source_next.  Errors: those of unpacking, OUT_OF_MEMORY. */
spmv_status spmv__source_whole(spmv__source *src, const spmv_read_options *options,
                               spmv_error *err);

/* Open, unpack and load: what is short, and is read as a whole.  Errors: those of the three. */
spmv_status spmv__source_read(spmv__source *src, const char *path, const spmv_read_options *options,
                              spmv_error *err);

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
 * after the first.  A piece stays where it is until it is released; whoever asks for the next one
 * may hold no other, or nobody gets any further.
 * Errors: those of unpacking; INVALID_FORMAT for a line of packed text beyond 1 MiB. */
spmv_status spmv__source_next(spmv__source *src, spmv__piece *out, spmv_error *err);

/* Any thread, any order; a piece at the end of the text needs no release, but may have one. */
void spmv__source_release(spmv__source *src, const spmv__piece *piece);

/* The text is over and all pieces were released: what packed text went through goes back. */
void spmv__source_empty(spmv__source *src);

/* Is what has come so far no more than a file of that size unpacks to?  spmv__source_whole says
 * what is wrong if not. */
bool spmv__source_believes(const spmv__source *src);

/* Is src->data only the beginning? */
bool spmv__source_is_partial(const spmv__source *src);

/* Begin again with the first piece; all were released, and src->data is the beginning again.
 * Errors: as for spmv__source_unpack. */
spmv_status spmv__source_rewind(spmv__source *src, spmv_error *err);

/* Once everything has been read: report what was odd about the packing.  Errors: FILE_IO (the file
 * was changed meanwhile), those of spmv__warn. */
spmv_status spmv__source_remark(const spmv__source *src, const spmv_read_options *options,
                                spmv_error *err);

/* Fill *err with a place in the source; returns status. */
spmv_status spmv__source_fail(const spmv__source *src, spmv_error *err, spmv_status status,
                              int64_t line, int64_t column, const char *format, ...)
    SPMV__PRINTF(6, 7);

/* The same for a failed call of the system, which has left its reason in errno. */
spmv_status spmv__source_fail_errno(const spmv__source *src, spmv_error *err, const char *what);

/* Which failure a value of errno stands for. */
static inline spmv_status spmv__errno_status(int why)
{
    return why == ENOMEM ? SPMV_ERROR_OUT_OF_MEMORY : SPMV_ERROR_FILE_IO;
}

/* Deflate makes at most so many bytes of one: no memory on the word of a file that holds less. */
enum { SPMV__DEFLATE_LIMIT = 1032 };

/* ---- Bytes out ------------------------------------------------------------------------------ */

/* Buffered output that appears under its name whole or not at all: a temporary file beside it
 * until spmv__sink_commit syncs and renames it.  "-" is standard output.  The first failure is
 * kept and reported by commit, so that writes need not be checked one by one. */
typedef struct spmv__sink spmv__sink;

/* options: NULL is the default. */
spmv_status spmv__sink_open(spmv__sink **out, const char *path, const spmv_write_options *options,
                            spmv_error *err);
void spmv__sink_expect(spmv__sink *sink, int64_t bytes); /* so many are still to come, about */
void spmv__sink_write(spmv__sink *sink, const void *data, size_t size);
void spmv__sink_printf(spmv__sink *sink, const char *format, ...) SPMV__PRINTF(2, 3);
/* Releases the sink in any case, and leaves NULL. */
spmv_status spmv__sink_commit(spmv__sink **sink, spmv_error *err);
void spmv__sink_discard(spmv__sink *sink); /* NULL is allowed */

/* Write the lines 0 .. count - 1, made by all threads, in order.
 *
 *   line_size  bytes that a line has at most
 *   make       puts the lines begin .. end - 1 at `out`, which has room for as many of the largest
 *              size; returns their end
 *
 * Errors: OUT_OF_MEMORY. */
typedef char *spmv__line_maker(const void *user, int64_t begin, int64_t end, char *out);
spmv_status spmv__write_lines(spmv__sink *sink, int64_t count, int line_size,
                              spmv__line_maker *make, const void *user, spmv_error *err);

/* A line `row column value` (no value in a pattern) for each entry, by row, then column, both under
 * their labels; A is in one of these formats.  Errors: OUT_OF_MEMORY. */
enum { SPMV__LISTED = 1 << SPMV_CSR | 1 << SPMV_COO };
spmv_status spmv__write_entries(spmv__sink *sink, const spmv_matrix *A, const spmv_labels *labels,
                                spmv_error *err);

/* ---- Numbers -------------------------------------------------------------------------------- */

enum { SPMV__NUMBER_SIZE = 40 }; /* bytes that spmv__format_number writes at most */

/* Read a decimal number at the start of [p, end): sign, digits, fraction, exponent (E or Fortran
 * D), inf, nan, hexadecimal.  Correctly rounded, independent of the locale.
 * Returns the end of what was read, or NULL when there is no number. */
const char *spmv__parse_number(const char *p, const char *end, double *value);

/* Shortest text that reads back to the same bits as a value of the given type, or as one part of it
 * where that is complex (no terminator, but SPMV__NUMBER_SIZE bytes may be overwritten); returns
 * its length. */
int spmv__format_number(char *out, double value, spmv_type type);

/* The same of value p of an array: one number, or two with a blank between them. */
enum { SPMV__VALUE_SIZE = 2 * SPMV__NUMBER_SIZE + 1 };
int spmv__format_value(char *out, spmv_type type, const void *val, int64_t p);

/* Can f64 hold an integer of this magnitude? */
bool spmv__is_exact(uint64_t magnitude);

/* All values of x, column by column, one a line.  Errors: OUT_OF_MEMORY. */
spmv_status spmv__write_numbers(const spmv_dense *x, spmv__sink *sink, spmv_error *err);

/* ---- The record of a file format ------------------------------------------------------------ */

/* One record a file, one line in the table of formats/formats.c. */
typedef struct spmv__file_format {
    spmv_file_format info;
    /* By the beginning of its content, beyond doubt; may be NULL. */
    bool (*recognise)(const unsigned char *data, int64_t size);
    /* Content that may be in this format, asked where neither content nor suffix decide; NULL:
     * never. */
    bool (*resembles)(const unsigned char *data, int64_t size);
    const char *lacking; /* what this build cannot use, and why; NULL: it can */
    bool only_by_name;   /* read where the options name it, and never for its content or suffix */
    bool pieces; /* read takes the input by spmv__source_next; else src->data is all of it */
    /* NULL: the format is not read.  May take src->storage for the matrix. */
    spmv_status (*read)(spmv_matrix *out, spmv__source *src, const spmv_read_options *options,
                        spmv_file_info *info, spmv_error *err);
    /* NULL: the format is not written. */
    spmv_status (*write)(const spmv_matrix *A, const char *path, const spmv_write_options *options,
                         spmv_error *err);
    /* Vectors, f64 or c128 and by columns when read; NULL: the format has none. */
    spmv_status (*read_vector)(spmv_dense *out, const spmv__source *src,
                               const spmv_read_options *options, spmv_error *err);
    spmv_status (*write_vector)(const spmv_dense *x, spmv__sink *sink, spmv_error *err);
} spmv__file_format;

/* The record that fits, or NULL. */
const spmv__file_format *spmv__file_format_named(const char *name);
const spmv__file_format *spmv__file_format_by_content(const spmv__source *src);
const spmv__file_format *spmv__file_format_by_suffix(const char *path);

/* The record that reads a vector from the source; NULL: it is plain text.  Errors: INVALID_ARGUMENT
 * (no such format), UNSUPPORTED (one without vectors). */
spmv_status spmv__vector_format(const spmv__file_format **out, const spmv__source *src,
                                const spmv_read_options *options, spmv_error *err);

/* The record for an output: named by the options, else by the suffix of path, else Matrix Market.
 * Errors: INVALID_ARGUMENT (no such format). */
spmv_status spmv__file_format_for_output(const spmv__file_format **out, const char *path,
                                         const spmv_write_options *options, spmv_error *err);

extern const spmv__file_format spmv__mtx_file, spmv__binary_file, spmv__npz_file, spmv__npy_file,
    spmv__binsparse_file, spmv__dimacs_file, spmv__metis_file, spmv__edges_file;

/* What the options ask of any matrix: complex values become a part of themselves, *A is expanded
 * unless its symmetry is to be kept, and loses its zeros.  On failure *A still holds something to
 * destroy. */
spmv_status spmv__finish_read(spmv_matrix *A, const spmv_read_options *options, spmv_error *err);

/* A for a file format that holds the storage formats of the given bits (1 << SPMV_CSR | ...), of
 * which CSR is one: *out is A itself, or *made, which the caller destroys in any case.  A triangle
 * is completed unless the file format has symmetries.  options may be NULL.  Errors: those of
 * spmv_expand. */
spmv_status spmv__prepare_write(const spmv_matrix **out, spmv_matrix *made, const spmv_matrix *A,
                                bool symmetries, unsigned formats,
                                const spmv_write_options *options, spmv_error *err);

/* What rows are called in an output: as the options say, or 1, 2, ...; only a square matrix has
 * labels of its own. */
spmv_labels spmv__labels_to_write(const spmv_matrix *A, const spmv_write_options *options);

/* id becomes the labels of n rows, which it must be in ascending order; it is released where first
 * says as much. */
void spmv__labels_take(spmv_labels *labels, int64_t *id, int64_t n);

/* Report a remark on the input: calls options->warn, or fails when options->strict is set. */
spmv_status spmv__warn(const spmv__source *src, const spmv_read_options *options, int64_t line,
                       int64_t column, spmv_error *err, const char *format, ...) SPMV__PRINTF(6, 7);

#endif
