/* corpus_test.h -- for tests: the files of testdata, and what stands beside each. */
#pragma once

#include "formats/text/read_text_test.h"
#include "formats/file/expected_status_test.h"

static inline char *load_expected(const char *path)
{
    char name[512];
    size_t size;
    snprintf(name, sizeof name, "%.*s.expect", (int)(strrchr(path, '.') - path), path);
    return load_file(name, &size);
}

/* ---- Good files ----------------------------------------------------------------------------- */

/* The lines of an expectation, one after the other; NULL after the last. */
static inline char *next_line(char **rest)
{
    char *line;
    do line = strsep(rest, "\n");
    while (line != NULL && *line == '\0');
    return line;
}

static inline void check_warning(const char *path, const char *line, const outcome *o, int i)
{
    long long at_line, at_column;
    int length;
    cr_assert_eq(sscanf(line, "warning %lld:%lld %n", &at_line, &at_column, &length), 2);
    cr_assert_lt(i, o->warnings.n, "%s: no warning for '%s'", path, line);
    const spmv_error *w = &o->warnings.list[i];
    cr_assert_not_null(strstr(w->message, line + length), "%s: '%s' for '%s'", path, w->message,
                       line);
    cr_assert_eq(w->line, at_line, "%s: %lld for '%s'", path, (long long)w->line, line);
    cr_assert_eq(w->column, at_column, "%s: %lld for '%s'", path, (long long)w->column, line);
}

static inline void check_entry(const char *path, const char *line, const spmv_matrix *A, int64_t p)
{
    long long row, col;
    int length;
    cr_assert_eq(sscanf(line, "entry %lld %lld %n", &row, &col, &length), 2);
    char *rest;
    const double re = strtod(line + length, &rest), im = strtod(rest, NULL);
    cr_assert_lt(p, A->head.nnz, "%s", path);
    const spmv_scalar stored = spmv__scalar(A->head.type, A->coo.val, p);
    cr_assert(A->coo.row_idx[p] + 1 == row && A->coo.col_idx[p] + 1 == col &&
                  same_value(stored.re, re) && same_value(stored.im, im),
              "%s: %lld %lld %.17g %.17g for '%s'", path, (long long)A->coo.row_idx[p] + 1,
              (long long)A->coo.col_idx[p] + 1, stored.re, stored.im, line);
}

static inline void check_good(const char *path, const outcome *o)
{
    char *expected = load_expected(path), *rest = expected, type[16];
    long long rows, cols, nnz;
    int64_t warnings = 0, entries = 0;
    spmv_error err;
    cr_assert_eq(o->status, SPMV_SUCCESS, "%s: %s", path, o->err.message);
    cr_assert_eq(sscanf(next_line(&rest), "matrix %lld %lld %lld %15s", &rows, &cols, &nnz, type),
                 4);
    cr_assert_eq(o->A.head.rows, rows, "%s", path);
    cr_assert_eq(o->A.head.cols, cols, "%s", path);
    cr_assert_eq(o->A.head.nnz, nnz, "%s", path);
    cr_assert_eq(o->A.head.symmetry, SPMV_GENERAL, "%s", path);
    cr_assert_str_eq(spmv_type_name(o->A.head.type), type, "%s", path);
    cr_assert_eq(spmv_check(&o->A, &err), SPMV_SUCCESS, "%s: %s", path, err.message);
    for (char *line; (line = next_line(&rest)) != NULL;) {
        if (line[0] == 'w')
            check_warning(path, line, o, (int)warnings++);
        else
            check_entry(path, line, &o->A, entries++);
    }
    cr_assert_eq(warnings, o->warnings.n, "%s", path);
    cr_assert_eq(entries, nnz, "%s", path);
    free(expected);
}

static inline void check_strict(const char *path)
{
    spmv_matrix A;
    spmv_error err;
    spmv_read_options strict = {.strict = true};
    char *expected = load_expected(path), *warning = strstr(expected, "warning "), place[32];
    spmv_status st = spmv_read(&A, path, &strict, NULL, &err);
    if (warning == NULL) {
        cr_assert_eq(st, SPMV_SUCCESS, "%s: %s", path, err.message);
        spmv_destroy(&A);
    } else {
        cr_assert_eq(st, SPMV_ERROR_INVALID_FORMAT, "%s", path);
        snprintf(place, sizeof place, "%lld:%lld ", (long long)err.line, (long long)err.column);
        cr_assert_eq(strncmp(warning + 8, place, strlen(place)), 0, "%s: %s", path, place);
    }
    free(expected);
}

/* ---- Damaged files -------------------------------------------------------------------------- */

/* What is asked of a file that was cut or changed at a place. */
typedef void check_damaged(const char *path, const char *text, size_t size, size_t at);

/* Cut the file anywhere. */
static inline void check_cut_anywhere(const char *path, check_damaged *check)
{
    size_t size;
    char *text = load_file(path, &size);
    for (size_t cut = 0; cut < size; cut++) check(path, text, cut, cut);
    free(text);
}

/* Each byte from `begin` on, and before `end`, becomes every one of those. */
static inline void check_any_changed(const char *path, size_t begin, size_t end,
                                     const unsigned char *bytes, size_t count, check_damaged *check)
{
    size_t size;
    char *text = load_file(path, &size);
    for (size_t i = begin; i < size && i < end; i++) {
        const char was = text[i];
        for (size_t b = 0; b < count; b++) {
            text[i] = (char)bytes[b];
            check(path, text, size, i);
        }
        text[i] = was;
    }
    free(text);
}

/* ---- Bad files ------------------------------------------------------------------------------ */

static inline void check_bad(const char *path)
{
    spmv_matrix A;
    spmv_error err;
    char *expected = load_expected(path), *rest = expected;
    int status = atoi(next_line(&rest));
    long long line, column;
    cr_assert_eq(sscanf(next_line(&rest), "%lld:%lld", &line, &column), 2, "%s", path);
    const char *phrase = next_line(&rest);

    spmv_status st = spmv_read(&A, path, NULL, NULL, &err);
    cr_assert_neq(st, SPMV_SUCCESS, "%s was read", path);
    cr_assert_eq(expected_status(st), status, "%s: %s", path, err.message);
    cr_assert_not_null(strstr(err.message, phrase), "%s: '%s'", path, err.message);
    cr_assert(err.line == line && err.column == column, "%s: %lld:%lld %s", path,
              (long long)err.line, (long long)err.column, err.message);
    cr_assert_str_eq(err.file, path);
    cr_assert_eq(A.head.nnz, 0);
    cr_assert_eq(spmv_read(&A, path, NULL, NULL, NULL), st);
    free(expected);
}
