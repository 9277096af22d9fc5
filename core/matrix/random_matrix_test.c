/* random_matrix_test.c -- see random_matrix_test.h. */
#include "core/base/random.h"
#include "core/matrix/value.h"
#include "core/matrix/random_matrix_test.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const test_types test_types_of[TEST_TYPES] = {
#define X(name, type, x_type) {type, x_type},
    SPMV__TYPES_TABLE(X)
#undef X
};

/* A stream of random numbers. */
typedef struct random_source {
    uint64_t seed, drawn;
} random_source;

static double uniform(random_source *s)
{
    return spmv__uniform(s->seed, s->drawn++);
}

/* Draws from 1 to high, every order of magnitude as likely. */
static int64_t log_uniform(random_source *s, int64_t high)
{
    int64_t n = (int64_t)exp(uniform(s) * log((double)high + 1));
    return n < 1 ? 1 : n > high ? high : n;
}

/* These are the four kinds of row lengths: each says how long row r of `rows` is, relative to the
 * other rows. */
static double uniform_weight(random_source *s, int64_t r, int64_t rows)
{
    (void)r, (void)rows;
    return 2 * uniform(s);
}

static double power_law_weight(random_source *s, int64_t r, int64_t rows)
{
    (void)r, (void)rows;
    return pow(1 - uniform(s), -1 / 1.2); /* exponent 2.2 */
}

static double skewed_weight(random_source *s, int64_t r, int64_t rows)
{
    return r == rows / 3 || uniform(s) < 0.001 ? (double)rows : uniform(s) < 0.1;
}

static double gaps_weight(random_source *s, int64_t r, int64_t rows)
{
    int64_t gap = rows / 5 + 1;
    return r / gap % 2 == 0 ? 0 : uniform(s);
}

