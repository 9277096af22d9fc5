/* plot_convergence.c -- how the iteration of PageRank converges, as SVG: the residual of every
 * iteration on a logarithmic scale, and the tolerance. */
#include "cli/pagerank/pagerank_job.h"
#include "cli/picture/svg.h"
#include "cli/tool/fail.h"
#include "cli/tool/path.h"

#include <math.h>
#include <stdlib.h>

enum { WIDTH = 640, HEIGHT = 400, LEFT = 64, RIGHT = 20, TOP = 62, BOTTOM = 46, LETTERS = 60 };

/* The axes show iterations 1 .. last and powers of ten low .. high. */
typedef struct axes {
    int last, low, high;
} axes;

static axes choose_axes(const pagerank_job *job)
{
    const spmv_pagerank_result *result = &job->result;
    double least = job->tolerance, most = job->tolerance;
    for (int i = 0; i < result->iterations; i++) {
        const double residual = result->history[i];
        if (residual <= 0) continue;
        least = fmin(least, residual);
        most = fmax(most, residual);
    }
    const int low = (int)floor(log10(least)), high = (int)ceil(log10(most));
    return (axes){result->iterations > 1 ? result->iterations : 2, low,
                  high > low ? high : low + 1};
}

static double x_of(const axes *a, int iteration)
{
    return LEFT + (double)(WIDTH - LEFT - RIGHT) * (iteration - 1) / (a->last - 1);
}

static double y_of(const axes *a, double residual)
{
    const double place = residual > 0 ? (log10(residual) - a->low) / (a->high - a->low) : 0;
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * fmax(place, 0);
}

static const char light[] = "text{font-size:12px}.a{stroke:#d0d7de}.l{fill:none;stroke:#2777b8;"
                            "stroke-width:2}.t{stroke:#b35900;stroke-dasharray:6 4}";
static const char dark[] = ".a{stroke:#30363d}.l{stroke:#77b3d8}.t{stroke:#f0a050}";

/* Returns a step between labels that leaves ten of them at most: 1, 2 or 5 times a power of ten. */
static int label_step(int range)
{
    static const int factor[] = {1, 2, 5};
    for (int power = 1;; power *= 10)
        for (int i = 0; i < 3; i++)
            if (range <= 10 * (int64_t)power * factor[i]) return power * factor[i];
}

static void write_grid(const axes *a, FILE *out)
{
    const int rows = label_step(a->high - a->low), cols = label_step(a->last);
    for (int e = a->low; e <= a->high; e += rows) {
        const double y = y_of(a, pow(10, e));
        fprintf(out, "<line class=\"a\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>", LEFT,
                WIDTH - RIGHT, y, y);
        fprintf(out, "<text class=\"s\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">1e%d</text>\n",
                LEFT - 8, y + 4, e);
    }
    for (int i = cols; i <= a->last; i += cols)
        fprintf(out, "<text class=\"s\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d</text>\n",
                x_of(a, i), HEIGHT - BOTTOM + 18, i);
    fprintf(out, "<text class=\"s\" x=\"%d\" y=\"%d\" text-anchor=\"end\">iteration</text>\n",
            WIDTH - RIGHT, HEIGHT - 10);
}

static void write_svg(const pagerank_job *job, const char *title, FILE *out)
{
    const spmv_pagerank_result *result = &job->result;
    const axes a = choose_axes(job);
    const double y = y_of(&a, job->tolerance);
    svg_begin(title, WIDTH, HEIGHT, light, dark, out);
    fprintf(out, "<text x=\"%d\" y=\"28\">", LEFT);
    svg_write_text(title, LETTERS, out);
    fprintf(out,
            "</text>\n<text class=\"s\" x=\"%d\" y=\"46\">%s after %d iterations, damping %g, "
            "change %.3g of %.3g</text>\n",
            LEFT, result->converged ? "converged" : "not converged", result->iterations,
            job->options->damping, result->residual, job->tolerance);
    write_grid(&a, out);
    fprintf(out, "<line class=\"t\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>\n", LEFT,
            WIDTH - RIGHT, y, y);
    fputs("<polyline class=\"l\" points=\"", out);
    for (int i = 0; i < result->iterations; i++)
        fprintf(out, "%s%.1f,%.1f", i > 0 ? " " : "", x_of(&a, i + 1),
                y_of(&a, result->history[i]));
    fputs("\"/>\n</svg>\n", out);
}

spmv_status pagerank_write_plot(const pagerank_job *job, const char *path, spmv_error *err)
{
    const spmv_write_options options = {.overwrite = job->options->common.force, .unchanged = true};
    const char *title = tool_is_stdio(job->path) ? "standard input" : tool_base_name(job->path);
    char *text = NULL;
    size_t length = 0;
    FILE *f = open_memstream(&text, &length);
    bool complete = f != NULL;
    if (f != NULL) {
        write_svg(job, title, f);
        complete = ferror(f) == 0;
        complete = fclose(f) == 0 && complete;
    }
    const spmv_status st =
        complete ? spmv_write_bytes(text, length, path, &options, err)
                 : tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot allocate memory for a picture");
    free(text);
    return st;
}
