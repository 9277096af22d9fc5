/* rank_on_ranks.c -- PageRank by several ranks, with the scores of one process. */
#include "core/pagerank/ranking_part.h"

/* What rank 0 says before anybody looks at an edge: `rows` becomes A in CSR, or a copy in *owned.
 */
static spmv_status begin(spmv__pagerank_run *run, const spmv_csr **rows, spmv_matrix *owned,
                         const spmv_comm *comm, const spmv_matrix *A,
                         const spmv_pagerank_options *options, spmv_error *err)
{
    const double share = (double)comm->local_size / comm->size;
    spmv_status st;
    SPMV__REQUIRE(A != NULL, err);
    SPMV__TRY(spmv__pagerank_check(run, A, options, share, err));
    const spmv_dense *restart = run->options.personalization;
    if (run->options.extrapolate || (restart != NULL && restart->cols > 1))
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                          "several ranks compute one ranking, without extrapolation");
    SPMV__TRY(spmv__check_square(A, err));
    SPMV__TRY(spmv__outgoing(rows, owned, A, err));
done:
    return st;
}

/* The options of rank 0, for all. */
static spmv_pagerank_options share_options(spmv_comm *comm, const spmv__pagerank_run *run)
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

/* Iterate until rank 0, like all others, finds that the scores have converged.  Residuals that it
 * cannot store end nothing before the others have ended, too. */
static spmv_status iterate(spmv__ranking_part *p, spmv__pagerank_run *run, double *residual,
                           double *sum, spmv_error *err)
{
    const spmv_pagerank_options *options = &p->options;
    double change[SPMV__RANKINGS], largest[SPMV__RANKINGS];
    spmv_status st = SPMV_SUCCESS;
    bool converged = false;
    for (int i = 0; i < options->max_iterations && !converged; i++) {
        spmv__ranking_part_step(p, change, largest);
        *residual = spmv__ranking_residual(&p->ranking, change, largest, sum);
        converged = *residual < options->tolerance;
        if (run != NULL && st == SPMV_SUCCESS) st = spmv__pagerank_note(run, i, *residual, err);
    }
    return spmv_comm_agree(p->comm, st, err);
}

/* Rank 0 takes what all have found. */
static void settle(spmv__pagerank_run *run, const spmv__ranking *whole, double residual, double sum)
{
    for (int64_t j = 0; j < whole->nodes; j++)
        run->result.ranks[whole->graph->node[j]] = whole->rank[j];
    spmv__pagerank_settle(run, 1, residual, sum);
}

/* Bring the edges of all ranks to where they are pulled; whole is NULL but on rank 0. */
static spmv_status make_part(spmv__ranking_part *out, spmv__ranking *whole, spmv_comm *comm,
                             spmv_part *part, spmv__pagerank_run *run,
                             const spmv_pagerank_options *options, spmv_error *err)
{
    const int threads = spmv__threads(options->threads);
    spmv_pagerank_options named = *options;
    spmv__own_edges edges = {.comm = NULL};
    spmv_status st;
    named.labels = run->options.labels;
    SPMV__TRY(spmv__own_edges_create(&edges, comm, part, &named, err));
    SPMV__TRY(spmv__own_edges_number(&edges, whole != NULL ? &run->graph : NULL, threads, err));
    if (whole != NULL) st = start_whole(whole, run, err);
    SPMV__TRY(spmv_comm_agree(comm, st, err));
    SPMV__TRY(spmv__ranking_part_create(out, &edges, whole, options, err));
done:
    spmv__own_edges_destroy(&edges);
    return st;
}

/* Rank, when rank 0 has found nothing wrong. */
static spmv_status rank_part(spmv__pagerank_run *run, spmv_comm *comm, spmv_part *part,
                             spmv_error *err)
{
    const bool root = comm->rank == 0;
    const spmv_pagerank_options options = share_options(comm, run);
    double residual = 0, sum = 0;
    spmv__ranking whole = {0};
    spmv__ranking_part p = {0};
    spmv_status st;
    if (part->rows == 0) return root ? spmv__pagerank_describe(run, err) : SPMV_SUCCESS;
    SPMV__TRY(make_part(&p, root ? &whole : NULL, comm, part, run, &options, err));
    spmv__report(run->options.progress, run->options.user, "ranking", 0, options.max_iterations);
    const double start = spmv_now();
    SPMV__TRY(iterate(&p, root ? run : NULL, &residual, &sum, err));
    run->result.seconds = spmv_now() - start;
    SPMV__TRY(spmv__ranking_part_collect(&p, root ? &whole : NULL, err));
    if (root) settle(run, &whole, residual, sum);
done:
    spmv__ranking_part_destroy(&p);
    spmv__ranking_destroy(&whole);
    return st;
}

spmv_status spmv_pagerank_part(spmv_pagerank_result *out, spmv_comm *comm, spmv_part *part,
                               const spmv_pagerank_options *options, spmv_error *err)
{
    SPMV__REQUIRE(comm != NULL && part != NULL && (comm->rank > 0 || out != NULL), err);
    SPMV__REQUIRE(part->by == SPMV_PARTITION_NNZ || part->by == SPMV_PARTITION_ROWS, err);
    const spmv_matrix shape = {
        .format = SPMV_CSR,
        .head = {.type = part->own.type, .rows = part->rows, .cols = part->cols, .nnz = part->nnz}};
    const bool root = comm->rank == 0;
    spmv__pagerank_run run = {0};
    spmv_matrix unused = {0};
    const spmv_csr *rows;
    spmv_status st = root ? begin(&run, &rows, &unused, comm, &shape, options, err) : SPMV_SUCCESS;
    SPMV__TRY(spmv_comm_agree(comm, st, err));
    SPMV__TRY(spmv_comm_agree(comm, rank_part(&run, comm, part, err), err));
done:
    if (root) spmv__pagerank_end(&run, st, out);
    return st;
}

spmv_status spmv_pagerank_on_ranks(spmv_pagerank_result *out, spmv_comm *comm, const spmv_matrix *A,
                                   const spmv_pagerank_options *options, spmv_error *err)
{
    SPMV__REQUIRE(comm != NULL && (comm->rank > 0 || out != NULL), err);
    const bool root = comm->rank == 0;
    spmv__pagerank_run run = {0};
    spmv_matrix owned = {0}, whole = {0};
    const spmv_csr *rows = NULL;
    spmv_part part = {0};
    spmv_status st = root ? begin(&run, &rows, &owned, comm, A, options, err) : SPMV_SUCCESS;
    SPMV__TRY(spmv_comm_agree(comm, st, err));
    if (root) whole = (spmv_matrix){.format = SPMV_CSR, .csr = *rows};
    SPMV__TRY(spmv_part_spread(&part, comm, &whole, SPMV_PARTITION_NNZ, err));
    spmv_destroy(&owned);
    SPMV__TRY(spmv_comm_agree(comm, rank_part(&run, comm, &part, err), err));
done:
    spmv_destroy(&owned);
    spmv_part_destroy(&part);
    if (root) spmv__pagerank_end(&run, st, out);
    return st;
}
