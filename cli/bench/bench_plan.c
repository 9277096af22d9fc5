/* bench_plan.c -- spmv-bench --dry-run: what would be measured, and how long it would take. */
#include "cli/bench/bench.h"
#include "cli/bench/show/show_number.h"
#include "cli/tool/fail.h"
#include "cli/tool/message.h"
#include "cli/tool/path.h"

#include <errno.h>
#include <math.h>
#include <unistd.h>

static const double read_rate = 100e6;    /* bytes per second, about, of a packed text */
static const double emptying_time = 0.03; /* seconds, about, to empty the caches of a CPU */
enum { LONGEST = 5 };                     /* times the least time, where there is noise */

/* How many kernels, in all variants together. */
typedef struct kernel_counts {
    int all, cpu;
} kernel_counts;

static spmv_status count_candidates(const bench_options *options, kernel_counts *out,
                                    spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    *out = (kernel_counts){0};
    for (int i = 0; i < bench_variant_count(options); i++) {
        bench_candidates all = {0};
        const bench_options variant = bench_variant(options, i);
        st = bench_choose(&all, &variant, err);
        out->all += all.count;
        for (int k = 0; k < all.count; k++) out->cpu += all.item[k].device == SPMV_DEVICE_CPU;
        bench_candidates_destroy(&all);
        if (st != SPMV_SUCCESS) break;
    }
    return st;
}

/* Fails after the last one, where one is not there, and says so of all that are not. */
static spmv_status print_inputs(const tool_inputs *inputs, double *bytes, spmv_error *err)
{
    char size[BENCH_TEXT];
    spmv_status st = SPMV_SUCCESS;
    for (int i = 0; i < inputs->count; i++) {
        const tool_input *input = &inputs->item[i];
        const double own = input->generated ? 0 : (double)tool_file_bytes(input->path);
        bench_print_padded(input->name, 48, stdout);
        printf(" %12s\n", input->generated ? "generated" : tool_bytes_text(own, size));
        *bytes += own;
        if (input->generated || tool_is_stdio(input->path) || access(input->path, R_OK) == 0)
            continue;
        const int why = errno;
        if (st != SPMV_SUCCESS) tool_print_error(st, err);
        st = tool_fail_on(input->path, why, err);
    }
    return st;
}

/* With cold caches, which sparse products do without, there are two times of each, and one of these
 * is for emptying them before each sample; a matrix is left after --timeout. */
static void print_total(const bench_options *o, int matrices, kernel_counts kernels, double bytes)
{
    const int variants = bench_variant_count(o), count = matrices * kernels.all;
    const double reading = bytes * variants / read_rate;
    const double emptying = matrices * kernels.cpu * (double)o->min_samples * emptying_time;
    const bool once = o->warm_only || o->op == BENCH_SPGEMM;
    const double warm = count * o->min_time, limit = matrices * variants * o->timeout;
    const double unlimited = once ? warm : 2 * warm + emptying;
    const double least = fmin(unlimited, limit), most = fmin(LONGEST * unlimited, limit);
    char short_text[BENCH_TEXT], long_text[BENCH_TEXT];
    printf("\n%d matri%s, %d kernel%s", matrices, matrices == 1 ? "x" : "ces",
           kernels.all / variants, kernels.all / variants == 1 ? "" : "s");
    if (variants > 1) printf(", %d ways to measure", variants);
    printf(": %s%d measurement%s, in %s to %s, about\n", o->max_nnz > 0 ? "at most " : "", count,
           count == 1 ? "" : "s", tool_duration_text(fmax(reading + least, 1), short_text),
           tool_duration_text(fmax(reading + most, 1), long_text));
}

spmv_status bench_plan(const operands *words, const bench_options *options, spmv_error *err)
{
    tool_inputs inputs = {0};
    spmv_status st;
    kernel_counts kernels;
    double bytes = 0;
    TOOL_TRY(count_candidates(options, &kernels, err));
    TOOL_TRY(bench_find_inputs(&inputs, words, options, err));
    st = print_inputs(&inputs, &bytes, err);
    print_total(options, inputs.count, kernels, bytes);
done:
    tool_inputs_destroy(&inputs);
    return st;
}
