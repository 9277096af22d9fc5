/* structure_test.c -- the structure of a matrix against counts over a dense array. */
#include "core/base/random.h"
#include "core/matrix/value.h"
#include "core/matrix/random_matrix_test.h"

#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

/* A matrix as two dense arrays: what is stored, and its value. */
typedef struct square_grid {
    int64_t rows, cols;
    bool *stored;
    spmv_scalar *value;
} square_grid;

static square_grid grid_of(const spmv_csr *A)
{
    square_grid g = {.rows = A->rows, .cols = A->cols};
    g.stored = calloc((size_t)(A->rows * A->cols + 1), sizeof *g.stored);
    g.value = calloc((size_t)(A->rows * A->cols + 1), sizeof *g.value);
    for (int64_t r = 0; r < A->rows; r++)
        for (int64_t p = A->row_ptr[r]; p < A->row_ptr[r + 1]; p++) {
            g.stored[r * A->cols + A->col_idx[p]] = true;
            g.value[r * A->cols + A->col_idx[p]] = spmv__scalar(A->type, A->val, p);
        }
    return g;
}

static void grid_free(square_grid *g)
{
    free(g->stored);
    free(g->value);
}

/* Counts the empty rows of the grid, or of its transpose. */
static int64_t empty_lines(const square_grid *g, int64_t lines, int64_t length, int64_t step,
                           int64_t line_step)
{
    int64_t empty = 0;
    for (int64_t i = 0; i < lines; i++) {
        bool any = false;
        for (int64_t k = 0; k < length; k++) any = any || g->stored[i * line_step + k * step];
        empty += !any;
    }
    return empty;
}

static bool is(spmv_scalar value, double re, double im)
{
    return value.re == re && value.im == im;
}

static void add_entry(spmv_structure *s, const square_grid *g, int64_t r, int64_t c)
{
    const spmv_scalar value = g->value[r * g->cols + c];
    const double size =
        (double)sqrtl((long double)value.re * value.re + (long double)value.im * value.im);
    if (r - c > s->lower_bandwidth) s->lower_bandwidth = r - c;
    if (c - r > s->upper_bandwidth) s->upper_bandwidth = c - r;
    s->diagonal += r == c;
    s->diagonal_zeros += r == c && is(value, 0, 0);
    s->diagonal_imaginary += r == c && value.im != 0;
    s->zeros += is(value, 0, 0);
    s->ones = s->ones && is(value, 1, 0);
    s->integers = s->integers && floor(value.re) == value.re && floor(value.im) == value.im;
    if (size > 0 && (s->min_abs == 0 || size < s->min_abs)) s->min_abs = size;
    if (size > s->max_abs) s->max_abs = size;
    if (g->rows != g->cols || r == c || !g->stored[c * g->cols + r]) return;
    const spmv_scalar image = g->value[c * g->cols + r];
    s->mirrored++;
    s->equal += is(image, value.re, value.im);
    s->opposite += is(image, -value.re, -value.im);
    s->conjugate += is(image, value.re, -value.im);
}

static int ascending(const void *a, const void *b)
{
    const spmv_scalar *x = a, *y = b;
    if (x->re != y->re) return x->re > y->re ? 1 : -1;
    return (x->im > y->im) - (x->im < y->im);
}

/* Counts the distinct values by sorting all of them; 257 stands for more. */
static int count_distinct(const square_grid *g)
{
    const int64_t cells = g->rows * g->cols;
    spmv_scalar *all = calloc((size_t)cells + 1, sizeof *all);
    int64_t n = 0, distinct = 0;
    for (int64_t k = 0; k < cells; k++)
        if (g->stored[k]) all[n++] = g->value[k];
    qsort(all, (size_t)n, sizeof *all, ascending);
    for (int64_t k = 0; k < n; k++) distinct += k == 0 || !is(all[k], all[k - 1].re, all[k - 1].im);
    free(all);
    return distinct > 257 ? 257 : (int)distinct;
}

