/* samples.h -- statistics of time samples. */
#ifndef SPMV_CLI_SAMPLES_H
#define SPMV_CLI_SAMPLES_H

typedef struct sample_stats {
    int count;
    double min, median, mean, max;
    double stddev; /* of the sample (n - 1); 0 for a single one */
    double p5, p95;
} sample_stats;

/* Statistics of samples[0 .. count - 1]; all zero when there are none.  Percentiles interpolate
 * linearly between order statistics.  The samples keep their order. */
sample_stats samples_summarise(const double *samples, int count);

#endif
