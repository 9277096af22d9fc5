/* joint_work_test.c -- kernels measured on several emulated GPUs, beside one of them. */
#include "cli/bench/measure/bench_record.h"
#include "cli/bench/show/bench_result.h"
#include "cli/measure/replay.h"
#include "cli/bench/measure/started_bench_test.h"
#include "cli/bench/measure/bench_matrix_test.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum { MOST_GPUS = 5, CASES = 6, CELLS = 4000 };

static bench_options opt = {.common = COMMON_DEFAULTS, .min_samples = 2};
static bench_contexts contexts;

static void start_tool(void)
{
    setenv("EMULATED_GPUS", "5", 1);
    bench_test_start(&opt);
}

static void destroy_contexts(void)
{
    bench_contexts_destroy(&contexts);
}

TestSuite(joint_work, .init = start_tool, .fini = destroy_contexts);

/* GPU kernel number k, of several GPUs where `gpus` is not 0. */
static bench_candidate candidate_of(int k, int gpus)
{
    const spmv_kernel *kernel = NULL;
    while (kernel == NULL || !kernel->gpu) kernel = spmv_kernel_at(k++ % spmv_kernel_count());
    return (bench_candidate){
        .name = kernel->name, .kernel = kernel, .gpus = gpus, .config = {.kernel = kernel->name}};
}

/* What is known of several GPUs, from what one of them has. */
static void expect_together(const bench_measurement *all, const bench_measurement *one,
                            const char *label)
{
    const int gpus = all->candidate->gpus;
    char name[128];
    snprintf(name, sizeof name, "%d x %.100s", gpus, one->device.name);
    cr_assert(all->verified && all->verification.pass, "%s", label);
    cr_assert_str_eq(all->device.name, name, "%s", label);
    cr_assert_eq(all->device.bandwidth, gpus * one->device.bandwidth, "%s", label);
    cr_assert_eq(all->bandwidth.theoretical, gpus * one->bandwidth.theoretical, "%s", label);
    cr_assert_eq(all->bandwidth.useful_bytes, one->bandwidth.useful_bytes, "%s", label);
    cr_assert_eq(all->bandwidth.moved_bytes, one->bandwidth.moved_bytes, "%s", label);
    cr_assert_eq(all->ceilings.stream, gpus * one->ceilings.stream, "%s", label);
    cr_assert_eq(all->ceilings.gather, gpus * one->ceilings.gather, "%s", label);
    cr_assert_geq(all->warm.count, 2, "%s", label);
    cr_assert_gt(all->warm.samples[0], 0, "%s", label);
    cr_assert_gt(all->prepare_s, 0, "%s", label);
    cr_assert_eq(one->cold.count > 0, true, "%s", label);
    cr_assert_eq(all->cold.count, 0, "%s", label);
    cr_assert_geq(all->graph.count, 2, "%s", label);
    cr_assert_eq(all->graph.batch % REPLAY_MOST, 0, "%s", label);
}

Test(joint_work, products_of_several_gpus_are_verified_and_timed)
{
    static const spmv_type types[] = {SPMV_F64, SPMV_F32, SPMV_PATTERN};
    static bench_measurement one, all;
    for (int k = 0; k < CASES; k++) {
        const spmv_type type = types[k % 3], precision = k % 6 < 3 ? SPMV_F32 : SPMV_F64;
        test_sample s = test_sample_make(k % 8 == 7 ? k + 1 : k, type, CELLS);
        bench_matrix m = bench_test_matrix(&opt, &s, type == SPMV_PATTERN ? precision : type);
        const bench_candidate alone = candidate_of(k, 0);
        const bench_candidate joint = candidate_of(k, 2 + k % (MOST_GPUS - 1));
        spmv_error err;
        const spmv_status st = bench_measure(&one, &contexts, &m, &alone, &err);
        cr_assert(st == SPMV_SUCCESS || alone.kernel->format == SPMV_ELL, "%s, %s: %s", s.label,
                  alone.name, err.message);
        if (st == SPMV_SUCCESS) {
            cr_assert_eq(bench_measure(&all, &contexts, &m, &joint, &err), SPMV_SUCCESS,
                         "%s, %s: %s", s.label, joint.name, err.message);
            expect_together(&all, &one, s.label);
        }
        bench_matrix_destroy(&m);
    }
}

/* What one GPU has measured is not what two have, and that is not what three have. */
Test(joint_work, records_tell_the_numbers_of_gpus_apart)
{
    static bench_measurement out;
    static const int gpus[] = {0, 2, 3};
    static const char *const names[] = {"csr-merge", "2 x csr-merge", "3 x csr-merge"};
    bench_candidate candidates[3];
    bench_results all = {0};
    test_sample s = test_sample_make(2, SPMV_F64, CELLS);
    bench_matrix m = bench_test_matrix(&opt, &s, SPMV_F64);
    opt.warm_only = true;
    for (int i = 0; i < 3; i++) {
        candidates[i] = candidate_of(0, gpus[i]);
        candidates[i].name = candidates[i].config.kernel = "csr-merge";
        candidates[i].kernel = spmv_kernel_find("csr-merge");
        cr_assert_eq(bench_measure(&out, &contexts, &m, &candidates[i], NULL), SPMV_SUCCESS);
        cr_assert_eq(bench_results_add(&all, bench_record(&out), NULL), SPMV_SUCCESS);
        cr_assert_eq(all.item[i].gpus, gpus[i]);
        cr_assert_str_eq(all.item[i].kernel, names[i]);
        cr_assert_str_eq(report_text_at(all.item[i].record, "kernel"), "csr-merge");
    }
    for (int i = 0; i < 3; i++) {
        bench_result planned = bench_result_view(bench_record_plan(&m, &candidates[i]));
        for (int k = 0; k < 3; k++) {
            cr_assert_eq(bench_result_same(&planned, &all.item[k], BENCH_ALIKE), i == k);
            cr_assert_eq(bench_result_same(&planned, &all.item[k], BENCH_ELSEWHERE), i == k);
        }
        report_destroy(planned.record);
    }
    bench_results_destroy(&all);
    bench_matrix_destroy(&m);
}

/* A number that is not there is told, and the next measurement is none the worse. */
Test(joint_work, more_gpus_than_there_are)
{
    static bench_measurement out;
    test_sample s = test_sample_make(3, SPMV_F64, CELLS);
    bench_matrix m = bench_test_matrix(&opt, &s, SPMV_F64);
    const bench_candidate many = candidate_of(0, MOST_GPUS + 1), some = candidate_of(0, MOST_GPUS);
    cr_assert_eq(bench_measure(&out, &contexts, &m, &many, NULL), SPMV_ERROR_NO_DEVICE);
    cr_assert_eq(bench_measure(&out, &contexts, &m, &some, NULL), SPMV_SUCCESS);
    cr_assert(out.verification.pass);
    bench_matrix_destroy(&m);
}
