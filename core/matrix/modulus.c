/* modulus.c -- see modulus.h.
 *
 * hypot of the C library rounds otherwise where a processor multiplies and adds in one step, and
 * nearly equal sizes change places.  Here additions, multiplications and roots are single ones.
 *
 * Numbers are brought near 1, so that no square overflows or vanishes.  The root h of the rounded
 * squares is off by little, and (h^2 - a^2 - b^2) / (2 h) tells by how much: the difference is
 * taken apart so that its large terms cancel without rounding (C. Borges, "An Improved Algorithm
 * for hypot(a, b)", ACM Transactions on Mathematical Software 47(1), 2021). */
#include "core/matrix/modulus.h"

#include <math.h>

/* h^2 - a^2 - b^2, a >= b. */
static double excess(double h, double a, double b)
{
    if (h <= 2 * b) {
        const double over = h - b;
        return a * (2 * over - a) + (over - 2 * (a - b)) * over;
    }
    const double over = h - a;
    return 2 * over * (a - 2 * b) + ((4 * over - b) * b + over * over);
}

double spmv__modulus(spmv_scalar z)
{
    const double re = fabs(z.re), im = fabs(z.im);
    if (isinf(re) || isinf(im)) return INFINITY;
    if (re == 0 || im == 0 || isnan(re) || isnan(im)) return re + im;
    const int scale = ilogb(fmax(re, im));
    const double a = scalbn(fmax(re, im), -scale), b = scalbn(fmin(re, im), -scale);
    const double h = sqrt(a * a + b * b);
    return scalbn(h - excess(h, a, b) / (2 * h), scale);
}
