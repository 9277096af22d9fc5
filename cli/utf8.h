/* utf8.h -- telling text from bytes that only look like it. */
#ifndef SPMV_CLI_UTF8_H
#define SPMV_CLI_UTF8_H

/* Bytes (1 to 4) of the valid UTF-8 character at the start of a NUL-terminated text; 0 when it is
 * not one (a stray or missing byte, an overlong form, a surrogate). */
int utf8_length(const char *text);

/* The same character's number; only after utf8_length said `length`. */
unsigned utf8_decode(const char *text, int length);

#endif
