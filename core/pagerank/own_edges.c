/* own_edges.c -- see own_edges.h: weights and numbers.
 *
 * Rank 0 numbers the nodes as one process does, from as much as it takes to do so: where each row
 * ends, what leaves a node in sum, and how many edges reach it.  No edge but those of its own rows
 * is looked at for that. */
#include "core/pagerank/own_edges.h"
#include "core/pagerank/weigh_rows.h"
#include "core/parts/spread.h"

#include <stdlib.h>

/* ---- Weights -------------------------------------------------------------------------------- */

/* What each rank tells of its weights. */
enum { BAD, ALIKE, FIRST, ENTRIES, TOLD };

/* Returns the first rank with a weight that cannot be, or -1; *alike: all weigh the same. */
static int compare_weights(bool *alike, const spmv__own_edges *e, const spmv__weights *found)
{
    const double mine[TOLD] = {[BAD] = found->bad_row != INT64_MAX,
                               [ALIKE] = found->equal,
                               [FIRST] = found->first,
                               [ENTRIES] = (double)e->A.nnz};
    const double *all = e->comm->number, *before = NULL;
    int bad = -1;
    spmv_comm_gather(e->comm, mine, TOLD, e->comm->number);
    *alike = true;
    for (int k = e->comm->size - 1; k >= 0; k--) {
        const double *one = all + k * TOLD;
        if (one[BAD] != 0) bad = k;
        if (one[ENTRIES] == 0) continue;
        *alike = *alike && one[ALIKE] != 0 && (before == NULL || one[FIRST] == before[FIRST]);
        before = one;
    }
    return bad;
}

/* Rank `bad` knows the weight, and rank 0 what the nodes are called. */
static spmv_status refuse(const spmv__own_edges *e, int bad, int64_t bad_row,
                          const spmv_labels *labels, spmv_error *err)
{
    const int rank = e->comm->rank;
    spmv__bad_weight what = {0};
    spmv_status st = SPMV_SUCCESS;
    if (rank == bad) {
        what = spmv__find_bad_weight(&e->A, bad_row);
        what.row += e->part->row_begin[rank];
    }
    spmv__comm_broadcast(e->comm, &what, sizeof what, bad);
    if (rank == 0) st = spmv__refuse_weight(&what, labels, err);
    return spmv_comm_agree(e->comm, st, err);
}

spmv_status spmv__own_edges_create(spmv__own_edges *out, spmv_comm *comm, spmv_part *part,
                                   const spmv_pagerank_options *options, spmv_error *err)
{
    spmv__own_edges e = {.comm = comm, .part = part, .A = part->own, .type = options->precision};
    spmv__weights found;
    bool alike = false;
    spmv_status st = spmv__alloc(&e.out_weight, e.A.rows, sizeof *e.out_weight, "out-weights", err);
    SPMV__TRY(spmv_comm_agree(comm, st, err));
    found =
        spmv__weigh_rows(&e.A, options->unweighted, e.out_weight, spmv__threads(options->threads));
    const int bad = compare_weights(&alike, &e, &found);
    if (bad >= 0) SPMV__TRY(refuse(&e, bad, found.bad_row, options->labels, err));
    if (options->unweighted || alike) {
        e.type = SPMV_PATTERN;
        st = spmv__take_pattern(&e.A, &e.nonzero, e.out_weight, found.zeros, err);
    }
    SPMV__TRY(spmv_comm_agree(comm, st, err));
    *out = e;
    e = (spmv__own_edges){.comm = NULL};
done:
    spmv__own_edges_destroy(&e);
    return st;
}

void spmv__own_edges_destroy(spmv__own_edges *e)
{
    spmv_destroy(&e->nonzero);
    free(e->out_weight);
    free(e->number);
    *e = (spmv__own_edges){.comm = NULL};
}

/* ---- Numbers -------------------------------------------------------------------------------- */

/* What is known of all nodes. */
typedef struct node_counts {
    int32_t *length;  /* [nodes] edges that reach each node: of own rows, on rank 0 then of all */
    int32_t *other;   /* [nodes] of another rank, on rank 0 */
    int64_t *row_ptr; /* [nodes + 1] on rank 0 */
} node_counts;

