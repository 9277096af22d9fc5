/* split_rows.c -- see split_rows.h. */
#include "core/parts/split_rows.h"
#include "core/matrix/value.h"

#include <stdlib.h>

/* Neighbouring segments of a row that one rank multiplies. */
typedef struct segment_group {
    int owner, rank;    /* who has the row, and who multiplies them */
    int row;            /* of the owner: which of those that are split */
    int first, count;   /* segments of the row */
    int64_t begin, end; /* its entries */
    int place;          /* of the first one among all that the rank multiplies */
} segment_group;

typedef struct splitting {
    spmv_comm *comm;
    const spmv_part *part;
    spmv_csr *A, grown;
    spmv__split_rows s;
    spmv__edge_row *edge; /* [size x EDGES] of each rank */
    /* Those that this rank gives or multiplies.  Each split row holds the end of a share, so there
     * are fewer than `size`, with at most two groups each. */
    segment_group *group; /* [2 x size] */
    int groups;
    spmv__message *receive, *send; /* [4 x size] */
    int receives, sends;
} splitting;

/* ---- Who multiplies what -------------------------------------------------------------------- */

static spmv_status allocate(splitting *p, spmv_error *err)
{
    const int64_t size = p->comm->size, most = SPMV__PIECES + size; /* segments of all rows */
    spmv_status st;
    SPMV__TRY(spmv__alloc(&p->edge, size * SPMV__EDGES, sizeof *p->edge, "segments of rows", err));
    SPMV__TRY(spmv__alloc(&p->group, 2 * size, sizeof *p->group, "segments of rows", err));
    SPMV__TRY(spmv__alloc(&p->receive, 4 * size, sizeof *p->receive, "segments of rows", err));
    SPMV__TRY(spmv__alloc(&p->send, 4 * size, sizeof *p->send, "segments of rows", err));
    SPMV__TRY(spmv__alloc(&p->s.start, most + 1, sizeof *p->s.start, "segments of rows", err));
    SPMV__TRY(spmv__alloc(&p->s.sum, most, sizeof *p->s.sum, "segments of rows", err));
    SPMV__TRY(spmv__alloc(&p->s.part, most, sizeof *p->s.part, "segments of rows", err));
done:
    return st;
}

/* Take in what this rank has to do with the segments of a row, the next that is split of its owner.
 */
static void list_segments(splitting *p, int owner, int row, const spmv__segment *segment, int n)
{
    const int me = p->comm->rank;
    spmv__split_rows *s = &p->s;
    for (int i = 0, j; i < n; i = j) {
        const int rank = segment[i].rank, place = s->count;
        for (j = i; j < n && segment[j].rank == rank; j++) {
            if (rank != me) continue;
            s->start[s->count + 1] = s->start[s->count] + segment[j].end - segment[j].begin;
            s->count++;
        }
        if (rank == me || owner == me)
            p->group[p->groups++] = (segment_group){.owner = owner,
                                                    .rank = rank,
                                                    .row = row,
                                                    .first = i,
                                                    .count = j - i,
                                                    .begin = segment[i].begin,
                                                    .end = segment[j - 1].end,
                                                    .place = place};
    }
}

/* Split an own row into n segments. */
static void add_row(splitting *p, const spmv__edge_row *edge, int n)
{
    spmv__split_rows *s = &p->s;
    spmv__split_row *row = &s->row[s->rows];
    row->row = edge->row - p->part->row_begin[p->comm->rank];
    row->length = edge->length;
    row->total = n;
    if (s->rows > 0) row->first = row[-1].first + row[-1].total;
    s->rows++;
}

static void list_rows(splitting *p)
{
    spmv__segment segment[SPMV__PIECES];
    const int size = p->comm->size;
    for (int k = 0; k < size; k++)
        for (int i = 0, row = 0; i < SPMV__EDGES; i++) {
            const spmv__edge_row *edge = &p->edge[k * SPMV__EDGES + i];
            const int n = spmv__row_segments(segment, edge, p->part->rows, p->part->nnz, size);
            if (n == 0) continue;
            p->s.any = true;
            if (k == p->comm->rank) add_row(p, edge, n);
            list_segments(p, k, row++, segment, n);
        }
}

