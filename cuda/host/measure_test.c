/* measure_test.c -- what a benchmark asks of a context, on the CPU. */
#include "core/matrix/random_matrix_test.h"

#include <criterion/criterion.h>
#include <time.h>

static spmv_context *ctx;

static void open_context(void)
{
    cr_assert_eq(spmv_context_create(&ctx, SPMV_DEVICE_CPU, 2, NULL), SPMV_SUCCESS);
}

static void close_context(void)
{
    spmv_context_destroy(ctx);
}

TestSuite(measure, .init = open_context, .fini = close_context);

Test(measure, the_timer_measures_what_lies_between)
{
    const struct timespec nap = {.tv_nsec = 20 * 1000 * 1000};
    double seconds = -1;
    cr_assert_eq(spmv_context_timer_start(ctx, NULL), SPMV_SUCCESS);
    nanosleep(&nap, NULL);
    cr_assert_eq(spmv_context_timer_stop(ctx, &seconds, NULL), SPMV_SUCCESS);
    cr_assert_geq(seconds, 0.02);
    cr_assert_eq(spmv_context_timer_stop(ctx, NULL, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_context_timer_start(NULL, NULL), SPMV_ERROR_INVALID_ARGUMENT);
}

/* Checks that nothing is lost but the caches' content. */
Test(measure, flushing_changes_no_vector)
{
    spmv_dense x;
    cr_assert_eq(spmv_dense_create(&x, SPMV_F64, 1000, 1, NULL), SPMV_SUCCESS);
    spmv_dense_fill_random(&x, 3);
    const double before = ((double *)x.data)[999];
    cr_assert_eq(spmv_context_flush_cache(ctx, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_context_flush_cache(ctx, NULL), SPMV_SUCCESS);
    cr_assert_eq(((double *)x.data)[999], before);
    cr_assert_eq(spmv_context_flush_cache(NULL, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    spmv_dense_destroy(&x);
}

Test(measure, a_context_of_the_cpu_watches_no_memory)
{
    int64_t bytes = 1;
    cr_assert_eq(spmv_context_memory_start(ctx, NULL), SPMV_ERROR_NO_DEVICE);
    cr_assert_eq(spmv_context_memory_stop(ctx, &bytes, NULL), SPMV_ERROR_NO_DEVICE);
    cr_assert_eq(bytes, 0);
    cr_assert_eq(spmv_context_memory_stop(ctx, NULL, NULL), SPMV_ERROR_INVALID_ARGUMENT);
}

Test(measure, ceilings_of_every_type_of_vector)
{
    static const spmv_type types[] = {SPMV_F32, SPMV_F64, SPMV_C64, SPMV_C128};
    static const int64_t rows[] = {0, 1, 100000};
    spmv_peak_rates c;
    spmv_device_info info;
    cr_assert_eq(spmv_device_describe(SPMV_DEVICE_CPU, &info, NULL), SPMV_SUCCESS);
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++)
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            cr_assert_eq(spmv_context_ceilings(ctx, types[t], rows[i], &c, NULL), SPMV_SUCCESS);
            cr_assert_eq(c.stream, info.bandwidth);
            cr_assert_gt(c.gather, 0, "%s, %d rows", spmv_type_name(types[t]), (int)rows[i]);
        }
    cr_assert_eq(spmv_context_ceilings(ctx, SPMV_PATTERN, 1, &c, NULL),
                 SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_context_ceilings(ctx, SPMV_F64, -1, &c, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_context_ceilings(ctx, SPMV_C128, INT64_MAX, &c, NULL),
                 SPMV_ERROR_OUT_OF_MEMORY);
    cr_assert_eq(spmv_context_ceilings(ctx, SPMV_F64, 1, NULL, NULL), SPMV_ERROR_INVALID_ARGUMENT);
}
