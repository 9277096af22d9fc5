/* rank_pagerank.c -- PageRank on GPUs of several ranks, each of which has one.
 *
 * Rank 0 makes the graph ready, lays out the rows of one rank after the other and hands them out;
 * the first scores go to all, as they are few beside that. */
#include "core/base/base.h"
#include "core/parts/spread.h"
#include "cuda/gpu/context.h"
#include "cuda/pagerank/graph_team.h"

#include <stdlib.h>

/* What rank 0 tells of the graph and the ranking. */
typedef struct team_head {
    spmv_pagerank_options options;
    int64_t nodes;
    double dangling;
    int width;
    bool personal;
} team_head;

/* ---- What all know -------------------------------------------------------------------------- */

static team_head describe(const spmv__ranking *start)
{
    team_head head = {.options = *start->options,
                      .nodes = start->nodes,
                      .dangling = start->dangling[0],
                      .width = start->width,
                      .personal = start->restart != NULL};
    head.options.start = NULL;
    head.options.labels = NULL;
    head.options.progress = NULL;
    head.options.user = NULL;
    return head;
}

/* Room on the other ranks for what rank 0 has.  That there is a personalization is all that they
 * have to know of it. */
static spmv_status make_room(spmv__pagerank_run *run, spmv__ranking *start, const team_head *head,
                             spmv_error *err)
{
    static const spmv_dense some = {.type = SPMV_F64};
    const int64_t n = head->nodes * head->width;
    spmv_status st;
    run->options = head->options;
    run->options.personalization = head->personal ? &some : NULL;
    run->result = (spmv_pagerank_result){.nodes = head->nodes, .rankings = 1, .converged = true};
    *start = (spmv__ranking){
        .options = &run->options, .nodes = head->nodes, .width = head->width, .used = 1};
    start->dangling[0] = head->dangling;
    SPMV__TRY(spmv__alloc(&run->result.ranks, head->nodes, sizeof(double), "scores", err));
    SPMV__TRY(spmv__alloc(&start->rank, n, sizeof *start->rank, "scores", err));
    SPMV__TRY(spmv__alloc(&start->given, n + head->width, spmv_type_size(head->options.precision),
                          "scores", err));
    if (head->personal)
        SPMV__TRY(spmv__alloc(&start->restart, n, sizeof *start->restart, "scores", err));
done:
    return st;
}

/* run and start are those of rank 0, and become the same on all ranks. */
static spmv_status share_start(spmv_comm *comm, spmv__pagerank_run *run, spmv__ranking *start,
                               spmv_error *err)
{
    team_head head = comm->rank == 0 ? describe(start) : (team_head){.nodes = 0};
    spmv_status st;
    spmv__comm_broadcast(comm, &head, sizeof head, 0);
    st = comm->rank > 0 ? make_room(run, start, &head, err) : SPMV_SUCCESS;
    SPMV__TRY(spmv_comm_agree(comm, st, err));
    const int64_t n = head.nodes * head.width, real = sizeof(double),
                  given = (n + head.width) * (int64_t)spmv_type_size(head.options.precision);
    spmv__comm_broadcast(comm, start->rank, n * real, 0);
    spmv__comm_broadcast(comm, start->given, given, 0);
    if (head.personal) spmv__comm_broadcast(comm, start->restart, n * real, 0);
done:
    return st;
}

/* Cut the graph on rank 0, and tell all who has which nodes. */
static spmv_status share_nodes(spmv__graph_team *g, const spmv__transition *t, spmv_error *err)
{
    spmv_comm *comm = g->comm;
    const bool root = comm->rank == 0;
    spmv_status st = SPMV_SUCCESS;
    if (root) st = spmv__node_parts_create(&g->nodes, t, comm->size, err);
    SPMV__TRY(spmv_comm_agree(comm, st, err));
    int32_t *owner = g->nodes.owner;
    spmv__comm_broadcast(comm, &g->nodes, sizeof g->nodes, 0);
    g->nodes.owner = owner;
    if (!root)
        st = spmv__alloc(&g->nodes.owner, g->nodes.blocks, sizeof *owner, "parts of a graph", err);
    SPMV__TRY(spmv_comm_agree(comm, st, err));
    spmv__comm_broadcast(comm, g->nodes.owner, g->nodes.blocks * (int64_t)sizeof *owner, 0);
done:
    return st;
}

