/* spgemm_gpus_test.c -- products of several GPUs against those of the CPU, bit for bit. */
#include "cuda/host/plan_cases_test.h"
#include "cuda/kernels/gpu_test.h"

#include <stdio.h>
#include <stdlib.h>

/* Where there are fewer GPUs, some have several contexts. */
enum { MOST = 7 };
static const int counts[] = {1, 2, 3, MOST};
enum { COUNTS = sizeof counts / sizeof *counts };

static spmv_context *contexts[MOST];

static void open_all(void)
{
    gpu_test_open();
    for (int k = 0; k < MOST; k++)
        cr_assert_eq(spmv_context_create(&contexts[k], k % spmv_gpu_count(), 0, NULL),
                     SPMV_SUCCESS);
}

static void close_all(void)
{
    for (int k = 0; k < MOST; k++) spmv_context_destroy(contexts[k]);
    gpu_test_close();
}

TestSuite(spgemm_gpus, .init = open_all, .fini = close_all);

/* ---- Products ------------------------------------------------------------------------------- */

/* Whether the GPUs say that they made each row and each product once. */
static void check_shares(const spmv_spgemm_gpu_share *share, int count, const spmv_matrix *C,
                         const spmv_spgemm_result *result, const char *label)
{
    int64_t rows = 0, products = 0;
    double longest = 0;
    for (int k = 0; k < count; k++) {
        rows += share[k].rows;
        products += share[k].products;
        if (share[k].multiply_s > longest) longest = share[k].multiply_s;
        if (share[k].products > 0)
            cr_assert(share[k].upload_s > 0 && share[k].download_s > 0, "%s: GPU %d", label, k);
    }
    cr_assert_eq(rows, C->head.rows, "%s", label);
    cr_assert_eq(products, result->products, "%s", label);
    cr_assert_float_eq(result->seconds, longest, 1e-12, "%s", label);
}

static void check_count(int count, const spmv_matrix *A, const spmv_matrix *B,
                        const spmv_spgemm_options *o, const char *label)
{
    spmv_spgemm_gpu_share share[MOST];
    spmv_spgemm_result result;
    spmv_matrix C;
    spmv_error err = {0};
    char text[128];
    snprintf(text, sizeof text, "%s on %d GPUs", label, count);
    const spmv_status st = spmv_spgemm_gpus(&C, A, B, o, contexts, count, &result, share, &err);
    cr_assert_eq(st, SPMV_SUCCESS, "%s: %s", text, err.message);
    plan_test_expect(&C, A, B, o, text);
    check_shares(share, count, &C, &result, text);
    spmv_destroy(&C);
}

static void check(const spmv_matrix *A, const spmv_matrix *B, const spmv_spgemm_options *o,
                  const char *label)
{
    for (int i = 0; i < COUNTS; i++) check_count(counts[i], A, B, o, label);
}

Test(spgemm_gpus, squares_of_all_kinds_and_types)
{
    for (int k = 0; k < PLAN_CASES; k += 2) {
        spmv_matrix A = plan_test_make(&plan_cases[k], (spmv_type)(k % 5), (uint64_t)k);
        check_count(counts[1 + k / 2 % 3], &A, &A, NULL, plan_cases[k].kind);
        spmv_destroy(&A);
    }
}

/* With up to `most` entries in a row. */
static spmv_matrix make(spmv_type type, int64_t rows, int64_t cols, int64_t most, uint64_t seed)
{
    const double per_row = cols < most ? (double)cols : (double)most;
    const plan_case how = {"uniform", {.rows = rows, .cols = cols, .per_row = per_row}};
    spmv_matrix A = {.format = SPMV_CSR};
    if (rows > 0 && cols > 0) return plan_test_make(&how, type, seed);
    cr_assert_eq(spmv_csr_create(&A.csr, type, rows, cols, 0, NULL), SPMV_SUCCESS);
    return A;
}

/* With fewer rows than GPUs, and without any. */
Test(spgemm_gpus, random_shapes)
{
    static const int64_t rows[] = {0, 1, 2, 5, 6, 60}, inner[] = {0, 1, 40}, cols[] = {0, 3, 500};
    char label[64];
    for (int k = 0; k < 6 * 3 * 3; k++) {
        const int64_t m = rows[k % 6], n = inner[k / 6 % 3], l = cols[k / 18];
        spmv_matrix A = make((spmv_type)(k % 5), m, n, 4, (uint64_t)k);
        spmv_matrix B = make((spmv_type)(k / 5 % 5), n, l, 9, (uint64_t)k + 99);
        snprintf(label, sizeof label, "%d x %d times %d x %d", (int)m, (int)n, (int)n, (int)l);
        check(&A, &B, NULL, label);
        spmv_destroy(&A);
        spmv_destroy(&B);
    }
}

Test(spgemm_gpus, entries_are_selected_as_on_the_cpu)
{
    const plan_case square = {"rmat", {.scale = 6, .per_row = 6}};
    for (int type = 0; type < 5; type++) {
        const int count = counts[1 + type % 3];
        spmv_matrix A = plan_test_make(&square, (spmv_type)type, 3);
        spmv_matrix M = plan_test_make(&square, SPMV_PATTERN, 4);
        const struct {
            const char *name;
            spmv_spgemm_options options;
        } cases[] = {{"mask", {.mask = &M}},
                     {"top", {.top = 3}},
                     {"without zeros", {.drop_zeros = true}},
                     {"all", {.mask = &M, .top = 1, .drop_zeros = true}},
                     {"boolean", {.boolean = true}},
                     {"A^T A", {.transpose_a = true}},
                     {"A A^T", {.transpose_b = true}}};
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
            check_count(count, &A, &A, &cases[i].options, cases[i].name);
        spmv_destroy(&A);
        spmv_destroy(&M);
    }
}

