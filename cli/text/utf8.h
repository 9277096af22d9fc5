/* utf8.h -- telling text from bytes that only look like it, and from what only looks like text. */
#pragma once

/* Returns the bytes (1 to 4) of the valid UTF-8 character at the start of a NUL-terminated text; 0
 * when it is not one (a stray or missing byte, an overlong form, a surrogate). */
int utf8_length(const char *text);

/* Returns the number of that character, of which utf8_length has told the length. */
unsigned utf8_decode(const char *text, int length);

/* Write the next character of a text as it may be shown into `shown`, and move *text after it: the
 * character itself, or \x1b for each byte of what could steer a terminal (control characters, marks
 * that reorder or break lines) or is no character.  Returns the columns that it takes. */
enum { UTF8_SHOWN = 17 };
int utf8_show(const char **text, char shown[UTF8_SHOWN]);
int utf8_columns(const char *text); /* of all of it */
