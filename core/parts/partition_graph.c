/* partition_graph.c -- METIS says which rank has which row.
 *
 * Rows are the vertices of a graph, and entries, whichever way, its edges.  A vertex weighs what
 * its row weighs where rows are cut by NNZ; what is made small is the number of edges between
 * parts.  METIS can also minimise what is exchanged: that saves 3 to 19 % on grids in 4 or 64
 * parts, but an R-MAT graph of scale 17 in 64 parts takes 107 s instead of 7.
 *
 * Source: G. Karypis, V. Kumar, "Multilevel k-way partitioning scheme for irregular graphs", 1998.
 */
#define _POSIX_C_SOURCE 200809L /* sigaction */
#include "core/matrix/format.h"
#include "core/parts/metis_api.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

/* A weight is 12 bytes: each entry has one, and each row two more. */
enum { ROW_WEIGHT = 2 };

/* What METIS takes of memory, about, where edges are random; it complains aloud where there is
 * less. */
enum { BYTES_PER_NEIGHBOUR = 64 };

/* A graph as METIS has it. */
typedef struct vertices {
    idx_t n;
    idx_t *begin;     /* [n + 1] where the neighbours of each vertex begin */
    idx_t *neighbour; /* both ways, no vertex itself */
    idx_t *weight;    /* [n] */
    idx_t *part;      /* [n] which METIS finds */
} vertices;

/* Every sum that METIS makes has to fit into its numbers. */
static spmv_status check_size(const spmv_csr *A, const spmv_csr *graph, spmv_error *err)
{
    const int64_t weight = A->nnz + ROW_WEIGHT * A->rows;
    const int64_t most = weight > graph->nnz ? weight : graph->nnz;
    if (most <= IDX_MAX) return SPMV_SUCCESS;
    return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                      "METIS counts with %d bits here, too few for %lld entries and edges",
                      IDXTYPEWIDTH, (long long)most);
}

static spmv_status allocate(vertices *v, const spmv_csr *graph, spmv_error *err)
{
    const char *what = "a graph for METIS";
    const int64_t n = graph->rows;
    spmv_status st;
    v->n = (idx_t)n;
    SPMV__TRY(spmv__alloc(&v->begin, n + 1, sizeof *v->begin, what, err));
    SPMV__TRY(spmv__alloc(&v->neighbour, graph->nnz, sizeof *v->neighbour, what, err));
    SPMV__TRY(spmv__alloc(&v->weight, n, sizeof *v->weight, what, err));
    SPMV__TRY(spmv__alloc(&v->part, n, sizeof *v->part, what, err));
done:
    return st;
}

/* Copy the graph without its loops. */
static void fill(vertices *v, const spmv_csr *A, const spmv_csr *graph)
{
    idx_t n = 0;
    for (int64_t r = 0; r < graph->rows; r++) {
        for (int64_t p = graph->row_ptr[r]; p < graph->row_ptr[r + 1]; p++)
            if (graph->col_idx[p] != r) v->neighbour[n++] = graph->col_idx[p];
        v->begin[r + 1] = n;
        v->weight[r] = (idx_t)(A->row_ptr[r + 1] - A->row_ptr[r]) + ROW_WEIGHT;
    }
}

/* All entries of A both ways, and room for what METIS makes of them. */
static spmv_status make_graph(vertices *v, const spmv_csr *A, spmv_error *err)
{
    spmv_matrix pattern = {.format = SPMV_CSR, .csr = *A}, graph = {0};
    spmv_status st;
    if (A->rows != A->cols)
        return spmv__fail(err, SPMV_ERROR_INVALID_DIMENSION,
                          "METIS takes the graph of a square matrix, and this one is %lld x %lld",
                          (long long)A->rows, (long long)A->cols);
    pattern.csr.type = SPMV_PATTERN;
    pattern.csr.val = NULL;
    SPMV__TRY(spmv_symmetrize(&graph, &pattern, NULL, err));
    SPMV__TRY(check_size(A, &graph.csr, err));
    SPMV__TRY(allocate(v, &graph.csr, err));
    fill(v, A, &graph.csr);
done:
    spmv_destroy(&graph);
    return st;
}

