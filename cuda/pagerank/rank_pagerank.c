/* rank_pagerank.c -- PageRank on GPUs of several ranks, each of which has one.
 *
 * Each rank has some rows of the graph, and lays out what its GPU pulls over (distribute_graph.h);
 * the first scores go from rank 0 to all, as they are few beside that. */
#include "core/pagerank/joint_start.h"
#include "core/parts/partition.h"
#include "core/parts/spread.h"
#include "cuda/gpu/context.h"
#include "cuda/pagerank/distribute_graph.h"

#include <stdlib.h>

/* ---- What all know -------------------------------------------------------------------------- */

/* What rank 0 tells of the first scores. */
typedef struct start_head {
    double dangling;
    bool personal;
} start_head;

/* Room on the other ranks for what rank 0 has.  That there is a personalization is all that they
 * have to know of it. */
static spmv_status make_room(spmv__pagerank_run *run, spmv__ranking *start, int64_t nodes,
                             const start_head *head, spmv_error *err)
{
    static const spmv_dense some = {.type = SPMV_F64};
    const size_t size = spmv_type_size(run->options.precision);
    spmv_status st;
    if (head->personal) run->options.personalization = &some;
    run->result = (spmv_pagerank_result){.nodes = nodes, .rankings = 1, .converged = true};
    *start = (spmv__ranking){.options = &run->options, .nodes = nodes, .width = 1, .used = 1};
    start->dangling[0] = head->dangling;
    SPMV__TRY(spmv__alloc(&run->result.ranks, nodes, sizeof(double), "scores", err));
    SPMV__TRY(spmv__alloc(&start->rank, nodes, sizeof *start->rank, "scores", err));
    SPMV__TRY(spmv__alloc(&start->given, nodes + 1, size, "scores", err));
    if (head->personal)
        SPMV__TRY(spmv__alloc(&start->restart, nodes, sizeof *start->restart, "scores", err));
done:
    return st;
}

/* run and start are those of rank 0, and become the same on all ranks. */
static spmv_status share_start(spmv_comm *comm, spmv__pagerank_run *run, spmv__ranking *start,
                               int64_t nodes, spmv_error *err)
{
    const int64_t scores = nodes * (int64_t)sizeof(double),
                  given = (nodes + 1) * (int64_t)spmv_type_size(run->options.precision);
    start_head head = {start->dangling[0], start->restart != NULL};
    spmv_status st;
    spmv__comm_broadcast(comm, &head, sizeof head, 0);
    st = comm->rank > 0 ? make_room(run, start, nodes, &head, err) : SPMV_SUCCESS;
    SPMV__TRY(spmv_comm_agree(comm, st, err));
    spmv__comm_broadcast(comm, start->rank, scores, 0);
    spmv__comm_broadcast(comm, start->given, given, 0);
    if (head.personal) spmv__comm_broadcast(comm, start->restart, scores, 0);
done:
    return st;
}

/* ---- The scores ----------------------------------------------------------------------------- */

/* Of all nodes, on rank 0, and of those of this rank. */
typedef struct some_scores {
    int32_t *node;       /* [all] */
    double *score, *own; /* [all], [rows] */
} some_scores;

static spmv_status allocate_scores(some_scores *s, int64_t all, int64_t rows, spmv_error *err)
{
    spmv_status st;
    SPMV__TRY(spmv__alloc(&s->node, all, sizeof *s->node, "scores", err));
    SPMV__TRY(spmv__alloc(&s->score, all, sizeof *s->score, "scores", err));
    SPMV__TRY(spmv__alloc(&s->own, rows, sizeof *s->own, "scores", err));
done:
    return st;
}

/* begin [ranks + 1]: where the rows of each rank are among those of all. */
static spmv_status count_rows(int64_t **begin, spmv_comm *comm, int64_t rows, spmv_error *err)
{
    spmv_status st = spmv__alloc(begin, comm->size + 1, sizeof **begin, "scores", err);
    SPMV__TRY(spmv_comm_agree(comm, st, err));
    spmv__comm_all_gather(comm, &rows, sizeof rows, *begin + 1);
    for (int k = 0; k < comm->size; k++) (*begin)[k + 1] += (*begin)[k];
done:
    return st;
}

/* Bring the scores of all ranks to `ranks` of rank 0. */
static spmv_status collect_scores(const spmv__graph_team *g, double *ranks, spmv_error *err)
{
    const spmv__pull_graph *own = &g->partner[0].host;
    some_scores s = {NULL, NULL, NULL};
    int64_t *begin = NULL, all;
    spmv_status st;
    SPMV__TRY(count_rows(&begin, g->comm, own->rows, err));
    all = g->comm->rank == 0 ? begin[g->comm->size] : 0;
    SPMV__TRY(spmv_comm_agree(g->comm, allocate_scores(&s, all, own->rows, err), err));
    for (int64_t r = 0; r < own->rows; r++) s.own[r] = ranks[own->node[r]];
    SPMV__TRY(spmv__collect(g->comm, begin, sizeof *s.node, own->node, s.node, err));
    SPMV__TRY(spmv__collect(g->comm, begin, sizeof *s.own, s.own, s.score, err));
    for (int64_t i = 0; i < all; i++) ranks[s.node[i]] = s.score[i];
done:
    free(begin);
    free(s.node);
    free(s.score);
    free(s.own);
    return st;
}

