/* heat_map.h -- speed-ups of the kernels on many matrices: what a heat map shows.
 *
 * They are over one kernel for each kind of device: that of ours on CSR which has a time on the
 * most matrices.  Where there is none they are over the fastest kernel of the matrix. */
#pragma once

#include "cli/bench/plot/speed.h"

typedef struct heat_row {
    const bench_result **item; /* [count] */
    int count;
    double best;           /* speed-up; 0: there is none */
    char point[BENCH_WAY]; /* of a sweep, see bench_result_point */
} heat_row;

typedef struct heat_column {
    const char *kernel, *kind;
    double logarithms; /* of the speed-ups, their sum */
    int compared;
} heat_column;

typedef struct heat_map {
    heat_row *row;       /* [rows], the best speed-up first */
    heat_column *column; /* [columns], GPUs first, then by the geometric mean */
    int rows, columns, matrices;
    const char *base[2];       /* of CPU and GPU; NULL: the fastest */
    bool failed, wrong, alone; /* there are such results; alone: the base has no time there */
} heat_map;

/* Returns false where there is too little memory; *out is to be destroyed in any case. */
bool heat_map_make(heat_map *out, const speed_results *s);
void heat_map_destroy(heat_map *m);

bool heat_is_gpu(const char *device_kind);
double heat_mean(const heat_column *c); /* geometric; NaN: of nothing */

/* Of a result of the row.  NaN: it, or the one to compare with, is missing or wrong. */
double heat_speedup(const heat_map *m, const heat_row *row, const bench_result *r);
