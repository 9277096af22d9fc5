/* gpu_spmm_test.c -- several vectors stored by rows, on the GPU. */
#include "core/base/random.h"
#include "core/matrix/value.h"
#include "cuda/kernels/gpu_test.h"

#include <math.h>
#include <string.h>

TestSuite(gpu_spmm, .init = gpu_test_open, .fini = gpu_test_close);

/* Few and many, even and odd, around what a warp takes at once. */
static const int64_t counts[] = {2, 3, 4, 7, 8, 16, 33, 64, 127, 128, 129, 130};
enum { COUNTS = sizeof counts / sizeof counts[0] };
static const spmv_scalar factors[] = {{1, 0}, {0, 0}, {-2.5, 0}, {0.5, -2}};

static spmv_dense vectors(spmv_type type, int64_t rows, int64_t cols)
{
    spmv_dense x = gpu_test_vector(type, rows, cols, 3);
    x.by_rows = true;
    return x;
}

static const char *const kernels[] = {"csr-merge", "csr-groups"};
enum { KERNELS = sizeof kernels / sizeof kernels[0] };

/* Asks in way number n of all. */
static void check(const spmv_matrix *A, spmv_type vector, int64_t count, int n, const char *label)
{
    const int some = spmv_type_is_complex(vector) ? 4 : 3;
    gpu_test_case c = {{0},        vector, count, factors[n % some], factors[(n / some + 1) % some],
                       n % 2 == 1, label};
    spmv_dense x = vectors(vector, A->head.cols, count);
    for (int k = 0; k < KERNELS; k++) {
        c.options.kernel = kernels[k];
        spmv_dense y = gpu_test_multiply(A, &x, &c);
        cr_assert_not_null(y.data);
        spmv_dense_destroy(&y);
    }
    spmv_dense_destroy(&x);
}

/* 100 matrices for each pair of types, or a ninth of that, with every number of vectors in turn. */
Test(gpu_spmm, equals_the_reference)
{
    for (int n = 0; n<TEST_CASES * TEST_TYPES; n += GPU_TEST_SHARE> 1 ? 9 : 1) {
        const test_types types = test_types_of[n % TEST_TYPES];
        test_sample s = test_sample_make(n / TEST_TYPES, types.type, TEST_SMALL_CELLS);
        check(&s.A, types.x_type, counts[n % COUNTS], n / 7, s.label);
        spmv_destroy(&s.A);
    }
}

/* ---- Rows that are awkward to divide ----------------------------------------------------------
 */

static int64_t mixed(int64_t r)
{
    return r % 400 == 7 ? 700 + r / 10 : r % 900 < 300 ? 0 : r % 7;
}
static int64_t uneven(int64_t r)
{
    return r % 200 == 7 ? 400 + r : r % 23;
}
static int64_t around_a_tile(int64_t r)
{
    return 246 + r;
}
static int64_t one_huge_row(int64_t r)
{
    return r == 10 ? 200000 / GPU_TEST_SHARE : r % 2;
}
static int64_t even(int64_t r)
{
    return 10 + r % 3;
}
static int64_t no_entries(int64_t r)
{
    return 0 * r;
}

