/* spgemm_test.c -- sparse products against sums that the test makes itself, bit for bit. */
#include "core/matrix/format.h"
#include "core/spgemm/product_test.h"
#include "core/spgemm/spgemm.h"

#include <math.h>
#include <stdio.h>

/* ---- Products ------------------------------------------------------------------------------- */

static spmv_matrix multiply(const spmv_matrix *A, const spmv_matrix *B,
                            const spmv_spgemm_options *o, const char *label)
{
    spmv_matrix C;
    spmv_error err = {0};
    cr_assert_eq(spmv_spgemm(&C, A, B, o, NULL, &err), SPMV_SUCCESS, "%s: %s", label, err.message);
    return C;
}

/* Checks one product, and that threads and the plain way have the same bits. */
static void check_all_ways(const spmv_matrix *A, const spmv_matrix *B, const char *label)
{
    const int threads[] = {2, 3, 7};
    spmv_matrix C = multiply(A, B, &(spmv_spgemm_options){.threads = 1}, label);
    check_product(&C, A, B, label);
    spmv_matrix D = multiply(A, B, &(spmv_spgemm_options){.serial = true}, label);
    cr_assert(spmv_identical(&C, &D), "%s: serial", label);
    spmv_destroy(&D);
    for (int k = 0; k < 3; k++) {
        D = multiply(A, B, &(spmv_spgemm_options){.threads = threads[k]}, label);
        cr_assert(spmv_identical(&C, &D), "%s: %d threads", label, threads[k]);
        spmv_destroy(&D);
    }
    spmv_destroy(&C);
}

Test(spgemm, random_products_of_all_types)
{
    for (uint64_t seed = 0; seed < 300; seed++) {
        uint64_t state = seed;
        const spmv_type a = (spmv_type)(seed % 5), b = (spmv_type)(seed / 5 % 5);
        const int64_t m = below(&state, 60), n = below(&state, 50);
        const int64_t l = below(&state, seed % 3 == 0 ? 2000 : 90);
        const int64_t most = 1 + below(&state, seed % 7 == 0 ? 60 : 8);
        spmv_matrix A = make(seed, a, m, n, most), B = make(seed + 1000, b, n, l, most);
        char label[96];
        snprintf(label, sizeof label, "seed %d: %s %lld x %lld times %s x %lld", (int)seed,
                 spmv_type_name(a), (long long)m, (long long)n, spmv_type_name(b), (long long)l);
        check_all_ways(&A, &B, label);
        spmv_destroy(&A);
        spmv_destroy(&B);
    }
}

/* A complex entry without an imaginary part is complex, in A as in B: only where a type is real do
 * infinite numbers leave the other part alone. */
Test(spgemm, infinite_numbers_of_all_types)
{
    for (uint64_t seed = 0; seed < 200; seed++) {
        const spmv_type a = (spmv_type)(seed % 5), b = (spmv_type)(seed / 5 % 5);
        const int64_t most = 1 + (int64_t)(seed % 9);
        spmv_matrix A = make(seed, a, 30, 40, most), B = make(seed + 500, b, 40, 50, most);
        char label[96];
        make_some_infinite(&A, seed);
        make_some_infinite(&B, seed + 1);
        snprintf(label, sizeof label, "seed %d: %s times %s", (int)seed, spmv_type_name(a),
                 spmv_type_name(b));
        check_all_ways(&A, &B, label);
        spmv_destroy(&A);
        spmv_destroy(&B);
    }
}

/* Many products make threads, pieces and chunks; the rows have all lengths. */
Test(spgemm, larger_products)
{
    spmv_matrix A = make(1, SPMV_F64, 3000, 2000, 40), B = make(2, SPMV_F64, 2000, 5000, 60);
    check_all_ways(&A, &B, "larger");
    spmv_matrix C = make(3, SPMV_C64, 900, 2000, 30), D = make(4, SPMV_F32, 2000, 7000, 50);
    check_all_ways(&C, &D, "larger complex");
    spmv_destroy(&A);
    spmv_destroy(&B);
    spmv_destroy(&C);
    spmv_destroy(&D);
}

