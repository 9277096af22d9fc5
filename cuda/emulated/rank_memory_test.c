/* rank_memory_test.c -- rankings by ranks with a GPU each, of which one gets no memory on its host.
 */
#include "core/comm/scarcity_test.h"

#include <math.h>

static spmv_status rank_part(spmv_comm *comm, const scarcity *s, spmv_part *part, spmv_context *ctx,
                             spmv_error *err)
{
    const bool root = comm->rank == 0;
    const spmv_pagerank_options config = {.max_iterations = 2};
    spmv_pagerank_result result = {0};
    spmv_status st;
    SPMV__TRY(spmv_part_spread(part, comm, root ? s->A : NULL, SPMV_PARTITION_ROWS, err));
    SPMV__TRY(spmv_pagerank_gpu_part(root ? &result : NULL, comm, part, root ? &config : NULL, ctx,
                                     SPMV_ROUTE_HOST, err));
done:
    spmv_pagerank_destroy(&result);
    return st;
}

static spmv_status rank_together(spmv_comm *comm, const scarcity *s, spmv_error *err)
{
    spmv_context *ctx = NULL;
    spmv_part part = {0};
    spmv_status st = spmv_context_create(&ctx, 0, 1, err);
    SPMV__TRY(spmv_comm_agree(comm, st, err));
    SPMV__TRY(rank_part(comm, s, &part, ctx, err));
done:
    spmv_part_destroy(&part);
    spmv_context_destroy(ctx);
    return st;
}

/* Some entries are no edges, and the others are not alike. */
Test(rank_memory, rankings_by_gpus_without_memory_end_on_all_ranks)
{
    const spmv_generate_options options = {
        .scale = 5, .per_row = 4, .seed = 1, .type = SPMV_F64, .values = SPMV_VALUES_RANDOM};
    spmv_matrix A = {.format = SPMV_CSR};
    cr_assert_eq(spmv_generate(&A.csr, "rmat", &options, NULL), SPMV_SUCCESS);
    double *val = A.csr.val;
    for (int64_t p = 0; p < A.csr.nnz; p++) val[p] = p % 3 == 0 ? 0 : fabs(val[p]);
    starve_all((scarcity){.work = rank_together, .A = &A});
    spmv_destroy(&A);
}
