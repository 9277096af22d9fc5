/* estimate_test.c -- estimates of products whose rows differ as much as rows can, against what is
 * made. */
#include "core/base/base.h"

#include <criterion/criterion.h>

static spmv_matrix generate(const char *kind, int64_t rows, int64_t scale, double per_row)
{
    spmv_generate_options how = {.rows = rows, .scale = scale, .per_row = per_row};
    spmv_matrix A = {.format = SPMV_CSR};
    how.values = SPMV_VALUES_RANDOM;
    how.type = SPMV_F32;
    spmv_error err = {0};
    cr_assert_eq(spmv_generate(&A.csr, kind, &how, &err), SPMV_SUCCESS, "%s", err.message);
    return A;
}

static void check(const spmv_matrix *A, const spmv_spgemm_options *o, const char *label)
{
    spmv_spgemm_estimate e;
    spmv_spgemm_result r;
    spmv_matrix C;
    cr_assert_eq(spmv_spgemm_estimate_product(&e, A, A, o, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_spgemm(&C, A, A, o, &r, NULL), SPMV_SUCCESS);
    cr_assert_eq(e.products, r.products);
    cr_assert_not(e.exact, "%s: only %lld products", label, (long long)e.products);
    cr_assert_float_eq((double)e.nnz / (double)C.head.nnz, 1, 0.05, "%s: %lld of %lld entries",
                       label, (long long)e.nnz, (long long)C.head.nnz);
    spmv_destroy(&C);
}

Test(estimate, rows_of_all_kinds)
{
    static const struct {
        const char *kind;
        int64_t rows, scale;
        double per_row;
    } cases[] = {
        {"rmat", 0, 12, 16},     {"rmat", 0, 14, 8},       {"powerlaw", 60000, 0, 10},
        {"skew", 60000, 0, 9},   {"uniform", 60000, 0, 9}, {"uniform", 500, 0, 100},
        {"stencil27", 0, 0, 0},  {"fem", 0, 0, 0},         {"block", 30000, 0, 16},
        {"banded", 60000, 0, 9},
    };
    spmv_matrix mask = generate("rmat", 0, 14, 30);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        spmv_matrix A = generate(cases[k].kind, cases[k].rows, cases[k].scale, cases[k].per_row);
        check(&A, NULL, cases[k].kind);
        check(&A, &(spmv_spgemm_options){.transpose_b = true}, cases[k].kind);
        check(&A, &(spmv_spgemm_options){.top = 7}, cases[k].kind);
        if (mask.head.rows == A.head.rows)
            check(&A, &(spmv_spgemm_options){.mask = &mask}, cases[k].kind);
        spmv_destroy(&A);
    }
    spmv_destroy(&mask);
}
