/* gpu_spgemm_test.c -- sparse products on the GPU against those of the CPU, bit for bit. */
#include "cuda/kernels/gpu_test.h"

#include "core/base/base.h"
#include "core/spgemm/collect_rows_test.h"
#include "cuda/host/plan_cases_test.h"
#include "cuda/spgemm/product_limits.h"

#include <stdio.h>
#include <stdlib.h>

TestSuite(gpu_spgemm, .init = gpu_test_open, .fini = gpu_test_close);

/* ---- Matrices ------------------------------------------------------------------------------- */

/* A number from 0 to n - 1. */
static int64_t below(uint64_t *state, int64_t n)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return n > 0 ? (int64_t)(*state >> 33) % n : 0;
}

/* How the rows of a random matrix are: `crowded` of 100 have up to `longest` entries, the others up
 * to `most`; their columns are `step` apart at most, or anywhere; `twins` of 100 have the columns
 * of the row before; and after each `run` entries the columns go on far away. */
typedef struct row_kind {
    int64_t most, longest, crowded, step, twins, run;
} row_kind;

static void set_value(const spmv_matrix *A, int64_t p, uint64_t *state)
{
    const spmv_type type = A->head.type;
    const int parts = spmv_type_is_complex(type) ? 2 : 1;
    for (int k = 0; k < parts; k++) {
        const int64_t r = below(state, INT32_MAX);
        const double value = r % 8 == 0 ? 0 : ((double)r - 1e9) / 3e8;
        if (type == SPMV_F64 || type == SPMV_C128) ((double *)A->csr.val)[parts * p + k] = value;
        if (type == SPMV_F32 || type == SPMV_C64)
            ((float *)A->csr.val)[parts * p + k] = (float)value;
    }
}

/* Gives row i the columns of the one before, if there is room; returns how many these are. */
static int64_t copy_columns(const spmv_matrix *A, int64_t i, int64_t room, uint64_t *state)
{
    const int64_t begin = A->csr.row_ptr[i - 1], end = A->csr.row_ptr[i];
    if (end + (end - begin) > room) return 0;
    for (int64_t p = end; p < end + (end - begin); p++) {
        A->csr.col_idx[p] = A->csr.col_idx[p - (end - begin)];
        set_value(A, p, state);
    }
    return end - begin;
}

static spmv_matrix make(uint64_t seed, spmv_type type, int64_t rows, int64_t cols,
                        const row_kind *kind)
{
    uint64_t state = seed * 77 + 1;
    spmv_matrix A = {.format = SPMV_CSR};
    int64_t nnz = 0, *length = calloc((size_t)rows + 1, sizeof *length);
    for (int64_t i = 0; i < rows; i++) {
        const int64_t most = below(&state, 100) < kind->crowded ? kind->longest : kind->most;
        length[i] = below(&state, (most < cols ? most : cols) + 1);
        nnz += length[i];
    }
    const int64_t room = 2 * nnz;
    cr_assert_eq(spmv_csr_create(&A.csr, type, rows, cols, room, NULL), SPMV_SUCCESS);
    nnz = 0;
    for (int64_t i = 0; i < rows; i++) {
        if (i > 0 && below(&state, 100) < kind->twins) {
            nnz += copy_columns(&A, i, room, &state);
            A.csr.row_ptr[i + 1] = nnz;
            continue;
        }
        const int64_t n = length[i], far = n > 0 ? 2 * cols / n : 1;
        const int64_t step = kind->step > 0 && kind->step < far ? kind->step : far;
        int64_t c = kind->step > 0 ? below(&state, cols) : below(&state, step);
        for (int64_t k = 0; k < n && c < cols && nnz < room; k++, nnz++) {
            A.csr.col_idx[nnz] = (int32_t)c;
            set_value(&A, nnz, &state);
            c += 1 + below(&state, step);
            if (kind->run > 0 && (k + 1) % kind->run == 0) c += below(&state, far * kind->run);
        }
        A.csr.row_ptr[i + 1] = nnz;
    }
    A.head.nnz = nnz;
    free(length);
    return A;
}

