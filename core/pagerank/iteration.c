/* iteration.c -- one iteration of PageRank: one pass over the graph, and one over the nodes.
 *
 * A window of nodes is pulled into an array that stays in the first-level cache; then one pass
 * renews their scores and what they hand on next, and adds up the change and the score of dangling
 * nodes.  Several rankings lie side by side, so that one cache line of scores serves all of them.
 *
 * Sums are taken plainly within a window, and compensated over the windows, in their order: they
 * depend neither on the number of threads nor, to speak of, on that of the nodes. */
#include "core/matrix/value.h"
#include "core/multiply/multiply.h"
#include "core/pagerank/ranking.h"

#include <math.h>

/* spmv__teleport of each ranking. */
typedef struct teleport {
    double personal[SPMV__RANKINGS], uniform[SPMV__RANKINGS];
} teleport;

/* ---- Renewing ------------------------------------------------------------------------------- */

/* New scores for nodes first .. first + n - 1 from what they pulled. */
SPMV__INLINE void renew(spmv_type type, int width, const spmv__ranking *k, int64_t first, int64_t n,
                        const double *pulled, const teleport *to, spmv__tally *sums)
{
    const double damping = k->options->damping;
    const bool to_self = k->options->dangling == SPMV_DANGLING_SELF;
    spmv__tally sum = {.change = {0}}; /* of its own: stays in registers */
    for (int64_t i = 0; i < n; i++) {
        const double scale = k->graph->scale[first + i];
        for (int v = 0; v < width; v++) {
            const int64_t at = (first + i) * width + v;
            const double old = k->rank[at];
            double score = damping * pulled[i * width + v] + to->uniform[v];
            if (k->restart != NULL) score += to->personal[v] * k->restart[at];
            if (to_self && scale == 0) score += damping * old;
            const double change = fabs(score - old);
            sum.change[v] += change;
            sum.largest[v] = change > sum.largest[v] ? change : sum.largest[v];
            sum.dangling[v] += score * (double)(scale == 0); /* a branch is unpredictable */
            k->rank[at] = score;
            spmv__set_value(type, k->next, at, score * scale);
        }
    }
    *sums = sum;
}

typedef void (*renew_function)(const spmv__ranking *k, int64_t first, int64_t n,
                               const double *pulled, const teleport *to, spmv__tally *sums);

#define RENEW(name, type, width)                                                         \
    static void renew_##name##_##width(const spmv__ranking *k, int64_t first, int64_t n, \
                                       const double *pulled, const teleport *to,         \
                                       spmv__tally *sums)                                \
    {                                                                                    \
        renew(type, width, k, first, n, pulled, to, sums);                               \
    }
#define WIDTHS(name, type) \
    RENEW(name, type, 1) RENEW(name, type, 2) RENEW(name, type, 4) RENEW(name, type, 8)
WIDTHS(f64, SPMV_F64)
WIDTHS(f32, SPMV_F32)

static renew_function renew_for(spmv_type x_type, int width)
{
    static const renew_function table[2][9] = {
        {[1] = renew_f64_1, [2] = renew_f64_2, [4] = renew_f64_4, [8] = renew_f64_8},
        {[1] = renew_f32_1, [2] = renew_f32_2, [4] = renew_f32_4, [8] = renew_f32_8}};
    return table[x_type == SPMV_F32][width];
}

/* ---- A pass --------------------------------------------------------------------------------- */

typedef struct pass {
    spmv__ranking *k;
    spmv__pull pull;
    renew_function renew;
    teleport to;
} pass;

static void run_window(const pass *run, int64_t window)
{
    const spmv__ranking *k = run->k;
    const spmv__node_window *w = &k->graph->columns.window[window];
    double pulled[(SPMV__WINDOW + SPMV__ABREAST) * SPMV__RANKINGS];
    run->pull(&k->graph->columns, w, k->given, pulled);
    run->renew(k, w->node, w[1].node - w->node, pulled, &run->to, &k->tallies[window]);
}

spmv__teleport spmv__teleport_of(const spmv_pagerank_options *options, int64_t nodes, double m)
{
    const double d = options->damping, lost = d * m;
    const bool personal = options->personalization != NULL;
    const bool spread = options->dangling == SPMV_DANGLING_UNIFORM;
    const double anew = 1 - d + (options->dangling == SPMV_DANGLING_PERSONALIZED ? lost : 0);
    return (spmv__teleport){personal ? anew : 0,
                            ((personal ? 0 : anew) + (spread ? lost : 0)) / (double)nodes};
}

static teleport teleports(const spmv__ranking *k)
{
    teleport to = {.uniform = {0}};
    for (int v = 0; v < k->used; v++) {
        const spmv__teleport one = spmv__teleport_of(k->options, k->nodes, k->dangling[v]);
        to.personal[v] = one.personal;
        to.uniform[v] = one.uniform;
    }
    return to;
}

void spmv__ranking_add_up(spmv__ranking *k, const spmv__tally *tally, int64_t windows,
                          double change[SPMV__RANKINGS], double largest[SPMV__RANKINGS])
{
    for (int v = 0; v < k->width; v++) {
        spmv__sum all = {0, 0}, dangling = {0, 0};
        largest[v] = 0;
        for (int64_t w = 0; w < windows; w++) {
            spmv__sum_add(&all, tally[w].change[v]);
            spmv__sum_add(&dangling, tally[w].dangling[v]);
            largest[v] = fmax(largest[v], tally[w].largest[v]);
        }
        change[v] = spmv__sum_total(&all);
        k->dangling[v] = spmv__sum_total(&dangling);
    }
}

void spmv__ranking_pass(spmv__ranking *k)
{
    const spmv_type precision = k->options->precision;
    const pass run = {.k = k,
                      .pull = spmv__pull_for(k->graph->type, precision, k->width, spmv__use_avx2()),
                      .renew = renew_for(precision, k->width),
                      .to = teleports(k)};
#pragma omp parallel for schedule(dynamic, 4) num_threads(k->threads)
    for (int64_t w = 0; w < k->graph->columns.windows; w++) run_window(&run, w);
}

void spmv__ranking_step(spmv__ranking *k, double change[SPMV__RANKINGS],
                        double largest[SPMV__RANKINGS])
{
    spmv__ranking_pass(k);
    spmv__ranking_add_up(k, k->tallies, k->graph->columns.windows, change, largest);
    void *spent = k->given;
    k->given = k->next;
    k->next = spent;
}