static spmv_structure naive(const spmv_csr *A)
{
    square_grid g = grid_of(A);
    spmv_structure s = {.integers = true, .ones = true};
    s.empty_rows = empty_lines(&g, g.rows, g.cols, 1, g.cols);
    s.empty_cols = empty_lines(&g, g.cols, g.rows, g.cols, 1);
    for (int64_t r = 0; r < g.rows; r++) {
        int64_t first = 0;
        while (first < g.cols && !g.stored[r * g.cols + first]) first++;
        if (first < g.cols && first < r) s.profile += r - first;
        for (int64_t c = 0; c < g.cols; c++)
            if (g.stored[r * g.cols + c]) add_entry(&s, &g, r, c);
    }
    s.distinct = count_distinct(&g);
    grid_free(&g);
    return s;
}

static void assert_same(const spmv_structure *a, const spmv_structure *b, const char *label)
{
#define SAME(member) cr_assert(a->member == b->member, "%s: %s", label, #member)
    SAME(empty_rows);
    SAME(empty_cols);
    SAME(lower_bandwidth);
    SAME(upper_bandwidth);
    SAME(profile);
    SAME(diagonal);
    SAME(diagonal_zeros);
    SAME(diagonal_imaginary);
    SAME(mirrored);
    SAME(equal);
    SAME(opposite);
    SAME(conjugate);
    SAME(zeros);
    SAME(nan);
    SAME(inf);
    cr_assert_leq(fabs(a->min_abs - b->min_abs), DBL_EPSILON * b->min_abs, "%s", label);
    cr_assert_leq(fabs(a->max_abs - b->max_abs), DBL_EPSILON * b->max_abs, "%s", label);
    SAME(distinct);
    SAME(integers);
    SAME(ones);
#undef SAME
}

/* Makes the sample, where it is square, a matrix with a symmetry in which here and there a value
 * was changed; and everywhere, few different values. */
static void vary(spmv_matrix *A, int k)
{
    spmv_matrix lower;
    if (A->head.rows == A->head.cols && A->head.type != SPMV_PATTERN) {
        cr_assert_eq(spmv_convert(&lower, A, SPMV_COO, NULL, NULL), SPMV_SUCCESS);
        spmv_coo *L = &lower.coo;
        int64_t n = 0;
        for (int64_t p = 0; p < L->nnz; p++) {
            if (L->row_idx[p] <= L->col_idx[p]) continue;
            L->row_idx[n] = L->row_idx[p];
            L->col_idx[n] = L->col_idx[p];
            spmv__copy_value(L->type, L->val, n++, L->val, p);
        }
        L->nnz = n;
        L->symmetry = k % 2 == 0 ? SPMV_SYMMETRIC : SPMV_SKEW;
        if (k % 8 >= 6 && spmv_type_is_complex(L->type)) L->symmetry = SPMV_HERMITIAN;
        spmv_destroy(A);
        spmv_matrix whole;
        cr_assert_eq(spmv_expand(&whole, &lower, NULL, NULL), SPMV_SUCCESS);
        cr_assert_eq(spmv_convert(A, &whole, SPMV_CSR, NULL, NULL), SPMV_SUCCESS);
        spmv_destroy(&whole);
        spmv_destroy(&lower);
    }
    for (int64_t p = 0; p < A->head.nnz; p++) {
        const double value = (double)(spmv__mix((uint64_t)(k + p)) % 5) - 2;
        if (spmv__mix((uint64_t)p) % 50 == 0) spmv__set_value(A->head.type, A->csr.val, p, value);
    }
}

