/* read_scores.c -- numbers for the nodes of a graph from lines `label score`, or from a vector
 * file. */
#include "formats/file/any_file.h"
#include "formats/text/fields.h"
#include "formats/text/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_score(double x)
{
    return x >= 0 && x < HUGE_VAL; /* false for NaN */
}

/* Lines on their way to scores. */
typedef struct score_reader {
    spmv__text text;
    const spmv_labels *labels;
    const char *what; /* a score is called */
    bool first;       /* no line was read */
} score_reader;

static int64_t find_node(const spmv_labels *labels, const spmv__field *field)
{
    char name[SPMV_NAME_LENGTH];
    const unsigned char *end = field->end;
    if (field->end - field->p > SPMV_NAME_LENGTH) return -1;
    const int64_t length = spmv__field_copy(field, name);
    const int64_t node = spmv_label_find(labels, name, (size_t)length);
    if (node >= 0 || labels->name_ptr != NULL || !spmv__field_is_integer(field, &end)) return node;
    const unsigned char *p = field->p + (*field->p == '+');
    return spmv_label_find(labels, (const char *)p, (size_t)(end - p));
}

static bool is_number(const spmv__field *field)
{
    double value;
    const char *end = (const char *)field->end;
    return spmv__parse_number((const char *)field->p, end, &value) == end;
}

/* Take the fields of a line: a node, and perhaps its score. */
static bool take_line(spmv__text *text, spmv__field field[2], int *n)
{
    const char delimiter = spmv__fields_delimiter(text);
    *n = 0;
    do {
        if (*n == 2)
            return spmv__text_fault(text, text->p, "a line holds a node and perhaps its score");
        if (!spmv__field_take(text, delimiter, &field[*n])) return false;
        ++*n;
    } while (spmv__field_next(text, delimiter));
    return true;
}

/* The next line: *node is an index, and -1 for a row of headings. */
static bool next_score(score_reader *reader, int64_t *node, double *score)
{
    spmv__text *text = &reader->text;
    char quote[SPMV__TEXT_QUOTE];
    spmv__field field[2];
    int n;
    if (!spmv__text_next_content(text, false)) return false;
    if (!take_line(text, field, &n)) return false;
    *score = 1;
    *node = find_node(reader->labels, &field[0]);
    const bool headings = reader->first && *node < 0 && n == 2 && !is_number(&field[1]);
    reader->first = false;
    if (headings) return spmv__text_finish_line(text);
    if (*node < 0)
        return spmv__text_fault(text, field[0].p, "the graph has no node %s",
                                spmv__text_quote(quote, field[0].p, field[0].end));
    if (n == 2 && field[1].p == field[1].end)
        return spmv__text_fault(text, field[1].p, "a %s is missing", reader->what);
    if (n == 2 && !spmv__text_parse_real(text, field[1].p, field[1].end, score)) return false;
    if (!is_score(*score))
        return spmv__text_fault(text, field[1].p, "a %s must be finite and not negative",
                                reader->what);
    return spmv__text_finish_line(text);
}

static spmv_status read_lines(spmv_dense *x, const spmv__source *src, const spmv_labels *labels,
                              const char *what, const spmv_read_options *options, spmv_error *err)
{
    score_reader reader = {.text = {.p = src->data, .end = src->data + src->size, .comments = "%#"},
                           .labels = labels,
                           .what = what,
                           .first = true};
    int64_t node;
    double score;
    const spmv_status st = spmv_dense_create(x, SPMV_F64, labels->n, 1, err);
    if (st != SPMV_SUCCESS) return st;
    spmv__text_skip_byte_order_mark(&reader.text);
    while (next_score(&reader, &node, &score))
        if (node >= 0) ((double *)x->data)[node] += score;
    if (reader.text.status != SPMV_SUCCESS) return spmv__text_report_fault(src, &reader.text, err);
    return spmv__text_report_oddities(src, &reader.text, options, err);
}

static spmv_status read_vector(spmv_dense *x, const spmv__source *src,
                               const spmv__file_format *format, const spmv_labels *labels,
                               const char *what, const spmv_read_options *options, spmv_error *err)
{
    const spmv_status st = format->read_vector(x, src, options, err);
    if (st != SPMV_SUCCESS) return st;
    if (spmv_type_is_complex(x->type))
        return spmv__source_fail(src, err, SPMV_ERROR_UNSUPPORTED, 0, 0,
                                 "a %s must be a real number", what);
    if (x->cols != 1)
        return spmv__source_fail(src, err, SPMV_ERROR_INVALID_DIMENSION, 0, 0,
                                 "a node has one %s, not %lld", what, (long long)x->cols);
    if (x->rows == labels->n) return SPMV_SUCCESS;
    return spmv__source_fail(src, err, SPMV_ERROR_INVALID_DIMENSION, 0, 0,
                             "the vector has %lld numbers, the graph %lld nodes",
                             (long long)x->rows, (long long)labels->n);
}

/* Numbers that can be scaled to a sum of 1, or none at all. */
static spmv_status check(const spmv_dense *x, const spmv__source *src, const char *what,
                         spmv_error *err)
{
    double sum = 0;
    for (int64_t i = 0; i < x->rows; i++) {
        const double score = ((const double *)x->data)[i];
        if (!is_score(score))
            return spmv__source_fail(src, err, SPMV_ERROR_INVALID_FORMAT, 0, 0,
                                     "%s %lld is %g, but must be finite and not negative", what,
                                     (long long)i + 1, score);
        sum += score;
    }
    if (x->rows == 0 || (sum > 0 && sum < HUGE_VAL)) return SPMV_SUCCESS;
    return spmv__source_fail(src, err, SPMV_ERROR_INVALID_FORMAT, 0, 0,
                             "the %ss add up to %g and cannot be scaled to 1", what, sum);
}

/* Scores can be written as JSON, whose lines would be taken for nodes with odd names. */
static spmv_status refuse_json(const char *path, spmv_error *err)
{
    char suffix[SPMV_SUFFIX_SIZE];
    if (strcmp(spmv_path_suffix(path, suffix), ".json") != 0) return SPMV_SUCCESS;
    spmv__fail(
        err, SPMV_ERROR_UNSUPPORTED,
        "numbers for nodes are read from text (.txt, .csv, .tsv) or a vector, not from JSON");
    if (err != NULL) snprintf(err->file, sizeof err->file, "%s", path);
    return SPMV_ERROR_UNSUPPORTED;
}

spmv_status spmv_read_scores(spmv_dense *out, const char *path, const spmv_labels *labels,
                             const char *what, const spmv_read_options *options, spmv_error *err)
{
    static const spmv_read_options defaults = {0};
    SPMV__REQUIRE(out != NULL && path != NULL && labels != NULL && what != NULL, err);
    const spmv__file_format *format;
    spmv__source src = {0};
    spmv_dense x = {0};
    spmv_status st = SPMV_SUCCESS;

    if (options == NULL) options = &defaults;
    memset(out, 0, sizeof *out);
    SPMV__TRY(refuse_json(path, err));
    SPMV__TRY(spmv__source_read(&src, path, &spmv__known_files, options, err));
    SPMV__TRY(spmv__vector_format(&format, &src, options, err));
    SPMV__TRY(format != NULL ? read_vector(&x, &src, format, labels, what, options, err)
                             : read_lines(&x, &src, labels, what, options, err));
    SPMV__TRY(spmv__source_remark(&src, options, err));
    SPMV__TRY(check(&x, &src, what, err));
    *out = x;
    x = (spmv_dense){0};
done:
    spmv_dense_destroy(&x);
    spmv__source_close(&src);
    return st;
}
