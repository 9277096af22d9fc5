/* spmv_spgemm.c -- spmv-spgemm: C = A B, all sparse. */
#include "cli/json/record.h"
#include "cli/tool/choose_device.h"
#include "cli/tool/fail.h"
#include "cli/tool/message.h"
#include "cli/tool/outputs.h"
#include "cli/tool/path.h"
#include "cli/tool/phase.h"
#include "cli/tool/progress.h"
#include "cli/tool/steps.h"
#include "cli/tool/target.h"
#include "cli/tool/tool.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct spgemm_options {
    common_options common;
    bool transpose_a, transpose_b, boolean, drop_zeros, serial, estimate, skip_invalid;
    const char *mask, *to;
    int64_t top;    /* 0: all */
    int index_base; /* -1: as is usual */
    int64_t repeat; /* multiplications */
} spgemm_options;

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
           "say how large C will be, and how long it will take"),
};

static const tool self = {
    .name = "spmv-spgemm",
    .operands = "A [B]",
    .summary = "Multiply two sparse matrices: C = A B, or A A where B is missing",
    .examples = {"spmv-spgemm A.mtx B.mtx -o C.mtx", "spmv-spgemm web.csr --estimate",
                 "spmv-spgemm A.mtx --transpose-b --top 10 -o similar.csr"},
    .options = table,
    .option_count = sizeof table / sizeof table[0],
};

/* One product from files to file. */
typedef struct spgemm_job {
    const spgemm_options *options;
    const char *a, *b; /* b NULL: B is A */
    spmv_matrix A, B, mask, C;
    int device;
    spmv_spgemm_options how;
    spmv_spgemm_result result;
    double *seconds; /* [repeat] of the multiplications, owned */
    spmv_spgemm_estimate estimate;
} spgemm_job;

static const spmv_matrix *second(const spgemm_job *job)
{
    return job->b != NULL ? &job->B : &job->A;
}

/* ---- Reading -------------------------------------------------------------------------------- */

static spmv_status read_operand(spmv_matrix *A, const spgemm_job *job, const char *path,
                                spmv_error *err)
{
    const spgemm_options *o = job->options;
    const spmv_read_options read = {.index_base = (spmv_index_base)(o->index_base + 1),
                                    .skip_invalid = o->skip_invalid};
    spmv_file_info info = {0};
    spmv_status st;
    TOOL_TRY(step_read(A, path, &o->common, &read, &info, err));
    step_warn_skipped(tool_input_name(path), &info);
    TOOL_TRY(spmv_own_indices(A, err));
    if (A->head.type != SPMV_PATTERN)
        TOOL_TRY(step_type(A, common_precision(&o->common, A->head.type), path, err));
done:
    spmv_labels_destroy(&info.labels);
    return st;
}

/* ---- The answer ----------------------------------------------------------------------------- */

static void print_estimate(const spgemm_job *job)
{
    const spmv_spgemm_estimate *e = &job->estimate;
    printf("products  %" PRId64 "\n", e->products);
    printf("entries   %" PRId64 "%s\n", e->nnz, e->exact ? "" : " (estimated)");
    printf("bytes     %" PRId64 "\n", e->bytes);
    printf("seconds   %.3g\n", e->seconds);
}

static spmv_status write_record(const spgemm_job *job, spmv_error *err)
{
    const spgemm_options *o = job->options;
    const spmv_spgemm_estimate *e = &job->estimate;
    spmv_device_info device;
    spmv_row_stats stats;
    spmv_status st = spmv_row_stats_compute(&job->A, &stats, err);
    if (st == SPMV_SUCCESS) st = spmv_device_describe(job->device, &device, err);
    if (st != SPMV_SUCCESS) return st;
    report *r = record_create();
    record_matrix(r, job->a, &stats, job->A.head.type, job->A.format);
    report *p = report_object(r, "product");
    report_text(p, "b", job->b != NULL ? job->b : job->a);
    report_integer(p, "products", o->estimate ? e->products : job->result.products);
    report_integer(p, "nnz", o->estimate ? e->nnz : job->C.head.nnz);
    report_flag(p, "estimated", o->estimate);
    if (o->estimate) report_real(p, "seconds", e->seconds);
    if (!o->estimate) record_time(p, job->seconds, (int)o->repeat);
    if (!o->estimate) record_device(report_object(r, "device"), &device);
    record_host(r);
    record_phases(r);
    st = report_write(r, o->common.json, o->common.force, err);
    report_destroy(r);
    return st;
}

