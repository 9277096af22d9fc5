/* fortran.h -- numbers in columns of a fixed width, as Fortran reads and writes them.
 *
 * Functions that can meet an error return false after spmv__text_fault (text.h). */
#pragma once

#include "formats/text/text.h"

/* A format such as (26I3) or (1P,3E26.18): records of `repeat` fields, `width` bytes each. */
typedef struct spmv__fortran_format {
    bool integer; /* I; else E, D, F or G */
    int repeat, width;
    int decimals; /* of a field without a point, its last digits that stand after one */
    int scale;    /* a field without an exponent is divided by 10 to this power */
} spmv__fortran_format;

enum { SPMV__FORTRAN_WIDEST = 255 }; /* bytes of a field, and fields of a record */

/* Read the format at text->p, from its parenthesis on.  UNSUPPORTED where it is any other than a
 * repeated number. */
bool spmv__fortran_read_format(spmv__text *text, spmv__fortran_format *out);

/* Returns how many numbers `bytes` bytes of lines hold at most. */
int64_t spmv__fortran_room(const spmv__fortran_format *format, int64_t bytes);

/* Numbers in records that begin with the line at text->p. */
typedef struct spmv__fortran_numbers {
    spmv__text *text;
    const spmv__fortran_format *format;
    const char *what; /* "row indices" */
    int64_t count;    /* of all */
    int64_t taken;
    const unsigned char *line; /* that is read */
    bool by_words;             /* its numbers are told apart by blanks, and not by columns */
} spmv__fortran_numbers;

/* Read the next number; *place, which may be NULL, is where it stands. */
bool spmv__fortran_read_integer(spmv__fortran_numbers *numbers, int64_t *out,
                                const unsigned char **place);
bool spmv__fortran_read_real(spmv__fortran_numbers *numbers, double *out,
                             const unsigned char **place);

/* Behind the last number: go to the next line. */
bool spmv__fortran_finish(spmv__fortran_numbers *numbers);
