/* scores.c -- numbers for the nodes of a graph from lines `label score`, or from a vector file. */
#include "formats/file/any_file.h"
#include "formats/text/text.h"

#include <math.h>
#include <string.h>

static bool is_score(double x)
{
    return x >= 0 && x < HUGE_VAL; /* false for NaN */
}

/* The next line: *node is an index. */
static bool next_score(spmv__text *text, const spmv_labels *labels, int64_t *node, double *score)
{
    int64_t id;
    *score = 1;
    if (!spmv__text_next_content(text, false)) return false;
    const unsigned char *place = text->p;
    if (!spmv__text_read_integer(text, "id of a node", &id)) return false;
    *node = spmv_label_find(labels, id);
    if (*node < 0)
        return spmv__text_fault(text, place, "the graph has no node %lld", (long long)id);
    spmv__text_skip_blanks(text);
    if (text->p < text->end && *text->p == text->separator) text->p++;
    spmv__text_skip_blanks(text);
    place = text->p;
    if (!spmv__text_line_is_over(text) && !spmv__text_read_real(text, "a score", score))
        return false;
    if (!is_score(*score))
        return spmv__text_fault(text, place, "a score is finite and not negative");
    if (!spmv__text_finish_line(text))
        return spmv__text_fault(text, text->p, "a line holds a node and perhaps its score");
    return true;
}

static spmv_status read_lines(spmv_dense *x, const spmv__source *src, const spmv_labels *labels,
                              const spmv_read_options *options, spmv_error *err)
{
    spmv__text text = {
        .p = src->data, .end = src->data + src->size, .comments = "%#", .separator = ','};
    int64_t node;
    double score;
    const spmv_status st = spmv_dense_create(x, SPMV_F64, labels->n, 1, err);
    if (st != SPMV_SUCCESS) return st;
    spmv__text_skip_byte_order_mark(&text);
    while (next_score(&text, labels, &node, &score)) ((double *)x->data)[node] += score;
    if (text.status != SPMV_SUCCESS) return spmv__text_report_fault(src, &text, err);
    return spmv__text_report_oddities(src, &text, options, err);
}

static spmv_status read_vector(spmv_dense *x, const spmv__source *src,
                               const spmv__file_format *format, const spmv_labels *labels,
                               const spmv_read_options *options, spmv_error *err)
{
    const spmv_status st = format->read_vector(x, src, options, err);
    if (st != SPMV_SUCCESS) return st;
    if (spmv_type_is_complex(x->type))
        return spmv__source_fail(src, err, SPMV_ERROR_UNSUPPORTED, 0, 0,
                                 "a score is a real number");
    if (x->cols != 1)
        return spmv__source_fail(src, err, SPMV_ERROR_INVALID_DIMENSION, 0, 0,
                                 "a node has one score, not %lld", (long long)x->cols);
    if (x->rows == labels->n) return SPMV_SUCCESS;
    return spmv__source_fail(src, err, SPMV_ERROR_INVALID_DIMENSION, 0, 0,
                             "the vector has %lld numbers, the graph %lld nodes",
                             (long long)x->rows, (long long)labels->n);
}

/* Numbers that can be scaled to a sum of 1, or none at all. */
static spmv_status check(const spmv_dense *x, const spmv__source *src, spmv_error *err)
{
    double sum = 0;
    for (int64_t i = 0; i < x->rows; i++) {
        const double score = ((const double *)x->data)[i];
        if (!is_score(score))
            return spmv__source_fail(src, err, SPMV_ERROR_INVALID_FORMAT, 0, 0,
                                     "score %lld is %g, but must be finite and not negative",
                                     (long long)i + 1, score);
        sum += score;
    }
    if (x->rows == 0 || (sum > 0 && sum < HUGE_VAL)) return SPMV_SUCCESS;
    return spmv__source_fail(src, err, SPMV_ERROR_INVALID_FORMAT, 0, 0,
                             "the scores add up to %g and cannot be scaled to 1", sum);
}

spmv_status spmv_read_scores(spmv_dense *out, const char *path, const spmv_labels *labels,
                             const spmv_read_options *options, spmv_error *err)
{
    static const spmv_read_options defaults = {0};
    SPMV__REQUIRE(out != NULL && path != NULL && labels != NULL, err);
    const spmv__file_format *format;
    spmv__source src = {0};
    spmv_dense x = {0};
    spmv_status st = SPMV_SUCCESS;

    if (options == NULL) options = &defaults;
    memset(out, 0, sizeof *out);
    SPMV__TRY(spmv__source_read(&src, path, &spmv__known_files, options, err));
    SPMV__TRY(spmv__vector_format(&format, &src, options, err));
    SPMV__TRY(format != NULL ? read_vector(&x, &src, format, labels, options, err)
                             : read_lines(&x, &src, labels, options, err));
    SPMV__TRY(spmv__source_remark(&src, options, err));
    SPMV__TRY(check(&x, &src, err));
    *out = x;
    x = (spmv_dense){0};
done:
    spmv_dense_destroy(&x);
    spmv__source_close(&src);
    return st;
}
