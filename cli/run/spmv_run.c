/* spmv_run.c -- spmv-run: y = alpha A x + beta y with one kernel, chosen or named. */
#include "cli/run/run.h"
#include "cli/files/outputs.h"
#include "cli/measure/form.h"
#include "cli/ranks/routes.h"
#include "cli/ranks/row_shares.h"
#include "cli/tool/choose_device.h"
#include "cli/tool/fail.h"
#include "cli/tool/message.h"
#include "cli/tool/path.h"
#include "cli/tool/phase.h"
#include "cli/tool/ranks.h"
#include "cli/tool/steps.h"
#include "cli/tool/tool.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define PRODUCT "Product"
#define KERNEL "Kernel"
#define TOGETHER "Several processes or GPUs"
#define INSTEAD "Instead of multiplying"
#define AT(member) offsetof(run_options, member)
static const option table[] = {
    OPTION(PRODUCT, 'x', "x", OPTION_FILE, "FILE|ones|index|random", AT(x),
           "the vector x; index is 1, 2, 3, ... [ones]"),
    OPTION(PRODUCT, 'y', "y", OPTION_FILE, "FILE", AT(y), "the vector y [all 0]"),
    OPTION(PRODUCT, 0, "alpha", OPTION_COMPLEX, "A", AT(alpha),
           "factor of A x; complex as in 1+2i [1]"),
    OPTION(PRODUCT, 0, "beta", OPTION_COMPLEX, "B", AT(beta), "factor of y [0]"),
    OPTION(PRODUCT, 0, "vectors", OPTION_INTEGER, "K", AT(vectors),
           "multiply with K vectors at once, the columns of x and y [1]", .low = 1,
           .high = 1 << 20),
    OPTION(PRODUCT, 0, "transpose", OPTION_FLAG, NULL, AT(transpose),
           "multiply with the transpose of A"),
    OPTION(KERNEL, 'k', "kernel", OPTION_NAME, "NAME", AT(kernel),
           "one of --list-kernels, auto, auto-rule (by row lengths alone) or tune (try all) [auto]",
           .names = run_kernel_name, .list = "--list-kernels"),
    OPTION(KERNEL, 0, "block-size", OPTION_INTEGER, "N", AT(block_size),
           "GPU threads per block, a power of two", .low = 32, .high = 1024),
    OPTION(KERNEL, 0, "repeat", OPTION_INTEGER, "N", AT(repeat),
           "time N multiplications after 2 others; many short ones as CUDA graphs "
           "[1 with -v, --json and --verify, else none]",
           .low = 1, .high = 1000000),
    OPTION(KERNEL, 0, "explain", OPTION_FLAG, NULL, AT(explain),
           "say why this kernel, and what was weighed against it"),
    OPTION(KERNEL, 0, "verify", OPTION_FLAG, NULL, AT(verify),
           "check y on the CPU; status 1 if it is wrong"),
    OPTION(TOGETHER, 0, "device", OPTION_TEXT, "auto|cpu|gpu|N|all", AT(common.device),
           "where to compute; N: number of a GPU, all: every GPU has some rows [auto]"),
    OPTION(TOGETHER, 0, "partition", OPTION_FILE, ROW_SHARES, AT(partition),
           "give each process under mpirun, or each GPU, rows with equal numbers of nonzeros, or "
           "equal numbers of rows; or, to compare, each process nonzeros cut anywhere, with x sent "
           "to all; or each process the rows that METIS finds, so that they exchange little, or "
           "those that FILE says, a number of a process on each line [nnz]"),
    OPTION(TOGETHER, 0, "comm", OPTION_CHOICE, ROUTES, AT(route), ROUTES_HELP("elements of x")),
    OPTION(INSTEAD, 0, "list-kernels", OPTION_FLAG, NULL, AT(list_kernels),
           "print the kernels, or with --json a record of them"),
    OPTION(INSTEAD, 0, "list-devices", OPTION_FLAG, NULL, AT(list_devices),
           "print the CPU and the GPUs, or with --json a record of them"),
};

static const tool self = {
    .name = "spmv-run",
    .operands = "MATRIX",
    .summary = "Multiply a sparse matrix with a vector: y = alpha A x + beta y",
    .examples = {"spmv-run web.csr -o y.mtx",
                 "spmv-run web.csr -x random -k tune --repeat 100 --verify -o y.mtx",
                 "zcat big.mtx.gz | spmv-run - -v --json time.json > y.mtx"},
    .options = table,
    .option_count = sizeof table / sizeof table[0],
    .ranks = true,
};

/* Convert the matrix to the format that the kernel takes, unless the operator does. */
static spmv_status convert_matrix(run_job *job, spmv_error *err)
{
    const double start = spmv_now();
    const spmv_format format = form_taken(job->kernel, job->A.format);
    if (job->A.format == format) return SPMV_SUCCESS;
    tool_phase_begin("convert", spmv_format_name(format));
    spmv_status st = run_own_indices(job, err);
    if (st == SPMV_SUCCESS) st = step_format(&job->A, format, NULL, err);
    tool_phase_end(0);
    job->setup += spmv_now() - start;
    return st;
}

