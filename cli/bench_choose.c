/* bench_choose.c -- which kernels: names, rules, or all. */
#include "bench.h"

#include <string.h>

/* The words of --kernel that are no kernels.  A rule needs the matrix. */
static spmv_config rule_auto(const spmv_row_stats *stats, bool gpu, const char **reason)
{
    return spmv_config_auto(stats, gpu, reason);
}

/* The published rule knows GPU kernels only: the CPU kernel of the same format stands in. */
static spmv_config rule_published(const spmv_row_stats *stats, bool gpu, const char **reason)
{
    spmv_config config = spmv_config_rule(stats);
    const spmv_format format = spmv_kernel_find(config.kernel)->format;
    for (int i = 0; i < spmv_kernel_count() && !gpu; i++)
        if (!spmv_kernel_at(i)->gpu && spmv_kernel_at(i)->format == format)
            config.kernel = spmv_kernel_at(i)->name;
    *reason = "the published rule";
    return config;
}

static const struct rule {
    const char *name;
    spmv_config (*choose)(const spmv_row_stats *stats, bool gpu, const char **reason);
} rules[] = {{"auto", rule_auto}, {"auto-rule", rule_published}};
enum { RULES = sizeof rules / sizeof rules[0] };

const char *bench_kernel_name(int i)
{
    if (i == 0) return "all";
    if (i <= RULES) return rules[i - 1].name;
    i -= 1 + RULES;
    return i < spmv_kernel_count() ? spmv_kernel_at(i)->name : NULL;
}

static const struct rule *rule_named(const char *name)
{
    for (int i = 0; i < RULES; i++)
        if (strcmp(rules[i].name, name) == 0) return &rules[i];
    return NULL;
}

bool bench_subject_is_rule(const bench_subject *s)
{
    return s->kernel == NULL && s->peer == NULL;
}

void bench_add_subject(bench_subjects *all, const bench_subject *s)
{
    for (int i = 0; i < all->count; i++)
        if (strcmp(all->item[i].name, s->name) == 0 && all->item[i].device == s->device) return;
    if (all->count < BENCH_SUBJECTS) all->item[all->count++] = *s;
}

/* A kernel with its own defaults. */
static void add_kernel(bench_subjects *all, const spmv_kernel *kernel, int device)
{
    const bench_subject s = {.name = kernel->name,
                             .kernel = kernel,
                             .device = kernel->gpu ? device : SPMV_DEVICE_CPU,
                             .config = {.kernel = kernel->name}};
    bench_add_subject(all, &s);
}

/* Every kernel of the device; beside a GPU that was not asked for by name also the CPU, to see what
 * the GPU is worth. */
static void add_all(bench_subjects *all, int device)
{
    const bool gpu = device != SPMV_DEVICE_CPU;
    for (int i = 0; i < spmv_kernel_count(); i++)
        if (spmv_kernel_at(i)->gpu == gpu && spmv_kernel_at(i)->available)
            add_kernel(all, spmv_kernel_at(i), device);
    if (gpu && strcmp(common.device, "auto") == 0)
        add_kernel(all, spmv_kernel_find("cpu-csr"), device);
}

/* A kernel that was named runs where it can; --device auto gives way, another device does not. */
static spmv_status add_named(bench_subjects *all, const char *name, int device, spmv_error *err)
{
    const spmv_kernel *kernel = spmv_kernel_find(name);
    const bool gpu = device != SPMV_DEVICE_CPU, anywhere = strcmp(common.device, "auto") == 0;
    if (kernel->gpu && !gpu && anywhere)
        return tool_fail(err, SPMV_ERROR_NO_DEVICE, "kernel %s needs a GPU, and there is none",
                         name);
    if (kernel->gpu != gpu && !anywhere)
        return tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                         "kernel %s runs on the %s, not with --device %.20s", name,
                         kernel->gpu ? "GPU" : "CPU", common.device);
    add_kernel(all, kernel, device);
    return SPMV_SUCCESS;
}

spmv_status bench_choose(bench_subjects *out, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    int device;
    char name[64];
    TOOL_TRY(common_device(&device, err));
    for (const char *rest = bench_opt.kernels; rest != NULL;) {
        const int length = (int)strcspn(rest, ",");
        snprintf(name, sizeof name, "%.*s", length, rest);
        rest = rest[length] == ',' ? rest + length + 1 : NULL;
        const struct rule *rule = rule_named(name);
        if (rule != NULL)
            bench_add_subject(out, &(bench_subject){.name = rule->name, .device = device});
        else if (strcmp(name, "all") == 0)
            add_all(out, device);
        else
            TOOL_TRY(add_named(out, name, device, err));
    }
    TOOL_TRY(bench_choose_peers(out, device, err));
done:
    return st;
}

void bench_resolve(bench_subjects *out, const bench_subjects *from, const spmv_row_stats *stats)
{
    *out = (bench_subjects){0};
    for (int i = 0; i < from->count; i++) {
        bench_subject s = from->item[i];
        if (bench_subject_is_rule(&s)) {
            s.config = rule_named(s.name)->choose(stats, s.device != SPMV_DEVICE_CPU, &s.reason);
            s.kernel = spmv_kernel_find(s.config.kernel);
            s.name = s.kernel->name;
        }
        bench_add_subject(out, &s);
    }
}
