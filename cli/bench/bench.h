/* bench.h -- a whole run of spmv-bench: the inputs, the candidates, and every matrix with each. */
#pragma once

#include "cli/bench/measure/bench_record.h"
#include "cli/bench/show/bench_result.h"
#include "cli/files/inputs.h"

/* ---- What is multiplied: bench_input.c, bench_matrix.c -------------------------------------- */

/* Files and those in folders, then those of --generate; --match and --exclude choose among them.
 * Errors: FILE_IO, INVALID_ARGUMENT (a specification; none is left), OUT_OF_MEMORY. */
spmv_status bench_find_inputs(tool_inputs *out, const operands *words, const bench_options *options,
                              spmv_error *err);

/* Returns whether --max-nnz leaves the matrix out, and tells so. */
bool bench_leaves_out(const tool_input *input, int64_t nnz, const bench_options *options);

/* Read or make the matrix, and nothing else; *bytes is the length of the file. */
spmv_status bench_read(spmv_matrix *out, const tool_input *input, const bench_options *options,
                       int64_t *bytes, spmv_error *err);

/* A matrix as it was read from where it comes only once, for each way to measure; all zero: nothing
 * was read yet. */
typedef struct bench_stream {
    spmv_matrix A;
    int64_t bytes;
    double read_s;
    bool is_read;
} bench_stream;

/* Read or make the matrix, bring it into CSR and its values into the fewest bytes, and make x. With
 * a stream the matrix is a copy of what the first call has read.
 * Errors: those of spmv_read, spmv_generate and spmv_convert, OUT_OF_MEMORY. */
spmv_status bench_load(bench_matrix *out, const tool_input *input, bench_stream *stream,
                       const bench_options *options, spmv_error *err);

/* ---- With what: bench_choose.c, list_peers.c ------------------------------------------------ */

/* Word i that --kernel accepts: "all", the rules, the kernels, then the methods for sparse
 * products; NULL at the end. */
const char *bench_kernel_name(int i);

/* Print the peers, or write a record of them; returns what main must return. */
int bench_list_peers(const common_options *common);

/* Errors: NO_DEVICE, INVALID_ARGUMENT (kernel and --device, or --op, do not fit), OUT_OF_MEMORY. */
spmv_status bench_choose(bench_candidates *out, const bench_options *options, spmv_error *err);

/* ---- In which ways: bench_variants.c -------------------------------------------------------- */

/* The options of measuring in one way after the other: every number of threads with every precision
 * and every number of vectors. */
int bench_variant_count(const bench_options *options);
bench_options bench_variant(const bench_options *options, int i);

/* Print what would be measured, and for how long. */
spmv_status bench_plan(const operands *words, const bench_options *options, spmv_error *err);

/* Predict the times on the machines of --model; *exit_status is the highest of the matrices that
 * could not be read. */
spmv_status bench_predict(const operands *words, const bench_options *options, int *exit_status,
                          spmv_error *err);

/* ---- All of it: bench_run.c ----------------------------------------------------------------- */

/* Measure, and write results as they come; *exit_status is 1 when a kernel of ours was wrong, or
 * the highest of the matrices that failed.  A failure of the run itself is returned. */
spmv_status bench_run(bench_results *all, const operands *words, const bench_options *options,
                      int *exit_status, spmv_error *err);

/* Refuse outputs, pictures included, that are an input or exist: see tool_check_output.  What
 * --resume continues may exist. */
spmv_status bench_check_outputs(const operands *inputs, const bench_options *options,
                                spmv_error *err);

/* Write what goes beside the output: --json, and the pictures. */
spmv_status bench_show_extras(const bench_results *all, const bench_options *options,
                              spmv_error *err);
