/* number.h -- numbers as text, exactly, both ways. */
#pragma once

#include "core/base/base.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SPMV__NUMBER_SIZE = 40 }; /* bytes that spmv__format_number writes at most */

/* Read a decimal number at the start of [p, end): sign, digits, fraction, exponent (E or Fortran
 * D), inf, nan, hexadecimal.  Correctly rounded, independent of the locale.
 * Returns the end of what was read, or NULL when there is no number. */
const char *spmv__parse_number(const char *p, const char *end, double *value);

/* Has the number [p, end) become 0 though it is none? */
bool spmv__number_vanishes(const char *p, const char *end, double value);

/* Shortest text that reads back to the same bits as a value of the given type, or as one part of it
 * where that is complex (no terminator, but SPMV__NUMBER_SIZE bytes may be overwritten); returns
 * its length. */
int spmv__format_number(char *out, double value, spmv_type type);

/* Write value p of an array: one number, or two with a blank between them. */
enum { SPMV__VALUE_SIZE = 2 * SPMV__NUMBER_SIZE + 1 };
int spmv__format_value(char *out, spmv_type type, const void *val, int64_t p);

/* Can f64 hold an integer of this magnitude? */
bool spmv__is_exact(uint64_t magnitude);

#ifdef __cplusplus
}
#endif
