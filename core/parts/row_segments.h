/* row_segments.h -- a long row where one rank's share ends and another's begins, cut so that all of
 * them multiply it. */
#pragma once

#include "core/multiply/multiply.h"

/* A row of a matrix of which each rank has neighbouring rows. */
typedef struct spmv__edge_row {
    int64_t row;    /* its number */
    int64_t before; /* entries in the rows before it */
    int64_t length; /* its own */
} spmv__edge_row;

/* Neighbouring entries of it, whose sum is part of its sum. */
typedef struct spmv__segment {
    int rank;           /* that multiplies them */
    int64_t begin, end; /* among the entries of the row */
} spmv__segment;

/* The first and last row of a rank; only these can hold the end of a share.  Of a single row the
 * second record is empty; without rows both are.  The entries of the rows are row_ptr[0] +
 * first_entry .. of the matrix. */
enum { SPMV__EDGES = 2 };
void spmv__find_edge_rows(spmv__edge_row out[SPMV__EDGES], const int64_t *row_ptr, int64_t n,
                          int64_t first_row, int64_t first_entry);

/* Cut a row of a matrix, which `size` ranks share out by nonzeros, where the walk over the whole
 * matrix is cut (row_walk.c): so its sum is that of one process.  Each segment goes to the rank in
 * whose share of the bytes its middle lies, and these ascend.  Returns how many there are; 0: the
 * row stays whole, as it is short, or all would go to one rank. */
int spmv__row_segments(spmv__segment out[SPMV__PIECES], const spmv__edge_row *row, int64_t rows,
                       int64_t nnz, int size);
