/* name_nodes.c -- numbering the nodes that occur in the edges. */
#include "formats/common/file_format.h"
#include "formats/graphs/edge_list.h"

#include <stdlib.h>

/* Nodes are marked one by one up to ALWAYS_MARKED numbers, and beyond up to MARKED_PER_EDGE for
 * each edge. */
enum { ALWAYS_MARKED = 1 << 20, MARKED_PER_EDGE = 64 };

/* ---- Ids that lie close: a bit for each ----------------------------------------------------- */

static void mark(uint64_t *seen, int64_t node)
{
    seen[node / 64] |= UINT64_C(1) << (node % 64);
}

/* The number of marked nodes that are smaller; before[w] are those before word w. */
static int64_t rank_of(const uint64_t *seen, const int64_t *before, int64_t node)
{
    const uint64_t smaller = (UINT64_C(1) << (node % 64)) - 1;
    return before[node / 64] + __builtin_popcountll(seen[node / 64] & smaller);
}

static int64_t list_marked(const uint64_t *seen, int64_t words, int64_t *id)
{
    int64_t n = 0;
    for (int64_t w = 0; w < words; w++)
        for (uint64_t rest = seen[w]; rest != 0; rest &= rest - 1)
            id[n++] = w * 64 + __builtin_ctzll(rest);
    return n;
}

static spmv_status number_marked(spmv_coo *A, int64_t **id, int64_t *n, spmv_error *err)
{
    const int64_t words = A->rows / 64 + 1;
    uint64_t *seen = NULL;
    int64_t *before = NULL;
    spmv_status st;

    SPMV__TRY(spmv__alloc(&seen, words, sizeof *seen, "marks of nodes", err));
    SPMV__TRY(spmv__alloc(&before, words + 1, sizeof *before, "numbers of nodes", err));
    for (int64_t p = 0; p < A->nnz; p++) {
        mark(seen, A->row_idx[p]);
        mark(seen, A->col_idx[p]);
    }
    for (int64_t w = 0; w < words; w++) before[w + 1] = before[w] + __builtin_popcountll(seen[w]);
    SPMV__TRY(spmv__alloc(id, before[words], sizeof **id, "the ids of the nodes", err));
    *n = list_marked(seen, words, *id);
    for (int64_t p = 0; p < A->nnz && *n < A->rows; p++) {
        A->row_idx[p] = rank_of(seen, before, A->row_idx[p]);
        A->col_idx[p] = rank_of(seen, before, A->col_idx[p]);
    }
done:
    free(seen);
    free(before);
    return st;
}

/* ---- Ids that lie far apart: in order ------------------------------------------------------- */

/* The entries of A ordered by column: row_idx of *out are their columns, col_idx their places. */
static spmv_status order_by_column(const spmv_coo *A, spmv_coo *out, spmv_error *err)
{
    spmv_status st = spmv_coo_create(out, SPMV_PATTERN, A->rows, A->nnz, A->nnz, err);
    if (st != SPMV_SUCCESS) return st;
    for (int64_t p = 0; p < A->nnz; p++) {
        out->row_idx[p] = A->col_idx[p];
        out->col_idx[p] = p;
    }
    return spmv_coo_sort(out, SPMV_DUPLICATES_ERROR, NULL, err);
}

/* Walk the rows of A and, through by_col, its columns side by side.  Returns how many nodes there
 * are; with `id` (room for as many) their numbers go there and replaces them in A. */
static int64_t walk(spmv_coo *A, const spmv_coo *by_col, int64_t *id)
{
    int64_t n = 0, p = 0, q = 0;
    while (p < A->nnz || q < A->nnz) {
        int64_t row = p < A->nnz ? A->row_idx[p] : INT64_MAX;
        int64_t col = q < A->nnz ? by_col->row_idx[q] : INT64_MAX;
        int64_t node = row < col ? row : col;
        for (; p < A->nnz && A->row_idx[p] == node; p++)
            if (id != NULL) A->row_idx[p] = n;
        for (; q < A->nnz && by_col->row_idx[q] == node; q++)
            if (id != NULL) A->col_idx[by_col->col_idx[q]] = n;
        if (id != NULL) id[n] = node;
        n++;
    }
    return n;
}

static spmv_status number_sorted(spmv_coo *A, int64_t **id, int64_t *n, spmv_error *err)
{
    spmv_coo by_col = {0};
    spmv_status st;
    SPMV__TRY(order_by_column(A, &by_col, err));
    *n = walk(A, &by_col, NULL);
    SPMV__TRY(spmv__alloc(id, *n, sizeof **id, "the ids of the nodes", err));
    walk(A, &by_col, *id);
done:
    spmv_coo_destroy(&by_col);
    return st;
}

/* ---- Either --------------------------------------------------------------------------------- */

spmv_status spmv__edges_number(spmv_coo *A, int64_t base, spmv_labels *labels, spmv_error *err)
{
    const bool close = A->rows <= ALWAYS_MARKED || A->rows / MARKED_PER_EDGE <= A->nnz;
    int64_t *id = NULL, n = 0;
    spmv_status st;

    SPMV__TRY(close ? number_marked(A, &id, &n, err) : number_sorted(A, &id, &n, err));
    for (int64_t i = 0; i < n; i++) id[i] += base;
    A->rows = A->cols = n;
    spmv__labels_take(labels, id, n);
    id = NULL;
done:
    free(id);
    return st;
}
