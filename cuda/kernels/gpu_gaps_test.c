/* gpu_gaps_test.c -- vectors by columns with a leading dimension, on the GPU and on their way
 * there. */
#include "cuda/kernels/gpu_test.h"

#include <math.h>

TestSuite(gpu_gaps, .init = gpu_test_open, .fini = gpu_test_close);

enum { GAP = 3, VECTORS = 4 };

static int64_t some(int64_t r)
{
    return r % 9;
}

/* Memory of `whole`, a single vector, as several with gaps. */
static spmv_dense columns_of(const spmv_dense *whole, int64_t rows)
{
    spmv_dense v = *whole;
    v.rows = rows;
    v.cols = VECTORS;
    v.ld = rows + GAP;
    return v;
}

/* NaN in the gaps, and numbers between them. */
static spmv_dense spread(int64_t rows, uint64_t seed)
{
    spmv_dense whole = gpu_test_vector(SPMV_F64, VECTORS * (rows + GAP), 1, seed);
    const spmv_dense v = columns_of(&whole, rows);
    for (int64_t i = 0; i < whole.rows; i++) ((double *)whole.data)[i] = NAN;
    for (int64_t c = 0; c < VECTORS; c++)
        for (int64_t r = 0; r < rows; r++)
            ((double *)whole.data)[spmv_dense_index(&v, r, c)] = (double)((r * 7 + c * 3) % 11) - 5;
    return whole;
}

/* y is 2 A x + y0, and its gaps are what they were. */
static void compare(const spmv_matrix *A, const spmv_dense *x, const spmv_dense *y0,
                    const spmv_dense *y, const char *label)
{
    const spmv_dense a = columns_of(x, A->head.cols), b = columns_of(y0, A->head.rows);
    const spmv_dense c = columns_of(y, A->head.rows);
    spmv_verification v;
    int64_t numbers = 0;
    cr_assert_eq(spmv_verify(A, 2, &a, 1, &b, &c, &v, NULL), SPMV_SUCCESS);
    cr_assert(v.pass, "%s: row %lld", label, (long long)v.worst_row);
    for (int64_t i = 0; i < y->rows; i++) numbers += !isnan(((double *)y->data)[i]);
    cr_assert_eq(numbers, A->head.rows * VECTORS, "%s: gaps were written to", label);
}

Test(gpu_gaps, columns_on_the_host_and_on_the_gpu)
{
    static const char *const kernels[] = {"csr-scalar", "csr-merge", "csr-groups"};
    for (int k = 0; k < 3; k++)
        for (int empty = 0; empty < 2; empty++) {
            spmv_matrix A = gpu_test_rows(SPMV_F64, 70, 50, some);
            if (empty) memset(A.csr.row_ptr, 0, 71 * sizeof *A.csr.row_ptr), A.csr.nnz = 0;
            const spmv_kernel_options options = {.kernel = kernels[k]};
            spmv_dense x = spread(50, 1), y0 = spread(70, 2), y = spread(70, 2);
            spmv_dense x_there, y_there, back, a = columns_of(&x, 50), b = columns_of(&y, 70);
            spmv_operator *op;
            cr_assert_eq(spmv_operator_create(&op, gpu_context, &A, &options, NULL), SPMV_SUCCESS);
            cr_assert_eq(spmv_apply(op, 2, &a, 1, &b, NULL, NULL), SPMV_SUCCESS);
            compare(&A, &x, &y0, &y, "on the host");

            cr_assert_eq(spmv_dense_to_gpu(&x_there, gpu_context, &x, NULL), SPMV_SUCCESS);
            cr_assert_eq(spmv_dense_to_gpu(&y_there, gpu_context, &y0, NULL), SPMV_SUCCESS);
            a = columns_of(&x_there, 50), b = columns_of(&y_there, 70);
            cr_assert_eq(spmv_apply(op, 2, &a, 1, &b, NULL, NULL), SPMV_SUCCESS);
            cr_assert_eq(spmv_dense_from_gpu(&back, gpu_context, &y_there, NULL), SPMV_SUCCESS);
            compare(&A, &x, &y0, &back, "on the GPU");

            spmv_dense *const all[] = {&x, &y0, &y, &x_there, &y_there, &back};
            for (int i = 0; i < 6; i++) spmv_dense_destroy(all[i]);
            spmv_operator_destroy(op);
            spmv_destroy(&A);
        }
}

Test(gpu_gaps, what_has_gaps_is_refused_elsewhere)
{
    spmv_matrix A = gpu_test_rows(SPMV_F64, 50, 50, some);
    const spmv_kernel_options options = {.kernel = "csr-merge"};
    spmv_dense x = spread(80, 1), y = spread(80, 2), out; /* room for rows with gaps, too */
    spmv_dense a = columns_of(&x, 50), b = columns_of(&y, 50);
    spmv_operator *op;
    spmv_error err;
    cr_assert_eq(spmv_operator_create(&op, gpu_context, &A, &options, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_dense_to_gpu(&out, gpu_context, &a, &err), SPMV_ERROR_UNSUPPORTED);
    cr_assert_not_null(strstr(err.message, "leading dimension 53"));
    cr_assert_eq(spmv_dense_set(&a, gpu_context, &b, &err), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_dense_to_gpu(&a, gpu_context, &a, &err), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(a.rows, 50); /* it is still there */
    a.by_rows = b.by_rows = true;
    a.ld = b.ld = VECTORS;
    cr_assert_eq(spmv_apply(op, 1, &a, 0, &b, NULL, &err), SPMV_SUCCESS);
    a.ld = VECTORS + 1;
    cr_assert_eq(spmv_apply(op, 1, &a, 0, &b, NULL, &err), SPMV_ERROR_UNSUPPORTED);
    cr_assert_str_eq(err.message, "kernel csr-merge takes vectors stored by rows without gaps; "
                                  "cpu-csr takes any");
    spmv_operator_destroy(op);
    spmv_dense_destroy(&x);
    spmv_dense_destroy(&y);
    spmv_destroy(&A);
}