static void say_product(const spgemm_job *job)
{
    const sample_stats times = samples_summarise(job->seconds, (int)job->options->repeat);
    const double products = (double)job->result.products, nnz = (double)job->C.head.nnz;
    tool_detail("%" PRId64 " products, %" PRId64
                " entries (%.3g products for each), on the %s, median %.3g ms, "
                "%.3g GFLOP/s",
                job->result.products, job->C.head.nnz, nnz > 0 ? products / nnz : 0,
                job->device == SPMV_DEVICE_CPU ? "CPU" : "GPU", times.median * 1e3,
                times.median > 0 ? 2e-9 * products / times.median : 0);
}

static spmv_status estimate(spgemm_job *job, spmv_error *err)
{
    tool_phase_begin("estimate", NULL);
    const spmv_status st =
        spmv_spgemm_estimate_product(&job->estimate, &job->A, second(job), &job->how, err);
    tool_phase_end(0);
    if (st == SPMV_SUCCESS) print_estimate(job);
    return st;
}

/* Smaller matrices are multiplied on a CPU before a GPU has started. */
enum { GPU_ENTRIES = 1 << 20 };

/* --device auto gives way to the CPU for what is small, and for the serial way. */
static spmv_status open_device(spgemm_job *job, spmv_context **ctx, spmv_error *err)
{
    const spgemm_options *o = job->options;
    const bool automatic = strcmp(o->common.device, "auto") == 0;
    const bool small = job->A.head.nnz + second(job)->head.nnz < GPU_ENTRIES;
    if (automatic && (small || o->serial)) job->device = SPMV_DEVICE_CPU;
    return spmv_context_create(ctx, job->device, (int)o->common.threads, err);
}

/* Multiply once.  Where the device was not named and its memory is too small, the CPU takes over.
 */
static spmv_status multiply_once(spgemm_job *job, spmv_context *ctx, spmv_error *err)
{
    const bool automatic = strcmp(job->options->common.device, "auto") == 0;
    if (job->device != SPMV_DEVICE_CPU) {
        const spmv_status st =
            spmv_spgemm_gpu(&job->C, &job->A, second(job), &job->how, ctx, &job->result, err);
        if (!automatic || (st != SPMV_ERROR_OUT_OF_MEMORY && st != SPMV_ERROR_CUDA_MALLOC))
            return st;
        tool_warn("%s; the CPU multiplies instead", err->message);
        job->device = SPMV_DEVICE_CPU;
    }
    return spmv_spgemm(&job->C, &job->A, second(job), &job->how, &job->result, err);
}

static spmv_status multiply(spgemm_job *job, spmv_error *err)
{
    const int64_t repeat = job->options->repeat;
    spmv_context *ctx = NULL;
    spmv_status st;
    job->seconds = calloc((size_t)repeat, sizeof *job->seconds);
    if (job->seconds == NULL) return tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "out of memory");
    TOOL_TRY(open_device(job, &ctx, err));
    tool_phase_begin("multiply", NULL);
    for (int64_t k = 0; k < repeat && st == SPMV_SUCCESS; k++) {
        spmv_destroy(&job->C);
        st = multiply_once(job, ctx, err);
        job->seconds[k] = job->result.elapsed_ms / 1000;
    }
    tool_phase_end(0);
    if (st == SPMV_SUCCESS) say_product(job);
done:
    spmv_context_destroy(ctx);
    return st;
}

