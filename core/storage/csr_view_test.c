/* csr_view_test.c -- matrices and vectors in the arrays of somebody else. */
#include "core/base/random.h"
#include "core/matrix/random_matrix_test.h"
#include "core/matrix/value.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

/* ---- A matrix as others hold it ---------------------------------------------------------------
 */

typedef struct foreign {
    spmv_csr_view view;
    void *row_ptr, *col_idx; /* to be freed */
} foreign;

static void *integers(int bits, int64_t n)
{
    void *array = malloc((size_t)(n + 1) * (size_t)bits / 8);
    cr_assert_not_null(array);
    return array;
}

static void put(void *array, int bits, int64_t i, int64_t value)
{
    if (bits == 64)
        ((int64_t *)array)[i] = value;
    else
        ((int32_t *)array)[i] = (int32_t)value;
}

/* The arrays of A in integers of other widths, counting from the base. */
static foreign foreign_of(const spmv_csr *A, int row_bits, int col_bits, int base)
{
    foreign f = {
        .row_ptr = integers(row_bits, A->rows + 1),
        .col_idx = integers(col_bits, A->nnz),
    };
    for (int64_t r = 0; r <= A->rows; r++) put(f.row_ptr, row_bits, r, A->row_ptr[r] + base);
    for (int64_t p = 0; p < A->nnz; p++) put(f.col_idx, col_bits, p, A->col_idx[p] + base);
    f.view = (spmv_csr_view){
        .type = A->type,
        .symmetry = A->symmetry,
        .rows = A->rows,
        .cols = A->cols,
        .nnz = A->nnz,
        .row_ptr_bits = row_bits,
        .col_idx_bits = col_bits,
        .index_base = base,
        .row_ptr = f.row_ptr,
        .col_idx = f.col_idx,
        .val = A->val,
    };
    return f;
}

static void foreign_free(foreign *f)
{
    free(f->row_ptr);
    free(f->col_idx);
}

/* Sample k as one of the eight kinds that there are. */
static foreign foreign_sample(const spmv_csr *A, int k)
{
    return foreign_of(A, k & 1 ? 32 : 64, k & 2 ? 32 : 64, k & 4 ? 1 : 0);
}

/* ---- Vectors with gaps ------------------------------------------------------------------------
 */

enum { LAYOUTS = 4 };

/* Vectors of [rows x cols] in one of the layouts, in memory that is NaN elsewhere; two of the
 * layouts have gaps, two are by rows. */
static spmv_dense spread(spmv_type type, int64_t rows, int64_t cols, int layout, uint64_t seed)
{
    spmv_dense v = {.type = type, .rows = rows, .cols = cols, .by_rows = layout & 1};
    const int64_t length = v.by_rows ? cols : rows, lines = v.by_rows ? rows : cols;
    if (layout & 2) v.ld = length + 3;
    const int64_t room = lines * (length + 3) + 1;
    v.data = malloc((size_t)room * spmv_type_size(type));
    cr_assert_not_null(v.data);
    for (int64_t i = 0; i < room; i++) spmv__set_scalar(type, v.data, i, spmv__number(NAN, NAN));
    spmv_dense_fill_random(&v, seed);
    return v;
}

/* Numbers of the memory of `spread` that are no NaN. */
static int64_t count_numbers(const spmv_dense *v)
{
    const int64_t length = v->by_rows ? v->cols : v->rows, lines = v->by_rows ? v->rows : v->cols;
    int64_t n = 0;
    for (int64_t i = 0; i < lines * (length + 3) + 1; i++)
        n += !isnan(spmv__scalar(v->type, v->data, i).re);
    return n;
}

/* y = alpha A x + beta y of all kinds of views and vectors, found right from the definition, and
 * nothing written between the elements of y. */
