/* distribute_graph.c -- see distribute_graph.h.
 *
 * All ranks get to know the numbers of all nodes, as they need those of the nodes that theirs pull
 * from, and no rank ever has more edges than those of its own rows and of its own GPU.  The columns
 * of a rank come in the order of the graph, and sources in the order of their numbers: so its rows
 * are laid out as one process would do it that has the edges of all. */
#include "core/matrix/format.h"
#include "cuda/pagerank/distribute_graph.h"

#include <stdlib.h>

/* ---- What all know -------------------------------------------------------------------------- */

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
static spmv_status share_hubs(const spmv__graph_team *g, spmv_type precision, int64_t *hubs,
                              spmv_error *err)
{
    int64_t *all = NULL, room = 0;
    spmv_status st = spmv__alloc(&all, g->comm->size, sizeof *all, "parts of a graph", err);
    if (st == SPMV_SUCCESS) st = spmv__gpu_select(g->partner[0].gpu, err);
    if (st == SPMV_SUCCESS) st = spmv__pagerank_hubs(precision, 1, &room, err);
    SPMV__TRY(spmv_comm_agree(g->comm, st, err));
    spmv__comm_all_gather(g->comm, &room, sizeof room, all);
    *hubs = room;
    for (int k = 0; k < g->comm->size; k++)
        if (all[k] < *hubs) *hubs = all[k];
done:
    free(all);
    return st;
}

/* What rank 0 knows of all nodes becomes known to all. */
static spmv_status share_numbers(const spmv__own_edges *e, spmv__transition *t, spmv_error *err)
{
    const int64_t n = e->part->rows;
    spmv_status st = SPMV_SUCCESS;
    if (e->comm->rank > 0) {
        *t = (spmv__transition){.nodes = n, .type = e->type};
        st = spmv__alloc(&t->node, n, sizeof *t->node, "an order of nodes", err);
        if (st == SPMV_SUCCESS)
            st = spmv__alloc(&t->scale, n, sizeof *t->scale, "out-weights", err);
    }
    SPMV__TRY(spmv_comm_agree(e->comm, st, err));
    spmv__comm_broadcast(e->comm, &t->dangling, sizeof t->dangling, 0);
    spmv__comm_broadcast(e->comm, t->scale, n * (int64_t)sizeof *t->scale, 0);
    for (int64_t j = 0; j < n; j++) t->node[e->number[j]] = (int32_t)j;
done:
    return st;
}

/* ---- Edges ---------------------------------------------------------------------------------- */

/* Where the columns of all nodes lie. */
typedef struct column_places {
    int32_t *place; /* [nodes] among those of all ranks */
    int64_t *begin; /* [size + 1] the first one of each rank */
    int64_t *next;  /* [size] */
} column_places;

static void destroy_places(column_places *a)
{
    free(a->place);
    free(a->begin);
    free(a->next);
}

static int owner_of(const spmv__node_parts *nodes, int32_t number)
{
    return nodes->owner[number / nodes->each];
}

static spmv_status allocate_places(column_places *a, int64_t nodes, int64_t size, spmv_error *err)
{
    spmv_status st;
    SPMV__TRY(spmv__alloc(&a->place, nodes, sizeof *a->place, "places of nodes", err));
    SPMV__TRY(spmv__alloc(&a->begin, size + 1, sizeof *a->begin, "a partition", err));
    SPMV__TRY(spmv__alloc(&a->next, size, sizeof *a->next, "a partition", err));
done:
    return st;
}

/* Each rank has the columns of its nodes in the order of the graph. */
static spmv_status place_columns(column_places *a, const spmv__node_parts *nodes,
                                 const spmv__own_edges *e, spmv__transition *t, spmv_error *err)
{
    const int64_t n = t->nodes, size = e->comm->size, me = e->comm->rank;
    spmv_status st;
    SPMV__TRY(allocate_places(a, n, size, err));
    for (int64_t j = 0; j < n; j++) a->begin[owner_of(nodes, e->number[j]) + 1]++;
    spmv__counts_to_offsets(a->begin, size);
    memcpy(a->next, a->begin, (size_t)size * sizeof *a->next);
    for (int64_t j = 0; j < n; j++) a->place[j] = (int32_t)a->next[owner_of(nodes, e->number[j])]++;
    SPMV__TRY(spmv__alloc(&t->column, a->begin[me + 1] - a->begin[me], sizeof *t->column,
                          "an order of nodes", err));
    for (int64_t j = 0; j < n; j++)
        if (owner_of(nodes, e->number[j]) == me) t->column[a->place[j] - a->begin[me]] = (int32_t)j;
done:
    return st;
}

static spmv_status take_edges(spmv__transition *t, const spmv__node_parts *nodes,
                              spmv__own_edges *e, spmv_error *err)
{
    column_places a = {.place = NULL};
    spmv_status st;
    SPMV__TRY(spmv_comm_agree(e->comm, place_columns(&a, nodes, e, t, err), err));
    SPMV__TRY(spmv__own_edges_columns(e, a.place, a.begin, t, err));
done:
    destroy_places(&a);
    return st;
}

/* ---- The whole ------------------------------------------------------------------------------ */

spmv_status spmv__graph_distribute(spmv__graph_team *g, spmv__own_edges *edges, spmv__transition *t,
                                   spmv_type precision, spmv_error *err)
{
    spmv__graph_partner *own = &g->partner[0];
    int64_t hubs = 0;
    spmv_status st;
    SPMV__TRY(share_nodes(g, t, err));
    SPMV__TRY(share_hubs(g, precision, &hubs, err));
    SPMV__TRY(share_numbers(edges, t, err));
    SPMV__TRY(take_edges(t, &g->nodes, edges, err));
    st = spmv__pull_graph_create(&own->host, t, &g->nodes, g->comm->rank, hubs, err);
    spmv__transition_destroy(t);
    if (st == SPMV_SUCCESS) st = spmv__graph_upload(own, err);
    SPMV__TRY(spmv_comm_agree(g->comm, st, err));
done:
    spmv__transition_destroy(t);
    return st;
}
