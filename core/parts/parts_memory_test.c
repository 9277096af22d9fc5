/* parts_memory_test.c -- products and rankings of ranks of which one gets no memory. */
#include "core/comm/scarcity_test.h"
#include "core/matrix/random_matrix_test.h"
#include "core/parts/assigned_rows_test.h"
#include "core/parts/merge_shares.h"

#include <math.h>

static spmv_status multiply_by(spmv_comm *comm, const scarcity *s, spmv_partition by,
                               const int32_t *rank_of_row, spmv_error *err)
{
    spmv_part part = {0};
    spmv_part_operator *op = NULL;
    spmv_dense mine = {0}, whole = {0};
    spmv_status st;
    SPMV__TRY(spmv_part_spread(&part, comm, comm->rank == 0 ? s->A : NULL, by, err));
    if (rank_of_row != NULL) SPMV__TRY(spmv_part_assign(&part, comm, rank_of_row, err));
    SPMV__TRY(spmv_part_scatter(&mine, comm, part.col_begin, part.col_number, s->x, err));
    SPMV__TRY(spmv_part_operator_create(&op, comm, &part, SPMV_F64, 1, err));
    SPMV__TRY(spmv_part_gather(&whole, comm, part.col_begin, part.col_number, &mine, err));
done:
    spmv_part_operator_destroy(op);
    spmv_part_destroy(&part);
    spmv_dense_destroy(&mine);
    spmv_dense_destroy(&whole);
    return st;
}

static spmv_status multiply_all(spmv_comm *comm, const scarcity *s, spmv_error *err)
{
    return multiply_by(comm, s, SPMV_PARTITION_NNZ, NULL, err);
}

/* A square matrix, whose columns are numbered anew, too. */
static spmv_status multiply_assigned(spmv_comm *comm, const scarcity *s, spmv_error *err)
{
    int32_t *rank_of_row = assign_somehow(s->A->head.rows, comm->size, 0);
    const spmv_status st = multiply_by(comm, s, SPMV_PARTITION_ROWS, rank_of_row, err);
    free(rank_of_row);
    return st;
}

static spmv_status multiply_simply(spmv_comm *comm, const scarcity *s, spmv_error *err)
{
    return multiply_by(comm, s, SPMV_PARTITION_NONZEROS, NULL, err);
}

static spmv_status rank_by(spmv_comm *comm, const scarcity *s, bool unweighted, spmv_error *err)
{
    const bool root = comm->rank == 0;
    const spmv_pagerank_options config = {.unweighted = unweighted, .max_iterations = 2};
    spmv_pagerank_result result = {0};
    const spmv_status st = spmv_pagerank_on_ranks(root ? &result : NULL, comm, root ? s->A : NULL,
                                                  root ? &config : NULL, err);
    spmv_pagerank_destroy(&result);
    return st;
}

static spmv_status rank_alike(spmv_comm *comm, const scarcity *s, spmv_error *err)
{
    return rank_by(comm, s, true, err);
}

static spmv_status rank_weighted(spmv_comm *comm, const scarcity *s, spmv_error *err)
{
    return rank_by(comm, s, false, err);
}

/* Every entry belongs to the share of one rank. */
static spmv_status take_entries(spmv_csr *out, const spmv_csr *A, const spmv_comm *comm,
                                spmv_error *err)
{
    int64_t n = 0;
    const spmv_status st = spmv_csr_create(out, A->type, A->rows, A->cols, A->nnz, err);
    if (st != SPMV_SUCCESS) return st;
    for (int64_t r = 0; r < A->rows; r++) {
        for (int64_t p = A->row_ptr[r]; p < A->row_ptr[r + 1]; p++)
            if (p % comm->size == comm->rank) out->col_idx[n++] = A->col_idx[p];
        out->row_ptr[r + 1] = n;
    }
    out->nnz = n;
    return st;
}

static spmv_status merge_all(spmv_comm *comm, const scarcity *s, spmv_error *err)
{
    spmv_csr share = {0};
    spmv_part part = {0};
    spmv_status st = take_entries(&share, &s->A->csr, comm, err);
    SPMV__TRY(spmv_comm_agree(comm, st, err));
    SPMV__TRY(spmv__part_merge(&part, comm, &share, SPMV_PARTITION_NNZ, err));
done:
    spmv_part_destroy(&part);
    spmv_csr_destroy(&share);
    return st;
}

/* Some of its values are 0. */
static spmv_status symmetrize(spmv_comm *comm, const scarcity *s, spmv_error *err)
{
    spmv_part part = {0}, both = {0};
    spmv_status st;
    SPMV__TRY(
        spmv_part_spread(&part, comm, comm->rank == 0 ? s->A : NULL, SPMV_PARTITION_NNZ, err));
    SPMV__TRY(spmv_part_symmetrize(&both, comm, &part, err));
done:
    spmv_part_destroy(&part);
    spmv_part_destroy(&both);
    return st;
}