static void verify_products(spmv_type type, spmv_type x_type)
{
    static const int64_t counts[] = {1, 2, 5, 16};
    for (int k = 0; k < TEST_CASES; k++) {
        test_sample s = test_sample_make(k, type, 20000);
        foreign f = foreign_sample(&s.A.csr, k);
        const int64_t vectors = counts[k / 3 % 4];
        const double alpha = k % 5 - 2.5, beta = k % 3;
        for (int layout = 0; layout < LAYOUTS; layout++) {
            spmv_dense x = spread(x_type, s.A.head.cols, vectors, layout, 1);
            spmv_dense y = spread(x_type, s.A.head.rows, vectors, layout, 2), y0;
            spmv_verification v;
            spmv_error err;
            cr_assert_eq(spmv_dense_reorder(&y0, &y, false, NULL), SPMV_SUCCESS);
            cr_assert_eq(spmv_csr_view_check(&f.view, &err), SPMV_SUCCESS, "%s: %s", s.label,
                         err.message);
            cr_assert_eq(spmv_csr_view_multiply(&f.view, alpha, &x, beta, &y, 1 + k % 3, &err),
                         SPMV_SUCCESS, "%s: %s", s.label, err.message);
            cr_assert_eq(spmv_verify(&s.A, alpha, &x, beta, &y0, &y, &v, &err), SPMV_SUCCESS,
                         "%s: %s", s.label, err.message);
            cr_assert(v.pass, "%s, kind %d, %d vectors in layout %d: row %lld", s.label, k & 7,
                      (int)vectors, layout, (long long)v.worst_row);
            cr_assert_eq(count_numbers(&y), y.rows * y.cols, "%s", s.label);
            free(x.data);
            free(y.data);
            spmv_dense_destroy(&y0);
        }
        foreign_free(&f);
        spmv_destroy(&s.A);
    }
}

