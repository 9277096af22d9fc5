/* edge_order.c -- edges in the order of a file become COO. */
#include "formats/graphs/edge_list.h"

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

int64_t spmv__edges_shape(const spmv__edges_header *header, const spmv__edges_extent *e)
{
    return larger(larger(e->rows, header->sources), larger(e->cols, header->targets));
}

/* An undirected edge is kept below the diagonal, however the file has it. */
static void turn(int64_t *row, int64_t *col)
{
    if (*row >= *col) return;
    int64_t swap = *row;
    *row = *col;
    *col = swap;
}

static const unsigned char *find_edge(const void *file, int64_t row, int64_t col, int nth)
{
    spmv__edges_reader again = *(const spmv__edges_reader *)file;
    int64_t r, c;
    double value;
    spmv__edges one = {.row = &r, .col = &c, .val = &value, .room = 1};
    spmv__edges_rewind(&again);
    again.text.comment = NULL;
    while (spmv__edges_next(&again.text)) {
        const unsigned char *place = again.text.p;
        one.n = one.skipped = 0;
        if (!spmv__edges_read(&again, &one)) break;
        if (one.n == 0) continue;
        if (again.header.undirected) turn(&r, &c);
        if (r == row && c == col && --nth == 0) return place;
    }
    return again.body.p;
}

spmv_status spmv__edges_order(spmv__edges_reader *reader, spmv_coo *A, const spmv_labels *labels,
                              int64_t *merged, spmv_error *err)
{
    const spmv__origin origin = {
        .src = reader->src,
        .options = reader->options,
        .text = &reader->text,
        .base = reader->header.words ? 0 : reader->header.base,
        .labels = labels,
        .find = find_edge,
        .file = reader,
    };
    if (reader->header.undirected)
        for (int64_t p = 0; p < A->nnz; p++) turn(&A->row_idx[p], &A->col_idx[p]);
    return spmv__text_sort(A, &origin, merged, err);
}
