/* send_edges.c -- edges, from the rank of the node that they leave to that of the node that they
 * lead to.
 *
 * Each rank sorts its edges by where they go, row after row; a rank that takes those of one rank
 * after the other has them in the order of the rows of the graph, which is that of one process. */
#include "core/matrix/value.h"
#include "core/pagerank/own_edges.h"
#include "core/parts/all_to_all.h"

#include <stdlib.h>

enum { BLOCKS = 4096 }; /* of neighbouring places, at most */

/* Where the edges of this rank go, of those that lead to the nodes of one rank. */
typedef struct rank_places {
    int64_t last;      /* the row of the last one, or -1 */
    int64_t row, edge; /* of the last one, and behind it */
} rank_places;

typedef struct sent_edges {
    spmv__own_edges *e;
    const int32_t *place;       /* [nodes] */
    const int64_t *begin;       /* [size + 1] */
    int *block_rank;            /* [blocks] the rank that has the first place of each block */
    int shift;                  /* a block has 2^shift places */
    int64_t *give, *give_entry; /* [size + 1] rows and edges for each rank */
    int64_t *take;              /* [size + 1] rows from each */
    rank_places *at;            /* [size] */
    spmv_csr sorted;            /* a row for each row and rank that it goes to */
    int32_t *source, *taken;    /* [sorted.rows], [take[size]] */
} sent_edges;

static spmv_status prepare(sent_edges *s, spmv_error *err)
{
    const int64_t size = s->e->comm->size, n = size + 1;
    spmv_status st;
    SPMV__TRY(spmv__alloc(&s->block_rank, BLOCKS, sizeof *s->block_rank, "a partition", err));
    SPMV__TRY(spmv__alloc(&s->give, n, sizeof *s->give, "a partition", err));
    SPMV__TRY(spmv__alloc(&s->give_entry, n, sizeof *s->give_entry, "a partition", err));
    SPMV__TRY(spmv__alloc(&s->take, n, sizeof *s->take, "a partition", err));
    SPMV__TRY(spmv__alloc(&s->at, size, sizeof *s->at, "a partition", err));
done:
    return st;
}

/* ---- Ranks ---------------------------------------------------------------------------------- */

/* Searching for the rank of each edge would be as good as random for the processor. */
static void list_blocks(sent_edges *s)
{
    const int64_t nodes = s->begin[s->e->comm->size];
    int k = 0;
    while (nodes >> s->shift >= BLOCKS) s->shift++;
    for (int64_t b = 0; b << s->shift < nodes; b++) {
        while (s->begin[k + 1] <= b << s->shift) k++;
        s->block_rank[b] = k;
    }
}

/* Returns the rank that has a place. */
static int rank_of(const sent_edges *s, int32_t place)
{
    int k = s->block_rank[place >> s->shift];
    while (s->begin[k + 1] <= place) k++;
    return k;
}

/* Bring the columns to their places, and count what goes to each rank and comes from it. */
static void count(sent_edges *s)
{
    const spmv_csr *A = &s->e->A;
    const int size = s->e->comm->size;
    for (int k = 0; k < size; k++) s->at[k].last = -1;
    for (int64_t r = 0; r < A->rows; r++)
        for (int64_t p = A->row_ptr[r]; p < A->row_ptr[r + 1]; p++) {
            const int32_t place = A->col_idx[p] = s->place[A->col_idx[p]];
            const int k = rank_of(s, place);
            s->give_entry[k + 1]++;
            s->give[k + 1] += s->at[k].last != r;
            s->at[k].last = r;
        }
    spmv__comm_all_to_all(s->e->comm, s->give + 1, sizeof *s->give, s->take + 1);
    for (int k = 0; k < size; k++) {
        s->give[k + 1] += s->give[k];
        s->give_entry[k + 1] += s->give_entry[k];
        s->take[k + 1] += s->take[k];
    }
}

/* ---- Edges ---------------------------------------------------------------------------------- */

static spmv_status allocate_edges(sent_edges *s, spmv_error *err)
{
    const int size = s->e->comm->size;
    spmv_status st;
    SPMV__TRY(spmv_csr_create(&s->sorted, s->e->type, s->give[size], s->e->A.cols,
                              s->give_entry[size], err));
    SPMV__TRY(spmv__alloc(&s->source, s->give[size], sizeof *s->source, "edges", err));
    SPMV__TRY(spmv__alloc(&s->taken, s->take[size], sizeof *s->taken, "edges", err));
done:
    return st;
}

/* Row number and row end are written for every edge: testing for the first edge of a row would cost
 * a branch.  `type` of the shares is known where it is PATTERN. */
SPMV__INLINE void sort_edges(spmv_type type, sent_edges *s)
{
    const spmv__own_edges *e = s->e;
    const spmv_csr *A = &e->A;
    spmv_csr *to = &s->sorted;
    const int64_t first = e->part->row_begin[e->comm->rank];
    for (int k = 0; k < e->comm->size; k++)
        s->at[k] = (rank_places){-1, s->give[k] - 1, s->give_entry[k]};
    for (int64_t r = 0; r < A->rows; r++) {
        const int32_t own = e->number[first + r];
        const double sum = e->out_weight[r];
        for (int64_t p = A->row_ptr[r]; p < A->row_ptr[r + 1]; p++) {
            const int k = rank_of(s, A->col_idx[p]);
            rank_places *at = &s->at[k];
            at->row += at->last != r;
            at->last = r;
            s->source[at->row] = own;
            to->col_idx[at->edge] = (int32_t)(A->col_idx[p] - s->begin[k]);
            if (type != SPMV_PATTERN && sum > 0)
                spmv__set_value(type, to->val, at->edge, spmv__value(A->type, A->val, p) / sum);
            to->row_ptr[at->row + 1] = ++at->edge;
        }
    }
}

static void destroy_edges(sent_edges *s)
{
    free(s->block_rank);
    free(s->give);
    free(s->give_entry);
    free(s->take);
    free(s->at);
    free(s->source);
    free(s->taken);
    spmv_csr_destroy(&s->sorted);
}

/* What has been sorted is needed no more. */
static void release_rows(spmv__own_edges *e)
{
    spmv_destroy(&e->nonzero);
    spmv_csr_destroy(&e->part->own);
    e->A = (spmv_csr){.rows = 0};
    free(e->number);
    e->number = NULL;
}

spmv_status spmv__own_edges_send(spmv__own_edges *e, const int32_t *place, const int64_t *begin,
                                 spmv_csr *out, int32_t **source, spmv_error *err)
{
    const int rank = e->comm->rank;
    sent_edges s = {.e = e, .place = place, .begin = begin};
    spmv_status st;
    SPMV__TRY(spmv_comm_agree(e->comm, prepare(&s, err), err));
    list_blocks(&s);
    count(&s);
    SPMV__TRY(spmv_comm_agree(e->comm, allocate_edges(&s, err), err));
    if (e->type == SPMV_PATTERN)
        sort_edges(SPMV_PATTERN, &s);
    else
        sort_edges(e->type, &s);
    release_rows(e);
    SPMV__TRY(spmv__all_to_all(e->comm, sizeof *s.source, s.source, s.give, s.taken, s.take, err));
    SPMV__TRY(spmv__all_to_all_rows(out, e->comm, &s.sorted, s.give, s.take, err));
    out->cols = begin[rank + 1] - begin[rank];
    *source = s.taken;
    s.taken = NULL;
done:
    destroy_edges(&s);
    return st;
}