/* So many products fall on each column that all columns are met long before the end. */
Test(spgemm, few_columns_and_many_products)
{
    const spmv_type types[] = {SPMV_PATTERN, SPMV_F32, SPMV_F64, SPMV_C64, SPMV_C128};
    for (uint64_t seed = 0; seed < 25; seed++) {
        spmv_matrix A = make(seed, types[seed % 5], 9, 2500, 2000);
        spmv_matrix B = make(seed + 30, types[seed / 5], 2500, 1 + 10 * (int64_t)seed, 40);
        check_all_ways(&A, &B, "crowded");
        spmv_matrix C = multiply(&A, &B, &(spmv_spgemm_options){.boolean = true}, "places");
        spmv_matrix D = multiply(&A, &B, &(spmv_spgemm_options){.boolean = true, .serial = true},
                                 "places, serial");
        cr_assert(spmv_identical(&C, &D));
        spmv_destroy(&A);
        spmv_destroy(&B);
        spmv_destroy(&C);
        spmv_destroy(&D);
    }
}

/* Rows of a few products, as many as are compared with each other and one more. */
Test(spgemm, few_products)
{
    for (uint64_t seed = 0; seed < 200; seed++) {
        const spmv_type a = (spmv_type)(seed % 5), b = (spmv_type)(seed / 5 % 5);
        const int64_t most = 1 + (int64_t)seed % 5, cols = seed % 2 == 0 ? 30 : 100000;
        spmv_matrix A = make(seed + 60, a, 80, 300, most), B = make(seed + 70, b, 300, cols, most);
        check_all_ways(&A, &B, "few");
        const spmv_spgemm_options places = {.boolean = true};
        spmv_matrix C = multiply(&A, &B, &places, "places");
        check_product(&C, &A, &B, "places");
        spmv_destroy(&A);
        spmv_destroy(&B);
        spmv_destroy(&C);
    }
}

/* 2^21 columns are added up at a time, and rows with far fewer products than columns are merged. */
Test(spgemm, more_columns_than_are_summed_at_a_time)
{
    for (int64_t most = 8000; most >= 80; most /= 10) {
        spmv_matrix A = make(5, SPMV_F64, 3, 150, 140);
        spmv_matrix B = make((uint64_t)most, SPMV_F64, 150, (5 << 20) + 3, most);
        check_all_ways(&A, &B, "wide");
        spmv_destroy(&A);
        spmv_destroy(&B);
    }
}

static void note_progress(void *last, const spmv_progress *now)
{
    *(spmv_progress *)last = *now;
}

/* C has too little room at first, and grows, with every number of threads; what is made anew is not
 * reported anew. */
Test(spgemm, estimates_that_are_too_low)
{
    spmv_matrix A = make(11, SPMV_F32, 4000, 3000, 20), B = make(12, SPMV_F32, 3000, 6000, 20);
    spmv_matrix C = multiply(&A, &B, &(spmv_spgemm_options){.threads = 1}, "enough room");
    spmv__prepared_product p;
    cr_assert_eq(spmv__product_prepare(&p, &A, &B, &(spmv_spgemm_options){0}, NULL), SPMV_SUCCESS);
    for (int k = 0; k < 60; k++) {
        const int64_t room = k % 3 == 0 ? 1 : C.head.nnz * (k % 7) / 7;
        spmv_progress told = {0};
        spmv__meter meter = {.progress = note_progress, .user = &told};
        spmv__meter_begin(&meter, "multiply", p.before[4000], sizeof(int32_t), SPMV_F32);
        p.threads = 1 + k % 5;
        spmv_matrix D = spmv__blank(SPMV_CSR, SPMV_F32, SPMV_GENERAL, 4000, 6000, 0);
        cr_assert_eq(spmv__spgemm_all_rows(&D.csr, &p, room, &meter, NULL), SPMV_SUCCESS);
        cr_assert(spmv_identical(&C, &D), "room for %lld of %lld, %d threads", (long long)room,
                  (long long)C.head.nnz, 1 + k % 5);
        cr_assert_gt(told.done, 0);
        cr_assert_eq(told.done, told.total, "%lld of %lld", (long long)told.done,
                     (long long)told.total);
        spmv_destroy(&D);
    }
    spmv__prepared_product_destroy(&p);
    spmv_destroy(&A);
    spmv_destroy(&B);
    spmv_destroy(&C);
}

