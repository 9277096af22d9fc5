/* empty_outputs_test.c -- what a caller destroys after a failure holds nothing, whatever was in it.
 */
#include "core/base/base.h"

#include <criterion/criterion.h>
#include <stdlib.h>

/* What calls are given: one rank, and a matrix that is not square, whole and as the only part. */
typedef struct given {
    spmv_comm *comm;
    spmv_matrix A;
    spmv_part part, assigned; /* assigned: as spmv_part_assign leaves it */
} given;

static void begin(given *g)
{
    static const int32_t rank_of_row[] = {0, 0};
    const double dense[] = {1, 0, 2, 0, 3, 0};
    *g = (given){0};
    cr_assert_eq(spmv_comm_alone(&g->comm, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_from_dense(&g->A, SPMV_CSR, SPMV_F64, 2, 3, dense, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_part_spread(&g->part, g->comm, &g->A, SPMV_PARTITION_NNZ, NULL),
                 SPMV_SUCCESS);
    cr_assert_eq(spmv_part_spread(&g->assigned, g->comm, &g->A, SPMV_PARTITION_NNZ, NULL),
                 SPMV_SUCCESS);
    cr_assert_eq(spmv_part_assign(&g->assigned, g->comm, rank_of_row, NULL), SPMV_SUCCESS);
}

static void end(given *g)
{
    spmv_part_destroy(&g->part);
    spmv_part_destroy(&g->assigned);
    spmv_destroy(&g->A);
    spmv_comm_close(g->comm);
}

/* ---- Parts ---------------------------------------------------------------------------------- */

static spmv_status transpose_of_nothing(spmv_part *out, const given *g)
{
    return spmv_part_transpose(out, g->comm, NULL, NULL);
}

static spmv_status transpose_assigned(spmv_part *out, const given *g)
{
    return spmv_part_transpose(out, g->comm, &g->assigned, NULL);
}

static spmv_status transpose_by_none(spmv_part *out, const given *g)
{
    return spmv_part_transpose(out, NULL, &g->part, NULL);
}

static spmv_status symmetrize_oblong(spmv_part *out, const given *g)
{
    return spmv_part_symmetrize(out, g->comm, &g->part, NULL);
}

static spmv_status symmetrize_assigned(spmv_part *out, const given *g)
{
    return spmv_part_symmetrize(out, g->comm, &g->assigned, NULL);
}

static spmv_status spread_nothing(spmv_part *out, const given *g)
{
    return spmv_part_spread(out, g->comm, NULL, SPMV_PARTITION_NNZ, NULL);
}

static spmv_status spread_as_given(spmv_part *out, const given *g)
{
    return spmv_part_spread(out, g->comm, &g->A, SPMV_PARTITION_GIVEN, NULL);
}

/* A has 3 columns and B 2 rows. */
static spmv_status multiply_misfits(spmv_part *out, const given *g)
{
    return spmv_spgemm_on_ranks(out, g->comm, &g->part, &g->part, NULL, NULL, NULL, NULL, NULL);
}

static spmv_status multiply_nothing(spmv_part *out, const given *g)
{
    return spmv_spgemm_on_ranks(out, g->comm, NULL, &g->part, NULL, NULL, NULL, NULL, NULL);
}

typedef struct failing_call {
    const char *name;
    spmv_status (*make)(spmv_part *out, const given *g);
} failing_call;

Test(empty_outputs, parts)
{
    static const failing_call calls[] = {
        {"transpose_of_nothing", transpose_of_nothing}, {"transpose_assigned", transpose_assigned},
        {"transpose_by_none", transpose_by_none},       {"symmetrize_oblong", symmetrize_oblong},
        {"symmetrize_assigned", symmetrize_assigned},   {"spread_nothing", spread_nothing},
        {"spread_as_given", spread_as_given},           {"multiply_misfits", multiply_misfits},
        {"multiply_nothing", multiply_nothing},
    };
    given g;
    begin(&g);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        spmv_part out;
        memset(&out, 0xA5, sizeof out);
        cr_assert_neq(calls[i].make(&out, &g), SPMV_SUCCESS, "%s", calls[i].name);
        cr_expect(out.row_begin == NULL && out.own.row_ptr == NULL && out.own.storage == NULL &&
                      out.row_number == NULL && out.step == NULL,
                  "%s", calls[i].name);
    }
    end(&g);
}

/* ---- Others --------------------------------------------------------------------------------- */

Test(empty_outputs, of_parts)
{
    given g;
    spmv_matrix whole;
    spmv_dense v;
    spmv_pagerank_result ranking;
    begin(&g);

    memset(&whole, 0xA5, sizeof whole);
    cr_assert_neq(spmv_part_collect(&whole, g.comm, &g.assigned, NULL), SPMV_SUCCESS);
    cr_expect(whole.csr.row_ptr == NULL && whole.csr.storage == NULL);
    memset(&whole, 0xA5, sizeof whole);
    cr_assert_neq(spmv_part_collect(&whole, g.comm, NULL, NULL), SPMV_SUCCESS);
    cr_expect(whole.csr.row_ptr == NULL && whole.csr.storage == NULL);

    memset(&v, 0xA5, sizeof v);
    cr_assert_neq(spmv_part_scatter(&v, g.comm, g.part.col_begin, NULL, NULL, NULL), SPMV_SUCCESS);
    cr_expect_null(v.data);
    memset(&v, 0xA5, sizeof v);
    cr_assert_neq(spmv_part_gather(&v, g.comm, g.part.col_begin, NULL, NULL, NULL), SPMV_SUCCESS);
    cr_expect_null(v.data);

    memset(&ranking, 0xA5, sizeof ranking);
    cr_assert_neq(spmv_pagerank_part(&ranking, g.comm, &g.assigned, NULL, NULL), SPMV_SUCCESS);
    cr_expect_null(ranking.ranks);
    end(&g);
}

Test(empty_outputs, pointers)
{
    given g;
    int unused;
    spmv_part_operator *op = (void *)&unused;
    int32_t *rank_of_row = (void *)&unused;
    begin(&g);
    cr_assert_neq(spmv_part_operator_create(&op, g.comm, &g.part, SPMV_PATTERN, 1, NULL),
                  SPMV_SUCCESS);
    cr_expect_null(op);
    op = (void *)&unused;
    cr_assert_neq(spmv_part_operator_create(&op, g.comm, NULL, SPMV_F64, 1, NULL), SPMV_SUCCESS);
    cr_expect_null(op);
    cr_assert_neq(spmv_partition_graph(&rank_of_row, &g.A.csr, 0, NULL), SPMV_SUCCESS);
    cr_expect_null(rank_of_row);
    end(&g);
}

/* An input that is named as the output is refused, and stays. */
Test(empty_outputs, inputs_are_no_outputs)
{
    const double dense[] = {1, 0, 2, 3};
    spmv_matrix A, B, copy;
    cr_assert_eq(spmv_from_dense(&A, SPMV_CSR, SPMV_F64, 2, 2, dense, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_convert(&B, &A, SPMV_COO, NULL, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_convert(&copy, &A, SPMV_CSR, NULL, NULL), SPMV_SUCCESS);
    const spmv_spgemm_options masked = {.mask = &A};
    cr_expect_eq(spmv_csr_to_csr(&A.csr, &A.csr, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(spmv_csr_from_csr(&A.csr, &A.csr, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(spmv_generate_like(&A.csr, &A, NULL, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(spmv_spgemm(&A, &B, &B, &masked, NULL, NULL), SPMV_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(spmv_spgemm_gpu(&A, &B, &B, &masked, NULL, NULL, NULL),
                 SPMV_ERROR_INVALID_ARGUMENT);
    cr_expect(spmv_identical(&A, &copy));
    spmv_destroy(&A);
    spmv_destroy(&B);
    spmv_destroy(&copy);
}
