/* json_value.h -- JSON records, exact.
 *
 * A thin layer over the JSON library (included by json_value.c only).  Reals are written in the
 * shortest form that reads back to the same bits, NaN and infinities as null with an `error` field
 * beside them, integers beyond 2^53 as strings, broken UTF-8 as U+FFFD.  A record for a
 * member of which memory ran out cannot be printed; other records can. */
#pragma once

#include "spmv.h"

typedef struct cJSON report;

report *report_create(void);    /* an empty object; NULL: out of memory */
void report_destroy(report *r); /* NULL is allowed */

/* A text as reports hold it: each byte that belongs to no character is U+FFFD.  The caller frees
 * it; NULL: out of memory. */
char *report_valid_text(const char *text);

/* Members of an object; in an array `key` is NULL. */
report *report_object(report *parent, const char *key); /* lives as long as the parent */
report *report_array(report *parent, const char *key);
void report_text(report *r, const char *key, const char *value); /* NULL becomes null */
void report_integer(report *r, const char *key, int64_t value);
void report_real(report *r, const char *key, double value);
void report_flag(report *r, const char *key, bool value);

/* The shortest text of a finite number that reads back to the same bits. */
enum { REPORT_REAL_SIZE = 32 };
const char *report_show_real(double value, char text[REPORT_REAL_SIZE]);

/* ---- Reading -------------------------------------------------------------------------------- */

/* The next value of a text of one or several that is terminated at `end`, from *text on, which
 * moves after it: NULL where none begins, or it is no JSON, from where *text is then on.  What is
 * printed from it has the same bits. */
report *report_parse(const char **text, const char *end);

/* A path is one or several keys with dots between: "time_s.median". */
const report *report_member(const report *r, const char *path); /* NULL: absent */
bool report_is_list(const report *r);
int report_length(const report *array);                /* 0 where it is none */
const report *report_item(const report *array, int i); /* NULL: there is none */
report *report_take(report *array, int i);             /* out of it, for the caller to destroy */

const char *report_text_at(const report *r, const char *path); /* "" where there is no text */
double report_real_at(const report *r, const char *path);      /* NaN where there is no number */
int64_t report_integer_at(const report *r, const char *path);  /* 0 where there is none */
bool report_flag_at(const report *r, const char *path);

/* ---- Printing ------------------------------------------------------------------------------- */

/* Returns the text on one line, or indented; free it.  NULL: out of memory, now or while r was
 * built. */
char *report_print(const report *r, bool indented);

/* Write the record as one document; "-" is standard output.  See tool.h for --force. */
spmv_status report_write(const report *r, const char *path, bool overwrite, spmv_error *err);
