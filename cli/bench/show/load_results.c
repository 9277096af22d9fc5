/* load_results.c -- results of spmv-bench from a file: lines of JSON, or one document of them. */
#include "cli/bench/show/bench_result.h"
#include "cli/tool/fail.h"
#include "cli/tool/path.h"
#include "cli/tool/self.h"

#include <stdlib.h>
#include <string.h>

/* Refuses a record of another kind, or one that contradicts itself: verdicts come from the bounds
 * of a median, and what is shown from the median. */
static spmv_status check(const report *r, spmv_error *err)
{
    const char *schema = report_text_at(r, "schema");
    const double low = report_real_at(r, "time_s.median_low");
    const double high = report_real_at(r, "time_s.median_high");
    const double median = report_real_at(r, "time_s.median");
    if (report_text_at(r, "matrix.file")[0] == '\0' ||
        (report_member(r, "kernel") != NULL && report_text_at(r, "kernel")[0] == '\0'))
        return tool_fail(err, SPMV_ERROR_INVALID_FORMAT, "this is not a result of spmv-bench");
    if (schema[0] != '\0' && strcmp(schema, "spmv/1") != 0)
        return tool_fail(err, SPMV_ERROR_INVALID_FORMAT,
                         "this is a record by the schema %.40s, and not by spmv/1", schema);
    if (median < low || median > high)
        return tool_fail(err, SPMV_ERROR_INVALID_FORMAT,
                         "the median of the times, %g s, is not between its bounds, %g and %g s",
                         median, low, high);
    return SPMV_SUCCESS;
}

/* Takes a record, or a document with many of them. */
static spmv_status take(bench_results *all, report *r, spmv_error *err)
{
    report *list = (report *)report_member(r, "results");
    spmv_status st = SPMV_SUCCESS;
    if (!report_is_list(list)) {
        st = check(r, err);
        if (st == SPMV_SUCCESS) return bench_results_add(all, r, err);
    }
    while (report_item(list, 0) != NULL && st == SPMV_SUCCESS)
        st = take(all, report_take(list, 0), err);
    report_destroy(r);
    return st;
}

static const char *skip_blank(const char *p)
{
    return p + strspn(p, " \t\r\n");
}

/* What is no text ends it. */
static const char *text_end(const char *text, size_t length)
{
    const char *end = memchr(text, '\0', length);
    return end != NULL ? end : text + length;
}

static spmv_status fail_in(spmv_error *err, spmv_status st, const char *path, const char *text,
                           const char *at)
{
    const char *begin = text;
    tool_blame_input(path, err);
    err->line = 1;
    for (const char *p = text; p < at; p++)
        if (*p == '\n') {
            err->line++;
            begin = p + 1;
        }
    err->column = at - begin + 1;
    return st;
}

/* Does the text end within this record of ours, as far as it goes?  Where no record is before it,
 * all of its beginning must be there. */
static bool is_cut_record(const char *record, const char *end, bool first)
{
    static const char head[] = "{\"schema\":\"spmv/1\",\"tool\":\"spmv-bench\",";
    const size_t length = (size_t)(end - record), most = sizeof head - 1;
    if (memchr(record, '\n', length) != NULL || memchr(record, '\0', length) != NULL) return false;
    if (length < most && first) return false;
    return strncmp(record, head, length < most ? length : most) == 0;
}

spmv_status bench_results_load(bench_results *all, const char *path, spmv_error *err)
{
    spmv_status st;
    const char *compression;
    size_t length;
    char *text;
    TOOL_TRY(spmv_read_bytes(&text, &length, &compression, path, err));
    const char *end = text_end(text, length);
    const bool can_go_on = compression == NULL && !tool_is_stdio(path);
    if (*skip_blank(text) == '\0' && end == text + length)
        st = fail_in(err, tool_fail(err, SPMV_ERROR_INVALID_FORMAT, "the file is empty"), path,
                     text, text);
    for (const char *p = skip_blank(text); p < text + length; p = skip_blank(p)) {
        const char *begin = p;
        report *r = report_parse(&p, end);
        const char *at = r != NULL ? begin : p;
        if (r != NULL)
            st = take(all, r, err);
        else
            st = tool_fail(err, SPMV_ERROR_INVALID_FORMAT,
                           can_go_on && is_cut_record(begin, text + length, all->count == 0)
                               ? "the last record is not whole; where a run was interrupted, "
                                 "--resume goes on with its file"
                               : "this is not JSON");
        if (st != SPMV_SUCCESS) {
            fail_in(err, st, path, text, at);
            break;
        }
    }
    free(text);
done:
    return st;
}

/* ---- To be continued ------------------------------------------------------------------------ */

/* A record of ours, and nothing after it on its line. */
static bool is_line(const report *r, const char *end)
{
    end += strspn(end, " \t\r");
    return (*end == '\n' || *end == '\0') && report_member(r, "results") == NULL &&
           strcmp(report_text_at(r, "tool"), tool_name()) == 0 && check(r, NULL) == SPMV_SUCCESS;
}

spmv_status bench_results_resume(bench_results *all, const char *path, int64_t *kept, bool *torn,
                                 spmv_error *err)
{
    spmv_status st;
    const char *compression;
    char *text;
    size_t length;
    *torn = false;
    TOOL_TRY(spmv_read_bytes(&text, &length, &compression, path, err));
    if (compression != NULL) {
        free(text);
        tool_fail(err, SPMV_ERROR_UNSUPPORTED, "a file in %s cannot be continued", compression);
        tool_blame_input(path, err);
        return SPMV_ERROR_UNSUPPORTED;
    }
    *kept = (int64_t)length;
    const char *end = text_end(text, length);
    for (const char *p = skip_blank(text); p < text + length && !*torn; p = skip_blank(p)) {
        const char *begin = p;
        report *r = report_parse(&p, end);
        if (r == NULL && is_cut_record(begin, text + length, all->count == 0)) {
            *torn = true;
            *kept = begin - text;
        } else if (r != NULL && is_line(r, p)) {
            st = bench_results_add(all, r, err);
        } else {
            report_destroy(r);
            st = tool_fail(err, SPMV_ERROR_INVALID_FORMAT,
                           "this is not a result of spmv-bench --format jsonl; the file is left as "
                           "it is");
        }
        if (st != SPMV_SUCCESS) {
            fail_in(err, st, path, text, begin);
            break;
        }
    }
    free(text);
done:
    return st;
}
