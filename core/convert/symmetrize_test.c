/* symmetrize_test.c -- each edge of a graph both ways. */
#include "core/matrix/value.h"
#include "core/matrix/random_matrix_test.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

/* The leading square of a sample, as a dense array of the given number of doubles per element. */
static double *square_of(const test_sample *s, int64_t n, int64_t parts)
{
    double *all = test_sample_dense(s), *square = malloc((size_t)(n * n * parts + 1) * sizeof *all);
    cr_assert_not_null(square);
    for (int64_t r = 0; r < n; r++)
        for (int64_t i = 0; i < n * parts; i++)
            square[r * n * parts + i] = all[r * s->A.head.cols * parts + i];
    free(all);
    return square;
}

/* What there is to be made of dense [n * n], element by element. */
static void add_mirror(double *sum, const double *dense, int64_t n, int64_t parts, bool pattern)
{
    for (int64_t r = 0; r < n; r++)
        for (int64_t c = 0; c < n; c++)
            for (int64_t i = 0; i < parts; i++) {
                const double a = dense[(r * n + c) * parts + i], b = dense[(c * n + r) * parts + i];
                const double both = pattern ? a != 0 || b != 0 : a + b;
                sum[(r * n + c) * parts + i] = r == c ? a : both;
            }
}

static void symmetrize_sample(int k, spmv_type type)
{
    const test_sample s = test_sample_make(k, type, 2500);
    const int64_t n = s.A.head.rows < s.A.head.cols ? s.A.head.rows : s.A.head.cols;
    const int64_t parts = spmv_type_is_complex(type) ? 2 : 1;
    const size_t size = (size_t)(n * n * parts + 1) * sizeof(double);
    double *dense = square_of(&s, n, parts), *expected = calloc(1, size), *made = calloc(1, size);
    cr_assert(expected != NULL && made != NULL);
    add_mirror(expected, dense, n, parts, type == SPMV_PATTERN);
    for (spmv_format f = 0; f < SPMV_FORMATS; f++) {
        spmv_matrix whole, A, B;
        cr_assert_eq(spmv_from_dense(&whole, SPMV_CSR, type, n, n, dense, NULL), SPMV_SUCCESS);
        cr_assert(test_convert(&A, &whole, f, s.label));
        cr_assert_eq(spmv_symmetrize(&B, &A, NULL, NULL), SPMV_SUCCESS, "%s", s.label);
        cr_assert(B.format == f && B.head.type == type && B.head.symmetry == SPMV_GENERAL);
        test_assert_valid(&B, s.label);
        spmv_to_dense(&B, made);
        for (int64_t i = 0; i < n * n * parts; i++)
            cr_assert(spmv__is_single(type) ? made[i] == (double)(float)expected[i]
                                            : made[i] == expected[i],
                      "%s as %s: element %lld", s.label, spmv_format_name(f), (long long)i);
        spmv_destroy(&whole);
        spmv_destroy(&A);
        spmv_destroy(&B);
    }
    free(dense);
    free(expected);
    free(made);
    spmv_matrix sample = s.A;
    spmv_destroy(&sample);
}

Test(symmetrize, is_the_sum_with_the_transpose_in_every_format)
{
    for (int k = 0; k < TEST_CASES; k++) symmetrize_sample(k, (spmv_type)(k % SPMV_TYPES));
}

/* Among coordinates of very many nodes, too. */
static spmv_matrix list(int64_t n, spmv_type type, spmv_symmetry symmetry, int64_t nnz,
                        const int64_t (*place)[2], const double *value)
{
    spmv_matrix A = {.format = SPMV_COO};
    cr_assert_eq(spmv_coo_create(&A.coo, type, n, n, nnz, NULL), SPMV_SUCCESS);
    A.head.symmetry = symmetry;
    for (int64_t p = 0; p < nnz; p++) {
        A.coo.row_idx[p] = place[p][0];
        A.coo.col_idx[p] = place[p][1];
        spmv__set_scalar(type, A.coo.val, p, spmv__number(value[p], 1));
    }
    return A;
}

