/* labels.c -- what a file calls its rows, and writing that beside something else. */
#include "digits.h"
#include "io.h"

#include <stdlib.h>

enum { LABEL_SIZE = 20 }; /* digits at most */

int64_t spmv_label_at(const spmv_labels *labels, int64_t i)
{
    return labels->id != NULL ? labels->id[i] : labels->first + i;
}

int64_t spmv_label_find(const spmv_labels *labels, int64_t id)
{
    int64_t low = 0, high = labels->n;
    if (labels->id == NULL)
        return id >= labels->first && id - labels->first < labels->n ? id - labels->first : -1;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (labels->id[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < labels->n && labels->id[low] == id ? low : -1;
}

void spmv_labels_destroy(spmv_labels *labels)
{
    if (labels == NULL) return;
    free(labels->id);
    *labels = (spmv_labels){0};
}

/* Lines `label score ...` or, without scores, `index label`. */
typedef struct listing {
    const spmv_labels *labels;
    const spmv_dense *scores; /* NULL: none */
} listing;

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
    const listing *list = user;
    for (int64_t i = begin; i < end; i++) {
        const uint64_t label = (uint64_t)spmv_label_at(list->labels, i);
        out = spmv__put_integer(out, list->scores != NULL ? label : (uint64_t)i);
        if (list->scores != NULL) {
            out = put_scores(list->scores, i, out);
        } else {
            *out++ = ' ';
            out = spmv__put_integer(out, label);
        }
        *out++ = '\n';
    }
    return out;
}

static spmv_status write_lines(const listing *list, const char *path,
                               const spmv_write_options *options, spmv_error *err)
{
    const int64_t numbers = list->scores != NULL ? list->scores->cols : 1;
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
    const listing list = {labels, scores};
    return write_lines(&list, path, options, err);
}

spmv_status spmv_write_labels(const spmv_labels *labels, const char *path,
                              const spmv_write_options *options, spmv_error *err)
{
    SPMV__REQUIRE(labels != NULL && path != NULL, err);
    const listing list = {labels, NULL};
    return write_lines(&list, path, options, err);
}
