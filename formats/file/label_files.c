/* label_files.c -- files of labels, a line each. */
#include "formats/common/file_format.h"
#include "formats/file/any_file.h"
#include "formats/text/fields.h"
#include "formats/common/name.h"

#include <stdlib.h>

static char *put_labels(const void *user, int64_t begin, int64_t end, char *out)
{
    for (int64_t i = begin; i < end; i++) {
        out = spmv__put_label(out, user, i, '\n');
        *out++ = '\n';
    }
    return out;
}

spmv_status spmv_write_labels(const spmv_labels *labels, const char *path,
                              const spmv_write_options *options, spmv_error *err)
{
    SPMV__REQUIRE(labels != NULL && path != NULL, err);
    spmv__sink *sink = NULL;
    spmv_status st;
    SPMV__TRY(spmv__sink_open(&sink, path, options, err));
    SPMV__TRY(
        spmv__write_lines(sink, labels->n, spmv__label_size(labels) + 1, put_labels, labels, err));
    st = spmv__sink_commit(&sink, err);
done:
    spmv__sink_discard(sink);
    return st;
}

/* ---- Reading -------------------------------------------------------------------------------- */

/* The label that the line at text->p holds: all of it, or what is between its quotes. */
static spmv__field take_line(spmv__text *text)
{
    const unsigned char *p = text->p, *end = spmv__text_line_end(text, p);
    text->p = end;
    while (end[-1] == ' ' || end[-1] == '\t') end--;
    if (*p != '"' || end - p < 2 || end[-1] != '"') return (spmv__field){.p = p, .end = end};
    return (spmv__field){.p = p + 1, .end = end - 1, .quoted = true, .escaped = true};
}

/* Integers that ascend, n of them; false where the file holds anything else, such as 01, which is a
 * word. */
static bool take_integers(spmv__text text, int64_t *id, int64_t n)
{
    for (int64_t i = 0; i < n && spmv__text_next_content(&text, false); i++) {
        const spmv__field line = take_line(&text);
        bool negative;
        uint64_t magnitude;
        if (!spmv__text_parse_integer(line.p, line.end, &negative, &magnitude)) return false;
        if (negative || magnitude > INT64_MAX) return false;
        if (spmv__field_is_padded(&line)) return false;
        id[i] = (int64_t)magnitude;
        if (i > 0 && id[i] <= id[i - 1]) return false;
    }
    return true;
}

static bool take_words(spmv__text *text, spmv_labels *labels)
{
    int64_t i = 0, size = 0;
    for (; i < labels->n && spmv__text_next_content(text, false); i++) {
        const spmv__field line = take_line(text);
        char quote[SPMV__TEXT_QUOTE];
        const char *fault = spmv__field_fault(&line);
        if (fault != NULL)
            return spmv__text_fault(text, line.p, "the label '%s' %s",
                                    spmv__text_quote(quote, line.p, line.end), fault);
        labels->name_ptr[i] = size;
        size += spmv__field_copy(&line, labels->names + size) + 1;
    }
    labels->name_ptr[labels->n] = size;
    return true;
}

/* Put words in order for look-ups, unless they are, and note those that stand twice. */
static spmv_status order_words(spmv_labels *labels, const spmv__source *src,
                               const spmv_read_options *options, spmv_error *err)
{
    int64_t repeated = -1;
    bool ascend = true;
    const spmv_status st = spmv__name_order(&labels->order, labels, err);
    if (st != SPMV_SUCCESS) return st;
    for (int64_t i = 0; i < labels->n; i++) {
        const char *name = labels->names + labels->name_ptr[labels->order[i]];
        ascend = ascend && labels->order[i] == i;
        if (i > 0 && strcmp(name, labels->names + labels->name_ptr[labels->order[i - 1]]) == 0)
            repeated = labels->order[i];
    }
    if (ascend && repeated < 0) {
        free(labels->order);
        labels->order = NULL;
    }
    if (repeated < 0) return SPMV_SUCCESS;
    return spmv__warn(src, options, 0, 0, err, "several nodes are called '%s'",
                      labels->names + labels->name_ptr[repeated]);
}

static spmv_status read_words(spmv_labels *out, spmv__text *text, const spmv__source *src,
                              const spmv_read_options *options, spmv_error *err)
{
    spmv_labels labels = {.n = out->n, .first = 1};
    spmv_status st;
    SPMV__TRY(spmv__alloc(&labels.name_ptr, labels.n + 1, sizeof *labels.name_ptr, "labels", err));
    SPMV__TRY(spmv__alloc(&labels.names, text->end - text->p + 1, 1, "labels", err));
    if (!take_words(text, &labels)) SPMV__TRY(spmv__text_report_fault(src, text, err));
    SPMV__TRY(order_words(&labels, src, options, err));
    *out = labels;
    labels = (spmv_labels){0};
done:
    spmv_labels_destroy(&labels);
    return st;
}

/* Returns what a file of an archive is: names stand in NAME_nodename.txt beside the matrix in those
 * of the SuiteSparse collection. */
static spmv__member_class class_of(const char *name)
{
    static const char end[] = "_nodename.txt";
    const size_t length = strlen(name), tail = sizeof end - 1;
    const bool names = length >= tail && strcmp(name + length - tail, end) == 0;
    return names ? SPMV__MEMBER_MATRIX : SPMV__MEMBER_FILE;
}

/* Goes through the text up to its end, or the first label too many. */
static spmv_status check_count(spmv__text *text, int64_t n, const spmv__source *src,
                               spmv_error *err)
{
    int64_t count = 0;
    for (; count <= n && spmv__text_next_content(text, false); count++) take_line(text);
    if (count == n) return SPMV_SUCCESS;
    return spmv__source_fail(src, err, SPMV_ERROR_INVALID_DIMENSION, 0, 0,
                             "the file has %s labels than the graph has nodes, %lld",
                             count < n ? "fewer" : "more", (long long)n);
}

spmv_status spmv_read_labels(spmv_labels *out, const char *path, int64_t n,
                             const spmv_read_options *options, spmv_error *err)
{
    SPMV__REQUIRE(out != NULL, err);
    *out = (spmv_labels){.first = 1};
    SPMV__REQUIRE(path != NULL && n >= 0, err);
    const spmv__recogniser known = {spmv__known_files.is_known, class_of};
    spmv__source src = {0};
    spmv__text text = {.comments = "%#"}, counted;
    spmv_labels labels = {.n = n, .first = 1};
    int64_t *id = NULL;
    spmv_status st;

    if (options == NULL) options = &spmv__read_defaults;
    SPMV__TRY(spmv__source_read(&src, path, &known, options, err));
    text.p = src.data;
    text.end = src.data + src.size;
    spmv__text_skip_byte_order_mark(&text);
    counted = text;
    SPMV__TRY(check_count(&counted, n, &src, err));
    SPMV__TRY(spmv__alloc(&id, n, sizeof *id, "labels", err));
    if (take_integers(text, id, n)) {
        spmv__labels_take(&labels, id, n);
        id = NULL;
    } else {
        SPMV__TRY(read_words(&labels, &text, &src, options, err));
    }
    SPMV__TRY(spmv__text_report_oddities(&src, &counted, options, err));
    SPMV__TRY(spmv__source_remark(&src, options, err));
    *out = labels;
    labels = (spmv_labels){0};
done:
    free(id);
    spmv_labels_destroy(&labels);
    spmv__source_close(&src);
    return st;
}
