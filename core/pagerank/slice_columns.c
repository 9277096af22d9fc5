/* slice_columns.c -- edges by row, brought into the columns of a transition matrix.
 *
 * That takes one pass over the rows: each thread takes some of them, and has counted beforehand
 * what they add to each column. */
#include "core/matrix/format.h"
#include "core/matrix/value.h"
#include "core/pagerank/ranking.h"

#include <stdlib.h>

enum { ONE_BY_ONE = 1 }; /* see place_column */

typedef struct building {
    spmv__edge_rows rows;
    spmv__columns *columns;
    spmv_type type;     /* of the shares */
    int threads, parts; /* of the rows */
    int64_t *next;      /* [parts x columns] entries of a part in each one, then see place_column */
    int32_t *length;    /* [columns] of each */
} building;

/* The column of the rows that is number i of those that are made. */
static int64_t column_of(const building *b, int64_t i)
{
    return b->rows.node != NULL ? b->rows.node[i] : i;
}

/* ---- Counting ------------------------------------------------------------------------------- */

/* The first row of a part: parts have about as many entries each. */
static int64_t part_begin(const building *b, int part)
{
    const spmv_csr *A = b->rows.A;
    if (part == b->parts) return A->rows;
    return spmv__find_offset(A->row_ptr, A->rows, A->nnz / b->parts * part);
}

static void count_columns(building *b)
{
    const spmv_csr *A = b->rows.A;
    const int64_t n = A->cols;
#pragma omp parallel for schedule(static, 1) num_threads(b->threads)
    for (int part = 0; part < b->parts; part++) {
        const int64_t end = A->row_ptr[part_begin(b, part + 1)];
        int64_t *count = b->next + part * n;
        for (int64_t p = A->row_ptr[part_begin(b, part)]; p < end; p++) count[A->col_idx[p]]++;
    }
#pragma omp parallel for schedule(static) num_threads(b->threads)
    for (int64_t c = 0; c < n; c++)
        for (int part = 0; part < b->parts; part++) b->length[c] += (int32_t)b->next[part * n + c];
}

/* ---- Edges ---------------------------------------------------------------------------------- */

/* Make room for the edges, which is all padding at first. */
static spmv_status allocate_places(const building *b, spmv_error *err)
{
    spmv__columns *columns = b->columns;
    const spmv__node_window *end = &columns->window[columns->windows];
    const int64_t places = end->step * SPMV__ABREAST;
    spmv_status st;
    SPMV__TRY(spmv__alloc(&columns->steps, end->slice, sizeof *columns->steps, "slices", err));
    SPMV__TRY(spmv__alloc(&columns->source, places, sizeof *columns->source, "edges", err));
    if (b->type != SPMV_PATTERN)
        SPMV__TRY(spmv__alloc(&columns->share, places, spmv_type_size(b->type), "shares", err));
#pragma omp parallel for schedule(static) num_threads(b->threads)
    for (int64_t q = 0; q < places; q++) columns->source[q] = (int32_t)b->rows.nodes;
done:
    return st;
}

/* The entries of a column lie from `at` on, one by one or in every eighth place: say so to all
 * parts.  The last bit of `next` tells the ones from the others. */
static void place_column(const building *b, int64_t column, int64_t at, bool alone)
{
    for (int part = 0; part < b->parts; part++) {
        int64_t *next = &b->next[part * b->rows.A->cols + column];
        const int64_t count = *next;
        *next = 2 * at + (alone ? ONE_BY_ONE : 0);
        at += alone ? count : count * SPMV__ABREAST;
    }
}

static void place_window(const building *b, const spmv__node_window *w)
{
    const int64_t n = w[1].node - w->node;
    int32_t *steps = b->columns->steps + w->slice;
    int64_t step = w->step;
    for (int64_t i = 0; i < w->alone; i++, step += *steps++) {
        const int64_t c = column_of(b, w->node + i);
        *steps = (int32_t)spmv__steps_alone(b->length[c]);
        place_column(b, c, step * SPMV__ABREAST, true);
    }
    for (int64_t i = w->alone; i < n; i += SPMV__ABREAST, step += *steps++) {
        *steps = b->length[column_of(b, w->node + i)];
        for (int64_t k = 0; k < SPMV__ABREAST && i + k < n; k++)
            place_column(b, column_of(b, w->node + i + k), step * SPMV__ABREAST + k, false);
    }
}