/* ---- Products ------------------------------------------------------------------------------- */

/* C in pieces of rows. */
static void check_rows(const spmv_matrix *A, const spmv_matrix *B, const spmv_spgemm_options *o,
                       const spmv_matrix *C, const char *label)
{
    collected_rows c = {.fails_at = -1, .prepares = true};
    const spmv_row_consumer to = collect_rows(&c);
    spmv_error err = {0};
    spmv_spgemm_result r;
    cr_assert_eq(spmv_spgemm_rows_gpu(A, B, o, &to, gpu_context, &r, &err), SPMV_SUCCESS, "%s: %s",
                 label, err.message);
    cr_assert(c.begun == 1 && c.next == C->head.rows, "%s: %lld rows", label, (long long)c.next);
    cr_assert_eq(c.taken_twice, 0, "%s: pieces are taken side by side", label);
    cr_assert(spmv_identical(C, &c.C), "%s: pieces of rows", label);
    spmv_destroy(&c.C);
}

enum { LIMITS = 6 };

/* Small matrices are made in all ways, too, with and without rows that all blocks share, and with
 * row offsets of 32 and of 64 bits. */
static void change_limits(void)
{
    static spmv__product_limits usual;
    static int calls;
    if (calls == 0) usual = spmv__product_limits_now;
    const int64_t wide = usual.window, all = usual.narrow;
    const spmv__product_limits limits[LIMITS] = {
        {0, INT64_MAX, wide, all}, usual,
        {0, 1, wide, 0},           {0, usual.spread, wide, 0},
        {INT64_MAX, 1, wide, all}, {INT64_MAX, INT64_MAX, wide, 0}};
    spmv__product_limits_now = limits[calls++ % LIMITS];
}

/* Returns the products without a mask, which a GPU makes in any case. */
static int64_t all_products(const spmv_matrix *A, const spmv_matrix *B,
                            const spmv_spgemm_options *o)
{
    spmv_spgemm_options all = o != NULL ? *o : (spmv_spgemm_options){0};
    spmv_spgemm_estimate e;
    all.mask = NULL;
    cr_assert_eq(spmv_spgemm_estimate_product(&e, A, B, &all, NULL), SPMV_SUCCESS);
    return e.products;
}

static void check(const spmv_matrix *A, const spmv_matrix *B, const spmv_spgemm_options *o,
                  const char *label)
{
    spmv_matrix C, D;
    spmv_spgemm_result r, s;
    spmv_error err = {0};
    change_limits();
    cr_assert_eq(spmv_spgemm(&C, A, B, o, &r, &err), SPMV_SUCCESS, "%s: %s", label, err.message);
    cr_assert_eq(spmv_spgemm_gpu(&D, A, B, o, gpu_context, &s, &err), SPMV_SUCCESS, "%s: %s", label,
                 err.message);
    cr_assert_eq(s.products, all_products(A, B, o), "%s", label);
    cr_assert(o != NULL && o->mask != NULL ? r.products <= s.products : r.products == s.products);
    cr_assert_eq(C.head.nnz, D.head.nnz, "%s: %lld, not %lld entries", label, (long long)D.head.nnz,
                 (long long)C.head.nnz);
    for (int64_t i = 0; i <= C.head.rows; i++)
        cr_assert_eq(C.csr.row_ptr[i], D.csr.row_ptr[i], "%s: row %lld", label, (long long)i);
    for (int64_t p = 0; p < C.head.nnz; p++)
        cr_assert_eq(C.csr.col_idx[p], D.csr.col_idx[p], "%s: entry %lld", label, (long long)p);
    cr_assert(spmv_identical(&C, &D), "%s: values", label);
    check_rows(A, B, o, &C, label);
    spmv_destroy(&C);
    spmv_destroy(&D);
}

