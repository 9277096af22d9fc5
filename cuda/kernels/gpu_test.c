/* gpu_test.c -- see gpu_test.h. */
#include "core/base/random.h"
#include "core/matrix/value.h"
#include "cuda/kernels/gpu_test.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

spmv_context *gpu_context;

void gpu_test_open(void)
{
    spmv_error err;
    cr_assert_eq(spmv_context_create(&gpu_context, 0, 0, &err), SPMV_SUCCESS, "%s", err.message);
}

void gpu_test_close(void)
{
    spmv_context_destroy(gpu_context);
}

spmv_matrix gpu_test_rows(spmv_type type, int64_t rows, int64_t cols, int64_t (*length)(int64_t r))
{
    spmv_matrix A = {.format = SPMV_CSR};
    int64_t nnz = 0;
    for (int64_t r = 0; r < rows; r++) nnz += length(r);
    cr_assert_eq(spmv_csr_create(&A.csr, type, rows, cols, nnz, NULL), SPMV_SUCCESS);
    for (int64_t r = 0; r < rows; r++) {
        const int64_t n = length(r), p = A.csr.row_ptr[r], shift = r * 7919;
        A.csr.row_ptr[r + 1] = p + n;
        for (int64_t k = 0; k < n; k++) {
            A.csr.col_idx[p + k] = (int32_t)((k * cols + shift % cols) / n);
            spmv__set_scalar(type, A.csr.val, p + k,
                             spmv__number(2 * spmv__uniform(5, (uint64_t)(p + k)) - 1,
                                          2 * spmv__uniform(6, (uint64_t)(p + k)) - 1));
        }
    }
    test_assert_valid(&A, "rows of given lengths");
    return A;
}

spmv_dense gpu_test_vector(spmv_type type, int64_t rows, int64_t cols, uint64_t seed)
{
    spmv_dense x;
    cr_assert_eq(spmv_dense_create(&x, type, rows, cols, NULL), SPMV_SUCCESS);
    spmv_dense_fill_random(&x, seed);
    return x;
}

spmv_dense gpu_test_copy(const spmv_dense *x)
{
    spmv_dense copy;
    cr_assert_eq(spmv_dense_create(&copy, x->type, x->rows, x->cols, NULL), SPMV_SUCCESS);
    memcpy(copy.data, x->data, (size_t)(x->rows * x->cols) * spmv_type_size(x->type));
    copy.by_rows = x->by_rows;
    return copy;
}

/* Multiplies through vectors on the GPU: enqueues, then waits. */
static void apply_on_gpu(spmv_operator *op, const gpu_test_case *c, const spmv_dense *x,
                         spmv_dense *y)
{
    spmv_dense gpu_x, gpu_y, back;
    cr_assert_eq(spmv_dense_to_gpu(&gpu_x, gpu_context, x, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_dense_to_gpu(&gpu_y, gpu_context, y, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_apply_complex(op, c->alpha, &gpu_x, c->beta, &gpu_y, NULL, NULL),
                 SPMV_SUCCESS, "%s", c->label);
    cr_assert_eq(spmv_context_synchronize(gpu_context, NULL), SPMV_SUCCESS, "%s", c->label);
    cr_assert_eq(spmv_dense_from_gpu(&back, gpu_context, &gpu_y, NULL), SPMV_SUCCESS);
    spmv_dense_destroy(y);
    spmv_dense_destroy(&gpu_x);
    spmv_dense_destroy(&gpu_y);
    *y = back;
}

static void apply_on_host(spmv_operator *op, const gpu_test_case *c, const spmv_dense *x,
                          spmv_dense *y)
{
    spmv_result result;
    spmv_error err;
    cr_assert_eq(spmv_apply_complex(op, c->alpha, x, c->beta, y, &result, &err), SPMV_SUCCESS,
                 "%s: %s", c->label, err.message);
    cr_assert_eq(result.status, SPMV_SUCCESS);
    cr_assert_str_eq(result.kernel, spmv_operator_kernel(op, x->type));
    if (y->rows > 0) cr_assert_gt(result.seconds, 0, "%s", c->label);
}

spmv_dense gpu_test_multiply(const spmv_matrix *A, const spmv_dense *x, const gpu_test_case *c)
{
    const spmv_kernel *kernel = spmv_kernel_find(c->options.kernel);
    spmv_operator *op = NULL;
    spmv_matrix B;
    spmv_verification v;
    spmv_error err;
    spmv_dense y = {0}, y0;

    if (!test_convert(&B, A, kernel->format, c->label)) return y;
    cr_assert_eq(spmv_operator_create(&op, gpu_context, &B, &c->options, &err), SPMV_SUCCESS,
                 "%s: %s: %s", c->label, c->options.kernel, err.message);
    spmv_destroy(&B); /* what is on the GPU does not need it */

    y = gpu_test_vector(c->vector, A->head.rows, c->columns, 77);
    y.by_rows = x->by_rows;
    for (int64_t i = 0; spmv__is_zero(c->beta) && i < y.rows * y.cols; i++)
        spmv__set_scalar(y.type, y.data, i, spmv__number(NAN, NAN));
    y0 = gpu_test_copy(&y);
    (c->on_gpu ? apply_on_gpu : apply_on_host)(op, c, x, &y);
    spmv_operator_destroy(op);

    cr_assert_eq(spmv_verify_complex(A, c->alpha, x, c->beta, &y0, &y, NULL, &v, &err),
                 SPMV_SUCCESS, "%s", err.message);
    cr_assert(v.pass,
              "%s: %s, %s times %s, block %d, (%g, %g) A x + (%g, %g) y: scaled error %g in row "
              "%lld, %lld mismatches",
              c->label, c->options.kernel, spmv_type_name(A->head.type), spmv_type_name(x->type),
              c->options.block_size, c->alpha.re, c->alpha.im, c->beta.re, c->beta.im,
              v.scaled_error, (long long)v.worst_row, (long long)v.mismatches);
    spmv_dense_destroy(&y0);
    return y;
}

int main(int argc, char *argv[])
{
    if (spmv_gpu_count() == 0) {
        puts("skipped: there is no GPU");
        return 77;
    }
    struct criterion_test_set *tests = criterion_initialize();
    int status = 0;
    if (criterion_handle_args(argc, argv, true)) status = criterion_run_all_tests(tests) ? 0 : 1;
    criterion_finalize(tests);
    return status;
}