/* Whether a column stands alone is as good as random: a branch would cost more than all else. */
static int64_t next_place(int64_t place)
{
    return place + (2 * SPMV__ABREAST >> 3 * (place & ONE_BY_ONE));
}

/* `type` of the shares is known where it is PATTERN. */
SPMV__INLINE void put_rows(spmv_type type, const building *b, int part)
{
    const spmv__edge_rows *rows = &b->rows;
    const spmv_csr *A = rows->A;
    const spmv__columns *columns = b->columns;
    const int64_t end = part_begin(b, part + 1);
    int64_t *next = b->next + part * A->cols;
    for (int64_t r = part_begin(b, part); r < end; r++) {
        const int32_t number = rows->number[r];
        const double sum = rows->out_weight != NULL ? rows->out_weight[r] : 1;
        for (int64_t p = A->row_ptr[r]; p < A->row_ptr[r + 1]; p++) {
            const int64_t at = next[A->col_idx[p]];
            next[A->col_idx[p]] = next_place(at);
            columns->source[at >> 1] = number;
            if (type != SPMV_PATTERN && sum > 0)
                spmv__set_value(type, columns->share, at >> 1,
                                spmv__value(A->type, A->val, p) / sum);
        }
    }
}

static void put_edges(const building *b)
{
#pragma omp parallel for schedule(static, 1) num_threads(b->threads)
    for (int part = 0; part < b->parts; part++)
        if (b->type == SPMV_PATTERN)
            put_rows(SPMV_PATTERN, b, part);
        else
            put_rows(b->type, b, part);
}

/* ---- The whole ------------------------------------------------------------------------------ */

/* Count the entries of each column.  The parts take at most half of the memory of the edges. */
static spmv_status begin(building *b, spmv_error *err)
{
    const spmv_csr *A = b->rows.A;
    const int64_t n = A->cols, most = n > 0 ? A->nnz / (2 * n) + 1 : 1;
    spmv_status st;
    b->parts = most < b->threads ? (int)most : b->threads;
    SPMV__TRY(spmv__alloc(&b->next, b->parts * n, sizeof *b->next, "column positions", err));
    SPMV__TRY(spmv__alloc(&b->length, n, sizeof *b->length, "lengths of columns", err));
    count_columns(b);
done:
    return st;
}

static spmv_status fill(const building *b, spmv_error *err)
{
    const spmv__columns *columns = b->columns;
    const spmv_status st = allocate_places(b, err);
    if (st != SPMV_SUCCESS) return st;
#pragma omp parallel for schedule(dynamic, 16) num_threads(b->threads)
    for (int64_t w = 0; w < columns->windows; w++) place_window(b, &columns->window[w]);
    put_edges(b);
    return st;
}

static void destroy_building(building *b)
{
    free(b->next);
    free(b->length);
}

spmv_status spmv__columns_fill(spmv__columns *columns, spmv_type type, const spmv__edge_rows *rows,
                               int threads, spmv_error *err)
{
    building b = {.rows = *rows, .columns = columns, .type = type, .threads = threads};
    spmv_status st;
    SPMV__TRY(begin(&b, err));
    SPMV__TRY(fill(&b, err));
done:
    destroy_building(&b);
    return st;
}

spmv_status spmv__transition_slice(spmv__transition *t, const spmv_csr *A, int threads,
                                   spmv_error *err)
{
    const int64_t n = A->rows;
    int32_t *number = NULL; /* [n] of each node */
    building b = {
        .rows = {.A = A, .node = t->node, .out_weight = t->scale, .nodes = n},
        .columns = &t->columns,
        .type = t->type,
        .threads = threads,
    };
    spmv_status st;

    SPMV__TRY(begin(&b, err));
    SPMV__TRY(spmv__alloc(&number, n, sizeof *number, "numbers of nodes", err));
    SPMV__TRY(spmv__columns_cut(&t->columns, t->node, b.length, n, A->nnz, threads, err));
    spmv__number_nodes(number, t->node, n);
    b.rows.number = number;
    SPMV__TRY(fill(&b, err));
done:
    destroy_building(&b);
    free(number);
    return st;
}
