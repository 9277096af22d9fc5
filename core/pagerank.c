/* pagerank.c -- PageRank by power iteration, one pass over the graph per iteration.
 *
 * The pass pulls the scores of all nodes, and in the same breath adds up the change and what the
 * dangling nodes will spread next.  No mass is lost: scores add up to 1 in every iteration.
 * (Brin and Page, 1998; dangling nodes as in Langville and Meyer, 2004.)
 *
 * Sums are taken over fixed pieces of the graph and compensated (Neumaier), so that they depend
 * neither on the number of threads nor, to speak of, on the number of nodes. */
#include "pagerank.h"

#include <math.h>
#include <stdlib.h>

enum { CHUNK = 1024, BLOCK = 512 }; /* nodes summed up together; edges summed up plainly */

typedef struct sum {
    double value, lost;
} sum;

static inline void add(sum *s, double x)
{
    double total = s->value + x;
    s->lost += fabs(s->value) >= fabs(x) ? (s->value - total) + x : (x - total) + s->value;
    s->value = total;
}

static inline double total(const sum *s)
{
    return s->value + s->lost;
}

/* What one chunk of nodes, or all of them, add to the two sums of an iteration. */
typedef struct tally {
    sum change, dangling;
} tally;

/* The state of the iteration. */
typedef struct ranking {
    const spmv__transition *graph;
    int64_t nodes, chunks;
    double *rank;         /* [nodes] the scores */
    double *given, *next; /* [nodes] what each hands on per edge: in this iteration, in the next */
    tally *tallies;       /* [chunks] */
} ranking;

/* What node j is given by the nodes with an edge to it. */
static double pull(const spmv_csc *edges, int64_t j, const double *given)
{
    const double *share = edges->val;
    sum s = {0, 0};
    for (int64_t p = edges->col_ptr[j], end = edges->col_ptr[j + 1]; p < end;) {
        int64_t stop = end - p < BLOCK ? end : p + BLOCK;
        double block = 0;
        if (share == NULL)
            for (; p < stop; p++) block += given[edges->row_idx[p]];
        else
            for (; p < stop; p++) block += share[p] * given[edges->row_idx[p]];
        add(&s, block);
    }
    return total(&s);
}

static tally rank_chunk(ranking *k, int64_t chunk, double damping, double base)
{
    tally t = {{0, 0}, {0, 0}};
    int64_t end = (chunk + 1) * CHUNK < k->nodes ? (chunk + 1) * CHUNK : k->nodes;
    for (int64_t j = chunk * CHUNK; j < end; j++) {
        double score = damping * pull(&k->graph->edges, j, k->given) + base;
        add(&t.change, fabs(score - k->rank[j]));
        if (k->graph->scale[j] == 0) add(&t.dangling, score);
        k->rank[j] = score;
        k->next[j] = score * k->graph->scale[j];
    }
    return t;
}

/* One iteration; returns the residual and replaces *dangling, the mass of the dangling nodes. */
static double iterate(ranking *k, double damping, double *dangling, int threads)
{
    double base = (1 - damping + damping * *dangling) / (double)k->nodes;
    tally all = {{0, 0}, {0, 0}};
    (void)threads; /* without OpenMP */
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int64_t chunk = 0; chunk < k->chunks; chunk++)
        k->tallies[chunk] = rank_chunk(k, chunk, damping, base);
    for (int64_t chunk = 0; chunk < k->chunks; chunk++) {
        add(&all.change, total(&k->tallies[chunk].change));
        add(&all.dangling, total(&k->tallies[chunk].dangling));
    }
    double *spent = k->given;
    k->given = k->next;
    k->next = spent;
    *dangling = total(&all.dangling);
    return total(&all.change);
}

static spmv_status start(ranking *k, const spmv__transition *graph, spmv_error *err)
{
    int64_t n = graph->edges.cols;
    spmv_status st;
    *k = (ranking){.graph = graph, .nodes = n, .chunks = (n + CHUNK - 1) / CHUNK};
    SPMV__TRY(spmv__alloc(&k->rank, n, sizeof *k->rank, "scores", err));
    SPMV__TRY(spmv__alloc(&k->given, n, sizeof *k->given, "scores", err));
    SPMV__TRY(spmv__alloc(&k->next, n, sizeof *k->next, "scores", err));
    SPMV__TRY(spmv__alloc(&k->tallies, k->chunks, sizeof *k->tallies, "partial sums", err));
    for (int64_t j = 0; j < n; j++) {
        k->rank[j] = 1 / (double)n;
        k->given[j] = graph->scale[j] / (double)n;
    }
done:
    return st;
}

/* The configuration with nothing left open. */
static spmv_status complete(spmv_pagerank_config *config, spmv_error *err)
{
    if (config->damping == 0) config->damping = 0.85;
    if (config->tolerance == 0) config->tolerance = 1e-6;
    if (config->max_iterations == 0) config->max_iterations = 100;
    if (!(config->damping > 0 && config->damping < 1))
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "damping is %g, not between 0 and 1",
                          config->damping);
    if (!(config->tolerance > 0))
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "tolerance is %g, it must be positive",
                          config->tolerance);
    if (config->max_iterations < 0)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "%d iterations are less than none",
                          config->max_iterations);
    return SPMV_SUCCESS;
}

spmv_status spmv_pagerank(spmv_pagerank_result *out, const spmv_matrix *A,
                          const spmv_pagerank_config *config, spmv_error *err)
{
    SPMV__REQUIRE(out != NULL, err);
    memset(out, 0, sizeof *out);
    SPMV__REQUIRE(A != NULL, err);
    spmv_pagerank_config c = {0};
    spmv__transition graph = {0};
    ranking k = {0};
    spmv_status st;

    if (config != NULL) c = *config;
    SPMV__TRY(complete(&c, err));
    int threads = spmv__threads(c.threads);
    SPMV__TRY(spmv__transition_create(&graph, A, c.unweighted, threads, err));
    SPMV__TRY(start(&k, &graph, err));

    out->nodes = k.nodes;
    out->dangling = graph.dangling;
    out->weighted = graph.edges.val != NULL;
    out->converged = k.nodes == 0;
    double dangling = k.nodes == 0 ? 0 : (double)graph.dangling / (double)k.nodes;
    while (!out->converged && out->iterations < c.max_iterations) {
        out->residual = iterate(&k, c.damping, &dangling, threads);
        out->iterations++;
        out->converged = out->residual < c.tolerance;
        spmv__report(c.progress, c.user, "ranking", out->iterations, c.max_iterations);
    }
    out->ranks = k.rank;
    k.rank = NULL;
done:
    free(k.rank);
    free(k.given);
    free(k.next);
    free(k.tallies);
    spmv__transition_destroy(&graph);
    return st;
}

void spmv_pagerank_destroy(spmv_pagerank_result *result)
{
    if (result == NULL) return;
    free(result->ranks);
    memset(result, 0, sizeof *result);
}
