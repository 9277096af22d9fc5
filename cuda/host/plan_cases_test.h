/* plan_cases_test.h -- what the tests of plans on the CPU and on the GPU share. */
#pragma once

#include "core/base/base.h"

/* A way to make a matrix, and its shape where the kind lets one choose. */
typedef struct plan_case {
    const char *kind;
    spmv_generate_options how;
} plan_case;

/* Kinds whose rows go all the ways that there are. */
enum { PLAN_CASES = 12 };
extern const plan_case plan_cases[PLAN_CASES];

/* Bytes that adding up gets before it is known how many it takes, unless each array is allocated
 * apart. */
#ifdef __SANITIZE_ADDRESS__
enum { PLAN_TEST_ADDING_UP = 0 };
#else
enum { PLAN_TEST_ADDING_UP = 1 << 18 };
#endif

/* Makes a matrix of this type with random values. */
spmv_matrix plan_test_make(const plan_case *how, spmv_type type, uint64_t seed);

/* Overwrites the values of a matrix in CSR or CSC; in eight one is 0, of either sign. */
void plan_test_fill(spmv_matrix *A, uint64_t seed);

/* Makes one number in ten infinite, and one in ten 0, be it a part of a complex one. */
void plan_test_make_some_infinite(spmv_matrix *A, uint64_t seed);

/* Stops the test unless C is what spmv_spgemm makes of A and B; all NaN get the same bits. */
void plan_test_expect(spmv_matrix *C, const spmv_matrix *A, const spmv_matrix *B,
                      const spmv_spgemm_options *o, const char *label);

/* Plans once, for matrices with infinite numbers, of every kind in which a real type meets a
 * complex one, or two complex ones meet. */
void plan_test_infinite_numbers(spmv_context *ctx, int step);

/* Calls each() with matrices of one shape that share arrays, in CSR: B has values of its own, and
 * columns of its own, too, or one column more than A. */
void plan_test_shared_arrays(void (*each)(spmv_matrix *A, spmv_matrix *B, const char *label));

/* Plans, and multiplies with new values of A and B, of B alone, of neither; leaves A and B with new
 * values. */
void plan_test_check(spmv_context *ctx, spmv_matrix *A, spmv_matrix *B,
                     const spmv_spgemm_options *o, const char *label);
