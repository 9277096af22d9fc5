/* pagerank.c -- PageRank by power iteration, until the scores change no more.
 *
 * No mass is lost: scores add up to 1 in every iteration, unless the caller wants that of dangling
 * nodes dropped.  (Brin and Page, 1998; dangling nodes as in Langville and Meyer, 2004.) */
#include "pagerank.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* ---- The configuration ---------------------------------------------------------------------- */

/* A distribution for each ranking, scaled later. */
static spmv_status check_vectors(const spmv_dense *x, const char *what, int64_t nodes,
                                 int64_t rankings, const spmv_labels *labels, spmv_error *err)
{
    if (x == NULL) return SPMV_SUCCESS;
    if (x->type != SPMV_F64 || x->on_gpu)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "the %s must be f64 on the host", what);
    if (x->rows != nodes || x->cols != rankings)
        return spmv__fail(err, SPMV_ERROR_INVALID_DIMENSION,
                          "the %s is %lld x %lld for %lld nodes and %lld ranking%s", what,
                          (long long)x->rows, (long long)x->cols, (long long)nodes,
                          (long long)rankings, rankings == 1 ? "" : "s");
    for (int64_t c = 0; c < x->cols; c++) {
        double sum = 0;
        for (int64_t r = 0; r < x->rows; r++) {
            const double value = ((const double *)x->data)[c * x->rows + r];
            if (!(value >= 0 && value < HUGE_VAL))
                return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT,
                                  "the %s of node %lld is %g, but must be finite and not negative",
                                  what, spmv__node_name(labels, r), value);
            sum += value;
        }
        if (nodes > 0 && !(sum > 0 && sum < HUGE_VAL))
            return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT,
                              "the %s adds up to %g and cannot be scaled to 1", what, sum);
    }
    return SPMV_SUCCESS;
}

static spmv_status check_numbers(const spmv_pagerank_config *config, spmv_error *err)
{
    if (!(config->damping > 0 && config->damping < 1))
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "damping is %g, not between 0 and 1",
                          config->damping);
    if (!(config->tolerance > 0))
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "tolerance is %g, it must be positive",
                          config->tolerance);
    if (config->max_iterations < 0)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "%d iterations are less than none",
                          config->max_iterations);
    if (config->precision != SPMV_F64 && config->precision != SPMV_F32)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "the precision is f32 or f64");
    SPMV__REQUIRE((unsigned)config->norm <= SPMV_NORM_LINF, err);
    SPMV__REQUIRE((unsigned)config->dangling <= SPMV_DANGLING_SELF, err);
    return SPMV_SUCCESS;
}

/* The configuration with nothing left open. */
static spmv_status complete(spmv_pagerank_config *config, int64_t nodes, spmv_error *err)
{
    spmv_status st;
    if (config->damping == 0) config->damping = 0.85;
    if (config->tolerance == 0) config->tolerance = 1e-6;
    if (config->max_iterations == 0) config->max_iterations = 100;
    if (config->precision == SPMV_PATTERN) config->precision = SPMV_F64;
    const int64_t rankings = config->personalization != NULL ? config->personalization->cols : 1;
    SPMV__TRY(check_numbers(config, err));
    SPMV__TRY(check_vectors(config->personalization, "personalization", nodes, rankings,
                            config->labels, err));
    SPMV__TRY(check_vectors(config->start, "start", nodes, rankings, config->labels, err));
done:
    return st;
}

/* ---- The iterations ------------------------------------------------------------------------- */

/* Residual number i, with those of the rankings before: the history has room for it. */
static spmv_status note(spmv_pagerank_result *out, int64_t *room, int i, double residual,
                        spmv_error *err)
{
    if (i >= *room) {
        double *longer = NULL;
        const int64_t wanted = *room > 0 ? 2 * *room : 64;
        const spmv_status st = spmv__alloc(&longer, wanted, sizeof *longer, "residuals", err);
        if (st != SPMV_SUCCESS) return st;
        if (out->history != NULL) memcpy(longer, out->history, (size_t)*room * sizeof *longer);
        free(out->history);
        out->history = longer;
        *room = wanted;
    }
    out->history[i] = fmax(out->history[i], residual);
    if (i + 1 > out->iterations) out->iterations = i + 1;
    return SPMV_SUCCESS;
}

