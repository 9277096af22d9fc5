/* skew_test.c -- power laws and enormous rows against theory. */
#include "core/generate/generated_matrix_test.h"

#include <math.h>

/* The law of skew.c, worked out here with the library's pow: lengths are min(X, most)
 * rounded at random, X > x with the chance (start / x)^tail. */
static double cut_moment(int power, double start, double tail, double most)
{
    double exponent = power - tail; /* of the integral of p x^(p-1) (start / x)^tail */
    double integral =
        exponent == 0 ? log(most / start) : (pow(most, exponent) - pow(start, exponent)) / exponent;
    return pow(start, power) + power * pow(start, tail) * integral;
}

static double start_for_mean(double mean, double tail, double most)
{
    double low = 0, high = most;
    for (int i = 0; i < 300; i++) {
        double middle = (low + high) / 2;
        if (cut_moment(1, middle, tail, most) < mean)
            low = middle;
        else
            high = middle;
    }
    return low;
}

Test(generate_powerlaw, lengths_follow_the_law)
{
    static const struct {
        double exponent, per_row;
        int64_t max_row;
    } cases[] = {{2.2, 8, 0},    {2.0, 8, 5000},  {1.5, 20, 2000},
                 {3.5, 4, 1000}, {2.5, 0.5, 100}, {1.2, 2, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        enum { ROWS = 20000 };
        double tail = cases[i].exponent - 1;
        double most = cases[i].max_row == 0 ? ROWS : (double)cases[i].max_row;
        double start = start_for_mean(cases[i].per_row, tail, most);
        double variance = cut_moment(2, start, tail, most) + 0.25 - pow(cases[i].per_row, 2);
        spmv_csr A = generate("powerlaw", (spmv_generate_options){.rows = ROWS,
                                                                  .exponent = cases[i].exponent,
                                                                  .per_row = cases[i].per_row,
                                                                  .max_row = cases[i].max_row,
                                                                  .seed = i});
        cr_expect(six_sigma((double)A.nnz, ROWS * cases[i].per_row, ROWS * variance),
                  "case %zu: mean %g", i, (double)A.nnz / ROWS);

        /* P(length >= k) is the mean of P(X > x) over x in k-1 .. k, where k - 1 >= start. */
        for (double k = ceil(start) + 1; k < most; k *= 3) {
            double share = pow(start, tail) *
                           (tail == 1 ? log(k / (k - 1))
                                      : (pow(k, 1 - tail) - pow(k - 1, 1 - tail)) / (1 - tail));
            int64_t found = 0;
            for (int64_t r = 0; r < A.rows; r++) found += (double)row_length(&A, r) >= k;
            cr_expect(six_sigma((double)found, ROWS * share, ROWS * share * (1 - share) + 1),
                      "case %zu: %d rows of %g or more, expected %g", i, (int)found, k,
                      ROWS * share);
        }
        for (int64_t r = 0; r < A.rows; r++) cr_assert_leq((double)row_length(&A, r), most);
        spmv_csr_destroy(&A);
    }
}

/* Half of the entries are near; of the far ones the share (c / n)^(1/4) lies below column c.  Short
 * rows, so that pushing coinciding columns apart does not show. */
Test(generate_powerlaw, columns_follow_the_law)
{
    enum { ROWS = 100000, NEAR = 100 };
    spmv_csr A = generate(
        "powerlaw", (spmv_generate_options){.rows = ROWS, .per_row = 3, .max_row = 10, .seed = 5});
    int64_t near = 0, far[3] = {0}, below[3] = {ROWS / 10000, ROWS / 256, ROWS / 16};
    for (int64_t r = ROWS / 2; r < ROWS; r++)
        for (int64_t p = A.row_ptr[r]; p < A.row_ptr[r + 1]; p++) {
            near += llabs(r - A.col_idx[p]) <= NEAR;
            for (int i = 0; i < 3; i++) far[i] += A.col_idx[p] < below[i];
        }
    double n = (double)(A.nnz - A.row_ptr[ROWS / 2]);
    /* The window also catches far entries: at most (1 / 4) (0.5)^(-3/4) 201 / ROWS < 0.001. */
    cr_expect_float_eq((double)near / n, 0.5, 0.01);
    for (int i = 0; i < 3; i++)
        cr_expect_float_eq((double)far[i] / n, 0.5 * pow((double)below[i] / ROWS, 0.25), 0.01,
                           "below %d: %g", (int)below[i], (double)far[i] / n);
    spmv_csr_destroy(&A);
}

/* spmv_check (in generate) finds what is out of range or twice; full rows must come out full. */
Test(generate_powerlaw, crowded_and_odd_shapes)
{
    static const int64_t shape[][2] = {{1, 1},    {10, 3},     {3, 10},
                                       {500, 20}, {2000, 300}, {7, 90000}};
    for (size_t i = 0; i < sizeof shape / sizeof shape[0]; i++) {
        spmv_generate_options options = {.rows = shape[i][0], .cols = shape[i][1], .seed = i};
        options.density = 0.9;
        spmv_csr A = generate("powerlaw", options);
        spmv_csr_destroy(&A);
        options.density = 1;
        A = generate("powerlaw", options);
        cr_assert_eq(A.nnz, A.rows * A.cols);
        spmv_csr_destroy(&A);
    }
}

Test(generate_skew, a_few_rows_are_enormous)
{
    spmv_generate_options options = {
        .rows = 1000, .cols = 3000, .huge_rows = 3, .max_row = 2500, .per_row = 6, .bandwidth = 50};
    spmv_csr A = generate("skew", options);
    for (int64_t r = 0; r < A.rows; r++) {
        /* In the middle of each third of 333 rows. */
        bool huge = r == 166 || r == 499 || r == 832;
        cr_assert_eq(row_length(&A, r), huge ? 2500 : 6, "row %d", (int)r);
        for (int64_t p = A.row_ptr[r]; !huge && p < A.row_ptr[r + 1]; p++)
            cr_assert_lt(llabs(r - A.col_idx[p]), 50);
    }
    spmv_csr_destroy(&A);
}

Test(generate_skew, half_full_by_default)
{
    spmv_csr A = generate("skew", (spmv_generate_options){.rows = 5000, .huge_rows = 1});
    cr_assert_eq(row_length(&A, 2500), 2500);
    cr_assert_eq(row_length(&A, 2501), 16);
    spmv_csr_destroy(&A);
}
