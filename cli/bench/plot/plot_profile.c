/* plot_profile.c -- a performance profile (Dolan and More, Mathematical Programming 91, 2002): for
 * how many of the matrices is a kernel within a factor of the fastest? */
#include "cli/bench/plot/chart.h"
#include "cli/bench/plot/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 900, HEIGHT = 480, LEFT = 76, LEGEND = 190, FOOT = 56 };

/* The axis of factors ends after the largest, but between these. */
static const double nearest = 2, farthest = 1000;

typedef struct profile {
    const bench_results *all;
    const char *kind;
    double *best;        /* [all->count] time of the fastest kernel on the matrix of each result */
    bool *passed;        /* [all->count] the kernel was measured again on it, and that counts */
    int matrices, cases; /* a matrix may be there in several ways, or on several hosts */
    double most;         /* how many times as long as the fastest any result takes */
} profile;

static bool belongs(const profile *p, const bench_result *r)
{
    return strcmp(r->device_kind, p->kind) == 0 && bench_result_works(r);
}

/* Which results of a kernel on a matrix do not count, as it was measured again. */
static void find_passed(profile *p)
{
    for (int i = 0; i < p->all->count; i++) {
        const bench_result *r = &p->all->item[i];
        if (!belongs(p, r)) continue;
        for (int k = 0; k < p->all->count && !p->passed[i]; k++) {
            const bench_result *o = &p->all->item[k];
            if (!belongs(p, o) || strcmp(o->kernel, r->kernel) != 0 ||
                !bench_result_same_matrix(o, r))
                continue;
            p->passed[i] =
                (k > i && bench_result_replaces(o, r)) || (k < i && !bench_result_replaces(r, o));
        }
    }
}

static bool is_new_matrix(const profile *p, int i)
{
    for (int k = 0; k < i; k++)
        if (belongs(p, &p->all->item[k]) && !p->passed[k] &&
            bench_result_one_matrix(&p->all->item[k], &p->all->item[i]))
            return false;
    return true;
}

