/* transpose_test.c -- rows become columns, and twice is the identity. */
#include "core/matrix/value.h"
#include "core/matrix/random_matrix_test.h"

#include <criterion/criterion.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#include <stdlib.h>

/* T = A^T, compared through dense arrays. */
static void compare_dense(const spmv_matrix *T, const test_sample *s)
{
    int64_t rows = s->A.head.rows, cols = s->A.head.cols;
    const spmv_type type = spmv__double_type(T->head.type);
    double *dense = test_sample_dense(s), *turned = malloc((size_t)(rows * cols + 1) * 16);
    cr_assert_not_null(turned);
    spmv_to_dense(T, turned);
    cr_assert(T->head.rows == cols && T->head.cols == rows, "%s", s->label);
    for (int64_t r = 0; r < rows; r++) {
        for (int64_t c = 0; c < cols; c++)
            cr_assert(test_equal(spmv__scalar(type, turned, c * rows + r),
                                 spmv__scalar(type, dense, r * cols + c)),
                      "%s as %s", s->label, spmv_format_name(T->format));
    }
    free(dense);
    free(turned);
}

static void turn(const spmv_matrix *A, const test_sample *s, bool dense)
{
    spmv_matrix T, back;
    spmv_status st = spmv_transpose(&T, A, NULL, NULL);
    if (A->format == SPMV_ELL && st == SPMV_ERROR_UNSUPPORTED) return; /* long columns */
    cr_assert_eq(st, SPMV_SUCCESS, "%s as %s", s->label, spmv_format_name(A->format));
    cr_assert_eq(T.format, A->format);
    test_assert_valid(&T, s->label);
    if (dense) compare_dense(&T, s);
    cr_assert_eq(spmv_transpose(&back, &T, NULL, NULL), SPMV_SUCCESS, "%s", s->label);
    cr_assert(spmv_identical(A, &back), "%s as %s", s->label, spmv_format_name(A->format));
    spmv_destroy(&T);
    spmv_destroy(&back);
}

static void turn_samples(int64_t max_cells)
{
    for (int k = 0; k < TEST_CASES; k++) {
        test_sample s = test_sample_make(k, (spmv_type)(k % SPMV_TYPES), max_cells);
        for (int f = 0; f < SPMV_FORMATS; f++) {
            spmv_matrix A;
            if (!test_convert(&A, &s.A, (spmv_format)f, s.label)) continue;
            turn(&A, &s, max_cells > 0);
            spmv_destroy(&A);
        }
        spmv_destroy(&s.A);
    }
}

Test(transpose, small_matrices_equal_their_dense_transpose)
{
    turn_samples(2000);
}
Test(transpose, twice_is_the_identity)
{
    turn_samples(0);
}

Test(transpose, coordinates_in_a_huge_matrix)
{
    spmv_matrix A = {.format = SPMV_COO}, T;
    cr_assert_eq(spmv_coo_create(&A.coo, SPMV_PATTERN, INT64_MAX, 7, 2, NULL), SPMV_SUCCESS);
    A.coo.row_idx[0] = 5;
    A.coo.col_idx[0] = 6;
    A.coo.row_idx[1] = INT64_MAX - 1;
    A.coo.col_idx[1] = 2;
    cr_assert_eq(spmv_transpose(&T, &A, NULL, NULL), SPMV_SUCCESS);
    test_assert_valid(&T, "huge");
    cr_assert(T.coo.rows == 7 && T.coo.cols == INT64_MAX);
    cr_assert(T.coo.row_idx[0] == 2 && T.coo.col_idx[0] == INT64_MAX - 1);
    cr_assert(T.coo.row_idx[1] == 6 && T.coo.col_idx[1] == 5);
    spmv_destroy(&A);
    spmv_destroy(&T);
}

#ifdef _OPENMP
/* Row r has a value in the last column, in column r / 2, and in some of the first ones. */
static spmv_matrix make_skewed(int32_t rows)
{
    enum { FIRST = 6 };
    spmv_matrix A = {.format = SPMV_CSR};
    int64_t n = 0;
    cr_assert_eq(spmv_csr_create(&A.csr, SPMV_F64, rows, rows, (FIRST + 2) * rows, NULL),
                 SPMV_SUCCESS);
    for (int32_t r = 0; r < rows; r++) {
        for (int32_t c = 0; c < FIRST; c++)
            if ((r * 7 + c) % 3 == 0) A.csr.col_idx[n++] = c;
        if (r / 2 >= FIRST) A.csr.col_idx[n++] = r / 2;
        A.csr.col_idx[n++] = rows - 1;
        A.csr.row_ptr[r + 1] = n;
    }
    for (int64_t p = 0; p < n; p++) ((double *)A.csr.val)[p] = (double)p;
    A.csr.nnz = n;
    return A;
}

