/* kernel_choice_test.c -- what `auto` takes for several vectors. */
#include "cli/measure/kernel_choice.h"

#include <criterion/criterion.h>

static const struct {
    bool gpu;
    spmv_type precision;
    int64_t vectors;
    const char *kernel;
} several[] = {
    {true, SPMV_F32, 2, "csr-merge"},   {true, SPMV_F32, 15, "csr-merge"},
    {true, SPMV_F32, 16, "csr-groups"}, {true, SPMV_F64, 7, "csr-merge"},
    {true, SPMV_F64, 8, "csr-groups"},  {true, SPMV_C128, 4, "csr-groups"},
    {false, SPMV_F32, 2, "cpu-csr"},    {false, SPMV_F64, 64, "cpu-csr"},
};

/* Rows so short that single vectors go another way on a GPU. */
static const spmv_row_stats stats = {
    .rows = 1000000, .cols = 1000000, .nnz = 3000000, .min = 3, .mean = 3, .max = 3};

Test(kernel_choice, several_vectors_share_a_pass)
{
    for (size_t i = 0; i < sizeof several / sizeof several[0]; i++) {
        const kernel_task task = {&stats, several[i].gpu, several[i].vectors, several[i].precision};
        const char *reason = NULL;
        const spmv_kernel_options chosen = kernel_rules[KERNEL_AUTO].choose(&task, &reason);
        cr_expect_str_eq(chosen.kernel, several[i].kernel, "%d vectors", (int)task.vectors);
        cr_expect(spmv_kernel_find(chosen.kernel)->spmm);
        cr_expect_str_eq(reason, "all vectors in one pass over the matrix");
    }
}

Test(kernel_choice, a_single_vector_is_left_to_the_library)
{
    for (int gpu = 0; gpu < 2; gpu++) {
        const kernel_task task = {&stats, gpu, 1, SPMV_F64};
        const char *reason = NULL, *expected = NULL;
        const spmv_kernel_options chosen = kernel_rules[KERNEL_AUTO].choose(&task, &reason);
        cr_expect_str_eq(chosen.kernel, spmv_kernel_options_auto(&stats, gpu, &expected).kernel);
        cr_expect_str_eq(reason, expected);
    }
}
