/* arriving_columns.c -- edges that come from all ranks, as columns whose sources rise by number:
 * those that one process would make for a GPU. */
#include "core/pagerank/own_edges.h"

#include <stdlib.h>

typedef struct arriving_edges {
    spmv_csr rows;   /* by source, as they come */
    int32_t *source; /* [rows.rows] the number of each */
    int32_t *order;  /* [rows.rows] the rows by rising number */
    int32_t *row;    /* [nodes] 1 more than the row of each source; 0: none */
} arriving_edges;

/* Find the order in which the sources rise: each of them has one row. */
static spmv_status order_sources(arriving_edges *a, int64_t nodes, spmv_error *err)
{
    int64_t at = 0;
    spmv_status st;
    SPMV__TRY(spmv__alloc(&a->row, nodes, sizeof *a->row, "sources", err));
    SPMV__TRY(spmv__alloc(&a->order, a->rows.rows, sizeof *a->order, "sources", err));
    for (int64_t r = 0; r < a->rows.rows; r++) a->row[a->source[r]] = (int32_t)(r + 1);
    for (int64_t i = 0; i < nodes; i++)
        if (a->row[i] > 0) a->order[at++] = a->row[i] - 1;
done:
    return st;
}

/* The rows that have come become columns, whose sources are numbered. */
static spmv_status make_columns(spmv__transition *t, arriving_edges *a, spmv_error *err)
{
    spmv_matrix sorted = {.format = SPMV_CSR}, made = {0};
    spmv_status st;
    SPMV__TRY(order_sources(a, t->nodes, err));
    SPMV__TRY(spmv__rows_in_order(&sorted.csr, &a->rows, a->order, err));
    spmv_csr_destroy(&a->rows);
    SPMV__TRY(spmv_convert(&made, &sorted, SPMV_CSC, NULL, err));
    spmv_csc_destroy(&t->edges);
    t->edges = made.csc;
    t->edges.rows = t->nodes;
    for (int64_t p = 0; p < t->edges.nnz; p++)
        t->edges.row_idx[p] = a->source[a->order[t->edges.row_idx[p]]];
done:
    spmv_destroy(&sorted);
    return st;
}

spmv_status spmv__own_edges_columns(spmv__own_edges *e, const int32_t *place, const int64_t *begin,
                                    spmv__transition *t, spmv_error *err)
{
    arriving_edges a = {.source = NULL};
    spmv_status st;
    SPMV__TRY(spmv__own_edges_send(e, place, begin, &a.rows, &a.source, err));
    SPMV__TRY(spmv_comm_agree(e->comm, make_columns(t, &a, err), err));
done:
    spmv_csr_destroy(&a.rows);
    free(a.source);
    free(a.order);
    free(a.row);
    return st;
}
