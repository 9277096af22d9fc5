/* bench_choose.c -- which kernels: names, rules, or all. */
#include "cli/bench/bench.h"
#include "cli/bench/peers/peers.h"
#include "cli/bench/spgemm/own_methods.h"
#include "cli/measure/kernel_choice.h"
#include "cli/tool/choose_device.h"
#include "cli/tool/fail.h"

#include <string.h>

const char *bench_kernel_name(int i)
{
    const int kernels = 1 + KERNEL_RULES + spmv_kernel_count();
    return i < kernels ? kernel_word("all", i) : bench_own_methods[i - kernels].name;
}

/* A kernel with its own defaults. */
static spmv_status add_kernel(bench_candidates *all, const spmv_kernel *kernel, int device,
                              spmv_error *err)
{
    const bench_candidate s = {.name = kernel->name,
                               .kernel = kernel,
                               .device = kernel->gpu ? device : SPMV_DEVICE_CPU,
                               .config = {.kernel = kernel->name}};
    return bench_add_candidate(all, &s, err);
}

/* Takes every kernel of the device; beside a GPU that was not asked for by name also those of the
 * CPU, to see what the GPU is worth. */
static spmv_status add_all(bench_candidates *all, const bench_options *o, int device,
                           spmv_error *err)
{
    const bool gpu = device != SPMV_DEVICE_CPU;
    spmv_status st = SPMV_SUCCESS;
    for (int i = 0; i < spmv_kernel_count(); i++)
        if (spmv_kernel_at(i)->gpu == gpu && spmv_kernel_at(i)->available)
            TOOL_TRY(add_kernel(all, spmv_kernel_at(i), device, err));
    if (gpu && common_is_automatic(&o->common))
        TOOL_TRY(add_kernel(all, spmv_kernel_find("cpu-csr"), device, err));
done:
    return st;
}

static spmv_status add_named(bench_candidates *all, const bench_options *o, const char *name,
                             int device, spmv_error *err)
{
    const spmv_kernel *kernel = spmv_kernel_find(name);
    const spmv_status st = kernel_check_device(kernel, device, o->common.device, err);
    return st == SPMV_SUCCESS ? add_kernel(all, kernel, device, err) : st;
}

/* A word of --kernel, for several ranks. */
static spmv_status choose_for_ranks(bench_candidates *out, const bench_options *o, const char *name,
                                    spmv_error *err)
{
    if (strcmp(name, "all") == 0 || strcmp(name, "auto") == 0 || strcmp(name, "cpu-csr") == 0)
        return add_named(out, o, "cpu-csr", SPMV_DEVICE_CPU, err);
    return tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                     "several processes multiply with the kernel cpu-csr, not with %s", name);
}

/* A word of --kernel. */
static spmv_status choose_kernel(bench_candidates *out, const bench_options *o, const char *name,
                                 int device, spmv_error *err)
{
    bench_candidate rule;
    if (o->ranks != NULL) return choose_for_ranks(out, o, name, err);
    if (bench_own_method(name) != NULL)
        return tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT, "kernel %s needs --op spgemm", name);
    if (strcmp(name, "all") == 0) return add_all(out, o, device, err);
    if (!bench_rule_find(name, &rule)) return add_named(out, o, name, device, err);
    rule.device = device;
    return bench_add_candidate(out, &rule, err);
}

/* ---- Sparse products ------------------------------------------------------------------------- */

static spmv_status add_method(bench_candidates *out, const spmv_spgemm_method *method, int device,
                              spmv_error *err)
{
    const bench_candidate s = {
        .name = method->name, .method = method, .device = method->gpu ? device : SPMV_DEVICE_CPU};
    return bench_add_candidate(out, &s, err);
}

/* Returns whether a method runs on the device, or beside a GPU that was not asked for by name. */
static bool runs_here(const spmv_spgemm_method *method, const bench_options *o, int device)
{
    if (method->joint && !common_wants_all(&o->common)) return false;
    if (method->gpu || device == SPMV_DEVICE_CPU) return method->gpu == (device >= 0);
    return common_is_automatic(&o->common);
}

static spmv_status add_all_methods(bench_candidates *out, const bench_options *o, int device,
                                   spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    for (const spmv_spgemm_method *m = bench_own_methods; m->name != NULL; m++)
        if (!bench_method_is_slow(m) && runs_here(m, o, device))
            TOOL_TRY(add_method(out, m, device, err));
done:
    return st;
}

/* "a, b, c and d" */
static const char *list_methods(char *text, size_t size)
{
    int n = 0;
    for (const spmv_spgemm_method *m = bench_own_methods; m->name != NULL; m++)
        n += snprintf(text + n, size - (size_t)n, "%s%s",
                      n == 0      ? ""
                      : m[1].name ? ", "
                                  : " and ",
                      m->name);
    return text;
}

/* A word of --kernel with --op spgemm. */
static spmv_status choose_method(bench_candidates *out, const bench_options *o, const char *name,
                                 int device, spmv_error *err)
{
    const spmv_spgemm_method *method = bench_own_method(name);
    char names[256] = "";
    if (strcmp(name, "all") == 0) return add_all_methods(out, o, device, err);
    if (method == NULL)
        return tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                         "%s multiplies with vectors; with --op spgemm there are %s", name,
                         list_methods(names, sizeof names));
    if (runs_here(method, o, device)) return add_method(out, method, device, err);
    if (method->joint || !common_is_automatic(&o->common))
        return tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                         "kernel %s runs on %s, not with --device %.20s", name,
                         method->joint ? "all GPUs"
                         : method->gpu ? "the GPU"
                                       : "the CPU",
                         o->common.device);
    return tool_fail(err, SPMV_ERROR_NO_DEVICE, "kernel %s needs a GPU, and none can be used here",
                     name);
}

/* ---- All of them ----------------------------------------------------------------------------- */

/* The device of --device; *gpus: how many multiply together, too, as there are several. */
static spmv_status choose_device(const bench_options *o, int *device, int *gpus, spmv_error *err)
{
    int count;
    *gpus = 0;
    if (!common_wants_all(&o->common)) return common_device(&o->common, device, err);
    const spmv_status st = common_all_devices(&count, err);
    *device = 0;
    if (st == SPMV_SUCCESS && count > 1) *gpus = count;
    return st;
}

spmv_status bench_choose(bench_candidates *out, const bench_options *o, spmv_error *err)
{
    static spmv_status (*const choose[])(bench_candidates * out, const bench_options *o,
                                         const char *name, int device, spmv_error *err) = {
        [BENCH_SPMV] = choose_kernel, [BENCH_SPGEMM] = choose_method};
    spmv_status st = SPMV_SUCCESS;
    int device, gpus;
    char name[OPTION_WORD_SIZE];
    const char *rest = o->kernels;
    TOOL_TRY(choose_device(o, &device, &gpus, err));
    while (option_next_word(&rest, name)) TOOL_TRY(choose[o->op](out, o, name, device, err));
    if (gpus > 0) TOOL_TRY(bench_add_joint(out, gpus, err));
    TOOL_TRY(bench_choose_peers(out, o, device, err));
done:
    return st;
}
