/* file_format.h -- the record of a file format, and what reading and writing share. */
#pragma once

#include "formats/stream/sink.h"
#include "formats/stream/input.h"

/* A file in the making whose rows come in pieces. */
typedef struct spmv__row_file {
    const spmv_csr *C;  /* as spmv_row_consumer.begin has it */
    spmv_labels labels; /* of its rows, not owned */
    spmv__sink *sink;   /* open */
    void *own;          /* of the format; NULL at first */
} spmv__row_file;

/* How a file format takes a matrix by pieces of rows, in the steps of spmv_row_consumer.  The sink
 * keeps what fails in it. */
typedef struct spmv__row_format {
    bool needs_places; /* of the sink, see spmv__sink_has_places */
    spmv_status (*begin)(spmv__row_file *file, spmv_error *err);
    spmv_status (*prepare)(const spmv__row_file *file, const spmv_row_piece *piece,
                           spmv_piece_memory *memory, spmv_error *err); /* NULL: nothing */
    spmv_status (*take)(spmv__row_file *file, const spmv_row_piece *piece,
                        const spmv_piece_memory *memory, spmv_error *err);
    void (*finish)(spmv__row_file *file);  /* after the last piece; NULL: nothing */
    void (*release)(spmv__row_file *file); /* `own`, in any case; NULL: nothing */
} spmv__row_format;

/* One record a file, and one line in the table of formats/file/file_formats.c. */
typedef struct spmv__file_format {
    spmv_file_format info;
    /* Whether the beginning of a content is in this format, beyond doubt; may be NULL. */
    bool (*recognise)(const unsigned char *data, int64_t size);
    /* Content that may be in this format, asked where neither content nor suffix decide; NULL:
     * never. */
    bool (*resembles)(const unsigned char *data, int64_t size, const spmv_read_options *options);
    /* Whether it is likely to be where all kinds of text have the suffix, such as .txt; NULL: the
     * suffix suffices. */
    bool (*likely)(const unsigned char *data, int64_t size, const spmv_read_options *options);
    const char *lacking; /* what this build cannot use, and why; NULL: it can */
    bool only_by_name;   /* read where the options name it, and never for its content or suffix */
    bool members;        /* a file has several matrices: options->member is one of them, and no file
                            of an archive */
    bool pieces; /* read takes the input by spmv__source_next; else src->data is all of it */
    /* NULL: the format is not read.  May take src->storage for the matrix. */
    spmv_status (*read)(spmv_matrix *out, spmv__source *src, const spmv_read_options *options,
                        spmv_file_info *info, spmv_error *err);
    /* NULL: the format is not written. */
    spmv_status (*write)(const spmv_matrix *A, const char *path, const spmv_write_options *options,
                         spmv_error *err);
    const spmv__row_format *rows; /* NULL: it is written as a whole only */
    /* Vectors, f64 or c128 and by columns when read; NULL: the format has none. */
    spmv_status (*read_vector)(spmv_dense *out, const spmv__source *src,
                               const spmv_read_options *options, spmv_error *err);
    spmv_status (*write_vector)(const spmv_dense *x, spmv__sink *sink, spmv_error *err);
} spmv__file_format;

extern const spmv__file_format spmv__mtx_file, spmv__binary_file, spmv__npz_file, spmv__npy_file,
    spmv__binsparse_file, spmv__boeing_file, spmv__dimacs_file, spmv__matlab_file, spmv__metis_file,
    spmv__graphml_file, spmv__edges_file;
extern const spmv__row_format spmv__mtx_rows, spmv__binary_rows;

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

/* Write what row i is called as a field of a line whose fields are separated by `separator`.
 * Returns its end; spmv__label_size tells how many bytes may be overwritten. */
char *spmv__put_label(char *out, const spmv_labels *labels, int64_t i, char separator);
int spmv__label_size(const spmv_labels *labels);

/* What separates the fields of text that is called csv or tsv by the options, which may be NULL, or
 * by the suffix of the path: a comma and a tab, and both have headings; else a blank. */
char spmv__separator_of(const char *path, const spmv_write_options *options);

/* A line `row column value` (no value in a pattern) for each entry, by row, then column, both under
 * their labels, with `separator` between; A is in one of these formats.  Errors: OUT_OF_MEMORY. */
enum { SPMV__LISTED = 1 << SPMV_CSR | 1 << SPMV_COO };
spmv_status spmv__write_entries(spmv__sink *sink, const spmv_matrix *A, const spmv_labels *labels,
                                char separator, spmv_error *err);

/* The same for a piece of rows of C, a view of whose entries is in CSR: prepared as text, as far as
 * it is not very long, and then written. */
spmv_status spmv__prepare_entries(const spmv_csr *C, const spmv_row_piece *piece,
                                  const spmv_labels *labels, spmv_piece_memory *memory,
                                  spmv_error *err);
spmv_status spmv__write_piece(spmv__sink *sink, const spmv_csr *C, const spmv_row_piece *piece,
                              const spmv_labels *labels, const spmv_piece_memory *memory,
                              spmv_error *err);

/* Make the lines of entries begin .. end - 1 of rows that have `before` rows of a larger matrix
 * before them.  `out` has room for (end - begin + 64) lines; returns how many bytes they take. */
int spmv__entry_line_size(const spmv_labels *labels); /* bytes of a line, at most */
int64_t spmv__put_entries(char *out, const spmv_csr *C, int64_t begin, int64_t end, int64_t before,
                          const spmv_labels *labels);

/* All values of x, column by column, one a line.  Errors: OUT_OF_MEMORY. */
spmv_status spmv__write_numbers(const spmv_dense *x, spmv__sink *sink, spmv_error *err);
