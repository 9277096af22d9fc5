/* text.h -- moving over the text of a file, and remembering what was met.
 *
 * The text lies in memory as a whole (input.h).  A stretch of it is read by one thread through a
 * spmv__text, which moves a pointer forward.  Places are pointers into the text and become lines
 * and columns only when they are told: no lines are counted while reading.  Functions that can meet
 * an error return false after spmv__text_fault. */
#pragma once

#include "formats/stream/input.h"

/* What is odd, yet has one meaning only: read with a warning, refused when strict.
 * X(name, what the warning says) */
#define SPMV__ODDITY_TABLE(X)                                                              \
    X(BYTE_ORDER_MARK, "the file begins with a byte order mark")                           \
    X(EARLY_BLANK, "there are blanks before the banner")                                   \
    X(ONE_PERCENT, "the banner begins with one % instead of two")                          \
    X(EXTRA_WORD, "the banner goes on after its symmetry")                                 \
    X(DOUBLE, "the field 'double' is read as 'real'")                                      \
    X(REAL_HERMITIAN, "hermitian without complex values is read as symmetric")             \
    X(INDENTED_COMMENT, "a comment begins after the first column")                         \
    X(LATE_COMMENT, "a comment follows the size line")                                     \
    X(TRAILING_COMMENT, "a comment follows the numbers on a line")                         \
    X(LONE_RETURN, "a line ends with a carriage return alone")                             \
    X(CTRL_Z, "the file ends with Ctrl-Z")                                                 \
    X(NOT_FINITE, "a value is infinite or not a number")                                   \
    X(TOO_LARGE, "a value is beyond the range of double precision and becomes infinite")   \
    X(TOO_SMALL, "a value is below the range of double precision and becomes 0")           \
    X(HEXADECIMAL, "a value is written in hexadecimal")                                    \
    X(COLUMNS, "a number stands outside the columns that its format in Fortran gives it")  \
    X(CUT_NUMBER, "the file ends within the columns of a number, which may be cut off")    \
    X(SCALED, "a value lacks a point or an exponent, and its format in Fortran scales it") \
    X(PATTERN_VALUE, "an entry of a pattern carries a value, which is ignored")            \
    X(ROUNDED, "an integer beyond 2^53 is rounded to double precision")                    \
    X(DECIMAL_INTEGER, "an integer is written as a decimal number")                        \
    X(WORD_NAME, "a name is not an integer: all are read as words")                        \
    X(HEADINGS, "the first line is an edge, and may be headings; `headings` tells")        \
    X(EDGE_COMMENT, "a comment has as many fields as an edge; in quotes it is none")       \
    X(UPPER, "an entry above the diagonal of a symmetric matrix is mirrored")              \
    X(BOTH_HALVES, "an entry and its mirror image are both given; they are taken once")    \
    X(SKEW_DIAGONAL, "a zero on the diagonal of a skew-symmetric matrix is dropped")       \
    X(DUPLICATE_SUM, "an entry is repeated; its values are added")                         \
    X(DUPLICATE_FIRST, "an entry is repeated; its first value counts")                     \
    X(DUPLICATE_LAST, "an entry is repeated; its last value counts")                       \
    X(DUPLICATE_PATTERN, "an entry is repeated; it counts once")

typedef enum spmv__oddity {
#define X(name, sentence) SPMV__ODD_##name,
    SPMV__ODDITY_TABLE(X)
#undef X
        SPMV__ODDITIES
} spmv__oddity;

typedef struct spmv__text {
    const unsigned char *p, *end; /* what is still to be read */
    /* Called for each comment that stands alone, with its bytes; may be NULL. */
    void (*comment)(void *user, const unsigned char *p, const unsigned char *end);
    void *user;
    const char *comments;                       /* bytes that begin a comment: "%" */
    unsigned char separator;                    /* a byte that ends a word as a blank does, or 0 */
    int64_t count[SPMV__ODDITIES];              /* how often each was met */
    const unsigned char *first[SPMV__ODDITIES]; /* and where first */
    spmv_status status;                         /* of the fault that ended the reading */
    const unsigned char *place;
    char message[256];
} spmv__text;

enum { SPMV__TEXT_QUOTE = 48 }; /* bytes of a quoted word at most, with its terminator */

void spmv__text_note(spmv__text *text, spmv__oddity oddity, const unsigned char *place);

/* End the reading with INVALID_FORMAT and a sentence about a place (NULL: about none); returns
 * false. */
bool spmv__text_fault(spmv__text *text, const unsigned char *place, const char *format, ...)
    SPMV__PRINTF(3, 4);

/* Blocks of text for threads that read them side by side: bytes of each, a few blocks for a thread,
 * and where the one at p ends, after the first line end from there on. */
int64_t spmv__text_block_bytes(int64_t bytes, int threads);
const unsigned char *spmv__text_block_end(const unsigned char *p, const unsigned char *end,
                                          int64_t block_bytes);

/* How many lines end in [p, end) of a text that goes on to text_end. */
int64_t spmv__text_count_ends(const unsigned char *p, const unsigned char *end,
                              const unsigned char *text_end);

