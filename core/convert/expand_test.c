/* expand_test.c -- the missing triangle. */
#include "core/matrix/value.h"
#include "core/matrix/random_matrix_test.h"

#include <criterion/criterion.h>
#include <stdlib.h>

/* Makes the lower triangle of the leading square of a sample; of a hermitian one the diagonal is
 * real. */
static spmv_matrix triangle(const spmv_csr *A, spmv_symmetry symmetry)
{
    int64_t n = A->rows < A->cols ? A->rows : A->cols, nnz = 0;
    spmv_matrix L = {.format = SPMV_CSR};
    cr_assert_eq(spmv_csr_create(&L.csr, A->type, n, n, A->nnz, NULL), SPMV_SUCCESS);
    for (int64_t r = 0; r < n; r++) {
        for (int64_t p = A->row_ptr[r]; p < A->row_ptr[r + 1]; p++) {
            if (A->col_idx[p] > r || (A->col_idx[p] == r && symmetry == SPMV_SKEW)) continue;
            spmv_scalar value = spmv__scalar(A->type, A->val, p);
            if (A->col_idx[p] == r && symmetry == SPMV_HERMITIAN) value.im = 0;
            L.csr.col_idx[nnz] = A->col_idx[p];
            spmv__set_scalar(A->type, L.csr.val, nnz++, value);
        }
        L.csr.row_ptr[r + 1] = nnz;
    }
    L.csr.nnz = nnz;
    L.csr.symmetry = symmetry;
    return L;
}

/* Returns element (r, c) of the whole matrix that the triangle stands for, made without the
 * library. */
static spmv_scalar whole(const spmv_csr *L, int64_t r, int64_t c)
{
    static const struct {
        double re, im;
    } sign[SPMV_SYMMETRIES] = {
        [SPMV_SYMMETRIC] = {1, 1}, [SPMV_SKEW] = {-1, -1}, [SPMV_HERMITIAN] = {1, -1}};
    const bool upper = r < c;
    const int64_t row = upper ? c : r, col = upper ? r : c;
    spmv_scalar value = {0, 0};
    for (int64_t p = L->row_ptr[row]; p < L->row_ptr[row + 1]; p++)
        if (L->col_idx[p] == col) value = spmv__scalar(L->type, L->val, p);
    if (!upper) return value;
    return spmv__number(value.re * sign[L->symmetry].re, value.im * sign[L->symmetry].im);
}

static void expand_sample(int k, spmv_type type, spmv_symmetry symmetry)
{
    test_sample s = test_sample_make(k, type, 2500);
    spmv_matrix L = triangle(&s.A.csr, symmetry);
    const int64_t n = L.head.rows;
    double *dense = malloc((size_t)(2 * n * n + 1) * sizeof *dense);
    cr_assert_not_null(dense);
    for (int f = 0; f < SPMV_FORMATS; f++) {
        spmv_matrix A, B;
        cr_assert(test_convert(&A, &L, (spmv_format)f, s.label));
        cr_assert_eq(spmv_expand(&B, &A, NULL, NULL), SPMV_SUCCESS, "%s", s.label);
        cr_assert(B.format == A.format && B.head.symmetry == SPMV_GENERAL);
        test_assert_valid(&B, s.label);
        spmv_to_dense(&B, dense);
        for (int64_t i = 0; i < n * n; i++)
            cr_assert(test_equal(spmv__scalar(spmv__double_type(type), dense, i),
                                 whole(&L.csr, i / n, i % n)),
                      "%s as %s", s.label, spmv_format_name(A.format));
        spmv_destroy(&A);
        spmv_destroy(&B);
    }
    free(dense);
    spmv_destroy(&L);
    spmv_destroy(&s.A);
}

Test(expand, the_whole_matrix_in_every_format)
{
    for (int k = 0; k < TEST_CASES; k++) {
        expand_sample(k, (spmv_type)(k % SPMV_TYPES), SPMV_SYMMETRIC);
        expand_sample(k, (spmv_type)(1 + k % (SPMV_TYPES - 1)), SPMV_SKEW);
        expand_sample(k, k % 2 == 0 ? SPMV_C64 : SPMV_C128, SPMV_HERMITIAN);
    }
}

Test(expand, a_general_matrix_is_copied)
{
    test_sample s = test_sample_make(3, SPMV_F64, 0);
    spmv_matrix B;
    cr_assert_eq(spmv_expand(&B, &s.A, NULL, NULL), SPMV_SUCCESS);
    cr_assert(spmv_identical(&s.A, &B));
    cr_assert_eq(spmv_expand(&s.A, &s.A, NULL, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    spmv_destroy(&B);
    cr_assert_eq(spmv_expand(&B, NULL, NULL, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    spmv_destroy(&s.A);
}
