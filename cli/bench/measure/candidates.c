/* candidates.c -- what is to be measured, none twice, and the rules that stand for kernels until
 * the matrix is known. */
#include "cli/bench/measure/candidates.h"
#include "cli/tool/choose_device.h"
#include "cli/tool/fail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool bench_rule_find(const char *name, bench_candidate *out)
{
    const kernel_rule *rule = kernel_rule_named(name);
    if (rule != NULL) *out = (bench_candidate){.name = rule->name};
    return rule != NULL;
}

static bool is_same(const bench_candidate *a, const bench_candidate *b)
{
    return strcmp(a->name, b->name) == 0 && a->device == b->device && a->gpus == b->gpus &&
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

spmv_status bench_add_joint(bench_candidates *all, int gpus, spmv_error *err)
{
    const int alone = all->count;
    spmv_status st = SPMV_SUCCESS;
    for (int i = 0; i < alone; i++) {
        bench_candidate s = all->item[i];
        if (s.method != NULL && !s.method->joint) continue;
        s.gpus = gpus;
        TOOL_TRY(bench_add_candidate(all, &s, err));
    }
done:
    return st;
}

spmv_status bench_candidate_device(const bench_candidate *s, spmv_device_info *out, spmv_error *err)
{
    const spmv_status st = spmv_device_describe(s->device, out, err);
    if (st == SPMV_SUCCESS && s->gpus > 0) common_add_up(out, s->gpus);
    return st;
}

void bench_candidates_destroy(bench_candidates *candidates)
{
    free(candidates->item);
    *candidates = (bench_candidates){0};
}

/* A rule, which needs the matrix, is neither a kernel nor a peer nor a method. */
spmv_status bench_resolve(bench_candidates *out, const bench_candidates *from, kernel_task task,
                          spmv_error *err)
{
    spmv_status st = SPMV_SUCCESS;
    for (int i = 0; i < from->count; i++) {
        bench_candidate s = from->item[i];
        if (s.kernel == NULL && s.peer == NULL && s.method == NULL) {
            const kernel_rule *rule = kernel_rule_named(s.name);
            task.gpu = s.device != SPMV_DEVICE_CPU;
            s.config = rule->choose(&task, &s.reason);
            s.kernel = spmv_kernel_find(s.config.kernel);
            s.name = s.kernel->name;
            if (!s.kernel->gpu)
                s.config = (spmv_kernel_options){.kernel = s.name}; /* has no blocks */
            s.rules = 1u << (rule - kernel_rules);
        }
        TOOL_TRY(bench_add_candidate(out, &s, err));
    }
done:
    return st;
}

spmv_format bench_candidate_format(const bench_candidate *s)
{
    if (s->method != NULL) return SPMV_CSR;
    return s->kernel != NULL ? s->kernel->format : s->peer->format;
}

const char *bench_show_rules(const bench_candidate *s, char text[BENCH_RULES_TEXT])
{
    int n = 0;
    text[0] = '\0';
    for (int i = 0; i < KERNEL_RULES; i++)
        if (s->rules >> i & 1)
            n += snprintf(text + n, (size_t)(BENCH_RULES_TEXT - n), "%s%s", n > 0 ? "," : "",
                          kernel_rules[i].name);
    return text;
}
