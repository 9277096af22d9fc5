/* bench_choose.c -- which kernels: names, rules, or all. */
#include "cli/bench/bench.h"
#include "cli/bench/peers/peers.h"
#include "cli/measure/kernel_choice.h"
#include "cli/tool/choose_device.h"
#include "cli/tool/fail.h"

#include <string.h>

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
    if (gpu && strcmp(o->common.device, "auto") == 0)
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

spmv_status bench_choose(bench_candidates *out, const bench_options *o, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    int device;
    char name[OPTION_WORD_SIZE];
    const char *rest = o->kernels;
    TOOL_TRY(common_device(&o->common, &device, err));
    while (option_next_word(&rest, name)) {
        bench_candidate rule;
        if (bench_rule_find(name, &rule)) {
            rule.device = device;
            TOOL_TRY(bench_add_candidate(out, &rule, err));
        } else if (strcmp(name, "all") == 0) {
            TOOL_TRY(add_all(out, o, device, err));
        } else {
            TOOL_TRY(add_named(out, o, name, device, err));
        }
    }
    TOOL_TRY(bench_choose_peers(out, o, device, err));
done:
    return st;
}
