/* gpu_failing_memory_test.c -- when allocation number k on the GPU fails, for every k, a product or
 * its plan says how much it wanted, gives back what it had, leaves nothing in its output, and can
 * be had from the same context afterwards. */
#include "cuda/emulated/emulated_memory.h"
#include "cuda/host/plan_cases_test.h"
#include "cuda/spgemm/product_limits.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* Makes C, whatever else it makes is released. */
typedef spmv_status operation(spmv_matrix *C, spmv_context *ctx, const spmv_matrix *A,
                              const spmv_matrix *B, spmv_error *err);

static spmv_status from_the_host(spmv_matrix *C, spmv_context *ctx, const spmv_matrix *A,
                                 const spmv_matrix *B, spmv_error *err)
{
    return spmv_spgemm_gpu(C, A, B, NULL, ctx, NULL, err);
}

/* Everything is kept: the selection is not what is tested. */
static spmv_status selected(spmv_matrix *C, spmv_context *ctx, const spmv_matrix *A,
                            const spmv_matrix *B, spmv_error *err)
{
    return spmv_spgemm_gpu(C, A, B, &(spmv_spgemm_options){.top = INT64_MAX}, ctx, NULL, err);
}

static spmv_status on_the_gpu(spmv_matrix *C, spmv_context *ctx, const spmv_matrix *A,
                              const spmv_matrix *B, spmv_error *err)
{
    spmv_gpu_matrix *a = NULL, *b = NULL, *c = NULL;
    spmv_status st;
    SPMV__TRY(spmv_to_gpu(&a, ctx, A, err));
    SPMV__TRY(spmv_to_gpu(&b, ctx, B, err));
    SPMV__TRY(spmv_spgemm_on_gpu(&c, ctx, a, b, NULL, NULL, err));
    st = spmv_from_gpu(C, ctx, c, err);
done:
    spmv_gpu_matrix_destroy(a);
    spmv_gpu_matrix_destroy(b);
    spmv_gpu_matrix_destroy(c);
    return st;
}

static spmv_status planned_from_the_host(spmv_matrix *C, spmv_context *ctx, const spmv_matrix *A,
                                         const spmv_matrix *B, spmv_error *err)
{
    spmv_spgemm_plan *plan = NULL;
    spmv_status st;
    SPMV__TRY(spmv_spgemm_plan_create(&plan, ctx, A, B, NULL, err));
    st = spmv_spgemm_plan_product(plan, C, err);
done:
    spmv_spgemm_plan_destroy(plan);
    return st;
}

static spmv_status planned_on_the_gpu(spmv_matrix *C, spmv_context *ctx, const spmv_matrix *A,
                                      const spmv_matrix *B, spmv_error *err)
{
    spmv_gpu_matrix *a = NULL, *b = NULL, *c = NULL;
    spmv_spgemm_plan *plan = NULL;
    spmv_status st;
    SPMV__TRY(spmv_to_gpu(&a, ctx, A, err));
    SPMV__TRY(spmv_to_gpu(&b, ctx, B, err));
    SPMV__TRY(spmv_spgemm_plan_create_on_gpu(&plan, ctx, a, b, NULL, err));
    SPMV__TRY(spmv_spgemm_plan_product_on_gpu(plan, &c, err));
    SPMV__TRY(spmv_spgemm_plan_multiply_on_gpu(plan, c, NULL, err));
    st = spmv_from_gpu(C, ctx, c, err);
done:
    spmv_spgemm_plan_destroy(plan);
    spmv_gpu_matrix_destroy(a);
    spmv_gpu_matrix_destroy(b);
    spmv_gpu_matrix_destroy(c);
    return st;
}

static const struct {
    const char *name;
    operation *run;
} operations[] = {{"from the host", from_the_host},
                  {"selected", selected},
                  {"on the GPU", on_the_gpu},
                  {"planned from the host", planned_from_the_host},
                  {"planned on the GPU", planned_on_the_gpu}};
enum { OPERATIONS = sizeof operations / sizeof operations[0] };

/* Whether a message says how much was wanted, and for what. */
static bool tells_size(const char *message)
{
    double size = 0;
    int read = 0;
    return sscanf(message, "cannot allocate %lf %*s on the GPU for %n", &size, &read) == 1 &&
           size > 0 && read > 0 && message[read] != '\0';
}

