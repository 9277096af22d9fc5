/* modulus_test.c -- absolute values against arithmetic of more digits, triples that are exact, and
 * limits. */
#include "core/base/random.h"
#include "core/matrix/modulus.h"

#include <criterion/criterion.h>
#include <float.h>
#include <math.h>

static double modulus(double re, double im)
{
    return spmv__modulus((spmv_scalar){re, im});
}

Test(modulus, of_triples_is_exact)
{
    static const double triples[][3] = {{3, 4, 5},          {5, 12, 13},     {8, 15, 17},
                                        {20, 99, 101},      {119, 120, 169}, {696, 697, 985},
                                        {4059, 4060, 5741}, {0, 7, 7},       {23660, 23661, 33461}};
    static const int scales[] = {0, -1074, 900, -500};
    for (size_t i = 0; i < sizeof triples / sizeof triples[0]; i++)
        for (size_t k = 0; k < sizeof scales / sizeof scales[0]; k++) {
            const double a = scalbn(triples[i][0], scales[k]), b = scalbn(triples[i][1], scales[k]);
            cr_expect_eq(modulus(a, b), scalbn(triples[i][2], scales[k]));
            cr_expect_eq(modulus(-b, a), scalbn(triples[i][2], scales[k]));
        }
}

/* Parts of like and unlike sizes, the one up to 2^60 times the other. */
Test(modulus, is_that_of_more_digits_rounded)
{
    enum { CASES = 200000 };
    int different = 0;
    for (uint64_t k = 0; k < CASES; k++) {
        const uint64_t seed = 17 * CASES + k;
        const double re = spmv__uniform(seed, 1) + 0x1p-54;
        const double im = scalbn(spmv__uniform(seed, 2), (int)(k % 61) * -(int)(k % 3 > 0));
        const double wide = (double)sqrtl((long double)re * re + (long double)im * im);
        const double found = modulus(re, im);
        cr_assert_leq(fabs(found - wide), wide * DBL_EPSILON, "%a %a", re, im);
        different += found != wide;
    }
    cr_expect_lt(different, CASES / 200, "%d of %d differ", different, CASES);
}

Test(modulus, at_the_limits)
{
    cr_expect_eq(modulus(INFINITY, NAN), INFINITY);
    cr_expect_eq(modulus(NAN, -INFINITY), INFINITY);
    cr_expect(isnan(modulus(NAN, 1)) && isnan(modulus(0, NAN)));
    cr_expect_eq(modulus(DBL_MAX, DBL_MAX), INFINITY);
    cr_expect_eq(modulus(DBL_MAX / 2, DBL_MAX / 2), DBL_MAX / 2 * sqrt(2));
    cr_expect_eq(modulus(0x1p-1074, 0), 0x1p-1074);
    cr_expect_eq(modulus(0x1p-1074, -0x1p-1074), 0x1p-1074);
    cr_expect_eq(modulus(-0.0, 0), 0);
    cr_expect_eq(modulus(DBL_MAX, 1e-300), DBL_MAX);
}