/* ---- Entries -------------------------------------------------------------------------------- */

static char *entry(const spmv_csr *A, bool values, int64_t at)
{
    return values ? (char *)A->val + at * (int64_t)spmv_type_size(A->type)
                  : (char *)(A->col_idx + at);
}

/* Copy entries begin .. end - 1 of A, in front of which `gone` have been left out. */
static void keep_entries(splitting *p, int64_t begin, int64_t end, int64_t gone)
{
    const int64_t n = end - begin;
    memcpy(p->grown.col_idx + begin - gone, p->A->col_idx + begin,
           (size_t)n * sizeof *p->A->col_idx);
    spmv__copy_values(p->A->type, p->grown.val, begin - gone, p->A->val, begin, n);
}

/* Copy the rows of A, without those that are split, and make room for segments after them. */
static spmv_status grow(splitting *p, spmv_error *err)
{
    const spmv_csr *A = p->A;
    spmv__split_rows *s = &p->s;
    int64_t rest = A->nnz, at = 0, gone = 0, next = 0;
    for (int i = 0; i < s->rows; i++) rest -= s->row[i].length;
    const spmv_status st =
        spmv_csr_create(&p->grown, A->type, A->rows, A->cols, rest + s->start[s->count], err);
    if (st != SPMV_SUCCESS) return st;
    for (int i = 0; i <= s->rows; i++) {
        const bool last = i == s->rows;
        const int64_t row = last ? A->rows : s->row[i].row;
        for (; next <= row; next++) p->grown.row_ptr[next] = A->row_ptr[next] - gone;
        keep_entries(p, at, A->row_ptr[row], gone);
        if (last) break;
        at = A->row_ptr[row + 1];
        gone += s->row[i].length;
    }
    p->grown.nnz = rest;
    for (int i = 0; i <= s->count; i++) s->start[i] += rest;
    return SPMV_SUCCESS;
}

/* Copy, send or receive the columns or values of a group. */
static void move_group(splitting *p, const segment_group *g, bool values)
{
    const int me = p->comm->rank;
    const int64_t size = values ? (int64_t)spmv_type_size(p->A->type) : (int64_t)sizeof(int32_t);
    const int64_t bytes = (g->end - g->begin) * size;
    char *from = NULL, *to = NULL;
    if (g->owner == me) from = entry(p->A, values, p->A->row_ptr[p->s.row[g->row].row] + g->begin);
    if (g->rank == me) to = entry(&p->grown, values, p->s.start[g->place]);
    if (from != NULL && to != NULL)
        memcpy(to, from, (size_t)bytes);
    else if (to != NULL)
        p->receive[p->receives++] = (spmv__message){g->owner, to, bytes};
    else
        p->send[p->sends++] = (spmv__message){g->rank, from, bytes};
}

static spmv_status move_entries(splitting *p, spmv_error *err)
{
    const bool valued = spmv_type_size(p->A->type) > 0;
    spmv_status st = p->groups > 0 ? grow(p, err) : SPMV_SUCCESS;
    SPMV__TRY(spmv_comm_agree(p->comm, st, err));
    for (int i = 0; i < p->groups; i++) {
        move_group(p, &p->group[i], false);
        if (valued) move_group(p, &p->group[i], true);
    }
    SPMV__TRY(spmv__exchange_once(p->comm, p->receive, p->receives, p->send, p->sends, err));
    if (p->groups == 0) goto done;
    spmv_csr_destroy(p->A);
    *p->A = p->grown;
    p->grown = (spmv_csr){0};
done:
    return st;
}

/* ---- Sums ----------------------------------------------------------------------------------- */