/* What only some rows need. */
static const char *const needs[] = {"for sums of long rows", "GPU for long rows"};
enum { NEEDS = sizeof needs / sizeof needs[0] };

/* Runs with allocation number k failing, and once more.  Returns whether there was one. */
static bool fail_at(long k, int i, const spmv_matrix *A, const spmv_matrix *B, bool seen[NEEDS])
{
    static const spmv_matrix empty;
    const char *name = operations[i].name;
    const long before = emulated_live;
    spmv_context *ctx;
    spmv_matrix C = {.format = SPMV_COO};
    spmv_error err = {.message = ""};
    cr_assert_eq(spmv_context_create(&ctx, 0, 0, NULL), SPMV_SUCCESS);
    emulated_until_failure = k;
    spmv_status st = operations[i].run(&C, ctx, A, B, &err);
    const bool failed = emulated_until_failure < 0;
    emulated_until_failure = -1;
    if (failed) {
        cr_assert_eq(st, SPMV_ERROR_CUDA_MALLOC, "%s, allocation %ld: status %d", name, k, (int)st);
        cr_assert(tells_size(err.message), "%s, allocation %ld: %s", name, k, err.message);
        cr_assert_arr_eq(&C, &empty, sizeof C, "%s, allocation %ld: output", name, k);
        for (int n = 0; n < NEEDS; n++) seen[n] |= strstr(err.message, needs[n]) != NULL;
        st = operations[i].run(&C, ctx, A, B, &err);
    }
    cr_assert_eq(st, SPMV_SUCCESS, "%s after allocation %ld: %s", name, k, err.message);
    plan_test_expect(&C, A, B, NULL, name);
    spmv_destroy(&C);
    spmv_context_destroy(ctx);
    cr_assert_eq(emulated_live, before, "%s, allocation %ld: %ld not released", name, k,
                 emulated_live - before);
    return failed;
}

/* Rows that are short, twins of many products, and longer than shared memory. */
static const plan_case left[] = {{"stencil5", {.grid = 6}},
                                 {"dense", {.rows = 40}},
                                 {"uniform", {.rows = 2, .cols = 30, .per_row = 25}}},
                       right[] = {{"stencil5", {.grid = 6}},
                                  {"dense", {.rows = 40}},
                                  {"uniform", {.rows = 30, .cols = 40000, .per_row = 400}}};

Test(gpu_failing_memory, every_allocation_may_fail)
{
    const spmv__product_limits limits[] = {{0, INT64_MAX, INT32_MAX, 0},
                                           {INT64_MAX, 1, INT32_MAX, INT32_MAX}};
    bool seen[NEEDS] = {false};
    for (size_t m = 0; m < 2 * sizeof left / sizeof left[0]; m++) {
        spmv_matrix A = plan_test_make(&left[m / 2], SPMV_F64, 1);
        spmv_matrix B = plan_test_make(&right[m / 2], SPMV_F64, 2);
        spmv__product_limits_now = limits[m % 2];
        for (int i = 0; i < OPERATIONS; i++) {
            long k = 0;
            while (fail_at(k, i, &A, &B, seen)) k++;
            cr_assert_geq(k, 6, "%s allocates %ld times", operations[i].name, k);
        }
        spmv_destroy(&A);
        spmv_destroy(&B);
    }
    for (int n = 0; n < NEEDS; n++) cr_assert(seen[n], "nothing is allocated %s", needs[n]);
}

/* Stops the test unless allocation k is said to have failed, and for what it was. */
static void expect_no_memory(spmv_status st, const spmv_error *err, long k)
{
    cr_assert_eq(st, SPMV_ERROR_CUDA_MALLOC, "allocation %ld: status %d", k, (int)st);
    cr_assert_not_null(strstr(err->message, "on the GPU for"), "allocation %ld: %s", k,
                       err->message);
}

/* A stencil, which CSELL lays out once, and rows of all lengths, which it lays out twice. */
static const plan_case converted[] = {{"stencil5", {.grid = 6}},
                                      {"powerlaw", {.rows = 300, .per_row = 4, .max_row = 40}}};
enum { CONVERTED = sizeof converted / sizeof converted[0] };

