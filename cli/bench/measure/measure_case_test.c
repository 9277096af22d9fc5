/* measure_case_test.c -- kernels measured on random matrices, on the CPU or an emulated GPU. */
#include "cli/bench/measure/measure_case.h"
#include "cli/measure/samples.h"
#include "cli/measure/replay.h"
#include "cli/bench/measure/bench_matrix_test.h"
#include "cli/bench/measure/started_bench_test.h"

#include <criterion/criterion.h>
#include <string.h>

#ifndef BENCH_TEST_DEVICE
#define BENCH_TEST_DEVICE SPMV_DEVICE_CPU
#endif
/* Emulation is slow: it goes without the eighth sample, which is large. */
enum {
    CASES = BENCH_TEST_DEVICE == SPMV_DEVICE_CPU ? 100 : 7,
    TIMES = BENCH_TEST_DEVICE == SPMV_DEVICE_CPU ? 3 : 1
};

static bench_options opt = {.common = COMMON_DEFAULTS};
static bench_contexts contexts;

static void start_tool(void)
{
    bench_test_start(&opt);
    opt.min_time = 0;
    opt.min_samples = TIMES;
    opt.warmup = TIMES - 1;
}

static void destroy_contexts(void)
{
    bench_contexts_destroy(&contexts);
}

TestSuite(bench_case, .init = start_tool, .fini = destroy_contexts);

/* The kernel that the rule chooses, and one of all kernels of the device in turn. */
static void choose(bench_candidates *out, const spmv_row_stats *stats, int turn)
{
    bench_candidate rule = {.name = turn % 2 == 0 ? "auto" : "auto-rule",
                            .device = BENCH_TEST_DEVICE};
    const bench_candidates from = {.item = &rule, .count = 1};
    const bool gpu = BENCH_TEST_DEVICE != SPMV_DEVICE_CPU;
    const kernel_task task = {.stats = stats, .vectors = 1, .precision = SPMV_F64};
    cr_assert_eq(bench_resolve(out, &from, task, NULL), SPMV_SUCCESS);
    for (int i = 0; i < spmv_kernel_count(); i++) {
        const spmv_kernel *k = spmv_kernel_at((turn + i) % spmv_kernel_count());
        const bench_candidate s = {.name = k->name,
                                   .kernel = k,
                                   .device = BENCH_TEST_DEVICE,
                                   .config = {.kernel = k->name}};
        if (k->gpu != gpu) continue;
        cr_assert_eq(bench_add_candidate(out, &s, NULL), SPMV_SUCCESS);
        return;
    }
}

static void expect_times(const bench_times *t, int least, const char *label)
{
    const sample_stats s = samples_summarise(t->samples, t->count);
    cr_assert_geq(t->count, least, "%s", label);
    cr_assert_gt(s.min, 0, "%s", label);
    cr_assert(s.min <= s.mean && s.mean <= s.max, "%s", label);
}

static void expect_rates(const spmv_bandwidth *b, const char *label)
{
    cr_assert_geq(b->achieved, 0, "%s", label);
    cr_assert_gt(b->theoretical, 0, "%s", label);
    cr_assert_eq(b->efficiency, b->achieved / b->theoretical, "%s", label);
    cr_assert_geq(b->flops_per_second, 0, "%s", label);
}

