/* summary.c -- what the results of many matrices say together. */
#include "cli/bench/show/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double summary_speedup(const summary_kernel *k)
{
    return k->compared > 0 ? exp(k->logarithms / k->compared) : NAN;
}

const char *summary_against(const summary_group *g)
{
    if (g->against != NULL) return g->against;
    return g->has_peers ? "the fastest peer" : "the fastest kernel on CSR";
}

/* ---- Groups --------------------------------------------------------------------------------- */

static bool belongs(const summary_group *g, const bench_result *r)
{
    const bench_result *o = g->like;
    return strcmp(o->operation, r->operation) == 0 && strcmp(o->precision, r->precision) == 0 &&
           o->vectors == r->vectors && o->threads == r->threads && o->ranks == r->ranks &&
           strcmp(o->device_kind, r->device_kind) == 0 && strcmp(o->device, r->device) == 0 &&
           strcmp(o->host, r->host) == 0;
}

/* Finds the group of a result, or makes it; there is room for one for each result.  NULL where
 * there is too little memory. */
static summary_group *group_of(bench_summary *s, const bench_result *r, int results)
{
    int i = 0;
    while (i < s->count && !belongs(&s->group[i], r)) i++;
    summary_group *g = &s->group[i];
    if (i < s->count) return g;
    s->count++;
    g->like = r;
    g->kernel = calloc((size_t)results + 1, sizeof *g->kernel);
    g->matrix = calloc((size_t)results, sizeof *g->matrix);
    if (g->kernel == NULL || g->matrix == NULL) return NULL;
    g->kernel[g->kernels++] = (summary_kernel){.least = INFINITY};
    return g;
}

static summary_kernel *kernel_of(summary_group *g, const char *name)
{
    int i = 1;
    while (i < g->kernels && strcmp(g->kernel[i].name, name) != 0) i++;
    if (i == g->kernels)
        g->kernel[g->kernels++] = (summary_kernel){.name = name, .least = INFINITY};
    return &g->kernel[i];
}

/* ---- A matrix ------------------------------------------------------------------------------- */

/* Returns the fastest of item[0 .. count - 1] that is (not) a peer and, with `csr`, takes CSR as it
 * is; NULL where there is none. */
static const bench_result *fastest(const bench_result *const *item, int count, bool peer, bool csr)
{
    const bench_result *best = NULL;
    for (int i = 0; i < count; i++)
        if (bench_result_works(item[i]) && bench_result_is_peer(item[i]) == peer &&
            (!csr || strcmp(item[i]->format, "csr") == 0) &&
            (best == NULL || item[i]->warm.median < best->warm.median))
            best = item[i];
    return best;
}

static double time_of(const bench_result *r, double otherwise)
{
    return r != NULL ? r->warm.median : otherwise;
}

static void add_time(summary_kernel *k, const bench_result *r, double base, double shortest)
{
    const double speedup = base / r->warm.median;
    k->matrices++;
    k->wins += r->warm.median <= shortest;
    k->doubtful = k->doubtful || !bench_result_counts(r);
    if (isnan(base)) return;
    k->compared++;
    k->logarithms += log(speedup);
    if (speedup >= k->least) return;
    k->least = speedup;
    k->least_on = r->matrix;
}

static void note_base(summary_group *g, const bench_result *base)
{
    if (g->against == NULL && !g->differs) g->against = base->kernel;
    g->differs = g->differs || strcmp(g->against, base->kernel) != 0;
    if (g->differs) g->against = NULL;
}

/* The results of one matrix in the group. */
static void add_matrix(summary_group *g, const bench_result *const *item, int count)
{
    const bench_result *ours = fastest(item, count, false, false);
    const bench_result *peer = fastest(item, count, true, false);
    const bench_result *base = g->has_peers ? peer : fastest(item, count, false, true);
    const double base_time = time_of(base, NAN);
    const double shortest = fmin(time_of(ours, INFINITY), time_of(peer, INFINITY));
    if (base != NULL) note_base(g, base);
    g->matrices++;
    if (ours != NULL) {
        add_time(&g->kernel[0], ours, base_time, shortest);
        g->matrix[g->bests++] = (summary_matrix){ours, base_time / ours->warm.median};
    }
    for (int i = 0; i < count; i++)
        if (bench_result_works(item[i]))
            add_time(kernel_of(g, item[i]->kernel), item[i], base_time, shortest);
}

/* Of a kernel that was measured more than once, one result stays. */
static void add_once(const bench_result *r, const bench_result **item, int *count)
{
    int i = 0;
    while (i < *count && strcmp(item[i]->kernel, r->kernel) != 0) i++;
    if (i == *count || bench_result_replaces(r, item[i])) item[i] = r;
    *count += i == *count;
}

/* The results of the matrix of result i in the group, when that is the first of it; item is
 * [all->count]. */
static void add_results(summary_group *g, const bench_results *all, int i,
                        const bench_result **item)
{
    int count = 0;
    const bench_result *first = &all->item[i];
    if (!belongs(g, first)) return;
    for (int k = first->first; k < i; k = all->item[k].next)
        if (belongs(g, &all->item[k]) && bench_result_same_matrix(&all->item[k], first)) return;
    for (int k = i; k >= 0; k = all->item[k].next)
        if (belongs(g, &all->item[k]) && bench_result_same_matrix(&all->item[k], first))
            add_once(&all->item[k], item, &count);
    add_matrix(g, item, count);
}

/* ---- All of them ---------------------------------------------------------------------------- */

/* The fastest first; kernels without a speed-up come last, in their order. */
static int by_speedup(const void *a, const void *b)
{
    const summary_kernel *x = a, *y = b;
    const double s = x->compared > 0 ? summary_speedup(x) : -1;
    const double t = y->compared > 0 ? summary_speedup(y) : -1;
    return s != t ? (s < t) - (s > t) : strcmp(x->name, y->name);
}

/* Makes the groups, and notes which have peers. */
static bool find_groups(bench_summary *s, const bench_results *all)
{
    s->group = calloc((size_t)all->count + 1, sizeof *s->group);
    if (s->group == NULL) return false;
    for (int i = 0; i < all->count; i++) {
        const bench_result *r = &all->item[i];
        if (!bench_result_measured(r)) continue;
        summary_group *g = group_of(s, r, all->count);
        if (g == NULL) return false;
        g->has_peers = g->has_peers || (bench_result_is_peer(r) && bench_result_works(r));
    }
    return true;
}

bool bench_summary_make(bench_summary *out, const bench_results *all)
{
    *out = (bench_summary){0};
    const bench_result **item = calloc((size_t)all->count + 1, sizeof *item);
    const bool whole = item != NULL && find_groups(out, all);
    for (int k = 0; k < out->count && whole; k++) {
        summary_group *g = &out->group[k];
        for (int i = 0; i < all->count; i++) add_results(g, all, i, item);
        qsort(g->kernel + 1, (size_t)(g->kernels - 1), sizeof *g->kernel, by_speedup);
    }
    free(item);
    return whole;
}

void bench_summary_destroy(bench_summary *s)
{
    for (int i = 0; i < s->count; i++) {
        free(s->group[i].kernel);
        free(s->group[i].matrix);
    }
    free(s->group);
    *s = (bench_summary){0};
}
