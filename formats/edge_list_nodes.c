/* edge_list_nodes.c -- the nodes that occur in the edges: how many they are, and numbering them. */
#include "edge_list.h"

#include <stdlib.h>

/* Nodes are marked one by one up to so many numbers, and beyond up to so many per edge. */
enum { ALWAYS_COUNTED = 1 << 20, COUNTED_PER_EDGE = 64 };

spmv_status spmv__edges_count_nodes(const spmv_coo *A, int64_t *out, spmv_error *err)
{
    uint64_t *seen = NULL; /* a bit for each node */
    *out = 2 * A->nnz;
    if (A->rows > ALWAYS_COUNTED && A->rows / COUNTED_PER_EDGE > A->nnz) return SPMV_SUCCESS;
    spmv_status st = spmv__alloc(&seen, A->rows / 64 + 1, sizeof *seen, "marks of nodes", err);
    if (st != SPMV_SUCCESS) return st;
    for (int64_t p = 0; p < A->nnz; p++) {
        seen[A->row_idx[p] / 64] |= UINT64_C(1) << (A->row_idx[p] % 64);
        seen[A->col_idx[p] / 64] |= UINT64_C(1) << (A->col_idx[p] % 64);
    }
    *out = 0;
    for (int64_t i = 0; i <= A->rows / 64; i++) *out += __builtin_popcountll(seen[i]);
    free(seen);
    return SPMV_SUCCESS;
}

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
static int64_t number_nodes(spmv_coo *A, const spmv_coo *by_col, int64_t *id)
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

spmv_status spmv__edges_compact(spmv_coo *A, int64_t base, spmv_labels *labels, spmv_error *err)
{
    spmv_status st;
    spmv_coo by_col = {0};
    int64_t *id = NULL;

    SPMV__TRY(order_by_column(A, &by_col, err));
    int64_t n = number_nodes(A, &by_col, NULL);
    SPMV__TRY(spmv__alloc(&id, n, sizeof *id, "the ids of the nodes", err));
    number_nodes(A, &by_col, id);
    for (int64_t i = 0; i < n; i++) id[i] += base;
    A->rows = A->cols = n;
    labels->id = id;
    id = NULL;
done:
    free(id);
    spmv_coo_destroy(&by_col);
    return st;
}
