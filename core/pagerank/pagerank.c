/* pagerank.c -- PageRank by power iteration, until the scores change no more.
 *
 * No mass is lost: scores add up to 1 in every iteration, unless the caller wants that of dangling
 * nodes dropped.  (Brin and Page, 1998; dangling nodes as in Langville and Meyer, 2004.) */
#include "core/base/base.h"
#include "core/matrix/vectors.h"
#include "core/pagerank/ranking.h"
#include "core/matrix/format.h"

#include <math.h>
#include <stdlib.h>

/* ---- The configuration ---------------------------------------------------------------------- */

/* A distribution for each ranking, scaled later. */
static spmv_status check_vectors(const spmv_dense *x, const char *what, int64_t nodes,
                                 int64_t rankings, const spmv_labels *labels, spmv_error *err)
{
    char name[SPMV_LABEL_SIZE];
    if (x == NULL) return SPMV_SUCCESS;
    if (x->type != SPMV_F64 || x->on_gpu)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "the %s must be f64 on the host", what);
    const spmv_status st = spmv__check_vectors(x, what, err);
    if (st != SPMV_SUCCESS) return st;
    if (x->rows != nodes || x->cols != rankings || rankings < 1)
        return spmv__fail(err, SPMV_ERROR_INVALID_DIMENSION,
                          "the %s is %lld x %lld for %lld nodes and %lld ranking%s", what,
                          (long long)x->rows, (long long)x->cols, (long long)nodes,
                          (long long)rankings, rankings == 1 ? "" : "s");
    for (int64_t c = 0; c < x->cols; c++) {
        double sum = 0;
        for (int64_t r = 0; r < x->rows; r++) {
            const double value = ((const double *)x->data)[spmv_dense_index(x, r, c)];
            if (!(value >= 0 && value < HUGE_VAL))
                return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT,
                                  "the %s of node %s is %g, but must be finite and not negative",
                                  what, spmv__node_name(labels, r, name), value);
            sum += value;
        }
        if (nodes > 0 && !(sum > 0 && sum < HUGE_VAL))
            return spmv__fail(err, SPMV_ERROR_INVALID_FORMAT,
                              "the %s adds up to %g and cannot be scaled to 1", what, sum);
    }
    return SPMV_SUCCESS;
}

static spmv_status check_numbers(const spmv_pagerank_options *options, spmv_error *err)
{
    if (!(options->damping > 0 && options->damping < 1))
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "damping is %g, not between 0 and 1",
                          options->damping);
    if (!(options->tolerance > 0 && options->tolerance < HUGE_VAL))
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                          "tolerance is %g, it must be positive and finite", options->tolerance);
    if (options->max_iterations < 0)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                          "the number of iterations is %d, it must not be negative",
                          options->max_iterations);
    if (options->precision != SPMV_F64 && options->precision != SPMV_F32)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "the precision is f32 or f64");
    if ((unsigned)options->norm > SPMV_NORM_LINF)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT, "there is no norm %d",
                          (int)options->norm);
    if ((unsigned)options->dangling > SPMV_DANGLING_SELF)
        return spmv__fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                          "there is no rule %d for dangling nodes", (int)options->dangling);
    return SPMV_SUCCESS;
}

/* The configuration with nothing left open. */
static spmv_status complete(spmv_pagerank_options *options, int64_t nodes, spmv_error *err)
{
    spmv_status st;
    if (options->damping == 0) options->damping = 0.85;
    if (options->tolerance == 0) options->tolerance = 1e-6;
    if (options->max_iterations == 0) options->max_iterations = 100;
    if (options->precision == SPMV_PATTERN) options->precision = SPMV_F64;
    const int64_t rankings = spmv__count_rankings(options);
    SPMV__TRY(check_numbers(options, err));
    SPMV__TRY(check_vectors(options->personalization, "personalization", nodes, rankings,
                            options->labels, err));
    SPMV__TRY(check_vectors(options->start, "start", nodes, rankings, options->labels, err));
done:
    return st;
}

/* Bytes that a ranking takes at one time beside A, as far as its head tells: CSR on the way where A
 * is another format, the scores, and the larger of what makes the graph ready and what iterates. */
