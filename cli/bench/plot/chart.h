/* chart.h -- what the charts of results share: the colours, shapes and dashes of kernels, and the
 * legend. */
#pragma once

#include "cli/bench/show/bench_result.h"
#include "cli/picture/axes.h"
#include "cli/picture/svg.h"

/* Kernels in the order of their first measured result: each has a colour, which is that of its name
 * in every chart and report, and no two have the same. */
enum { CHART_KERNELS = 64 }; /* more than kernels and peers; others have no colour */
typedef struct chart_kernels {
    const char *name[CHART_KERNELS];
    int colour[CHART_KERNELS]; /* its number, from 0 */
    int count;
    bool more; /* there are others */
} chart_kernels;

/* Collects those of one kind of device, or of all where device_kind is NULL. */
chart_kernels chart_collect(const bench_results *all, const char *device_kind);
int chart_colour(const chart_kernels *kernels, const char *name); /* 0 for one that is not there */
/* The class that fills in the colour of a kernel: "k0"; that of softer text for one without.  The
 * other one draws: "l0", or "t". */
enum { CHART_CLASS = 16 };
const char *chart_class(const chart_kernels *kernels, const char *name, char text[CHART_CLASS]);
const char *chart_outline(const chart_kernels *kernels, const char *name, char text[CHART_CLASS]);

/* Writes head and heading; classes k0, k1, ... fill, l0, l1, ... draw in the colour of a kernel,
 * y0, y1, ... dash a line; `light` and `dark` are further rules, see svg.h. */
void chart_begin(const char *title, const char *below, const chart_kernels *kernels, int width,
                 int height, const char *light, const char *dark, FILE *out);

/* What stands for a kernel beside its colour: the outline of a point around (0, 0), as a path, and
 * the number of the class that dashes its lines. */
const char *chart_shape(int colour);
int chart_dash(int colour);
enum { CHART_DASHES = 5 }; /* from a line without gaps to one with many */

typedef enum chart_mark { CHART_BOX, CHART_POINT, CHART_LINE } chart_mark;
enum { CHART_LINE_HEIGHT = 18 };
void chart_legend(const chart_kernels *kernels, chart_mark mark, int x, int y, FILE *out);
/* A picture at least so high, in which the legend and further lines below it have room. */
int chart_height(const chart_kernels *kernels, int lines, int least);
