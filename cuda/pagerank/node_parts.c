/* node_parts.c -- the nodes of a graph to several GPUs.
 *
 * Sources are numbered by falling out-degree, and those with many edges out have many edges in,
 * too: so a GPU has blocks of them from everywhere.  Each block goes to the one that has the least
 * to do so far. */
#include "core/base/base.h"
#include "core/parts/partition.h"
#include "cuda/pagerank/gpu_pagerank.h"

#include <stdlib.h>

enum {
    LEAST = 32, /* sources of a block, */
    MOST = 1024,
    SPREAD = 64 /* or fewer, where a GPU would have less than so many blocks */
};

/* What an iteration costs: bytes for the edges and the nodes of a block. */
static double cost_of(const spmv__transition *t, int64_t begin, int64_t end)
{
    const int64_t *ptr = t->edges.col_ptr;
    int64_t edges = 0;
    for (int64_t i = begin; i < end; i++) edges += ptr[t->node[i] + 1] - ptr[t->node[i]];
    return spmv__part_weight(end - begin, edges);
}

/* So many of the first sources are read: of those behind them none hands anything on.  A node whose
 * edges all weigh 0 may come before others that do. */
static int64_t count_read(const spmv__transition *t)
{
    int64_t n = t->nodes;
    while (n > 0 && t->scale[n - 1] == 0) n--;
    return n;
}

static int least_loaded(const double *load, int gpus)
{
    int least = 0;
    for (int k = 1; k < gpus; k++)
        if (load[k] < load[least]) least = k;
    return least;
}

spmv_status spmv__node_parts_create(spmv__node_parts *out, const spmv__transition *t, int gpus,
                                    spmv_error *err)
{
    const int64_t n = t->nodes;
    spmv__node_parts p = {.gpus = gpus, .each = MOST};
    double *load = NULL;
    spmv_status st;
    while (p.each > LEAST && p.each * SPREAD * gpus > n) p.each /= 2;
    p.blocks = (n + p.each - 1) / p.each;
    p.read = (count_read(t) + p.each - 1) / p.each;
    SPMV__TRY(spmv__alloc(&p.owner, p.blocks, sizeof *p.owner, "parts of a graph", err));
    SPMV__TRY(spmv__alloc(&load, gpus, sizeof *load, "parts of a graph", err));
    for (int64_t b = 0; b < p.blocks; b++) {
        const int64_t begin = b * p.each, end = begin + p.each < n ? begin + p.each : n;
        p.owner[b] = least_loaded(load, gpus);
        load[p.owner[b]] += cost_of(t, begin, end);
    }
    *out = p;
    p.owner = NULL;
done:
    free(p.owner);
    free(load);
    return st;
}

void spmv__node_parts_destroy(spmv__node_parts *parts)
{
    free(parts->owner);
    *parts = (spmv__node_parts){0};
}