Test(spgemm, formats_and_transposes)
{
    for (int f = 0; f < SPMV_FORMATS; f++) {
        spmv_matrix A = make(7, SPMV_F64, 40, 30, 6), B = make(8, SPMV_F64, 30, 50, 6);
        spmv_matrix At, Bt, G, H, Gt, Ht;
        const spmv_convert_options build = {.max_fill = 1e9};
        cr_assert_eq(spmv_transpose(&At, &A, NULL, NULL), SPMV_SUCCESS);
        cr_assert_eq(spmv_transpose(&Bt, &B, NULL, NULL), SPMV_SUCCESS);
        cr_assert_eq(spmv_convert(&G, &A, (spmv_format)f, &build, NULL), SPMV_SUCCESS);
        cr_assert_eq(spmv_convert(&H, &B, (spmv_format)f, &build, NULL), SPMV_SUCCESS);
        cr_assert_eq(spmv_convert(&Gt, &At, (spmv_format)f, &build, NULL), SPMV_SUCCESS);
        cr_assert_eq(spmv_convert(&Ht, &Bt, (spmv_format)f, &build, NULL), SPMV_SUCCESS);
        const spmv_spgemm_options ta = {.transpose_a = true}, tb = {.transpose_b = true},
                                  both = {.transpose_a = true, .transpose_b = true};
        spmv_matrix C[] = {multiply(&G, &H, NULL, "A B"), multiply(&Gt, &H, &ta, "A^T B"),
                           multiply(&G, &Ht, &tb, "A B^T"), multiply(&Gt, &Ht, &both, "A^T B^T")};
        for (int k = 0; k < 4; k++) {
            check_product(&C[k], &A, &B, spmv_format_name((spmv_format)f));
            spmv_destroy(&C[k]);
        }
        C[0] = multiply(&G, &G, &tb, "A A^T");
        check_product(&C[0], &A, &At, "A A^T");
        C[1] = multiply(&G, &G, &ta, "A^T A");
        check_product(&C[1], &At, &A, "A^T A");
        spmv_matrix *all[] = {&A, &B, &At, &Bt, &G, &H, &Gt, &Ht, &C[0], &C[1]};
        for (int k = 0; k < 10; k++) spmv_destroy(all[k]);
    }
}

/* ---- By hand -------------------------------------------------------------------------------- */

static spmv_matrix from_dense(int64_t rows, int64_t cols, const double *dense)
{
    spmv_matrix A;
    cr_assert_eq(spmv_from_dense(&A, SPMV_CSR, SPMV_F64, rows, cols, dense, NULL), SPMV_SUCCESS);
    return A;
}

/* Stops the test unless C has just these entries, row by row. */
static void check_entries(const spmv_matrix *C, int n, const int rows[], const int cols[],
                          const double values[], const char *label)
{
    cr_assert_eq(C->head.nnz, n, "%s: %lld entries", label, (long long)C->head.nnz);
    for (int64_t i = 0, p = 0; i < C->head.rows; i++) {
        for (; p < C->csr.row_ptr[i + 1]; p++) {
            cr_assert(rows[p] == i && cols[p] == C->csr.col_idx[p], "%s: entry %lld", label,
                      (long long)p);
            if (values != NULL) cr_assert_eq(((double *)C->csr.val)[p], values[p], "%s", label);
        }
    }
}

/* (0, 0) cancels: 2 * 3 - 6 * 1. */
static const double left[] = {2, 6, 0, 1}, right[] = {3, 5, -1, 7};

Test(spgemm, cancelled_sums_stay_until_they_are_dropped)
{
    spmv_matrix A = from_dense(2, 2, left), B = from_dense(2, 2, right);
    spmv_matrix C = multiply(&A, &B, NULL, "all");
    const int rows[] = {0, 0, 1, 1}, cols[] = {0, 1, 0, 1};
    check_entries(&C, 4, rows, cols, (double[]){0, 52, -1, 7}, "all");
    spmv_destroy(&C);
    C = multiply(&A, &B, &(spmv_spgemm_options){.drop_zeros = true}, "dropped");
    check_entries(&C, 3, rows + 1, cols + 1, (double[]){52, -1, 7}, "dropped");
    spmv_destroy(&C);
    C = multiply(&A, &B, &(spmv_spgemm_options){.boolean = true, .drop_zeros = true}, "boolean");
    cr_assert_eq(C.head.type, SPMV_PATTERN);
    check_entries(&C, 4, rows, cols, NULL, "boolean");
    spmv_destroy(&C);
    spmv_destroy(&A);
    spmv_destroy(&B);
}

Test(spgemm, patterns_count_the_ways)
{
    const double ones[] = {1, 1, 0, 0, 1, 1, 1, 0, 1};
    spmv_matrix A = from_dense(3, 3, ones), P;
    cr_assert_eq(spmv_convert_values(&P, &A, SPMV_PATTERN, NULL), SPMV_SUCCESS);
    spmv_matrix C = multiply(&P, &P, NULL, "counts");
    cr_assert_eq(C.head.type, SPMV_F64);
    check_entries(&C, 9, (int[]){0, 0, 0, 1, 1, 1, 2, 2, 2}, (int[]){0, 1, 2, 0, 1, 2, 0, 1, 2},
                  (double[]){1, 2, 1, 1, 1, 2, 2, 1, 1}, "counts");
    spmv_destroy(&A);
    spmv_destroy(&P);
    spmv_destroy(&C);
}

