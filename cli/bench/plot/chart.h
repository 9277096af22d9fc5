/* chart.h -- the frame of a chart: axes, ticks, legend and the colours of kernels. */
#pragma once

#include "cli/bench/show/bench_result.h"
#include "cli/picture/svg.h"

/* An axis from `low` to `high`, linear or logarithmic, that `pixels` pixels show. */
typedef struct chart_axis {
    const char *label;
    double low, high;
    bool logarithmic;
    int start, pixels; /* in the picture; a y axis starts below and goes up */
} chart_axis;

double chart_place(const chart_axis *axis, double value); /* pixels from the start */

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
/* The class that fills in the colour of a kernel: "k0"; that of softer text for one without.  The
 * other one draws: "l0", or "t". */
enum { CHART_CLASS = 16 };
const char *chart_class(const chart_kernels *kernels, const char *name, char text[CHART_CLASS]);
const char *chart_outline(const chart_kernels *kernels, const char *name, char text[CHART_CLASS]);

/* Writes head and heading; classes k0, k1, ... fill, l0, l1, ... draw in the colour of a kernel,
 * and t is a thin line. */
void chart_begin(const char *title, const char *below, const chart_kernels *kernels, int width,
                 int height, FILE *out);
void chart_axes(const chart_axis *x, const chart_axis *y, FILE *out);
void chart_legend(const chart_kernels *kernels, int x, int y, FILE *out);
/* A picture at least so high, in which the legend and further lines below it have room. */
int chart_height(const chart_kernels *kernels, int lines, int least);

/* The smallest axis of powers of ten, or halves of them, around two positive numbers. */
void chart_fit(chart_axis *axis, double least, double most);