static spmv_status write_record(const run_job *job, spmv_error *err)
{
    report *r = run_record(job);
    const spmv_status st = run_write_record(job, r, err);
    report_destroy(r);
    return st;
}

static spmv_status multiply_file(run_job *job, spmv_error *err)
{
    const run_options *o = job->options;
    spmv_status st;
    const bool all = common_wants_all(&o->common);
    TOOL_TRY(all ? common_all_devices(&job->gpus, err)
                 : common_device(&o->common, &job->device, err));
    TOOL_TRY(run_check_outputs(job, err));
    TOOL_TRY(step_read(&job->A, job->path, &o->common, NULL, NULL, err));
    if (o->verify) TOOL_TRY(run_keep_original(job, err));
    TOOL_TRY(run_prepare_matrix(job, err));
    TOOL_TRY(run_make_vectors(job, err));
    TOOL_TRY(run_fit_values(job, err));
    TOOL_TRY(run_choose(job, err));
    if (o->explain) run_explain(job);
    if (!all) TOOL_TRY(convert_matrix(job, err));
    TOOL_TRY(all ? run_on_gpus(job, err) : run_multiply(job, err));
    TOOL_TRY(run_write_result(job, err));
    if (o->verify) TOOL_TRY(run_verify(job, err));
    TOOL_TRY(run_summarise(job, err));
    if (o->common.json != NULL) TOOL_TRY(write_record(job, err));
done:
    return st;
}

static void destroy_job(run_job *job)
{
    spmv_destroy(&job->A);
    spmv_destroy(&job->original);
    spmv_dense_destroy(&job->last.before);
    spmv_dense_destroy(&job->last.after);
    free(job->tried);
    spmv_dense_destroy(&job->x);
    spmv_dense_destroy(&job->y0);
    spmv_dense_destroy(&job->y);
    free(job->times.samples);
}

static void check_run_usage(const run_options *o, const operands *files)
{
    const int64_t n = o->block_size;
    const char *out = common_output(&o->common);
    const tool_output outputs[] = {{out, "y"}, {o->common.json, "--json"}};
    if (files->count < 1) tool_misuse("the matrix is missing");
    if (files->count > 1) tool_misuse("one matrix is multiplied at a time, not %d", files->count);
    if ((n & (n - 1)) != 0) tool_misuse("--block-size must be a power of two");
    tool_check_apart(outputs, 2);
    if (tool_is_stdio(files->word[0]) + tool_is_stdio(o->x) +
            (o->y != NULL && tool_is_stdio(o->y)) +
            (o->partition != NULL && tool_is_stdio(o->partition)) >
        1)
        tool_misuse("only one input can be standard input");
    if (out != NULL && !tool_has_suffix(out, ".txt")) tool_check_vectors(out, ".mtx, .npy or .txt");
    if (o->vectors > 1 && o->common.output != NULL && tool_has_suffix(o->common.output, ".txt"))
        tool_misuse("plain text holds one vector; write %" PRId64 " of them to .mtx or .npy",
                    o->vectors);
    run_check_ranks_usage(o);
    run_check_gpus_usage(o);
    if (o->y != NULL && !run_reads_y(o)) tool_warn("-y is not used, because --beta is 0");
    if (o->y == NULL && option_given(&o->common, &o->beta))
        tool_warn("--beta has no effect without -y, whose values are 0 then");
    if (option_given(&o->common, &o->common.seed) && strcmp(o->x, "random") != 0)
        tool_warn("--seed has no effect without -x random");
}

/* Returns whether something that was asked for shows a time, or compares products. */
static bool needs_time(const run_options *o)
{
    return o->common.verbose || o->common.json != NULL || o->verify;
}

int main(int argc, char **argv)
{
    run_options options = {
        .common = COMMON_DEFAULTS, .x = "ones", .alpha = {1, 0}, .vectors = 1, .kernel = "auto"};
    operands files;
    spmv_error err = {0};

    tool_start(&self, argc, argv, &options.common, &files);
    if (options.list_kernels) tool_check_listing("--list-kernels", &options.common, &files);
    if (options.list_devices) tool_check_listing("--list-devices", &options.common, &files);
    if (options.list_kernels) return run_list_kernels(&options.common);
    if (options.list_devices) return run_list_devices(&options.common);
    tool_take_pipe(&files);
    check_run_usage(&options, &files);
    if (options.repeat == 0) options.repeat = needs_time(&options);
    run_job job = {.options = &options, .path = files.word[0]};
    const spmv_status st =
        tool_rank_count() > 1 ? run_on_ranks(&job, &err) : multiply_file(&job, &err);
    const bool refuted = st == SPMV_SUCCESS && options.verify && !job.verification.pass;
    destroy_job(&job);
    return refuted ? tool_finish_with(1) : tool_finish(st, &err);
}