static void assert_list(const spmv_matrix *A, int64_t nnz, const int64_t (*place)[2],
                        const spmv_scalar *value)
{
    cr_assert_eq(spmv_check(A, NULL), SPMV_SUCCESS);
    cr_assert(A->format == SPMV_COO && A->head.symmetry == SPMV_GENERAL && A->head.nnz == nnz);
    for (int64_t p = 0; p < nnz; p++) {
        const spmv_scalar v = spmv__scalar(A->head.type, A->coo.val, p);
        cr_assert(A->coo.row_idx[p] == place[p][0] && A->coo.col_idx[p] == place[p][1]);
        cr_assert(v.im == value[p].im && (v.re == value[p].re || isnan(value[p].re)), "entry %lld",
                  (long long)p);
    }
}

#define N (INT64_C(1) << 50) /* nodes */

Test(symmetrize, takes_no_memory_for_nodes_of_a_list)
{
    static const int64_t place[][2] = {{0, 0}, {3, N - 1}, {5, 3}, {N - 1, 3}};
    static const int64_t both[][2] = {{0, 0}, {3, 5}, {3, N - 1}, {5, 3}, {N - 1, 3}};
    static const double value[] = {2, 4, 8, 16};
    static const spmv_scalar sums[] = {{2, 0}, {8, 0}, {20, 0}, {8, 0}, {20, 0}};
    spmv_matrix A = list(N, SPMV_F64, SPMV_GENERAL, 4, place, value), B, C;
    cr_assert_eq(spmv_symmetrize(&B, &A, NULL, NULL), SPMV_SUCCESS);
    assert_list(&B, 5, both, sums);
    cr_assert_eq(spmv_symmetrize(&C, &B, NULL, NULL), SPMV_SUCCESS);
    assert_list(&C, 5, both, sums); /* the same both ways already */
    spmv_destroy(&A);
    spmv_destroy(&B);
    spmv_destroy(&C);
}

Test(symmetrize, a_triangle_of_a_list_gets_its_image)
{
    static const int64_t place[][2] = {{5, 3}, {N - 1, 3}};
    static const int64_t both[][2] = {{3, 5}, {3, N - 1}, {5, 3}, {N - 1, 3}};
    static const double value[] = {8, 16};
    static const struct {
        spmv_symmetry symmetry;
        double re, im;
    } image[] = {{SPMV_SYMMETRIC, 1, 1}, {SPMV_SKEW, -1, -1}, {SPMV_HERMITIAN, 1, -1}};
    for (int i = 0; i < 3; i++) {
        const double re = image[i].re, im = image[i].im;
        const spmv_scalar whole[] = {{8 * re, im}, {16 * re, im}, {8, 1}, {16, 1}};
        spmv_matrix A = list(N, SPMV_C128, image[i].symmetry, 2, place, value), B;
        cr_assert_eq(spmv_expand(&B, &A, NULL, NULL), SPMV_SUCCESS);
        assert_list(&B, 4, both, whole);
        spmv_destroy(&A);
        spmv_destroy(&B);
    }
}

/* What is the same both ways, NaN too, is not added up; the same but for one value it is. */
Test(symmetrize, a_symmetric_matrix_stays_as_it_is)
{
    double dense[] = {1, 2, NAN, 2, 0, 3, NAN, 3, 5}, made[9];
    for (spmv_format f = 0; f < SPMV_FORMATS; f++)
        for (int i = 0; i < 2; i++) {
            spmv_matrix A, B;
            dense[7] = 3 + i;
            cr_assert_eq(spmv_from_dense(&A, f, SPMV_F64, 3, 3, dense, NULL), SPMV_SUCCESS);
            cr_assert_eq(spmv_symmetrize(&B, &A, NULL, NULL), SPMV_SUCCESS);
            spmv_to_dense(&B, made);
            cr_assert_eq(made[1], i == 0 ? 2 : 4, "%s", spmv_format_name(f));
            cr_assert_eq(made[5], i == 0 ? 3 : 7);
            cr_assert_eq(made[7], i == 0 ? 3 : 7);
            cr_assert(isnan(made[2]) && isnan(made[6]));
            cr_assert(made[0] == 1 && made[4] == 0 && made[8] == 5);
            spmv_destroy(&A);
            spmv_destroy(&B);
        }
}
