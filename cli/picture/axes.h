/* axes.h -- the axes of a chart: ticks, thin lines across it, and labels. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* An axis from `low` to `high`, linear or logarithmic, that `pixels` pixels show. */
typedef struct axis {
    const char *label; /* with its unit */
    double low, high;
    bool logarithmic, whole; /* whole: of integers */
    int start, pixels;       /* in the picture; a y axis starts below and goes up */
} axis;

double axis_place(const axis *a, double value); /* pixels from the start, none beyond the ends */

/* The smallest logarithmic axis of powers of ten, or halves of them, around two positive numbers.
 */
void axis_fit(axis *a, double least, double most);

/* The numbers to be written at an axis, in order: round ones, 3 to 13 of them.  Returns how
 * many. */
enum { AXIS_TICKS = 16 };
int axis_ticks(const axis *a, double tick[AXIS_TICKS]);

void axes_draw(const axis *x, const axis *y, FILE *out); /* y->high = y->low: none of y */
