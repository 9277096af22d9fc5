/* candidates.h -- what is to be measured: kernels, peers, and rules that stand for kernels. */
#pragma once

#include "cli/measure/kernel_choice.h"
#include "core/multiply/peer.h"
#include "core/multiply/spgemm_method.h"

/* A kernel of ours, or a peer; a rule (auto, auto-rule) until the matrix is known; or a method for
 * sparse products, ours or a peer's. */
typedef struct bench_candidate {
    const char *name;
    const spmv_kernel *kernel;        /* NULL: a peer, a rule, or a method */
    const spmv_peer *peer;            /* NULL: ours, or a method */
    const spmv_spgemm_method *method; /* NULL: y = A x is measured */
    int device;
    int gpus;                   /* 0 .. gpus - 1 multiply together; 0: the device is alone */
    spmv_kernel_options config; /* kernel filled in */
    const char *reason;         /* of a rule; NULL: it was named */
    unsigned rules;             /* bit i: kernel_rules[i] chose it */
} bench_candidate;

typedef struct bench_candidates {
    bench_candidate *item; /* [count] */
    int count, room;
} bench_candidates;

/* A candidate for the rule of this name, or false. */
bool bench_rule_find(const char *name, bench_candidate *out);

/* One that is there already, configured in the same way, is chosen by the rules of both.
 * Errors: OUT_OF_MEMORY. */
spmv_status bench_add_candidate(bench_candidates *all, const bench_candidate *s, spmv_error *err);
/* Rules become the kernels that they choose for a task, on the device of each.
 * Errors: OUT_OF_MEMORY. */
spmv_status bench_resolve(bench_candidates *out, const bench_candidates *from, kernel_task task,
                          spmv_error *err);
void bench_candidates_destroy(bench_candidates *candidates);
/* Add to each candidate the same one on `gpus` GPUs together, and of methods the joint ones.
 * Errors: OUT_OF_MEMORY. */
spmv_status bench_add_joint(bench_candidates *all, int gpus, spmv_error *err);
/* Where it runs; several GPUs are described as one.  Errors: those of spmv_device_describe. */
spmv_status bench_candidate_device(const bench_candidate *s, spmv_device_info *out,
                                   spmv_error *err);
/* Of the matrix that a candidate takes. */
spmv_format bench_candidate_format(const bench_candidate *s);
/* The names of the rules that chose it, with commas between; "" where it was named. */
enum { BENCH_RULES_TEXT = 32 };
const char *bench_show_rules(const bench_candidate *s, char text[BENCH_RULES_TEXT]);