/* An emulated GPU has little memory; on others each part is in one piece. */
Test(spgemm_gpus, a_part_that_does_not_fit_comes_in_pieces)
{
    const plan_case left = {"uniform", {.rows = 90, .cols = 60, .per_row = 12}};
    const plan_case right = {"uniform", {.rows = 60, .cols = 3000, .per_row = 20}};
    spmv_matrix A = plan_test_make(&left, SPMV_F64, 5), B = plan_test_make(&right, SPMV_F32, 6);
    char memory[16];
    snprintf(memory, sizeof memory, "%d", 60000 + PLAN_TEST_ADDING_UP);
    setenv("EMULATED_MEMORY", memory, 1);
    check_count(2, &A, &B, NULL, "pieces");
    check_count(3, &A, &B, &(spmv_spgemm_options){.top = 7}, "pieces of which some is kept");
    unsetenv("EMULATED_MEMORY");
    spmv_destroy(&A);
    spmv_destroy(&B);
}

/* ---- Shares --------------------------------------------------------------------------------- */

/* Row i of A meets row i of B, so that a GPU needs as many rows of B as it makes. */
Test(spgemm_gpus, a_gpu_gets_the_rows_of_b_that_it_meets)
{
    enum { N = 70 };
    const plan_case other = {"uniform", {.rows = N, .cols = 30, .per_row = 5}};
    spmv_spgemm_gpu_share share[MOST];
    spmv_matrix A = {.format = SPMV_CSR}, B = plan_test_make(&other, SPMV_F64, 1), C;
    cr_assert_eq(spmv_csr_create(&A.csr, SPMV_PATTERN, N, N, N, NULL), SPMV_SUCCESS);
    for (int i = 0; i < N; i++) {
        A.csr.col_idx[i] = i;
        A.csr.row_ptr[i + 1] = i + 1;
    }
    cr_assert_eq(spmv_spgemm_gpus(&C, &A, &B, NULL, contexts, MOST, NULL, share, NULL),
                 SPMV_SUCCESS);
    plan_test_expect(&C, &A, &B, NULL, "a diagonal of ones");
    for (int k = 0; k < MOST; k++) {
        cr_assert_eq(share[k].rows, N / MOST, "GPU %d has %lld rows", k, (long long)share[k].rows);
        cr_assert_eq(share[k].entries_of_b, 5 * N / MOST, "GPU %d", k);
    }
    spmv_destroy(&A);
    spmv_destroy(&B);
    spmv_destroy(&C);
}

/* ---- Refused -------------------------------------------------------------------------------- */

static void refuse(spmv_context *const *ctx, int count, const spmv_matrix *B,
                   const spmv_spgemm_options *o, spmv_status expected, const char *message)
{
    static const spmv_matrix empty;
    const plan_case square = {"stencil5", {.grid = 3}};
    spmv_matrix A = plan_test_make(&square, SPMV_F64, 1), C = {.format = SPMV_COO};
    spmv_error err = {0};
    const spmv_status st =
        spmv_spgemm_gpus(&C, &A, B != NULL ? B : &A, o, ctx, count, NULL, NULL, &err);
    cr_assert_eq(st, expected, "%d, not %d: %s", (int)st, (int)expected, err.message);
    cr_assert_str_eq(err.message, message);
    cr_assert_arr_eq(&C, &empty, sizeof C, "%s", message);
    spmv_destroy(&A);
}

Test(spgemm_gpus, what_is_refused)
{
    const plan_case square = {"stencil5", {.grid = 2}};
    spmv_matrix B = plan_test_make(&square, SPMV_F64, 1);
    spmv_context *cpu;
    cr_assert_eq(spmv_context_create(&cpu, SPMV_DEVICE_CPU, 0, NULL), SPMV_SUCCESS);
    spmv_context *twice[] = {contexts[0], contexts[1], contexts[0]}, *mixed[] = {contexts[0], cpu};
    refuse(twice, 3, NULL, NULL, SPMV_ERROR_INVALID_ARGUMENT,
           "contexts 0 and 2 are one, which multiplies one part");
    refuse(mixed, 2, NULL, NULL, SPMV_ERROR_NO_DEVICE, "the context is a CPU, not a GPU");
    refuse(contexts, 0, NULL, NULL, SPMV_ERROR_INVALID_ARGUMENT,
           "spmv_spgemm_gpus requires ctx != NULL && count > 0");
    refuse(contexts, 2, &B, NULL, SPMV_ERROR_INVALID_DIMENSION,
           "A has 9 columns and B 4 rows, which must be as many");
    refuse(contexts, 2, NULL, &(spmv_spgemm_options){.serial = true}, SPMV_ERROR_UNSUPPORTED,
           "the serial way is one of the CPU");
    spmv_context_destroy(cpu);
    spmv_destroy(&B);
}
