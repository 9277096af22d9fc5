/* random_vectors_test.c -- random vectors against numbers computed elsewhere from the definition.
 */
#include "spmv.h"
#include "core/base/random.h"

#include <criterion/criterion.h>

Test(random, splitmix64_as_published)
{
    cr_assert_eq(spmv__mix(0), UINT64_C(0xe220a8397b1dcdaf));
}

Test(random, vectors_are_the_same_everywhere)
{
    static const double expected[] = {-0.31341615580265314, 0.9008761814558515,
                                      -0.10682425250967742};
    static const double imaginary[] = {-0.5009044159023337, -0.11075307233445608,
                                       -0.5425264053676793};
    double f64[3], c128[6];
    float f32[3];
    spmv_dense x = {.type = SPMV_F64, .rows = 3, .cols = 1, .data = f64};
    spmv_dense y = {.type = SPMV_F32, .rows = 1, .cols = 3, .data = f32};
    spmv_dense z = {.type = SPMV_C128, .rows = 3, .cols = 1, .data = c128};
    spmv_dense_fill_random(&x, 42);
    spmv_dense_fill_random(&z, 42);
    spmv_dense_fill_random(&y, 42);
    for (int k = 0; k < 3; k++) {
        cr_assert_eq(f64[k], expected[k], "entry %d", k);
        cr_assert_eq(c128[2 * k], expected[k], "entry %d", k);
        cr_assert_eq(c128[2 * k + 1], imaginary[k], "entry %d", k);
        cr_assert_eq(f32[k], (float)expected[k], "entry %d", k);
    }
}
