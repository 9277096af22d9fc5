/* labels.c -- what a file calls its rows, and writing that beside something else. */
#include "io.h"

#include <stdlib.h>

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

spmv_status spmv_write_scores(const double *scores, const spmv_labels *labels, const char *path,
                              const spmv_write_options *options, spmv_error *err)
{
    SPMV__REQUIRE(labels != NULL && (scores != NULL || labels->n == 0) && path != NULL, err);
    spmv__sink *sink;
    const spmv_status st = spmv__sink_open(&sink, path, options != NULL && options->overwrite, err);
    if (st != SPMV_SUCCESS) return st;
    for (int64_t i = 0; i < labels->n; i++) {
        char number[SPMV__NUMBER_SIZE];
        const int length = spmv__format_number(number, scores[i], SPMV_F64);
        spmv__sink_printf(sink, "%lld %.*s\n", (long long)spmv_label_at(labels, i), length, number);
    }
    return spmv__sink_commit(sink, err);
}

spmv_status spmv_write_labels(const spmv_labels *labels, const char *path,
                              const spmv_write_options *options, spmv_error *err)
{
    SPMV__REQUIRE(labels != NULL && path != NULL, err);
    spmv__sink *sink;
    const spmv_status st = spmv__sink_open(&sink, path, options != NULL && options->overwrite, err);
    if (st != SPMV_SUCCESS) return st;
    for (int64_t i = 0; i < labels->n; i++)
        spmv__sink_printf(sink, "%lld %lld\n", (long long)i, (long long)spmv_label_at(labels, i));
    return spmv__sink_commit(sink, err);
}
