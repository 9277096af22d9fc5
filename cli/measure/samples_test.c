/* samples_test.c -- statistics against values worked out by hand. */
#include "cli/measure/samples.h"

#include <criterion/criterion.h>
#include <math.h>

static void near(double got, double expected, const char *what)
{
    cr_assert(fabs(got - expected) <= 1e-15 * fabs(expected), "%s: %.17g, not %.17g", what, got,
              expected);
}

Test(samples, five_values)
{
    const double v[] = {5, 1, 4, 2, 3};
    const sample_stats s = samples_summarise(v, 5);
    cr_assert_eq(s.count, 5);
    near(s.min, 1, "min");
    near(s.max, 5, "max");
    near(s.median, 3, "median");
    near(s.mean, 3, "mean");
    near(s.stddev, sqrt(2.5), "stddev");
    near(s.p5, 1.2, "p5");
    near(s.p95, 4.8, "p95");
    cr_assert_eq(v[0], 5, "the samples keep their order");
}

Test(samples, an_even_number_has_its_median_in_the_middle)
{
    const double v[] = {4, 1, 2, 8};
    near(samples_summarise(v, 4).median, 3, "median");
}

Test(samples, one_value)
{
    const double v[] = {0.25};
    const sample_stats s = samples_summarise(v, 1);
    near(s.min, 0.25, "min");
    near(s.median, 0.25, "median");
    near(s.p5, 0.25, "p5");
    near(s.p95, 0.25, "p95");
    cr_assert_eq(s.stddev, 0);
}

Test(samples, none)
{
    const sample_stats s = samples_summarise(NULL, 0);
    cr_assert_eq(s.count, 0);
    cr_assert_eq(s.max, 0);
}

/* 1, 2, ..., 100: ranks 50 - 9.8 and its mirror image, so 40 and 61. */
Test(samples, confidence_of_the_median)
{
    double v[100];
    for (int i = 0; i < 100; i++) v[i] = (i * 37) % 100 + 1;
    sample_stats s = samples_summarise(v, 100);
    near(s.median, 50.5, "median");
    near(s.median_low, 40, "low");
    near(s.median_high, 61, "high");
    near(s.noise, 21 / 101.0, "noise");
    s = samples_summarise(v, 5); /* 1 38 75 12 49 */
    near(s.median_low, 1, "low of five");
    near(s.median_high, 75, "high of five");
}

/* Quartiles 2 and 4: the fence is at 4 + 3 * 2. */
Test(samples, outliers_lie_above_the_fence)
{
    const double calm[] = {1, 2, 3, 4, 10}, strange[] = {1, 2, 3, 4, 10.5}, even[] = {7, 7, 7};
    near(samples_summarise(calm, 5).fence, 10, "fence");
    cr_assert_eq(samples_summarise(calm, 5).outliers, 0);
    cr_assert_eq(samples_summarise(strange, 5).outliers, 1);
    cr_assert_eq(samples_summarise(even, 3).outliers, 0);
    cr_assert_eq(samples_summarise(even, 3).noise, 0);
}

/* It holds that min <= mean <= max, also where rounding would break it. */
Test(samples, mean_lies_between_min_and_max)
{
    for (int n = 1; n <= 200; n++) {
        double v[200];
        for (int i = 0; i < n; i++) v[i] = 0.1 + (n % 2 == 0 ? 0 : 1e-17 * i * n);
        const sample_stats s = samples_summarise(v, n);
        cr_assert(s.min <= s.mean && s.mean <= s.max, "n = %d", n);
        cr_assert(s.p5 <= s.median && s.median <= s.p95, "n = %d", n);
    }
}
