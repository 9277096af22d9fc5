/* speed.h -- how fast the kernels are on small matrices, or on large ones. */
#pragma once

#include "cli/bench/plot/chart.h"

/* Results of the matrices that a picture shows, one matrix after the other; those without a time
 * are where the others of the same matrix and kind of device are. */
typedef struct speed_results {
    const bench_results *all;
    const bench_result **item; /* [count] */
    int count, matrices;
    const char *title;
} speed_results;

static inline bool speed_starts_matrix(const speed_results *s, int i)
{
    return i == 0 || !bench_result_same_matrix(s->item[i - 1], s->item[i]);
}

/* Few matrices as bars, many as a heat map: a row for each. */
void speed_draw_bars(const speed_results *s, FILE *out);
bool speed_draw_heat(const speed_results *s, FILE *out); /* false: too little memory */
