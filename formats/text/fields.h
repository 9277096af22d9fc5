/* fields.h -- lines whose fields are separated by blanks, or by one byte with blanks around it.
 *
 * A field that begins with a quotation mark goes on to the next, and two of them stand for one
 * within.  The delimiter ' ' stands for any blanks. */
#pragma once

#include "formats/text/text.h"

/* A field of a line, without what surrounds it. */
typedef struct spmv__field {
    const unsigned char *p, *end;
    bool quoted;  /* p and end are within its quotes */
    bool escaped; /* of which some stand twice */
} spmv__field;

/* Whether a dictionary begins at p and ends the line: the attributes that networkx writes after
 * two fields, in any braces, or before that what Python and JSON print as one; other names may
 * begin with a brace. */
bool spmv__fields_are_closed_by(const unsigned char *p, const unsigned char *end, int fields);

/* What separates the fields of the line at text->p: of what can, that which names hold least. */
char spmv__fields_delimiter(const spmv__text *text);

/* Go back from the first word of a line over the fields before it that are empty. */
void spmv__fields_begin(spmv__text *text, char delimiter, const unsigned char *first);

/* Take the field at text->p, and go to what ends it: a delimiter, or what ends the line. */
bool spmv__field_take(spmv__text *text, char delimiter, spmv__field *out);

/* Field number `index` of the line at text->p; `first` is where the text begins.  False where there
 * are fewer, or one of them is wrong. */
bool spmv__fields_find(const spmv__text *text, char delimiter, const unsigned char *first,
                       int index, spmv__field *out);

/* How many fields the line at text->p has, SPMV__FIELDS_MOST + 1 where it has more than that,
 * before one that is wrong, or the dictionary that ends it. */
enum { SPMV__FIELDS_MOST = 1 << 16 };
int spmv__fields_count(const spmv__text *text, char delimiter, const unsigned char *first,
                       bool *dictionary);

/* Over fields that nobody wants, from the end of field number *n on (0: from where the first
 * begins), to the end of the line, or to the one after the first `most`; *n becomes how many there
 * are, unless blanks are between them.  What begins with a quotation mark must be closed in the
 * line, and may go on after that. */
bool spmv__fields_pass(spmv__text *text, char delimiter, int most, int *n);

/* Over the delimiter to the next field; false (and no fault) where the line is over. */
bool spmv__field_next(spmv__text *text, char delimiter);

/* Whether zeros or a plus stand before an integer, as in 007 or +49: a name, which has nothing to
 * do with 7 or 49. */
bool spmv__field_is_padded(const spmv__field *field);

/* Whether it is an integer, or another number outside quotes, which is more likely to stand in the
 * wrong place than to be a name; one with zeros before it is a name. */
bool spmv__field_may_be_id(const spmv__field *field);

/* Whether it is an integer, perhaps with a point and zeros after it; *end is that of its digits.
 */
bool spmv__field_is_integer(const spmv__field *field, const unsigned char **end);

/* Whether it is a number of any kind, also an infinite one. */
bool spmv__field_is_number(const spmv__field *field);

/* Whether it looks like a number, and so like no heading; inf and nan are words. */
bool spmv__field_is_decimal(const spmv__field *field);

/* Whether it is this word, in whatever case. */
bool spmv__field_equals(const spmv__field *field, const char *word, size_t length);

/* The bytes of a field without its quotes at `out`, which has room for as many; returns how many.
 */
int64_t spmv__field_copy(const spmv__field *field, char *out);
