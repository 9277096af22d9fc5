/* row_segments.c -- see row_segments.h. */
#include "core/parts/row_segments.h"
#include "core/parts/partition.h"

/* A row stays whole up to an eighth of a share: it unbalances ranks by half of that. */
enum { LONG = 8 };

void spmv__find_edge_rows(spmv__edge_row out[SPMV__EDGES], const int64_t *row_ptr, int64_t n,
                          int64_t first_row, int64_t first_entry)
{
    const int64_t row[SPMV__EDGES] = {0, n - 1};
    for (int i = 0; i < SPMV__EDGES; i++) {
        out[i] = (spmv__edge_row){0};
        if (row[i] < i) continue;
        out[i].row = first_row + row[i];
        out[i].before = first_entry + row_ptr[row[i]];
        if (n > 0) out[i].length = row_ptr[row[i] + 1] - row_ptr[row[i]];
    }
}

/* The rank whose share holds what has so much before it. */
static int rank_at(double weight, double share, int size)
{
    const int rank = (int)(weight / share);
    return rank < size ? rank : size - 1;
}

int spmv__row_segments(spmv__segment out[SPMV__PIECES], const spmv__edge_row *row, int64_t rows,
                       int64_t nnz, int size)
{
    const double share = spmv__part_weight(rows, nnz) / size;
    int64_t cut[SPMV__PIECES];
    int n = 0;
    if (row->length == 0 || LONG * spmv__part_weight(1, row->length) <= share) return 0;
    const int cuts = spmv__cuts_in_row(cut, row->row + row->before, row->length, rows + nnz);
    for (int64_t begin = 0; n <= cuts; begin = out[n++].end) {
        const int64_t end = n < cuts ? cut[n] : row->length;
        const double middle = (double)row->before + (double)(begin + end) / 2;
        const double weight = spmv__part_weight(row->row, 0) + 12 * middle;
        out[n] = (spmv__segment){rank_at(weight, share, size), begin, end};
    }
    return out[0].rank < out[n - 1].rank ? n : 0;
}