Test(spgemm, a_mask_lets_entries_through)
{
    spmv_matrix A = from_dense(2, 2, left), B = from_dense(2, 2, right);
    spmv_matrix M = from_dense(2, 2, (double[]){0, 9, 9, 0}), N = from_dense(2, 1, left), C;
    spmv_error err;
    C = multiply(&A, &B, &(spmv_spgemm_options){.mask = &M}, "masked");
    check_entries(&C, 2, (int[]){0, 1}, (int[]){1, 0}, (double[]){52, -1}, "masked");
    spmv_destroy(&C);
    cr_assert_eq(spmv_spgemm(&C, &A, &B, &(spmv_spgemm_options){.mask = &N}, NULL, &err),
                 SPMV_ERROR_INVALID_DIMENSION);
    cr_assert_str_eq(err.message, "the mask is 2 x 1, and the product 2 x 2");
    spmv_destroy(&A);
    spmv_destroy(&B);
    spmv_destroy(&M);
    spmv_destroy(&N);
}

Test(spgemm, rows_without_a_mask_make_no_products)
{
    const double none[] = {0, 0, 9, 0};
    spmv_matrix A = from_dense(2, 2, left), B = from_dense(2, 2, right), M = from_dense(2, 2, none);
    spmv_spgemm_result all, masked;
    spmv_matrix C;
    cr_assert_eq(spmv_spgemm(&C, &A, &B, NULL, &all, NULL), SPMV_SUCCESS);
    spmv_destroy(&C);
    cr_assert_eq(spmv_spgemm(&C, &A, &B, &(spmv_spgemm_options){.mask = &M}, &masked, NULL),
                 SPMV_SUCCESS);
    spmv_destroy(&C);
    cr_assert_eq(all.products, 6);
    cr_assert_eq(masked.products, 2); /* of the one entry in the second row of A */
    spmv_destroy(&A);
    spmv_destroy(&B);
    spmv_destroy(&M);
}

Test(spgemm, the_largest_of_each_row)
{
    const double one = 1, row[] = {-3, 1, 3, 0, NAN, -3, 2, 5};
    spmv_matrix A = from_dense(1, 1, &one), B = from_dense(1, 8, row);
    const int kept[][7] = {{4},
                           {4, 7},
                           {0, 4, 7},
                           {0, 2, 4, 7},
                           {0, 2, 4, 5, 7},
                           {0, 2, 4, 5, 6, 7},
                           {0, 1, 2, 4, 5, 6, 7}};
    const int zeros[8] = {0};
    for (int k = 1; k <= 9; k++) {
        const int n = k < 7 ? k : 7;
        spmv_matrix C = multiply(&A, &B, &(spmv_spgemm_options){.top = k}, "top");
        check_entries(&C, n, zeros, kept[n - 1], NULL, "top");
        spmv_destroy(&C);
    }
    spmv_destroy(&A);
    spmv_destroy(&B);
}

