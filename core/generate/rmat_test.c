/* rmat_test.c -- numbers of edges, loops and empty rows, each against its expectation.
 *
 * Before scrambling, the chance of an entry depends only on how often its path takes each of the
 * four quadrants.  So expectations are short sums over those numbers, and what is counted does not
 * change when nodes are renumbered. */
#include "core/generate/generated_matrix_test.h"

#include <math.h>

static double binomial(int n, int k)
{
    return exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1));
}

Test(generate_rmat, counts_are_as_expected)
{
    static const struct {
        int scale;
        double per_row;
    } cases[] = {{1, 1}, {5, 4}, {10, 16}, {13, 8}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int s = cases[i].scale;
        double edges = cases[i].per_row * (1 << s), entries = 0, loops = 0, empty_rows = 0;
        /* The path has a entries in the quadrant of 0.57, d in that of 0.05, the rest in 0.19. */
        for (int a = 0; a <= s; a++)
            for (int d = 0; a + d <= s; d++) {
                double paths = binomial(s, a) * binomial(s - a, d) * pow(2, s - a - d);
                double p = pow(0.57, a) * pow(0.05, d) * pow(0.19, s - a - d);
                double present = 1 - pow(1 - p, edges);
                entries += paths * present;
                if (a + d == s) loops += paths * present;
            }
        for (int k = 0; k <= s; k++) /* k steps into the lower half, of chance 0.24 */
            empty_rows += binomial(s, k) * pow(1 - pow(0.24, k) * pow(0.76, s - k), edges);

        spmv_generate_options options = {.scale = s, .per_row = cases[i].per_row, .seed = 11 + i};
        spmv_csr A = generate("rmat", options), B;
        int64_t found_loops = 0, found_empty = 0, found_empty_columns = 0;
        cr_assert_eq(A.rows, 1 << s);
        for (int64_t r = 0; r < A.rows; r++) {
            found_empty += row_length(&A, r) == 0;
            for (int64_t p = A.row_ptr[r]; p < A.row_ptr[r + 1]; p++)
                found_loops += A.col_idx[p] == r;
        }
        spmv_matrix M = spmv__wrap_csr(&A), T;
        cr_assert_eq(spmv_transpose(&T, &M, NULL, NULL), SPMV_SUCCESS);
        B = T.csr;
        for (int64_t r = 0; r < B.rows; r++) found_empty_columns += row_length(&B, r) == 0;

        /* Presences repel each other, so that the variance is at most that of independence. */
        cr_expect(six_sigma((double)A.nnz, entries, entries), "case %zu: %d entries, expected %g",
                  i, (int)A.nnz, entries);
        cr_expect(six_sigma((double)found_loops, loops, loops), "case %zu: %d loops, expected %g",
                  i, (int)found_loops, loops);
        cr_expect(six_sigma((double)found_empty, empty_rows, empty_rows + 1),
                  "case %zu: %d empty rows, expected %g", i, (int)found_empty, empty_rows);
        cr_expect(six_sigma((double)found_empty_columns, empty_rows, empty_rows + 1),
                  "case %zu: %d empty columns, expected %g", i, (int)found_empty_columns,
                  empty_rows);
        spmv_destroy(&T);
        spmv_csr_destroy(&A);
    }
}

/* The longest row belongs to the node whose path goes up at every step, and scrambling has moved
 * it away from 0. */
Test(generate_rmat, ids_are_scrambled)
{
    int at_zero = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        spmv_csr A = generate("rmat", (spmv_generate_options){.scale = 9, .seed = seed});
        int64_t longest = 0;
        for (int64_t r = 0; r < A.rows; r++)
            if (row_length(&A, r) > row_length(&A, longest)) longest = r;
        at_zero += longest == 0;
        spmv_csr_destroy(&A);
    }
    cr_assert_leq(at_zero, 2);
}
