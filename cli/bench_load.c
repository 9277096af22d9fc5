/* bench_load.c -- results of spmv-bench from a file: lines of JSON, or one document of them. */
#include "bench_result.h"
#include "tool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static spmv_status fail_at(spmv_error *err, spmv_status st, const char *path, int64_t line,
                           const char *sentence)
{
    tool_fail(err, st, "%s", sentence);
    snprintf(err->file, sizeof err->file, "%s", tool_is_stdio(path) ? "<stdin>" : path);
    err->line = line;
    return st;
}

/* The whole file, with a NUL behind it. */
static char *read_text(const char *path, size_t *length)
{
    FILE *file = tool_is_stdio(path) ? stdin : fopen(path, "rb");
    char *text = NULL;
    size_t room = 0, n = 1;
    *length = 0;
    if (file == NULL) return NULL;
    for (; n > 0; *length += n) {
        if (room - *length < 2) {
            char *larger = realloc(text, room = 2 * room + (1 << 16));
            if (larger == NULL) break;
            text = larger;
        }
        n = fread(text + *length, 1, room - *length - 1, file);
    }
    const bool ok = n == 0 && !ferror(file);
    if (file != stdin) fclose(file);
    if (ok) {
        text[*length] = '\0';
        return text;
    }
    free(text);
    return NULL;
}

/* A record, or a document with many of them. */
static spmv_status take(bench_results *all, report *r, spmv_error *err)
{
    report *list = (report *)report_member(r, "results");
    spmv_status st = SPMV_SUCCESS;
    if (list == NULL) {
        if (report_text_at(r, "matrix.file")[0] != '\0') return bench_results_add(all, r, err);
        st = tool_fail(err, SPMV_ERROR_INVALID_FORMAT, "this is no result of spmv-bench");
    }
    while (report_length(list) > 0 && st == SPMV_SUCCESS) st = take(all, report_take(list, 0), err);
    report_destroy(r);
    return st;
}

static int64_t line_of(const char *text, const char *at)
{
    int64_t line = 1;
    for (const char *p = text; p < at; p++) line += *p == '\n';
    return line;
}

static const char *skip_blank(const char *p)
{
    return p + strspn(p, " \t\r\n");
}

spmv_status bench_results_load(bench_results *all, const char *path, int64_t *torn, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    size_t length;
    errno = 0;
    char *text = read_text(path, &length);
    if (torn != NULL) *torn = -1;
    if (text == NULL)
        return fail_at(err, SPMV_ERROR_FILE_IO, path, 0,
                       errno != 0 ? strerror(errno) : "cannot read");
    for (const char *p = skip_blank(text); *p != '\0' && st == SPMV_SUCCESS; p = skip_blank(p)) {
        const char *begin = p;
        report *r = report_parse(&p);
        if (r == NULL && torn != NULL && strchr(begin, '\n') == NULL) {
            *torn = begin - text;
            break;
        }
        st = r == NULL ? fail_at(err, SPMV_ERROR_INVALID_FORMAT, path, line_of(text, begin),
                                 "this is no JSON")
                       : take(all, r, err);
        if (st != SPMV_SUCCESS) {
            snprintf(err->file, sizeof err->file, "%s", tool_is_stdio(path) ? "<stdin>" : path);
            err->line = line_of(text, begin);
        }
    }
    free(text);
    return st;
}