static const struct {
    const char *name;
    double (*weight)(random_source *s, int64_t r, int64_t rows);
} kinds[] = {
    {"uniform rows", uniform_weight},
    {"power-law rows", power_law_weight},
    {"extremely skewed rows", skewed_weight},
    {"gaps of empty rows", gaps_weight},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static void choose_shape(random_source *s, int k, int64_t max_cells, int64_t *rows, int64_t *cols)
{
    int64_t cells = (int64_t)TEST_SIDE * TEST_SIDE;
    if (k % 8 != 1) cells = TEST_SMALL_CELLS; /* so that a run of many samples stays short */
    if (max_cells > 0 && cells > max_cells) cells = max_cells;
    int64_t side = (int64_t)sqrt((double)cells);
    if (side > TEST_SIDE) side = TEST_SIDE;
    *rows = k == 0 ? 1 : k == 1 ? side : log_uniform(s, TEST_SIDE);
    *cols = k == 0 ? 1 : k == 1 ? side : log_uniform(s, TEST_SIDE);
    if (*rows * *cols > cells) *cols = cells / *rows;
    if (k % 16 == 7) *rows = 0;
    if (k % 16 == 15) *cols = 0;
}

/* Fills the row pointers: about `density` of the cells, at most TEST_NNZ, shared out by weight. */
static void choose_lengths(random_source *s, int kind, double density, int64_t rows, int64_t cols,
                           int64_t *row_ptr)
{
    double *weight = calloc((size_t)rows + 1, sizeof *weight), total = 0;
    double wanted = density * (double)rows * (double)cols;
    cr_assert_not_null(weight);
    if (wanted > TEST_NNZ) wanted = TEST_NNZ;
    for (int64_t r = 0; r < rows; r++) total += weight[r] = kinds[kind].weight(s, r, rows);
    for (int64_t r = 0; r < rows; r++) {
        double share = total > 0 ? wanted * weight[r] / total + uniform(s) : 1;
        int64_t length = weight[r] > 0 ? (int64_t)share : 0;
        int64_t left = TEST_NNZ - row_ptr[r];
        if (length > cols) length = cols;
        row_ptr[r + 1] = row_ptr[r] + (length < left ? length : left);
    }
    free(weight);
}

/* Puts one entry in each of as many equal strata as the row has entries: ascending and distinct. */
static void choose_entries(random_source *s, spmv_csr *A)
{
    for (int64_t r = 0; r < A->rows; r++) {
        int64_t begin = A->row_ptr[r], length = A->row_ptr[r + 1] - begin;
        for (int64_t k = 0; k < length; k++) {
            int64_t low = k * A->cols / length, high = (k + 1) * A->cols / length;
            float re = (float)(2 * uniform(s) - 1), im = 0;
            A->col_idx[begin + k] = (int32_t)(low + (int64_t)(uniform(s) * (double)(high - low)));
            if (spmv_type_is_complex(A->type)) im = (float)(2 * uniform(s) - 1);
            spmv__set_scalar(A->type, A->val, begin + k,
                             spmv__number(re != 0 ? (double)re : 1.0, (double)im));
        }
    }
}

test_sample test_sample_make(int k, spmv_type type, int64_t max_cells)
{
    test_sample sample;
    random_source s = {.seed = 20240 + (uint64_t)k};
    int kind = k % KINDS;
    int64_t rows, cols, row_ptr[TEST_SIDE + 1] = {0};

    choose_shape(&s, k, max_cells, &rows, &cols);
    double density = 0.001 * pow(500, uniform(&s));
    choose_lengths(&s, kind, density, rows, cols, row_ptr);
    memset(&sample, 0, sizeof sample);
    sample.A.format = SPMV_CSR;
    cr_assert_eq(spmv_csr_create(&sample.A.csr, type, rows, cols, row_ptr[rows], NULL),
                 SPMV_SUCCESS);
    memcpy(sample.A.csr.row_ptr, row_ptr, (size_t)(rows + 1) * sizeof *row_ptr);
    choose_entries(&s, &sample.A.csr);
    snprintf(sample.label, sizeof sample.label,
             "sample %d (seed %llu, at most %lld cells): %lld x %lld, %s, density %.3g, %s", k,
             (unsigned long long)s.seed, (long long)max_cells, (long long)rows, (long long)cols,
             kinds[kind].name, density, spmv_type_name(type));
    return sample;
}

int64_t test_sample_doubles(const test_sample *s)
{
    const spmv_head *A = &s->A.head;
    return A->rows * A->cols * (spmv_type_is_complex(A->type) ? 2 : 1);
}

double *test_sample_dense(const test_sample *s)
{
    const spmv_csr *A = &s->A.csr;
    double *dense = calloc((size_t)test_sample_doubles(s) + 1, sizeof *dense);
    cr_assert_not_null(dense, "%s", s->label);
    for (int64_t r = 0; r < A->rows; r++) {
        for (int64_t p = A->row_ptr[r]; p < A->row_ptr[r + 1]; p++)
            spmv__set_scalar(spmv__double_type(A->type), dense, r * A->cols + A->col_idx[p],
                             spmv__scalar(A->type, A->val, p));
    }
    return dense;
}

void test_assert_valid(const spmv_matrix *A, const char *label)
{
    spmv_error err = {.message = ""};
    cr_assert_eq(spmv_check(A, &err), SPMV_SUCCESS, "%s: %s: %s", label,
                 spmv_format_name(A->format), err.message);
}

/* Says whether all rows, and `more`, as long as the longest would have more than 10 slots per
 * nonzero; 2^20 slots are allowed in any case. */
static bool too_much_padding(const spmv_matrix *A, int64_t more)
{
    spmv_row_stats stats;
    cr_assert_eq(spmv_row_stats_compute(A, &stats, NULL), SPMV_SUCCESS);
    int64_t slots = stats.max * (stats.rows + more);
    return slots > 10 * stats.nnz && slots > 1 << 20;
}

bool test_convert(spmv_matrix *out, const spmv_matrix *A, spmv_format format, const char *label)
{
    spmv_error err = {.message = ""};
    spmv_status st = spmv_convert(out, A, format, NULL, &err);
    if (format == SPMV_ELL && A->format != SPMV_ELL && too_much_padding(A, 0)) {
        cr_assert_eq(st, SPMV_ERROR_UNSUPPORTED, "%s to ELL should be refused", label);
        return false;
    }
    /* SELL and CSELL pad no more than this, and usually far less. */
    if (format == SPMV_SELL && st == SPMV_ERROR_UNSUPPORTED && too_much_padding(A, 31))
        return false;
    if (format == SPMV_CSELL && st == SPMV_ERROR_UNSUPPORTED && too_much_padding(A, 127))
        return false;
    cr_assert_eq(st, SPMV_SUCCESS, "%s to %s: %s", label, spmv_format_name(format), err.message);
    test_assert_valid(out, label);
    return true;
}

spmv_matrix test_csr_of(const spmv_matrix *A, spmv_type type)
{
    spmv_matrix B, C;
    cr_assert_eq(spmv_convert(&B, A, SPMV_CSR, NULL, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_convert_values(&C, &B, type, NULL), SPMV_SUCCESS);
    spmv_destroy(&B);
    return C;
}
