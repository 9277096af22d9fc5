/* plot_profile.c -- a performance profile (Dolan and More, Mathematical Programming 91, 2002): for
 * how many of the matrices is a kernel within a factor of the fastest? */
#include "cli/bench/plot/chart.h"
#include "cli/bench/plot/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 900, HEIGHT = 480, LEFT = 76, LEGEND = 190, FOOT = 56, FARTHEST = 10 };

typedef struct profile {
    const bench_results *all;
    const char *kind;
    double *best; /* [all->count] time of the fastest kernel on the matrix of each result */
    int matrices;
} profile;

static bool belongs(const profile *p, const bench_result *r)
{
    return strcmp(r->device_kind, p->kind) == 0 && bench_result_works(r);
}

static void find_best(profile *p)
{
    for (int i = 0; i < p->all->count; i++) {
        const bench_result *r = &p->all->item[i];
        bool first = true;
        p->best[i] = INFINITY;
        if (!belongs(p, r)) continue;
        for (int k = 0; k < p->all->count; k++) {
            const bench_result *o = &p->all->item[k];
            if (!belongs(p, o) || !bench_result_same_matrix(o, r)) continue;
            if (k < i) first = false;
            p->best[i] = fmin(p->best[i], o->warm.median);
        }
        p->matrices += first;
    }
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool is_wrong(const profile *p, const bench_result *r)
{
    return strcmp(r->device_kind, p->kind) == 0 && bench_result_measured(r) &&
           !bench_result_works(r);
}

/* A wrong result belongs to no line; a line with times that nobody verified is dashed. */
static void say_doubts(const profile *p, char *text, size_t size)
{
    int wrong = 0, unverified = 0;
    for (int i = 0; i < p->all->count; i++) {
        wrong += is_wrong(p, &p->all->item[i]);
        unverified += belongs(p, &p->all->item[i]) && !bench_result_counts(&p->all->item[i]);
    }
    int n = snprintf(text, size, "%d matrices; the higher on the left, the more often the fastest",
                     p->matrices);
    if (wrong > 0)
        n += snprintf(text + n, size - (size_t)n, "; %d wrong results are left out", wrong);
    if (unverified > 0)
        snprintf(text + n, size - (size_t)n, "; dashed: %d of the results are not verified",
                 unverified);
}

/* Steps up at the factors of the kernel, one matrix each. */
static void draw_kernel(const profile *p, const char *name, int colour, const chart_axis *x,
                        const chart_axis *y, double *factor, FILE *out)
{
    int n = 0;
    bool counts = true;
    for (int i = 0; i < p->all->count; i++) {
        const bench_result *r = &p->all->item[i];
        if (!belongs(p, r) || strcmp(r->kernel, name) != 0) continue;
        factor[n++] = r->warm.median / p->best[i];
        counts = counts && bench_result_counts(r);
    }
    qsort(factor, (size_t)n, sizeof *factor, ascending);
    fprintf(out, "<path class=\"l%d%s\" d=\"M%d %d", colour, counts ? "" : " d", x->start,
            y->start);
    for (int i = 0; i < n && factor[i] <= FARTHEST; i++)
        fprintf(out, "H%.1fV%.1f", x->start + chart_place(x, factor[i]),
                y->start - chart_place(y, 100.0 * (i + 1) / p->matrices));
    fprintf(out, "H%d\"/>\n", x->start + x->pixels);
}

static bool draw(const bench_results *all, const char *kind, FILE *out)
{
    const int across = WIDTH - LEFT - LEGEND - 20, down = HEIGHT - SVG_HEAD - FOOT;
    const chart_axis x = {"times as long as the fastest kernel", 1, FARTHEST, true, LEFT, across};
    const chart_axis y = {"% of the matrices", 0, 100, false, SVG_HEAD + down, down};
    const chart_kernels kernels = chart_collect(all, kind);
    profile p = {.all = all, .kind = kind};
    double *factor = calloc((size_t)all->count + 1, sizeof *factor);
    char below[200];
    p.best = calloc((size_t)all->count + 1, sizeof *p.best);
    const bool enough = p.best != NULL && factor != NULL;
    if (enough) find_best(&p);
    if (p.matrices > 0) {
        say_doubts(&p, below, sizeof below);
        chart_begin(strcmp(kind, "gpu") == 0 ? "Performance profile, GPU"
                                             : "Performance profile, CPU",
                    below, &kernels, WIDTH, chart_height(&kernels, 0, HEIGHT), out);
        chart_axes(&x, &y, out);
        for (int i = kernels.count - 1; i >= 0; i--)
            draw_kernel(&p, kernels.name[i], kernels.colour[i], &x, &y, factor, out);
        chart_legend(&kernels, WIDTH - LEGEND + 10, SVG_HEAD + 6, out);
        fputs("</svg>\n", out);
    }
    free(p.best);
    free(factor);
    return enough;
}

bool plot_profile_cpu(const bench_results *all, FILE *out)
{
    return draw(all, "cpu", out);
}

bool plot_profile_gpu(const bench_results *all, FILE *out)
{
    return draw(all, "gpu", out);
}
