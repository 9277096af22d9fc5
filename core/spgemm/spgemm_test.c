/* spgemm_test.c -- sparse products against sums that the test makes itself, bit for bit. */
#include "core/base/base.h"
#include "core/matrix/format.h"
#include "core/matrix/random_matrix_test.h"
#include "core/spgemm/spgemm.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- Matrices ------------------------------------------------------------------------------- */

/* A number from 0 to n - 1. */
static int64_t below(uint64_t *state, int64_t n)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)(*state >> 33) % n;
}

/* A value that rounds when it is added; in eight one is 0, of either sign. */
static double random_value(uint64_t *state)
{
    const int64_t r = below(state, INT32_MAX);
    if (r % 8 == 0) return r % 16 == 0 ? 0.0 : -0.0;
    return ((double)r - 1e9) / 3e8;
}

static double single(spmv_type type, double value)
{
    return type == SPMV_F32 || type == SPMV_C64 ? (double)(float)value : value;
}

/* Makes a matrix whose rows have up to `most` entries, some none; the columns of a row are close
 * together in one row of four. */
static spmv_matrix make(uint64_t seed, spmv_type type, int64_t rows, int64_t cols, int64_t most)
{
    uint64_t state = seed * 77 + 1;
    spmv_matrix A = {.format = SPMV_CSR};
    const int64_t room = rows * most;
    int64_t nnz = 0;
    cr_assert_eq(spmv_csr_create(&A.csr, type, rows, cols, room, NULL), SPMV_SUCCESS);
    for (int64_t i = 0; i < rows; i++) {
        const int64_t n = cols > 0 ? below(&state, most + 1) : 0;
        const int64_t step = below(&state, 4) == 0 ? 2 : 2 * cols / (n + 1) + 1;
        int64_t c = below(&state, cols + 1);
        for (int64_t k = 0; k < n && c < cols; k++, nnz++) {
            A.csr.col_idx[nnz] = (int32_t)c;
            const int64_t at = spmv_type_is_complex(type) ? 2 * nnz : nnz;
            for (int64_t part = at; part < at + 1 + spmv_type_is_complex(type); part++) {
                const double value = random_value(&state);
                if (type == SPMV_F64 || type == SPMV_C128) ((double *)A.csr.val)[part] = value;
                if (type == SPMV_F32 || type == SPMV_C64) ((float *)A.csr.val)[part] = (float)value;
            }
            c += 1 + below(&state, step);
        }
        A.csr.row_ptr[i + 1] = nnz;
    }
    A.head.nnz = nnz;
    return A;
}

static void value_of(const spmv_matrix *A, int64_t p, double part[2])
{
    const spmv_type type = A->head.type;
    const int64_t at = spmv_type_is_complex(type) ? 2 * p : p;
    part[0] = 1;
    part[1] = 0;
    for (int k = 0; k < 1 + spmv_type_is_complex(type); k++) {
        if (type == SPMV_F64 || type == SPMV_C128) part[k] = ((const double *)A->csr.val)[at + k];
        if (type == SPMV_F32 || type == SPMV_C64)
            part[k] = (double)((const float *)A->csr.val)[at + k];
    }
}

/* Stops the test unless C is A B: the same places, and the bits of sums in the order of A. */
static void check_product(const spmv_matrix *C, const spmv_matrix *A, const spmv_matrix *B,
                          const char *label)
{
    const spmv_csr *a = &A->csr, *b = &B->csr, *c = &C->csr;
    double *sum = calloc((size_t)b->cols * 2 + 1, sizeof *sum);
    char *there = calloc((size_t)b->cols + 1, 1);
    test_assert_valid(C, label);
    cr_assert(c->rows == a->rows && c->cols == b->cols, "%s", label);
    for (int64_t i = 0; i < a->rows; i++) {
        int64_t n = 0, q = c->row_ptr[i];
        for (int64_t p = a->row_ptr[i]; p < a->row_ptr[i + 1]; p++) {
            double x[2], y[2];
            value_of(A, p, x);
            for (int64_t r = b->row_ptr[a->col_idx[p]]; r < b->row_ptr[a->col_idx[p] + 1]; r++) {
                double *s = sum + 2 * b->col_idx[r];
                n += !there[b->col_idx[r]];
                there[b->col_idx[r]] = 1;
                value_of(B, r, y);
                s[0] += x[1] == 0 || y[1] == 0 ? x[0] * y[0] : x[0] * y[0] - x[1] * y[1];
                s[1] += x[1] == 0   ? x[0] * y[1]
                        : y[1] == 0 ? x[1] * y[0]
                                    : x[0] * y[1] + x[1] * y[0];
            }
        }
        cr_assert_eq(c->row_ptr[i + 1] - q, n, "%s: row %lld", label, (long long)i);
        for (int64_t j = 0; j < b->cols; j++) {
            if (!there[j]) continue;
            double found[2], *s = sum + 2 * j;
            cr_assert_eq(c->col_idx[q], j, "%s: row %lld", label, (long long)i);
            value_of(C, q++, found);
            const bool is_complex = spmv_type_is_complex(c->type);
            for (int k = 0; c->type != SPMV_PATTERN && k < 1 + is_complex; k++)
                cr_assert(single(c->type, s[k]) == found[k], "%s: (%lld, %lld) %a %a", label,
                          (long long)i, (long long)j, s[k], found[k]);
            s[0] = s[1] = 0;
            there[j] = 0;
        }
    }
    free(sum);
    free(there);
}

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

/* C has too little room at first, and grows, with every number of threads. */
Test(spgemm, estimates_that_are_too_low)
{
    spmv_matrix A = make(11, SPMV_F32, 4000, 3000, 20), B = make(12, SPMV_F32, 3000, 6000, 20);
    spmv_matrix C = multiply(&A, &B, &(spmv_spgemm_options){.threads = 1}, "enough room");
    spmv__prepared_product p;
    cr_assert_eq(spmv__product_prepare(&p, &A, &B, &(spmv_spgemm_options){0}, NULL), SPMV_SUCCESS);
    for (int k = 0; k < 60; k++) {
        const int64_t room = k % 3 == 0 ? 1 : C.head.nnz * (k % 7) / 7;
        spmv__meter meter = {0};
        p.threads = 1 + k % 5;
        spmv_matrix D = spmv__blank(SPMV_CSR, SPMV_F32, SPMV_GENERAL, 4000, 6000, 0);
        cr_assert_eq(spmv__spgemm_all_rows(&D.csr, &p, room, &meter, NULL), SPMV_SUCCESS);
        cr_assert(spmv_identical(&C, &D), "room for %lld of %lld, %d threads", (long long)room,
                  (long long)C.head.nnz, 1 + k % 5);
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
    spmv_destroy(&A);
    A = make(1, SPMV_F64, 4, 4, 0);
    A.head.symmetry = SPMV_SYMMETRIC;
    cr_assert_eq(spmv_spgemm(&C, &A, &A, NULL, NULL, &err), SPMV_ERROR_UNSUPPORTED);
    cr_assert_str_eq(err.message, "A holds one triangle; expand the symmetry first");
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
