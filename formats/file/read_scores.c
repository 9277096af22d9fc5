/* read_scores.c -- numbers for the nodes of a graph from lines `label score`, or from a vector
 * file. */
#include "formats/file/any_file.h"
#include "formats/text/fields.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_score(double x)
{
    return x >= 0 && x < HUGE_VAL; /* false for NaN */
}

/* ---- Lines ---------------------------------------------------------------------------------- */

static const char COMMENTS[] = "%#";

/* Lines on their way to scores. */
typedef struct score_reader {
    spmv__text text;
    const unsigned char *begin; /* of all text */
    const spmv_labels *labels;
    const char *what; /* a score is called */
    char delimiter;   /* between fields; 0: each line of integers shows its own */
    bool headed;      /* the lines stand below a row of headings */
} score_reader;

/* A node, and perhaps its score. */
typedef struct score_line {
    spmv__field field[2];
    int n;
} score_line;

static int64_t find_node(const spmv_labels *labels, const spmv__field *field)
{
    char name[2 * SPMV_NAME_LENGTH]; /* a quote may stand twice */
    const unsigned char *end = field->end;
    if (field->end - field->p > (ptrdiff_t)sizeof name) return -1;
    const int64_t length = spmv__field_copy(field, name);
    const int64_t node = spmv_label_find(labels, name, (size_t)length);
    if (node >= 0 || labels->name_ptr != NULL || !spmv__field_is_integer(field, &end)) return node;
    const unsigned char *p = field->p + (*field->p == '+');
    return spmv_label_find(labels, (const char *)p, (size_t)(end - p));
}

/* Take the fields of the line at text->p, up to what ends it. */
static bool take_line(const score_reader *reader, spmv__text *text, score_line *line)
{
    const char delimiter =
        reader->delimiter != '\0' ? reader->delimiter : spmv__fields_delimiter(text);
    line->n = 0;
    spmv__fields_begin(text, delimiter, reader->begin);
    do {
        if (line->n == 2)
            return spmv__text_fault(text, text->p, "a line holds a node and perhaps its score");
        if (!spmv__field_take(text, delimiter, &line->field[line->n])) return false;
        ++line->n;
    } while (spmv__field_next(text, delimiter));
    return true;
}

/* Does the name of a node begin as a comment does?  Then a line is one unless its first field is a
 * node. */
static bool begin_as_comments(const spmv_labels *labels)
{
    bool any = false;
    for (int64_t i = 0; i < labels->n && labels->name_ptr != NULL; i++) {
        const char first = labels->names[labels->name_ptr[i]];
        any = any || (first != '\0' && strchr(COMMENTS, first) != NULL);
    }
    return any;
}

/* To the next line that is neither blank nor a comment; false at the end of the text. */
static bool next_line(const score_reader *reader, spmv__text *text)
{
    while (spmv__text_next_content(text, false)) {
        spmv__text ahead = *text;
        score_line line;
        if (*text->p == '\0' || strchr(COMMENTS, *text->p) == NULL) return true;
        if (take_line(reader, &ahead, &line) && find_node(reader->labels, &line.field[0]) >= 0)
            return true;
        text->p = spmv__text_line_end(text, text->p);
    }
    return false;
}

/* Whether the line is under a known heading: no score is called so, whatever nodes are. */
static bool is_heading(const score_line *line)
{
    static const char *const node[] = {"node", "id", "name", "label"};
    static const char *const score[] = {"score", "weight", "value"};
    bool names_node = false, names_score = false;
    for (size_t i = 0; i < sizeof node / sizeof node[0]; i++)
        names_node |= spmv__field_equals(&line->field[0], node[i], strlen(node[i]));
    for (size_t i = 0; i < sizeof score / sizeof score[0]; i++)
        names_score |= spmv__field_equals(&line->field[1], score[i], strlen(score[i]));
    return names_node && names_score;
}

/* Whether the first line is a row of headings: the known ones, or words above a score of which the
 * first is no node.  What follows the line is at reader->text. */
static bool are_headings(const score_reader *reader, const score_line *first)
{
    spmv__text text = reader->text;
    score_line second;
    if (first->n < 2 || spmv__field_is_number(&first->field[1])) return false;
    if (is_heading(first)) return true;
    if (spmv__field_is_decimal(&first->field[0]) ||
        find_node(reader->labels, &first->field[0]) >= 0)
        return false;
    return next_line(reader, &text) && take_line(reader, &text, &second) && second.n == 2 &&
           spmv__field_is_number(&second.field[1]);
}

