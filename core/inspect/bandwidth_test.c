/* bandwidth_test.c -- bytes and rates of one multiplication; what this CPU is. */
#include "core/base/random.h"
#include "core/matrix/format.h"
#include "core/multiply/cpu.h"
#include "core/matrix/random_matrix_test.h"

#include <criterion/criterion.h>

static const double example[] = {1, 0, 2, 0, 0, 3, 4, 0, 0, 0, 0, 5};
static const double complex[] = {1, 1, 0, 0, 2, 0, 0, 0, 0, 0, 3, 0,
                                 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5};

/* Useful: 5 entries, 4 offsets of 4 bytes, 4 + 3 vector elements, whatever the format.
 * Moved: the arrays of the format and the vectors.  Operations: of real numbers. */
Test(bandwidth, worked_example)
{
    static const struct {
        spmv_format format;
        spmv_type type, vector_type;
        int64_t vectors;
        double useful, moved, flops;
    } cases[] = {
        {SPMV_CSR, SPMV_F64, SPMV_F64, 1, 5 * 12 + 16 + 56, 5 * 12 + 32 + 56, 10},
        {SPMV_CSR, SPMV_F32, SPMV_F32, 1, 5 * 8 + 16 + 28, 5 * 8 + 32 + 28, 10},
        {SPMV_CSR, SPMV_PATTERN, SPMV_F32, 1, 5 * 4 + 16 + 28, 5 * 4 + 32 + 28, 10},
        {SPMV_ELL, SPMV_F64, SPMV_F64, 1, 5 * 12 + 16 + 56, 6 * 12 + 56, 10},
        {SPMV_COO, SPMV_F64, SPMV_F64, 1, 5 * 12 + 16 + 56, 5 * 24 + 56, 10},
        {SPMV_CSR, SPMV_C64, SPMV_C64, 1, 5 * 12 + 16 + 56, 5 * 12 + 32 + 56, 40},
        {SPMV_CSR, SPMV_C128, SPMV_C128, 1, 5 * 20 + 16 + 112, 5 * 20 + 32 + 112, 40},
        {SPMV_CSR, SPMV_F64, SPMV_C128, 1, 5 * 12 + 16 + 112, 5 * 12 + 32 + 112, 20},
        {SPMV_CSR, SPMV_PATTERN, SPMV_C64, 1, 5 * 4 + 16 + 56, 5 * 4 + 32 + 56, 20},
        {SPMV_CSR, SPMV_F64, SPMV_F64, 3, 5 * 12 + 16 + 168, 5 * 12 + 32 + 168, 30},
        {SPMV_CSR, SPMV_F64, SPMV_F64, 0, 5 * 12 + 16, 5 * 12 + 32, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        spmv_matrix A;
        spmv_bandwidth b;
        cr_assert_eq(spmv_from_dense(&A, cases[i].format, cases[i].type, 3, 4,
                                     spmv_type_is_complex(cases[i].type) ? complex : example, NULL),
                     SPMV_SUCCESS);
        cr_assert_eq(
            spmv_bandwidth_compute(&A, cases[i].vector_type, cases[i].vectors, 0.5, 1000, &b, NULL),
            SPMV_SUCCESS);
        cr_assert_eq(b.useful_bytes, cases[i].useful, "case %zu", i);
        cr_assert_eq(b.moved_bytes, cases[i].moved, "case %zu", i);
        cr_assert_eq(b.achieved, cases[i].useful / 0.5);
        cr_assert_eq(b.theoretical, 1000);
        cr_assert_eq(b.efficiency, cases[i].useful / 0.5 / 1000);
        cr_assert_float_eq(b.flops_per_second, cases[i].flops / 0.5, 1e-11, "case %zu", i);
        spmv_destroy(&A);
    }
}

/* More nonzeros than 32 bits count take offsets of 8 bytes. */
Test(bandwidth, offsets_grow_with_the_matrix)
{
    spmv_matrix A = spmv__blank(SPMV_CSR, SPMV_PATTERN, SPMV_GENERAL, 9, 1, INT32_MAX);
    spmv_bandwidth b;
    cr_assert_eq(spmv_bandwidth_compute(&A, SPMV_F32, 1, 1, 1, &b, NULL), SPMV_SUCCESS);
    cr_assert_eq(b.useful_bytes, 4.0 * INT32_MAX + 10 * 4 + 10 * 4);
    A.head.nnz++;
    cr_assert_eq(spmv_bandwidth_compute(&A, SPMV_F32, 1, 1, 1, &b, NULL), SPMV_SUCCESS);
    cr_assert_eq(b.useful_bytes, 4.0 * INT32_MAX + 4 + 10 * 8 + 10 * 4);
}

Test(bandwidth, times_and_rates_must_be_positive)
{
    spmv_matrix A;
    spmv_bandwidth b;
    cr_assert_eq(spmv_from_dense(&A, SPMV_CSR, SPMV_F64, 3, 4, example, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_bandwidth_compute(&A, SPMV_F64, -1, 1, 1, &b, NULL),
                 SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_bandwidth_compute(&A, SPMV_F64, 1, 0, 1, &b, NULL),
                 SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_bandwidth_compute(&A, SPMV_F64, 1, -1, 1, &b, NULL),
                 SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_bandwidth_compute(&A, SPMV_F64, 1, 1, 0, &b, NULL),
                 SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_bandwidth_compute(&A, SPMV_PATTERN, 1, 1, 1, &b, NULL),
                 SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_bandwidth_compute(&A, SPMV_TYPES, 1, 1, 1, &b, NULL),
                 SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_bandwidth_compute(NULL, SPMV_F64, 1, 1, 1, &b, NULL),
                 SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_bandwidth_compute(&A, SPMV_F64, 1, 1, 1, NULL, NULL),
                 SPMV_ERROR_INVALID_ARGUMENT);
    spmv_destroy(&A);
}

Test(bandwidth, metrics_are_valid)
{
    for (int k = 0; k < TEST_CASES; k++) {
        test_sample s = test_sample_make(k, k % 2 ? SPMV_F32 : SPMV_F64, 0);
        const double seconds = 1e-6 * (1 + spmv__uniform(3, (uint64_t)k));
        const double theoretical = 1e9 * (1 + 4000 * spmv__uniform(4, (uint64_t)k));
        spmv_bandwidth b;
        cr_assert_eq(spmv_bandwidth_compute(&s.A, s.A.head.type, 1, seconds, theoretical, &b, NULL),
                     SPMV_SUCCESS);
        cr_assert_geq(b.achieved, 0, "%s", s.label);
        cr_assert_gt(b.theoretical, 0, "%s", s.label);
        cr_assert_eq(b.efficiency, b.achieved / b.theoretical, "%s", s.label);
        cr_assert_geq(b.moved_bytes, b.useful_bytes, "%s", s.label);
        cr_assert_float_eq(b.flops_per_second * seconds, 2.0 * (double)s.A.head.nnz,
                           1e-6 * (double)s.A.head.nnz, "%s", s.label);
        spmv_destroy(&s.A);
    }
}

Test(cpu, describes_itself_the_same_way_every_time)
{
    spmv_device_info first, second;
    spmv__cpu_describe(&first);
    spmv__cpu_describe(&second);
    cr_assert_eq(first.device, SPMV_DEVICE_CPU);
    cr_assert_gt(strlen(first.name), 0);
    cr_assert_gt(first.memory, 1 << 20);
    cr_assert_gt(first.multiprocessors, 0);
    cr_assert(first.bandwidth > 1e7 && first.bandwidth < 1e14, "%g bytes/s", first.bandwidth);
    cr_assert_eq(first.bandwidth, second.bandwidth);
}
