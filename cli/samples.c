/* samples.c -- statistics of time samples. */
#include "samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Where the fraction q of the sorted samples lies below, interpolated. */
static double quantile(const double *sorted, int count, double q)
{
    const double place = q * (count - 1);
    const int below = (int)place;
    if (below + 1 >= count) return sorted[count - 1];
    return sorted[below] + (place - below) * (sorted[below + 1] - sorted[below]);
}

sample_stats samples_summarise(const double *samples, int count)
{
    sample_stats s = {0};
    double sum = 0, squares = 0;
    double *sorted = count > 0 ? malloc((size_t)count * sizeof *sorted) : NULL;
    if (sorted == NULL) return s;

    memcpy(sorted, samples, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, ascending);
    for (int i = 0; i < count; i++) sum += samples[i];
    s.count = count;
    s.mean = sum / count;
    for (int i = 0; i < count; i++) squares += (samples[i] - s.mean) * (samples[i] - s.mean);
    s.stddev = count > 1 ? sqrt(squares / (count - 1)) : 0;
    s.min = sorted[0];
    s.max = sorted[count - 1];
    s.median = quantile(sorted, count, 0.5);
    s.p5 = quantile(sorted, count, 0.05);
    s.p95 = quantile(sorted, count, 0.95);
    free(sorted);
    /* Rounding may push the mean of equal samples past them. */
    s.mean = fmin(fmax(s.mean, s.min), s.max);
    return s;
}
