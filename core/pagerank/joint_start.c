/* joint_start.c -- see joint_start.h. */
#include "core/pagerank/joint_start.h"
#include "core/matrix/format.h"

/* What rank 0 says before anybody looks at an edge: `rows` becomes A in CSR, or a copy in *owned.
 */
static spmv_status begin(spmv__pagerank_run *run, const spmv_csr **rows, spmv_matrix *owned,
                         const spmv_comm *comm, const spmv_matrix *A,
                         const spmv_pagerank_options *options, spmv_error *err)
{
    const double share = (double)comm->local_size / comm->size;
    spmv_status st;
    SPMV__TRY(spmv__pagerank_check(run, A, options, share, err));
    const spmv_dense *restart = run->options.personalization;
    if (run->options.extrapolate || (restart != NULL && restart->cols > 1))
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                          "several ranks compute one ranking, without extrapolation");
    SPMV__TRY(spmv__check_square(A->head.rows, A->head.cols, err));
    SPMV__TRY(spmv__outgoing(rows, owned, A, err));
done:
    return st;
}

spmv_status spmv__joint_spread(spmv__pagerank_run *run, spmv_part *out, spmv_comm *comm,
                               const spmv_matrix *A, const spmv_pagerank_options *options,
                               spmv_error *err)
{
    const bool root = comm->rank == 0;
    spmv_matrix owned = {0}, whole = {0};
    const spmv_csr *rows = NULL;
    spmv_status st = root ? spmv__check_given(A, "the matrix of rank 0", err) : SPMV_SUCCESS;
    if (root && st == SPMV_SUCCESS) st = begin(run, &rows, &owned, comm, A, options, err);
    SPMV__TRY(spmv_comm_agree(comm, st, err));
    if (root) whole = (spmv_matrix){.format = SPMV_CSR, .csr = *rows};
    SPMV__TRY(spmv_part_spread(out, comm, &whole, SPMV_PARTITION_NNZ, err));
done:
    spmv_destroy(&owned);
    return st;
}

spmv_status spmv__joint_check(spmv__pagerank_run *run, spmv_comm *comm, const spmv_part *part,
                              const spmv_pagerank_options *options, spmv_error *err)
{
    const spmv_matrix shape = {
        .format = SPMV_CSR,
        .head = {.type = part->own.type, .rows = part->rows, .cols = part->cols, .nnz = part->nnz}};
    spmv_matrix unused = {0};
    const spmv_csr *rows;
    const spmv_status st =
        comm->rank == 0 ? begin(run, &rows, &unused, comm, &shape, options, err) : SPMV_SUCCESS;
    return spmv_comm_agree(comm, st, err);
}

spmv_pagerank_options spmv__joint_options(spmv_comm *comm, const spmv__pagerank_run *run)
{
    spmv_pagerank_options options = run->options;
    options.personalization = options.start = NULL;
    options.labels = NULL;
    options.progress = NULL;
    options.user = NULL;
    spmv__comm_broadcast(comm, &options, sizeof options, 0);
    return options;
}

/* What rank 0 begins with when the nodes have their numbers. */
static spmv_status start_whole(spmv__ranking *whole, spmv__pagerank_run *run, spmv_error *err)
{
    spmv_status st;
    SPMV__TRY(spmv__pagerank_describe(run, err));
    SPMV__TRY(spmv__ranking_create(whole, &run->graph, &run->options, 0, err));
done:
    return st;
}

spmv_status spmv__joint_number(spmv__own_edges *out, spmv__pagerank_run *run, spmv__ranking *whole,
                               spmv_comm *comm, spmv_part *part,
                               const spmv_pagerank_options *options, spmv__reader reader,
                               spmv_error *err)
{
    const int threads = spmv__threads(options->threads);
    spmv_pagerank_options named = *options;
    spmv_status st;
    named.labels = run->options.labels;
    SPMV__TRY(spmv__own_edges_create(out, comm, part, &named, err));
    SPMV__TRY(
        spmv__own_edges_number(out, whole != NULL ? &run->graph : NULL, reader, threads, err));
    if (whole != NULL) st = start_whole(whole, run, err);
    SPMV__TRY(spmv_comm_agree(comm, st, err));
done:
    return st;
}
