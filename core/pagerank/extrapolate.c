/* extrapolate.c -- guess the limit of the iteration from its last steps.
 *
 * The weights g_0 .. g_4 with sum 1 that make the sum of g_i (x_{i+1} - x_i) shortest make the sum
 * of g_i x_{i+1} nearly a fixed point (reduced rank extrapolation: R. P. Eddy, 1979; A. Sidi,
 * Vector Extrapolation Methods with Applications, 2017, chapter 2).  They solve the normal
 * equations G g = 1, scaled, where G holds the products of the differences.  As they add up to 1,
 * so do the scores.  A guess with a negative score is not taken.
 *
 * Between guesses lie plain iterations, the first of which let the guess settle; the last ones are
 * remembered.  After a guess that made things worse there is no other before plain iterations have
 * made up for it.  The iteration ends after a plain one, for which the error bound holds. */
#include "core/base/base.h"
#include "core/pagerank/ranking.h"

#include <math.h>
#include <stdlib.h>

enum { M = SPMV__EXTRAPOLATED };

spmv_status spmv__extrapolation_create(spmv__extrapolation *out, const spmv__ranking *k,
                                       spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    memset(out, 0, sizeof *out);
    out->limit = HUGE_VAL;
    for (int i = 0; i <= M; i++)
        SPMV__TRY(
            spmv__alloc(&out->seen[i], k->nodes * k->width, sizeof(double), "earlier scores", err));
done:
    if (st != SPMV_SUCCESS) spmv__extrapolation_destroy(out);
    return st;
}

void spmv__extrapolation_destroy(spmv__extrapolation *e)
{
    for (int i = 0; i <= M; i++) free(e->seen[i]);
    memset(e, 0, sizeof *e);
}

/* G of ranking v. */
static void products(const spmv__extrapolation *e, const spmv__ranking *k, int v, double G[M][M])
{
    spmv__sum sum[M][M] = {{{0, 0}}};
    for (int64_t j = 0; j < k->nodes; j++) {
        const int64_t at = j * k->width + v;
        double u[M];
        for (int i = 0; i < M; i++) u[i] = e->seen[i + 1][at] - e->seen[i][at];
        for (int a = 0; a < M; a++)
            for (int b = 0; b <= a; b++) spmv__sum_add(&sum[a][b], u[a] * u[b]);
    }
    for (int a = 0; a < M; a++)
        for (int b = 0; b <= a; b++) G[a][b] = G[b][a] = spmv__sum_total(&sum[a][b]);
}

static double guess(const spmv__extrapolation *e, const double g[M], int64_t at)
{
    double x = 0;
    for (int i = 0; i < M; i++) x += g[i] * e->seen[i + 1][at];
    return x;
}

/* Put the guess for ranking v in the place of its scores, unless one would be negative. */
static bool replace(const spmv__extrapolation *e, spmv__ranking *k, int v, const double g[M])
{
    for (int64_t j = 0; j < k->nodes; j++)
        if (!(guess(e, g, j * k->width + v) >= 0)) return false;
    for (int64_t j = 0; j < k->nodes; j++)
        k->rank[j * k->width + v] = guess(e, g, j * k->width + v);
    return true;
}

void spmv__extrapolation_take(spmv__extrapolation *e, spmv__ranking *k, int i, double residual)
{
    const int64_t n = k->nodes * k->width;
    const int place = spmv__extrapolation_place(i);
    if (place < 0) return;
    memcpy(e->seen[place], k->rank, (size_t)n * sizeof(double));
    if (place < M || !(residual < e->limit)) return;
    for (int v = 0; v < k->used; v++) {
        double G[M][M], g[M];
        products(e, k, v, G);
        if (spmv__extrapolation_solve(G, g) && replace(e, k, v, g))
            e->limit = spmv__extrapolation_limit(residual);
    }
    spmv__ranking_hand_on(k);
}
