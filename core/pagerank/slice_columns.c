/* slice_columns.c -- the columns of a transition matrix, eight side by side.
 *
 * Pulling over columns of unlike lengths is bound by the branches at their ends, which nobody can
 * predict.  Within a window columns go by falling length, so that the eight of a slice end
 * together: padding takes 1 to 3 % on graphs of all kinds.  Every sum has the same additions in the
 * same order on every machine.
 *
 * The edges are brought into place in one pass over the rows: each thread takes some of the rows,
 * and has counted beforehand what they add to each column. */
#include "core/matrix/value.h"
#include "core/pagerank/ranking.h"

#include <stdlib.h>

enum {
    LENGTHS = 64,   /* of columns that share a slice, at most */
    FULL = 1 << 15, /* edges, at which a window is */
    ONE_BY_ONE = 1  /* see place_window */
};

typedef struct building {
    const spmv_csr *A;
    spmv__transition *t;
    int threads, parts; /* of the rows */
    int64_t *next;   /* [parts x nodes] entries of a part in each column, then see place_window */
    int32_t *length; /* [nodes] of each column */
    int32_t *number; /* [nodes] of each node */
} building;

/* ---- Counting ------------------------------------------------------------------------------- */

/* The first row of a part: parts have about as many entries each. */
static int64_t part_begin(const building *b, int part)
{
    const spmv_csr *A = b->A;
    const int64_t entry = A->nnz / b->parts * part;
    int64_t low = 0, high = A->rows;
    if (part == b->parts) return A->rows;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (A->row_ptr[middle] < entry)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void count_columns(building *b)
{
    const spmv_csr *A = b->A;
    const int64_t n = A->rows;
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

/* ---- Windows and slices --------------------------------------------------------------------- */

/* Windows end where they have enough nodes, or edges. */
static spmv_status cut_windows(building *b, spmv_error *err)
{
    const int64_t n = b->A->rows, most = n / SPMV__WINDOW + b->A->nnz / FULL + 2;
    spmv__columns *columns = &b->t->columns;
    const spmv_status st =
        spmv__alloc(&columns->window, most, sizeof *columns->window, "windows", err);
    if (st != SPMV_SUCCESS) return st;
    for (int64_t i = 0; i < n; columns->window[++columns->windows].node = i) {
        const int64_t first = i;
        int64_t edges = 0;
        for (; i < n && i - first < SPMV__WINDOW && edges < FULL; i++)
            edges += b->length[b->t->node[i]];
    }
    return st;
}

/* Columns that are too long for a slice with others come first, in their old order. */
static int bucket_of(int64_t length)
{
    return length > LENGTHS ? 0 : 1 + LENGTHS - (int)length;
}

static int64_t steps_alone(int64_t length)
{
    return (length + SPMV__ABREAST - 1) / SPMV__ABREAST;
}

/* Sort a window; the next one is told how many slices and steps this one has. */
static void sort_window(const building *b, spmv__node_window *w)
{
    const int64_t n = w[1].node - w->node;
    int32_t *node = b->t->node + w->node, sorted[SPMV__WINDOW];
    int next[LENGTHS + 3] = {0};
    for (int64_t i = 0; i < n; i++) next[bucket_of(b->length[node[i]]) + 1]++;
    for (int k = 0; k <= LENGTHS + 1; k++) next[k + 1] += next[k];
    w->alone = next[1];
    for (int64_t i = 0; i < n; i++) sorted[next[bucket_of(b->length[node[i]])]++] = node[i];
    memcpy(node, sorted, (size_t)n * sizeof *node);
    for (int64_t i = 0; i < w->alone; i++) w[1].step += steps_alone(b->length[node[i]]);
    for (int64_t i = w->alone; i < n; i += SPMV__ABREAST) w[1].step += b->length[node[i]];
    w[1].slice = w->alone + (n - w->alone + SPMV__ABREAST - 1) / SPMV__ABREAST;
}

static spmv_status cut_slices(building *b, spmv_error *err)
{
    spmv__columns *columns = &b->t->columns;
    spmv__node_window *window = columns->window;
    spmv_status st;
#pragma omp parallel for schedule(dynamic, 16) num_threads(b->threads)
    for (int64_t w = 0; w < columns->windows; w++) sort_window(b, &window[w]);
    for (int64_t w = 0; w < columns->windows; w++) {
        window[w + 1].slice += window[w].slice;
        window[w + 1].step += window[w].step;
    }
    const int64_t slices = window[columns->windows].slice;
    const int64_t places = window[columns->windows].step * SPMV__ABREAST;
    SPMV__TRY(spmv__alloc(&columns->steps, slices, sizeof *columns->steps, "slices", err));
    SPMV__TRY(spmv__alloc(&columns->source, places, sizeof *columns->source, "edges", err));
    if (b->t->type != SPMV_PATTERN)
        SPMV__TRY(spmv__alloc(&columns->share, places, spmv_type_size(b->t->type), "shares", err));
#pragma omp parallel for schedule(static) num_threads(b->threads)
    for (int64_t q = 0; q < places; q++) columns->source[q] = (int32_t)b->A->rows;
done:
    return st;
}

/* ---- Edges ---------------------------------------------------------------------------------- */

/* The entries of a column lie from `at` on, one by one or in every eighth place: say so to all
 * parts.  The last bit of `next` tells the ones from the others. */
static void place_column(const building *b, int64_t column, int64_t at, bool alone)
{
    for (int part = 0; part < b->parts; part++) {
        int64_t *next = &b->next[part * b->A->rows + column];
        const int64_t count = *next;
        *next = 2 * at + (alone ? ONE_BY_ONE : 0);
        at += alone ? count : count * SPMV__ABREAST;
    }
}

static void place_window(const building *b, const spmv__node_window *w)
{
    const int64_t n = w[1].node - w->node;
    const int32_t *node = b->t->node + w->node;
    int32_t *steps = b->t->columns.steps + w->slice;
    int64_t step = w->step;
    for (int64_t i = 0; i < n; i++) b->number[node[i]] = (int32_t)(w->node + i);
    for (int64_t i = 0; i < w->alone; i++, step += *steps++) {
        *steps = (int32_t)steps_alone(b->length[node[i]]);
        place_column(b, node[i], step * SPMV__ABREAST, true);
    }
    for (int64_t i = w->alone; i < n; i += SPMV__ABREAST, step += *steps++) {
        *steps = b->length[node[i]];
        for (int64_t k = 0; k < SPMV__ABREAST && i + k < n; k++)
            place_column(b, node[i + k], step * SPMV__ABREAST + k, false);
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
    const spmv_csr *A = b->A;
    const spmv__transition *t = b->t;
    const int64_t end = part_begin(b, part + 1);
    int64_t *next = b->next + part * A->rows;
    for (int64_t r = part_begin(b, part); r < end; r++) {
        const int32_t number = b->number[r];
        const double sum = t->scale[r];
        for (int64_t p = A->row_ptr[r]; p < A->row_ptr[r + 1]; p++) {
            const int64_t at = next[A->col_idx[p]];
            next[A->col_idx[p]] = next_place(at);
            t->columns.source[at >> 1] = number;
            if (type != SPMV_PATTERN && sum > 0)
                spmv__set_value(type, t->columns.share, at >> 1,
                                spmv__value(A->type, A->val, p) / sum);
        }
    }
}

static void put_edges(const building *b)
{
#pragma omp parallel for schedule(static, 1) num_threads(b->threads)
    for (int part = 0; part < b->parts; part++)
        if (b->t->type == SPMV_PATTERN)
            put_rows(SPMV_PATTERN, b, part);
        else
            put_rows(b->t->type, b, part);
}

spmv_status spmv__transition_slice(spmv__transition *t, const spmv_csr *A, int threads,
                                   spmv_error *err)
{
    const int64_t n = A->rows, most = n > 0 ? A->nnz / (2 * n) + 1 : 1;
    building b = {.A = A, .t = t, .threads = threads};
    const spmv__columns *columns = &t->columns;
    spmv_status st;

    /* The parts take at most half of the memory of the edges. */
    b.parts = most < threads ? (int)most : threads;
    SPMV__TRY(spmv__alloc(&b.next, b.parts * n, sizeof *b.next, "column positions", err));
    SPMV__TRY(spmv__alloc(&b.length, n, sizeof *b.length, "lengths of columns", err));
    SPMV__TRY(spmv__alloc(&b.number, n, sizeof *b.number, "numbers of nodes", err));
    count_columns(&b);
    SPMV__TRY(cut_windows(&b, err));
    SPMV__TRY(cut_slices(&b, err));
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads)
    for (int64_t w = 0; w < columns->windows; w++) place_window(&b, &columns->window[w]);
    put_edges(&b);
done:
    free(b.next);
    free(b.length);
    free(b.number);
    return st;
}