static const struct {
    const char *label;
    int64_t rows, cols;
    int64_t (*length)(int64_t r);
} shapes[] = {
    {"no rows", 0, 7, no_entries},
    {"no columns", 7, 0, no_entries},
    {"empty rows", 1000, 3, no_entries},
    {"around a tile", 9, 300, around_a_tile},
    {"mixed", 1500, 3000, mixed},
    {"uneven", 607, 3000, uneven},
    {"one huge row", 40, 200000 / GPU_TEST_SHARE, one_huge_row},
    {"even", 207, 150, even},
    {"even and scattered", 207, 40000, even},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

Test(gpu_spmm, awkward_shapes)
{
    for (int s = 0, n = 0; s < SHAPES; s++)
        for (int t = 0; t < TEST_TYPES; t++, n++) {
            const test_types types = test_types_of[t];
            if (GPU_TEST_SHARE > 1 && (t + s) % 4 != 0) continue;
            spmv_matrix A =
                gpu_test_rows(types.type, shapes[s].rows, shapes[s].cols, shapes[s].length);
            check(&A, types.x_type, counts[n % COUNTS], n, shapes[s].label);
            spmv_destroy(&A);
        }
}

/* ---- Rows that share columns -------------------------------------------------------------------
 */

/* Makes rows in bundles of `bundle`, the last one cut off, whose rows have the same `length`
 * columns; but every `odd`-th row has one column less, which is another one each time. */
static spmv_matrix bundles(spmv_type type, int64_t rows, int64_t cols, int64_t bundle,
                           int64_t length, int64_t odd)
{
    spmv_matrix A = {.format = SPMV_CSR};
    int64_t p = 0;
    cr_assert_eq(spmv_csr_create(&A.csr, type, rows, cols, rows * length - rows / odd, NULL),
                 SPMV_SUCCESS);
    for (int64_t r = 0; r < rows; r++) {
        const bool shorter = r % odd == odd - 1;
        for (int64_t k = 0; k < length; k++) {
            if (shorter && k == r % length) continue;
            A.csr.col_idx[p] = (int32_t)((k * cols + r / bundle * 7919 % cols) / length);
            spmv__set_scalar(type, A.csr.val, p,
                             spmv__number(2 * spmv__uniform(7, (uint64_t)p) - 1,
                                          2 * spmv__uniform(8, (uint64_t)p) - 1));
            p++;
        }
        A.csr.row_ptr[r + 1] = p;
    }
    test_assert_valid(&A, "rows that share columns");
    return A;
}

static const struct {
    const char *label, *kernel; /* that multiplies when csr-groups was asked for */
    int64_t rows, cols, bundle, length, odd;
} shared[] = {
    {"all columns", "csr-groups", 67, 40, 1000, 40, 1000},
    {"long rows", "csr-groups", 18, 5000, 1000, 700, 5},
    {"pairs", "csr-merge", 400, 300, 2, 20, 1000},
    {"threes across groups", "csr-merge", 399, 3000, 3, 12, 1000},
    {"fours", "csr-groups", 401, 3000, 4, 9, 7},
    {"sixes across groups", "csr-groups", 402, 3000, 6, 30, 11},
    {"sixteens of 250", "csr-groups", 64, 4000, 16, 250, 3},
    {"one row", "csr-merge", 1, 500, 1, 77, 1000},
    {"single columns", "csr-groups", 1003, 1, 1000, 1, 2000},
};
enum { SHARED = sizeof shared / sizeof shared[0] };

Test(gpu_spmm, rows_that_share_columns)
{
    for (int s = 0, n = 0; s < SHARED; s++)
        for (int t = 0; t < TEST_TYPES; t++, n++) {
            const test_types types = test_types_of[t];
            if (GPU_TEST_SHARE > 1 && (t + s) % 4 != 0) continue;
            spmv_matrix A = bundles(types.type, shared[s].rows, shared[s].cols, shared[s].bundle,
                                    shared[s].length, shared[s].odd);
            check(&A, types.x_type, counts[5 + n % (COUNTS - 5)], n, shared[s].label);
            check(&A, types.x_type, counts[n % COUNTS], n + 1, shared[s].label);
            spmv_destroy(&A);
        }
}

/* Groups are made where they pay, and only there. */
Test(gpu_spmm, groups_are_made_of_rows_that_share)
{
    const spmv_kernel_options options = {.kernel = "csr-groups"};
    for (int s = 0; s < SHARED; s++) {
        spmv_operator *op;
        spmv_matrix A = bundles(SPMV_F32, shared[s].rows, shared[s].cols, shared[s].bundle,
                                shared[s].length, shared[s].odd);
        cr_assert_eq(spmv_operator_create(&op, gpu_context, &A, &options, NULL), SPMV_SUCCESS);
        cr_expect_str_eq(spmv_operator_kernel(op, SPMV_F32), shared[s].kernel, "%s",
                         shared[s].label);
        spmv_operator_destroy(op);
        spmv_destroy(&A);
    }
}

/* ---- What holds for both -----------------------------------------------------------------------
 */

/* An operator serves any number of vectors in any order, on the GPU also where they do not begin
 * at a multiple of 16 bytes. */
Test(gpu_spmm, one_operator_for_all)
{
    static const int64_t order[] = {4, 1, 33, 2, 8};
    spmv_matrix A = gpu_test_rows(SPMV_F32, 600, 900, mixed);
    const spmv_kernel_options options = {.kernel = "csr-merge"};
    spmv_operator *op;
    cr_assert_eq(spmv_operator_create(&op, gpu_context, &A, &options, NULL), SPMV_SUCCESS);
    for (int i = 0; i < 5; i++) {
        spmv_verification v;
        spmv_dense x = vectors(SPMV_F32, 900, order[i]), y = vectors(SPMV_F32, 600, order[i]);
        spmv_dense longer = vectors(SPMV_F32, 900 * order[i] + 1, 1), on_gpu, result, back;
        memcpy((float *)longer.data + 1, x.data, (size_t)(900 * order[i]) * sizeof(float));
        cr_assert_eq(spmv_dense_to_gpu(&on_gpu, gpu_context, &longer, NULL), SPMV_SUCCESS);
        cr_assert_eq(spmv_dense_to_gpu(&result, gpu_context, &y, NULL), SPMV_SUCCESS);
        const spmv_dense odd = {SPMV_F32, 900,  order[i], (float *)on_gpu.data + 1,
                                true,     true, NULL,     0};
        cr_assert_eq(spmv_apply(op, 1, &odd, 0, &result, NULL, NULL), SPMV_SUCCESS);
        cr_assert_eq(spmv_dense_from_gpu(&back, gpu_context, &result, NULL), SPMV_SUCCESS);
        cr_assert(back.by_rows);
        cr_assert_eq(spmv_verify(&A, 1, &x, 0, NULL, &back, &v, NULL), SPMV_SUCCESS);
        cr_assert(v.pass, "%lld vectors: row %lld is off by %g", (long long)order[i],
                  (long long)v.worst_row, v.scaled_error);
        spmv_dense_destroy(&x);
        spmv_dense_destroy(&y);
        spmv_dense_destroy(&longer);
        spmv_dense_destroy(&on_gpu);
        spmv_dense_destroy(&result);
        spmv_dense_destroy(&back);
    }
    spmv_operator_destroy(op);
    spmv_destroy(&A);
}

/* The products of vectors by columns one by one, or where they are many those of the same vectors
 * by rows: by columns again. */
static spmv_dense products(const spmv_matrix *A, const spmv_dense *x, gpu_test_case c)
{
    spmv_dense y, other, again;
    if (x->cols >= 4) {
        cr_assert_eq(spmv_dense_reorder(&other, x, true, NULL), SPMV_SUCCESS);
        again = gpu_test_multiply(A, &other, &c);
        cr_assert_eq(spmv_dense_reorder(&y, &again, false, NULL), SPMV_SUCCESS);
        spmv_dense_destroy(&other);
        spmv_dense_destroy(&again);
        return y;
    }
    const size_t size = spmv_type_size(x->type), bytes = (size_t)A->head.rows * size;
    cr_assert_eq(spmv_dense_create(&y, x->type, A->head.rows, x->cols, NULL), SPMV_SUCCESS);
    c.columns = 1;
    for (int64_t k = 0; k < x->cols; k++) {
        other = (spmv_dense){.type = x->type, .rows = x->rows, .cols = 1, .storage = SPMV_BORROWED};
        other.data = (char *)x->data + (size_t)(k * x->rows) * size;
        again = gpu_test_multiply(A, &other, &c);
        memcpy((char *)y.data + (size_t)k * bytes, again.data, bytes);
        spmv_dense_destroy(&again);
    }
    return y;
}

/* csr-groups multiplies vectors by columns as it does single ones, or many as it does by rows. */
static void check_columns(const spmv_matrix *A, spmv_type vector, int64_t count, int n,
                          const char *label)
{
    gpu_test_case c = {
        {.kernel = "csr-groups"}, vector, count, {1.5, 0}, {0, 0}, n % 2 == 0, label};
    spmv_dense x = gpu_test_vector(vector, A->head.cols, count, 3);
    spmv_dense y = gpu_test_multiply(A, &x, &c), expected = products(A, &x, c);
    cr_assert_arr_eq(y.data, expected.data, (size_t)(A->head.rows * count) * spmv_type_size(vector),
                     "%s, %lld", label, (long long)count);
    spmv_dense_destroy(&y);
    c.beta = (spmv_scalar){-0.5, 0};
    y = gpu_test_multiply(A, &x, &c);
    spmv_dense_destroy(&x);
    spmv_dense_destroy(&expected);
    spmv_dense_destroy(&y);
}

Test(gpu_spmm, vectors_by_columns)
{
    static const int64_t columns[] = {2, 3, 4, 5, 16, 31, 32, 33, 70};
    enum { COLUMNS = sizeof columns / sizeof columns[0] };
    const int step = GPU_TEST_SHARE > 1 ? COLUMNS : 1;
    for (int t = 0, n = 0; t < TEST_TYPES; t++)
        for (int i = t % step; i < COLUMNS; i += step, n++) {
            const test_types types = test_types_of[t];
            spmv_matrix A = gpu_test_rows(types.type, 411, 1500, mixed);
            spmv_matrix B = bundles(types.type, 67, 97, 16, 40, 7);
            check_columns(&A, types.x_type, columns[i], n, "mixed");
            check_columns(&B, types.x_type, columns[i], n + 1, "bundles");
            spmv_destroy(&A);
            spmv_destroy(&B);
        }
}

static void check_bits(const spmv_matrix *A, const char *kernel)
{
    for (int k = 0; k<COUNTS; k += GPU_TEST_SHARE> 1 ? 4 : 1) {
        const gpu_test_case c = {
            {.kernel = kernel}, SPMV_F32, counts[k], {1.5, 0}, {0, 0}, false, kernel};
        spmv_dense x = vectors(SPMV_F32, A->head.cols, counts[k]);
        spmv_dense first = gpu_test_multiply(A, &x, &c);
        for (int i = 0; i < 20 / GPU_TEST_SHARE; i++) {
            spmv_dense y = gpu_test_multiply(A, &x, &c);
            cr_assert_arr_eq(y.data, first.data, (size_t)(y.rows * y.cols) * sizeof(float));
            spmv_dense_destroy(&y);
        }
        spmv_dense_destroy(&first);
        spmv_dense_destroy(&x);
    }
}

Test(gpu_spmm, the_same_bits_every_time)
{
    spmv_matrix A = gpu_test_rows(SPMV_F32, 1500, 3000, mixed);
    spmv_matrix B = bundles(SPMV_F32, 150, 4000, 30, 600, 7);
    check_bits(&A, "csr-merge");
    check_bits(&B, "csr-groups");
    spmv_destroy(&A);
    spmv_destroy(&B);
}

/* Infinity and NaN reach the elements that meet them, and no other. */
static void check_nan(const spmv_matrix *A, const char *kernel, int64_t column)
{
    const gpu_test_case c = {{.kernel = kernel}, SPMV_F64, 16, {1, 0}, {0, 0}, false, kernel};
    spmv_dense x = vectors(SPMV_F64, 1500, 16);
    ((double *)x.data)[column * 16 + 1] = INFINITY;
    ((double *)x.data)[(column + 1) * 16 + 4] = NAN;
    spmv_dense y = gpu_test_multiply(A, &x, &c);
    cr_assert_not_null(y.data);
    spmv_dense_destroy(&x);
    spmv_dense_destroy(&y);
}

Test(gpu_spmm, nan_and_infinity_stay_in_their_place)
{
    spmv_matrix A = gpu_test_rows(SPMV_F64, 1000, 1500, mixed);
    spmv_matrix B = bundles(SPMV_F64, 100, 1500, 100, 1500, 3);
    check_nan(&A, "csr-merge", 700);
    check_nan(&B, "csr-groups", 5); /* which row 5 lacks, and its neighbours have */
    spmv_destroy(&A);
    spmv_destroy(&B);
}

Test(gpu_spmm, kernels_that_take_no_rows_say_so)
{
    const spmv_kernel_options options = {.kernel = "csr-vector"};
    spmv_matrix A = gpu_test_rows(SPMV_F64, 10, 300, around_a_tile);
    spmv_dense x = vectors(SPMV_F64, 300, 2), y = vectors(SPMV_F64, 10, 2);
    spmv_error err;
    cr_assert_eq(spmv_multiply(&A, 1, &x, 0, &y, &options, gpu_context, NULL, &err),
                 SPMV_ERROR_UNSUPPORTED);
    cr_assert_not_null(strstr(err.message, "csr-vector takes no vectors stored by rows"));
    spmv_dense_destroy(&x);
    spmv_dense_destroy(&y);
    spmv_destroy(&A);
}
