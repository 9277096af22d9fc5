/* column_set_test.c -- sets of columns against an array of flags, and the fairness of choices. */
#include "core/generate/generated_matrix_test.h"

#include <math.h>

Test(column_set, keeps_distinct_columns_in_order)
{
    enum { RANGE = 300 };
    spmv__column_set set = {0};
    int32_t col[RANGE];

    for (uint64_t seed = 0; seed < 200; seed++) {
        bool present[RANGE] = {false};
        int64_t lo = seed % 3 == 0 ? INT32_MAX - RANGE : (int64_t)seed, found = 0;
        int64_t n = 1 + (int64_t)(spmv__uniform(seed, 0) * RANGE);
        /* Odd seeds draw from few columns at the end, the worst case of the hash. */
        int64_t drawn_from = seed % 2 ? RANGE / 20 + 1 : RANGE;
        cr_assert_eq(spmv__column_set_reset(&set, n, lo, RANGE, NULL), SPMV_SUCCESS);
        for (int64_t k = 1; k <= n; k++) {
            int64_t c =
                RANGE - 1 - (int64_t)(spmv__uniform(seed, (uint64_t)k) * (double)drawn_from);
            cr_assert_eq(spmv__column_set_add(&set, lo + c), !present[c], "seed %d", (int)seed);
            found += !present[c];
            present[c] = true;
        }
        cr_assert_eq(spmv__column_set_get(&set, col), found, "seed %d", (int)seed);
        for (int64_t c = 0, k = 0; c < RANGE; c++)
            if (present[c]) cr_assert_eq(col[k++], lo + c, "seed %d", (int)seed);
    }
    spmv__column_set_free(&set);
}

Test(column_set, samples_are_distinct_ascending_and_inside)
{
    spmv__column_set set = {0};
    int32_t col[1000];
    for (uint64_t seed = 0; seed < 500; seed++) {
        int64_t range = 1 + (int64_t)(spmv__uniform(seed, 1) * 1000);
        int64_t n = (int64_t)(spmv__uniform(seed, 2) * (double)(range + 1));
        int64_t lo = (int64_t)(spmv__uniform(seed, 3) * 1e9);
        if (n == 0) continue;
        cr_assert_eq(spmv__sample_columns(&set, seed, lo, lo + range, n, col, NULL), SPMV_SUCCESS);
        for (int64_t k = 0; k < n; k++) {
            cr_assert(col[k] >= lo && col[k] < lo + range, "seed %d", (int)seed);
            cr_assert(k == 0 || col[k] > col[k - 1], "seed %d", (int)seed);
        }
    }
    spmv__column_set_free(&set);
}

/* All choices of n from 6 columns are equally likely, whether n or its complement is drawn. */
Test(column_set, every_choice_is_equally_likely)
{
    enum { RANGE = 6, DRAWS = 30000 };
    static const int choices[RANGE + 1] = {1, 6, 15, 20, 15, 6, 1};
    spmv__column_set set = {0};
    for (int n = 1; n <= RANGE; n++) {
        int count[1 << RANGE] = {0};
        double expected = (double)DRAWS / choices[n], chi2 = 0;
        for (int i = 0; i < DRAWS; i++) {
            int32_t col[RANGE], mask = 0;
            uint64_t stream = spmv__row_stream(7, n, i);
            cr_assert_eq(spmv__sample_columns(&set, stream, 0, RANGE, n, col, NULL), SPMV_SUCCESS);
            for (int k = 0; k < n; k++) mask |= 1 << col[k];
            count[mask]++;
        }
        for (int mask = 0; mask < 1 << RANGE; mask++)
            if (__builtin_popcount((unsigned)mask) == n)
                chi2 += (count[mask] - expected) * (count[mask] - expected) / expected;
        double freedom = choices[n] - 1; /* mean of chi2; its variance is twice that */
        cr_assert(six_sigma(chi2, freedom, 2 * freedom), "n %d: chi2 %g", n, chi2);
    }
    spmv__column_set_free(&set);
}
