/* pagerank_step.c -- one iteration of PageRank: one pass over the graph, and one over the nodes.
 *
 * A window of nodes is pulled into an array that stays in the first-level cache; then its scores
 * are renewed, and in the same breath go what the nodes hand on next, the change, and the score of
 * the dangling nodes into their places.  One ranking pulls with the row sums of the
 * multiplications; several lie side by side, so that one cache line of scores serves all of them.
 *
 * Sums are taken plainly within a window, and compensated over the windows of a chunk and over the
 * chunks, in their order: they depend neither on the number of threads nor, to speak of, on that of
 * the nodes. */
#include "multiply.h"
#include "pagerank.h"

#include <math.h>

/* What a window adds up to. */
typedef struct window_sums {
    double change[SPMV__RANKINGS], dangling[SPMV__RANKINGS], largest[SPMV__RANKINGS];
} window_sums;

/* spmv__teleport of each ranking. */
typedef struct teleport {
    double personal[SPMV__RANKINGS], uniform[SPMV__RANKINGS];
} teleport;

/* ---- Pulling -------------------------------------------------------------------------------- */

/* sum[i * width + v] = what column first + i pulls of ranking v. */
SPMV__INLINE void pull_many(spmv_type type, spmv_type x_type, int width, const spmv_csc *edges,
                            int64_t first, int64_t n, const void *given, double *sum)
{
    for (int64_t i = 0; i < n; i++) {
        double pulled[SPMV__RANKINGS] = {0};
        for (int64_t p = edges->col_ptr[first + i]; p < edges->col_ptr[first + i + 1]; p++) {
            const double share = spmv__value(type, edges->val, p);
            const int64_t from = (int64_t)edges->row_idx[p] * width;
            for (int v = 0; v < width; v++)
                pulled[v] += share * spmv__value(x_type, given, from + v);
        }
        for (int v = 0; v < width; v++) sum[i * width + v] = pulled[v];
    }
}

typedef void (*pull_function)(const spmv_csc *edges, int64_t first, int64_t n, const void *given,
                              double *sum);

#define PULL(name, type, x_type, width)                                                \
    static void pull_##name##_##width(const spmv_csc *edges, int64_t first, int64_t n, \
                                      const void *given, double *sum)                  \
    {                                                                                  \
        pull_many(type, x_type, width, edges, first, n, given, sum);                   \
    }
/* X(name, type of the edges, precision) */
#define COMBINATIONS(X)                    \
    X(pattern_f64, SPMV_PATTERN, SPMV_F64) \
    X(pattern_f32, SPMV_PATTERN, SPMV_F32) \
    X(f64, SPMV_F64, SPMV_F64)             \
    X(f32, SPMV_F32, SPMV_F32)
#define X(name, type, x_type)   \
    PULL(name, type, x_type, 2) \
    PULL(name, type, x_type, 4) \
    PULL(name, type, x_type, 8)
COMBINATIONS(X)
#undef X

/* For two rankings and more. */
static pull_function pull_for(spmv_type type, spmv_type x_type, int width)
{
    static const struct {
        spmv_type type, x_type;
        pull_function pull[3];
    } table[] = {
#define X(name, t, xt) {t, xt, {pull_##name##_2, pull_##name##_4, pull_##name##_8}},
        COMBINATIONS(X)
#undef X
    };
    size_t i = 0;
    while (table[i].type != type || table[i].x_type != x_type) i++;
    return table[i].pull[width / 4];
}

/* ---- Renewing ------------------------------------------------------------------------------- */

/* New scores for nodes first .. first + n - 1 from what they pulled. */
SPMV__INLINE void renew(spmv_type type, int width, const spmv__ranking *k, int64_t first, int64_t n,
                        const double *pulled, const teleport *to, window_sums *sums)
{
    const double damping = k->config->damping;
    const bool to_self = k->config->dangling == SPMV_DANGLING_SELF;
    window_sums sum = {.change = {0}}; /* of its own: stays in registers */
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
                               const double *pulled, const teleport *to, window_sums *sums);

#define RENEW(name, type, width)                                                         \
    static void renew_##name##_##width(const spmv__ranking *k, int64_t first, int64_t n, \
                                       const double *pulled, const teleport *to,         \
                                       window_sums *sums)                                \
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
    spmv__row_sums row_sums; /* for one ranking */
    pull_function pull;      /* for several */
    renew_function renew;
    teleport to;
} pass;