static void find_best(profile *p)
{
    find_passed(p);
    for (int i = 0; i < p->all->count; i++) {
        const bench_result *r = &p->all->item[i];
        bool first = true;
        p->best[i] = INFINITY;
        if (!belongs(p, r) || p->passed[i]) continue;
        for (int k = 0; k < p->all->count; k++) {
            const bench_result *o = &p->all->item[k];
            if (!belongs(p, o) || p->passed[k] || !bench_result_same_matrix(o, r)) continue;
            if (k < i) first = false;
            p->best[i] = fmin(p->best[i], o->warm.median);
        }
        p->matrices += first && is_new_matrix(p, i);
        p->cases += first;
        p->most = fmax(p->most, r->warm.median / p->best[i]);
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

/* A wrong result belongs to no line; a line with times that were not verified is thin. */
static void say_doubts(const profile *p, char *text, size_t size)
{
    int wrong = 0, unverified = 0;
    for (int i = 0; i < p->all->count; i++) {
        wrong += is_wrong(p, &p->all->item[i]);
        unverified += belongs(p, &p->all->item[i]) && !bench_result_counts(&p->all->item[i]);
    }
    int n = snprintf(text, size, "%d matri%s", p->matrices, p->matrices == 1 ? "x" : "ces");
    if (p->cases > p->matrices) n += snprintf(text + n, size - (size_t)n, ", %d cases", p->cases);
    n += snprintf(text + n, size - (size_t)n,
                  "; the higher on the left, the more often the fastest");
    if (wrong > 0)
        n += snprintf(text + n, size - (size_t)n, "; %d wrong results are left out", wrong);
    if (unverified > 0)
        snprintf(text + n, size - (size_t)n, "; thin: %d of the results are not verified",
                 unverified);
}

/* Steps up at the factors of the kernel, one matrix each, `down` pixels below their places. Returns
 * whether it ends below 100 %. */
static bool draw_kernel(const profile *p, const char *name, int colour, double down, const axis *x,
                        const axis *y, double *factor, FILE *out)
{
    int n = 0, shown = 0;
    bool counts = true;
    for (int i = 0; i < p->all->count; i++) {
        const bench_result *r = &p->all->item[i];
        if (!belongs(p, r) || strcmp(r->kernel, name) != 0 || p->passed[i]) continue;
        factor[n++] = r->warm.median / p->best[i];
        counts = counts && bench_result_counts(r);
    }
    qsort(factor, (size_t)n, sizeof *factor, ascending);
    fprintf(out, "<path class=\"l%d y%d%s\" d=\"M%d %.1f", colour, chart_dash(colour),
            counts ? "" : " u", x->start, y->start + down);
    for (; shown < n && factor[shown] <= x->high; shown++)
        fprintf(out, "H%.1fV%.1f", x->start + axis_place(x, factor[shown]),
                y->start - axis_place(y, 100.0 * (shown + 1) / p->cases) + down);
    fprintf(out, "H%d\"/>\n", x->start + x->pixels);
    return shown < p->cases;
}

/* Lines without gaps come first, so that what lies on them does not hide them; they are a pixel or
 * so apart, so that equal ones are seen. */
static bool draw_kernels(const profile *p, const chart_kernels *kernels, const axis *x,
                         const axis *y, double *factor, FILE *out)
{
    const double apart = fmin(1.5, 8.0 / kernels->count);
    bool below = false;
    for (int dash = 0; dash < CHART_DASHES; dash++)
        for (int i = kernels->count - 1; i >= 0; i--)
            if (chart_dash(kernels->colour[i]) == dash)
                below = draw_kernel(p, kernels->name[i], kernels->colour[i], i * apart, x, y,
                                    factor, out) ||
                        below;
    return below;
}

static void draw_profile(const profile *p, double *factor, FILE *out)
{
    const int across = WIDTH - LEFT - LEGEND - 20, down = HEIGHT - SVG_HEAD - FOOT;
    const chart_kernels kernels = chart_collect(p->all, p->kind);
    const axis x = {.label = "times as long as the fastest kernel",
                    .low = 1,
                    .high = fmin(fmax(p->most * 1.05, nearest), farthest),
                    .logarithmic = true,
                    .start = LEFT,
                    .pixels = across};
    const axis y = {
        .label = "% of the cases", .high = 100, .start = SVG_HEAD + down, .pixels = down};
    const int foot = y.start + 60;
    char below[200];
    say_doubts(p, below, sizeof below);
    chart_begin(strcmp(p->kind, "gpu") == 0 ? "Performance profile, GPU"
                                            : "Performance profile, CPU",
                below, &kernels, WIDTH, chart_height(&kernels, 0, foot + 14), ".u{stroke-width:1}",
                "", out);
    axes_draw(&x, &y, out);
    if (draw_kernels(p, &kernels, &x, &y, factor, out))
        fprintf(out,
                "<text class=\"s\" x=\"%d\" y=\"%d\" font-size=\"12\">a line that ends below "
                "100 %%: in the other cases the kernel could not run, was wrong%s</text>\n",
                LEFT, foot, p->most > farthest ? ", or is slower yet" : " or not measured");
    chart_legend(&kernels, CHART_LINE, WIDTH - LEGEND + 10, SVG_HEAD + 6, out);
    fputs("</svg>\n", out);
}

static bool draw(const bench_results *all, const char *kind, FILE *out)
{
    profile p = {.all = all, .kind = kind};
    double *factor = calloc((size_t)all->count + 1, sizeof *factor);
    p.best = calloc((size_t)all->count + 1, sizeof *p.best);
    p.passed = calloc((size_t)all->count + 1, sizeof *p.passed);
    const bool enough = p.best != NULL && p.passed != NULL && factor != NULL;
    if (enough) find_best(&p);
    if (p.matrices > 0) draw_profile(&p, factor, out);
    free(p.best);
    free(p.passed);
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
