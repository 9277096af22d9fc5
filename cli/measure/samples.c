/* samples.c -- statistics of time samples. */
#include "cli/measure/samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Returns the value below which the fraction q of the sorted samples lies, interpolated. */
static double quantile(const double *sorted, int count, double q)
{
    const double place = q * (count - 1);
    const int below = (int)place;
    if (below + 1 >= count) return sorted[count - 1];
    return sorted[below] + (place - below) * (sorted[below + 1] - sorted[below]);
}

/* Ranks n/2 -+ 1.96 sqrt(n)/2, rounded outwards. */
static void bound_median(sample_stats *s, const double *sorted, int count)
{
    int rank = (int)(count / 2.0 - 0.98 * sqrt(count));
    if (rank < 1) rank = 1;
    s->median_low = sorted[rank - 1];
    s->median_high = sorted[count - rank];
    if (s->median > 0) s->noise = (s->median_high - s->median_low) / (2 * s->median);
}

/* Times have a floor but no ceiling: only slow ones can be strange. */
static void count_outliers(sample_stats *s, const double *sorted, int count)
{
    const double q1 = quantile(sorted, count, 0.25), q3 = quantile(sorted, count, 0.75);
    s->fence = q3 + 3 * (q3 - q1);
    while (s->outliers < count && sorted[count - 1 - s->outliers] > s->fence) s->outliers++;
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
    bound_median(&s, sorted, count);
    count_outliers(&s, sorted, count);
    free(sorted);
    /* Rounding may push the mean of equal samples past them. */
    s.mean = fmin(fmax(s.mean, s.min), s.max);
    return s;
}
