/* twin_test.c -- what a twin keeps, worked out by hand and on every kind of matrix. */
#include "core/generate/generated_matrix_test.h"

static spmv_csr twin_of(const spmv_csr *A, spmv_generate_options options)
{
    spmv_matrix M = spmv__wrap_csr(A), N;
    spmv_error err = {0};
    spmv_csr B;
    cr_assert_eq(spmv_generate_like(&B, &M, &options, &err), SPMV_SUCCESS, "%s", err.message);
    N = spmv__wrap_csr(&B);
    cr_assert_eq(spmv_check(&N, &err), SPMV_SUCCESS, "%s", err.message);
    return B;
}

/* One row of three runs in 60 columns: 10 11 (25 free) 37 (9 free) 47 48 49.  Halves of the gaps:
 * 12 and 4.  The first run mirrors its right side but for the border at 0, the last its left. */
Test(generate_like, runs_move_within_their_gaps)
{
    static const int32_t col[] = {10, 11, 37, 47, 48, 49};
    bool seen[3][60] = {{false}};
    spmv_csr A;
    cr_assert_eq(spmv_csr_create(&A, SPMV_PATTERN, 1, 60, 6, NULL), SPMV_SUCCESS);
    A.row_ptr[1] = 6;
    memcpy(A.col_idx, col, sizeof col);
    for (uint64_t seed = 0; seed < 2000; seed++) {
        spmv_csr B = twin_of(&A, (spmv_generate_options){.seed = seed});
        const int32_t *c = B.col_idx;
        cr_assert_eq(c[1], c[0] + 1);
        cr_assert_eq(c[4], c[3] + 1);
        cr_assert_eq(c[5], c[3] + 2);
        seen[0][c[0]] = seen[1][c[2]] = seen[2][c[3]] = true;
        spmv_csr_destroy(&B);
    }
    for (int c = 0; c < 60; c++) {
        cr_expect_eq(seen[0][c], c <= 22, "first run at %d", c);
        cr_expect_eq(seen[1][c], c >= 25 && c <= 41, "second run at %d", c);
        cr_expect_eq(seen[2][c], c >= 43 && c <= 51, "third run at %d", c);
    }
    spmv_csr_destroy(&A);
}

/* 100 rows with column 7, and each with another column of its own: 7 is heavy and stays. */
Test(generate_like, heavy_columns_stay)
{
    spmv_csr A;
    int moved = 0;
    cr_assert_eq(spmv_csr_create(&A, SPMV_PATTERN, 100, 1000, 200, NULL), SPMV_SUCCESS);
    for (int r = 0; r < 100; r++) {
        A.row_ptr[r + 1] = 2 * r + 2;
        A.col_idx[2 * r] = 7;
        A.col_idx[2 * r + 1] = 100 + 9 * r;
    }
    spmv_csr B = twin_of(&A, (spmv_generate_options){.seed = 1});
    for (int r = 0; r < 100; r++) {
        cr_assert_eq(B.col_idx[2 * r], 7);
        moved += B.col_idx[2 * r + 1] != 100 + 9 * r;
    }
    cr_assert_gt(moved, 90);
    spmv_csr_destroy(&B);
    spmv_csr_destroy(&A);
}

static int64_t adjacent_pairs(const spmv_csr *A)
{
    int64_t pairs = 0;
    for (int64_t r = 0; r < A->rows; r++)
        for (int64_t p = A->row_ptr[r] + 1; p < A->row_ptr[r + 1]; p++)
            pairs += A->col_idx[p] == A->col_idx[p - 1] + 1;
    return pairs;
}

