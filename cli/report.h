/* report.h -- JSON records, exact.
 *
 * A thin layer over the JSON library (included by report.c only).  Reals are written in the
 * shortest form that reads back to the same bits, NaN and infinities as null with an `error` field
 * beside them, integers beyond 2^53 as strings, broken UTF-8 as U+FFFD.  Running out of memory
 * while building makes report_write fail. */
#ifndef SPMV_CLI_REPORT_H
#define SPMV_CLI_REPORT_H

#include "spmv.h"

typedef struct cJSON report;

report *report_create(void);    /* an empty object */
void report_destroy(report *r); /* NULL is allowed */

/* Members of an object; in an array `key` is NULL. */
report *report_object(report *parent, const char *key); /* lives as long as the parent */
report *report_array(report *parent, const char *key);
void report_text(report *r, const char *key, const char *value); /* NULL becomes null */
void report_integer(report *r, const char *key, int64_t value);
void report_real(report *r, const char *key, double value);
void report_flag(report *r, const char *key, bool value);

/* Write the record as one document; "-" is standard output.  See tool.h for --force. */
spmv_status report_write(const report *r, const char *path, spmv_error *err);

#endif
