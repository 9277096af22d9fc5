/* label_files.c -- files of labels, a line each, and of scores beside their labels. */
#include "core/matrix/value.h"
#include "formats/common/file_format.h"
#include "formats/file/any_file.h"
#include "formats/text/digits.h"
#include "formats/text/number.h"
#include "formats/text/text.h"

#include <stdlib.h>

enum { LABEL_SIZE = 20 }; /* digits at most */

/* Lines `label score ...` or, without scores, `label`. */
typedef struct label_lines {
    const spmv_labels *labels;
    const spmv_dense *scores; /* NULL: none */
} label_lines;

static char *put_scores(const spmv_dense *scores, int64_t row, char *out)
{
    for (int64_t c = 0; c < scores->cols; c++) {
        *out++ = ' ';
        out += spmv__format_number(
            out, spmv__value(scores->type, scores->data, c * scores->rows + row), scores->type);
    }
    return out;
}

static char *put_lines(const void *user, int64_t begin, int64_t end, char *out)
{
    const label_lines *list = user;
    for (int64_t i = begin; i < end; i++) {
        out = spmv__put_integer(out, (uint64_t)spmv_label_at(list->labels, i));
        if (list->scores != NULL) out = put_scores(list->scores, i, out);
        *out++ = '\n';
    }
    return out;
}

static spmv_status write_lines(const label_lines *list, const char *path,
                               const spmv_write_options *options, spmv_error *err)
{
    const int64_t numbers = list->scores != NULL ? list->scores->cols : 0;
    const int64_t line_size = LABEL_SIZE + 1 + numbers * (1 + SPMV__NUMBER_SIZE);
    spmv__sink *sink = NULL;
    spmv_status st;
    SPMV__REQUIRE(line_size <= INT32_MAX, err);
    SPMV__TRY(spmv__sink_open(&sink, path, options, err));
    SPMV__TRY(spmv__write_lines(sink, list->labels->n, (int)line_size, put_lines, list, err));
    st = spmv__sink_commit(&sink, err);
done:
    spmv__sink_discard(sink);
    return st;
}

spmv_status spmv_write_scores(const spmv_dense *scores, const spmv_labels *labels, const char *path,
                              const spmv_write_options *options, spmv_error *err)
{
    SPMV__REQUIRE(labels != NULL && scores != NULL && path != NULL, err);
    SPMV__REQUIRE(scores->rows == labels->n && !scores->on_gpu && !scores->by_rows, err);
    SPMV__REQUIRE(scores->type == SPMV_F32 || scores->type == SPMV_F64, err);
    const label_lines list = {labels, scores};
    return write_lines(&list, path, options, err);
}

spmv_status spmv_write_labels(const spmv_labels *labels, const char *path,
                              const spmv_write_options *options, spmv_error *err)
{
    SPMV__REQUIRE(labels != NULL && path != NULL, err);
    const label_lines list = {labels, NULL};
    return write_lines(&list, path, options, err);
}

/* ---- Reading -------------------------------------------------------------------------------- */

/* The next of the ids, of which `n` were read before. */
static bool next_label(spmv__text *text, int64_t *id, int64_t n)
{
    if (!spmv__text_next_content(text, false)) return false;
    const unsigned char *place = text->p;
    if (!spmv__text_read_integer(text, "label of a node", &id[n])) return false;
    if (id[n] < 0) return spmv__text_fault(text, place, "a label is not negative");
    if (n > 0 && id[n] <= id[n - 1])
        return spmv__text_fault(text, place, "the label %lld follows %lld; labels ascend",
                                (long long)id[n], (long long)id[n - 1]);
    if (!spmv__text_finish_line(text))
        return spmv__text_fault(text, text->p, "a line holds one label");
    return true;
}

static spmv_status read_lines(int64_t *id, int64_t n, const spmv__source *src,
                              const spmv_read_options *options, spmv_error *err)
{
    spmv__text text = {.p = src->data, .end = src->data + src->size, .comments = "%#"};
    int64_t read = 0;
    spmv__text_skip_byte_order_mark(&text);
    while (read < n && next_label(&text, id, read)) read++;
    if (text.status != SPMV_SUCCESS) return spmv__text_report_fault(src, &text, err);
    if (read < n || spmv__text_next_content(&text, false))
        return spmv__source_fail(src, err, SPMV_ERROR_INVALID_DIMENSION, 0, 0,
                                 "the file has %s labels than the graph has nodes, %lld",
                                 read < n ? "fewer" : "more", (long long)n);
    return spmv__text_report_oddities(src, &text, options, err);
}

spmv_status spmv_read_labels(spmv_labels *out, const char *path, int64_t n,
                             const spmv_read_options *options, spmv_error *err)
{
    static const spmv_read_options defaults = {0};
    SPMV__REQUIRE(out != NULL && path != NULL && n >= 0, err);
    spmv__source src = {0};
    int64_t *id = NULL;
    spmv_status st;

    if (options == NULL) options = &defaults;
    *out = (spmv_labels){.first = 1};
    SPMV__TRY(spmv__source_read(&src, path, &spmv__known_files, options, err));
    SPMV__TRY(spmv__alloc(&id, n, sizeof *id, "labels", err));
    SPMV__TRY(read_lines(id, n, &src, options, err));
    SPMV__TRY(spmv__source_remark(&src, options, err));
    spmv__labels_take(out, id, n);
    id = NULL;
done:
    free(id);
    spmv__source_close(&src);
    return st;
}
