/* gpu_test.h -- what the GPU tests share: a context, matrices with given row lengths, and one
 * multiplication checked against the entry-by-entry reference.
 *
 * A program of GPU tests ends with status 77 where there is no GPU, which CTest reports as skipped.
 * Starting CUDA takes half a second per test, so that a test here covers many cases. */
#pragma once

#include "core/matrix/random_matrix_test.h"

#include <criterion/criterion.h>

/* The tests do 1 / GPU_TEST_SHARE of their work: all of it on a GPU, less where one is emulated. */
#ifndef GPU_TEST_SHARE
#define GPU_TEST_SHARE 1
#endif

extern spmv_context *gpu_context; /* of GPU 0, open while a test runs */
void gpu_test_open(void);
void gpu_test_close(void);

/* Makes a CSR matrix in which row r has length(r) entries, evenly spread over the columns. */
spmv_matrix gpu_test_rows(spmv_type type, int64_t rows, int64_t cols, int64_t (*length)(int64_t r));

spmv_dense gpu_test_vector(spmv_type type, int64_t rows, int64_t cols, uint64_t seed);
spmv_dense gpu_test_copy(const spmv_dense *x);

/* Says how to multiply. */
typedef struct gpu_test_case {
    spmv_kernel_options options;
    spmv_type vector;
    int64_t columns;
    spmv_scalar alpha, beta;
    bool on_gpu; /* hand over vectors on the GPU, and no place for the result */
    const char *label;
} gpu_test_case;

/* Multiplies A (any format; converted to the kernel's) and stops the test unless every element
 * agrees with the reference.  y is in the order of x, and holds NaN before when beta is 0.  Returns
 * y, for further checks; with data NULL when A cannot be converted (ELL with too much padding). */
spmv_dense gpu_test_multiply(const spmv_matrix *A, const spmv_dense *x, const gpu_test_case *c);
