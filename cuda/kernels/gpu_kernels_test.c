/* gpu_kernels_test.c -- every GPU kernel in the list computes what it promises. */
#include "core/csell/csell_twins_test.h"
#include "core/matrix/value.h"
#include "cuda/kernels/gpu_test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

TestSuite(gpu_kernels, .init = gpu_test_open, .fini = gpu_test_close);

/* Returns the next GPU kernel after number *i of the list, or NULL. */
static const spmv_kernel *next_kernel(int *i)
{
    const spmv_kernel *kernel;
    do kernel = spmv_kernel_at((*i)++);
    while (kernel != NULL && !(kernel->gpu && kernel->available));
    return kernel;
}

/* |y - y_cpu| / |y_cpu| < 1e-6 wherever y_cpu is not 0. */
static void assert_near_cpu(const spmv_dense *y, const spmv_dense *cpu, const char *kernel,
                            const char *label)
{
    for (int64_t r = 0; r < y->rows; r++) {
        const spmv_scalar a = spmv__scalar(y->type, y->data, r);
        const spmv_scalar b = spmv__scalar(y->type, cpu->data, r);
        const double error = hypot(a.re - b.re, a.im - b.im), size = hypot(b.re, b.im);
        cr_assert(size == 0 ? error < 1e-12 : error < 1e-6 * size,
                  "%s: %s gives %.17g %.17g in row %lld, the CPU %.17g %.17g", label, kernel, a.re,
                  a.im, (long long)r, b.re, b.im);
    }
}

