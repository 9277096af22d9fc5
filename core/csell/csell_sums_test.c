/* csell_sums_test.c -- slices are summed to the same bits as with their columns unpacked. */
#include "core/csell/csell_kernels.h"
#include "core/base/random.h"
#include "core/matrix/random_matrix_test.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

enum { ROWS = 200, MOST = 40, KINDS = 7, FOREIGN = 9 };

/* Entry k of a row, ascending: at distances from the diagonal, in the same columns, near each
 * other, far apart, near the diagonal, and in lists of three and of eight rows. */
static int64_t column_of(int kind, int64_t r, int64_t k)
{
    const int64_t any = (r * 7919 + k * 104729) % 30011;
    const int64_t columns[KINDS] = {r + 3 * k,
                                    5 * k,
                                    100 * k + any % 100,
                                    30011 * k + any,
                                    r + 4 * k + any % 4,
                                    (r + 1) / 3 * 11 + 7 * k,
                                    r / 8 * 1000 + 30011 * (k / 2) + k % 2};
    return columns[kind];
}

/* Rows have n entries, or a few less where there are holes. */
static spmv_matrix matrix_of(int kind, spmv_type type, int64_t n, bool holes)
{
    spmv_matrix A = {.format = SPMV_CSR};
    int64_t p = 0;
    cr_assert_eq(spmv_csr_create(&A.csr, type, ROWS, MOST * 30011 + 30011, ROWS * n, NULL),
                 SPMV_SUCCESS);
    for (int64_t r = 0; r < ROWS; r++) {
        for (int64_t k = 0; k < n; k++) {
            if (holes && (3 * r + k) % 7 == 0) continue;
            A.csr.col_idx[p] = (int32_t)column_of(kind, r, k);
            spmv__set_value(type, A.csr.val, p, spmv__uniform(1, (uint64_t)p) - 0.5);
            p++;
        }
        A.csr.row_ptr[r + 1] = p;
    }
    A.csr.nnz = p;
    return A;
}

/* Sums of a slice that begins with what is in sum [lanes], its columns unpacked. */
static void sum_unpacked(const spmv_csell *A, int64_t s, spmv_type x_type, const void *x,
                         double *sum)
{
    const spmv__slice slice = spmv__csell_slice(A, s);
    int32_t col[SPMV_CSELL_SLICE];
    for (int64_t k = 0; k < slice.steps; k++) {
        spmv__csell_decode(A, s, &slice, k, 0, slice.rows, col);
        spmv__diagonal_add_for(A->type, x_type, true)(
            slice.rows, 1, 0, col, spmv__value_at(A->type, A->val, slice.slot + k * slice.lanes), x,
            sum);
    }
}

/* Slices that are compared count as ones of their form. */
static void compare_slices(const spmv_csell *A, spmv_type x_type, const void *x,
                           spmv__instructions set, int64_t compared[SPMV_CSELL_ENCODINGS])
{
    for (int64_t s = 0; s < spmv__csell_slices(A); s++) {
        const spmv__slice slice = spmv__csell_slice(A, s);
        const spmv__slice_sums sums = spmv__slice_sums_for(A->encoding[s], A->type, x_type, set);
        double sum[SPMV_CSELL_SLICE], expected[SPMV_CSELL_SLICE];
        cr_assert_not_null(sums);
        for (int i = 0; i < SPMV_CSELL_SLICE; i++) sum[i] = expected[i] = i % FOREIGN;
        sums(&slice, spmv__value_at(A->type, A->val, slice.slot), x, sum);
        sum_unpacked(A, s, x_type, x, expected);
        cr_assert_arr_eq(sum, expected, (size_t)slice.rows * sizeof *sum,
                         "%s times %s, form %d, %lld steps, %lld lanes", spmv_type_name(A->type),
                         spmv_type_name(x_type), A->encoding[s], (long long)slice.steps,
                         (long long)slice.lanes);
        compared[A->encoding[s]]++;
    }
}

/* Elements of x, some of which are infinite; the type is a real one. */
static void *vector_of(spmv_type type, int64_t n)
{
    void *x = calloc((size_t)n, sizeof(double));
    cr_assert_not_null(x);
    for (int64_t i = 0; i < n; i++)
        spmv__set_value(type, x, i,
                        i % 1009 == 60 ? INFINITY : (double)(i * 37 % 1009) / 1009 - 0.5);
    return x;
}

/* This takes all lengths of rows from 0 to 40 in all kinds, in slices of every size. */
static void compare(spmv_type type, spmv_type x_type, spmv__instructions set)
{
    int64_t compared[SPMV_CSELL_ENCODINGS] = {0};
    void *x = vector_of(x_type, MOST * 30011 + 30011);
    for (int64_t n = 0; n <= MOST; n++)
        for (int kind = 0; kind < 2 * KINDS; kind++) {
            spmv_matrix A = matrix_of(kind / 2, type, n, kind % 2 == 1), B;
            const spmv_convert_options build = {
                .sell_slice = 32 + (n + kind) % 4 * 32, .sell_window = 1, .max_fill = INFINITY};
            cr_assert_eq(spmv_convert(&B, &A, SPMV_CSELL, &build, NULL), SPMV_SUCCESS);
            compare_slices(&B.csell, x_type, x, set, compared);
            spmv_destroy(&A);
            spmv_destroy(&B);
        }
    for (int e = 0; e < SPMV_CSELL_ENCODINGS; e++) cr_assert_gt(compared[e], 0, "form %d", e);
    free(x);
}

#define X(name, type, x_type)                                                \
    Test(csell_sums, equal_those_of_unpacked_columns_##name)                 \
    {                                                                        \
        if (!spmv__use_avx2()) cr_skip("there is no AVX2");                  \
        compare(type, x_type, SPMV__AVX2);                                   \
    }                                                                        \
    Test(csell_sums, equal_those_of_unpacked_columns_in_avx512_##name)       \
    {                                                                        \
        if (spmv__best_instructions() < SPMV__AVX512) cr_skip("no AVX-512"); \
        compare(type, x_type, SPMV__AVX512);                                 \
    }
SPMV__REAL_TYPES_TABLE(X)
#undef X