static spmv_status prepare_sums(splitting *p, spmv_error *err)
{
    const int me = p->comm->rank;
    spmv__split_rows *s = &p->s;
    p->receives = p->sends = 0;
    for (int i = 0; i < p->groups; i++) {
        const segment_group *g = &p->group[i];
        const int64_t bytes = g->count * (int64_t)sizeof(spmv_scalar);
        spmv__split_row *row = g->owner == me ? &s->row[g->row] : NULL;
        if (row != NULL && g->rank == me) {
            row->kept = g->count;
            row->at = row->first + g->first;
            row->from = g->place;
        } else if (row != NULL) {
            p->receive[p->receives++] =
                (spmv__message){g->rank, s->part + row->first + g->first, bytes};
        } else {
            p->send[p->sends++] = (spmv__message){g->owner, s->sum + g->place, bytes};
        }
    }
    return spmv__exchange_create(&s->exchange, p->comm, p->receive, p->receives, p->send, p->sends,
                                 err);
}

spmv_status spmv__split_create(spmv__split_rows *out, spmv_comm *comm, spmv_csr *A,
                               const spmv_part *part, spmv_error *err)
{
    splitting p = {.comm = comm, .part = part, .A = A};
    spmv__edge_row mine[SPMV__EDGES];
    spmv_status st;
    *out = p.s;
    if (part->by != SPMV_PARTITION_NNZ) return SPMV_SUCCESS;
    SPMV__TRY(spmv_comm_agree(comm, allocate(&p, err), err));
    spmv__find_edge_rows(mine, A->row_ptr, A->rows, part->row_begin[comm->rank], part->first_entry);
    spmv__comm_all_gather(comm, mine, sizeof mine, p.edge);
    list_rows(&p);
    if (!p.s.any) goto done;
    SPMV__TRY(move_entries(&p, err));
    SPMV__TRY(spmv_comm_agree(comm, prepare_sums(&p, err), err));
    *out = p.s;
    p.s = (spmv__split_rows){0};
done:
    spmv__split_destroy(&p.s);
    spmv_csr_destroy(&p.grown);
    free(p.edge);
    free(p.group);
    free(p.receive);
    free(p.send);
    return st;
}

void spmv__split_destroy(spmv__split_rows *s)
{
    spmv__exchange_destroy(&s->exchange);
    free(s->start);
    free(s->sum);
    free(s->part);
    *s = (spmv__split_rows){0};
}

/* ---- Products ------------------------------------------------------------------------------- */

void spmv__split_begin(spmv__split_rows *s, const spmv__output *out)
{
    for (int i = 0; i < s->rows && !spmv__is_zero(out->beta); i++)
        s->row[i].y = spmv__scalar(out->type, out->y, s->row[i].row);
}

void spmv__split_multiply(spmv__split_rows *s, const spmv_csr *A, spmv__row_sums sums,
                          const void *x, const spmv__output *out, int threads)
{
    const spmv_type type = spmv__double_type(out->type);
    if (!s->any) return;
#pragma omp parallel for num_threads(threads) if (threads > 1) schedule(dynamic)
    for (int i = 0; i < s->count; i++) {
        double sum[2];
        sums(s->start + i, 1, A->col_idx, A->val, x, sum);
        s->sum[i] = spmv__scalar(type, sum, 0);
    }
    spmv__exchange_start(&s->exchange);
}

/* Write a row whose sums are all there.  They are added up as spmv__combine_pieces does: no sum at
 * all is -0. */
static void write_row(const spmv__split_rows *s, const spmv__split_row *row,
                      const spmv__output *out)
{
    double all[] = {-0.0, -0.0};
    if (row->kept > 0)
        memcpy(s->part + row->at, s->sum + row->from, (size_t)row->kept * sizeof *s->sum);
    for (int i = row->first; i < row->first + row->total; i++) {
        all[0] += s->part[i].re;
        all[1] += s->part[i].im;
    }
    if (!spmv__is_zero(out->beta)) spmv__set_scalar(out->type, out->y, row->row, row->y);
    spmv__output_sums(out, NULL, row->row, 1, all);
}

void spmv__split_finish(spmv__split_rows *s, const spmv__output *out)
{
    if (!s->any) return;
    spmv__exchange_finish(&s->exchange);
    for (int i = 0; i < s->rows; i++) write_row(s, &s->row[i], out);
}
