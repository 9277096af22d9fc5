/* measure_product_test.c -- methods measured on random matrices, on the CPU or an emulated GPU; and
 * methods that fail, or make something else. */
#include "cli/bench/spgemm/measure_product.h"
#include "cli/bench/spgemm/own_methods.h"
#include "cli/bench/spgemm/product_case_test.h"
#include "core/matrix/random_matrix_test.h"

#include <stdlib.h>
#include <string.h>

#ifndef BENCH_TEST_DEVICE
#define BENCH_TEST_DEVICE SPMV_DEVICE_CPU
#endif
/* Emulation is slow. */
enum { GPU = BENCH_TEST_DEVICE != SPMV_DEVICE_CPU, CASES = GPU ? 8 : 40, CELLS = 20000 };

static bench_options opt;
static product_measurement out;

static void start(void)
{
    product_test_start(&opt);
    setenv("EMULATED_TAKES", "1", 1);
    setenv("EMULATED_GPUS", "3", 1);
}

TestSuite(measure_product, .init = start);

static bench_candidate candidate_of(const spmv_spgemm_method *method)
{
    return (bench_candidate){.name = method->name,
                             .method = method,
                             .gpus = method->joint ? 3 : 0,
                             .device = method->gpu ? BENCH_TEST_DEVICE : SPMV_DEVICE_CPU};
}

/* By the plainest sums: the pairs of entries of A and of A, or A^T, that meet. */
static int64_t products_of(const spmv_csr *A)
{
    int64_t n = 0;
    for (int64_t k = 0; k < A->nnz; k++)
        for (int64_t j = 0; j < A->nnz; j++) {
            int64_t row = 0;
            while (A->row_ptr[row + 1] <= j) row++;
            n += A->rows == A->cols ? row == A->col_idx[k] : A->col_idx[j] == A->col_idx[k];
        }
    return n;
}

Test(measure_product, ours_are_equal_bit_by_bit)
{
    static const spmv_type types[] = {SPMV_F64, SPMV_F32, SPMV_PATTERN, SPMV_C64, SPMV_C128};
    for (int k = 0; k < CASES; k++) {
        test_sample s = test_sample_make(k, types[k % 5], CELLS);
        const int64_t nnz = s.A.head.nnz;
        const int64_t products = nnz < 500 ? products_of(&s.A.csr) : -1;
        bench_matrix m = product_test_matrix(&opt, s.A, s.label);
        bench_product p = {0};
        for (const spmv_spgemm_method *method = bench_own_methods; method->name != NULL; method++) {
            const bench_candidate c = candidate_of(method);
            spmv_error err;
            if (method->gpu && !GPU) continue;
            cr_assert_eq(bench_measure_product(&out, &p, &m, &c, &err), SPMV_SUCCESS, "%s, %s: %s",
                         s.label, c.name, err.message);
            cr_assert(out.verified && out.check.verification.pass && out.check.equal_bits, "%s, %s",
                      s.label, c.name);
            cr_assert_eq(out.nnz, p.expected.head.nnz, "%s, %s", s.label, c.name);
            cr_assert_eq(out.times.count, 2, "%s, %s", s.label, c.name);
            const int64_t least = out.nnz * (4 + (int64_t)spmv_type_size(m.precision));
            cr_assert(method->gpu && !method->joint ? out.memory_bytes >= least
                                                    : out.memory_bytes == -1,
                      "%s, %s", s.label, c.name);
            cr_assert_eq(method->joint, strncmp(out.device.name, "3 x ", 4) == 0, "%s, %s: %s",
                         s.label, c.name, out.device.name);
            if (products >= 0) cr_assert_eq(p.products, products, "%s", s.label);
        }
        bench_product_destroy(&p);
        bench_matrix_destroy(&m);
    }
}

/* ---- Methods that are not what they should be ------------------------------------------------ */

static int calls, fail_at, spoil_at; /* of multiply, counted from 1; 0: never */

static spmv_status multiply_badly(void *data, spmv_error *err)
{
    if (++calls == fail_at) {
        snprintf(err->message, sizeof err->message, "made to fail");
        return SPMV_ERROR_CUDA_MALLOC;
    }
    return bench_own_method("spgemm-serial")->multiply(data, err);
}

static spmv_status fetch_badly(void *data, spmv_matrix *C, spmv_error *err)
{
    const spmv_status st = bench_own_method("spgemm-serial")->fetch(data, C, err);
    if (calls >= spoil_at && spoil_at > 0) *(double *)C->csr.val *= 2;
    return st;
}

/* Measures a method that is the serial one but for these two functions. */
static spmv_status measure_badly(const char *name, int fails, int spoils, spmv_error *err)
{
    spmv_spgemm_method bad = *bench_own_method("spgemm-serial");
    test_sample s = test_sample_make(4, SPMV_F64, CELLS);
    bench_matrix m = product_test_matrix(&opt, s.A, s.label);
    bench_product p = {0};
    bad.name = name;
    bad.multiply = multiply_badly;
    bad.fetch = fetch_badly;
    calls = 0;
    fail_at = fails;
    spoil_at = spoils;
    const bench_candidate c = candidate_of(&bad);
    const spmv_status st = bench_measure_product(&out, &p, &m, &c, err);
    bench_product_destroy(&p);
    bench_matrix_destroy(&m);
    return st;
}

Test(measure_product, a_failure_is_told_whenever_it_comes)
{
    for (int at = 1; at <= 3; at++) {
        spmv_error err = {0};
        cr_assert_eq(measure_badly("library:bad", at, 0, &err), SPMV_ERROR_CUDA_MALLOC);
        cr_assert_str_eq(err.message, "made to fail");
    }
}

Test(measure_product, a_product_that_is_wrong_is_found_first_and_last)
{
    static const char *const names[] = {"spgemm-bad", "library:bad"};
    spmv_error err;
    for (int k = 0; k < 2; k++) {
        cr_assert_eq(measure_badly(names[k], 0, 1, &err), SPMV_SUCCESS);
        cr_assert(out.verified && !out.check.verification.pass && !out.check.equal_bits);
        cr_assert_eq(out.check.verification.wrong, 1);
        cr_assert_str_eq(out.checked, "first");
        cr_assert_eq(measure_badly(names[k], 0, 2, &err), SPMV_SUCCESS);
        cr_assert(out.verified && !out.check.verification.pass && !out.check.equal_bits);
        cr_assert_str_eq(out.checked, "last");
    }
}

Test(measure_product, nothing_is_compared_where_nothing_is_to_be_verified)
{
    spmv_error err;
    opt.no_verify = true;
    cr_assert_eq(measure_badly("library:bad", 0, 1, &err), SPMV_SUCCESS);
    cr_assert_not(out.verified);
    cr_assert_gt(out.nnz, 0);
}

/* A matrix whose time is over is left as soon as there is one sample. */
Test(measure_product, the_deadline_ends_it)
{
    const bench_candidate c = candidate_of(bench_own_method("spgemm-cpu"));
    test_sample s = test_sample_make(3, SPMV_F64, CELLS);
    bench_matrix m = product_test_matrix(&opt, s.A, s.label);
    bench_product p = {0};
    m.deadline = 0;
    opt.min_samples = 100;
    opt.min_time = 1e9;
    opt.warmup = 1000000;
    cr_assert_eq(bench_measure_product(&out, &p, &m, &c, NULL), SPMV_SUCCESS);
    cr_assert_eq(out.times.count, 1);
    bench_product_destroy(&p);
    bench_matrix_destroy(&m);
}