Test(gpu_failing_memory, every_allocation_of_a_conversion_may_fail)
{
    for (int m = 0; m < CONVERTED; m++) {
        spmv_matrix A = plan_test_make(&converted[m], SPMV_F64, 1);
        spmv_status st = SPMV_ERROR_CUDA_MALLOC;
        spmv_context *ctx;
        spmv_gpu_matrix *csr, *csell;
        long k = 0;
        cr_assert_eq(spmv_context_create(&ctx, 0, 0, NULL), SPMV_SUCCESS);
        cr_assert_eq(spmv_to_gpu(&csr, ctx, &A, NULL), SPMV_SUCCESS);
        for (; st != SPMV_SUCCESS; k++) {
            const long before = emulated_live;
            spmv_error err = {.message = ""};
            emulated_until_failure = k;
            st = spmv_gpu_convert(&csell, ctx, csr, SPMV_CSELL, &err);
            emulated_until_failure = -1;
            if (st != SPMV_SUCCESS) expect_no_memory(st, &err, k);
            spmv_gpu_matrix_destroy(csell);
            cr_assert_eq(emulated_live, before, "allocation %ld: %ld not released", k,
                         emulated_live - before);
        }
        cr_assert_geq(k, 6, "%ld allocations", k);
        spmv_gpu_matrix_destroy(csr);
        spmv_context_destroy(ctx);
        spmv_destroy(&A);
    }
}

/* Where CSR and CSELL do not fit together, the host converts, and the operator is there. */
Test(gpu_failing_memory, the_host_converts_what_the_gpu_has_no_memory_for)
{
    const spmv_kernel_options config = {.kernel = "csell", .vector_type = SPMV_F64};
    for (int m = 0; m < CONVERTED; m++) {
        spmv_matrix A = plan_test_make(&converted[m], SPMV_F64, 1), B;
        spmv_context *ctx;
        bool failed = true;
        cr_assert_eq(spmv_context_create(&ctx, 0, 0, NULL), SPMV_SUCCESS);
        cr_assert_eq(spmv_convert(&B, &A, SPMV_CSELL, NULL, NULL), SPMV_SUCCESS);
        for (long k = 0; failed; k++) {
            const long before = emulated_live;
            spmv_operator *op;
            spmv_error err = {.message = ""};
            emulated_until_failure = k;
            const spmv_status st = spmv_operator_create(&op, ctx, &A, &config, &err);
            failed = emulated_until_failure < 0;
            emulated_until_failure = -1;
            cr_assert_eq(st, SPMV_SUCCESS, "allocation %ld: %s", k, err.message);
            cr_assert_eq(spmv_operator_bytes(op), (int64_t)spmv_memory_bytes(&B));
            spmv_operator_destroy(op);
            cr_assert_eq(emulated_live, before, "allocation %ld: %ld not released", k,
                         emulated_live - before);
        }
        spmv_context_destroy(ctx);
        spmv_destroy(&A);
        spmv_destroy(&B);
    }
}

/* Plans of kernels for CSR, each array of which is an allocation of its own here. */
Test(gpu_failing_memory, every_allocation_of_a_plan_may_fail)
{
    static const char *const planners[] = {"csr-merge",  "csr-panels", "csr-groups",
                                           "csr-staged", "csr-split",  "csr-sweep"};
    for (size_t i = 0; i < sizeof planners / sizeof planners[0]; i++) {
        const spmv_kernel_options config = {.kernel = planners[i], .vector_type = SPMV_F64};
        spmv_matrix A = plan_test_make(&left[0], SPMV_F64, 1);
        spmv_status st = SPMV_ERROR_CUDA_MALLOC;
        spmv_context *ctx;
        long k = 0;
        cr_assert_eq(spmv_context_create(&ctx, 0, 0, NULL), SPMV_SUCCESS);
        for (; st != SPMV_SUCCESS; k++) {
            const long before = emulated_live;
            spmv_operator *op;
            spmv_error err = {.message = ""};
            emulated_until_failure = k;
            st = spmv_operator_create(&op, ctx, &A, &config, &err);
            emulated_until_failure = -1;
            if (st != SPMV_SUCCESS) expect_no_memory(st, &err, k);
            spmv_operator_destroy(op);
            cr_assert_eq(emulated_live, before, "%s, allocation %ld: %ld not released",
                         config.kernel, k, emulated_live - before);
        }
        cr_assert_geq(k, 5, "%s: %ld allocations", config.kernel, k);
        spmv_context_destroy(ctx);
        spmv_destroy(&A);
    }
}