/* What is equal in C is equal, though sums of double precision were not. */
Test(spgemm, the_largest_are_compared_as_c_holds_them)
{
    const double sums[] = {1000, 1e-6}, ones[] = {1, 1, 0, 1};
    spmv_matrix A = from_dense(1, 2, sums), B = from_dense(2, 2, ones), a, b;
    cr_assert_eq(spmv_convert_values(&a, &A, SPMV_F32, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_convert_values(&b, &B, SPMV_F32, NULL), SPMV_SUCCESS);
    spmv_matrix C = multiply(&A, &B, &(spmv_spgemm_options){.top = 1}, "double");
    check_entries(&C, 1, (int[]){0}, (int[]){1}, NULL, "double");
    spmv_destroy(&C);
    C = multiply(&a, &b, &(spmv_spgemm_options){.top = 1}, "single");
    check_entries(&C, 1, (int[]){0}, (int[]){0}, NULL, "single");
    spmv_destroy(&A);
    spmv_destroy(&B);
    spmv_destroy(&C);
    spmv_destroy(&a);
    spmv_destroy(&b);
}

/* [3 5i 4i] times the identity, and times 0 but for one column. */
Test(spgemm, imaginary_parts_are_looked_at)
{
    int64_t row_ptr[] = {0, 3}, rows_of_b[] = {0, 1, 2, 3};
    int32_t cols[] = {0, 1, 2};
    double val[] = {3, 0, 0, 5, 0, 4}, ones[] = {1, 1, 1};
    const spmv_matrix A = {.csr = {SPMV_C128, SPMV_GENERAL, 1, 3, 3, NULL, row_ptr, cols, val},
                           .format = SPMV_CSR};
    const spmv_matrix B = {.csr = {SPMV_F64, SPMV_GENERAL, 3, 3, 3, NULL, rows_of_b, cols, ones},
                           .format = SPMV_CSR};
    const int zeros[] = {0, 0}, kept[] = {1, 2};
    spmv_matrix C = multiply(&A, &B, &(spmv_spgemm_options){.top = 1}, "top");
    check_entries(&C, 1, zeros, kept, NULL, "top");
    cr_assert_arr_eq(C.csr.val, ((double[]){0, 5}), 2 * sizeof(double));
    spmv_destroy(&C);
    ones[0] = 0;
    C = multiply(&A, &B, &(spmv_spgemm_options){.drop_zeros = true}, "dropped");
    check_entries(&C, 2, zeros, kept, NULL, "dropped");
    cr_assert_arr_eq(C.csr.val, ((double[]){0, 5, 0, 4}), 4 * sizeof(double));
    spmv_destroy(&C);
}

/* ---- Refusals and estimates ----------------------------------------------------------------- */

Test(spgemm, refusals)
{
    spmv_matrix A = make(1, SPMV_F64, 3, 4, 2), B = make(2, SPMV_F64, 3, 4, 2), C;
    spmv_error err;
    cr_assert_eq(spmv_spgemm(&C, &A, &B, NULL, NULL, &err), SPMV_ERROR_INVALID_DIMENSION);
    cr_assert_str_eq(err.message, "A has 4 columns and B 3 rows, which must be as many");
    cr_assert_null(C.csr.row_ptr);
    cr_assert_eq(
        spmv_spgemm(&C, &A, &B, &(spmv_spgemm_options){.transpose_a = true, .top = -1}, NULL, &err),
        SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_str_eq(err.message, "a row cannot keep its -1 largest entries");
    cr_assert_eq(spmv_spgemm(&C, &A, NULL, NULL, NULL, &err), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_str_eq(err.message, "B is missing");
    spmv_destroy(&A);
    A = make(1, SPMV_F64, 4, 4, 0);
    A.head.symmetry = SPMV_SYMMETRIC;
    cr_assert_eq(spmv_spgemm(&C, &A, &A, NULL, NULL, &err), SPMV_ERROR_UNSUPPORTED);
    cr_assert_str_eq(err.message, "only one triangle of A is stored; expand it first");
    A.head.symmetry = SPMV_GENERAL;
    spmv_matrix mask = make(2, SPMV_F64, 4, 4, 3);
    spmv_matrix part = mask;
    part.csr.col_idx = NULL;
    cr_assert_eq(spmv_spgemm(&C, &A, &A, &(spmv_spgemm_options){.mask = &part}, NULL, &err),
                 SPMV_ERROR_INVALID_ARGUMENT);
    spmv_destroy(&mask);
    spmv_destroy(&A);
    spmv_destroy(&B);
}

Test(spgemm, what_the_estimate_says)
{
    for (uint64_t seed = 1; seed <= 4; seed++) {
        spmv_matrix A = make(seed, SPMV_F32, seed < 3 ? 200 : 200000, 4000, 30);
        spmv_matrix B = make(seed + 50, SPMV_F32, 4000, seed % 2 == 0 ? 300 : 30000, 20);
        spmv_spgemm_estimate e;
        spmv_spgemm_result r;
        spmv_matrix C;
        cr_assert_eq(spmv_spgemm_estimate_product(&e, &A, &B, NULL, NULL), SPMV_SUCCESS);
        cr_assert_eq(spmv_spgemm(&C, &A, &B, NULL, &r, NULL), SPMV_SUCCESS);
        cr_assert_eq(e.products, r.products);
        cr_assert_eq(e.exact, seed < 3);
        if (e.exact) cr_assert_eq(e.nnz, C.head.nnz);
        cr_assert_float_eq((double)e.nnz / (double)C.head.nnz, 1, 0.05, "seed %d: %lld of %lld",
                           (int)seed, (long long)e.nnz, (long long)C.head.nnz);
        cr_assert_eq(e.bytes, 8 * e.nnz + 8 * (C.head.rows + 1));
        spmv_destroy(&A);
        spmv_destroy(&B);
        spmv_destroy(&C);
    }
}
