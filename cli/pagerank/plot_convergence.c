/* plot_convergence.c -- how the iteration of PageRank converges, as SVG: the residual of every
 * iteration on a logarithmic scale, and the tolerance. */
#include "cli/files/composed.h"
#include "cli/pagerank/pagerank_job.h"
#include "cli/picture/axes.h"
#include "cli/picture/svg.h"
#include "cli/tool/fail.h"
#include "cli/tool/path.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { WIDTH = 900, HEIGHT = 440, LEFT = 76, LEGEND = 240, FOOT = 56, TEXT = 160 };

/* Around all changes and the tolerance; a change of 0 lies on the lower end. */
static void choose_axes(const pagerank_job *job, axis *x, axis *y)
{
    const spmv_pagerank_result *result = &job->result;
    double least = job->tolerance, most = job->tolerance;
    for (int i = 0; i < result->iterations; i++) {
        const double residual = result->history[i];
        if (residual <= 0) continue;
        least = fmin(least, residual);
        most = fmax(most, residual);
    }
    axis_fit(y, least, most);
    x->low = 1;
    x->high = result->iterations > 1 ? result->iterations : 2;
    x->whole = true;
}

static const char light[] = ".l{fill:none;stroke:#2777b8;stroke-width:2}"
                            ".b{stroke:#b35900;stroke-width:2}";
static const char dark[] = ".l{stroke:#77b3d8}.b{stroke:#f0a050}";

static void explain(const char *class, const char *text, int y, FILE *out)
{
    const int x = WIDTH - LEGEND + 10;
    fprintf(out,
            "<path class=\"%s\" d=\"M%d %dh24\"/><text x=\"%d\" y=\"%d\" "
            "font-size=\"13\">%s</text>\n",
            class, x, y, x + 32, y + 4, text);
}

/* The line of several rankings is that of the one which is farthest from its end. */
static void draw_legend(const pagerank_job *job, FILE *out)
{
    char text[TEXT];
    snprintf(text, sizeof text, "largest change of %" PRId64 " sources", job->result.rankings);
    explain("l", job->result.rankings > 1 ? text : "change", SVG_HEAD + 10, out);
    snprintf(text, sizeof text, "tolerance %.3g", job->tolerance);
    explain("b d", text, SVG_HEAD + 30, out);
}

static bool write_svg(const void *what, FILE *out)
{
    const pagerank_job *job = what;
    const char *title = tool_is_stdio(job->path) ? "standard input" : tool_base_name(job->path);
    const spmv_pagerank_result *result = &job->result;
    const int across = WIDTH - LEFT - LEGEND - 20, down = HEIGHT - SVG_HEAD - FOOT;
    axis x = {.label = "iteration", .start = LEFT, .pixels = across};
    axis y = {.label = job->options->norm == SPMV_NORM_LINF ? "change of the scores (largest)"
                                                            : "change of the scores (L1 norm)",
              .start = SVG_HEAD + down,
              .pixels = down};
    char below[TEXT];
    choose_axes(job, &x, &y);
    snprintf(below, sizeof below,
             "PageRank %s after %d iterations, damping %g, change %.3g of %.3g",
             result->converged ? "converged" : "not converged", result->iterations,
             job->options->damping, result->residual, job->tolerance);
    svg_begin(title, WIDTH, HEIGHT, light, dark, out);
    svg_heading(title, below, WIDTH, out);
    axes_draw(&x, &y, out);
    fprintf(out, "<path class=\"b d\" d=\"M%d %.1fh%d\"/>\n", LEFT,
            y.start - axis_place(&y, job->tolerance), across);
    fputs("<polyline class=\"l\" points=\"", out);
    for (int i = 0; i < result->iterations; i++)
        fprintf(out, "%s%.1f,%.1f", i > 0 ? " " : "", LEFT + axis_place(&x, i + 1),
                y.start - axis_place(&y, result->history[i]));
    fputs("\"/>\n", out);
    draw_legend(job, out);
    fputs("</svg>\n", out);
    return true;
}

spmv_status pagerank_write_plot(const pagerank_job *job, const char *path, spmv_error *err)
{
    return tool_write_composed(path, job->options->common.force, write_svg, job, err);
}