static spmv_status write_product(spgemm_job *job, const char *out, const tool_target *t,
                                 spmv_error *err)
{
    const spmv_status st = t->format != SPMV_CSR ? target_convert(t, &job->C, err) : SPMV_SUCCESS;
    if (st != SPMV_SUCCESS) return st;
    return target_write(t, &job->C, NULL, out, job->options->common.force, err);
}

/* Refuse what needs no matrix to be refused. */
static spmv_status check_first(spgemm_job *job, const char *out, const tool_target *t,
                               spmv_error *err)
{
    const spgemm_options *o = job->options;
    const char *words[3] = {job->a};
    operands inputs = {1, words};
    spmv_status st;
    if (job->b != NULL) words[inputs.count++] = job->b;
    if (o->mask != NULL) words[inputs.count++] = o->mask;
    TOOL_TRY(common_device(&o->common, &job->device, err));
    if (o->serial && job->device != SPMV_DEVICE_CPU && strcmp(o->common.device, "auto") != 0)
        return tool_fail(err, SPMV_ERROR_UNSUPPORTED,
                         "--serial is a way of the CPU, not one of --device %.20s",
                         o->common.device);
    if (!o->estimate)
        TOOL_TRY(tool_check_output(out, !t->file->text, o->common.force, &inputs, err));
    st = SPMV_SUCCESS;
    if (o->common.json != NULL)
        st = tool_check_output(o->common.json, false, o->common.force, &inputs, err);
done:
    return st;
}

static spmv_status multiply_files(spgemm_job *job, const char *out, spmv_error *err)
{
    const spgemm_options *o = job->options;
    const tool_target t = target_of(out, o->to, "mtx");
    spmv_status st;
    TOOL_TRY(check_first(job, out, &t, err));
    TOOL_TRY(read_operand(&job->A, job, job->a, err));
    if (job->b != NULL) TOOL_TRY(read_operand(&job->B, job, job->b, err));
    if (o->mask != NULL) {
        TOOL_TRY(read_operand(&job->mask, job, o->mask, err));
        job->how.mask = &job->mask;
    }
    if (o->estimate) {
        TOOL_TRY(estimate(job, err));
    } else {
        TOOL_TRY(multiply(job, err));
        TOOL_TRY(write_product(job, out, &t, err));
    }
    if (o->common.json != NULL) st = write_record(job, err);
done:
    spmv_destroy(&job->A);
    spmv_destroy(&job->B);
    spmv_destroy(&job->mask);
    spmv_destroy(&job->C);
    free(job->seconds);
    return st;
}

static void check_usage(const spgemm_options *o, const operands *files, const char *out)
{
    const tool_output outputs[] = {{out, "C"}, {o->common.json, "--json"}};
    const tool_output unused[] = {{o->common.output, "--output"}, {o->to, "--to"}};
    int standard = o->mask != NULL && tool_is_stdio(o->mask);
    if (files->count < 1) tool_misuse("the matrix A is missing");
    if (files->count > 2) tool_misuse("two matrices are multiplied, not %d", files->count);
    for (int i = 0; i < files->count; i++) standard += tool_is_stdio(files->word[i]);
    if (standard > 1) tool_misuse("only one input can be standard input");
    if (o->estimate) tool_refuse_unused("--estimate", unused, 2);
    tool_check_apart(outputs, 2);
}

int main(int argc, char **argv)
{
    spgemm_options o = {.common = COMMON_DEFAULTS, .index_base = -1, .repeat = 1};
    operands files;
    spmv_error err = {0};

    tool_start(&self, argc, argv, &o.common, &files);
    const char *out = o.common.output != NULL ? o.common.output : "-";
    check_usage(&o, &files, out);
    spgemm_job job = {.options = &o,
                      .a = files.word[0],
                      .b = files.count > 1 ? files.word[1] : NULL,
                      .how = {.transpose_a = o.transpose_a,
                              .transpose_b = o.transpose_b,
                              .boolean = o.boolean,
                              .drop_zeros = o.drop_zeros,
                              .serial = o.serial,
                              .top = o.top,
                              .threads = (int)o.common.threads,
                              .progress = tool_progress_bytes}};
    return tool_finish(multiply_files(&job, out, &err), &err);
}