/* ---- A call --------------------------------------------------------------------------------- */

static spmv_status open_own(spmv__graph_team *g, spmv_context *ctx, spmv_error *err)
{
    spmv_status st = spmv__alloc(&g->partner, 1, sizeof *g->partner, "several GPUs", err);
    if (st == SPMV_SUCCESS) {
        g->count = 1;
        g->device = ctx->device;
        st = spmv__context_gpu(&g->partner[0].gpu, ctx, err);
    }
    return spmv_comm_agree(g->comm, st, err);
}

/* Make the graph ready, and bring each rank what it begins with: k->start becomes known. */
static spmv_status prepare(spmv__graph_team *g, spmv__ranking_group *k, spmv__pagerank_run *run,
                           spmv_part *part, spmv_error *err)
{
    const spmv_pagerank_options options = spmv__joint_options(g->comm, run);
    const bool root = g->comm->rank == 0;
    spmv__own_edges edges = {.comm = NULL};
    spmv_status st;
    if (!root) run->options = options;
    SPMV__TRY(spmv__joint_number(&edges, run, root ? &k->start : NULL, g->comm, part, &options,
                                 SPMV__READER_GPU, err));
    SPMV__TRY(spmv__graph_distribute(g, &edges, &run->graph, options.precision, err));
    SPMV__TRY(share_start(g->comm, run, &k->start, part->rows, err));
done:
    spmv__own_edges_destroy(&edges);
    return st;
}

/* Rank, when rank 0 has found nothing wrong. */
static spmv_status rank_part(spmv__graph_team *g, spmv__pagerank_run *run, spmv_part *part,
                             spmv_error *err)
{
    const bool root = g->comm->rank == 0;
    spmv__ranking_group k = {.partner = NULL};
    spmv_status st;
    if (part->rows == 0)
        return spmv_comm_agree(g->comm, root ? spmv__pagerank_describe(run, err) : SPMV_SUCCESS,
                               err);
    SPMV__TRY(prepare(g, &k, run, part, err));
    SPMV__TRY(spmv__team_rank(g, &k, run, err));
    SPMV__TRY(collect_scores(g, run->result.ranks, err));
    if (root) spmv__team_settle(&k, run);
done:
    spmv__group_destroy(g, &k);
    return st;
}

/* Rank 0 hands out the result; that of the others is theirs alone. */
static void end_run(const spmv_comm *comm, spmv__pagerank_run *run, spmv_status st,
                    spmv_pagerank_result *out)
{
    spmv_pagerank_result unused = {.nodes = 0};
    spmv__pagerank_end(run, st, comm->rank == 0 ? out : &unused);
    spmv_pagerank_destroy(&unused);
}

spmv_status spmv_pagerank_gpu_part(spmv_pagerank_result *out, spmv_comm *comm, spmv_part *part,
                                   const spmv_pagerank_options *options, spmv_context *ctx,
                                   spmv_route route, spmv_error *err)
{
    SPMV__REQUIRE(comm != NULL && (comm->rank > 0 || out != NULL), err);
    if (comm->rank == 0) memset(out, 0, sizeof *out);
    SPMV__REQUIRE(part != NULL && ctx != NULL, err);
    SPMV__REQUIRE_IN_ORDER(part, err);
    spmv__pagerank_run run = {.begin = 0};
    spmv__graph_team g = {.comm = comm, .route = route};
    spmv_status st;
    SPMV__TRY(open_own(&g, ctx, err));
    SPMV__TRY(spmv__joint_check(&run, comm, part, options, err));
    SPMV__TRY(rank_part(&g, &run, part, err));
done:
    spmv__graph_team_close(&g);
    end_run(comm, &run, st, out);
    return st;
}

spmv_status spmv_pagerank_gpu_on_ranks(spmv_pagerank_result *out, spmv_comm *comm,
                                       const spmv_matrix *A, const spmv_pagerank_options *options,
                                       spmv_context *ctx, spmv_route route, spmv_error *err)
{
    SPMV__REQUIRE(comm != NULL && (comm->rank > 0 || out != NULL), err);
    if (comm->rank == 0) memset(out, 0, sizeof *out);
    SPMV__REQUIRE(ctx != NULL, err);
    spmv__pagerank_run run = {.begin = 0};
    spmv__graph_team g = {.comm = comm, .route = route};
    spmv_part part = {0};
    spmv_status st;
    SPMV__TRY(open_own(&g, ctx, err));
    SPMV__TRY(spmv__joint_spread(&run, &part, comm, A, options, err));
    SPMV__TRY(rank_part(&g, &run, &part, err));
done:
    spmv_part_destroy(&part);
    spmv__graph_team_close(&g);
    end_run(comm, &run, st, out);
    return st;
}
