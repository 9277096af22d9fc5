/* ranking_part.c -- see ranking_part.h.
 *
 * Windows are what the sums of an iteration are made of, so a rank has whole ones.  What their
 * nodes pull is exchanged as the elements of x are in a product (core/parts/halo.h); the padding of
 * slices reads an element that no rank has, and that is 0. */
#include "core/pagerank/ranking_part.h"
#include "core/matrix/value.h"
#include "core/parts/partition.h"
#include "core/parts/spread.h"

#include <stdlib.h>

/* What rank 0 tells of the graph. */
typedef struct ranking_head {
    int64_t nodes, windows;
    double dangling;
    bool personal;
} ranking_head;

enum { NUMBERS = 3 }; /* of the tally of one ranking */

/* ---- Shares --------------------------------------------------------------------------------- */

/* Share out the windows by the bytes that they read: 4 or 12 for an edge, 40 for a node. */
static spmv_status share_windows(int64_t *begin, int size, const spmv__transition *t,
                                 spmv_error *err)
{
    const spmv__node_window *w = t->columns.window;
    const int64_t edge = SPMV__ABREAST * (t->type == SPMV_PATTERN ? 4 : 12);
    int64_t *cost;
    const spmv_status st =
        spmv__alloc(&cost, t->columns.windows + 1, sizeof *cost, "a partition", err);
    if (st != SPMV_SUCCESS) return st;
    for (int64_t i = 0; i <= t->columns.windows; i++) cost[i] = edge * w[i].step + 40 * w[i].node;
    spmv__share_out(begin, size, t->columns.windows, cost);
    free(cost);
    return SPMV_SUCCESS;
}

static spmv_status create_places(spmv__node_window **at, spmv__ranking_part *p, spmv_error *err)
{
    const int64_t n = p->comm->size + 1;
    spmv_status st;
    SPMV__TRY(spmv__alloc(&p->window_begin, n, sizeof *p->window_begin, "a partition", err));
    SPMV__TRY(spmv__alloc(&p->node_begin, n, sizeof *p->node_begin, "a partition", err));
    SPMV__TRY(spmv__alloc(at, n, sizeof **at, "a partition", err));
done:
    return st;
}

/* Tell everybody who has which windows; (*at) [size + 1] becomes the first one of each. */
static spmv_status place_parts(spmv__node_window **at, spmv__ranking_part *p,
                               const spmv__ranking *whole, spmv_error *err)
{
    const int size = p->comm->size;
    const int64_t n = size + 1;
    spmv_status st = create_places(at, p, err);
    if (st == SPMV_SUCCESS && whole != NULL)
        st = share_windows(p->window_begin, size, whole->graph, err);
    SPMV__TRY(spmv_comm_agree(p->comm, st, err));
    for (int k = 0; k <= size && whole != NULL; k++)
        (*at)[k] = whole->graph->columns.window[p->window_begin[k]];
    spmv__comm_broadcast(p->comm, p->window_begin, n * (int64_t)sizeof *p->window_begin, 0);
    spmv__comm_broadcast(p->comm, *at, n * (int64_t)sizeof **at, 0);
    for (int k = 0; k <= size; k++) p->node_begin[k] = (*at)[k].node;
done:
    return st;
}

/* ---- The graph ------------------------------------------------------------------------------ */

static spmv_status allocate_windows(spmv__ranking_part *p, spmv_error *err)
{
    const int k = p->comm->rank;
    spmv__transition *t = &p->graph;
    spmv__columns *c = &t->columns;
    spmv_status st;
    c->windows = p->window_begin[k + 1] - p->window_begin[k];
    SPMV__TRY(spmv__alloc(&c->window, c->windows + 1, sizeof *c->window, "windows", err));
    SPMV__TRY(spmv__alloc(&t->scale, t->nodes, sizeof *t->scale, "out-weights", err));
done:
    return st;
}

/* Windows count from the first one of this rank on. */
static void rebase_windows(spmv__ranking_part *p, const spmv__node_window *at)
{
    const int k = p->comm->rank;
    spmv__columns *c = &p->graph.columns;
    c->window[c->windows] = at[k + 1];
    c->window[c->windows].alone = 0;
    for (int64_t w = 0; w <= c->windows; w++) {
        c->window[w].node -= at[k].node;
        c->window[w].slice -= at[k].slice;
        c->window[w].step -= at[k].step;
    }
}