static double bytes_of(const spmv_matrix *A, const spmv_pagerank_options *options, int64_t rankings)
{
    const double nodes = (double)A->head.rows, edges = (double)A->head.nnz;
    const double real = sizeof(double), index = sizeof(int32_t), offset = sizeof(int64_t);
    const double size = (double)spmv_type_size(options->precision);
    const double width = spmv__ranking_width(rankings);
    const bool alike = options->unweighted || A->head.type == SPMV_PATTERN;
    const double csr = A->format == SPMV_CSR ? 0 : nodes * offset + edges * index;
    const double prepare = csr + nodes * (offset + 2 * index);
    const double vectors = 1 + (options->personalization != NULL) +
                           (options->extrapolate ? SPMV__EXTRAPOLATED + 1 : 0);
    const double iterate = nodes * width * (vectors * real + 2 * size);
    return nodes * (real + index + (double)rankings * real) + edges * (index + (alike ? 0 : size)) +
           fmax(prepare, iterate);
}

/* ---- The two ends of a call ----------------------------------------------------------------- */

spmv_status spmv__pagerank_check(spmv__pagerank_run *run, const spmv_matrix *A,
                                 const spmv_pagerank_options *options, double share,
                                 spmv_error *err)
{
    spmv_status st;
    memset(run, 0, sizeof *run);
    if (options != NULL) run->options = *options;
    SPMV__TRY(complete(&run->options, A->head.rows, err));
    const double bytes = bytes_of(A, &run->options, spmv__count_rankings(&run->options));
    if (A->head.rows <= INT32_MAX) /* else the graph is refused, whatever there is of memory */
        SPMV__TRY(spmv_check_memory(share * bytes, "ranking", err));
done:
    return st;
}

spmv_status spmv__pagerank_describe(spmv__pagerank_run *run, spmv_error *err)
{
    spmv_pagerank_result *result = &run->result;
    int64_t size = 0;
    *result = (spmv_pagerank_result){
        .nodes = run->graph.nodes,
        .rankings = spmv__count_rankings(&run->options),
        .dangling = run->graph.dangling,
        .weighted = run->graph.type != SPMV_PATTERN,
        .converged = true,
    };
    if (!spmv__product(result->nodes, result->rankings, &size))
        return spmv__fail(err, SPMV_ERROR_OUT_OF_MEMORY, "%lld rankings of %lld nodes",
                          (long long)result->rankings, (long long)result->nodes);
    return spmv__alloc(&result->ranks, size, sizeof *result->ranks, "scores", err);
}

spmv_status spmv__pagerank_begin(spmv__pagerank_run *run, const spmv_matrix *A,
                                 const spmv_pagerank_options *options, spmv__reader reader,
                                 spmv_error *err)
{
    spmv_status st;
    SPMV__TRY(spmv__pagerank_check(run, A, options, 1, err));
    SPMV__TRY(spmv__transition_create(&run->graph, A, &run->options, reader, err));
    SPMV__TRY(spmv__pagerank_describe(run, err));
done:
    return st;
}

spmv_status spmv__pagerank_note(spmv__pagerank_run *run, int i, double residual, spmv_error *err)
{
    spmv_pagerank_result *result = &run->result;
    if (i >= run->room) {
        double *longer = NULL;
        const int64_t wanted = run->room > 0 ? 2 * run->room : 64;
        const spmv_status st = spmv__alloc(&longer, wanted, sizeof *longer, "residuals", err);
        if (st != SPMV_SUCCESS) return st;
        if (result->history != NULL)
            memcpy(longer, result->history, (size_t)run->room * sizeof *longer);
        free(result->history);
        result->history = longer;
        run->room = wanted;
    }
    result->history[i] = fmax(result->history[i], residual);
    if (i + 1 > result->iterations) result->iterations = i + 1;
    spmv__report(run->options.progress, run->options.user, "ranking", i + 1,
                 run->options.max_iterations);
    return SPMV_SUCCESS;
}

/* Single precision hands on a little more or less than there is, at a fixed point the same every
 * time: scaling the scores takes that out of their sum. */
static void scale_to_one(double *scores, int64_t n)
{
    spmv__sum sum = {0, 0};
    for (int64_t j = 0; j < n; j++) spmv__sum_add(&sum, scores[j]);
    for (int64_t j = 0; j < n; j++) scores[j] *= 1 / spmv__sum_total(&sum);
}

/* How far the scores are from those that solve the equations, after a last change in sum.  What an
 * iteration rounds is of the order of the scores, and the same forever.  No scores are further
 * apart than 2. */
