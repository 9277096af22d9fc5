/* csr_check_test.c -- CSR passes exactly where it keeps its promise, and the place is named where
 * it does not. */
#include "core/matrix/format.h"
#include "core/matrix/random_matrix_test.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* Checks the promise of CSR, entry by entry: where it is, and behind which of its row it is. */
static bool keeps_promise(const spmv_csr *A, spmv_symmetry symmetry)
{
    for (int64_t r = 0; r < A->rows; r++) {
        for (int64_t p = A->row_ptr[r]; p < A->row_ptr[r + 1]; p++) {
            const int32_t c = A->col_idx[p];
            if (c < 0 || c >= A->cols) return false;
            if (symmetry == SPMV_SYMMETRIC && c > r) return false;
            if (symmetry == SPMV_SKEW && c >= r) return false;
            if (p > A->row_ptr[r] && c <= A->col_idx[p - 1]) return false;
        }
    }
    return true;
}

/* This tries all matrices of 3 x 3 with four entries, in columns from -1 to 3. */
Test(csr_check, csr_passes_exactly_where_it_keeps_its_promise)
{
    enum { N = 3, NNZ = 4, COLUMNS = 5 };
    static const spmv_symmetry symmetries[] = {SPMV_GENERAL, SPMV_SYMMETRIC, SPMV_SKEW};
    int passed = 0;
    for (int shape = 0; shape < (NNZ + 1) * (NNZ + 1) * 3; shape++) {
        int64_t row_ptr[N + 1] = {0, shape / 3 % (NNZ + 1), shape / 3 / (NNZ + 1), NNZ};
        const spmv_symmetry symmetry = symmetries[shape % 3];
        if (row_ptr[1] > row_ptr[2]) continue;
        for (int code = 0; code < COLUMNS * COLUMNS * COLUMNS * COLUMNS; code++) {
            int32_t col_idx[NNZ];
            double val[NNZ] = {0};
            spmv_matrix A = spmv__blank(SPMV_CSR, SPMV_F64, symmetry, N, N, NNZ);
            A.csr.row_ptr = row_ptr;
            A.csr.col_idx = col_idx;
            A.csr.val = val;
            for (int p = 0, rest = code; p < NNZ; p++, rest /= COLUMNS)
                col_idx[p] = rest % COLUMNS - 1;
            const bool expected = keeps_promise(&A.csr, symmetry);
            cr_assert_eq(spmv_check(&A, NULL) == SPMV_SUCCESS, expected, "shape %d, code %d", shape,
                         code);
            passed += expected;
        }
    }
    cr_assert_gt(passed, 0);
}

/* The matrix is enough for several threads: rows of WIDTH entries in every second column. */
Test(csr_check, one_wrong_column_of_many_is_found)
{
    enum { ROWS = 21000, WIDTH = 100 };
    spmv_matrix A = {.format = SPMV_CSR};
    const int64_t nnz = (int64_t)ROWS * WIDTH;
    cr_assert_gt(nnz, SPMV__PARALLEL_CHECK_NNZ);
    cr_assert_eq(spmv_csr_create(&A.csr, SPMV_PATTERN, ROWS, 2 * WIDTH, nnz, NULL), SPMV_SUCCESS);
    for (int64_t r = 0; r < ROWS; r++) A.csr.row_ptr[r + 1] = (r + 1) * WIDTH;
    for (int64_t p = 0; p < nnz; p++) A.csr.col_idx[p] = (int32_t)(p % WIDTH * 2);
    test_assert_valid(&A, "all in order");
    for (int64_t p = 0; p < nnz; p += 20997) {
        char said[96];
        spmv_error err;
        const int32_t before = A.csr.col_idx[p];
        A.csr.col_idx[p] = p % WIDTH == 0 ? 2 * WIDTH : A.csr.col_idx[p - 1];
        snprintf(said, sizeof said, "entry %lld at row %lld, column %d is", (long long)p,
                 (long long)(p / WIDTH), (int)A.csr.col_idx[p]);
        cr_assert_eq(spmv_check(&A, &err), SPMV_ERROR_INVALID_FORMAT, "%lld", (long long)p);
        cr_assert_not_null(strstr(err.message, said), "'%s' lacks '%s'", err.message, said);
        A.csr.col_idx[p] = before;
    }
    spmv_destroy(&A);
}