/* Rows of all lengths, near and far columns: each kind crosses limits between the ways. */
static const row_kind kinds[] = {
    {3, 3, 0, 0, 0, 0},    {8, 40, 10, 0, 0, 0},  {20, 300, 5, 2, 0, 0},  {9, 9, 0, 3, 0, 0},
    {60, 900, 3, 0, 0, 0}, {40, 40, 0, 40, 0, 0}, {2, 2000, 2, 0, 0, 0},  {200, 200, 0, 1, 0, 0},
    {30, 30, 0, 20, 0, 0}, {30, 90, 9, 2, 66, 0}, {50, 500, 3, 0, 80, 0}, {30, 30, 0, 1, 20, 6},
    {60, 60, 0, 2, 0, 20},
};
enum { ROW_KINDS = sizeof kinds / sizeof kinds[0] };

static int64_t magnitude(uint64_t *state, int64_t most)
{
    int64_t n = 1;
    while (n < most && below(state, 4) != 0) n *= 2;
    return below(state, n < most ? n + 1 : most);
}

static void check_random(uint64_t seed)
{
    uint64_t state = seed;
    const spmv_type a = (spmv_type)(seed % 5), b = (spmv_type)(seed / 5 % 5);
    const row_kind *of_a = &kinds[below(&state, ROW_KINDS)],
                   *of_b = &kinds[below(&state, ROW_KINDS)];
    const int64_t m = magnitude(&state, 400), n = magnitude(&state, 2000);
    const int64_t l = magnitude(&state, seed % 4 == 0 ? 1 << 20 : 4000);
    spmv_matrix A = make(seed, a, m, n, of_a), B = make(seed + 1000, b, n, l, of_b);
    char label[128];
    snprintf(label, sizeof label, "seed %d: %s %lld x %lld times %s x %lld", (int)seed,
             spmv_type_name(a), (long long)m, (long long)n, spmv_type_name(b), (long long)l);
    check(&A, &B, &(spmv_spgemm_options){.boolean = seed % 11 == 0}, label);
    spmv_destroy(&A);
    spmv_destroy(&B);
}

Test(gpu_spgemm, random_products_of_all_types)
{
    for (uint64_t seed = 1; seed <= 4000 / GPU_TEST_SHARE; seed++) check_random(seed);
}

/* Which part of a complex product becomes NaN depends on whether the types are complex, and not on
 * the values. */
Test(gpu_spgemm, infinite_numbers_of_all_types)
{
    static const spmv_type pairs[][2] = {{SPMV_C128, SPMV_C128},
                                         {SPMV_F64, SPMV_C64},
                                         {SPMV_C64, SPMV_F32},
                                         {SPMV_C64, SPMV_C64},
                                         {SPMV_F32, SPMV_F64}};
    for (uint64_t seed = 0; seed<5 * ROW_KINDS; seed += GPU_TEST_SHARE> 1 ? 7 : 1) {
        const spmv_type a = pairs[seed % 5][0], b = pairs[seed % 5][1];
        const row_kind *of_a = &kinds[seed % ROW_KINDS], *of_b = &kinds[seed * 5 % ROW_KINDS];
        spmv_matrix A = make(seed, a, 60, 300, of_a), B = make(seed + 1000, b, 300, 900, of_b);
        spmv_matrix C;
        char label[64];
        snprintf(label, sizeof label, "seed %d: %s times %s", (int)seed, spmv_type_name(a),
                 spmv_type_name(b));
        plan_test_make_some_infinite(&A, seed);
        plan_test_make_some_infinite(&B, seed + 1000);
        change_limits();
        cr_assert_eq(spmv_spgemm_gpu(&C, &A, &B, NULL, gpu_context, NULL, NULL), SPMV_SUCCESS);
        plan_test_expect(&C, &A, &B, NULL, label);
        spmv_destroy(&A);
        spmv_destroy(&B);
        spmv_destroy(&C);
    }
}

