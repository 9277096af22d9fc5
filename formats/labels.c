/* labels.c -- what a file calls its rows, and writing that beside something else. */
#include "digits.h"
#include "io.h"

#include <stdlib.h>

enum { LINE_SIZE = 20 + 2 + SPMV__NUMBER_SIZE }; /* a label, a blank, a score */

int64_t spmv_label_at(const spmv_labels *labels, int64_t i)
{
    return labels->id != NULL ? labels->id[i] : labels->first + i;
}

void spmv_labels_destroy(spmv_labels *labels)
{
    if (labels == NULL) return;
    free(labels->id);
    *labels = (spmv_labels){0};
}

/* Lines `label score` or, without scores, `index label`. */
typedef struct listing {
    const spmv_labels *labels;
    const double *scores; /* NULL: none */
} listing;

static char *put_lines(const void *user, int64_t begin, int64_t end, char *out)
{
    const listing *list = user;
    for (int64_t i = begin; i < end; i++) {
        const int64_t label = spmv_label_at(list->labels, i);
        out = spmv__put_integer(out, (uint64_t)(list->scores != NULL ? label : i));
        *out++ = ' ';
        if (list->scores != NULL)
            out += spmv__format_number(out, list->scores[i], SPMV_F64);
        else
            out = spmv__put_integer(out, (uint64_t)label);
        *out++ = '\n';
    }
    return out;
}

static spmv_status write_lines(const listing *list, const char *path,
                               const spmv_write_options *options, spmv_error *err)
{
    spmv__sink *sink = NULL;
    spmv_status st;
    SPMV__TRY(spmv__sink_open(&sink, path, options, err));
    SPMV__TRY(spmv__write_lines(sink, list->labels->n, LINE_SIZE, put_lines, list, err));
    st = spmv__sink_commit(sink, err);
    sink = NULL;
done:
    spmv__sink_discard(sink);
    return st;
}

spmv_status spmv_write_scores(const double *scores, const spmv_labels *labels, const char *path,
                              const spmv_write_options *options, spmv_error *err)
{
    SPMV__REQUIRE(labels != NULL && (scores != NULL || labels->n == 0) && path != NULL, err);
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