Test(bench_case, properties_11_to_13_of_what_is_measured)
{
    static const spmv_type types[] = {SPMV_F64, SPMV_F32, SPMV_PATTERN};
    static bench_measurement out;
    for (int k = 0; k < CASES; k++) {
        const spmv_type type = types[k % 3], precision = k % 6 < 3 ? SPMV_F32 : SPMV_F64;
        test_sample s = test_sample_make(k, type, TEST_SMALL_CELLS);
        bench_matrix m = bench_test_matrix(&opt, &s, type == SPMV_PATTERN ? precision : type);
        bench_candidates candidates = {0};
        choose(&candidates, &m.stats, k);
        opt.warm_only = k % 10 != 0;
        for (int i = 0; i < candidates.count; i++) {
            const bench_candidate *candidate = &candidates.item[i];
            spmv_error err;
            const spmv_status st = bench_measure(&out, &contexts, &m, candidate, &err);
            if (st == SPMV_ERROR_UNSUPPORTED && candidate->kernel->format == SPMV_ELL) continue;
            cr_assert_eq(st, SPMV_SUCCESS, "%s, %s: %s", s.label, candidate->name, err.message);
            cr_assert(out.verified && out.verification.pass, "%s, %s", s.label, candidate->name);
            const int block = out.config.block_size;
            cr_assert_str_eq(out.config.kernel, candidate->name, "%s", s.label);
            cr_assert((block == 0 && !candidate->kernel->gpu) ||
                          (block >= 32 && block <= 1024 && (block & (block - 1)) == 0),
                      "%s, %s: block size %d", s.label, candidate->name, block);
            expect_times(&out.warm, TIMES, s.label);
            expect_rates(&out.bandwidth, s.label);
            if (!opt.warm_only) {
                expect_times(&out.cold, TIMES, s.label);
                expect_rates(&out.cold_bandwidth, s.label);
            }
            cr_assert_eq(out.graph.count > 0, candidate->kernel->gpu, "%s", s.label);
            if (candidate->kernel->gpu) {
                expect_times(&out.graph, TIMES, s.label);
                expect_rates(&out.graph_bandwidth, s.label);
                cr_assert_eq(out.graph.batch % REPLAY_MOST, 0, "%s", s.label);
            }
        }
        bench_candidates_destroy(&candidates);
        bench_matrix_destroy(&m);
    }
}

/* What copying and converting take is found out once for all that share them, whatever comes in
 * between. */
Test(bench_case, candidates_of_one_format_have_the_same_costs)
{
    static const char *const names[2][4] = {{"cpu-csr", "cpu-jds", "cpu-csr", "cpu-jds"},
                                            {"csr-merge", "jds", "csr-vector", "jds"}};
    const bool gpu = BENCH_TEST_DEVICE != SPMV_DEVICE_CPU;
    static bench_measurement out[4];
    test_sample s = test_sample_make(2, SPMV_F64, TEST_SMALL_CELLS);
    bench_matrix m = bench_test_matrix(&opt, &s, SPMV_F64);
    spmv_error err;
    opt.warm_only = true;
    for (int i = 0; i < 4; i++) {
        const spmv_kernel *kernel = spmv_kernel_find(names[gpu][i]);
        const bench_candidate candidate = {.name = kernel->name,
                                           .kernel = kernel,
                                           .device = BENCH_TEST_DEVICE,
                                           .config = {.kernel = kernel->name}};
        cr_assert_eq(bench_measure(&out[i], &contexts, &m, &candidate, &err), SPMV_SUCCESS, "%s",
                     err.message);
        cr_assert(out[i].verification.pass, "%s", kernel->name);
        cr_assert_eq(out[i].copy_s > 0, gpu);
        cr_assert_eq(out[i].copy_bytes > 0, gpu);
        cr_assert_eq(out[i].format_s > 0, i % 2 == 1);
    }
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(out[i].copy_s, out[i + 2].copy_s);
        cr_assert_eq(out[i].format_s, out[i + 2].format_s);
    }
    bench_matrix_destroy(&m);
}

/* A matrix whose time is over is left as soon as there is one sample. */
Test(bench_case, the_deadline_ends_it)
{
    static bench_measurement out;
    test_sample s = test_sample_make(3, SPMV_F64, TEST_SMALL_CELLS);
    bench_matrix m = bench_test_matrix(&opt, &s, SPMV_F64);
    bench_candidates candidates = {0};
    choose(&candidates, &m.stats, 0);
    m.deadline = 0;
    opt.min_samples = 100;
    opt.min_time = 1e9;
    cr_assert_eq(bench_measure(&out, &contexts, &m, &candidates.item[0], NULL), SPMV_SUCCESS);
    cr_assert_eq(out.warm.count, 1);
    cr_assert_eq(out.cold.count, 0);
    bench_candidates_destroy(&candidates);
    bench_matrix_destroy(&m);
}