/* The fewest hubs that any GPU has room for. */
static spmv_status share_hubs(const spmv__graph_team *g, const spmv__ranking *start, int64_t *hubs,
                              spmv_error *err)
{
    int64_t *all = NULL, room = 0;
    spmv_status st = spmv__alloc(&all, g->comm->size, sizeof *all, "parts of a graph", err);
    if (st == SPMV_SUCCESS) st = spmv__gpu_select(g->partner[0].gpu, err);
    if (st == SPMV_SUCCESS)
        st = spmv__pagerank_hubs(start->options->precision, start->width, &room, err);
    SPMV__TRY(spmv_comm_agree(g->comm, st, err));
    spmv__comm_all_gather(g->comm, &room, sizeof room, all);
    *hubs = room;
    for (int k = 0; k < g->comm->size; k++)
        if (all[k] < *hubs) *hubs = all[k];
done:
    free(all);
    return st;
}

/* ---- The graph ------------------------------------------------------------------------------ */

enum { ARRAYS = SPMV__PULL_ARRAYS + 1 };

/* The arrays of a laid out graph, and the nodes of its rows. */
static void list_arrays(spmv__pull_graph *g, spmv__pull_array list[ARRAYS])
{
    spmv__pull_arrays(g, list);
    list[SPMV__PULL_ARRAYS] =
        (spmv__pull_array){(void **)&g->node, g->rows * (int64_t)sizeof *g->node};
}

/* Numbers of another graph, with arrays of its own. */
static spmv_status allocate_like(spmv__pull_graph *out, const spmv__pull_graph *numbers,
                                 spmv_error *err)
{
    spmv__pull_array list[ARRAYS];
    spmv_status st = SPMV_SUCCESS;
    *out = *numbers;
    list_arrays(out, list);
    for (int i = 0; i < ARRAYS; i++) *list[i].data = NULL;
    for (int i = 0; i < ARRAYS; i++)
        if (list[i].bytes > 0)
            SPMV__TRY(spmv__alloc(list[i].data, list[i].bytes, 1, "the graph for the GPU", err));
done:
    return st;
}

/* Bring a graph from rank 0 to another one; all ranks take part. */
static spmv_status move_graph(spmv_comm *comm, int to, spmv__pull_graph *graph, spmv_error *err)
{
    const bool takes = comm->rank == to, gives = comm->rank == 0;
    spmv__pull_graph numbers = *graph;
    spmv__message message[ARRAYS];
    spmv__pull_array list[ARRAYS];
    int n = 0;
    spmv_status st;
    spmv__comm_broadcast(comm, &numbers, sizeof numbers, 0);
    st = takes ? allocate_like(graph, &numbers, err) : SPMV_SUCCESS;
    SPMV__TRY(spmv_comm_agree(comm, st, err));
    list_arrays(graph, list);
    for (int i = 0; i < ARRAYS && (takes || gives); i++)
        if (list[i].bytes > 0)
            message[n++] = (spmv__message){takes ? 0 : to, *list[i].data, list[i].bytes};
    SPMV__TRY(spmv__exchange_once(comm, message, takes ? n : 0, message, gives ? n : 0, err));
done:
    return st;
}

