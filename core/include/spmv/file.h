/* spmv/file.h -- files; a chapter of spmv.h, which has the conventions. */
#ifndef SPMV_FILE_H
#define SPMV_FILE_H

#include "spmv/convert.h"
#include "spmv/labels.h"
#include "spmv/rows.h"
#include "spmv/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What indices in a text count from. */
typedef enum spmv_index_base {
    SPMV_BASE_DEFAULT = 0, /* what is usual in its file format */
    SPMV_BASE_0,
    SPMV_BASE_1
} spmv_index_base;

/* Headings above the columns of delimited text. */
typedef enum spmv_headings {
    SPMV_HEADINGS_FOUND = 0, /* where the first line looks like them */
    SPMV_HEADINGS_NONE,
    SPMV_HEADINGS_YES
} spmv_headings;

/* How to read.  All zero is the default. */
typedef struct spmv_read_options {
    const char *file_format; /* a name from spmv_file_format_at; NULL: recognise it */
    const char *member;      /* of an archive: its name or the end of it; NULL: the matrix, which is
                                NAME/NAME.mtx or else the only one.  Of a MATLAB file: a variable,
                                or NAME.FIELD of a structure; NULL: Problem.A, or the only one */
    spmv_duplicates duplicates;
    spmv_complex_part complex_values;
    bool keep_symmetry; /* store the triangle as given instead of expanding it */
    bool drop_zeros;
    bool skip_invalid; /* text: leave out entries that lie outside the matrix */
    bool strict;       /* what `warn` would be told is an error */
    bool trust;        /* binary: skip the O(nnz) checks; using a damaged matrix writes and
                          reads anywhere, and so does reading one that is expanded */
    bool all_ids; /* edge list: every integer up to the largest is a node, not only those named */
    spmv_index_base index_base;
    spmv_headings headings; /* edge list: whether its first line names the columns */
    char delimiter;      /* edge list: between fields, ' ' for any blanks; 0: as its lines look */
    const char *columns; /* edge list: "SOURCE,TARGET" or "SOURCE,TARGET,WEIGHT", each a number
                            from 1 or a heading; NULL: the first two or three, which are all */
    int threads; /* text: 0: all; the result and what is said are the same for every number */
    /* Called with status SUCCESS-like remarks (file, line, column, sentence); may be NULL. */
    void (*warn)(void *user, const spmv_error *warning);
    spmv_progress_callback *progress; /* in bytes; may be NULL */
    void *user;                       /* for warn and progress */
} spmv_read_options;

/* Facts about a file that was read, beside the matrix. */
typedef struct spmv_file_info {
    const char *file_format; /* "mtx", "binary", ... */
    const char *compression; /* "gzip", ...; NULL: none */
    char member[128];        /* of an archive, shortened; "": it is none */
    const char *field;       /* what the file calls its values: "integer", ...; NULL: nothing */
    int64_t entries;         /* given in the file */
    int64_t duplicates;      /* entries merged */
    int64_t skipped;         /* entries left out by skip_invalid */
    int64_t bytes;           /* read, before they were unpacked */
    spmv_symmetry symmetry;  /* as the file has it */
    int64_t loops;           /* edge list: entries on the diagonal, before merging */
    int64_t smallest_id;     /* edge list: of the nodes that occur; -1 where there is none */
    bool has_values;         /* text, npz: entries are given with values */
    bool bipartite;          /* edge list: rows and columns are nodes of two kinds */
    bool headings;           /* edge list: the first line was taken for the names of columns */
    spmv_labels labels;      /* the caller's to destroy */
} spmv_file_info;

/* Read a matrix.
 *
 *   path     a file, or "-" for standard input; the format is recognised from the content, and
 *            where that may be several (edge lists, METIS) from the suffix
 *   out      text comes as f64 or pattern, Matrix Market and edge lists of plain numbers as CSR (as
 *            COO where that has too many columns, or more than 8 rows for an entry and over a
 *            million), other text as COO; a binary file in its own format, mapped; the entries of a
 *            Matrix Market array are those of its values that are not 0; entry (i, j) of a graph is
 *            its edge from i to j
 *   options  NULL: defaults
 *   info     may be NULL
 *
 * Errors: FILE_IO, INVALID_FORMAT and UNSUPPORTED (with line and column), INVALID_ARGUMENT
 * (`columns` that are no such list), OUT_OF_MEMORY (with the sizes, before anything large is
 * allocated). */
spmv_status spmv_read(spmv_matrix *out, const char *path, const spmv_read_options *options,
                      spmv_file_info *info, spmv_error *err);

/* Returns whether text of any kind, such as a .txt or .csv file, is likely to hold a matrix: its
 * beginning is that of a file format, or its first lines look like edges.  True as well for a file
 * that cannot be opened or unpacked: spmv_read says why. */
bool spmv_file_is_likely(const char *path, const spmv_read_options *options);