/* A row with many products among all columns, and one that is full. */
static void check_shared(spmv_matrix *A, spmv_matrix *B, const char *label)
{
    check(A, B, NULL, label);
}

Test(gpu_spgemm, matrices_that_share_arrays)
{
    plan_test_shared_arrays(check_shared);
}

Test(gpu_spgemm, long_rows)
{
    const int64_t cols = 400000 / GPU_TEST_SHARE;
    const row_kind full = {300, 300, 0, 0, 0, 0},
                   wide = {3000, 20000 / GPU_TEST_SHARE, 10, 0, 0, 0};
    for (int k = 0; k < 4; k++) {
        const spmv_type type = k < 2 ? SPMV_F64 : k == 2 ? SPMV_C64 : SPMV_F32;
        spmv_matrix A = make(1 + (uint64_t)k, type, 5, 400, &full);
        spmv_matrix B = make(9 + (uint64_t)k, type, 400, k % 2 == 0 ? cols : cols / 20, &wide);
        check(&A, &B, &(spmv_spgemm_options){.boolean = k == 3}, "long rows");
        spmv_destroy(&A);
        spmv_destroy(&B);
    }
}

/* Rows whose columns come in clusters, few of them or too many. */
Test(gpu_spgemm, clusters_of_columns)
{
    for (uint64_t k = 0; k < (GPU_TEST_SHARE > 1 ? 20 : 60); k++) {
        const uint64_t seed = 1 + 17 * k % 60; /* of a share, too, all kinds meet */
        const spmv_type a = (spmv_type)(seed % 5), b = (spmv_type)(seed / 5 % 5);
        const row_kind of_a = {20 + 10 * (int64_t)(seed % 7), 0, 0, 1, 10 * (int64_t)(seed % 3), 6};
        const row_kind of_b = {30, 0, 0, 1 + (int64_t)(seed % 3), 10 * (int64_t)(seed % 2), 9};
        spmv_matrix A = make(seed, a, 60, 30 * (int64_t)(seed % 5 + 1), &of_a);
        spmv_matrix B = make(seed + 7, b, A.head.cols, seed % 4 == 0 ? INT32_MAX : 200000, &of_b);
        check(&A, &B, &(spmv_spgemm_options){.boolean = seed % 6 == 0}, "clusters");
        spmv_destroy(&A);
        spmv_destroy(&B);
    }
}

Test(gpu_spgemm, dense_and_equal_rows)
{
    double *ones = malloc(150 * 150 * sizeof *ones);
    spmv_matrix A;
    for (int i = 0; i < 150 * 150; i++) ones[i] = 1.0 / (i + 1);
    for (int64_t n = 1; n <= 150; n += n < 40 ? 13 : 37) {
        cr_assert_eq(spmv_from_dense(&A, SPMV_CSR, SPMV_F64, n, n, ones, NULL), SPMV_SUCCESS);
        check(&A, &A, NULL, "dense");
        spmv_destroy(&A);
    }
    free(ones);
}

/* Row i has n columns from i * shift on, `step` apart. */
static spmv_matrix make_steps(int64_t rows, int64_t cols, int64_t n, int64_t shift, int64_t step)
{
    uint64_t state = 5;
    spmv_matrix A = {.format = SPMV_CSR};
    cr_assert_eq(spmv_csr_create(&A.csr, SPMV_F64, rows, cols, rows * n, NULL), SPMV_SUCCESS);
    for (int64_t p = 0; p < rows * n; p++) {
        A.csr.col_idx[p] = (int32_t)(p / n * shift + p % n * step);
        set_value(&A, p, &state);
    }
    for (int64_t i = 0; i <= rows; i++) A.csr.row_ptr[i] = i * n;
    return A;
}

/* All rows of B have the same columns, and the first column of a row of A follows the last of the
 * row before. */
