/* mtx.h -- what the parts of the Matrix Market reader and writer share.
 *
 * Functions that can meet an error return false after spmv__text_fault (text.h). */
#pragma once

#include "formats/stream/sink.h"
#include "formats/text/text.h"

/* ---- The header ----------------------------------------------------------------------------- */

typedef enum spmv__mtx_field {
    SPMV__MTX_REAL,
    SPMV__MTX_INTEGER,
    SPMV__MTX_UNSIGNED,
    SPMV__MTX_COMPLEX,
    SPMV__MTX_PATTERN
} spmv__mtx_field;

typedef struct spmv__mtx_header {
    bool vector; /* the object; its entries have one index */
    bool array;  /* the format; else coordinate */
    spmv__mtx_field field;
    spmv_symmetry symmetry;
    int64_t rows, cols;
    int64_t entries; /* that follow: as declared, or as the shape of an array demands */
} spmv__mtx_header;

/* Read the banner: object, format, field and symmetry. */
bool spmv__mtx_read_banner(spmv__text *text, spmv__mtx_header *header);

/* Write the banner for values of that type. */
spmv_status spmv__mtx_write_banner(spmv__sink *sink, bool array, spmv_type type,
                                   spmv_symmetry symmetry, spmv_error *err);

/* ---- The body ------------------------------------------------------------------------------- */

/* The type of the values as they are read. */
static inline spmv_type spmv__mtx_type(const spmv__mtx_header *header)
{
    if (header->field == SPMV__MTX_COMPLEX) return SPMV_C128;
    return header->field == SPMV__MTX_PATTERN ? SPMV_PATTERN : SPMV_F64;
}

/* Read the value of one entry; 1 for a pattern. */
bool spmv__mtx_read_value(spmv__text *text, spmv__mtx_field field, spmv_scalar *out);

/* Enough room for the entries that a header declares and `bytes` of text can hold; one more than
 * they can hold, so that reading meets whatever is wrong. */
int64_t spmv__mtx_room(const spmv__mtx_header *header, int64_t bytes);

/* Coordinate entries, from base 0, in the order of the file. */
typedef struct spmv__mtx_entries {
    const spmv__mtx_header *header;
    const spmv_read_options *options;
    int64_t *row, *col; /* [room] */
    void *val;          /* [room] of spmv__mtx_type, NULL for a pattern */
    int64_t room;
    int64_t n;       /* entries stored */
    int64_t skipped; /* entries that lie outside the matrix */
    int64_t dropped; /* entries on a diagonal that the matrix does not have */
} spmv__mtx_entries;

/* Read entries from the lines of `text` until it ends or `room` of them were given. */
bool spmv__mtx_read_entries(spmv__text *text, spmv__mtx_entries *entries);

/* The values of an array, column by column; of a symmetric one the lower triangle. */
typedef struct spmv__mtx_values {
    const spmv__mtx_header *header;
    void *val; /* [room] of spmv__mtx_type */
    int64_t room;
    int64_t n; /* values stored */
} spmv__mtx_values;

/* Read values from the lines of `text` until it ends or `room` of them were given. */
bool spmv__mtx_read_values(spmv__text *text, spmv__mtx_values *values);

/* ---- The file ------------------------------------------------------------------------------- */

/* A file while it is read. */
typedef struct spmv__mtx_reader {
    const spmv__source *src;
    const spmv_read_options *options;
    spmv__mtx_header header;
    spmv__text text;
    const unsigned char *body; /* after the size line */
} spmv__mtx_reader;

/* Read banner and size line. */
spmv_status spmv__mtx_open(spmv__mtx_reader *reader, const spmv__source *src,
                           const spmv_read_options *options, spmv_error *err);

/* Read the coordinate entries, in the order of the file.  *A may have more room than entries. */
spmv_status spmv__mtx_load_entries(spmv__mtx_reader *reader, spmv_coo *A, int64_t *skipped,
                                   spmv_error *err);

/* The first fault among the entries, or SPMV_SUCCESS when there is none; nothing is kept of them.
 */
spmv_status spmv__mtx_find_fault(const spmv__mtx_reader *reader, spmv_error *err);

