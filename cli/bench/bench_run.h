/* bench_run.h -- a whole run: every matrix with every kernel. */
#ifndef SPMV_CLI_BENCH_BENCH_RUN_H
#define SPMV_CLI_BENCH_BENCH_RUN_H

#include "cli/bench/show/bench_result.h"
#include "cli/tool/option.h"

/* Measure, and write results as they come; *exit_status is 1 when a kernel of ours was wrong, or
 * the highest of the matrices that failed.  A failure of the run itself is returned. */
spmv_status bench_run(bench_results *all, const operands *words, int *exit_status, spmv_error *err);

/* Refuse outputs, pictures included, that are an input or exist: see tool_check_output.  What
 * --resume continues may exist. */
spmv_status bench_check_outputs(const operands *inputs, spmv_error *err);

/* What goes beside the output: --json, and the pictures. */
spmv_status bench_show_extras(const bench_results *all, spmv_error *err);

#endif