static double error_bound(const spmv_pagerank_options *options, double change)
{
    const double rounded = options->precision == SPMV_F32 ? 2e-7 : 4e-16;
    return fmin((options->damping * change + rounded) / (1 - options->damping), 2);
}

void spmv__pagerank_settle(spmv__pagerank_run *run, int count, double residual, double change)
{
    const spmv_pagerank_options *options = &run->options;
    spmv_pagerank_result *result = &run->result;
    const bool exact = options->precision == SPMV_F64 || options->dangling == SPMV_DANGLING_DROP;
    result->converged = result->converged && residual < options->tolerance;
    result->residual = fmax(result->residual, residual);
    result->error_bound = fmax(result->error_bound, error_bound(options, change));
    for (int v = 0; v < count && !exact; v++)
        scale_to_one(result->ranks + (run->begin + v) * result->nodes, result->nodes);
    run->begin += count;
}

void spmv__pagerank_end(spmv__pagerank_run *run, spmv_status st, spmv_pagerank_result *out)
{
    if (st == SPMV_SUCCESS)
        *out = run->result;
    else
        spmv_pagerank_destroy(&run->result);
    spmv__transition_destroy(&run->graph);
}

/* ---- The iterations ------------------------------------------------------------------------- */

double spmv__ranking_residual(const spmv__ranking *k, const double *change, const double *largest,
                              double *sum)
{
    double residual = *sum = 0;
    for (int v = 0; v < k->used; v++) {
        residual = fmax(residual, k->options->norm == SPMV_NORM_L1 ? change[v] : largest[v]);
        *sum = fmax(*sum, change[v]);
    }
    return residual;
}

static void take_scores(const spmv__ranking *k, double *ranks)
{
    for (int v = 0; v < k->used; v++)
        for (int64_t j = 0; j < k->nodes; j++)
            ranks[v * k->nodes + k->graph->node[j]] = k->rank[j * k->width + v];
}

/* Rank up to eight of them. */
static spmv_status rank_some(spmv__pagerank_run *run, spmv_error *err)
{
    const spmv_pagerank_options *options = &run->options;
    double change[SPMV__RANKINGS], largest[SPMV__RANKINGS], residual = 0, sum = 0;
    spmv__extrapolation guesses = {0};
    spmv__ranking k;
    bool converged = false;
    spmv_status st;

    SPMV__TRY(spmv__ranking_create(&k, &run->graph, options, run->begin, err));
    if (options->extrapolate) SPMV__TRY(spmv__extrapolation_create(&guesses, &k, err));
    spmv__report(options->progress, options->user, "ranking", 0, options->max_iterations);
    const double start = spmv_now();
    for (int i = 0; i < options->max_iterations && !converged; i++) {
        spmv__ranking_step(&k, change, largest);
        residual = spmv__ranking_residual(&k, change, largest, &sum);
        SPMV__TRY(spmv__pagerank_note(run, i, residual, err));
        converged = residual < options->tolerance;
        if (options->extrapolate && !converged && i + 1 < options->max_iterations)
            spmv__extrapolation_take(&guesses, &k, i, residual);
    }
    run->result.seconds += spmv_now() - start;
    take_scores(&k, run->result.ranks + run->begin * k.nodes);
    spmv__pagerank_settle(run, k.used, residual, sum);
done:
    spmv__extrapolation_destroy(&guesses);
    spmv__ranking_destroy(&k);
    return st;
}

spmv_status spmv_pagerank(spmv_pagerank_result *out, const spmv_matrix *A,
                          const spmv_pagerank_options *options, spmv_error *err)
{
    SPMV__REQUIRE(out != NULL, err);
    memset(out, 0, sizeof *out);
    SPMV__REQUIRE_MATRIX(A, err);
    spmv__pagerank_run run;
    spmv_status st;

    SPMV__TRY(spmv__pagerank_begin(&run, A, options, SPMV__READER_CPU, err));
    while (spmv__pagerank_open(&run)) SPMV__TRY(rank_some(&run, err));
done:
    spmv__pagerank_end(&run, st, out);
    return st;
}

void spmv_pagerank_destroy(spmv_pagerank_result *result)
{
    if (result == NULL) return;
    free(result->ranks);
    free(result->history);
    memset(result, 0, sizeof *result);
}