/* What the sorted columns pulled goes to the places of their nodes. */
static void unsort(const uint16_t *place, int64_t n, int width, const double *sorted, double *out)
{
    if (width == 1)
        for (int64_t i = 0; i < n; i++) out[place[i]] = sorted[i];
    else
        for (int64_t i = 0; i < n; i++)
            memcpy(out + place[i] * width, sorted + i * width, (size_t)width * sizeof *out);
}

static void run_window(const pass *run, int64_t first, int64_t n, spmv__tally *t)
{
    const spmv__ranking *k = run->k;
    const spmv_csc *edges = &k->graph->edges;
    double sorted[SPMV__WINDOW * SPMV__RANKINGS], pulled[SPMV__WINDOW * SPMV__RANKINGS];
    window_sums sums;
    if (k->width == 1)
        run->row_sums(edges->col_ptr + first, n, edges->row_idx, edges->val, k->given, sorted);
    else
        run->pull(edges, first, n, k->given, sorted);
    unsort(k->graph->place + first, n, k->width, sorted, pulled);
    run->renew(k, first, n, pulled, &run->to, &sums);
    for (int v = 0; v < k->width; v++) {
        spmv__sum_add(&t->change[v], sums.change[v]);
        spmv__sum_add(&t->dangling[v], sums.dangling[v]);
        t->largest[v] = fmax(t->largest[v], sums.largest[v]);
    }
}

static void run_chunk(const pass *run, int64_t chunk)
{
    const spmv__ranking *k = run->k;
    const int64_t end = k->first[chunk + 1];
    spmv__tally t = {.largest = {0}};
    for (int64_t first = k->first[chunk]; first < end; first += SPMV__WINDOW)
        run_window(run, first, end - first < SPMV__WINDOW ? end - first : SPMV__WINDOW, &t);
    k->tallies[chunk] = t;
}

spmv__teleport spmv__teleport_of(const spmv_pagerank_config *config, int64_t nodes, double m)
{
    const double d = config->damping, lost = d * m;
    const bool personal = config->personalization != NULL;
    const bool spread = config->dangling == SPMV_DANGLING_UNIFORM;
    const double anew = 1 - d + (config->dangling == SPMV_DANGLING_PERSONALIZED ? lost : 0);
    return (spmv__teleport){personal ? anew : 0,
                            ((personal ? 0 : anew) + (spread ? lost : 0)) / (double)nodes};
}

static teleport teleports(const spmv__ranking *k)
{
    teleport to = {.uniform = {0}};
    for (int v = 0; v < k->used; v++) {
        const spmv__teleport one = spmv__teleport_of(k->config, k->nodes, k->dangling[v]);
        to.personal[v] = one.personal;
        to.uniform[v] = one.uniform;
    }
    return to;
}

static void add_tallies(spmv__ranking *k, double change[SPMV__RANKINGS],
                        double largest[SPMV__RANKINGS])
{
    for (int v = 0; v < k->width; v++) {
        spmv__sum all = {0, 0}, dangling = {0, 0};
        largest[v] = 0;
        for (int64_t c = 0; c < k->chunks; c++) {
            spmv__sum_add(&all, spmv__sum_total(&k->tallies[c].change[v]));
            spmv__sum_add(&dangling, spmv__sum_total(&k->tallies[c].dangling[v]));
            largest[v] = fmax(largest[v], k->tallies[c].largest[v]);
        }
        change[v] = spmv__sum_total(&all);
        k->dangling[v] = spmv__sum_total(&dangling);
    }
}

void spmv__ranking_step(spmv__ranking *k, double change[SPMV__RANKINGS],
                        double largest[SPMV__RANKINGS])
{
    const spmv_type type = k->graph->edges.type, precision = k->config->precision;
    const pass run = {
        .k = k,
        /* Without gathers: with columns sorted by length they lose, and every machine gets the same
         * bits. */
        .row_sums = spmv__row_sums_for(type, precision, false, false),
        .pull = k->width > 1 ? pull_for(type, precision, k->width) : NULL,
        .renew = renew_for(precision, k->width),
        .to = teleports(k),
    };
#pragma omp parallel for schedule(dynamic) num_threads(k->threads)
    for (int64_t chunk = 0; chunk < k->chunks; chunk++) run_chunk(&run, chunk);
    add_tallies(k, change, largest);
    void *spent = k->given;
    k->given = k->next;
    k->next = spent;
}
