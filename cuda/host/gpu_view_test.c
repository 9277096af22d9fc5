/* gpu_view_test.c -- compressed rows in arrays of the caller's on the GPU: products have the bits
 * of a copy, whatever the integers are and whatever lies behind the arrays. */
#include "cuda/host/view_cases_test.h"
#include "cuda/kernels/gpu_test.h"

#include <stdlib.h>
#include <string.h>

TestSuite(gpu_view, .init = gpu_test_open, .fini = gpu_test_close);

static spmv_gpu_matrix *borrow(const view_case *f)
{
    spmv_gpu_matrix *out;
    spmv_error err;
    cr_assert_eq(spmv_gpu_view_check(gpu_context, &f->view, &err), SPMV_SUCCESS, "%s", err.message);
    cr_assert_eq(spmv_gpu_matrix_from_view(&out, gpu_context, &f->view, &err), SPMV_SUCCESS, "%s",
                 err.message);
    return out;
}

/* ---- Products ---------------------------------------------------------------------------------
 */

static const char *const kernels[] = {"csr-merge", "csr-vector", "csr-scalar"};
enum { KERNELS = 3 };

/* y = alpha A x + beta y with vectors on the GPU; returns y on the host. */
static spmv_dense product(const spmv_gpu_matrix *A, const spmv_kernel_options *options,
                          const spmv_dense *x, const spmv_dense *y0, double beta)
{
    spmv_operator *op;
    spmv_dense on_gpu[2], y;
    spmv_error err;
    cr_assert_eq(spmv_operator_create_on_gpu(&op, gpu_context, A, options, &err), SPMV_SUCCESS,
                 "%s", err.message);
    cr_assert_eq(spmv_dense_to_gpu(&on_gpu[0], gpu_context, x, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_dense_to_gpu(&on_gpu[1], gpu_context, y0, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_apply(op, -1.5, &on_gpu[0], beta, &on_gpu[1], NULL, &err), SPMV_SUCCESS, "%s",
                 err.message);
    cr_assert_eq(spmv_dense_from_gpu(&y, gpu_context, &on_gpu[1], &err), SPMV_SUCCESS, "%s",
                 err.message);
    spmv_dense_destroy(&on_gpu[0]);
    spmv_dense_destroy(&on_gpu[1]);
    spmv_operator_destroy(op);
    return y;
}

static void expect_right(const spmv_matrix *A, const spmv_dense *x, const spmv_dense *y0,
                         double beta, const spmv_dense *y, const char *label)
{
    spmv_verification v;
    if (y->rows == 0) return;
    cr_assert_eq(spmv_verify(A, -1.5, x, beta, y0, y, &v, NULL), SPMV_SUCCESS);
    cr_assert(v.pass, "%s: row %lld", label, (long long)v.worst_row);
}

/* The products of A as it is borrowed in one kind of integers, and of its copy. */
static void compare(const spmv_matrix *A, int kind, const spmv_kernel_options *options,
                    int64_t vectors, const char *label)
{
    const double beta = kind % 2 == 0 ? 0 : 0.25;
    spmv_dense x = gpu_test_vector(options->vector_type, A->head.cols, vectors, 3);
    spmv_dense y0 = gpu_test_vector(options->vector_type, A->head.rows, vectors, 4);
    view_case f = view_test_make(gpu_context, &A->csr, kind);
    spmv_gpu_matrix *copy, *borrowed = borrow(&f);
    x.by_rows = y0.by_rows = vectors > 1;
    cr_assert_eq(spmv_to_gpu(&copy, gpu_context, A, NULL), SPMV_SUCCESS);
    spmv_dense expected = product(copy, options, &x, &y0, beta);
    spmv_dense found = product(borrowed, options, &x, &y0, beta);
    cr_assert_arr_eq(
        found.data, expected.data, (size_t)(found.rows * vectors) * spmv_type_size(found.type),
        "%s, kind %d, %s, %lld vectors", label, kind, options->kernel, (long long)vectors);
    expect_right(A, &x, &y0, beta, &found, label);
    spmv_gpu_matrix_destroy(borrowed);
    spmv_gpu_matrix_destroy(copy);
    view_test_free(&f);
    spmv_dense_destroy(&expected);
    spmv_dense_destroy(&found);
    spmv_dense_destroy(&x);
    spmv_dense_destroy(&y0);
}

/* The types of vectors that a type of values multiplies, in turn. */
static spmv_type vectors_of(spmv_type type, int k)
{
    spmv_type out;
    do out = (spmv_type)(1 + k++ % (SPMV_TYPES - 1));
    while (!spmv_type_multiplies(type, out));
    return out;
}

Test(gpu_view, products_have_the_bits_of_a_copy)
{
    for (int k = 0; k < 3 * TEST_CASES / GPU_TEST_SHARE; k++) {
        test_sample s = test_sample_make(k, (spmv_type)(k % SPMV_TYPES), 40000);
        for (int i = 0; i < KERNELS; i++) {
            const spmv_kernel_options options = {.kernel = kernels[i],
                                                 .x_readonly = k % 3 == 1,
                                                 .vector_type = vectors_of(s.A.head.type, k)};
            compare(&s.A, (k + i) % 8, &options, 1, s.label);
            if (i == 0) compare(&s.A, k % 8, &options, 2 + k % 4, s.label);
        }
        spmv_destroy(&s.A);
    }
}

/* Lengths of rows with so many entries in all that none, one or more tiles of csr-merge read behind
 * the last column: short rows, then one of any length, then some, and empty ones. */
static struct {
    int64_t rows, long_row, behind, empty;
} shape;
static int64_t length(int64_t r)
{
    if (r == shape.rows) return shape.long_row;
    return r < shape.rows ? r % 4 : r <= shape.rows + shape.behind ? 1 : 0;
}

Test(gpu_view, nothing_behind_the_last_column_is_used)
{
    const int64_t lengths[] = {0, 5, 248, 250, 256, 2049}, empty[] = {0, 3, 600};
    int k = 0;
    for (int i = 0; i < 6; i++)
        for (int e = 0; e < 3; e++)
            for (int b = 0; b < 8; b++, k++) {
                const spmv_kernel_options options = {
                    .kernel = "csr-merge",
                    .vector_type = vectors_of((spmv_type)(k % SPMV_TYPES), k)};
                shape.rows = 40 + e;
                shape.long_row = lengths[i];
                shape.behind = b;
                shape.empty = empty[e];
                if (GPU_TEST_SHARE > 1 && k % 3 != 0) continue;
                spmv_matrix A = gpu_test_rows((spmv_type)(k % SPMV_TYPES),
                                              shape.rows + 1 + b + shape.empty, 3000, length);
                compare(&A, k % 2, &options, 1, "last rows");
                spmv_destroy(&A);
            }
}

/* Columns in falling order, each of which stands twice with half of its value. */
Test(gpu_view, columns_may_be_in_any_order)
{
    test_sample s = test_sample_make(21, SPMV_F64, 20000);
    spmv_csr twice = s.A.csr;
    double *val = malloc((size_t)(2 * twice.nnz + 1) * sizeof *val);
    int32_t *col_idx = malloc((size_t)(2 * twice.nnz + 1) * sizeof *col_idx);
    int64_t *row_ptr = malloc((size_t)(twice.rows + 1) * sizeof *row_ptr);
    cr_assert(val != NULL && col_idx != NULL && row_ptr != NULL);
    for (int64_t r = 0; r <= twice.rows; r++) row_ptr[r] = 2 * s.A.csr.row_ptr[r];
    for (int64_t r = 0; r < twice.rows; r++)
        for (int64_t p = row_ptr[r]; p < row_ptr[r + 1]; p++) {
            const int64_t from = s.A.csr.row_ptr[r] + (row_ptr[r + 1] - 1 - p) / 2;
            col_idx[p] = s.A.csr.col_idx[from];
            val[p] = 0.5 * ((const double *)s.A.csr.val)[from];
        }
    twice.nnz *= 2;
    twice.val = val;
    twice.col_idx = col_idx;
    twice.row_ptr = row_ptr;
    view_case f = view_test_make(gpu_context, &twice, 0);
    spmv_gpu_matrix *A = borrow(&f);
    spmv_dense x = gpu_test_vector(SPMV_F64, twice.cols, 1, 3);
    spmv_dense y0 = gpu_test_vector(SPMV_F64, twice.rows, 1, 4);
    for (int i = 0; i < KERNELS; i++) {
        spmv_dense y = product(A, &(spmv_kernel_options){.kernel = kernels[i]}, &x, &y0, 0);
        expect_right(&s.A, &x, NULL, 0, &y, kernels[i]);
        spmv_dense_destroy(&y);
    }
    spmv_dense_destroy(&x);
    spmv_dense_destroy(&y0);
    spmv_gpu_matrix_destroy(A);
    view_test_free(&f);
    free(val);
    free(col_idx);
    free(row_ptr);
    spmv_destroy(&s.A);
}

/* The caller writes other values into the array: the next product has them. */
Test(gpu_view, values_may_change)
{
    const double factors[] = {1, -8};
    for (int i = 0; i < KERNELS; i++) {
        const spmv_kernel_options options = {.kernel = kernels[i]};
        test_sample s = test_sample_make(9, SPMV_F64, 20000);
        const spmv_csr *csr = &s.A.csr;
        view_case f = view_test_make(gpu_context, csr, 0);
        spmv_gpu_matrix *A = borrow(&f);
        spmv_dense x = gpu_test_vector(SPMV_F64, csr->cols, 1, 3), host = f.val;
        spmv_dense y0 = gpu_test_vector(SPMV_F64, csr->rows, 1, 4), y[2];
        host.on_gpu = false;
        host.data = calloc((size_t)f.val.rows, sizeof(float));
        for (int k = 0; k < 2; k++) {
            for (int64_t p = 0; p < csr->nnz; p++)
                ((double *)host.data)[p] = factors[k] * ((const double *)csr->val)[p];
            cr_assert_eq(spmv_dense_set(&f.val, gpu_context, &host, NULL), SPMV_SUCCESS);
            y[k] = product(A, &options, &x, &y0, 0);
        }
        for (int64_t r = 0; r < csr->rows; r++)
            cr_assert_eq(((double *)y[1].data)[r], -8 * ((double *)y[0].data)[r]);
        expect_right(&s.A, &x, NULL, 0, &y[0], kernels[i]);
        free(host.data);
        spmv_dense_destroy(&y[0]);
        spmv_dense_destroy(&y[1]);
        spmv_dense_destroy(&x);
        spmv_dense_destroy(&y0);
        spmv_gpu_matrix_destroy(A);
        view_test_free(&f);
        spmv_destroy(&s.A);
    }
}

/* ---- Matrices ---------------------------------------------------------------------------------
 */

/* What is borrowed can be looked at and comes back; it stays the caller's. */
Test(gpu_view, a_matrix_tells_where_it_is_and_comes_back)
{
    for (int kind = 0; kind < 8; kind++) {
        test_sample s = test_sample_make(3 + kind, (spmv_type)(kind % SPMV_TYPES), 3000);
        view_case f = view_test_make(gpu_context, &s.A.csr, kind);
        spmv_gpu_matrix *A = borrow(&f);
        spmv_matrix back;
        spmv_csr_view view;
        cr_assert_eq(spmv_gpu_matrix_view(&view, A, NULL), SPMV_SUCCESS);
        cr_assert_eq(view.val, f.view.val);
        cr_assert_eq(view.row_ptr == f.view.row_ptr,
                     view.row_ptr_bits == f.view.row_ptr_bits && f.view.index_base == 0);
        cr_assert_eq(view.col_idx == f.view.col_idx, (kind & 6) == 0);
        cr_assert_eq(spmv_from_gpu(&back, gpu_context, A, NULL), SPMV_SUCCESS);
        cr_assert(spmv_identical(&s.A, &back), "kind %d", kind);
        cr_assert_eq(spmv_gpu_matrix_set(A, gpu_context, &s.A, NULL), SPMV_ERROR_INVALID_ARGUMENT);
        spmv_destroy(&back);
        spmv_gpu_matrix_destroy(A);
        A = borrow(&f); /* destroying it has released nothing of the caller's */
        cr_assert_eq(spmv_gpu_matrix_view(&view, A, NULL), SPMV_SUCCESS);
        cr_assert_eq(view.nnz, s.A.head.nnz);
        spmv_gpu_matrix_destroy(A);
        view_test_free(&f);
        spmv_destroy(&s.A);
    }
}

Test(gpu_view, what_has_no_entries_may_have_no_arrays)
{
    const int32_t zeros[4] = {0};
    spmv_dense row_ptr = view_test_array(gpu_context, zeros, sizeof zeros, 0x7f);
    spmv_csr_view view = {.type = SPMV_F64,
                          .rows = 3,
                          .cols = 2,
                          .row_ptr_bits = 32,
                          .col_idx_bits = 32,
                          .row_ptr = row_ptr.data};
    for (int rows = 3; rows >= 0; rows -= 3)
        for (int i = 0; i < KERNELS; i++) {
            spmv_gpu_matrix *A;
            spmv_dense x = gpu_test_vector(SPMV_F64, 2, 1, 3);
            spmv_dense y0 = gpu_test_vector(SPMV_F64, rows, 1, 4);
            view.rows = rows;
            cr_assert_eq(spmv_gpu_view_check(gpu_context, &view, NULL), SPMV_SUCCESS);
            cr_assert_eq(spmv_gpu_matrix_from_view(&A, gpu_context, &view, NULL), SPMV_SUCCESS);
            spmv_dense y = product(A, &(spmv_kernel_options){.kernel = kernels[i]}, &x, &y0, 2);
            for (int r = 0; r < rows; r++)
                cr_assert_eq(((double *)y.data)[r], 2 * ((double *)y0.data)[r]);
            spmv_dense_destroy(&x);
            spmv_dense_destroy(&y0);
            spmv_dense_destroy(&y);
            spmv_gpu_matrix_destroy(A);
        }
    spmv_dense_destroy(&row_ptr);
}

/* ---- What is refused --------------------------------------------------------------------------
 */

/* The 3 x 4 matrix of the documentation, with one number of one array another one. */
static const struct {
    bool rows;
    int at, base;
    int64_t value;
    const char *message;
} wrong[] = {
    {true, 0, 0, 1, "row_ptr[0] is 1, expected 0"},
    {true, 0, 1, -1, "row_ptr[0] is 0, expected 1"},
    {true, 3, 0, 6, "row_ptr ends at 6, expected 5 for 5 entries"},
    {true, 1, 0, 5, "row_ptr falls from 5 to 4 at 2"},
    {true, 2, 1, 1, "row_ptr falls from 3 to 2 at 2"},
    {false, 3, 0, 4, "col_idx[3] is 4, outside 0 .. 3"},
    {false, 1, 0, -1, "col_idx[1] is -1, outside 0 .. 3"},
    {false, 4, 1, 4, "col_idx[4] is 5, outside 1 .. 4"},
};

Test(gpu_view, what_is_wrong_is_found_on_the_gpu)
{
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        for (int kind = 0; kind < 4; kind++) {
            int64_t row_ptr[] = {0, 2, 4, 5};
            int32_t col_idx[] = {0, 2, 1, 2, 3};
            const spmv_csr A = {.type = SPMV_PATTERN,
                                .rows = 3,
                                .cols = 4,
                                .nnz = 5,
                                .row_ptr = row_ptr,
                                .col_idx = col_idx};
            spmv_error err = {.message = ""};
            if (wrong[i].rows)
                row_ptr[wrong[i].at] = wrong[i].value;
            else
                col_idx[wrong[i].at] = (int32_t)wrong[i].value;
            view_case f = view_test_make(gpu_context, &A, kind | wrong[i].base << 2);
            cr_assert_eq(spmv_gpu_view_check(gpu_context, &f.view, &err),
                         SPMV_ERROR_INVALID_FORMAT);
            cr_assert_str_eq(err.message, wrong[i].message);
            view_test_free(&f);
        }
}

Test(gpu_view, vectors_begin_where_numbers_do)
{
    test_sample s = test_sample_make(21, SPMV_F64, 4000);
    const spmv_kernel_options options = {.kernel = "csr-scalar"};
    spmv_dense x = gpu_test_vector(SPMV_F64, s.A.head.cols + 1, 1, 3), u;
    spmv_dense y = gpu_test_vector(SPMV_F64, s.A.head.rows + 1, 1, 4), v;
    spmv_operator *op;
    spmv_error err;
    cr_assert_eq(spmv_operator_create(&op, gpu_context, &s.A, &options, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_dense_to_gpu(&u, gpu_context, &x, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_dense_to_gpu(&v, gpu_context, &y, NULL), SPMV_SUCCESS);
    for (int i = 0; i < 3; i++) {
        spmv_dense p = u, q = v;
        p.rows = s.A.head.cols;
        q.rows = s.A.head.rows;
        p.data = (char *)p.data + (i == 1 ? 4 : 8);
        q.data = (char *)q.data + (i == 2 ? 4 : 8);
        cr_assert_eq(spmv_apply(op, 1, &p, 0, &q, NULL, &err),
                     i == 0 ? SPMV_SUCCESS : SPMV_ERROR_INVALID_ARGUMENT);
        if (i > 0)
            cr_assert_str_eq(err.message,
                             "vectors on the GPU begin at a multiple of the size of a number");
    }
    spmv_operator_destroy(op);
    spmv_dense_destroy(&x);
    spmv_dense_destroy(&y);
    spmv_dense_destroy(&u);
    spmv_dense_destroy(&v);
    spmv_destroy(&s.A);
}

Test(gpu_view, misuse_is_named)
{
    const char *const planners[] = {"csr-panels", "csr-groups", "csr-staged", "csr-split",
                                    "csr-sweep"};
    test_sample s = test_sample_make(6, SPMV_F64, 4000);
    view_case f = view_test_make(gpu_context, &s.A.csr, 0);
    spmv_gpu_matrix *A = borrow(&f), *none;
    spmv_csr_view view;
    spmv_operator *op;
    spmv_context *cpu;
    spmv_error err;
    for (int i = 0; i < 4; i++) {
        const spmv_kernel_options options = {.kernel = planners[i]};
        cr_assert_eq(spmv_operator_create_on_gpu(&op, gpu_context, A, &options, &err),
                     SPMV_ERROR_UNSUPPORTED);
        cr_assert_null(op);
        cr_assert_not_null(strstr(err.message, "csr-merge, csr-vector and csr-scalar do"), "%s",
                           err.message);
    }
    const void **const arrays[] = {&view.col_idx, &view.val};
    for (int i = 0; i < 2; i++) {
        view = f.view;
        *arrays[i] = (const char *)*arrays[i] + 64;
        cr_assert_eq(spmv_gpu_matrix_from_view(&none, gpu_context, &view, &err),
                     SPMV_ERROR_UNSUPPORTED);
        cr_assert_null(none);
        cr_assert_not_null(strstr(err.message, "multiple of 128 bytes"), "%s", err.message);
    }
    view = f.view;
    view.rows = -1;
    cr_assert_eq(spmv_gpu_matrix_from_view(&none, gpu_context, &view, &err),
                 SPMV_ERROR_INVALID_DIMENSION);
    view = f.view;
    view.col_idx_bits = 16;
    cr_assert_eq(spmv_gpu_view_check(gpu_context, &view, &err), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_gpu_matrix_from_view(&none, gpu_context, &view, &err),
                 SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_context_create(&cpu, SPMV_DEVICE_CPU, 1, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_gpu_matrix_from_view(&none, cpu, &f.view, &err), SPMV_ERROR_NO_DEVICE);
    cr_assert_eq(spmv_gpu_view_check(cpu, &f.view, &err), SPMV_ERROR_NO_DEVICE);
    spmv_context_destroy(cpu);
    spmv_gpu_matrix_destroy(A);
    view_test_free(&f);
    spmv_destroy(&s.A);
}
