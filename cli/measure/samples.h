/* samples.h -- statistics of time samples. */
#pragma once

/* Samples of which the least and the greatest hold the median between them 19 times out of 20:
 * fewer have no interval that does. */
enum { SAMPLES_WITH_INTERVAL = 6 };

typedef struct sample_stats {
    int count;
    double min, median, mean, max;
    double stddev; /* of the sample (n - 1); 0 for a single one */
    double p5, p95;
    double median_low, median_high; /* holds the true median with 95 % confidence */
    double noise;                   /* half of that width / median; 0 when the median is 0 */
    double fence;                   /* above it samples count as outliers: Q3 + 3 (Q3 - Q1) */
    int outliers;
} sample_stats;

/* Statistics of samples[0 .. count - 1]; all zero when there are none.  Percentiles interpolate
 * linearly between order statistics.  The confidence interval is that of order statistics
 * (binomial, normal approximation), which supposes no distribution; of fewer than
 * SAMPLES_WITH_INTERVAL it is all of them.  The samples keep their order. */
sample_stats samples_summarise(const double *samples, int count);
