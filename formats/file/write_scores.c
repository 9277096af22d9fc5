/* write_scores.c -- scores of nodes beside what these are called: as text, CSV, TSV or JSON. */
#include "core/matrix/value.h"
#include "core/matrix/vectors.h"
#include "formats/common/file_format.h"
#include "formats/text/digits.h"
#include "formats/common/name.h"
#include "formats/text/number.h"

#include <math.h>

/* How lines are made; each begins with a node. */
typedef struct score_lines {
    const spmv_dense *scores;
    const spmv_labels *labels;
    const int64_t *order;       /* NULL: as they are */
    const spmv_labels *columns; /* what the columns of scores are called */
    char separator;
} score_lines;

static double score_at(const spmv_dense *scores, int64_t row, int64_t c)
{
    return spmv__value(scores->type, scores->data, spmv_dense_index(scores, row, c));
}

static char *put_score(const spmv_dense *scores, int64_t row, int64_t c, char *out)
{
    return out + spmv__format_number(out, score_at(scores, row, c), scores->type);
}

static int64_t row_of_line(const score_lines *list, int64_t i)
{
    return list->order != NULL ? list->order[i] : i;
}

static char *put_lines(const void *user, int64_t begin, int64_t end, char *out)
{
    const score_lines *list = user;
    for (int64_t i = begin; i < end; i++) {
        const int64_t row = row_of_line(list, i);
        out = spmv__put_label(out, list->labels, row, list->separator);
        for (int64_t c = 0; c < list->scores->cols; c++) {
            *out++ = list->separator;
            out = put_score(list->scores, row, c, out);
        }
        *out++ = '\n';
    }
    return out;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static char *put_string(char *out, const char *text)
{
    *out++ = '"';
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\') *out++ = '\\';
        *out++ = *text;
    }
    *out++ = '"';
    return out;
}

/* An integer that every reader of JSON takes as it is, or a string. */
static char *put_node(char *out, const spmv_labels *labels, int64_t row)
{
    char text[SPMV_LABEL_SIZE];
    const char *name = spmv_label_text(labels, row, text);
    if (labels->name_ptr != NULL || !spmv__is_exact((uint64_t)spmv_label_at(labels, row)))
        return put_string(out, name);
    return spmv__put_integer(out, (uint64_t)spmv_label_at(labels, row));
}

/* Text that is known to be there, without its terminator. */
static char *put_text(char *out, const char *text)
{
    const size_t length = strlen(text);
    memcpy(out, text, length);
    return out + length;
}

/* JSON has no NaN and no infinity. */
static char *put_json_score(const spmv_dense *scores, int64_t row, int64_t c, char *out)
{
    return isfinite(score_at(scores, row, c)) ? put_score(scores, row, c, out)
                                              : put_text(out, "null");
}

static char *put_objects(const void *user, int64_t begin, int64_t end, char *out)
{
    const score_lines *list = user;
    for (int64_t i = begin; i < end; i++) {
        const int64_t row = row_of_line(list, i);
        out = put_node(put_text(out, i > 0 ? ",\n{\"node\":" : "{\"node\":"), list->labels, row);
        for (int64_t c = 0; c < list->scores->cols; c++) {
            *out++ = ',';
            out = put_string(out, list->columns->names + list->columns->name_ptr[c]);
            *out++ = ':';
            out = put_json_score(list->scores, row, c, out);
        }
        *out++ = '}';
    }
    return out;
}

/* ---- Headings -------------------------------------------------------------------------------- */

/* What the columns of scores are called: score, or score_NODE where each starts from a node. */
static spmv_status name_columns(spmv_labels *out, const spmv_dense *scores,
                                const spmv_labels *labels, const int64_t *sources, spmv_error *err)
{
    const int64_t name = sources != NULL ? spmv__label_size(labels) : SPMV_LABEL_SIZE;
    const int64_t most = name + (int64_t)sizeof "score_";
    const spmv_labels numbers = {.first = 1};
    const bool several = scores->cols > 1;
    int64_t size = 0, room;
    spmv_status st;
    if (!spmv__product(scores->cols, most, &room))
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "headings of %lld columns are too long",
                          (long long)scores->cols);
    out->n = scores->cols;
    SPMV__TRY(spmv__alloc(&out->name_ptr, out->n + 1, sizeof *out->name_ptr, "headings", err));
    SPMV__TRY(spmv__alloc(&out->names, room, 1, "headings", err));
    for (int64_t c = 0; c < out->n; c++) {
        char text[SPMV_LABEL_SIZE];
        const char *node = sources != NULL ? spmv_label_text(labels, sources[c], text)
                                           : spmv_label_text(&numbers, c, text);
        char *begin = out->names + size, *end = put_text(begin, several ? "score_" : "score");
        if (several) end = put_text(end, node);
        size += end - begin + 1;
        out->name_ptr[c + 1] = size;
    }
