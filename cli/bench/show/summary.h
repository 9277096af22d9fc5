/* summary.h -- what the results of many matrices say together: which kernel wins, how often, and by
 * how much. */
#pragma once

#include "cli/bench/show/bench_result.h"

/* A kernel or a peer over all matrices of a group. */
typedef struct summary_kernel {
    const char *name;         /* NULL: the best of our kernels on each matrix */
    int matrices;             /* on which it has a time */
    int wins;                 /* on which none has a shorter one */
    int compared;             /* that the following is of */
    double logarithms, least; /* of the speed-ups, their sum and the least */
    const char *least_on;     /* the matrix of that */
    bool doubtful;            /* some of its times are not verified */
} summary_kernel;

/* The fastest of ours on a matrix. */
typedef struct summary_matrix {
    const bench_result *best;
    double speedup; /* NaN: there is nothing to compare with */
} summary_matrix;

/* Results of one operation in one precision with as many vectors at one place. */
typedef struct summary_group {
    const bench_result *like; /* one of them */
    bool has_peers;           /* speed-ups are over the fastest of them, or else that on CSR */
    const char *against;      /* its name; NULL where it differs, or there is none */
    bool differs;
    summary_kernel *kernel; /* [kernels], the best of ours first, then by speed-up */
    summary_matrix *matrix; /* [bests]: those for which a kernel of ours has a time */
    int kernels, bests, matrices;
} summary_group;

typedef struct bench_summary {
    summary_group *group; /* [count] */
    int count;
} bench_summary;

/* Times that are known to be wrong do not count.  Returns false where there is too little memory;
 * *out is to be destroyed in any case, and lives no longer than the results. */
bool bench_summary_make(bench_summary *out, const bench_results *all);
void bench_summary_destroy(bench_summary *s);

/* Geometric mean; NaN: of nothing. */
double summary_speedup(const summary_kernel *k);
/* What speed-ups are over. */
const char *summary_against(const summary_group *g);