/* The scores of ranking v.  Single precision hands on a little more or less than there is, at a
 * fixed point the same every time: scaling the scores takes that out of their sum. */
static void take_scores(const spmv__ranking *k, int v, double *scores)
{
    const bool exact =
        k->config->precision == SPMV_F64 || k->config->dangling == SPMV_DANGLING_DROP;
    spmv__sum sum = {0, 0};
    for (int64_t j = 0; j < k->nodes; j++) spmv__sum_add(&sum, k->rank[j * k->width + v]);
    const double scale = exact ? 1 : 1 / spmv__sum_total(&sum);
    for (int64_t j = 0; j < k->nodes; j++) scores[j] = k->rank[j * k->width + v] * scale;
}

/* Rank up to eight of them, from ranking `begin` on; *count says how many they were. */
static spmv_status rank_some(spmv_pagerank_result *out, const spmv__transition *graph,
                             const spmv_pagerank_config *config, int64_t begin, int64_t *room,
                             int *count, spmv_error *err)
{
    double change[SPMV__RANKINGS], largest[SPMV__RANKINGS], residual = 0, sum = 0;
    spmv__extrapolation guesses = {0};
    spmv__ranking k;
    bool converged = false;
    spmv_status st;

    SPMV__TRY(spmv__ranking_create(&k, graph, config, begin, err));
    if (config->extrapolate) SPMV__TRY(spmv__extrapolation_create(&guesses, &k, err));
    const double start = now_ms();
    for (int i = 0; i < config->max_iterations && !converged; i++) {
        spmv__ranking_step(&k, change, largest);
        residual = sum = 0;
        for (int v = 0; v < k.used; v++) {
            residual = fmax(residual, config->norm == SPMV_NORM_L1 ? change[v] : largest[v]);
            sum = fmax(sum, change[v]);
        }
        SPMV__TRY(note(out, room, i, residual, err));
        converged = residual < config->tolerance;
        spmv__report(config->progress, config->user, "ranking", i + 1, config->max_iterations);
        if (config->extrapolate && !converged) spmv__extrapolation_take(&guesses, &k);
    }
    out->elapsed_ms += now_ms() - start;
    out->converged = out->converged && converged;
    out->residual = fmax(out->residual, residual);
    out->error_bound = fmax(out->error_bound, config->damping / (1 - config->damping) * sum);
    for (int v = 0; v < k.used; v++) take_scores(&k, v, out->ranks + (begin + v) * k.nodes);
    *count = k.used;
done:
    spmv__extrapolation_destroy(&guesses);
    spmv__ranking_destroy(&k);
    return st;
}

spmv_status spmv_pagerank(spmv_pagerank_result *out, const spmv_matrix *A,
                          const spmv_pagerank_config *config, spmv_error *err)
{
    SPMV__REQUIRE(out != NULL, err);
    memset(out, 0, sizeof *out);
    SPMV__REQUIRE(A != NULL, err);
    spmv_pagerank_config c = {0};
    spmv_pagerank_result result = {.converged = true, .rankings = 1};
    spmv__transition graph = {0};
    int64_t room = 0, size = 0, begin = 0;
    spmv_status st;

    if (config != NULL) c = *config;
    SPMV__TRY(complete(&c, A->head.rows, err));
    SPMV__TRY(spmv__transition_create(&graph, A, &c, err));
    result.nodes = graph.edges.cols;
    result.dangling = graph.dangling;
    result.weighted = graph.edges.val != NULL;
    if (c.personalization != NULL) result.rankings = c.personalization->cols;
    SPMV__REQUIRE(spmv__product(result.nodes, result.rankings, &size), err);
    SPMV__TRY(spmv__alloc(&result.ranks, size, sizeof *result.ranks, "scores", err));
    for (int count; size > 0 && begin < result.rankings; begin += count)
        SPMV__TRY(rank_some(&result, &graph, &c, begin, &room, &count, err));
    *out = result;
    memset(&result, 0, sizeof result);
done:
    spmv_pagerank_destroy(&result);
    spmv__transition_destroy(&graph);
    return st;
}

void spmv_pagerank_destroy(spmv_pagerank_result *result)
{
    if (result == NULL) return;
    free(result->ranks);
    free(result->history);
    memset(result, 0, sizeof *result);
}
