/* coo_sort_test.c -- the radix sort against a comparison sort. */
#include "core/base/omp_test.h"
#include "core/base/random.h"
#include "core/matrix/value.h"
#include "core/matrix/random_matrix_test.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

typedef struct triplet {
    int64_t row, col, given; /* at which place it was given */
    double val;
} triplet;

static int compare(const void *left, const void *right)
{
    const triplet *a = left, *b = right;
    if (a->row != b->row) return a->row < b->row ? -1 : 1;
    if (a->col != b->col) return a->col < b->col ? -1 : 1;
    return a->given < b->given ? -1 : a->given > b->given;
}

static int64_t pick(uint64_t seed, uint64_t k, int64_t n)
{
    return (int64_t)(spmv__mix(spmv__mix(seed) ^ k) % (uint64_t)n);
}

/* n entries anywhere in rows x cols; every fifth repeats an earlier coordinate.  Where values are
 * complex, the imaginary part is the negated real one. */
static spmv_coo unordered(uint64_t seed, spmv_type type, int64_t rows, int64_t cols, int64_t n)
{
    spmv_coo A;
    cr_assert_eq(spmv_coo_create(&A, type, rows, cols, n, NULL), SPMV_SUCCESS);
    for (int64_t p = 0; p < n; p++) {
        uint64_t k = 4 * (uint64_t)p;
        int64_t twin = p > 0 && p % 5 == 0 ? pick(seed, k, p) : -1;
        A.row_idx[p] = twin < 0 ? pick(seed, k + 1, rows) : A.row_idx[twin];
        A.col_idx[p] = twin < 0 ? pick(seed, k + 2, cols) : A.col_idx[twin];
        const float value = (float)(2 * spmv__uniform(seed, k + 3) - 1);
        spmv__set_scalar(type, A.val, p, spmv__number(value, -value));
    }
    return A;
}

/* Sorts and merges the slow way; returns how many remain. */
static int64_t reference(const spmv_coo *A, spmv_duplicates policy, triplet *t)
{
    int64_t kept = 0;
    for (int64_t p = 0; p < A->nnz; p++)
        t[p] = (triplet){A->row_idx[p], A->col_idx[p], p, spmv__value(A->type, A->val, p)};
    qsort(t, (size_t)A->nnz, sizeof *t, compare);
    for (int64_t p = 0; p < A->nnz; p++) {
        triplet *last = kept > 0 ? &t[kept - 1] : NULL;
        if (last == NULL || last->row != t[p].row || last->col != t[p].col)
            t[kept++] = t[p];
        else if (policy == SPMV_DUPLICATES_SUM && A->type != SPMV_PATTERN)
            last->val += t[p].val;
        else if (policy == SPMV_DUPLICATES_LAST)
            last->val = t[p].val;
    }
    return kept;
}

static void compare_with_reference(uint64_t seed, spmv_type type, spmv_duplicates policy,
                                   int64_t rows, int64_t cols, int64_t n)
{
    spmv_coo A = unordered(seed, type, rows, cols, n);
    triplet *t = calloc((size_t)n + 1, sizeof *t);
    int64_t merged = -1, kept;
    cr_assert_not_null(t);
    kept = reference(&A, policy, t);
    cr_assert_eq(spmv_coo_sort(&A, policy, &merged, NULL), SPMV_SUCCESS, "seed %llu",
                 (unsigned long long)seed);
    cr_assert_eq(A.nnz, kept, "seed %llu", (unsigned long long)seed);
    cr_assert_eq(merged, n - kept, "seed %llu", (unsigned long long)seed);
    for (int64_t p = 0; p < kept; p++) {
        const bool single = type == SPMV_F32 || type == SPMV_C64;
        const double re = single ? (double)(float)t[p].val : t[p].val;
        const spmv_scalar expected = {re, spmv_type_is_complex(type) ? -re : 0};
        cr_assert(A.row_idx[p] == t[p].row && A.col_idx[p] == t[p].col &&
                      test_equal(spmv__scalar(type, A.val, p), expected),
                  "seed %llu: entry %lld", (unsigned long long)seed, (long long)p);
    }
    free(t);
    spmv_coo_destroy(&A);
}

Test(coo_sort, equals_a_comparison_sort_for_every_policy_and_size_of_index)
{
    static const int64_t sides[] = {1, 2, 100, 2048, 2049, 70000, 1L << 33, INT64_MAX};
    enum { SIDES = sizeof sides / sizeof sides[0] };
    uint64_t seed = 0;
    for (int i = 0; i < SIDES; i++) {
        for (int j = 0; j < SIDES; j++) {
            for (int type = 0; type < SPMV_TYPES; type++, seed++) {
                spmv_duplicates policy = (spmv_duplicates)(seed % SPMV_DUPLICATES_ERROR);
                int64_t n = seed % 7 == 0 ? pick(seed, 0, 4) : pick(seed, 0, 3000);
                compare_with_reference(seed, (spmv_type)type, policy, sides[i], sides[j], n);
            }
        }
    }
}

