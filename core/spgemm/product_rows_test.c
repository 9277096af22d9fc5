/* product_rows_test.c -- products in pieces of rows against the same made as a whole. */
#include "core/spgemm/collect_rows_test.h"

#include <stdio.h>

/* Hubs, and rows of all lengths: some rows of the square have more products than a piece. */
static spmv_matrix hubs(spmv_type type)
{
    spmv_generate_options how = {.scale = 11, .type = type};
    spmv_matrix A = {.format = SPMV_CSR};
    how.values = SPMV_VALUES_RANDOM;
    cr_assert_eq(spmv_generate(&A.csr, "rmat", &how, NULL), SPMV_SUCCESS);
    return A;
}

static void check_pieces(const spmv_matrix *A, const spmv_matrix *B, const spmv_spgemm_options *o,
                         const char *label)
{
    spmv_matrix C;
    spmv_spgemm_result whole, pieces;
    cr_assert_eq(spmv_spgemm(&C, A, B, o, &whole, NULL), SPMV_SUCCESS, "%s", label);
    for (int threads = 1; threads <= 7; threads += 3) {
        spmv_spgemm_options with = *o;
        spmv_error err = {0};
        collected_rows c = {.fails_at = -1, .prepares = threads > 1};
        const spmv_row_consumer to = collect_rows(&c);
        with.threads = threads;
        cr_assert_eq(spmv_spgemm_rows(A, B, &with, &to, &pieces, &err), SPMV_SUCCESS, "%s: %s",
                     label, err.message);
        cr_assert(c.begun == 1 && c.next == C.head.rows, "%s: %lld rows", label, (long long)c.next);
        cr_assert_eq(c.taken_twice, 0, "%s: pieces are taken side by side", label);
        cr_assert_eq(pieces.products, whole.products, "%s", label);
        cr_assert(spmv_identical(&C, &c.C), "%s, %d threads", label, threads);
        spmv_destroy(&c.C);
    }
    spmv_destroy(&C);
}

Test(product_rows, the_bits_of_the_whole_product)
{
    static const spmv_type types[] = {SPMV_PATTERN, SPMV_F32, SPMV_F64, SPMV_C64, SPMV_C128};
    for (int k = 0; k < 5; k++) {
        spmv_matrix A = hubs(types[k]);
        spmv_matrix M;
        cr_assert_eq(spmv_transpose(&M, &A, NULL, NULL), SPMV_SUCCESS);
        const struct {
            const char *label;
            spmv_spgemm_options options;
        } how[] = {{"A A", {0}},
                   {"boolean", {.boolean = true}},
                   {"masked", {.mask = &M}},
                   {"without zeros", {.drop_zeros = true}},
                   {"top", {.top = 3}},
                   {"all", {.mask = &M, .drop_zeros = true, .top = 2, .transpose_b = true}},
                   {"serial", {.serial = true}}};
        for (size_t i = 0; i < sizeof how / sizeof how[0]; i++)
            check_pieces(&A, &A, &how[i].options, how[i].label);
        spmv_destroy(&A);
        spmv_destroy(&M);
    }
}

/* Sums that are 0 have no entry where zeros are dropped: the values decide how many there are. */
Test(product_rows, sums_that_cancel)
{
    const double left[] = {1, 1, 2, 0, 0, 0}, right[] = {1, 2, -1, 2};
    spmv_matrix A, B;
    cr_assert_eq(spmv_from_dense(&A, SPMV_CSR, SPMV_F64, 3, 2, left, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_from_dense(&B, SPMV_CSR, SPMV_F64, 2, 2, right, NULL), SPMV_SUCCESS);
    collected_rows c = {.fails_at = -1};
    const spmv_row_consumer to = collect_rows(&c);
    cr_assert_eq(
        spmv_spgemm_rows(&A, &B, &(spmv_spgemm_options){.drop_zeros = true}, &to, NULL, NULL),
        SPMV_SUCCESS);
    cr_assert_eq(c.C.head.nnz, 3);
    cr_assert(c.C.csr.row_ptr[1] == 1 && c.C.csr.row_ptr[2] == 3 && c.C.csr.row_ptr[3] == 3);
    const double *val = c.C.csr.val;
    cr_assert(c.C.csr.col_idx[0] == 1 && val[0] == 4 && val[1] == 2 && val[2] == 4);
    spmv_destroy(&A);
    spmv_destroy(&B);
    spmv_destroy(&c.C);
}

Test(product_rows, matrices_without_rows_or_entries)
{
    for (int64_t rows = 0; rows <= 2; rows++) {
        spmv_matrix A = {.format = SPMV_CSR}, B = {.format = SPMV_CSR};
        cr_assert_eq(spmv_csr_create(&A.csr, SPMV_F64, rows, 3, 0, NULL), SPMV_SUCCESS);
        cr_assert_eq(spmv_csr_create(&B.csr, SPMV_F64, 3, 0, 0, NULL), SPMV_SUCCESS);
        check_pieces(&A, &B, &(spmv_spgemm_options){0}, "empty");
        spmv_destroy(&A);
        spmv_destroy(&B);
    }
}

Test(product_rows, a_consumer_that_fails_ends_the_work)
{
    spmv_matrix A = hubs(SPMV_F64);
    for (int at = 0; at < 40; at += 13) {
        collected_rows c = {.fails_at = at};
        const spmv_row_consumer to = collect_rows(&c);
        spmv_error err = {0};
        char expected[64];
        snprintf(expected, sizeof expected, "piece %d is refused", at);
        cr_assert_eq(
            spmv_spgemm_rows(&A, &A, &(spmv_spgemm_options){.threads = 3}, &to, NULL, &err),
            SPMV_ERROR_FILE_IO);
        cr_assert_str_eq(err.message, expected);
        cr_assert_eq(c.pieces, at + 1, "%d pieces were taken", c.pieces);
        spmv_destroy(&c.C);
    }
    spmv_destroy(&A);
}