/* A^T A with a mask, brought together. */
static spmv_status multiply_sparse(spmv_comm *comm, const scarcity *s, spmv_error *err)
{
    const spmv_spgemm_options options = {.transpose_a = true, .threads = 1};
    spmv_part part = {0}, product = {0};
    spmv_matrix C = {0};
    spmv_status st;
    SPMV__TRY(
        spmv_part_spread(&part, comm, comm->rank == 0 ? s->A : NULL, SPMV_PARTITION_NNZ, err));
    SPMV__TRY(spmv_spgemm_on_ranks(&product, comm, &part, &part, &part, &options, NULL, NULL, err));
    SPMV__TRY(spmv_part_collect(&C, comm, &product, err));
done:
    spmv_part_destroy(&part);
    spmv_part_destroy(&product);
    spmv_destroy(&C);
    return st;
}

Test(parts_memory, a_product_without_memory_ends_on_all_ranks)
{
    test_sample sample = test_sample_make(5, SPMV_F64, 0);
    spmv_matrix A;
    spmv_dense x;
    /* In coordinates, so that rank 0 has to convert them. */
    cr_assert(test_convert(&A, &sample.A, SPMV_COO, sample.label));
    cr_assert_eq(spmv_dense_create(&x, SPMV_F64, A.head.cols, 1, NULL), SPMV_SUCCESS);
    starve_all((scarcity){.work = multiply_all, .A = &A, .x = &x});
    starve_all((scarcity){.work = multiply_simply, .A = &A, .x = &x});
    spmv_destroy(&A);
    spmv_dense_destroy(&x);
    spmv_destroy(&sample.A);
}

/* A row of all but everything, which three multiply. */
Test(parts_memory, rows_are_split_with_memory_only)
{
    const int64_t n = 40000;
    spmv_matrix A = {.format = SPMV_CSR};
    spmv_dense x;
    cr_assert_eq(spmv_csr_create(&A.csr, SPMV_F64, 3, n, n, NULL), SPMV_SUCCESS);
    A.csr.row_ptr[2] = A.csr.row_ptr[3] = n;
    for (int64_t p = 0; p < n; p++) A.csr.col_idx[p] = (int32_t)p;
    cr_assert_eq(spmv_dense_create(&x, SPMV_F64, n, 1, NULL), SPMV_SUCCESS);
    starve_all((scarcity){.work = multiply_all, .A = &A, .x = &x});
    spmv_destroy(&A);
    spmv_dense_destroy(&x);
}

Test(parts_memory, rows_that_nobody_has_memory_for_are_assigned_to_no_rank)
{
    const spmv_generate_options options = {.scale = 6, .per_row = 4, .seed = 1};
    spmv_matrix A = {.format = SPMV_CSR};
    spmv_dense x;
    cr_assert_eq(spmv_generate(&A.csr, "rmat", &options, NULL), SPMV_SUCCESS);
    cr_assert_eq(spmv_dense_create(&x, SPMV_F64, A.head.cols, 1, NULL), SPMV_SUCCESS);
    starve_all((scarcity){.work = multiply_assigned, .A = &A, .x = &x});
    spmv_destroy(&A);
    spmv_dense_destroy(&x);
}

Test(parts_memory, rankings_and_shares_without_memory_end_on_all_ranks)
{
    const spmv_generate_options options = {
        .scale = 12, .per_row = 4, .seed = 1, .type = SPMV_F64, .values = SPMV_VALUES_RANDOM};
    spmv_matrix A = {.format = SPMV_CSR};
    cr_assert_eq(spmv_generate(&A.csr, "rmat", &options, NULL), SPMV_SUCCESS);
    double *val = A.csr.val; /* some are no edges */
    for (int64_t p = 0; p < A.csr.nnz; p++) val[p] = p % 3 == 0 ? 0 : fabs(val[p]);
    starve_all((scarcity){.work = rank_alike, .A = &A});
    starve_all((scarcity){.work = rank_weighted, .A = &A});
    starve_all((scarcity){.work = merge_all, .A = &A});
    starve_all((scarcity){.work = symmetrize, .A = &A});
    spmv_destroy(&A);
}

Test(parts_memory, sparse_products_without_memory_end_on_all_ranks)
{
    const spmv_generate_options options = {.scale = 6, .per_row = 4, .seed = 1};
    spmv_matrix A = {.format = SPMV_CSR};
    cr_assert_eq(spmv_generate(&A.csr, "rmat", &options, NULL), SPMV_SUCCESS);
    starve_all((scarcity){.work = multiply_sparse, .A = &A});
    spmv_destroy(&A);
}