typedef struct spmv_write_options {
    bool overwrite;            /* replace an existing file */
    const char *file_format;   /* a name from spmv_file_format_at, for vectors also "text"; NULL: as
                                  the suffix of the path says, or else Matrix Market */
    const spmv_labels *labels; /* of a square matrix, for a file format that holds labels; NULL, or
                                  another number of them than rows: these count from 1 */
    spmv_progress_callback *progress; /* in bytes; may be NULL */
    void *user;                       /* for progress */
    bool unchanged;                   /* write nothing where spmv_changed_file(NULL) names a file */
} spmv_write_options;

/* Write a matrix; "-" is standard output.  A file appears whole or not at all: it is written
 * beside its final name, synced and renamed.
 * Errors: FILE_IO (also: the file exists), INVALID_ARGUMENT (no such file format), UNSUPPORTED (it
 * is not written, or cannot hold this matrix), OUT_OF_MEMORY. */
spmv_status spmv_write(const spmv_matrix *A, const char *path, const spmv_write_options *options,
                       spmv_error *err);

/* Write A in one file format.  Text is Matrix Market (by row, then column, symmetry kept, numbers
 * in the shortest form that reads back to the same bits); binary is our container, which holds A in
 * the storage format that it has, see spmv-formats(5). */
spmv_status spmv_write_mtx(const spmv_matrix *A, const char *path,
                           const spmv_write_options *options, spmv_error *err);
spmv_status spmv_write_binary(const spmv_matrix *A, const char *path,
                              const spmv_write_options *options, spmv_error *err);

/* Write A as an edge list: a line `row column value` (no value in a pattern) for each entry, by the
 * labels of the rows, and a last line `# Ids: first to last` where a node has no edge.  Words come
 * behind a first line `# Names: words`.  A path that ends in .csv or .tsv (also packed), or the
 * file format csv or tsv, gets that instead, under the headings source, target and weight, without
 * comments.  Errors: also UNSUPPORTED (not square, symmetry not expanded, a node without an edge
 * among labels that have gaps, or in CSV or TSV). */
spmv_status spmv_write_edges(const spmv_matrix *A, const char *path,
                             const spmv_write_options *options, spmv_error *err);

/* A file that takes a matrix in pieces of rows, as spmv_spgemm_rows hands them out: the same bytes
 * that spmv_write gives, which appear under their name whole or not at all.
 *
 * Matrix Market takes them whatever the output is; a binary file (CSR) does where it is a regular
 * file that is not compressed, as its table holds checksums of what follows.  Nothing is written
 * before the first call of the consumer.
 *
 *   options   as for spmv_write; labels must stay where they are
 *   commit    after the last piece; releases the writer in any case and leaves NULL.  Where rows
 *             are missing it fails, and nothing appears
 *   discard   instead, where something failed; NULL is allowed
 *
 * Errors: UNSUPPORTED (a file format that needs the whole matrix; a binary file to a pipe),
 * INVALID_ARGUMENT (a piece that does not follow the one before, rows that are missing), those of
 * spmv_write.  Memory: 2 MB, and for Matrix Market in each piece that is prepared about 100
 * bytes an entry, of 65,536 at most. */
typedef struct spmv_row_writer spmv_row_writer;
spmv_status spmv_row_writer_create(spmv_row_writer **out, const char *path,
                                   const spmv_write_options *options, spmv_error *err);
spmv_row_consumer spmv_row_writer_consumer(spmv_row_writer *writer);
spmv_status spmv_row_writer_commit(spmv_row_writer **writer, spmv_error *err);
void spmv_row_writer_discard(spmv_row_writer *writer);

/* Write a finished text or record in the same way.  Errors: those of spmv_write. */
spmv_status spmv_write_bytes(const void *data, size_t size, const char *path,
                             const spmv_write_options *options, spmv_error *err);

/* Read a text or record whole, unpacked if it is compressed: *out has *size bytes and a NUL behind
 * them, and is freed with free(); *compression, unless it is NULL, becomes its name or NULL.
 * Errors: those of opening and unpacking in spmv_read. */
spmv_status spmv_read_bytes(char **out, size_t *size, const char **compression, const char *path,
                            spmv_error *err);

/* Vectors, by columns: dense files (Matrix Market arrays, NumPy) with any number of columns, Matrix
 * Market coordinates of one column, or plain text with one number a line (and comments after % or
 * #).  What is read is f64 or c128.  Plain text is written where the suffix is .txt or the file
 * format "text", and holds one column.
 * Errors: as above; INVALID_DIMENSION (read: more than one column in coordinates; written: a
 * leading dimension that is less than a column). */
spmv_status spmv_read_vector(spmv_dense *out, const char *path, const spmv_read_options *options,
                             spmv_error *err);
spmv_status spmv_write_vector(const spmv_dense *x, const char *path,
                              const spmv_write_options *options, spmv_error *err);

/* Which lines scores have, and what their columns are. */
typedef struct spmv_score_layout {
    const int64_t *order;   /* [rows] of nodes, a line each; NULL: by number */
    const int64_t *sources; /* [columns] nodes that each column starts from; NULL: none */
} spmv_score_layout;

/* Scores of nodes, [labels->n x k], as text: a line `label score ...` for each.  A path that ends
 * in .csv, .tsv or .json (also packed) gets that, under the headings node and score.  Of several
 * columns each is called score_LABEL, after its source, or score_1, ...; other text says so in a
 * comment; JSON has null for what is not finite.  layout may be NULL.
 * Errors: those of spmv_write_vector; INVALID_ARGUMENT (a node that is none of the labels). */
