/* mtx.h -- what the parts of the Matrix Market reader and writer share.
 *
 * The text of a file lies in memory as a whole (io.h).  A stretch of it is read by one thread
 * through a spmv__mtx_text, which moves a pointer forward and remembers what it met.  Places are
 * pointers into the text and become lines and columns only when somebody is told of them: the
 * reader never counts lines.  Functions that can meet an error return false after
 * spmv__mtx_fault. */
#ifndef SPMV_FORMATS_MTX_H
#define SPMV_FORMATS_MTX_H

#include "io.h"

/* ---- The text ------------------------------------------------------------------------------- */

/* What is odd, yet has one meaning only: read with a warning, refused when strict.
 * X(name, what the warning says) */
#define SPMV__MTX_ODDITY_TABLE(X)                                                        \
    X(BYTE_ORDER_MARK, "the file begins with a byte order mark")                         \
    X(EARLY_BLANK, "there are blanks before the banner")                                 \
    X(ONE_PERCENT, "the banner begins with one % instead of two")                        \
    X(EXTRA_WORD, "the banner goes on after its symmetry")                               \
    X(DOUBLE, "the field 'double' is read as 'real'")                                    \
    X(REAL_HERMITIAN, "hermitian without complex values is read as symmetric")           \
    X(INDENTED_COMMENT, "a comment begins after the first column")                       \
    X(LATE_COMMENT, "a comment follows the size line")                                   \
    X(TRAILING_COMMENT, "a comment stands behind numbers")                               \
    X(LONE_RETURN, "a line ends with a carriage return alone")                           \
    X(CTRL_Z, "the file ends with Ctrl-Z")                                               \
    X(NOT_FINITE, "a value is infinite or not a number")                                 \
    X(TOO_LARGE, "a value is beyond the range of double precision and becomes infinite") \
    X(HEXADECIMAL, "a value is written in hexadecimal")                                  \
    X(PATTERN_VALUE, "an entry of a pattern carries a value, which is ignored")          \
    X(ROUNDED, "an integer beyond 2^53 is rounded to double precision")                  \
    X(DECIMAL_INTEGER, "an integer is written as a decimal number")                      \
    X(UPPER, "an entry above the diagonal of a symmetric matrix is mirrored")            \
    X(BOTH_HALVES, "an entry and its mirror image are both given; they are taken once")  \
    X(SKEW_DIAGONAL, "a zero on the diagonal of a skew-symmetric matrix is dropped")     \
    X(DUPLICATE_SUM, "a coordinate is given again; its values are added")                \
    X(DUPLICATE_FIRST, "a coordinate is given again; its first value counts")            \
    X(DUPLICATE_LAST, "a coordinate is given again; its last value counts")

typedef enum spmv__mtx_oddity {
#define X(name, sentence) SPMV__MTX_##name,
    SPMV__MTX_ODDITY_TABLE(X)
#undef X
        SPMV__MTX_ODDITIES
} spmv__mtx_oddity;

typedef struct spmv__mtx_text {
    const unsigned char *p, *end;                   /* what is still to be read */
    int64_t count[SPMV__MTX_ODDITIES];              /* how often each was met */
    const unsigned char *first[SPMV__MTX_ODDITIES]; /* and where first */
    spmv_status status;                             /* of the fault that ended the reading */
    const unsigned char *place;
    char message[256];
} spmv__mtx_text;

enum { SPMV__MTX_QUOTE = 48 }; /* bytes of a quoted word at most, with its terminator */

void spmv__mtx_note(spmv__mtx_text *text, spmv__mtx_oddity oddity, const unsigned char *place);

/* End the reading with INVALID_FORMAT and a sentence about a place; returns false. */
bool spmv__mtx_fault(spmv__mtx_text *text, const unsigned char *place, const char *format, ...)
    SPMV__PRINTF(3, 4);

/* The end of the word at p: the next blank, line end, or %. */
const unsigned char *spmv__mtx_word_end(const unsigned char *p, const unsigned char *end);

/* Bytes for a message: shortened, and without what could not be printed. */
const char *spmv__mtx_quote(char out[SPMV__MTX_QUOTE], const unsigned char *p,
                            const unsigned char *end);

/* The word at text->p for a message. */
const char *spmv__mtx_quote_word(char out[SPMV__MTX_QUOTE], const spmv__mtx_text *text);

void spmv__mtx_skip_blanks(spmv__mtx_text *text);

/* Is there no further word on this line? */
bool spmv__mtx_line_is_over(const spmv__mtx_text *text);

/* Behind the last word of a line: go to the start of the next.  False (and no fault) when there is
 * another word. */
bool spmv__mtx_finish_line(spmv__mtx_text *text);

/* Go to the next word that is not in a comment.  False at the end of the text.  Comments are what
 * one expects in the header and an oddity in the body. */
bool spmv__mtx_next_content(spmv__mtx_text *text, bool in_body);

/* Tell the caller about the fault of the text, or about its oddities in the order of the file. */
spmv_status spmv__mtx_report_fault(const spmv__source *src, const spmv__mtx_text *text,
                                   spmv_error *err);
spmv_status spmv__mtx_report_oddities(const spmv__source *src, const spmv__mtx_text *text,
                                      const spmv_read_options *options, spmv_error *err);

/* ---- The header ----------------------------------------------------------------------------- */

