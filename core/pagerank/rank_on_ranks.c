/* rank_on_ranks.c -- PageRank by several ranks, with the scores of one process. */
#include "core/pagerank/ranking_part.h"

static spmv_status begin(spmv__pagerank_run *run, spmv__ranking *whole, const spmv_matrix *A,
                         const spmv_pagerank_options *options, spmv_error *err)
{
    spmv_status st;
    SPMV__REQUIRE(A != NULL, err);
    SPMV__TRY(spmv__pagerank_begin(run, A, options, SPMV__READER_CPU, err));
    if (run->options.extrapolate || run->result.rankings > 1)
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                          "several ranks compute one ranking, without extrapolation");
    SPMV__TRY(spmv__ranking_create(whole, &run->graph, &run->options, 0, err));
    spmv__report(run->options.progress, run->options.user, "ranking", 0,
                 run->options.max_iterations);
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

spmv_status spmv_pagerank_on_ranks(spmv_pagerank_result *out, spmv_comm *comm, const spmv_matrix *A,
                                   const spmv_pagerank_options *options, spmv_error *err)
{
    SPMV__REQUIRE(comm != NULL && (comm->rank > 0 || out != NULL), err);
    const bool root = comm->rank == 0;
    double residual = 0, sum = 0, nodes = 0;
    spmv__pagerank_run run = {0};
    spmv__ranking whole = {0};
    spmv__ranking_part part = {0};
    spmv_status st = root ? begin(&run, &whole, A, options, err) : SPMV_SUCCESS;
    SPMV__TRY(spmv_comm_agree(comm, st, err));
    nodes = (double)run.result.nodes;
    spmv__comm_broadcast(comm, &nodes, sizeof nodes, 0);
    if (nodes == 0) goto done;
    SPMV__TRY(spmv__ranking_part_create(&part, comm, root ? &whole : NULL, err));
    const double start = spmv_now();
    SPMV__TRY(iterate(&part, root ? &run : NULL, &residual, &sum, err));
    run.result.elapsed_ms = 1e3 * (spmv_now() - start);
    SPMV__TRY(spmv__ranking_part_collect(&part, root ? &whole : NULL, err));
    if (root) settle(&run, &whole, residual, sum);
done:
    spmv__ranking_part_destroy(&part);
    spmv__ranking_destroy(&whole);
    if (root) spmv__pagerank_end(&run, st, out);
    return st;
}