static void check_all_kernels(const spmv_matrix *A, spmv_type vector, const char *label)
{
    const spmv_kernel *kernel;
    spmv_dense x = gpu_test_vector(vector, A->head.cols, 1, 3), cpu, y;
    cr_assert_eq(spmv_dense_create(&cpu, vector, A->head.rows, 1, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_multiply(A, 1, &x, 0, &cpu, NULL, NULL, NULL, NULL), SPMV_SUCCESS);
    for (int i = 0; (kernel = next_kernel(&i)) != NULL;) {
        const gpu_test_case c = {{.kernel = kernel->name, .vector_type = vector},
                                 vector,
                                 1,
                                 {1, 0},
                                 {0, 0},
                                 false,
                                 label};
        y = gpu_test_multiply(A, &x, &c);
        if (y.data != NULL) assert_near_cpu(&y, &cpu, kernel->name, label);
        spmv_dense_destroy(&y);
    }
    spmv_dense_destroy(&x);
    spmv_dense_destroy(&cpu);
}

/* There are 100 matrices for each type; all kernels agree with the CPU, and so with each other. */
static void properties_8_and_9(test_types types)
{
    for (int k = 0; k < TEST_CASES / GPU_TEST_SHARE; k++) {
        test_sample s = test_sample_make(k, types.type, 0);
        check_all_kernels(&s.A, types.x_type, s.label);
        spmv_destroy(&s.A);
    }
}
#define X(name, type, x_type)                           \
    Test(gpu_kernels, properties_8_and_9_##name)        \
    {                                                   \
        properties_8_and_9((test_types){type, x_type}); \
    }
SPMV__TYPES_TABLE(X)
#undef X

/* ---- Shapes that are awkward to divide ------------------------------------------------------ */

enum { HUGE_ROW = 1000000 / GPU_TEST_SHARE, MANY = 100000 / GPU_TEST_SHARE };

static int64_t no_entries(int64_t r)
{
    return 0 * r;
}
static int64_t one_entry(int64_t r)
{
    return 1 + 0 * r;
}
static int64_t around_a_warp(int64_t r)
{
    return 31 + r % 3;
}
/* Slices would be padding for one row in a thousand, which is not so long that it is apart. */
static int64_t some_longer(int64_t r)
{
    return r % 1000 == 7 ? 250 : 1;
}

static int64_t around_a_tile(int64_t r)
{
    return 1500 + r;
}
static int64_t every_length(int64_t r)
{
    return r;
}
static int64_t one_in_a_hundred(int64_t r)
{
    return r % 100 == 99 ? 3 : 0;
}
static int64_t one_huge_row(int64_t r)
{
    return r == 1000 ? HUGE_ROW : r % 4;
}
static int64_t first_and_last(int64_t r)
{
    return r == 0 || r == 4999 ? HUGE_ROW / 5 : 0;
}

static const struct {
    const char *label;
    int64_t rows, cols;
    int64_t (*length)(int64_t r);
} shapes[] = {
    {"0 x 0", 0, 0, no_entries},
    {"no rows", 0, 7, no_entries},
    {"no columns", 7, 0, no_entries},
    {"1 x 1", 1, 1, one_entry},
    {"all rows empty", 5000, 10, no_entries},
    {"a column", 3000, 1, one_entry},
    {"31, 32, 33", 3000, 100, around_a_warp},
    {"around a tile", MANY / 160, 4000, around_a_tile},
    {"0, 1, 2, ...", 100 + MANY / 100, 1200, every_length},
    {"mostly empty", MANY, 50, one_in_a_hundred},
    {"one huge row", 3000, HUGE_ROW, one_huge_row},
    {"long first and last row", 5000, HUGE_ROW / 5, first_and_last},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

/* Groups of rows, of any size and anywhere, have the same columns, or most of the same. */
Test(gpu_kernels, rows_that_are_alike)
{
    for (int k = 0; k < 3 * TEST_CASES / GPU_TEST_SHARE; k++) {
        const test_types types = test_types_of[k % TEST_TYPES];
        char label[32];
        snprintf(label, sizeof label, "rows that are alike %d", k);
        spmv_matrix A = alike(types.type, (uint64_t)k);
        check_all_kernels(&A, types.x_type, label);
        spmv_destroy(&A);
    }
}

Test(gpu_kernels, awkward_shapes)
{
    for (int s = 0; s < SHAPES; s++)
        for (int t = 0; t < TEST_TYPES; t++) {
            if (GPU_TEST_SHARE > 1 && (s + t) % 3 != 0) continue;
            spmv_matrix A = gpu_test_rows(test_types_of[t].type, shapes[s].rows, shapes[s].cols,
                                          shapes[s].length);
            check_all_kernels(&A, test_types_of[t].x_type, shapes[s].label);
            spmv_destroy(&A);
        }
}

/* The result is y = alpha 0 + beta y: no kernel runs where that is 0, and NaN for an infinite
 * alpha. */
Test(gpu_kernels, a_matrix_without_entries)
{
    static const double scalars[] = {0, 1, -0.5, INFINITY};
    const spmv_kernel *kernel;
    spmv_matrix A = gpu_test_rows(SPMV_F64, 100, 10, no_entries);
    spmv_dense x = gpu_test_vector(SPMV_F64, 10, 2, 9);
    for (int i = 0; (kernel = next_kernel(&i)) != NULL;)
        for (int n = 0; n < 32; n++) {
            const spmv_scalar alpha = {scalars[n / 8], 0}, beta = {scalars[n / 2 % 4], 0};
            const gpu_test_case c = {
                {.kernel = kernel->name}, SPMV_F64, 2, alpha, beta, n % 2 == 0, "no entries"};
            spmv_dense y = gpu_test_multiply(&A, &x, &c);
            cr_assert_not_null(y.data);
            spmv_dense_destroy(&y);
        }
    spmv_dense_destroy(&x);
    spmv_destroy(&A);
}

static int64_t two_in_three(int64_t r)
{
    return r % 3 == 0 ? 0 : 2;
}

/* alpha 0 is NaN in rows without entries, too, where others have some. */
Test(gpu_kernels, an_infinite_alpha_reaches_empty_rows)
{
    const spmv_kernel *kernel;
    spmv_matrix A = gpu_test_rows(SPMV_F32, 3000, 500, two_in_three);
    spmv_dense x = gpu_test_vector(SPMV_F32, 500, 1, 9);
    for (int i = 0; (kernel = next_kernel(&i)) != NULL;) {
        const gpu_test_case c = {
            {.kernel = kernel->name}, SPMV_F32, 1, {INFINITY, 0}, {0, 0}, false, "empty rows"};
        spmv_dense y = gpu_test_multiply(&A, &x, &c);
        cr_assert_not_null(y.data);
        for (int64_t r = 0; r < 3000; r += 3)
            cr_assert(isnan(((const float *)y.data)[r]), "%s: row %lld", kernel->name,
                      (long long)r);
        spmv_dense_destroy(&y);
    }
    spmv_dense_destroy(&x);
    spmv_destroy(&A);
}

/* ---- Every way to ask ------------------------------------------------------------------------ */

static int64_t mixed(int64_t r)
{
    return r % 50 == 7 ? 900 : r % 7;
}

Test(gpu_kernels, scalars_columns_places_and_block_sizes)
{
    static const spmv_scalar scalars[] = {{0, 0}, {1, 0}, {-2.5, 0}, {0.5, -2}};
    const spmv_kernel *kernel;
    for (int t = 0; t < TEST_TYPES; t++) {
        const spmv_type vector = test_types_of[t].x_type;
        const int count = spmv_type_is_complex(vector) ? 4 : 3;
        spmv_matrix A = gpu_test_rows(test_types_of[t].type, 1000, 1500, mixed);
        spmv_dense x = gpu_test_vector(vector, 1500, 3, 9);
        for (int i = 0; (kernel = next_kernel(&i)) != NULL;)
            for (int block = 32, n = i + t; block <= 1024; block *= 2)
                for (int ab = 0; ab < count * count; ab++, n++) {
                    if (n % (2 * GPU_TEST_SHARE - 1) != 0) continue;
                    const gpu_test_case c = {
                        {.kernel = kernel->name, .block_size = block, .x_readonly = n % 2 == 1},
                        vector,
                        3,
                        scalars[ab / count],
                        scalars[ab % count],
                        n % 4 < 2,
                        "mixed"};
                    spmv_dense y = gpu_test_multiply(&A, &x, &c);
                    cr_assert_not_null(y.data);
                    spmv_dense_destroy(&y);
                }
        spmv_dense_destroy(&x);
        spmv_destroy(&A);
    }
}

/* Infinity and NaN reach the rows that meet them, and no other. */
static void infinite(spmv_type type, spmv_type vector)
{
    const spmv_kernel *kernel;
    spmv_matrix A = gpu_test_rows(type, 1000, 1500, mixed);
    spmv_dense x = gpu_test_vector(vector, 1500, 1, 9);
    spmv__set_scalar(vector, x.data, 700, spmv__number(INFINITY, 1));
    spmv__set_scalar(vector, x.data, 701, spmv__number(1, NAN));
    spmv__set_scalar(vector, x.data, 702, spmv__number(NAN, 1));
    spmv__set_scalar(type, A.csr.val, A.csr.row_ptr[5], spmv__number(-INFINITY, 0));
    for (int i = 0; (kernel = next_kernel(&i)) != NULL;) {
        const gpu_test_case c = {{.kernel = kernel->name}, vector, 1, {1, 0}, {0, 0}, false, "NaN"};
        spmv_dense y = gpu_test_multiply(&A, &x, &c);
        cr_assert_not_null(y.data);
        spmv_dense_destroy(&y);
    }
    spmv_dense_destroy(&x);
    spmv_destroy(&A);
}

Test(gpu_kernels, nan_and_infinity_stay_in_their_rows)
{
    infinite(SPMV_F64, SPMV_F64);
    infinite(SPMV_F64, SPMV_C128);
    infinite(SPMV_C128, SPMV_C128);
}

/* ---- The same bits every time ---------------------------------------------------------------- */

static void assert_repeatable(const spmv_matrix *A, const spmv_kernel *kernel, const char *label)
{
    const spmv_type type = A->head.type;
    const size_t bytes = (size_t)A->head.rows * spmv_type_size(type);
    const gpu_test_case c = {{.kernel = kernel->name}, type, 1, {1.5, 0}, {0, 0}, false, label};
    spmv_dense x = gpu_test_vector(type, A->head.cols, 1, 4);
    spmv_dense first = gpu_test_multiply(A, &x, &c);
    for (int i = 1; i <= 20 / GPU_TEST_SHARE && first.data != NULL; i++) {
        spmv_dense y = gpu_test_multiply(A, &x, &c);
        cr_assert_arr_eq(y.data, first.data, bytes, "%s: %s, run %d", label, kernel->name, i);
        spmv_dense_destroy(&y);
    }
    spmv_dense_destroy(&first);
    spmv_dense_destroy(&x);
}

Test(gpu_kernels, deterministic_kernels_repeat_bit_by_bit)
{
    const spmv_kernel *kernel;
    for (int k = 1; k < 9; k++) {
        test_sample s = test_sample_make(k, k % 2 ? SPMV_F32 : SPMV_C64, 0);
        for (int i = 0; (kernel = next_kernel(&i)) != NULL;)
            if (kernel->deterministic) assert_repeatable(&s.A, kernel, s.label);
        spmv_destroy(&s.A);
    }
}

static int64_t some_enormous(int64_t r)
{
    return r % 50 == 7 ? 600 : 2;
}

/* Whatever way a kernel takes to a row, y is rounded once. */
Test(gpu_kernels, y_is_rounded_once)
{
    enum { ROWS = 2000, COLS = 3000 };
    spmv_matrix A = gpu_test_rows(SPMV_F32, ROWS, COLS, some_enormous);
    const spmv_kernel *kernel;
    spmv_dense x, y;
    cr_assert_eq(spmv_dense_create(&x, SPMV_F32, COLS, 1, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_dense_create(&y, SPMV_F32, ROWS, 1, NULL), SPMV_SUCCESS);
    for (int64_t c = 0; c < COLS; c++) ((float *)x.data)[c] = 1;
    for (int64_t p = 0; p < A.csr.nnz; p++) ((float *)A.csr.val)[p] = 0x1p-31f;
    for (int i = 0; (kernel = next_kernel(&i)) != NULL;) {
        const spmv_kernel_options options = {.kernel = kernel->name};
        spmv_operator *op;
        if (kernel->format != SPMV_CSR) continue;
        for (int64_t r = 0; r < ROWS; r++) ((float *)y.data)[r] = 1 + (float)r * 0x1p-20f;
        cr_assert_eq(spmv_operator_create(&op, gpu_context, &A, &options, NULL), SPMV_SUCCESS);
        cr_assert_eq(spmv_apply(op, 1, &x, 1 / 3., &y, NULL, NULL), SPMV_SUCCESS);
        for (int64_t r = 0; r < ROWS; r++) {
            const double before = 1 + (double)r * 0x1p-20, sum = (double)some_enormous(r) * 0x1p-31;
            cr_assert_eq(((float *)y.data)[r], (float)(before / 3 + sum), "%s, row %lld",
                         kernel->name, (long long)r);
        }
        spmv_operator_destroy(op);
    }
    spmv_dense_destroy(&x);
    spmv_dense_destroy(&y);
    spmv_destroy(&A);
}

/* ---- Which kernel it was --------------------------------------------------------------------- */

static void assert_multiplies_with(const spmv_matrix *A, spmv_kernel_options options,
                                   spmv_type vector, const char *expected)
{
    spmv_operator *op;
    spmv_result result;
    spmv_dense x = gpu_test_vector(vector, A->head.cols, 1, 3), y;
    cr_assert_eq(spmv_dense_create(&y, vector, A->head.rows, 1, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_operator_create(&op, gpu_context, A, &options, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_apply(op, 1, &x, 0, &y, &result, NULL), SPMV_SUCCESS);
    cr_assert_str_eq(result.kernel, expected, "%s with vectors of type %s", options.kernel,
                     spmv_type_name(vector));
    spmv_operator_destroy(op);
    spmv_dense_destroy(&x);
    spmv_dense_destroy(&y);
}

Test(gpu_kernels, a_kernel_that_stands_in_for_another_is_named)
{
    spmv_matrix shortest = gpu_test_rows(SPMV_F32, 500, 100, one_entry);
    spmv_matrix empty = gpu_test_rows(SPMV_F32, 500, 100, no_entries);
    spmv_matrix longer = gpu_test_rows(SPMV_F32, 500, 2000, around_a_tile);
    spmv_matrix padded = gpu_test_rows(SPMV_F32, 5000, 2000, some_longer);
    const spmv_kernel_options staged = {.kernel = "csr-staged"}, panels = {.kernel = "csr-panels"},
                              split = {.kernel = "csr-split"}, sweep = {.kernel = "csr-sweep"};
    assert_multiplies_with(&shortest, staged, SPMV_F32, "csr-staged");
    assert_multiplies_with(&shortest, staged, SPMV_F64, "csr-merge");
    assert_multiplies_with(&empty, staged, SPMV_F32, "csr-merge");
    assert_multiplies_with(&shortest, split, SPMV_F32, "csr-split");
    assert_multiplies_with(&shortest, split, SPMV_C64, "csr-split");
    assert_multiplies_with(&empty, split, SPMV_F32, "csr-merge");
    assert_multiplies_with(&padded, split, SPMV_F32, "csr-merge");
    assert_multiplies_with(&longer, sweep, SPMV_F32, "csr-sweep");
    assert_multiplies_with(&longer, sweep, SPMV_F64, "csr-sweep");
    assert_multiplies_with(&empty, sweep, SPMV_F32, "csr-merge");
    assert_multiplies_with(&shortest, panels, SPMV_F32, "csr-merge");
    assert_multiplies_with(&longer, panels, SPMV_F32, "csr-panels");
    assert_multiplies_with(&longer, (spmv_kernel_options){.kernel = "csr-vector"}, SPMV_F32,
                           "csr-vector");
    spmv_destroy(&shortest);
    spmv_destroy(&empty);
    spmv_destroy(&longer);
    spmv_destroy(&padded);
}