/* The same of a rank, here of one that has no others, whose x goes by a route. */
static void starve_rank(spmv_route route)
{
    const spmv_kernel_options config = {.kernel = "csr-merge", .vector_type = SPMV_F64};
    spmv_matrix A = plan_test_make(&left[0], SPMV_F64, 1);
    spmv_status st = SPMV_ERROR_CUDA_MALLOC;
    spmv_comm *comm;
    long k = 0;
    cr_assert_eq(spmv_comm_alone(&comm, NULL), SPMV_SUCCESS);
    for (; st != SPMV_SUCCESS; k++) {
        const long before = emulated_live;
        spmv_part part;
        spmv_gpus *gpus;
        spmv_error err = {.message = ""};
        cr_assert_eq(spmv_part_spread(&part, comm, &A, SPMV_PARTITION_NNZ, NULL), SPMV_SUCCESS);
        emulated_until_failure = k;
        st = spmv_gpus_create_on_rank(&gpus, comm, 0, &part, &config, route, &err);
        emulated_until_failure = -1;
        if (st != SPMV_SUCCESS) expect_no_memory(st, &err, k);
        spmv_gpus_destroy(gpus);
        spmv_part_destroy(&part);
        cr_assert_eq(emulated_live, before, "allocation %ld: %ld not released", k,
                     emulated_live - before);
    }
    cr_assert_geq(k, 6, "%ld allocations", k);
    spmv_comm_close(comm);
    spmv_destroy(&A);
}

Test(gpu_failing_memory, every_allocation_of_a_rank_may_fail)
{
    starve_rank(SPMV_ROUTE_HOST);
    starve_rank(SPMV_ROUTE_DEVICE);
}

/* What one of several GPUs has no memory for, none of them keeps. */
Test(gpu_failing_memory, every_allocation_of_several_gpus_may_fail)
{
    const int device[] = {0, 0, 0};
    const spmv_kernel_options config = {.kernel = "csr-merge", .vector_type = SPMV_F64};
    spmv_matrix A = plan_test_make(&left[0], SPMV_F64, 1);
    spmv_status st = SPMV_ERROR_CUDA_MALLOC;
    long k = 0;
    for (; st != SPMV_SUCCESS; k++) {
        const long before = emulated_live;
        spmv_gpus *gpus;
        spmv_error err = {.message = ""};
        emulated_until_failure = k;
        st = spmv_gpus_create(&gpus, device, 3, &A.csr, SPMV_PARTITION_NNZ, &config, &err);
        emulated_until_failure = -1;
        if (st != SPMV_SUCCESS) expect_no_memory(st, &err, k);
        spmv_gpus_destroy(gpus);
        cr_assert_eq(emulated_live, before, "allocation %ld: %ld not released", k,
                     emulated_live - before);
    }
    cr_assert_geq(k, 3 * 5, "%ld allocations", k);
    spmv_destroy(&A);
}

/* The same of a product that several GPUs make. */
Test(gpu_failing_memory, every_allocation_of_a_product_of_several_gpus_may_fail)
{
    static const spmv_matrix empty;
    spmv_matrix A = plan_test_make(&left[0], SPMV_F64, 1), C;
    spmv_status st = SPMV_ERROR_CUDA_MALLOC;
    long k = 0;
    for (; st != SPMV_SUCCESS; k++) {
        const long before = emulated_live;
        spmv_context *ctx[3];
        spmv_error err = {.message = ""};
        for (int i = 0; i < 3; i++)
            cr_assert_eq(spmv_context_create(&ctx[i], 0, 0, NULL), SPMV_SUCCESS);
        emulated_until_failure = k;
        st = spmv_spgemm_gpus(&C, &A, &A, NULL, ctx, 3, NULL, NULL, &err);
        emulated_until_failure = -1;
        if (st != SPMV_SUCCESS) {
            expect_no_memory(st, &err, k);
            cr_assert_arr_eq(&C, &empty, sizeof C, "allocation %ld: output", k);
        }
        for (int i = 0; i < 3; i++) spmv_context_destroy(ctx[i]);
        cr_assert_eq(emulated_live, before, "allocation %ld: %ld not released", k,
                     emulated_live - before);
    }
    plan_test_expect(&C, &A, &A, NULL, "once memory suffices");
    cr_assert_geq(k, 3 * 6, "%ld allocations", k);
    spmv_destroy(&A);
    spmv_destroy(&C);
}
