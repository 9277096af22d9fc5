/* expand_test.c -- the missing triangle. */
#include "test_support.h"

#include <criterion/criterion.h>
#include <stdlib.h>

/* The lower triangle of the leading square of a sample. */
static spmv_matrix triangle(const spmv_csr *A, spmv_symmetry symmetry)
{
    int64_t n = A->rows < A->cols ? A->rows : A->cols, nnz = 0;
    spmv_matrix L = {.format = SPMV_CSR};
    cr_assert_eq(spmv_csr_create(&L.csr, A->type, n, n, A->nnz, NULL), SPMV_SUCCESS);
    for (int64_t r = 0; r < n; r++) {
        for (int64_t p = A->row_ptr[r]; p < A->row_ptr[r + 1]; p++) {
            if (A->col_idx[p] > r || (A->col_idx[p] == r && symmetry == SPMV_SKEW)) continue;
            L.csr.col_idx[nnz] = A->col_idx[p];
            spmv__copy_value(A->type, L.csr.val, nnz++, A->val, p);
        }
        L.csr.row_ptr[r + 1] = nnz;
    }
    L.csr.nnz = nnz;
    L.csr.symmetry = symmetry;
    return L;
}

/* The whole matrix that the triangle stands for, made without the library. */
static double *whole(const spmv_csr *L)
{
    int64_t n = L->rows;
    double *dense = calloc((size_t)(n * n) + 1, sizeof *dense);
    cr_assert_not_null(dense);
    for (int64_t r = 0; r < n; r++) {
        for (int64_t p = L->row_ptr[r]; p < L->row_ptr[r + 1]; p++) {
            double value = spmv__value(L->type, L->val, p);
            dense[L->col_idx[p] * n + r] = L->symmetry == SPMV_SKEW ? -value : value;
            dense[r * n + L->col_idx[p]] = value;
        }
    }
    return dense;
}

static void expand_sample(int k, spmv_type type, spmv_symmetry symmetry)
{
    test_sample s = test_sample_make(k, type, 10000);
    spmv_matrix L = triangle(&s.A.csr, symmetry);
    size_t size = (size_t)(L.head.rows * L.head.rows) * sizeof(double);
    double *expected = whole(&L.csr), *dense = malloc(size + 1);
    cr_assert_not_null(dense);
    for (int f = 0; f < SPMV_FORMATS; f++) {
        spmv_matrix A, B;
        cr_assert(test_convert(&A, &L, (spmv_format)f, s.label));
        cr_assert_eq(spmv_expand(&B, &A, NULL), SPMV_SUCCESS, "%s", s.label);
        cr_assert(B.format == A.format && B.head.symmetry == SPMV_GENERAL);
        test_assert_valid(&B, s.label);
        spmv_to_dense(&B, dense);
        for (int64_t i = 0; i < L.head.rows * L.head.rows; i++)
            cr_assert_eq(dense[i], expected[i], "%s as %s", s.label, spmv_format_name(A.format));
        spmv_destroy(&A);
        spmv_destroy(&B);
    }
    free(dense);
    free(expected);
    spmv_destroy(&L);
    spmv_destroy(&s.A);
}

Test(expand, the_whole_matrix_in_every_format)
{
    for (int k = 0; k < TEST_CASES; k++) {
        expand_sample(k, (spmv_type)(k % 3), SPMV_SYMMETRIC);
        expand_sample(k, k % 2 == 0 ? SPMV_F32 : SPMV_F64, SPMV_SKEW);
    }
}

Test(expand, a_general_matrix_is_copied)
{
    test_sample s = test_sample_make(3, SPMV_F64, 0);
    spmv_matrix B;
    cr_assert_eq(spmv_expand(&B, &s.A, NULL), SPMV_SUCCESS);
    cr_assert(spmv_identical(&s.A, &B));
    cr_assert_eq(spmv_expand(&s.A, &s.A, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    spmv_destroy(&B);
    cr_assert_eq(spmv_expand(&B, NULL, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    spmv_destroy(&s.A);
}
