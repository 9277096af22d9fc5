/* axes_test.c -- an axis has enough round numbers, and not too many. */
#include "cli/picture/axes.h"

#include <criterion/criterion.h>
#include <math.h>

static void expect_ticks(const axis *a, int count, const double *wanted)
{
    double tick[AXIS_TICKS];
    cr_assert_eq(axis_ticks(a, tick), count, "%g to %g", a->low, a->high);
    for (int i = 0; i < count; i++)
        cr_expect_float_eq(tick[i], wanted[i], 1e-9 * wanted[i], "%g, not %g", tick[i], wanted[i]);
}

Test(axes, ticks_are_round)
{
    const axis narrow = {.low = 0.091, .high = 0.185, .logarithmic = true};
    expect_ticks(&narrow, 5, (const double[]){0.1, 0.12, 0.14, 0.16, 0.18});
    const axis decade = {.low = 0.3, .high = 30, .logarithmic = true};
    expect_ticks(&decade, 6, (const double[]){0.5, 1, 2, 5, 10, 20});
    const axis long_one = {.low = 1e-6, .high = 1, .logarithmic = true};
    expect_ticks(&long_one, 7, (const double[]){1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1});
    const axis linear = {.low = 0, .high = 102};
    expect_ticks(&linear, 6, (const double[]){0, 20, 40, 60, 80, 100});
    const axis whole = {.low = 1, .high = 4, .whole = true};
    expect_ticks(&whole, 4, (const double[]){1, 2, 3, 4});
}

Test(axes, enough_ticks_and_not_too_many)
{
    double tick[AXIS_TICKS];
    for (double low = 1e-9; low < 1e6; low *= 1.7)
        for (double ratio = 1.3; ratio < 1e30; ratio *= 1.6)
            for (int logarithmic = 0; logarithmic < 2; logarithmic++) {
                const axis a = {.low = low, .high = low * ratio, .logarithmic = logarithmic == 1};
                const int n = axis_ticks(&a, tick);
                cr_assert(n >= 3 && n <= 13, "%d from %g to %g", n, a.low, a.high);
                const double slack = 1e-6 * (logarithmic == 1 ? low : a.high - low);
                for (int i = 0; i < n; i++)
                    cr_assert(tick[i] >= low - slack && tick[i] <= a.high * 1.000001 &&
                                  (i == 0 || tick[i] > tick[i - 1]),
                              "%g from %g to %g", tick[i], a.low, a.high);
            }
}

Test(axes, places)
{
    const axis linear = {.low = 10, .high = 20, .pixels = 300};
    cr_assert_float_eq(axis_place(&linear, 12), 60, 1e-9);
    cr_assert_float_eq(axis_place(&linear, 30), 300, 1e-9);
    cr_assert_float_eq(axis_place(&linear, 0), 0, 1e-9);
    axis a = {.pixels = 400};
    axis_fit(&a, 2, 50);
    cr_assert_float_eq(a.low, 1, 1e-9);
    cr_assert_float_eq(a.high, 100, 1e-9);
    cr_assert_float_eq(axis_place(&a, 10), 200, 1e-9);
    axis_fit(&a, 1, 1);
    cr_assert_gt(a.high, a.low);
}
