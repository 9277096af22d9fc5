/* extrapolate.h -- what extrapolating PageRank shares between CPU and GPU: when scores are
 * remembered, and the weights of a guess. */
#pragma once

#include "core/base/either.h"

#include <math.h>
#include <stdbool.h>

enum {
    SPMV__EXTRAPOLATED = 5, /* differences that a guess is made from */
    SPMV__PERIOD = 8        /* iterations from guess to guess */
};

/* The number of the remembered scores that are those after iteration i, or a negative number where
 * they are not remembered.  A guess comes after iteration SPMV__EXTRAPOLATED, the last one. */
static inline int spmv__extrapolation_place(int i)
{
    return i % SPMV__PERIOD - (SPMV__PERIOD - SPMV__EXTRAPOLATED - 1);
}

/* A guess is made only when the residual is below this, half that of the last guess.  So it
 * converges wherever plain iterations do. */
SPMV__EITHER static inline double spmv__extrapolation_limit(double residual)
{
    return residual / 2;
}

/* Solve G g = 1 for the products G of the differences by elimination, and scale g to a sum of 1;
 * false when G is as good as singular.  G is lost. */
SPMV__EITHER static inline bool
spmv__extrapolation_solve(double G[SPMV__EXTRAPOLATED][SPMV__EXTRAPOLATED],
                          double g[SPMV__EXTRAPOLATED])
{
    double sum = 0;
    for (int i = 0; i < SPMV__EXTRAPOLATED; i++) g[i] = 1;
    for (int i = 0; i < SPMV__EXTRAPOLATED; i++) G[i][i] *= 1 + 1e-14;
    for (int c = 0; c < SPMV__EXTRAPOLATED; c++) {
        if (!(G[c][c] > 0)) return false;
        for (int r = c + 1; r < SPMV__EXTRAPOLATED; r++) {
            const double factor = G[r][c] / G[c][c];
            for (int i = c; i < SPMV__EXTRAPOLATED; i++) G[r][i] -= factor * G[c][i];
            g[r] -= factor * g[c];
        }
    }
    for (int r = SPMV__EXTRAPOLATED - 1; r >= 0; r--) {
        for (int i = r + 1; i < SPMV__EXTRAPOLATED; i++) g[r] -= G[r][i] * g[i];
        g[r] /= G[r][r];
        sum += g[r];
    }
    for (int i = 0; i < SPMV__EXTRAPOLATED; i++) g[i] /= sum;
    return sum > 0 && sum < HUGE_VAL;
}
