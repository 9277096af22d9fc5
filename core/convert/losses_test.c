/* losses_test.c -- what single precision cannot hold, of matrices and of vectors. */
#include "spmv.h"

#include <criterion/criterion.h>
#include <math.h>

/* What single precision loses is counted in every format, in both parts of complex numbers. */
Test(losses, of_matrices_are_counted)
{
    static const int64_t row[] = {0, 0, 1, 3, 3, 3}, col[] = {1, 2, 0, 0, 1, 2};
    static const double real[] = {3.5e38, 1, 0, -1e-46, 1e-45, INFINITY};
    static const double pairs[] = {1, -1e60, 1e-60, 1e-60, 0, 0, NAN, 1, 3.4e38, 1e-38, 0, 1e39};
    static const struct {
        spmv_type type;
        const void *val;
        spmv_losses expected;
    } cases[] = {{SPMV_F64, real, {1, 1, 0, 1, 3.5e38}},
                 {SPMV_C128, pairs, {2, 2, 0, 1, -1e60}},
                 {SPMV_PATTERN, NULL, {0, 0, 0, 0, 0}}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const spmv_losses *expected = &cases[i].expected;
        spmv_matrix A = {.format = SPMV_COO}, B;
        spmv_coo *coo = &A.coo;
        *coo = (spmv_coo){.type = cases[i].type, .rows = 4, .cols = 3, .nnz = 6};
        coo->row_idx = (int64_t *)row;
        coo->col_idx = (int64_t *)col;
        coo->val = (void *)cases[i].val;
        for (int f = 0; f < SPMV_FORMATS; f++) {
            spmv_losses lost;
            cr_assert_eq(spmv_convert(&B, &A, (spmv_format)f, NULL, NULL), SPMV_SUCCESS);
            cr_assert_eq(spmv_single_losses(&B, &lost, NULL), SPMV_SUCCESS);
            cr_expect_eq(lost.infinite, expected->infinite, "case %zu, format %d", i, f);
            cr_expect_eq(lost.vanished, expected->vanished, "case %zu, format %d", i, f);
            if (f == SPMV_COO)
                cr_expect(lost.row == expected->row && lost.col == expected->col &&
                          lost.value == expected->value);
            spmv_destroy(&B);
        }
    }
}

Test(losses, of_vectors_are_counted)
{
    double data[] = {1, 2, 1e-50, 4, -1e40, 6};
    const spmv_dense v = {.type = SPMV_F64, .rows = 3, .cols = 2, .by_rows = true, .data = data};
    spmv_losses lost;
    cr_assert_eq(spmv_dense_single_losses(&v, &lost, NULL), SPMV_SUCCESS);
    cr_expect(lost.infinite == 1 && lost.vanished == 1);
    cr_expect(lost.row == 1 && lost.col == 0 && lost.value == 1e-50);
    cr_expect_eq(spmv_dense_single_losses(NULL, &lost, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(spmv_single_losses(NULL, &lost, NULL), SPMV_ERROR_INVALID_ARGUMENT);
}