/* Whether a line ends at p, with LF or CR or the text, and where the one at p does. */
static inline bool spmv__text_line_ends(const spmv__text *text, const unsigned char *p)
{
    return p == text->end || *p == '\n' || *p == '\r';
}
static inline const unsigned char *spmv__text_line_end(const spmv__text *text,
                                                       const unsigned char *p)
{
    while (!spmv__text_line_ends(text, p)) p++;
    return p;
}

/* The end of the word at p: the next blank, separator, line end, or comment. */
const unsigned char *spmv__text_word_end(const spmv__text *text, const unsigned char *p);

/* Bytes for a message: shortened, and without what could not be printed. */
const char *spmv__text_quote(char out[SPMV__TEXT_QUOTE], const unsigned char *p,
                             const unsigned char *end);

/* The word at text->p for a message. */
const char *spmv__text_quote_word(char out[SPMV__TEXT_QUOTE], const spmv__text *text);

void spmv__text_skip_blanks(spmv__text *text);

/* Returns whether there is no further word on this line. */
bool spmv__text_line_is_over(const spmv__text *text);

/* Behind the last word of a line: go to the start of the next.  False (and no fault) when there is
 * another word. */
bool spmv__text_finish_line(spmv__text *text);

#define SPMV__BYTE_ORDER_MARK "\xef\xbb\xbf"

/* Over a byte order mark, if there is one. */
void spmv__text_skip_byte_order_mark(spmv__text *text);

/* Go to the next word that is not in a comment.  False at the end of the text.  Comments are what
 * one expects in the header and an oddity in the body. */
bool spmv__text_next_content(spmv__text *text, bool in_body);

/* Read a decimal integer; `what` it stands for goes into the message.  Beyond int64_t it becomes
 * INT64_MIN or INT64_MAX. */
bool spmv__text_read_integer(spmv__text *text, const char *what, int64_t *out);

/* Read the next integer of a line, which counts something: it is not negative, and twice as many
 * can be counted, too.  The last one of a line may be missing, and is 0 then. */
bool spmv__text_read_count(spmv__text *text, const char *what, int64_t *out);
bool spmv__text_read_last_count(spmv__text *text, const char *what, int64_t *out);

/* The integer that a whole word is; false (and no fault) when it is none.  Its magnitude is exact
 * below UINT64_MAX. */
bool spmv__text_parse_integer(const unsigned char *p, const unsigned char *end, bool *negative,
                              uint64_t *magnitude);

/* Read a number of any kind; `what` ("a value") it stands for goes into the message. */
bool spmv__text_read_real(spmv__text *text, const char *what, double *out);

/* The number of any kind that bytes are, with what is odd about it. */
bool spmv__text_parse_real(spmv__text *text, const unsigned char *p, const unsigned char *end,
                           double *out);

/* The same of the weight of an edge: an integer that double precision rounds is odd. */
bool spmv__text_read_weight(spmv__text *text, const char *what, double *out);
bool spmv__text_parse_weight(spmv__text *text, const unsigned char *p, const unsigned char *end,
                             double *out);

/* Is the value at `place` one that may stand on the diagonal?  *keep says whether the matrix has a
 * diagonal to put it on. */
bool spmv__text_check_diagonal(spmv__text *text, spmv_symmetry symmetry, const unsigned char *place,
                               const spmv_scalar *value, bool *keep);

/* Tell the caller about the fault of the text, or about its oddities in the order of the file. */
spmv_status spmv__text_report_fault(const spmv__source *src, const spmv__text *text,
                                    spmv_error *err);
spmv_status spmv__text_report_oddities(const spmv__source *src, const spmv__text *text,
                                       const spmv_read_options *options, spmv_error *err);

/* ---- Entries in the order of a file --------------------------------------------------------- */

typedef struct spmv__origin {
    const spmv__source *src;
    const spmv_read_options *options;
    spmv__text *text;          /* takes what is odd or wrong */
    int64_t base;              /* that the file counts from */
    const spmv_labels *labels; /* what nodes are called; NULL, or none: they count from base */
    bool mirrored; /* the file has rows and columns of these entries the other way round */
    /* Where the nth entry with these coordinates stands: the file is read again from its start. */
    const unsigned char *(*find)(const void *file, int64_t row, int64_t col, int nth);
    const void *file;
} spmv__origin;

/* Tell where the coordinate (row, col) of a matrix of this type is given for the second time, the
 * first of `gone` entries that became one with another; or refuse it, as the options say.  Where
 * it is not told, the place is not looked for. */
spmv_status spmv__text_given_again(const spmv__origin *origin, spmv_type type, int64_t row,
                                   int64_t col, int64_t gone, spmv_error *err);

/* Bring *A into the order of COO; equal coordinates become what the options say, are added to
 * *merged, and reported where the first of them is given again. */
spmv_status spmv__text_sort(spmv_coo *A, const spmv__origin *origin, int64_t *merged,
                            spmv_error *err);
