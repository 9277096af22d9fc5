/* read_text_test.h -- for tests: Matrix Market text in memory, read as if it were a file. */
#pragma once

#include "core/matrix/value.h"
#include "formats/common/file_format.h"

#include <criterion/criterion.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file as a string, with its size. */
static inline char *load_file(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    cr_assert_not_null(f, "%s cannot be opened", path);
    cr_assert_eq(fseek(f, 0, SEEK_END), 0);
    *size = (size_t)ftell(f);
    rewind(f);
    char *text = calloc(*size + 1, 1);
    cr_assert_eq(fread(text, 1, *size, f), *size);
    fclose(f);
    return text;
}

/* Calls test for the files that match a pattern; there must be at least that many. */
static inline void each_file(const char *names, size_t least, void (*test)(const char *path))
{
    glob_t found;
    char pattern[512];
    size_t n = 0;
    snprintf(pattern, sizeof pattern, "%s/%s", SPMV_TESTDATA, names);
    cr_assert_eq(glob(pattern, GLOB_BRACE, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        if (strcmp(strrchr(found.gl_pathv[i], '.'), ".expect") == 0) continue;
        test(found.gl_pathv[i]);
        n++;
    }
    cr_assert_geq(n, least, "%zu files are %s", n, names);
    globfree(&found);
}

enum { REMARKS = 16 };

/* The warnings that came, in order. */
typedef struct remarks {
    int n;
    spmv_error list[REMARKS];
} remarks;

static inline void take_remark(void *user, const spmv_error *remark)
{
    remarks *r = user;
    cr_assert_lt(r->n, REMARKS);
    r->list[r->n++] = *remark;
}

/* What a reading came to. */
typedef struct outcome {
    spmv_status status;
    spmv_error err;
    spmv_matrix A;
    spmv_file_info info;
    remarks warnings;
} outcome;

/* *A as coordinates, for those who look at its entries. */
static inline void to_coordinates(spmv_matrix *A)
{
    spmv_matrix B;
    spmv_error err;
    cr_assert_eq(spmv_check(A, &err), SPMV_SUCCESS, "%s", err.message);
    cr_assert_eq(spmv_convert(&B, A, SPMV_COO, NULL, &err), SPMV_SUCCESS, "%s", err.message);
    spmv_destroy(A);
    *A = B;
}

/* Read from memory of exactly that size, so that a sanitizer sees a read beyond it. */
static inline outcome read_bytes_as(const spmv__file_format *format, const void *bytes, size_t size,
                                    const spmv_read_options *options)
{
    outcome o = {0};
    spmv_read_options with = options != NULL ? *options : (spmv_read_options){0};
    unsigned char *copy = malloc(size > 0 ? size : 1);
    cr_assert_not_null(copy);
    if (size > 0) memcpy(copy, bytes, size);
    spmv__source src = {.name = "text", .data = copy, .size = (int64_t)size};
    with.warn = take_remark;
    with.user = &o.warnings;
    o.status = format->read(&o.A, &src, &with, &o.info, &o.err);
    free(copy);
    if (o.status == SPMV_SUCCESS) to_coordinates(&o.A);
    return o;
}

static inline outcome read_bytes(const void *bytes, size_t size, const spmv_read_options *options)
{
    return read_bytes_as(&spmv__mtx_file, bytes, size, options);
}

static inline outcome read_text(const char *text, const spmv_read_options *options)
{
    return read_bytes(text, strlen(text), options);
}

static inline bool same_value(double a, double b)
{
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

/* A holds exactly these entries, from 1, given as "row col value; row col value", a complex value
 * as two numbers. */
static inline void assert_entries(const spmv_matrix *A, const char *expected)
{
    int64_t p = 0;
    spmv_error err;
    cr_assert_eq(spmv_check(A, &err), SPMV_SUCCESS, "%s", err.message);
    for (const char *s = expected; *s != '\0'; p++) {
        char *rest;
        long long row = strtoll(s, &rest, 10), col = strtoll(rest, &rest, 10);
        const double re = strtod(rest, &rest), im = strtod(rest, &rest);
        cr_assert_lt(p, A->head.nnz, "too few entries for %s", expected);
        cr_assert_eq(A->coo.row_idx[p] + 1, row, "row of entry %lld", (long long)p);
        cr_assert_eq(A->coo.col_idx[p] + 1, col, "column of entry %lld", (long long)p);
        const spmv_scalar stored = spmv__scalar(A->head.type, A->coo.val, p);
        cr_assert(same_value(stored.re, re) && same_value(stored.im, im),
                  "entry %lld is %.17g %.17g, not %.17g %.17g", (long long)p, stored.re, stored.im,
                  re, im);
        s = rest + strspn(rest, "; ");
    }
    cr_assert_eq(A->head.nnz, p, "too many entries for %s", expected);
}

static inline void assert_reads(const char *text, const spmv_read_options *options,
                                const char *entries)
{
    outcome o = read_text(text, options);
    cr_assert_eq(o.status, SPMV_SUCCESS, "%lld:%lld %s\n%s", (long long)o.err.line,
                 (long long)o.err.column, o.err.message, text);
    assert_entries(&o.A, entries);
    spmv_destroy(&o.A);
}

static inline void assert_refuses(const char *text, const spmv_read_options *options,
                                  spmv_status status, int64_t line, int64_t column,
                                  const char *phrase)
{
    outcome o = read_text(text, options);
    cr_assert_eq(o.status, status, "%s: %s", spmv_status_name(o.status), o.err.message);
    cr_assert_not_null(strstr(o.err.message, phrase), "'%s' lacks '%s'", o.err.message, phrase);
    cr_assert_eq(o.err.line, line, "line %lld: %s", (long long)o.err.line, o.err.message);
    cr_assert_eq(o.err.column, column, "column %lld: %s", (long long)o.err.column, o.err.message);
    cr_assert_str_eq(o.err.file, "text");
}
