/* candidates.h -- what is to be measured: kernels, peers, and rules that stand for kernels. */
#pragma once

#include "core/multiply/peer.h"

/* A kernel of ours, or a peer; a rule (auto, auto-rule) until the matrix is known. */
typedef struct bench_candidate {
    const char *name;
    const spmv_kernel *kernel; /* NULL: a peer, or a rule */
    const spmv_peer *peer;     /* NULL: ours */
    int device;
    spmv_kernel_config config; /* kernel filled in */
    const char *reason;        /* of a rule; NULL: it was named */
    unsigned rules;            /* bit i: kernel_rules[i] chose it */
} bench_candidate;

typedef struct bench_candidates {
    bench_candidate *item; /* [count] */
    int count, room;
} bench_candidates;

/* Word i that --kernel accepts: "all", the rules, then the kernels; NULL at the end. */
const char *bench_kernel_name(int i);

/* A candidate for the rule of this name, or false. */
bool bench_rule_find(const char *name, bench_candidate *out);

/* One that is there already, configured in the same way, is chosen by the rules of both.
 * Errors: OUT_OF_MEMORY. */
spmv_status bench_add_candidate(bench_candidates *all, const bench_candidate *s, spmv_error *err);
/* Rules become the kernels that they choose for a matrix.  Errors: OUT_OF_MEMORY. */
spmv_status bench_resolve(bench_candidates *out, const bench_candidates *from,
                          const spmv_row_stats *stats, spmv_error *err);
void bench_candidates_destroy(bench_candidates *candidates);
/* The names of the rules that chose it, with commas between; "" where it was named. */
enum { BENCH_RULES_TEXT = 32 };
const char *bench_show_rules(const bench_candidate *s, char text[BENCH_RULES_TEXT]);
