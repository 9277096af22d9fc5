/* first_scores.c -- the state that the iteration of PageRank begins with. */
#include "core/matrix/value.h"
#include "core/pagerank/ranking.h"

#include <stdlib.h>

/* Column begin + v of x, scaled to a sum of 1, for each ranking. */
static void take_columns(spmv__ranking *k, const spmv_dense *x, int64_t begin, double *to)
{
    for (int v = 0; v < k->used; v++) {
        const double *from = x->data;
        spmv__sum sum = {0, 0};
        for (int64_t j = 0; j < k->nodes; j++)
            spmv__sum_add(&sum, from[spmv_dense_index(x, j, begin + v)]);
        for (int64_t j = 0; j < k->nodes; j++)
            to[j * k->width + v] =
                from[spmv_dense_index(x, k->graph->node[j], begin + v)] / spmv__sum_total(&sum);
    }
}

static void begin_uniform(spmv__ranking *k)
{
    for (int64_t j = 0; j < k->nodes; j++)
        for (int v = 0; v < k->used; v++) k->rank[j * k->width + v] = 1 / (double)k->nodes;
}

void spmv__ranking_hand_on(spmv__ranking *k)
{
    spmv__sum dangling[SPMV__RANKINGS] = {{0, 0}};
    for (int64_t j = 0; j < k->nodes; j++)
        for (int v = 0; v < k->width; v++) {
            const int64_t at = j * k->width + v;
            const double scale = k->graph->scale[j];
            if (scale == 0) spmv__sum_add(&dangling[v], k->rank[at]);
            spmv__set_value(k->options->precision, k->given, at, k->rank[at] * scale);
        }
    for (int v = 0; v < k->width; v++) k->dangling[v] = spmv__sum_total(&dangling[v]);
}

int spmv__ranking_width(int64_t left)
{
    int width = 1;
    while (width < left && width < SPMV__RANKINGS) width *= 2;
    return width;
}

spmv_status spmv__ranking_create(spmv__ranking *out, const spmv__transition *graph,
                                 const spmv_pagerank_options *options, int64_t begin,
                                 spmv_error *err)
{
    const spmv_dense *restart = options->personalization, *start = options->start;
    const int64_t left = spmv__count_rankings(options) - begin;
    const size_t size = spmv_type_size(options->precision);
    spmv_status st;

    memset(out, 0, sizeof *out);
    out->graph = graph;
    out->options = options;
    out->nodes = graph->nodes;
    out->threads = spmv__threads(options->threads);
    out->used = left < SPMV__RANKINGS ? (int)left : SPMV__RANKINGS;
    out->width = spmv__ranking_width(left);
    const int64_t n = out->nodes * out->width;

    SPMV__TRY(
        spmv__alloc(&out->tallies, graph->columns.windows, sizeof *out->tallies, "sums", err));
    SPMV__TRY(spmv__alloc(&out->rank, n, sizeof *out->rank, "scores", err));
    SPMV__TRY(spmv__alloc(&out->given, n + out->width, size, "scores", err));
    SPMV__TRY(spmv__alloc(&out->next, n + out->width, size, "scores", err));
    if (restart != NULL) {
        SPMV__TRY(spmv__alloc(&out->restart, n, sizeof *out->restart, "personalization", err));
        take_columns(out, restart, begin, out->restart);
    }
    if (start != NULL)
        take_columns(out, start, begin, out->rank);
    else
        begin_uniform(out);
    spmv__ranking_hand_on(out);
done:
    if (st != SPMV_SUCCESS) spmv__ranking_destroy(out);
    return st;
}

void spmv__ranking_destroy(spmv__ranking *k)
{
    free(k->rank);
    free(k->restart);
    free(k->given);
    free(k->next);
    free(k->tallies);
    memset(k, 0, sizeof *k);
}