Test(gpu_spgemm, a_row_begins_with_the_column_after_the_row_before)
{
    static const int64_t entries[] = {4, 40, 700, 5000};
    for (int k = 0; k < 4; k++) {
        spmv_matrix A = make_steps(12, 48, 4, 4, 1), B = make_steps(48, 15000, entries[k], 0, 3);
        for (int limits = 0; limits < LIMITS; limits++) check(&A, &B, NULL, "one behind the other");
        spmv_destroy(&A);
        spmv_destroy(&B);
    }
}

/* Rows that are twins meet rows in which a column is at another place, so that another lane of a
 * warp adds it, and has to wait for the one before.  A warp has 128 of the columns: in a block of
 * 64 threads, or of 512. */
static void go_from_lane_to_lane(int cols)
{
    enum { ROWS = 20, PART = 128, LENGTH = 80, SHIFT = 66 };
    double *entries = calloc((size_t)(ROWS * cols), sizeof *entries);
    spmv_matrix A = make_steps(12, ROWS, ROWS, 0, 1), B;
    for (int k = 0; k < ROWS * cols; k++) {
        const int row = k / cols, at = k % PART - (row % 2 == 0 ? 0 : SHIFT);
        if (row == ROWS - 1 || (at >= 0 && at < LENGTH)) entries[k] = 1.0 / (k % 997 + 1);
    }
    cr_assert_eq(spmv_from_dense(&B, SPMV_CSR, SPMV_F64, ROWS, cols, entries, NULL), SPMV_SUCCESS);
    for (int limits = 0; limits < LIMITS; limits++) check(&A, &B, NULL, "from lane to lane");
    free(entries);
    spmv_destroy(&A);
    spmv_destroy(&B);
}

Test(gpu_spgemm, a_column_goes_from_lane_to_lane)
{
    go_from_lane_to_lane(256);
    go_from_lane_to_lane(2048);
}

/* ---- Options -------------------------------------------------------------------------------- */

Test(gpu_spgemm, entries_are_selected_as_on_the_cpu)
{
    const row_kind kind = {12, 200, 10, 0, 0, 0};
    for (uint64_t seed = 1; seed <= 25; seed++) {
        const spmv_type a = (spmv_type)(seed % 5), b = (spmv_type)(seed / 5 % 5);
        spmv_matrix A = make(seed, a, 90, 70, &kind), B = make(seed + 50, b, 70, 300, &kind);
        spmv_matrix M = make(seed + 99, SPMV_PATTERN, 90, 300, &(row_kind){150, 150, 0, 0, 0, 0});
        check(&A, &B, &(spmv_spgemm_options){.mask = &M}, "mask");
        check(&A, &B, &(spmv_spgemm_options){.top = (int64_t)seed}, "top");
        check(&A, &B, &(spmv_spgemm_options){.drop_zeros = true}, "without zeros");
        check(&A, &B, &(spmv_spgemm_options){.mask = &M, .top = 3, .drop_zeros = true}, "all");
        check(&A, &A, &(spmv_spgemm_options){.transpose_b = true}, "A A^T");
        check(&A, &A, &(spmv_spgemm_options){.transpose_a = true}, "A^T A");
        spmv_destroy(&A);
        spmv_destroy(&B);
        spmv_destroy(&M);
    }
}

/* An emulated GPU has little memory; on others the product is in one piece. */
Test(gpu_spgemm, what_does_not_fit_comes_in_pieces)
{
    const row_kind kind = {30, 200, 5, 0, 0, 0};
    spmv_matrix A = make(3, SPMV_F64, 1500, 500, &kind), B = make(4, SPMV_F32, 500, 3000, &kind);
    spmv_matrix M = make(5, SPMV_PATTERN, 1500, 3000, &kind);
    setenv("EMULATED_MEMORY", "2500000", 1);
    check(&A, &B, NULL, "pieces");
    check(&A, &B, &(spmv_spgemm_options){.mask = &M, .top = 7}, "pieces of which some is kept");
    check(&A, &B, &(spmv_spgemm_options){.boolean = true}, "pieces of a pattern");
    unsetenv("EMULATED_MEMORY");
    spmv_destroy(&A);
    spmv_destroy(&B);
    spmv_destroy(&M);
}