Test(generate_like, every_kind_keeps_rows_and_runs_for_any_number_of_threads)
{
    for (int i = 0; i < spmv_generator_count(); i++) {
        const char *kind = spmv_generator_at(i)->name;
        spmv_generate_options options = {.rows = 1000, .grid = 8, .scale = 10, .seed = 4};
        spmv_csr A = generate(kind, options);
        options = (spmv_generate_options){.type = SPMV_F32, .seed = 5, .threads = 1};
        spmv_csr B = twin_of(&A, options);
        options.threads = 3;
        spmv_csr C = twin_of(&A, options);
        spmv_matrix first = spmv__wrap_csr(&B), second = spmv__wrap_csr(&C);
        cr_assert(spmv_identical(&first, &second), "%s", kind);
        cr_assert_eq(B.rows, A.rows);
        cr_assert_eq(B.cols, A.cols);
        cr_assert_arr_eq(B.row_ptr, A.row_ptr, (size_t)(A.rows + 1) * sizeof *A.row_ptr, "%s",
                         kind);
        cr_assert_eq(adjacent_pairs(&B), adjacent_pairs(&A), "%s", kind);
        /* Only the kinds whose rows are single runs stay what they are. */
        bool same = memcmp(B.col_idx, A.col_idx, (size_t)A.nnz * sizeof *A.col_idx) == 0;
        cr_assert_eq(same, strcmp(kind, "dense") == 0 || strcmp(kind, "banded") == 0, "%s", kind);
        spmv_csr_destroy(&C);
        spmv_csr_destroy(&B);
        spmv_csr_destroy(&A);
    }
}

/* Away from the border, rows of a stencil that share a group of 32 all move alike: by one more
 * column from row to row. */
Test(generate_like, similar_rows_stay_similar)
{
    spmv_csr A = generate("stencil5", (spmv_generate_options){.grid = 200});
    spmv_csr B = twin_of(&A, (spmv_generate_options){.seed = 9});
    int compared = 0;
    for (int64_t r = 1; r < A.rows; r++) {
        if (r % 32 == 0 || row_length(&A, r) != 5 || row_length(&A, r - 1) != 5) continue;
        if (r / 200 < 2 || r / 200 > 197) continue; /* not cut by the border of the matrix */
        for (int k = 0; k < 5; k++)
            cr_assert_eq(B.col_idx[B.row_ptr[r] + k], B.col_idx[B.row_ptr[r - 1] + k] + 1);
        compared++;
    }
    cr_assert_gt(compared, 30000);
    spmv_csr_destroy(&B);
    spmv_csr_destroy(&A);
}

Test(generate_like, any_format_and_empty_matrices)
{
    spmv_csr A = generate("powerlaw", (spmv_generate_options){.rows = 300}), B, C;
    spmv_matrix M = spmv__wrap_csr(&A), coo;
    spmv_generate_options options = {.type = SPMV_F64, .seed = 3};
    cr_assert_eq(spmv_convert(&coo, &M, SPMV_COO, NULL, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_generate_like(&B, &coo, &options, NULL), SPMV_SUCCESS);
    C = twin_of(&A, options);
    spmv_matrix from_coo = spmv__wrap_csr(&B), from_csr = spmv__wrap_csr(&C);
    cr_assert(spmv_identical(&from_coo, &from_csr));
    spmv_csr_destroy(&A);
    spmv_csr_destroy(&B);
    spmv_csr_destroy(&C);
    spmv_destroy(&coo);

    cr_assert_eq(spmv_csr_create(&A, SPMV_F64, 3, 0, 0, NULL), SPMV_SUCCESS);
    B = twin_of(&A, options);
    cr_assert_eq(B.rows, 3);
    cr_assert_eq(B.nnz, 0);
    spmv_csr_destroy(&A);
    spmv_csr_destroy(&B);
}

Test(generate_like, refuses_a_triangle_and_missing_arguments)
{
    spmv_matrix M = {.format = SPMV_CSR};
    spmv_csr B;
    cr_assert_eq(spmv_csr_create(&M.csr, SPMV_F64, 2, 2, 0, NULL), SPMV_SUCCESS);
    M.head.symmetry = SPMV_SYMMETRIC;
    cr_assert_eq(spmv_generate_like(&B, &M, NULL, NULL), SPMV_ERROR_UNSUPPORTED);
    cr_assert_null(B.row_ptr);
    cr_assert_eq(spmv_generate_like(&B, NULL, NULL, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_generate_like(NULL, &M, NULL, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    M.head.symmetry = SPMV_GENERAL;
    const spmv_generate_options unknown = {.type = SPMV_TYPES};
    cr_assert_eq(spmv_generate_like(&B, &M, &unknown, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_null(B.row_ptr);
    spmv_destroy(&M);
}
