/* scores.c -- scores of nodes as text: one line with label and score per node. */
#include "io.h"

spmv_status spmv_write_scores(const double *scores, int64_t n, const char *path,
                              const spmv_write_options *options, spmv_error *err)
{
    SPMV__REQUIRE((scores != NULL || n == 0) && path != NULL, err);
    spmv__sink *sink;
    const spmv_status st = spmv__sink_open(&sink, path, options != NULL && options->overwrite, err);
    if (st != SPMV_SUCCESS) return st;
    for (int64_t i = 0; i < n; i++) {
        char number[SPMV__NUMBER_SIZE];
        const int length = spmv__format_number(number, scores[i], SPMV_F64);
        spmv__sink_printf(sink, "%lld %.*s\n", (long long)i + 1, length, number);
    }
    return spmv__sink_commit(sink, err);
}