Test(structure, equals_naive_counts_in_every_format)
{
    for (int k = 0; k < TEST_CASES; k++) {
        test_sample s = test_sample_make(k, (spmv_type)(k % SPMV_TYPES), 20000);
        if (k % 4 >= 2) vary(&s.A, k);
        const spmv_structure expected = naive(&s.A.csr);
        for (int f = 0; f < SPMV_FORMATS; f++) {
            spmv_matrix A;
            spmv_structure found;
            if (!test_convert(&A, &s.A, (spmv_format)f, s.label)) continue;
            cr_assert_eq(spmv_structure_compute(&A, &found, NULL), SPMV_SUCCESS, "%s", s.label);
            assert_same(&found, &expected, s.label);
            spmv_destroy(&A);
        }
        spmv_destroy(&s.A);
    }
}

/* [0 2 0; -2 0 NaN; 0 Inf -0.0] and what a person reads off it. */
Test(structure, of_a_matrix_with_all_that_is_special)
{
    int64_t row_ptr[] = {0, 1, 3, 5};
    int32_t col_idx[] = {1, 0, 2, 1, 2};
    double val[] = {2, -2, NAN, INFINITY, -0.0};
    const spmv_matrix A = {.csr = {SPMV_F64, SPMV_GENERAL, 3, 3, 5, NULL, row_ptr, col_idx, val},
                           .format = SPMV_CSR};
    const spmv_structure expected = {
        .lower_bandwidth = 1,
        .upper_bandwidth = 1,
        .profile = 2,
        .diagonal = 1,
        .diagonal_zeros = 1,
        .mirrored = 4,
        .opposite = 2,
        .zeros = 1,
        .nan = 1,
        .inf = 1,
        .min_abs = 2,
        .max_abs = 2,
        .distinct = 5,
    };
    spmv_structure found;
    cr_assert_eq(spmv_structure_compute(&A, &found, NULL), SPMV_SUCCESS);
    assert_same(&found, &expected, "special");
}

/* [1 NaN; NaN 2] is the same both ways. */
Test(structure, of_mirrored_values_that_are_no_numbers)
{
    int64_t row_ptr[] = {0, 2, 4};
    int32_t col_idx[] = {0, 1, 0, 1};
    double val[] = {1, NAN, -NAN, 2};
    const spmv_matrix A = {.csr = {SPMV_F64, SPMV_GENERAL, 2, 2, 4, NULL, row_ptr, col_idx, val},
                           .format = SPMV_CSR};
    spmv_structure found;
    cr_assert_eq(spmv_structure_compute(&A, &found, NULL), SPMV_SUCCESS);
    cr_assert_eq(found.mirrored, 2);
    cr_assert_eq(found.equal, 2);
    cr_assert_eq(found.opposite, 2);
    cr_assert_eq(found.conjugate, 2);
    val[2] = 3;
    cr_assert_eq(spmv_structure_compute(&A, &found, NULL), SPMV_SUCCESS);
    cr_assert_eq(found.equal, 0);
}

/* [1 2+i; 2-i i] is hermitian but for its diagonal. */
Test(structure, of_complex_values)
{
    int64_t row_ptr[] = {0, 2, 4};
    int32_t col_idx[] = {0, 1, 0, 1};
    double val[] = {1, 0, 2, 1, 2, -1, 0, 1};
    const spmv_matrix A = {.csr = {SPMV_C128, SPMV_GENERAL, 2, 2, 4, NULL, row_ptr, col_idx, val},
                           .format = SPMV_CSR};
    const spmv_structure expected = {
        .lower_bandwidth = 1,
        .upper_bandwidth = 1,
        .profile = 1,
        .diagonal = 2,
        .diagonal_imaginary = 1,
        .mirrored = 2,
        .conjugate = 2,
        .min_abs = 1,
        .max_abs = hypot(2, 1),
        .distinct = 4,
        .integers = true,
    };
    spmv_structure found;
    cr_assert_eq(spmv_structure_compute(&A, &found, NULL), SPMV_SUCCESS);
    assert_same(&found, &expected, "complex");
    val[2] = NAN;
    val[5] = -INFINITY;
    cr_assert_eq(spmv_structure_compute(&A, &found, NULL), SPMV_SUCCESS);
    cr_assert(found.nan == 1 && found.inf == 1 && found.max_abs == 1 && !found.integers);
    val[2] = val[3] = 1.7e308; /* |a| is beyond what a number holds */
    val[5] = 0;
    cr_assert_eq(spmv_structure_compute(&A, &found, NULL), SPMV_SUCCESS);
    cr_assert(found.nan == 0 && found.inf == 0 && found.max_abs == DBL_MAX);
}