/* So many that all threads sort, in shares of any size. */
Test(coo_sort, is_the_same_for_any_number_of_threads)
{
    static const int64_t sides[] = {3, 70000, INT64_MAX};
    static const int threads[] = {1, 2, 5, 16};
    for (int t = 0; t < 4; t++)
        for (int i = 0; i < 3; i++) {
            const int64_t n = ((int64_t)1 << 18) + 12345 * t + 7 * i;
            omp_set_num_threads(threads[t]);
            compare_with_reference((uint64_t)i, SPMV_F64, (spmv_duplicates)i, sides[(i + t) % 3],
                                   sides[i], n);
        }
}

/* n rows of one entry, ascending but where some place has the row of the one before, or less. */
static spmv_coo nearly_sorted(int64_t n, int64_t place, int64_t less)
{
    spmv_coo A;
    cr_assert_eq(spmv_coo_create(&A, SPMV_PATTERN, n, 1, n, NULL), SPMV_SUCCESS);
    for (int64_t p = 0; p < n; p++) A.row_idx[p] = p;
    A.row_idx[place] = place - less;
    return A;
}

/* Wherever threads begin. */
Test(coo_sort, one_entry_out_of_order_is_seen)
{
    enum { N = (1 << 16) + 1 };
    omp_set_num_threads(4);
    for (int64_t place = 30000; place < 32100; place++) {
        spmv_error err;
        spmv_coo A = nearly_sorted(N, place, 1);
        cr_assert_eq(spmv_coo_sort(&A, SPMV_DUPLICATES_ERROR, NULL, &err),
                     SPMV_ERROR_INVALID_FORMAT, "place %lld", (long long)place);
        spmv_coo_destroy(&A);
    }
    spmv_coo A = nearly_sorted(N, 30000, 2);
    cr_assert_eq(spmv_coo_sort(&A, SPMV_DUPLICATES_SUM, NULL, NULL), SPMV_SUCCESS);
    cr_assert_eq(A.nnz, N - 1);
    cr_assert_eq(spmv_check(&(spmv_matrix){.format = SPMV_COO, .coo = A}, NULL), SPMV_SUCCESS);
    spmv_coo_destroy(&A);
}

/* Ascending entries but for the last of each of these places. */
Test(coo_sort, threads_report_the_first_fault)
{
    enum { N = 1 << 19, FIRST = 70000 };
    spmv_error err;
    spmv_coo A;
    omp_set_num_threads(5);
    for (int kind = 0; kind < 2; kind++) {
        cr_assert_eq(spmv_coo_create(&A, SPMV_PATTERN, N, 1, N, NULL), SPMV_SUCCESS);
        for (int64_t p = 0; p < N; p++) A.row_idx[p] = p;
        for (int64_t p = FIRST; p < N; p += FIRST) A.row_idx[p] = kind == 0 ? N : p - 1;
        cr_assert_eq(spmv_coo_sort(&A, SPMV_DUPLICATES_ERROR, NULL, &err),
                     kind == 0 ? SPMV_ERROR_INVALID_DIMENSION : SPMV_ERROR_INVALID_FORMAT);
        cr_assert_not_null(strstr(err.message, kind == 0 ? "entry 70000 at row 524288"
                                                         : "row 69999, column 0 is given 2 times"),
                           "%s", err.message);
        cr_assert(kind == 1 || err.line == FIRST + 1);
        spmv_coo_destroy(&A);
    }
}

Test(coo_sort, sums_are_kept_in_double_precision_in_the_order_given)
{
    const float val[] = {1e8f, 1.0f, -1e8f}; /* in single precision the 1 would be lost */
    spmv_coo A;
    cr_assert_eq(spmv_coo_create(&A, SPMV_F32, 2, 2, 4, NULL), SPMV_SUCCESS);
    A.row_idx[0] = 1;
    memcpy((float *)A.val + 1, val, sizeof val);
    cr_assert_eq(spmv_coo_sort(&A, SPMV_DUPLICATES_SUM, NULL, NULL), SPMV_SUCCESS);
    cr_assert_eq(A.nnz, 2);
    cr_assert_eq(((float *)A.val)[0], 1.0f);
    spmv_coo_destroy(&A);
}