spmv_status spmv_write_scores(const spmv_dense *scores, const spmv_labels *labels,
                              const spmv_score_layout *layout, const char *path,
                              const spmv_write_options *options, spmv_error *err);

/* Read one number for each node: [labels->n] of f64.  The file is a vector of that length, or text
 * with lines `label score` in any order (delimited and quoted as in edge lists, perhaps under a row
 * of headings), the score 1 where it is left out, those of a node that is listed again added, and 0
 * for nodes that are not listed.  `what` they are ("score", "weight") goes into messages.
 * Errors: those of spmv_read_vector; INVALID_FORMAT (no such node; a score that is negative or not
 * finite; a sum of 0), INVALID_DIMENSION. */
spmv_status spmv_read_scores(spmv_dense *out, const char *path, const spmv_labels *labels,
                             const char *what, const spmv_read_options *options, spmv_error *err);

/* The labels themselves: a line with one label for each row, in their order.  What is read has n of
 * them: integers that ascend, else words, in any order; all of a line is one.  Of an archive it is
 * the member whose name ends in _nodename.txt, or the only one.
 * Errors of reading: those of spmv_read_vector; INVALID_DIMENSION (another number of labels). */
spmv_status spmv_write_labels(const spmv_labels *labels, const char *path,
                              const spmv_write_options *options, spmv_error *err);
spmv_status spmv_read_labels(spmv_labels *out, const char *path, int64_t n,
                             const spmv_read_options *options, spmv_error *err);

/* Tell the files in an archive (tar or zip, also compressed), in their order, as spmv_read_options
 * would name them; `bytes` is what the archive claims, negative where it says nothing.  Nothing is
 * unpacked.  Errors: those of opening a file, UNSUPPORTED (not in this build), INVALID_FORMAT (no
 * archive, or damaged). */
typedef void spmv_member_callback(void *user, const char *name, int64_t bytes);
spmv_status spmv_list_members(const char *path, spmv_member_callback *each, void *user,
                              spmv_error *err);

/* File formats that this build knows. */
typedef struct spmv_file_format {
    const char *name;     /* "mtx" */
    const char *suffixes; /* ".mtx .mm" */
    const char *summary;
    bool reads, writes;
    bool text;   /* for people's eyes too: it may go to a terminal */
    bool labels; /* it holds those of the rows */
} spmv_file_format;
int spmv_file_format_count(void);
const spmv_file_format *spmv_file_format_at(int i);

/* Further name i of a file format, NULL at the end: csv and tsv are edge lists, which are written
 * with commas or tabs, under headings. */
const char *spmv_file_format_variant(int i);
/* The format that has this name, or this further one; NULL: unknown, as NULL is. */
const spmv_file_format *spmv_file_format_named(const char *name);

/* The suffix of a path in lower case, with its dot; "" when there is none, or it is very long.
 * One that asks for compression (.gz, .zst, ...) is passed over: of A.mtx.gz it is .mtx. */
enum { SPMV_SUFFIX_SIZE = 16 };
const char *spmv_path_suffix(const char *path, char suffix[SPMV_SUFFIX_SIZE]); /* suffix */
/* The compression that the end of a path asks for, "gzip"; NULL: none. */
const char *spmv_path_compression(const char *path);
const spmv_file_format *spmv_file_format_of(const char *path); /* by its suffix; NULL: unknown */

/* As the process ends: remove the temporary files of its writes.  Safe in a signal handler. */
void spmv_abandon_writes(void);

/* The mapped file that an address lies in, by the name it was read under, or NULL; of 64 at a time,
 * and to be read while it is mapped.  Safe in a signal handler.
 *
 * Files are mapped, by spmv_read as well as for the matrices in it that live in a binary file.  One
 * that another program shortens meanwhile, or that its disk cannot give, raises SIGBUS where it is
 * used.  The library installs no handler: a program that wants to end with a sentence asks in its
 * own one whose the address is (siginfo_t.si_addr). */
const char *spmv_mapped_file(const void *address);

/* The name of the mapped file that address lies in, or of the first one where address is NULL, if
 * it has been written to since it was mapped (its time or its size is another); otherwise NULL.
 * Safe in a signal handler.  What was computed from such a file may be wrong, and a SIGSEGV may
 * come from an index in it. */
const char *spmv_changed_file(const void *address);

/* Copy the indices of a matrix that lives in a mapped file to memory of their own, and check them
 * again; nothing happens to others.
 *
 * Another program that writes to the file can make no multiplication write out of bounds: indices
 * that lead there were copied by spmv_read (unless the file was trusted).  Whatever goes through
 * the matrix more than once, such as conversions, transposing, statistics and PageRank, needs this
 * call before to be as safe.  Errors: OUT_OF_MEMORY, those of spmv_check (A is to be destroyed). */
spmv_status spmv_own_indices(spmv_matrix *A, spmv_error *err);

#ifdef __cplusplus
}
#endif
#endif
