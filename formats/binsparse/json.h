/* json.h -- looking up values in a JSON text that ends with NUL.
 *
 * Values that are not asked for are passed over, whether they are right or not. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

const char *spmv__json_skip_blanks(const char *p);

/* The value of that name in the object at p; NULL: there is none. */
const char *spmv__json_member(const char *p, const char *name);

/* The string at p, which may be NULL, if it has no escapes and fits in out [size] with its NUL. */
bool spmv__json_text(const char *p, char *out, size_t size);

/* The integer at p, which may be NULL, of digits alone; returns the comma or bracket after it, or
 * NULL. */
const char *spmv__json_integer(const char *p, int64_t *out);