/* Take the windows of this rank, which are empty. */
static spmv_status spread_windows(spmv__ranking_part *p, const spmv__node_window *at,
                                  const spmv__transition *whole, spmv_error *err)
{
    const spmv__transition none = {0}, *from = whole != NULL ? whole : &none;
    spmv__transition *t = &p->graph;
    spmv_comm *comm = p->comm;
    spmv_status st;
    SPMV__TRY(spmv_comm_agree(comm, allocate_windows(p, err), err));
    SPMV__TRY(spmv__spread(comm, p->window_begin, sizeof *t->columns.window, from->columns.window,
                           t->columns.window, err));
    SPMV__TRY(spmv__spread(comm, p->node_begin, sizeof *t->scale, from->scale, t->scale, err));
    rebase_windows(p, at);
done:
    return st;
}

/* Take the edges that lead to the nodes of this rank, wherever they are. */
static spmv_status take_edges(spmv__ranking_part *p, spmv__own_edges *edges, int64_t nodes,
                              spmv_error *err)
{
    spmv_csr taken = {0};
    int32_t *source = NULL;
    spmv_status st =
        spmv__own_edges_send(edges, edges->number, p->node_begin, &taken, &source, err);
    const spmv__edge_rows rows = {.A = &taken, .number = source, .nodes = nodes};
    if (st == SPMV_SUCCESS)
        st = spmv__columns_fill(&p->graph.columns, p->graph.type, &rows,
                                spmv__threads(p->options.threads), err);
    st = spmv_comm_agree(p->comm, st, err);
    spmv_csr_destroy(&taken);
    free(source);
    return st;
}

/* ---- The scores ----------------------------------------------------------------------------- */

static int64_t most_windows(const spmv__ranking_part *p)
{
    int64_t most = 0;
    for (int k = 0; k < p->comm->size; k++)
        if (p->window_begin[k + 1] - p->window_begin[k] > most)
            most = p->window_begin[k + 1] - p->window_begin[k];
    return most;
}

static spmv_status allocate_scores(spmv__ranking_part *p, bool personal, spmv_error *err)
{
    spmv__ranking *r = &p->ranking;
    const int64_t nodes = p->graph.nodes, numbers = most_windows(p) * NUMBERS;
    spmv_status st;
    SPMV__TRY(spmv__alloc(&r->tallies, p->graph.columns.windows, sizeof *r->tallies, "sums", err));
    SPMV__TRY(spmv__alloc(&p->tally, p->windows, sizeof *p->tally, "sums", err));
    SPMV__TRY(spmv__alloc(&p->mine, numbers, sizeof *p->mine, "sums", err));
    SPMV__TRY(spmv__alloc(&p->all, numbers * p->comm->size, sizeof *p->all, "sums", err));
    SPMV__TRY(spmv__alloc(&r->rank, nodes, sizeof *r->rank, "scores", err));
    SPMV__TRY(spmv__alloc(&r->next, nodes, spmv_type_size(p->options.precision), "scores", err));
    if (!personal) goto done;
    p->restart = (spmv_dense){.type = SPMV_F64, .rows = nodes, .cols = 1};
    SPMV__TRY(spmv__alloc(&p->restart.data, nodes, sizeof(double), "personalization", err));
done:
    return st;
}

static spmv_status spread_scores(spmv__ranking_part *p, const ranking_head *head,
                                 const spmv__ranking *whole, spmv_error *err)
{
    const spmv__ranking none = {0}, *from = whole != NULL ? whole : &none;
    const size_t real = sizeof(double), size = spmv_type_size(p->options.precision);
    spmv__ranking *r = &p->ranking;
    spmv_comm *comm = p->comm;
    spmv_status st;
    SPMV__TRY(spmv_comm_agree(comm, allocate_scores(p, head->personal, err), err));
    SPMV__TRY(spmv__spread(comm, p->node_begin, real, from->rank, r->rank, err));
    SPMV__TRY(spmv__spread(comm, p->node_begin, size, from->given, spmv__halo_own(&p->halo), err));
    if (head->personal) {
        r->restart = p->restart.data;
        p->options.personalization = &p->restart;
        SPMV__TRY(spmv__spread(comm, p->node_begin, real, from->restart, r->restart, err));
    }
    r->graph = &p->graph;
    r->options = &p->options;
    r->nodes = head->nodes;
    r->width = r->used = 1;
    r->threads = spmv__threads(p->options.threads);
    r->given = p->halo.x;
    r->dangling[0] = head->dangling;
done:
    return st;
}

