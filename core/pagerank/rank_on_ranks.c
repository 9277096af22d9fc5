/* rank_on_ranks.c -- PageRank by several ranks, with the scores of one process. */
#include "core/pagerank/joint_start.h"
#include "core/pagerank/ranking_part.h"
#include "core/parts/partition.h"

/* Iterate until the scores have converged, which all ranks find alike.  If rank 0 cannot store a
 * residual, it reports that only at the end, when all others are done too. */
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
    spmv__own_edges edges = {.comm = NULL};
    spmv_status st;
    SPMV__TRY(spmv__joint_number(&edges, run, whole, comm, part, options, SPMV__READER_CPU, err));
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
    const spmv_pagerank_options options = spmv__joint_options(comm, run);
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
    SPMV__REQUIRE(comm != NULL && (comm->rank > 0 || out != NULL), err);
    if (comm->rank == 0) memset(out, 0, sizeof *out);
    SPMV__REQUIRE(part != NULL, err);
    SPMV__REQUIRE_IN_ORDER(part, err);
    spmv__pagerank_run run = {0};
    spmv_status st;
    SPMV__TRY(spmv__joint_check(&run, comm, part, options, err));
    SPMV__TRY(spmv_comm_agree(comm, rank_part(&run, comm, part, err), err));
done:
    if (comm->rank == 0) spmv__pagerank_end(&run, st, out);
    return st;
}

spmv_status spmv_pagerank_on_ranks(spmv_pagerank_result *out, spmv_comm *comm, const spmv_matrix *A,
                                   const spmv_pagerank_options *options, spmv_error *err)
{
    SPMV__REQUIRE(comm != NULL && (comm->rank > 0 || out != NULL), err);
    spmv__pagerank_run run = {0};
    spmv_part part = {0};
    spmv_status st;
    if (comm->rank == 0) memset(out, 0, sizeof *out);
    SPMV__TRY(spmv__joint_spread(&run, &part, comm, A, options, err));
    SPMV__TRY(spmv_comm_agree(comm, rank_part(&run, comm, &part, err), err));
done:
    spmv_part_destroy(&part);
    if (comm->rank == 0) spmv__pagerank_end(&run, st, out);
    return st;
}