Test(gpu_spgemm, a_consumer_that_fails_ends_the_work)
{
    const row_kind kind = {30, 200, 5, 0, 0, 0};
    spmv_matrix A = make(3, SPMV_F64, 1500, 500, &kind), B = make(4, SPMV_F32, 500, 3000, &kind);
    setenv("EMULATED_MEMORY", "2500000", 1);
    for (int at = 0; at < 12; at += 5) {
        collected_rows c = {.fails_at = at};
        const spmv_row_consumer to = collect_rows(&c);
        spmv_error err = {0};
        cr_assert_eq(spmv_spgemm_rows_gpu(&A, &B, NULL, &to, gpu_context, NULL, &err),
                     SPMV_ERROR_FILE_IO);
        cr_assert_eq(strncmp(err.message, "piece ", 6), 0, "%s", err.message);
        cr_assert_eq(c.pieces, at + 1);
        spmv_destroy(&c.C);
    }
    unsetenv("EMULATED_MEMORY");
    spmv_destroy(&A);
    spmv_destroy(&B);
}

/* ---- Matrices on the GPU --------------------------------------------------------------------- */

Test(gpu_spgemm, products_that_stay_on_the_gpu)
{
    const row_kind kind = {12, 200, 10, 0, 0, 0};
    spmv_matrix A = make(1, SPMV_F64, 200, 150, &kind), B = make(2, SPMV_F32, 150, 400, &kind);
    spmv_matrix C, D, ell;
    spmv_gpu_matrix *a, *b, *c, *e;
    spmv_error err;
    cr_assert_eq(spmv_to_gpu(&a, gpu_context, &A, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_to_gpu(&b, gpu_context, &B, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_spgemm(&C, &A, &B, NULL, NULL, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_spgemm_on_gpu(&c, gpu_context, a, b, NULL, NULL, &err), SPMV_SUCCESS, "%s",
                 err.message);
    cr_assert_eq(spmv_from_gpu(&D, gpu_context, c, NULL), SPMV_SUCCESS);
    cr_assert(spmv_identical(&C, &D));
    spmv_destroy(&D);
    spmv_gpu_matrix_destroy(c);

    cr_assert_eq(spmv_spgemm_on_gpu(&c, gpu_context, b, b, NULL, NULL, &err),
                 SPMV_ERROR_INVALID_DIMENSION);
    cr_assert_str_eq(err.message, "A has 400 columns and B 150 rows, which must be as many");
    cr_assert_eq(
        spmv_spgemm_on_gpu(&c, gpu_context, a, b, &(spmv_spgemm_options){.top = 2}, NULL, &err),
        SPMV_ERROR_UNSUPPORTED);
    cr_assert_str_eq(err.message, "a product that stays on the GPU has all its entries");
    cr_assert_eq(spmv_convert(&ell, &A, SPMV_JDS, NULL, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_to_gpu(&e, gpu_context, &ell, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_spgemm_on_gpu(&c, gpu_context, e, b, NULL, NULL, &err),
                 SPMV_ERROR_INVALID_FORMAT);
    cr_assert_str_eq(err.message, "A is jds on the GPU, not csr");
    cr_assert_null(c);
    spmv_gpu_matrix *on_gpu[] = {a, b, e};
    spmv_matrix *on_host[] = {&A, &B, &C, &ell};
    for (int k = 0; k < 3; k++) spmv_gpu_matrix_destroy(on_gpu[k]);
    for (int k = 0; k < 4; k++) spmv_destroy(on_host[k]);
}