/* ---- A part --------------------------------------------------------------------------------- */

static ranking_head describe(const spmv__ranking *whole)
{
    return (ranking_head){.nodes = whole->nodes,
                          .windows = whole->graph->columns.windows,
                          .dangling = whole->dangling[0],
                          .personal = whole->restart != NULL};
}

spmv_status spmv__ranking_part_create(spmv__ranking_part *p, spmv__own_edges *edges,
                                      const spmv__ranking *whole,
                                      const spmv_pagerank_options *options, spmv_error *err)
{
    spmv_comm *comm = edges->comm;
    ranking_head head = whole != NULL ? describe(whole) : (ranking_head){0};
    spmv__node_window *at = NULL;
    spmv_status st;
    spmv__comm_broadcast(comm, &head, sizeof head, 0);
    *p = (spmv__ranking_part){.comm = comm, .options = *options, .windows = head.windows};
    SPMV__TRY(place_parts(&at, p, whole, err));
    p->graph.type = edges->type;
    p->graph.nodes = p->node_begin[comm->rank + 1] - p->node_begin[comm->rank];
    SPMV__TRY(spread_windows(p, at, whole != NULL ? whole->graph : NULL, err));
    SPMV__TRY(take_edges(p, edges, head.nodes, err));
    const spmv__columns *c = &p->graph.columns;
    SPMV__TRY(spmv__halo_create(&p->halo, comm, c->source,
                                c->window[c->windows].step * SPMV__ABREAST, head.nodes + 1,
                                p->node_begin, spmv_type_size(options->precision), err));
    SPMV__TRY(spread_scores(p, &head, whole, err));
done:
    free(at);
    if (st != SPMV_SUCCESS) spmv__ranking_part_destroy(p);
    return st;
}

void spmv__ranking_part_destroy(spmv__ranking_part *p)
{
    free(p->window_begin);
    free(p->node_begin);
    spmv__transition_destroy(&p->graph);
    spmv__halo_destroy(&p->halo);
    free(p->ranking.tallies);
    free(p->ranking.rank);
    free(p->ranking.next);
    free(p->restart.data);
    free(p->tally);
    free(p->mine);
    free(p->all);
    *p = (spmv__ranking_part){0};
}

/* Bring the sums of all windows to all ranks. */
static void gather_tallies(spmv__ranking_part *p)
{
    const spmv__tally *own = p->ranking.tallies;
    const int64_t numbers = most_windows(p) * NUMBERS;
    for (int64_t w = 0; w < p->graph.columns.windows; w++) {
        p->mine[w * NUMBERS] = own[w].change[0];
        p->mine[w * NUMBERS + 1] = own[w].dangling[0];
        p->mine[w * NUMBERS + 2] = own[w].largest[0];
    }
    spmv__comm_all_gather(p->comm, p->mine, (size_t)numbers * sizeof *p->mine, p->all);
    for (int k = 0; k < p->comm->size; k++)
        for (int64_t w = p->window_begin[k]; w < p->window_begin[k + 1]; w++) {
            const double *from = p->all + k * numbers + (w - p->window_begin[k]) * NUMBERS;
            p->tally[w].change[0] = from[0];
            p->tally[w].dangling[0] = from[1];
            p->tally[w].largest[0] = from[2];
        }
}

void spmv__ranking_part_step(spmv__ranking_part *p, double change[SPMV__RANKINGS],
                             double largest[SPMV__RANKINGS])
{
    const size_t bytes = (size_t)p->graph.nodes * p->halo.size;
    spmv__halo_start(&p->halo);
    spmv__halo_finish(&p->halo);
    spmv__ranking_pass(&p->ranking);
    gather_tallies(p);
    spmv__ranking_add_up(&p->ranking, p->tally, p->windows, change, largest);
    if (bytes > 0) memcpy(spmv__halo_own(&p->halo), p->ranking.next, bytes);
}

spmv_status spmv__ranking_part_collect(const spmv__ranking_part *p, spmv__ranking *whole,
                                       spmv_error *err)
{
    return spmv__collect(p->comm, p->node_begin, sizeof *p->ranking.rank, p->ranking.rank,
                         whole != NULL ? whole->rank : NULL, err);
}