done:
    return st;
}

static void write_headings(spmv__sink *sink, const score_lines *list)
{
    const char separator = list->separator;
    char heading[2 * (SPMV_NAME_LENGTH + sizeof "score_") + 2];
    spmv__sink_printf(sink, separator == ' ' ? "# node" : "node");
    for (int64_t c = 0; c < list->columns->n; c++) {
        const int64_t begin = list->columns->name_ptr[c];
        const int64_t length = list->columns->name_ptr[c + 1] - begin - 1;
        const char *end = spmv__name_put(heading, list->columns->names + begin, length, separator);
        spmv__sink_write(sink, &separator, 1);
        spmv__sink_write(sink, heading, (size_t)(end - heading));
    }
    spmv__sink_printf(sink, "\n");
}

/* ---- The file -------------------------------------------------------------------------------- */

static bool is_json(const char *path)
{
    char suffix[SPMV_SUFFIX_SIZE];
    return strcmp(spmv_path_suffix(path, suffix), ".json") == 0;
}

/* Nodes that a layout names are some of the n. */
static spmv_status check_nodes(const int64_t *node, int64_t count, int64_t n, const char *what,
                               spmv_error *err)
{
    for (int64_t i = 0; node != NULL && i < count; i++)
        if (node[i] < 0 || node[i] >= n)
            return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                              "%s %lld of the scores is for node %lld, which is outside 0..%lld",
                              what, (long long)i + 1, (long long)node[i], (long long)n - 1);
    return SPMV_SUCCESS;
}

spmv_status spmv_write_scores(const spmv_dense *scores, const spmv_labels *labels,
                              const spmv_score_layout *layout, const char *path,
                              const spmv_write_options *options, spmv_error *err)
{
    static const spmv_score_layout plain = {0};
    SPMV__REQUIRE(labels != NULL && scores != NULL && path != NULL, err);
    SPMV__REQUIRE(scores->rows == labels->n && !scores->on_gpu, err);
    SPMV__REQUIRE(scores->type == SPMV_F32 || scores->type == SPMV_F64, err);
    if (layout == NULL) layout = &plain;
    const char separator = spmv__separator_of(path, options);
    spmv_labels columns = {0};
    const score_lines list = {scores, labels, layout->order, &columns, separator};
    const bool json = is_json(path);
    int64_t line_size = spmv__label_size(labels) + 16, numbers;
    spmv__sink *sink = NULL;
    spmv_status st;

    SPMV__REQUIRE(spmv__product(scores->cols, SPMV__NUMBER_SIZE + 4, &numbers), err);
    SPMV__TRY(spmv__check_vectors(scores, "the scores", err));
    SPMV__TRY(check_nodes(layout->order, labels->n, labels->n, "line", err));
    SPMV__TRY(check_nodes(layout->sources, scores->cols, labels->n, "column", err));
    SPMV__TRY(name_columns(&columns, scores, labels, layout->sources, err));
    line_size += numbers + (json ? 2 * columns.name_ptr[columns.n] : 0);
    if (line_size > INT32_MAX)
        SPMV__TRY(spmv__fail(err, SPMV_ERROR_UNSUPPORTED, "a line would be longer than 2 GiB"));
    SPMV__TRY(spmv__sink_open(&sink, path, options, err));
    if (json)
        spmv__sink_printf(sink, "[\n");
    else if (separator != ' ' || columns.n > 1)
        write_headings(sink, &list);
    SPMV__TRY(spmv__write_lines(sink, labels->n, (int)line_size, json ? put_objects : put_lines,
                                &list, err));
    if (json) spmv__sink_printf(sink, "\n]\n");
    st = spmv__sink_commit(&sink, err);
done:
    spmv__sink_discard(sink);
    spmv_labels_destroy(&columns);
    return st;
}