/* t: NULL but on rank 0. */
static spmv_status share_graph(const spmv__graph_team *g, const spmv__transition *t, int64_t hubs,
                               spmv_error *err)
{
    spmv__pull_graph *own = &g->partner[0].host, laid_out = {0};
    spmv_status st = SPMV_SUCCESS;
    if (t != NULL) st = spmv__pull_graph_create(own, t, &g->nodes, 0, hubs, err);
    SPMV__TRY(spmv_comm_agree(g->comm, st, err));
    for (int k = 1; k < g->comm->size; k++) {
        if (t != NULL) st = spmv__pull_graph_create(&laid_out, t, &g->nodes, k, hubs, err);
        SPMV__TRY(spmv_comm_agree(g->comm, st, err));
        SPMV__TRY(move_graph(g->comm, k, g->comm->rank == k ? own : &laid_out, err));
        spmv__pull_graph_destroy(&laid_out);
    }
    SPMV__TRY(spmv_comm_agree(g->comm, spmv__graph_upload(&g->partner[0], err), err));
done:
    spmv__pull_graph_destroy(&laid_out);
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

static spmv_status begin_root(spmv__pagerank_run *run, spmv__ranking *start, const spmv_matrix *A,
                              const spmv_pagerank_options *options, spmv_error *err)
{
    spmv_status st;
    SPMV__REQUIRE(A != NULL, err);
    SPMV__TRY(spmv__pagerank_begin(run, A, options, SPMV__READER_GPU, err));
    if (run->options.extrapolate || run->result.rankings > 1)
        return spmv__fail(err, SPMV_ERROR_UNSUPPORTED,
                          "several ranks compute one ranking, without extrapolation");
    SPMV__TRY(spmv__ranking_create(start, &run->graph, &run->options, 0, err));
done:
    return st;
}

static spmv_status open_own(spmv__graph_team *g, spmv_context *ctx, spmv_error *err)
{
    const spmv_status st = spmv__alloc(&g->partner, 1, sizeof *g->partner, "several GPUs", err);
    if (st != SPMV_SUCCESS) return st;
    g->count = 1;
    g->device = ctx->device;
    return spmv__context_gpu(&g->partner[0].gpu, ctx, err);
}

static spmv_status rank_all(spmv__graph_team *g, spmv__ranking_group *k, spmv__pagerank_run *run,
                            spmv_error *err)
{
    const spmv__transition *t = g->comm->rank == 0 ? &run->graph : NULL;
    int64_t hubs = 0;
    spmv_status st;
    SPMV__TRY(share_start(g->comm, run, &k->start, err));
    SPMV__TRY(share_nodes(g, t, err));
    SPMV__TRY(share_hubs(g, &k->start, &hubs, err));
    SPMV__TRY(share_graph(g, t, hubs, err));
    SPMV__TRY(spmv__team_rank(g, k, run, err));
    SPMV__TRY(collect_scores(g, run->result.ranks, err));
    if (t != NULL) spmv__team_settle(k, run);
done:
    return st;
}

spmv_status spmv_pagerank_gpu_on_ranks(spmv_pagerank_result *out, spmv_comm *comm,
                                       const spmv_matrix *A, const spmv_pagerank_options *options,
                                       spmv_context *ctx, spmv_route route, spmv_error *err)
{
    SPMV__REQUIRE(comm != NULL && ctx != NULL && (comm->rank > 0 || out != NULL), err);
    const bool root = comm->rank == 0;
    if (root) memset(out, 0, sizeof *out);
    spmv_pagerank_result unused;
    spmv__pagerank_run run = {0};
    spmv__ranking_group k = {.partner = NULL};
    spmv__graph_team g = {.comm = comm, .route = route};
    double nodes;
    spmv_status st = open_own(&g, ctx, err);
    if (st == SPMV_SUCCESS && root) st = begin_root(&run, &k.start, A, options, err);
    SPMV__TRY(spmv_comm_agree(comm, st, err));
    nodes = (double)run.result.nodes;
    spmv__comm_broadcast(comm, &nodes, sizeof nodes, 0);
    if (nodes > 0) st = rank_all(&g, &k, &run, err);
done:
    spmv__group_destroy(&g, &k);
    spmv__graph_team_close(&g);
    spmv__pagerank_end(&run, st, root ? out : &unused);
    if (!root && st == SPMV_SUCCESS) spmv_pagerank_destroy(&unused);
    return st;
}
