/* name.h -- names of nodes that are words: which can be, in which order, and how they are written.
 */
#pragma once

#include "formats/text/fields.h"

/* Returns what is wrong with a name, as the end of a sentence about it ("is not UTF-8"); NULL: it
 * is a name. */
const char *spmv__name_fault(const unsigned char *p, const unsigned char *end);

/* The same of the name that a field holds, whose quotes may stand twice. */
const char *spmv__field_fault(const spmv__field *field);

/* Write a name as a field of a line whose fields are separated by `separator`: in quotes where it
 * would read as something else without.  Returns its end, at most 2 length + 2 bytes further. */
char *spmv__name_put(char *out, const char *name, int64_t length, char separator);

/* The rows of labels that are words by ascending bytes, equal ones as they are: *order [n] is the
 * caller's.  Errors: OUT_OF_MEMORY.  Time O(n log n). */
spmv_status spmv__name_order(int64_t **order, const spmv_labels *labels, spmv_error *err);