/* Read the values of an array; *val [reader->header.entries] of spmv__mtx_type is the caller's to
 * free. */
spmv_status spmv__mtx_load_values(spmv__mtx_reader *reader, void **val, spmv_error *err);

/* Bring coordinate entries into the order of COO and, for a symmetric file, into the lower
 * triangle; equal coordinates are treated as the options say and counted in *merged. */
spmv_status spmv__mtx_order(spmv__mtx_reader *reader, spmv_coo *A, int64_t *merged,
                            spmv_error *err);

/* The place of the nth entry (from 1) with these coordinates, from base 0, in whole lines of the
 * body; `begin` where there is none. */
const unsigned char *spmv__mtx_find(const spmv__mtx_reader *reader, const unsigned char *begin,
                                    const unsigned char *end, int64_t row, int64_t col, int nth);

/* Where equal coordinates are looked up and reported; `mirrored` as in spmv__origin. */
spmv__origin spmv__mtx_origin(spmv__mtx_reader *reader, bool mirrored);

/* Are shape and counts such that CSR is what one wants?  Else COO: too many columns, or rows that
 * would take much more memory than entries. */
bool spmv__mtx_fits_csr(const spmv__mtx_reader *reader);

/* The quick way from coordinate entries to CSR (quick.h), everything done that the options ask
 * for: expanded, sorted, each coordinate once.  *done is false, and *reader as it was, when only
 * the careful way can read this file, or only one who has all of it at hand.
 *
 *   stream       where the pieces of the text come from; NULL: all of it lies in memory
 *   block_bytes  of memory, least size of a block that is read by one thread; 0: chosen here
 *
 * Errors: as of spmv_read.  Memory: that of the matrix or of the records of its entries
 * (core/assemble/buckets.h: for a million rows and columns 12 bytes each, 4 in a pattern), whatever
 * is more, and some for sorting (core/assemble/assembly.h). */
spmv_status spmv__mtx_read_csr(spmv_csr *out, spmv__mtx_reader *reader, spmv__source *stream,
                               int64_t block_bytes, spmv_file_info *info, bool *done,
                               spmv_error *err);

/* Read some whole lines of the body in the same way; *given becomes the number of entries in them.
 * Errors: OUT_OF_MEMORY; UNSUPPORTED (what the quick way cannot read, or what has to be told). */
spmv_status spmv__mtx_read_share(spmv_csr *out, spmv__mtx_reader *reader,
                                 const unsigned char *begin, const unsigned char *end,
                                 int64_t *given);

/* Read a file that all ranks have mapped, of which each takes some lines.  A failure, which all
 * have together, only says that one process has to read it. */
spmv_status spmv__mtx_read_part(spmv_part *out, spmv_comm *comm, const spmv__source *src,
                                spmv_partition by, const spmv_read_options *options);

/* What Matrix Market calls rows and columns, and what stands before the entries of a matrix. */
extern const spmv_labels spmv__mtx_numbers;
spmv_status spmv__mtx_write_front(spmv__sink *sink, const spmv_head *A, spmv_error *err);

/* Write a matrix of which each rank has some rows: each makes the lines of its entries, and rank 0
 * writes them.  at_once: entries whose lines a rank makes at a time, 0: as suits.  Errors, which
 * all ranks have together: those of spmv_write. */
spmv_status spmv__mtx_write_part(const spmv_part *part, spmv_comm *comm, const char *path,
                                 const spmv_write_options *options, int64_t at_once,
                                 spmv_error *err);

/* Read a matrix as the record of the file format does, with blocks of a given size. */
spmv_status spmv__mtx_read_blocks(spmv_matrix *out, spmv__source *src,
                                  const spmv_read_options *options, int64_t block_bytes,
                                  spmv_file_info *info, spmv_error *err);

/* Vectors, for the record of the file format. */
spmv_status spmv__mtx_read_vector(spmv_dense *out, const spmv__source *src,
                                  const spmv_read_options *options, spmv_error *err);
spmv_status spmv__mtx_write_vector(const spmv_dense *x, spmv__sink *sink, spmv_error *err);
