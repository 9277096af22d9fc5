/* bench_choose.c -- which kernels: names, rules, or all. */
#include "cli/bench/bench.h"
#include "cli/tool/fail.h"
#include "cli/tool/choose_device.h"

#include <stdlib.h>
#include <string.h>

/* The words of --kernel that are no kernels.  A rule needs the matrix. */
static spmv_kernel_config rule_auto(const spmv_row_stats *stats, bool gpu, const char **reason)
{
    return spmv_kernel_config_auto(stats, gpu, reason);
}

/* The published rule knows GPU kernels only: the CPU kernel of the same format stands in. */
static spmv_kernel_config rule_published(const spmv_row_stats *stats, bool gpu, const char **reason)
{
    spmv_kernel_config config = spmv_kernel_config_rule(stats);
    const spmv_format format = spmv_kernel_find(config.kernel)->format;
    for (int i = 0; i < spmv_kernel_count() && !gpu; i++)
        if (!spmv_kernel_at(i)->gpu && spmv_kernel_at(i)->format == format)
            config.kernel = spmv_kernel_at(i)->name;
    *reason = "the published rule";
    return config;
}

static const struct rule {
    const char *name;
    spmv_kernel_config (*choose)(const spmv_row_stats *stats, bool gpu, const char **reason);
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

static bool is_same(const bench_candidate *a, const bench_candidate *b)
{
    return strcmp(a->name, b->name) == 0 && a->device == b->device &&
           a->config.block_size == b->config.block_size &&
           a->config.x_readonly == b->config.x_readonly;
}

/* The reason is kept of what a rule has chosen. */
static void merge(bench_candidate *into, const bench_candidate *s)
{
    into->rules |= s->rules;
    if (into->reason == NULL) into->reason = s->reason;
}

spmv_status bench_add_candidate(bench_candidates *all, const bench_candidate *s, spmv_error *err)
{
    for (int i = 0; i < all->count; i++)
        if (is_same(&all->item[i], s)) {
            merge(&all->item[i], s);
            return SPMV_SUCCESS;
        }
    if (all->count == all->room) {
        const int room = all->room > 0 ? 2 * all->room : 64;
        bench_candidate *item = realloc(all->item, (size_t)room * sizeof *item);
        if (item == NULL)
            return tool_fail(err, SPMV_ERROR_OUT_OF_MEMORY, "cannot store %d kernels", room);
        all->item = item;
        all->room = room;
    }
    all->item[all->count++] = *s;
    return SPMV_SUCCESS;
}

void bench_candidates_destroy(bench_candidates *candidates)
{
    free(candidates->item);
    *candidates = (bench_candidates){0};
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

/* Every kernel of the device; beside a GPU that was not asked for by name also the CPU, to see what
 * the GPU is worth. */
static spmv_status add_all(bench_candidates *all, int device, spmv_error *err)
{
    const bool gpu = device != SPMV_DEVICE_CPU;
    spmv_status st = SPMV_SUCCESS;
    for (int i = 0; i < spmv_kernel_count(); i++)
        if (spmv_kernel_at(i)->gpu == gpu && spmv_kernel_at(i)->available)
            TOOL_TRY(add_kernel(all, spmv_kernel_at(i), device, err));
    if (gpu && strcmp(bench_opt.common.device, "auto") == 0)
        TOOL_TRY(add_kernel(all, spmv_kernel_find("cpu-csr"), device, err));
done:
    return st;
}

/* A kernel that was named runs where it can; --device auto gives way, another device does not. */
static spmv_status add_named(bench_candidates *all, const char *name, int device, spmv_error *err)
{
    const spmv_kernel *kernel = spmv_kernel_find(name);
    const bool gpu = device != SPMV_DEVICE_CPU,
               anywhere = strcmp(bench_opt.common.device, "auto") == 0;
    if (kernel->gpu && !gpu && anywhere)
        return tool_fail(err, SPMV_ERROR_NO_DEVICE, "kernel %s needs a GPU, and there is none",
                         name);
    if (kernel->gpu != gpu && !anywhere)
        return tool_fail(err, SPMV_ERROR_INVALID_ARGUMENT,
                         "kernel %s runs on the %s, not with --device %.20s", name,
                         kernel->gpu ? "GPU" : "CPU", bench_opt.common.device);
    return add_kernel(all, kernel, device, err);
}

spmv_status bench_choose(bench_candidates *out, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    int device;
    char name[64];
    TOOL_TRY(common_device(&bench_opt.common, &device, err));
    for (const char *rest = bench_opt.kernels; rest != NULL;) {
        const int length = (int)strcspn(rest, ",");
        snprintf(name, sizeof name, "%.*s", length, rest);
        rest = rest[length] == ',' ? rest + length + 1 : NULL;
        const struct rule *rule = rule_named(name);
        if (rule != NULL)
            TOOL_TRY(bench_add_candidate(
                out, &(bench_candidate){.name = rule->name, .device = device}, err));
        else if (strcmp(name, "all") == 0)
            TOOL_TRY(add_all(out, device, err));
        else
            TOOL_TRY(add_named(out, name, device, err));
    }
    TOOL_TRY(bench_choose_peers(out, device, err));
done:
    return st;
}

/* A rule, which needs the matrix, is neither a kernel nor a peer. */
spmv_status bench_resolve(bench_candidates *out, const bench_candidates *from,
                          const spmv_row_stats *stats, spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    for (int i = 0; i < from->count; i++) {
        bench_candidate s = from->item[i];
        if (s.kernel == NULL && s.peer == NULL) {
            const struct rule *rule = rule_named(s.name);
            s.config = rule->choose(stats, s.device != SPMV_DEVICE_CPU, &s.reason);
            s.kernel = spmv_kernel_find(s.config.kernel);
            s.name = s.kernel->name;
            if (!s.kernel->gpu)
                s.config = (spmv_kernel_config){.kernel = s.name}; /* has no blocks */
            s.rules = 1u << (rule - rules);
        }
        TOOL_TRY(bench_add_candidate(out, &s, err));
    }
done:
    return st;
}

const char *bench_show_rules(const bench_candidate *s, char text[BENCH_RULES_TEXT])
{
    int n = 0;
    text[0] = '\0';
    for (int i = 0; i < RULES; i++)
        if (s->rules >> i & 1)
            n += snprintf(text + n, (size_t)(BENCH_RULES_TEXT - n), "%s%s", n > 0 ? "," : "",
                          rules[i].name);
    return text;
}