/* Returns whether the weights come to so much for each rank when none counts for more. */
static bool fill_shares(const vertices *v, int ranks, int64_t share)
{
    int64_t all = 0;
    for (idx_t r = 0; r < v->n; r++) all += v->weight[r] < share ? v->weight[r] : share;
    return share * ranks <= all;
}

/* Let no vertex weigh more than the share of a rank, which it fills alone whatever it weighs. METIS
 * makes parts by halves, and where one of them gets no vertex, it writes so to the standard output.
 */
static void limit_weights(vertices *v, int ranks)
{
    int64_t low = ROW_WEIGHT, high = IDX_MAX / ranks;
    while (low < high) {
        const int64_t middle = high - (high - low) / 2;
        if (fill_shares(v, ranks, middle))
            low = middle;
        else
            high = middle - 1;
    }
    for (idx_t r = 0; r < v->n; r++)
        if (v->weight[r] > low) v->weight[r] = (idx_t)low;
}

/* Returns what METIS does.  It catches these signals, and gives the handlers back without their
 * flags; and all its calls draw from one rand(). */
static int call_metis(vertices *v, idx_t parts)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static const int caught[] = {SIGABRT, SIGTERM};
    enum { CAUGHT = sizeof caught / sizeof *caught };
    struct sigaction ours[CAUGHT];
    idx_t options[METIS_NOPTIONS], constraints = 1, edges;
    metis.METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < CAUGHT; i++) sigaction(caught[i], NULL, &ours[i]);
    const int said =
        metis.METIS_PartGraphKway(&v->n, &constraints, v->begin, v->neighbour, v->weight, NULL,
                                  NULL, &parts, NULL, NULL, options, &edges, v->part);
    for (int i = 0; i < CAUGHT; i++) sigaction(caught[i], &ours[i], NULL);
    pthread_mutex_unlock(&lock);
    return said;
}

static spmv_status cut(vertices *v, int ranks, spmv_error *err)
{
    const double bytes = (double)BYTES_PER_NEIGHBOUR * (double)v->begin[v->n];
    const spmv_status st = spmv_check_memory(bytes, "METIS", err);
    if (st != SPMV_SUCCESS) return st;
    if (call_metis(v, ranks) == METIS_OK) return SPMV_SUCCESS;
    return spmv__fail(err, SPMV_ERROR_OUT_OF_MEMORY,
                      "METIS has not cut a graph of %lld vertices into %d parts: it had no memory, "
                      "or was told to end",
                      (long long)v->n, ranks);
}

/* METIS is left alone with graphs of which each rank gets one vertex or none, or one all. */
static spmv_status share_out(vertices *v, int ranks, spmv_error *err)
{
    if (ranks > 1 && v->n > ranks) {
        limit_weights(v, ranks);
        return cut(v, ranks, err);
    }
    for (idx_t r = 0; r < v->n && ranks > 1; r++) v->part[r] = r;
    return SPMV_SUCCESS;
}

static void destroy(vertices *v)
{
    free(v->begin);
    free(v->neighbour);
    free(v->weight);
    free(v->part);
}

spmv_status spmv_partition_graph(int32_t **out, const spmv_csr *A, int ranks, spmv_error *err)
{
    SPMV__REQUIRE(out != NULL, err);
    *out = NULL;
    SPMV__REQUIRE(A != NULL && ranks >= 1, err);
    int32_t *rank_of_row = NULL;
    vertices v = {0};
    spmv_status st;
    SPMV__TRY(metis_load(err));
    SPMV__TRY(make_graph(&v, A, err));
    SPMV__TRY(spmv__alloc(&rank_of_row, A->rows, sizeof *rank_of_row, "a partition", err));
    SPMV__TRY(share_out(&v, ranks, err));
    for (int64_t r = 0; r < A->rows; r++) rank_of_row[r] = (int32_t)v.part[r];
    *out = rank_of_row;
    rank_of_row = NULL;
done:
    destroy(&v);
    free(rank_of_row);
    return st;
}