typedef enum spmv__mtx_field {
    SPMV__MTX_REAL,
    SPMV__MTX_INTEGER,
    SPMV__MTX_UNSIGNED,
    SPMV__MTX_COMPLEX,
    SPMV__MTX_PATTERN
} spmv__mtx_field;

typedef enum spmv__mtx_symmetry {
    SPMV__MTX_GENERAL,
    SPMV__MTX_SYMMETRIC,
    SPMV__MTX_SKEW,
    SPMV__MTX_HERMITIAN
} spmv__mtx_symmetry;

typedef struct spmv__mtx_header {
    bool vector; /* the object; its entries have one index */
    bool array;  /* the format; else coordinate */
    spmv__mtx_field field;
    spmv__mtx_symmetry symmetry;
    int64_t rows, cols;
    int64_t entries; /* that follow: as declared, or as the shape of an array demands */
} spmv__mtx_header;

/* Read the banner: object, format, field and symmetry. */
bool spmv__mtx_read_banner(spmv__mtx_text *text, const spmv_read_options *options,
                           spmv__mtx_header *header);

/* Write the banner of a matrix with real values or none. */
spmv_status spmv__mtx_write_banner(spmv__sink *sink, bool array, bool pattern,
                                   spmv_symmetry symmetry, spmv_error *err);

/* Read comments and the size line: rows, cols and entries. */
bool spmv__mtx_read_size(spmv__mtx_text *text, spmv__mtx_header *header);

/* ---- The body ------------------------------------------------------------------------------- */

typedef struct spmv__mtx_value {
    double re, im; /* im is 0 where the field is not complex */
} spmv__mtx_value;

/* Read a decimal integer; `what` it stands for goes into the message.  Beyond int64_t it becomes
 * INT64_MIN or INT64_MAX. */
bool spmv__mtx_read_integer(spmv__mtx_text *text, const char *what, int64_t *out);

/* Read the value of one entry; 1 for a pattern. */
bool spmv__mtx_read_value(spmv__mtx_text *text, spmv__mtx_field field, spmv__mtx_value *out);

/* What a complex value becomes.  Values that are not complex stay what they are. */
double spmv__mtx_part(const spmv__mtx_header *header, const spmv_read_options *options,
                      const spmv__mtx_value *value);

/* What the stored triangle means, once complex values have become real ones. */
spmv_symmetry spmv__mtx_result_symmetry(const spmv__mtx_header *header,
                                        const spmv_read_options *options);

/* Is the value at `place` one that may stand on the diagonal?  *keep says whether the resulting
 * matrix has a diagonal to put it on. */
bool spmv__mtx_check_diagonal(spmv__mtx_text *text, const spmv__mtx_header *header,
                              const spmv_read_options *options, const unsigned char *place,
                              const spmv__mtx_value *value, bool *keep);

/* Enough room for the entries that a header declares and `bytes` of text can hold; one more than
 * they can hold, so that reading meets whatever is wrong. */
int64_t spmv__mtx_room(const spmv__mtx_header *header, int64_t bytes);

/* Coordinate entries, from base 0, in the order of the file. */
typedef struct spmv__mtx_entries {
    const spmv__mtx_header *header;
    const spmv_read_options *options;
    int64_t *row, *col; /* [room] */
    double *val;        /* [room], NULL for a pattern */
    int64_t room;
    int64_t n;       /* entries stored */
    int64_t skipped; /* entries that lie outside the matrix */
    int64_t dropped; /* entries on a diagonal that the matrix does not have */
} spmv__mtx_entries;

/* Read entries from the lines of `text` until it ends or `room` of them were given. */
bool spmv__mtx_read_entries(spmv__mtx_text *text, spmv__mtx_entries *entries);

/* The values of an array, column by column; of a symmetric one the lower triangle. */
typedef struct spmv__mtx_values {
    const spmv__mtx_header *header;
    const spmv_read_options *options;
    double *val; /* [room] */
    int64_t room;
    int64_t n; /* values stored */
} spmv__mtx_values;

/* Read values from the lines of `text` until it ends or `room` of them were given. */
bool spmv__mtx_read_values(spmv__mtx_text *text, spmv__mtx_values *values);

/* After n entries: are they as many as declared, and is nothing left? */
bool spmv__mtx_finish_body(spmv__mtx_text *text, const spmv__mtx_header *header, int64_t n);

/* ---- The file ------------------------------------------------------------------------------- */

/* A file while it is read. */
typedef struct spmv__mtx_reader {
    const spmv__source *src;
    const spmv_read_options *options;
    spmv__mtx_header header;
    spmv__mtx_text text;
    const unsigned char *body; /* behind the size line */
} spmv__mtx_reader;

/* Read banner and size line. */
spmv_status spmv__mtx_open(spmv__mtx_reader *reader, const spmv__source *src,
                           const spmv_read_options *options, spmv_error *err);

/* Read the coordinate entries, in the order of the file.  *A may have more room than entries. */
spmv_status spmv__mtx_load_entries(spmv__mtx_reader *reader, spmv_coo *A, int64_t *skipped,
                                   spmv_error *err);

/* Read the values of an array; *val [reader->header.entries] is the caller's to free. */
spmv_status spmv__mtx_load_values(spmv__mtx_reader *reader, double **val, spmv_error *err);

/* Bring coordinate entries into the order of COO and, for a symmetric file, into the lower
 * triangle; equal coordinates are treated as the options say and counted in *merged. */
spmv_status spmv__mtx_order(spmv__mtx_reader *reader, spmv_coo *A, int64_t *merged,
                            spmv_error *err);

#endif