#define X(name, type, x_type)                 \
    Test(csr_view, products_are_right_##name) \
    {                                         \
        verify_products(type, x_type);        \
    }
SPMV__TYPES_TABLE(X)
#undef X

/* The widths of integers and the base leave no trace in the result. */
Test(csr_view, products_have_the_bits_of_the_kernel)
{
    const spmv_kernel_options csr = {.kernel = "cpu-csr"};
    for (int k = 0; k < 64; k++) {
        test_sample s = test_sample_make(k, SPMV_F64, 0);
        foreign f = foreign_sample(&s.A.csr, k / 8);
        spmv_dense x = spread(SPMV_F64, s.A.head.cols, 3, k % LAYOUTS, 1);
        spmv_dense y = spread(SPMV_F64, s.A.head.rows, 3, k % LAYOUTS, 2);
        spmv_dense z = spread(SPMV_F64, s.A.head.rows, 3, k % LAYOUTS, 2);
        cr_assert_eq(spmv_csr_view_multiply(&f.view, 2, &x, 1, &y, 0, NULL), SPMV_SUCCESS);
        cr_assert_eq(spmv_multiply(&s.A, 2, &x, 1, &z, &csr, NULL, NULL, NULL), SPMV_SUCCESS);
        for (int64_t r = 0; r < y.rows; r++)
            for (int64_t c = 0; c < 3; c++) {
                const int64_t at = spmv_dense_index(&y, r, c);
                cr_assert_eq(((double *)y.data)[at], ((double *)z.data)[at], "%s", s.label);
            }
        free(x.data);
        free(y.data);
        free(z.data);
        foreign_free(&f);
        spmv_destroy(&s.A);
    }
}

/* Every third number is x, every second one y: the strides of a slice of NumPy's. */
Test(csr_view, columns_in_any_order_and_vectors_with_strides)
{
    static const int32_t row_ptr[] = {1, 3, 6, 7};
    static const int64_t col_idx[] = {3, 1, 2, 3, 2, 4};
    static const double val[] = {2, 1, 1, 4, 2, 5}; /* [1 0 2 0; 0 3 4 0; 0 0 0 5] */
    double in[] = {1, -1, -1, 2, -1, -1, 3, -1, -1, 4}, out[] = {10, -1, 20, -1, 30, -1};
    const spmv_csr_view A = {.type = SPMV_F64,
                             .rows = 3,
                             .cols = 4,
                             .nnz = 6,
                             .row_ptr_bits = 32,
                             .col_idx_bits = 64,
                             .index_base = 1,
                             .row_ptr = row_ptr,
                             .col_idx = col_idx,
                             .val = val};
    const spmv_dense x = {
        .type = SPMV_F64, .rows = 4, .cols = 1, .data = in, .by_rows = true, .ld = 3};
    spmv_dense y = {.type = SPMV_F64, .rows = 3, .cols = 1, .data = out, .by_rows = true, .ld = 2};
    static const double expected[] = {17, -1, 38, -1, 50, -1};
    cr_assert_eq(spmv_csr_view_multiply(&A, 1, &x, 1, &y, 1, NULL), SPMV_SUCCESS);
    cr_assert_arr_eq(out, expected, sizeof expected);
}

/* ---- What is refused --------------------------------------------------------------------------
 */

typedef struct bad_view {
    const char *says;
    spmv_status status;
    void (*spoil)(spmv_csr_view *A);
} bad_view;

static const int32_t late[] = {1, 2, 4, 5}, falling[] = {0, 3, 2, 5}, early[] = {0, 2, 4, 4};
static const int32_t negative[] = {0, 2, -1, 2, 3}, beyond[] = {0, 2, 1, 2, 4};
static const int32_t from_1[] = {1, 3, 5, 6};
static const int64_t lowest[] = {1, 3, 2, INT64_MIN, 4};

#define SPOIL(name, change)            \
    static void name(spmv_csr_view *A) \
    {                                  \
        change;                        \
    }
SPOIL(bits, A->row_ptr_bits = 16)
SPOIL(column_bits, A->col_idx_bits = 0)
SPOIL(base, A->index_base = 2)
SPOIL(type, A->type = SPMV_TYPES)
SPOIL(symmetry, A->symmetry = SPMV_SYMMETRIES)
SPOIL(no_rows, A->rows = -1)
SPOIL(no_row_ptr, A->row_ptr = NULL)
SPOIL(no_col_idx, A->col_idx = NULL)
SPOIL(no_val, A->val = NULL)
SPOIL(starts_late, A->row_ptr = late)
SPOIL(falls, A->row_ptr = falling)
SPOIL(ends_early, A->row_ptr = early)
SPOIL(below, A->col_idx = negative)
SPOIL(behind, A->col_idx = beyond)
SPOIL(lowest_of_all, A->index_base = 1; A->row_ptr = from_1; A->col_idx = lowest;
      A->col_idx_bits = 64)
SPOIL(base_behind, A->index_base = 1; A->row_ptr = late; A->col_idx = negative)

static const bad_view bad_views[] = {
    {"row_ptr_bits is 16, not 32 or 64", SPMV_ERROR_INVALID_ARGUMENT, bits},
    {"col_idx_bits is 0, not 32 or 64", SPMV_ERROR_INVALID_ARGUMENT, column_bits},
    {"index_base is 2, not 0 or 1", SPMV_ERROR_INVALID_ARGUMENT, base},
    {"there is no type", SPMV_ERROR_INVALID_ARGUMENT, type},
    {"there is no symmetry", SPMV_ERROR_INVALID_ARGUMENT, symmetry},
    {"there is no matrix of -1 x 4", SPMV_ERROR_INVALID_DIMENSION, no_rows},
    {"the view has no row_ptr", SPMV_ERROR_INVALID_ARGUMENT, no_row_ptr},
    {"the view has no col_idx", SPMV_ERROR_INVALID_ARGUMENT, no_col_idx},
    {"the view has no val", SPMV_ERROR_INVALID_ARGUMENT, no_val},
    {"row_ptr[0] is 1, expected 0", SPMV_ERROR_INVALID_FORMAT, starts_late},
    {"row_ptr falls from 3 to 2 at 2", SPMV_ERROR_INVALID_FORMAT, falls},
    {"row_ptr ends at 4, expected 5 for 5 entries", SPMV_ERROR_INVALID_FORMAT, ends_early},
    {"col_idx[2] is -1, outside 0 .. 3", SPMV_ERROR_INVALID_FORMAT, below},
    {"col_idx[4] is 4, outside 0 .. 3", SPMV_ERROR_INVALID_FORMAT, behind},
    {"row_ptr ends at 5, expected 6 for 5 entries", SPMV_ERROR_INVALID_FORMAT, base_behind},
    {"col_idx[3] is -9223372036854775808, outside 1 .. 4", SPMV_ERROR_INVALID_FORMAT,
     lowest_of_all},
};

static spmv_csr_view example(void)
{
    static const int32_t row_ptr[] = {0, 2, 4, 5}, col_idx[] = {0, 2, 1, 2, 3};
    static const double val[] = {1, 2, 3, 4, 5};
    return (spmv_csr_view){.type = SPMV_F64,
                           .rows = 3,
                           .cols = 4,
                           .nnz = 5,
                           .row_ptr_bits = 32,
                           .col_idx_bits = 32,
                           .row_ptr = row_ptr,
                           .col_idx = col_idx,
                           .val = val};
}

Test(csr_view, what_is_no_matrix_is_refused)
{
    for (size_t i = 0; i < sizeof bad_views / sizeof bad_views[0]; i++) {
        spmv_csr_view A = example();
        spmv_csr out;
        spmv_error err;
        bad_views[i].spoil(&A);
        cr_expect_eq(spmv_csr_view_check(&A, &err), bad_views[i].status, "%s", bad_views[i].says);
        cr_expect_not_null(strstr(err.message, bad_views[i].says), "«%s» for «%s»", err.message,
                           bad_views[i].says);
        cr_expect_eq(spmv_csr_from_view(&out, &A, NULL), bad_views[i].status);
        cr_expect(out.row_ptr == NULL && out.storage == NULL);
    }
    cr_assert_eq(spmv_csr_view_check(NULL, NULL), SPMV_ERROR_INVALID_ARGUMENT);
}

Test(csr_view, what_does_not_fit_computes_nothing)
{
    double in[8] = {0}, out[8] = {9, 9, 9, 9, 9, 9, 9, 9};
    const spmv_dense x = {.type = SPMV_F64, .rows = 4, .cols = 1, .data = in};
    const spmv_dense y = {.type = SPMV_F64, .rows = 3, .cols = 1, .data = out};
    spmv_dense longer = x, narrow = y, there = y, within = y, single = x;
    spmv_csr_view A = example();
    spmv_error err;
    longer.rows = 5;
    cr_assert_eq(spmv_csr_view_multiply(&A, 1, &longer, 0, &narrow, 1, &err),
                 SPMV_ERROR_INVALID_DIMENSION);
    cr_assert_str_eq(err.message, "A is 3 x 4, but x is 5 x 1 and y is 3 x 1");
    narrow.ld = 2;
    cr_assert_eq(spmv_csr_view_multiply(&A, 1, &x, 0, &narrow, 1, &err),
                 SPMV_ERROR_INVALID_DIMENSION);
    cr_assert_str_eq(err.message, "y has the leading dimension 2, and 3 rows");
    narrow.ld = -1;
    cr_assert_eq(spmv_csr_view_multiply(&A, 1, &x, 0, &narrow, 1, &err),
                 SPMV_ERROR_INVALID_DIMENSION);
    cr_assert_str_eq(err.message, "y has the leading dimension -1, and 3 rows");
    there.on_gpu = true;
    cr_assert_eq(spmv_csr_view_multiply(&A, 1, &x, 0, &there, 1, &err),
                 SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_str_eq(err.message, "y is on the GPU, the view on the CPU");
    within.data = in + 3;
    cr_assert_eq(spmv_csr_view_multiply(&A, 1, &x, 0, &within, 1, &err),
                 SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_str_eq(err.message, "x and y overlap");
    single.type = SPMV_F32;
    cr_assert_eq(spmv_csr_view_multiply(&A, 1, &single, 0, &narrow, 1, &err),
                 SPMV_ERROR_INVALID_ARGUMENT);
    A.cols = A.rows = 4;
    A.symmetry = SPMV_SYMMETRIC;
    cr_assert_eq(spmv_csr_view_multiply(&A, 1, &x, 0, &longer, 1, &err), SPMV_ERROR_UNSUPPORTED);
    for (int i = 0; i < 8; i++) cr_assert_eq(out[i], 9);
}

/* ---- A matrix of it ---------------------------------------------------------------------------
 */

/* The same entries, of which only what had to change was copied; and the caller's arrays stay. */
Test(csr_view, a_matrix_borrows_what_fits)
{
    for (int k = 0; k < TEST_CASES; k++) {
        test_sample s = test_sample_make(k, k % 2 ? SPMV_F32 : SPMV_PATTERN, 0);
        const spmv_csr *A = &s.A.csr;
        foreign f = foreign_sample(A, k);
        const bool base = f.view.index_base == 1;
        spmv_csr B;
        spmv_error err;
        cr_assert_eq(spmv_csr_from_view(&B, &f.view, &err), SPMV_SUCCESS, "%s: %s", s.label,
                     err.message);
        cr_assert(B.type == A->type && B.rows == A->rows && B.cols == A->cols && B.nnz == A->nnz);
        cr_assert_arr_eq(B.row_ptr, A->row_ptr, (size_t)(A->rows + 1) * sizeof *A->row_ptr);
        if (A->nnz > 0)
            cr_assert_arr_eq(B.col_idx, A->col_idx, (size_t)A->nnz * sizeof *A->col_idx);
        cr_assert_eq(B.val, f.view.val);
        cr_assert_eq(B.row_ptr == f.view.row_ptr, f.view.row_ptr_bits == 64 && !base);
        cr_assert_eq(B.col_idx == f.view.col_idx, f.view.col_idx_bits == 32 && !base);
        spmv_csr_destroy(&B);
        cr_assert_eq(spmv_csr_view_check(&f.view, NULL), SPMV_SUCCESS, "%s", s.label);
        foreign_free(&f);
        spmv_destroy(&s.A);
    }
}

Test(csr_view, a_matrix_wants_columns_that_ascend_and_fit)
{
    static const int32_t descending[] = {2, 0, 1, 2, 3};
    spmv_csr_view A = example();
    spmv_csr out;
    spmv_error err;
    A.col_idx = descending;
    cr_assert_eq(spmv_csr_from_view(&out, &A, &err), SPMV_ERROR_INVALID_FORMAT);
    cr_assert_str_eq(err.message, "entry 1 at row 0, column 0 is out of order in 3 x 4");
    A = example();
    A.cols = (int64_t)1 << 40;
    cr_assert_eq(spmv_csr_view_check(&A, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_csr_from_view(&out, &A, &err), SPMV_ERROR_INVALID_DIMENSION);
}

/* ---- Borrowed arrays --------------------------------------------------------------------------
 */

/* Neither is malloc'ed: freeing them would end the process. */
Test(csr_view, what_is_borrowed_is_not_freed)
{
    int64_t row_ptr[] = {0, 1};
    int32_t col_idx[] = {0};
    double val[] = {7};
    spmv_csr A = {SPMV_F64, SPMV_GENERAL, 1, 1, 1, SPMV_BORROWED, row_ptr, col_idx, val};
    spmv_dense x = {.type = SPMV_F64, .rows = 1, .cols = 1, .data = val, .storage = SPMV_BORROWED};
    cr_assert_eq(spmv_borrowed(), spmv_borrowed());
    spmv_csr_destroy(&A);
    spmv_dense_destroy(&x);
    cr_assert(A.val == NULL && x.data == NULL && val[0] == 7);
}