/* Over headings, if there are any, to the first node. */
static bool open_lines(score_reader *reader)
{
    spmv__text *text = &reader->text;
    score_line first;
    spmv__text_skip_byte_order_mark(text);
    if (!next_line(reader, text)) return true;
    if (reader->labels->name_ptr != NULL) reader->delimiter = spmv__fields_delimiter(text);
    const spmv__text begin = *text;
    if (!take_line(reader, text, &first)) return false;
    reader->headed = are_headings(reader, &first);
    if (reader->headed) return spmv__text_finish_line(text);
    *text = begin;
    return true;
}

/* A word may be a node as a whole, and another one with its score. */
static bool refuse_doubt(score_reader *reader, const score_line *line)
{
    const spmv__field *name = &line->field[0];
    const spmv__field whole = {.p = name->p, .end = line->field[1].end};
    char quote[SPMV__TEXT_QUOTE], part[SPMV__TEXT_QUOTE];
    if (reader->headed || reader->labels->name_ptr == NULL || line->n < 2 || name->quoted ||
        line->field[1].quoted || find_node(reader->labels, &whole) < 0)
        return true;
    return spmv__text_fault(&reader->text, name->p,
                            "'%s' is a node, and may be '%s' with its %s: quotes around the name "
                            "tell which",
                            spmv__text_quote(quote, whole.p, whole.end),
                            spmv__text_quote(part, name->p, name->end), reader->what);
}

static bool take_node(score_reader *reader, const spmv__field *name, int64_t *node)
{
    char quote[SPMV__TEXT_QUOTE];
    *node = find_node(reader->labels, name);
    if (*node >= 0) return true;
    if (name->p == name->end)
        return spmv__text_fault(&reader->text, name->p, "the name of a node is missing");
    return spmv__text_fault(&reader->text, name->p, "the graph has no node %s",
                            spmv__text_quote(quote, name->p, name->end));
}

static bool next_score(score_reader *reader, int64_t *node, double *score)
{
    spmv__text *text = &reader->text;
    score_line line;
    const spmv__field *number = &line.field[1];
    *score = 1;
    if (!next_line(reader, text) || !take_line(reader, text, &line)) return false;
    if (!refuse_doubt(reader, &line) || !take_node(reader, &line.field[0], node)) return false;
    if (line.n == 2 && number->p == number->end)
        return spmv__text_fault(text, number->p, "a %s is missing", reader->what);
    if (line.n == 2 && !spmv__text_parse_real(text, number->p, number->end, score)) return false;
    if (!is_score(*score))
        return spmv__text_fault(text, number->p, "a %s must be finite and not negative",
                                reader->what);
    return spmv__text_finish_line(text);
}

static spmv_status read_lines(spmv_dense *x, const spmv__source *src, const spmv_labels *labels,
                              const char *what, const spmv_read_options *options, spmv_error *err)
{
    score_reader reader = {.text = {.p = src->data,
                                    .end = src->data + src->size,
                                    .comments = begin_as_comments(labels) ? "" : COMMENTS},
                           .begin = src->data,
                           .labels = labels,
                           .what = what};
    int64_t node;
    double score;
    const spmv_status st = spmv_dense_create(x, SPMV_F64, labels->n, 1, err);
    if (st != SPMV_SUCCESS) return st;
    if (open_lines(&reader))
        while (next_score(&reader, &node, &score)) ((double *)x->data)[node] += score;
    if (reader.text.status != SPMV_SUCCESS) return spmv__text_report_fault(src, &reader.text, err);
    return spmv__text_report_oddities(src, &reader.text, options, err);
}

/* ---- The file ------------------------------------------------------------------------------- */

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
    SPMV__REQUIRE(out != NULL, err);
    memset(out, 0, sizeof *out);
    SPMV__REQUIRE(path != NULL && labels != NULL && what != NULL, err);
    const spmv__file_format *format;
    spmv__source src = {0};
    spmv_dense x = {0};
    spmv_status st = SPMV_SUCCESS;

    if (options == NULL) options = &spmv__read_defaults;
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
