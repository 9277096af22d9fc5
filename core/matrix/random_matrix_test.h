/* random_matrix_test.h -- random matrices for the property tests of every folder.
 *
 * A sample is fixed by its number and value type alone, and its label says all that is needed to
 * make it again; print the label in every failure message. */
#pragma once

#include "core/base/types.h"

enum {
    TEST_CASES = 100,         /* of a property, for each value type */
    TEST_SIDE = 10000,        /* most rows or columns of a sample */
    TEST_NNZ = 300000,        /* most nonzeros */
    TEST_SMALL_CELLS = 200000 /* rows * cols of seven samples in eight, at most */
};

typedef struct test_sample {
    spmv_matrix A; /* CSR; release with spmv_destroy */
    char label[160];
} test_sample;

/* Makes sample number k = 0, 1, 2, ...
 *
 *   type       of the values, which are neither 0 nor lost in single precision; complex ones have
 *              the same places and real parts whatever their precision
 *   max_cells  rows * cols at most (for tests that make dense arrays); 0: no limit
 *
 * Number 0 is 1 x 1, number 1 has both sides as long as allowed, the others' sides are spread
 * evenly over the orders of magnitude, and one in 16 has no rows or no columns.  Row lengths are
 * uniform, power-law, extremely skewed (a few rows hold nearly everything) or have gaps of empty
 * rows, in turn; densities lie in 0.001 .. 0.5.  Stops the test when there is no memory. */
test_sample test_sample_make(int k, spmv_type type, int64_t max_cells);

/* Returns the sample as a dense row-major array, not made by the library; free it.  It has as many
 * doubles as the other function says: two for an element that is complex. */
double *test_sample_dense(const test_sample *s);
int64_t test_sample_doubles(const test_sample *s);

/* Makes the matrix in another format, with the defaults of spmv_convert_options and found valid by
 * spmv_check. False, and nothing made, when it is an ELL that the default fill limit must refuse.
 * Stops the test on any other failure. */
bool test_convert(spmv_matrix *out, const spmv_matrix *A, spmv_format format, const char *label);

/* The matrix in CSR, with values of that type.  Stops the test on any failure. */
spmv_matrix test_csr_of(const spmv_matrix *A, spmv_type type);

/* Types of matrix and vector that go together. */
typedef struct test_types {
    spmv_type type, x_type;
} test_types;
#define X(name, type, x_type) +1
enum { TEST_TYPES = 0 SPMV__TYPES_TABLE(X) };
#undef X
extern const test_types test_types_of[TEST_TYPES];

/* An entry, and its number among those that were given. */
typedef struct test_triple {
    int64_t row, col, index;
    spmv_scalar val;
} test_triple;

/* Compares for qsort: by row, then column, then number. */
static inline int test_by_coordinate(const void *a, const void *b)
{
    const test_triple *x = a, *y = b;
    if (x->row != y->row) return x->row < y->row ? -1 : 1;
    if (x->col != y->col) return x->col < y->col ? -1 : 1;
    return x->index < y->index ? -1 : 1;
}

/* Compares by column, then row, then number. */
static inline int test_by_column(const void *a, const void *b)
{
    const test_triple *x = a, *y = b;
    if (x->col != y->col) return x->col < y->col ? -1 : 1;
    return test_by_coordinate(a, b);
}

static inline bool test_equal(spmv_scalar a, spmv_scalar b)
{
    return a.re == b.re && a.im == b.im;
}

/* Stops the test, with the label, unless A keeps every promise of its format. */
void test_assert_valid(const spmv_matrix *A, const char *label);
