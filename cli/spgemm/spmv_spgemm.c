/* spmv_spgemm.c -- spmv-spgemm: C = A B, all sparse. */
#include "cli/spgemm/spgemm_job.h"
#include "cli/tool/progress.h"
#include "cli/tool/ranks.h"
#include "cli/tool/tool.h"

#include <stdlib.h>

#define AT(member) offsetof(spgemm_options, member)
#define PRODUCT "Product"
#define INPUT "Input"
#define OUTPUT "Output"
#define INSTEAD "Instead of multiplying"
static const option table[] = {
    OPTION(PRODUCT, 0, "transpose-a", OPTION_FLAG, NULL, AT(transpose_a),
           "take the transpose of A"),
    OPTION(PRODUCT, 0, "transpose-b", OPTION_FLAG, NULL, AT(transpose_b),
           "take the transpose of B"),
    OPTION(PRODUCT, 0, "boolean", OPTION_FLAG, NULL, AT(boolean),
           "find only where C has entries: a pattern"),
    OPTION(PRODUCT, 0, "mask", OPTION_FILE, "FILE", AT(mask),
           "keep entries only where the matrix in FILE has some"),
    OPTION(PRODUCT, 0, "drop-zeros", OPTION_FLAG, NULL, AT(drop_zeros),
           "leave out entries that are 0"),
    OPTION(PRODUCT, 0, "top", OPTION_INTEGER, "K", AT(top),
           "keep the K entries of largest absolute value in each row", .low = 1, .high = INT64_MAX),
    OPTION(PRODUCT, 'k', "kernel", OPTION_CHOICE, SPGEMM_KERNELS, AT(kernel),
           "how to multiply, as spmv-bench calls it: another way to say --device and --serial"),
    OPTION(PRODUCT, 0, "device", OPTION_TEXT, "auto|cpu|gpu|N|all", AT(common.device),
           "where to multiply; N: number of a GPU, all: every GPU makes some rows [auto]"),
    OPTION(PRODUCT, 0, "serial", OPTION_FLAG, NULL, AT(serial),
           "multiply with one thread in the plainest way: the same bits"),
    OPTION(PRODUCT, 0, "repeat", OPTION_INTEGER, "N", AT(repeat),
           "multiply N times, for -v and --json to tell the times [1]", .low = 1, .high = 1000000),
    OPTION(INPUT, 0, "index-base", OPTION_CHOICE, "0|1", AT(index_base),
           "what Matrix Market counts from [1]"),
    OPTION(INPUT, 0, "skip-invalid", OPTION_FLAG, NULL, AT(skip_invalid),
           "leave out entries outside the matrix, and say how many"),
    OPTION(OUTPUT, 0, "to", OPTION_NAME, "FMT", AT(to), "output format [by suffix; mtx]",
           .names = target_name, .list = "spmv-convert --list-formats"),
    OPTION(INSTEAD, 0, "estimate", OPTION_FLAG, NULL, AT(estimate),
           "say how large C will be, how long the CPU will take, and whether C fits"),
};

static const tool self = {
    .name = "spmv-spgemm",
    .operands = "A [B]",
    .summary = "Multiply two sparse matrices: C = A B, or A A where B is missing",
    .examples = {"spmv-spgemm A.mtx B.mtx -o C.mtx", "spmv-spgemm web.csr --estimate",
                 "spmv-spgemm A.mtx --transpose-b --top 10 -o similar.csr"},
    .ranks = true,
    .options = table,
    .option_count = sizeof table / sizeof table[0],
    .unused = " seed ",
};

static spmv_status multiply_files(spgemm_job *job, spmv_error *err)
{
    const spgemm_options *o = job->options;
    spmv_status st;
    TOOL_TRY(job_check_first(job, err));
    TOOL_TRY(job_read(job, err));
    if (o->estimate) {
        TOOL_TRY(job_estimate(job, err));
    } else {
        TOOL_TRY(job_choose_labels(job, err));
        TOOL_TRY(job_multiply(job, err));
        TOOL_TRY(job_write(job, err));
    }
    if (o->common.json != NULL) st = job_record(job, err);
done:
    return st;
}

static void destroy_job(spgemm_job *job)
{
    spmv_labels_destroy(&job->labels_a);
    spmv_labels_destroy(&job->labels_b);
    spmv_labels_destroy(&job->labels_mask);
    spmv_destroy(&job->A);
    spmv_destroy(&job->B);
    spmv_destroy(&job->mask);
    spmv_destroy(&job->C);
    free(job->share);
    free(job->seconds);
}

int main(int argc, char **argv)
{
    spgemm_options o = {.common = COMMON_DEFAULTS, .index_base = -1, .repeat = 1};
    operands files;
    spmv_error err = {0};

    tool_start(&self, argc, argv, &o.common, &files);
    const char *out = common_output(&o.common);
    job_apply_kernel(&o);
    job_check_usage(&o, &files, out);
    spgemm_job job = {.options = &o,
                      .a = files.word[0],
                      .b = files.count > 1 ? files.word[1] : NULL,
                      .out = out,
                      .target = target_of(out, o.to, "mtx"),
                      .how = {.transpose_a = o.transpose_a,
                              .transpose_b = o.transpose_b,
                              .boolean = o.boolean,
                              .drop_zeros = o.drop_zeros,
                              .serial = o.serial,
                              .top = o.top,
                              .threads = (int)o.common.threads,
                              .progress = tool_progress_bytes}};
    const spmv_status st =
        tool_rank_count() > 1 ? job_on_ranks(&job, &err) : multiply_files(&job, &err);
    destroy_job(&job);
    return tool_finish(st, &err);
}
