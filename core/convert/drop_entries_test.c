/* drop_entries_test.c -- stored zeros go, everything else stays. */
#include "core/matrix/value.h"
#include "core/matrix/random_matrix_test.h"

#include <criterion/criterion.h>

/* Every third value becomes 0, and `kept` the matrix without these. */
static void plant_zeros(spmv_csr *A, spmv_csr *kept)
{
    int64_t q = 0;
    cr_assert_eq(spmv_csr_create(kept, A->type, A->rows, A->cols, A->nnz, NULL), SPMV_SUCCESS);
    for (int64_t r = 0; r < A->rows; r++) {
        for (int64_t p = A->row_ptr[r]; p < A->row_ptr[r + 1]; p++) {
            if (p % 3 == 0 && A->type != SPMV_PATTERN) {
                spmv__set_value(A->type, A->val, p, p % 2 == 0 ? 0.0 : -0.0);
                continue;
            }
            if (p % 3 == 1 && spmv_type_is_complex(A->type)) /* one part is not the whole value */
                spmv__set_scalar(A->type, A->val, p, spmv__number(0, 2));
            kept->col_idx[q] = A->col_idx[p];
            spmv__copy_value(A->type, kept->val, q++, A->val, p);
        }
        kept->row_ptr[r + 1] = q;
    }
    kept->nnz = q;
}

Test(drop_zeros, in_every_format)
{
    for (int k = 0; k < TEST_CASES; k++) {
        test_sample s = test_sample_make(k, (spmv_type)(k % SPMV_TYPES), 0);
        spmv_matrix kept = {.format = SPMV_CSR};
        plant_zeros(&s.A.csr, &kept.csr);
        for (int f = 0; f < SPMV_FORMATS; f++) {
            spmv_matrix A, B, C;
            if (!test_convert(&A, &s.A, (spmv_format)f, s.label)) continue;
            if (spmv_drop_zeros(&B, &A, NULL, NULL) == SPMV_SUCCESS) {
                cr_assert_eq(B.format, A.format);
                cr_assert(test_convert(&C, &B, SPMV_CSR, s.label));
                cr_assert(spmv_identical(&C, &kept), "%s as %s", s.label,
                          spmv_format_name(A.format));
                spmv_destroy(&B);
                spmv_destroy(&C);
            } else { /* fewer nonzeros, the same padding: only ELL may find it too much */
                cr_assert_eq(f, SPMV_ELL, "%s", s.label);
            }
            spmv_destroy(&A);
        }
        spmv_destroy(&kept);
        spmv_destroy(&s.A);
    }
}

Test(drop_zeros, impossible_arguments_are_refused)
{
    spmv_matrix A = {.format = SPMV_CSR}, B;
    spmv_error err;
    cr_assert_eq(spmv_drop_zeros(&B, NULL, NULL, &err), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_str_eq(err.message, "spmv_drop_zeros requires A != NULL");
    cr_assert_eq(spmv_drop_diagonal(&B, NULL, NULL, &err), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_str_eq(err.message, "spmv_drop_diagonal requires A != NULL");
    cr_assert_eq(spmv_drop_zeros(NULL, &A, NULL, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_drop_zeros(&A, &A, NULL, NULL), SPMV_ERROR_INVALID_ARGUMENT);
}