Test(coo_sort, a_duplicate_is_an_error_when_so_asked)
{
    spmv_error err;
    spmv_coo A = unordered(1, SPMV_F64, 50, 50, 6); /* entry 5 repeats an earlier one */
    int64_t merged = -1;
    cr_assert_eq(spmv_coo_sort(&A, SPMV_DUPLICATES_ERROR, &merged, &err),
                 SPMV_ERROR_INVALID_FORMAT);
    cr_assert_eq(merged, 0);
    cr_assert_not_null(strstr(err.message, "is given 2 times"), "%s", err.message);
    cr_assert_eq(A.nnz, 6);
    spmv_coo_destroy(&A);
}

Test(coo_sort, an_index_outside_is_reported_with_its_entry)
{
    static const int64_t bad[][2] = {{3, 0}, {0, 4}, {-1, 0}, {0, -1}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        spmv_error err;
        spmv_coo A;
        cr_assert_eq(spmv_coo_create(&A, SPMV_PATTERN, 3, 4, 5, NULL), SPMV_SUCCESS);
        A.row_idx[2] = bad[i][0];
        A.col_idx[2] = bad[i][1];
        cr_assert_eq(spmv_coo_sort(&A, SPMV_DUPLICATES_SUM, NULL, &err),
                     SPMV_ERROR_INVALID_DIMENSION);
        cr_assert_eq(err.line, 3);
        cr_assert_not_null(strstr(err.message, "outside 3 x 4"), "%s", err.message);
        cr_assert_eq(spmv_coo_sort(&A, SPMV_DUPLICATES_SUM, NULL, NULL),
                     SPMV_ERROR_INVALID_DIMENSION);
        spmv_coo_destroy(&A);
    }
}

Test(coo_sort, impossible_arguments_are_refused)
{
    spmv_coo A;
    cr_assert_eq(spmv_coo_create(&A, SPMV_F64, 3, 3, 2, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_coo_sort(NULL, SPMV_DUPLICATES_SUM, NULL, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(spmv_coo_sort(&A, (spmv_duplicates)9, NULL, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    spmv_coo without = A;
    without.val = NULL;
    cr_assert_eq(spmv_coo_sort(&without, SPMV_DUPLICATES_SUM, NULL, NULL),
                 SPMV_ERROR_INVALID_ARGUMENT);
    without.row_idx = NULL;
    cr_assert_eq(spmv_coo_sort(&without, SPMV_DUPLICATES_SUM, NULL, NULL),
                 SPMV_ERROR_INVALID_ARGUMENT);
    spmv_coo odd[] = {A, A, A, A};
    odd[0].rows = -3, odd[1].cols = -3, odd[2].nnz = -2, odd[3].type = SPMV_TYPES;
    for (int k = 0; k < 4; k++)
        cr_assert_eq(spmv_coo_sort(&odd[k], SPMV_DUPLICATES_SUM, NULL, NULL),
                     SPMV_ERROR_INVALID_ARGUMENT, "%d", k);
    spmv_coo_destroy(&A);
}

/* As IEEE 754 has it. */
Test(coo_sort, zeros_below_zero_stay_below)
{
    for (int k = 0; k < 3; k++) {
        spmv_coo A;
        cr_assert_eq(spmv_coo_create(&A, SPMV_F64, 1, 1, 2, NULL), SPMV_SUCCESS);
        ((double *)A.val)[0] = k == 1 ? 0.0 : -0.0;
        ((double *)A.val)[1] = k == 2 ? 0.0 : -0.0;
        cr_assert_eq(spmv_coo_sort(&A, SPMV_DUPLICATES_SUM, NULL, NULL), SPMV_SUCCESS);
        cr_assert_eq(A.nnz, 1);
        cr_assert_eq(signbit(*(double *)A.val) != 0, k == 0, "%d", k);
        spmv_coo_destroy(&A);
    }
}

/* (1, 2) is given three times, (0, 1) once. */
Test(coo_sort, entries_of_a_pattern_are_counted_where_any_is_repeated)
{
    static const int64_t row[] = {1, 0, 1, 1}, col[] = {2, 1, 2, 2};
    for (int n = 2; n <= 4; n += 2) {
        spmv_coo A;
        int64_t merged;
        cr_assert_eq(spmv_coo_create(&A, SPMV_PATTERN, 2, 3, n, NULL), SPMV_SUCCESS);
        memcpy(A.row_idx, row, (size_t)n * sizeof *row);
        memcpy(A.col_idx, col, (size_t)n * sizeof *col);
        cr_assert_eq(spmv_coo_sort(&A, SPMV_DUPLICATES_COUNT, &merged, NULL), SPMV_SUCCESS);
        cr_assert_eq(A.nnz, 2);
        cr_assert_eq(merged, n - 2);
        cr_assert_eq(A.type, n == 2 ? SPMV_PATTERN : SPMV_F64);
        if (n == 4) {
            cr_assert_eq(((double *)A.val)[0], 1);
            cr_assert_eq(((double *)A.val)[1], 3);
        }
        spmv_coo_destroy(&A);
    }
}