static spmv_status allocate_counts(node_counts *c, spmv__own_edges *e, spmv__transition *whole,
                                   spmv_error *err)
{
    const int64_t n = e->part->rows;
    spmv_status st;
    SPMV__TRY(spmv__alloc(&e->number, n, sizeof *e->number, "numbers of nodes", err));
    SPMV__TRY(spmv__alloc(&c->length, n, sizeof *c->length, "lengths of columns", err));
    if (whole == NULL) goto done;
    SPMV__TRY(spmv__alloc(&c->other, n, sizeof *c->other, "lengths of columns", err));
    SPMV__TRY(spmv__alloc(&c->row_ptr, n + 1, sizeof *c->row_ptr, "rows", err));
    SPMV__TRY(spmv__alloc(&whole->scale, n, sizeof *whole->scale, "out-weights", err));
done:
    return st;
}

/* Bring to rank 0 what leaves the nodes. */
static spmv_status collect_rows(node_counts *c, const spmv__own_edges *e, spmv__transition *whole,
                                spmv_error *err)
{
    const int64_t *begin = e->part->row_begin;
    spmv_status st;
    SPMV__TRY(spmv__collect_sums(e->comm, begin, e->A.row_ptr, c->row_ptr, err));
    SPMV__TRY(spmv__collect(e->comm, begin, sizeof *e->out_weight, e->out_weight,
                            whole != NULL ? whole->scale : NULL, err));
done:
    return st;
}

/* Add up on rank 0 what reaches them. */
static spmv_status add_lengths(node_counts *c, const spmv__own_edges *e, spmv_error *err)
{
    const int64_t n = e->part->rows, bytes = n * (int64_t)sizeof *c->length;
    const int rank = e->comm->rank;
    spmv_status st = SPMV_SUCCESS;
    for (int64_t p = 0; p < e->A.nnz; p++) c->length[e->A.col_idx[p]]++;
    for (int k = 1; k < e->comm->size; k++) {
        const spmv__message receive = {k, c->other, bytes}, send = {0, c->length, bytes};
        SPMV__TRY(spmv__exchange_once(e->comm, &receive, rank == 0, &send, rank == k, err));
        for (int64_t j = 0; j < n && rank == 0; j++) c->length[j] += c->other[j];
    }
done:
    return st;
}

/* A GPU gets columns of which only the beginnings are known. */
static spmv_status begin_columns(spmv_csc *edges, const int32_t *length, int64_t nodes,
                                 spmv_error *err)
{
    const spmv_status st = spmv__alloc(&edges->col_ptr, nodes + 1, sizeof(int64_t), "columns", err);
    if (st != SPMV_SUCCESS) return st;
    edges->rows = edges->cols = nodes;
    for (int64_t j = 0; j < nodes; j++) edges->col_ptr[j + 1] = edges->col_ptr[j] + length[j];
    return SPMV_SUCCESS;
}

/* What one process does with all edges in its hands. */
static spmv_status number_whole(spmv__transition *whole, const spmv__own_edges *e,
                                const node_counts *c, spmv__reader reader, int threads,
                                spmv_error *err)
{
    const int64_t n = e->part->rows;
    const spmv_csr rows = {.rows = n, .cols = n, .nnz = c->row_ptr[n], .row_ptr = c->row_ptr};
    const bool slices = reader == SPMV__READER_CPU;
    spmv_status st;
    whole->nodes = n;
    whole->type = e->type;
    SPMV__TRY(spmv__transition_number(whole, &rows, slices ? spmv__hub_degree(&rows) : 0, err));
    st = slices
             ? spmv__columns_cut(&whole->columns, whole->node, c->length, n, rows.nnz, threads, err)
             : begin_columns(&whole->edges, c->length, n, err);
    if (st != SPMV_SUCCESS) return st;
    SPMV__TRY(spmv__transition_scale(whole, err));
    spmv__number_nodes(e->number, whole->node, n);
done:
    return st;
}

spmv_status spmv__own_edges_number(spmv__own_edges *e, spmv__transition *whole, spmv__reader reader,
                                   int threads, spmv_error *err)
{
    node_counts c = {NULL, NULL, NULL};
    spmv_status st = allocate_counts(&c, e, whole, err);
    SPMV__TRY(spmv_comm_agree(e->comm, st, err));
    SPMV__TRY(collect_rows(&c, e, whole, err));
    SPMV__TRY(add_lengths(&c, e, err));
    if (whole != NULL) st = number_whole(whole, e, &c, reader, threads, err);
    SPMV__TRY(spmv_comm_agree(e->comm, st, err));
    spmv__comm_broadcast(e->comm, e->number, e->part->rows * (int64_t)sizeof *e->number, 0);
done:
    free(c.length);
    free(c.other);
    free(c.row_ptr);
    return st;
}
