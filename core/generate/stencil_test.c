/* stencil_test.c -- grids small enough to work out by hand. */
#include "core/matrix/value.h"
#include "core/generate/generated_matrix_test.h"

#include <math.h>

static void expect_dense(const char *kind, spmv_generate_options options, const double *expected)
{
    spmv_csr A = generate(kind, options);
    double *dense = calloc((size_t)(A.rows * A.cols), sizeof *dense);
    spmv_csr_to_dense(&A, dense);
    for (int64_t i = 0; i < A.rows * A.cols; i++)
        cr_expect_eq(dense[i], expected[i], "%s (%d, %d): %g", kind, (int)(i / A.cols),
                     (int)(i % A.cols), dense[i]);
    free(dense);
    spmv_csr_destroy(&A);
}

Test(generate_stencil, stencil5_on_3_by_3)
{
    static const double expected[81] = {
        4,  -1, 0,  -1, 0,  0,  0,  0,  0,  /* */
        -1, 4,  -1, 0,  -1, 0,  0,  0,  0,  /* */
        0,  -1, 4,  0,  0,  -1, 0,  0,  0,  /* */
        -1, 0,  0,  4,  -1, 0,  -1, 0,  0,  /* */
        0,  -1, 0,  -1, 4,  -1, 0,  -1, 0,  /* */
        0,  0,  -1, 0,  -1, 4,  0,  0,  -1, /* */
        0,  0,  0,  -1, 0,  0,  4,  -1, 0,  /* */
        0,  0,  0,  0,  -1, 0,  -1, 4,  -1, /* */
        0,  0,  0,  0,  0,  -1, 0,  -1, 4,
    };
    expect_dense("stencil5", (spmv_generate_options){.grid = 3, .type = SPMV_F64}, expected);
}

Test(generate_stencil, stencil7_on_2_by_2_by_2)
{
    static const double expected[64] = {
        6,  -1, -1, 0,  -1, 0,  0,  0,  /* */
        -1, 6,  0,  -1, 0,  -1, 0,  0,  /* */
        -1, 0,  6,  -1, 0,  0,  -1, 0,  /* */
        0,  -1, -1, 6,  0,  0,  0,  -1, /* */
        -1, 0,  0,  0,  6,  -1, -1, 0,  /* */
        0,  -1, 0,  0,  -1, 6,  0,  -1, /* */
        0,  0,  -1, 0,  -1, 0,  6,  -1, /* */
        0,  0,  0,  -1, 0,  -1, -1, 6,
    };
    expect_dense("stencil7", (spmv_generate_options){.grid = 2, .type = SPMV_F32}, expected);
}

Test(generate_stencil, stencil27_joins_all_of_2_by_2_by_2)
{
    double expected[64];
    for (int i = 0; i < 64; i++) expected[i] = i / 8 == i % 8 ? 26 : -1;
    expect_dense("stencil27", (spmv_generate_options){.grid = 2, .type = SPMV_F64}, expected);
}

Test(generate_stencil, a_grid_of_one_point)
{
    expect_dense("stencil5", (spmv_generate_options){.grid = 1, .type = SPMV_F64}, (double[]){4});
    expect_dense("stencil7", (spmv_generate_options){.grid = 1, .type = SPMV_F64}, (double[]){6});
    expect_dense("stencil27", (spmv_generate_options){.grid = 1, .type = SPMV_F64}, (double[]){26});
}

/* Per axis, g points have 3 g - 2 pairs within distance 1 (themselves included). */
Test(generate_stencil, number_of_entries)
{
    for (int64_t g = 1; g <= 12; g++) {
        int64_t pairs = 3 * g - 2, grid2 = g * g, grid3 = g * g * g;
        spmv_csr five = generate("stencil5", (spmv_generate_options){.grid = g});
        spmv_csr seven = generate("stencil7", (spmv_generate_options){.grid = g});
        spmv_csr all = generate("stencil27", (spmv_generate_options){.grid = g});
        spmv_csr fem = generate("fem", (spmv_generate_options){.grid = g, .block = 4});
        cr_expect_eq(five.nnz, grid2 + 4 * g * (g - 1));
        cr_expect_eq(seven.nnz, grid3 + 6 * grid2 * (g - 1));
        cr_expect_eq(all.nnz, pairs * pairs * pairs);
        cr_expect_eq(fem.nnz, 16 * pairs * pairs * pairs);
        cr_expect_eq(fem.rows, 4 * grid3);
        spmv_csr_destroy(&five);
        spmv_csr_destroy(&seven);
        spmv_csr_destroy(&all);
        spmv_csr_destroy(&fem);
    }
}

/* Unknown i of a node is joined to all unknowns of the nodes that stencil27 joins it to. */
Test(generate_fem, has_the_blocks_of_stencil27)
{
    enum { BLOCK = 3 };
    spmv_csr A = generate("fem", (spmv_generate_options){.grid = 4, .block = BLOCK});
    spmv_csr nodes = generate("stencil27", (spmv_generate_options){.grid = 4});
    for (int64_t r = 0; r < A.rows; r++) {
        const int32_t *node = nodes.col_idx + nodes.row_ptr[r / BLOCK];
        cr_assert_eq(row_length(&A, r), BLOCK * row_length(&nodes, r / BLOCK));
        for (int64_t k = 0; k < row_length(&A, r); k++)
            cr_assert_eq(A.col_idx[A.row_ptr[r] + k], node[k / BLOCK] * BLOCK + k % BLOCK);
    }
    spmv_csr_destroy(&nodes);
    spmv_csr_destroy(&A);
}

/* Symmetric (see generate_test.c), strictly diagonally dominant and positive on the diagonal: so
 * positive definite, by Gershgorin's circles.  In both precisions. */
Test(generate_fem, is_positive_definite)
{
    for (spmv_type type = SPMV_F32; type <= SPMV_F64; type++) {
        spmv_csr A = generate("fem", (spmv_generate_options){.grid = 6, .type = type, .seed = 3});
        for (int64_t r = 0; r < A.rows; r++) {
            double diagonal = 0, others = 0;
            for (int64_t p = A.row_ptr[r]; p < A.row_ptr[r + 1]; p++) {
                double v = spmv__value(type, A.val, p);
                cr_assert_neq(v, 0);
                if (A.col_idx[p] == r)
                    diagonal = v;
                else
                    others += fabs(v);
            }
            cr_assert_gt(diagonal, others + 0.5);
        }
        spmv_csr_destroy(&A);
    }
}