/* Row by row, each entry of A is the next one in its column. */
static void assert_columns(const spmv_csr *A, const spmv_csr *T, int threads)
{
    int64_t *next = calloc((size_t)A->cols, sizeof *next);
    cr_assert_eq(T->nnz, A->nnz);
    for (int64_t r = 0; r < A->rows; r++) {
        for (int64_t p = A->row_ptr[r]; p < A->row_ptr[r + 1]; p++) {
            const int64_t c = A->col_idx[p], q = T->row_ptr[c] + next[c]++;
            cr_assert_lt(q, T->row_ptr[c + 1], "%d threads, column %d", threads, (int)c);
            cr_assert_eq(T->col_idx[q], r, "%d threads, column %d", threads, (int)c);
            cr_assert_eq(((double *)T->val)[q], (double)p);
        }
    }
    free(next);
}

Test(transpose, columns_of_any_length_by_any_number_of_threads)
{
    spmv_matrix A = make_skewed(30000);
    cr_assert_gt(A.head.nnz, SPMV__PARALLEL_NNZ);
    for (int threads = 1; threads < 50; threads = threads * 2 + 1) {
        spmv_matrix T;
        omp_set_num_threads(threads);
        cr_assert_eq(spmv_transpose(&T, &A, NULL, NULL), SPMV_SUCCESS);
        assert_columns(&A.csr, &T.csr, threads);
        spmv_destroy(&T);
    }
    spmv_destroy(&A);
}
#endif

/* The triangle [. . .; 4 + 2i . .; . -5 + i .] as each symmetry: what A^T has in the places of the
 * two entries. */
Test(transpose, a_triangle_is_mirrored_into_its_place)
{
    static const struct {
        spmv_type type;
        spmv_symmetry symmetry;
        spmv_scalar first, second;
    } cases[] = {{SPMV_F32, SPMV_SYMMETRIC, {4, 0}, {-5, 0}},
                 {SPMV_F32, SPMV_SKEW, {-4, 0}, {5, 0}},
                 {SPMV_C128, SPMV_SYMMETRIC, {4, 2}, {-5, 1}},
                 {SPMV_C64, SPMV_SKEW, {-4, -2}, {5, -1}},
                 {SPMV_C128, SPMV_HERMITIAN, {4, -2}, {-5, -1}}};
    for (int f = 0; f < SPMV_FORMATS; f++) {
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            spmv_matrix L = {.format = SPMV_COO}, A, T, back;
            spmv_scalar value;
            cr_assert_eq(spmv_coo_create(&L.coo, cases[i].type, 3, 3, 2, NULL), SPMV_SUCCESS);
            L.coo.row_idx[0] = 1, L.coo.row_idx[1] = 2, L.coo.col_idx[1] = 1;
            spmv__set_scalar(cases[i].type, L.coo.val, 0, spmv__number(4, 2));
            spmv__set_scalar(cases[i].type, L.coo.val, 1, spmv__number(-5, 1));
            L.head.symmetry = cases[i].symmetry;
            cr_assert(test_convert(&A, &L, (spmv_format)f, "triangle"));
            cr_assert_eq(spmv_transpose(&T, &A, NULL, NULL), SPMV_SUCCESS);
            test_assert_valid(&T, "triangle");
            cr_assert_eq(T.head.symmetry, cases[i].symmetry);
            cr_assert_eq(spmv_get_element(&T, 1, 0, &value, NULL), SPMV_SUCCESS);
            cr_assert(test_equal(value, cases[i].first), "case %zu", i);
            cr_assert_eq(spmv_get_element(&T, 2, 1, &value, NULL), SPMV_SUCCESS);
            cr_assert(test_equal(value, cases[i].second), "case %zu", i);
            cr_assert_eq(spmv_transpose(&back, &T, NULL, NULL), SPMV_SUCCESS);
            cr_assert(spmv_identical(&A, &back));
            spmv_destroy(&L);
            spmv_destroy(&A);
            spmv_destroy(&T);
            spmv_destroy(&back);
        }
    }
}

Test(transpose, impossible_arguments_are_refused)
{
    spmv_matrix A = {.format = SPMV_FORMATS}, T;
    cr_assert_eq(spmv_transpose(&T, NULL, NULL, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_transpose(&T, &A, NULL, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_transpose(NULL, &A, NULL, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_transpose(&A, &A, NULL, NULL), SPMV_ERROR_INVALID_ARGUMENT);
}