/* [1 2i; 2i 1+0.5i] is equal to its mirror image, not opposite, and has other than integers. */
Test(structure, imaginary_parts_are_looked_at)
{
    int64_t row_ptr[] = {0, 2, 4};
    int32_t col_idx[] = {0, 1, 0, 1};
    double val[] = {1, 0, 0, 2, 0, 2, 1, 0.5};
    const spmv_matrix A = {.csr = {SPMV_C128, SPMV_GENERAL, 2, 2, 4, NULL, row_ptr, col_idx, val},
                           .format = SPMV_CSR};
    spmv_structure found;
    cr_assert_eq(spmv_structure_compute(&A, &found, NULL), SPMV_SUCCESS);
    cr_assert(found.equal == 2 && found.opposite == 0 && found.conjugate == 0);
    cr_assert_not(found.integers);
    val[7] = 0;
    cr_assert_eq(spmv_structure_compute(&A, &found, NULL), SPMV_SUCCESS);
    cr_assert(found.integers);
}

Test(structure, distinct_values_are_counted_up_to_the_limit)
{
    for (int n = 255; n <= 300; n++) {
        spmv_matrix A = {.format = SPMV_COO};
        spmv_structure found;
        cr_assert_eq(spmv_coo_create(&A.coo, SPMV_F64, 1, 600, 600, NULL), SPMV_SUCCESS);
        for (int p = 0; p < 600; p++) {
            A.coo.col_idx[p] = p;
            ((double *)A.coo.val)[p] = p % n - 100;
        }
        cr_assert_eq(spmv_structure_compute(&A, &found, NULL), SPMV_SUCCESS);
        cr_assert_eq(found.distinct, n <= 256 ? n : 257, "%d values", n);
        cr_assert(found.integers && !found.ones && found.max_abs == (n > 200 ? n - 101 : 100));
        spmv_destroy(&A);
    }
}

Test(structure, of_more_rows_and_columns_than_there_is_memory)
{
    spmv_matrix A = {.format = SPMV_COO};
    spmv_structure s;
    cr_assert_eq(spmv_coo_create(&A.coo, SPMV_PATTERN, INT64_MAX, INT64_MAX, 3, NULL),
                 SPMV_SUCCESS);
    A.coo.row_idx[1] = INT64_MAX - 2;
    A.coo.row_idx[2] = INT64_MAX - 1;
    A.coo.col_idx[0] = INT64_MAX - 2;
    cr_assert_eq(spmv_structure_compute(&A, &s, NULL), SPMV_SUCCESS);
    cr_assert(s.empty_rows == INT64_MAX - 3 && s.empty_cols == INT64_MAX - 2);
    cr_assert(s.lower_bandwidth == INT64_MAX - 1 && s.upper_bandwidth == INT64_MAX - 2);
    cr_assert(s.profile == INT64_MAX && s.mirrored == 2 && s.ones);
    spmv_destroy(&A);
}

Test(structure, a_triangle_and_impossible_arguments_are_refused)
{
    spmv_matrix A = {.format = SPMV_FORMATS};
    spmv_structure s;
    cr_assert_eq(spmv_structure_compute(&A, &s, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_structure_compute(NULL, &s, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_structure_compute(&A, NULL, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    A = (spmv_matrix){.format = SPMV_COO, .head = {.symmetry = SPMV_SYMMETRIC}};
    cr_assert_eq(spmv_structure_compute(&A, &s, NULL), SPMV_ERROR_UNSUPPORTED);
}
